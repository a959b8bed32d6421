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

# In two builds each test runs once: what runs the programs, in the build that ships, and what runs
# their parts where the sanitizers watch it. The first needs few programs of the tests, and those
# whose output a script reads.
shipped_programs = $(sandbox_programs) $(e2e_programs) tests/unit/test_sandbox_seatbelt \
	tests/unit/test_session_log tests/unit/test_log_resume tests/unit/test_mcp \
	tests/unit/test_mcp_elicit tests/unit/test_acp tests/unit/test_appserver
# What takes longest starts first.
watched_first = tests/tui/test_overlay_screens tests/tui/test_approval_screens tests/fuzz/fuzz_judge \
	tests/unit/test_mask_hostile tests/unit/test_server
check-shipped:
	$(MAKE) $(AM_MAKEFLAGS) all
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS check_PROGRAMS='$(shipped_programs)' \
	  TESTS='$(sandbox_tests) $(lint_tests) $(agents_e2e_tests) $(e2e_tests)'
check-watched:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$$(for test in $(watched_first) \
	  $(filter-out $(watched_first),$(TESTS)); do case $$test in \
	  tests/sandbox/* | tests/lint/* | tests/e2e/*) ;; *) echo $$test ;; esac; done | tr '\n' ' ')"
.PHONY: check-shipped check-watched
