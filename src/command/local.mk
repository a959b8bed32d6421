# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libcommand.a
libcommand_a_SOURCES = \
	src/command/environment.c src/command/environment.h \
	src/command/program.c src/command/program.h \
	src/command/reading.c src/command/reading.h \
	src/command/safety.h \
	src/command/shell.c src/command/shell.h
EXTRA_DIST += src/command/README
