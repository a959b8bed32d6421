# SPDX-License-Identifier: MIT
# libbase needs nothing but libc: the launcher and the sandbox helper link it alone.
noinst_LIBRARIES += libbase.a libhash.a libjson.a libloop.a
libbase_a_SOURCES = \
	src/base/alloc.c src/base/alloc.h src/base/array.h \
	src/base/base64.c src/base/base64.h \
	src/base/clock.c src/base/clock.h \
	src/base/error.c src/base/error.h \
	src/base/fd.c src/base/fd.h \
	src/base/git_config_harmless.c src/base/git_config_harmless.h \
	src/base/git_config_line.c src/base/git_config_line.h \
	src/base/git_index.c src/base/git_index.h \
	src/base/i18n.c src/base/i18n.h \
	src/base/install.c src/base/install.h \
	src/base/line_diff.c src/base/line_diff.h \
	src/base/log.c src/base/log.h \
	src/base/path.c src/base/path.h \
	src/base/physical.c src/base/physical.h \
	src/base/process.c src/base/process.h \
	src/base/random.c src/base/random.h \
	src/base/statx.h \
	src/base/strbuf.c src/base/strbuf.h \
	src/base/strset.c src/base/strset.h \
	src/base/text.c src/base/text.h \
	src/base/text_break.c \
	src/base/text_escape.c \
	src/base/text_script.c \
	src/base/text_tables.c src/base/text_tables.h \
	src/base/text_utf8.c \
	src/base/text_width.c \
	src/base/wording.c src/base/wording.h
libhash_a_SOURCES = src/base/secret.c src/base/secret.h src/base/sha256.c src/base/sha256.h
libhash_a_CFLAGS = $(AM_CFLAGS) $(NETTLE_CFLAGS)
HASH_LIBS = libhash.a $(NETTLE_LIBS)
libjson_a_SOURCES = src/base/json.c src/base/json.h
libjson_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
libloop_a_SOURCES = src/base/due_heap.c src/base/due_heap.h src/base/loop.c src/base/loop.h \
	src/base/wait_limit.c src/base/wait_limit.h
libloop_a_CFLAGS = $(AM_CFLAGS) $(EVENT_CFLAGS)
EXTRA_DIST += src/base/README src/base/text_tables.py
