# SPDX-License-Identifier: MIT

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_jsonrpc
TESTS += tests/unit/test_jsonrpc
endif
tests_unit_test_jsonrpc_SOURCES = tests/unit/test_jsonrpc.c
tests_unit_test_jsonrpc_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS) $(JANSSON_CFLAGS)
tests_unit_test_jsonrpc_LDADD = libagents.a libloop.a libjson.a libbase.a \
	$(CMOCKA_LIBS) $(JANSSON_LIBS) $(EVENT_LIBS)
