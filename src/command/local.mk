# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libcommand.a
libcommand_a_SOURCES = \
	src/command/environment.c src/command/environment.h \
	src/command/program.c src/command/program.h \
	src/command/safety.c src/command/safety.h \
	src/command/safety_amendment.c \
	src/command/safety_danger.c \
	src/command/shell.c src/command/shell.h \
	src/command/shell_flow.c src/command/shell_flow.h \
	src/command/shell_grammar.c \
	src/command/shell_heredoc.c \
	src/command/shell_source.c \
	src/command/shell_tree.c src/command/shell_tree.h src/command/shell_tree-int.h \
	src/command/shell_word.c \
	src/command/wrapper.c src/command/wrapper.h
EXTRA_DIST += src/command/README
