# SPDX-License-Identifier: MIT
# What the sandbox promises, tried: cases/ is data, conformance runs it, probe is what it runs.
if LINUX
check_PROGRAMS += tests/sandbox/probe tests/sandbox/conformance
tests_sandbox_probe_SOURCES = tests/sandbox/probe.c
tests_sandbox_probe_LDADD = -lutil -lrt
tests_sandbox_conformance_SOURCES = \
	tests/sandbox/conformance.c \
	tests/sandbox/conformance_case.c tests/sandbox/conformance_case.h
tests_sandbox_conformance_LDADD = libsandbox.a libbase.a -lutil

# Ways out, tried.
check_PROGRAMS += tests/sandbox/attack
tests_sandbox_attack_SOURCES = tests/sandbox/attack.c
tests_sandbox_attack_LDADD = -lutil
dist_check_SCRIPTS += tests/sandbox/attacks.sh
LONG_TESTS += tests/sandbox/attacks.sh
EXTRA_DIST += tests/sandbox/attacks.cases
LONG_TESTS += tests/sandbox/conformance.sh
LONG_TESTS += tests/sandbox/conformance-all.sh
endif
EXTRA_DIST += tests/sandbox/README tests/sandbox/conformance.sh tests/sandbox/conformance-all.sh \
	tests/sandbox/cases/escape.cases tests/sandbox/cases/kernel.cases \
	tests/sandbox/cases/mutate.cases tests/sandbox/cases/network.cases \
	tests/sandbox/cases/places.cases tests/sandbox/cases/process.cases \
	tests/sandbox/cases/protected.cases tests/sandbox/cases/tools.cases \
	tests/sandbox/cases/unix.cases
