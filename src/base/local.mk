# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = \
	src/base/alloc.c src/base/alloc.h \
	src/base/error.c src/base/error.h
libbase_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(EVENT_CFLAGS)
