# SPDX-License-Identifier: MIT

# Ways out, tried.
if LINUX
check_PROGRAMS += tests/sandbox/attack
tests_sandbox_attack_SOURCES = tests/sandbox/attack.c
tests_sandbox_attack_LDADD = -lutil
dist_check_SCRIPTS += tests/sandbox/attacks.sh
LONG_TESTS += tests/sandbox/attacks.sh
EXTRA_DIST += tests/sandbox/attacks.cases
endif
