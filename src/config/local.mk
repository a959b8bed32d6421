# SPDX-License-Identifier: MIT
# The tables and the help need libc only; file.c alone needs libConfuse.
noinst_LIBRARIES += libconfig.a
libconfig_a_SOURCES = \
	src/config/help.c src/config/help.h \
	src/config/option_table.c src/config/option_table.h \
	src/config/subcommand_table.c src/config/subcommand_table.h
libconfig_a_CFLAGS = $(AM_CFLAGS) $(CONFUSE_CFLAGS)
