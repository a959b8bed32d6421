# SPDX-License-Identifier: MIT
# Needs libbase; config_file.c alone needs libConfuse ($(CONFUSE_LIBS)).
noinst_LIBRARIES += libconfig.a
libconfig_a_SOURCES = \
	src/config/arguments.c src/config/arguments.h \
	src/config/config_file.c src/config/config_file.h \
	src/config/environment.c src/config/environment.h \
	src/config/help.c src/config/help.h \
	src/config/option_table.c src/config/option_table.h src/config/option_table-int.h \
	src/config/option_table_clients.c \
	src/config/option_table_commands.c \
	src/config/option_table_console.c \
	src/config/option_table_tools.c \
	src/config/option_value.c src/config/option_value.h \
	src/config/options.c src/config/options.h \
	src/config/paths.c src/config/paths.h \
	src/config/subcommand_table.c src/config/subcommand_table.h
libconfig_a_CFLAGS = $(AM_CFLAGS) $(CONFUSE_CFLAGS)
EXTRA_DIST += src/config/README

# Runs while building: makes manual, completions and default configuration from the tables.
noinst_PROGRAMS += dump-options
dump_options_SOURCES = src/config/dump.h src/config/dump_completions.c \
	src/config/dump_manual.c src/config/dump_options.c
dump_options_LDADD = libconfig.a libbase.a
