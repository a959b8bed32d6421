# SPDX-License-Identifier: MIT
noinst_LIBRARIES += librun.a
librun_a_SOURCES = \
	src/run/child.c src/run/child.h \
	src/run/feed.c src/run/feed.h \
	src/run/limit.c src/run/limit.h \
	src/run/output.c src/run/output.h \
	src/run/foreground.c src/run/foreground.h \
	src/run/pty.c src/run/pty.h \
	src/run/runner.c src/run/runner.h \
	src/run/spawn.c src/run/spawn.h \
	src/run/stream.c src/run/stream.h \
	src/run/told.c src/run/told.h
EXTRA_DIST += src/run/README
