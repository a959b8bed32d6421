# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libcommand.a
libcommand_a_SOURCES = \
	src/command/safety.h \
	src/command/shell.c src/command/shell.h
