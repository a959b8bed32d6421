# SPDX-License-Identifier: MIT
# What the sandbox promises, tried: cases/ is data, conformance runs it, probe is what it runs.
sandbox_tests =
sandbox_programs =
if LINUX
sandbox_programs += tests/sandbox/probe tests/sandbox/conformance
tests_sandbox_probe_SOURCES = tests/sandbox/probe.c tests/sandbox/probe.h \
	tests/sandbox/probe_file.c tests/sandbox/probe_ipc.c tests/sandbox/probe_kernel.c \
	tests/sandbox/probe_process.c tests/sandbox/probe_socket.c
tests_sandbox_probe_LDADD = -lutil -lrt
tests_sandbox_conformance_SOURCES = \
	tests/sandbox/conformance.c \
	tests/sandbox/conformance_run.c tests/sandbox/conformance_run.h \
	tests/sandbox/conformance_case.c tests/sandbox/conformance_case.h
tests_sandbox_conformance_LDADD = libsandbox.a libbase.a -lutil

# Ways out, tried.
sandbox_programs += tests/sandbox/attack
tests_sandbox_attack_SOURCES = tests/sandbox/attack.c
tests_sandbox_attack_LDADD = -lutil
attack_tests = tests/sandbox/attacks-git.sh tests/sandbox/attacks-host.sh \
	tests/sandbox/attacks-input.sh tests/sandbox/attacks-rest.sh
sandbox_tests += $(attack_tests)
EXTRA_DIST += tests/sandbox/attacks.cases tests/sandbox/attacks.sh tests/sandbox/forge_index.sh \
	tests/sandbox/forge_split.py
sandbox_tests += tests/sandbox/conformance.sh tests/sandbox/linux.sh tests/sandbox/apparmor.sh
endif
sandbox_tests += tests/sandbox/seatbelt.sh
check_PROGRAMS += $(sandbox_programs)
dist_check_SCRIPTS += $(sandbox_tests)
TESTS += $(sandbox_tests)
EXTRA_DIST += tests/sandbox/seatbelt.scm
EXTRA_DIST += tests/sandbox/README \
	tests/sandbox/cases/daily.cases tests/sandbox/cases/escape.cases tests/sandbox/cases/kernel.cases \
	tests/sandbox/cases/mutate.cases tests/sandbox/cases/network.cases \
	tests/sandbox/cases/places.cases tests/sandbox/cases/process.cases \
	tests/sandbox/cases/protected.cases tests/sandbox/cases/tools.cases \
	tests/sandbox/cases/unix.cases
