# SPDX-License-Identifier: MIT
# What make check-long runs beside what other folders add to LONG_TESTS.
long_tests = tests/long/faults.sh tests/long/fresh-root.sh tests/long/distcheck.sh tests/long/shell-bugs.sh \
	tests/long/proxy.sh tests/long/log.sh
EXTRA_DIST += tests/long/README $(long_tests)
LONG_TESTS += $(long_tests)

if LINUX
check_PROGRAMS += tests/long/soak/soak
LONG_TESTS += tests/long/attacks.sh tests/long/conformance.sh tests/long/soak.sh tests/long/starts.sh
endif
tests_long_soak_soak_SOURCES = tests/long/soak/agents.c tests/long/soak/operator.c tests/long/soak/picture.c \
	tests/long/soak/record.c tests/long/soak/soak.c tests/long/soak/soak.h tests/long/soak/terminal.c
tests_long_soak_soak_CPPFLAGS = $(AM_CPPFLAGS) $(VTERM_CFLAGS) $(JANSSON_CFLAGS) -I$(srcdir)/tests/tui
tests_long_soak_soak_LDADD = libtui.a libjson.a libbase.a $(VTERM_LIBS) $(JANSSON_LIBS) $(LTLIBINTL) -lutil
EXTRA_DIST += tests/long/attacks.sh tests/long/conformance.sh tests/long/soak.sh tests/long/starts.sh
