# SPDX-License-Identifier: MIT
noinst_LIBRARIES += librecord.a
librecord_a_SOURCES = \
	src/record/log_event.c src/record/log_event.h \
	src/record/log_reader.c src/record/log_reader.h \
	src/record/log_view.c src/record/log_view.h \
	src/record/log_writer.c src/record/log_writer.h \
	src/record/session_log.c src/record/session_log.h
librecord_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(AX_PTHREAD_FLAGS)
EXTRA_DIST += src/record/README
