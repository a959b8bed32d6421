# SPDX-License-Identifier: MIT
# Tests; each folder lists its own. Scripts source tests/lib.sh. What takes long comes first, so that
# nothing is waited for alone at the end.
include tests/e2e/local.mk
include tests/sandbox/local.mk
include tests/unit/local.mk
include tests/term/local.mk
include tests/tui/local.mk
include tests/lint/local.mk
include tests/long/local.mk
include tests/fuzz/local.mk
include tests/bench/local.mk

# What takes longer than make check may: each folder adds to LONG_TESTS.
check-long:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$(LONG_TESTS)"
.PHONY: check-long

# In two builds each test runs once: what confines, in the build that ships, and all else where the
# sanitizers watch it. The first needs few programs.
check-confined:
	$(MAKE) $(AM_MAKEFLAGS) all
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(sandbox_tests) $(lint_tests)' \
	  check_PROGRAMS='$(sandbox_programs)'
check-watched:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$$(for test in $(TESTS); do \
	  case $$test in tests/sandbox/* | tests/lint/*) ;; *) echo $$test ;; esac; done | tr '\n' ' ')"
.PHONY: check-confined check-watched
