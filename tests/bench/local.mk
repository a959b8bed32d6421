# SPDX-License-Identifier: MIT
# Measurements: built by make check so that they don't rot, run by hand.
check_PROGRAMS += tests/bench/bench_vt
tests_bench_bench_vt_LDADD = libterm.a libbase.a $(VTERM_LIBS) $(LTLIBINTL)
EXTRA_DIST += tests/bench/README
