# SPDX-License-Identifier: MIT
# What make check-long runs beside what other folders add to LONG_TESTS.
long_tests = tests/long/faults.sh tests/long/fresh-root.sh tests/long/distcheck.sh tests/long/shell-bugs.sh \
	tests/long/proxy.sh tests/long/log.sh
EXTRA_DIST += tests/long/README $(long_tests)
LONG_TESTS += $(long_tests)
