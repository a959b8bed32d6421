# SPDX-License-Identifier: MIT
# Measurements: built by make check so that they don't rot, run by hand.
check_PROGRAMS += tests/bench/bench_vt
tests_bench_bench_vt_LDADD = libterm.a libbase.a $(VTERM_LIBS) $(LTLIBINTL)
if LINUX
check_PROGRAMS += tests/bench/bench_sandbox
tests_bench_bench_sandbox_SOURCES = tests/bench/bench_sandbox.c tests/bench/equal_policy.c \
	tests/bench/equal_policy.h
tests_bench_bench_sandbox_LDADD = libsandbox.a libbase.a $(LTLIBINTL)
check_PROGRAMS += tests/bench/bench_keys
tests_bench_bench_keys_LDADD = libbase.a $(LTLIBINTL) -lutil
endif
check_PROGRAMS += tests/bench/bench_risk
tests_bench_bench_risk_LDADD = librisk.a libcommand.a libbase.a $(LTLIBINTL)
EXTRA_DIST += tests/bench/README tests/bench/crowd.py
check_PROGRAMS += tests/bench/questions
tests_bench_questions_SOURCES = tests/bench/questions.c tests/bench/causes.c tests/bench/causes.h
tests_bench_questions_LDADD = libapproval.a librun.a librisk.a libcommand.a libsandbox.a \
	libloop.a libjson.a $(HASH_LIBS) libbase.a $(JANSSON_LIBS) $(EVENT_LIBS) $(LTLIBINTL)
check_PROGRAMS += tests/bench/bench_parse
tests_bench_bench_parse_LDADD = libcommand.a libbase.a $(LTLIBINTL)
if LINUX
check_PROGRAMS += tests/bench/bench_proxy
tests_bench_bench_proxy_LDADD = libnetwork.a libloop.a libbase.a $(IDN2_LIBS) $(EVENT_LIBS) \
	$(AX_PTHREAD_FLAGS) $(LTLIBINTL)
endif
check_PROGRAMS += tests/bench/bench_log
tests_bench_bench_log_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(AX_PTHREAD_FLAGS)
tests_bench_bench_log_LDADD = librecord.a libapproval.a librun.a librisk.a libcommand.a libsandbox.a \
	libloop.a libjson.a $(HASH_LIBS) libbase.a $(JANSSON_LIBS) $(EVENT_LIBS) \
	$(AX_PTHREAD_FLAGS) $(LTLIBINTL)
