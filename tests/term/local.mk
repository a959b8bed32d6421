# SPDX-License-Identifier: MIT
# Bytes in, screen out: tests of ui/term as plain text, each file run by term_run.
check_PROGRAMS += tests/term/term_run
tests_term_term_run_LDADD = libterm.a libbase.a $(VTERM_LIBS) $(LTLIBINTL)
term_tests = \
	tests/term/cursor.test \
	tests/term/erase.test \
	tests/term/input.test \
	tests/term/mode.test \
	tests/term/resize.test \
	tests/term/screen.test \
	tests/term/scroll.test \
	tests/term/string.test \
	tests/term/style.test \
	tests/term/text.test
TESTS += $(term_tests)
TEST_LOG_COMPILER = $(builddir)/tests/term/term_run
EXTRA_DIST += $(term_tests) tests/term/README
