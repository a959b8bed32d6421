# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libcommand.a
libcommand_a_SOURCES = \
	src/command/code_file.c src/command/code_file.h \
	src/command/environment.c src/command/environment.h \
	src/command/loader.c src/command/loader.h \
	src/command/loader_git.c src/command/loader_git.h \
	src/command/loader_names.c \
	src/command/parts.c src/command/parts.h \
	src/command/carried.c src/command/carried.h \
	src/command/handover.c src/command/handover.h \
	src/command/patch_make.c src/command/patch_make.h \
	src/command/patch.c src/command/patch.h \
	src/command/patch_apply.c \
	src/command/patch_files.c src/command/patch_files.h \
	src/command/program.c src/command/program.h \
	src/command/rules.c src/command/rules.h src/command/rules-int.h \
	src/command/rules_examples.c \
	src/command/rules_hosts.c \
	src/command/rules_index.c src/command/rules_index-int.h \
	src/command/rules_match.c \
	src/command/rules_network.c \
	src/command/rules_parse.c src/command/rules_parse-int.h \
	src/command/rules_place.c src/command/rules_review.c src/command/rules_review.h \
	src/command/rules_read.c \
	src/command/rules_write.c src/command/rules_write.h \
	src/command/safety.h src/command/safety-int.h \
	src/command/safety_amendment.c \
	src/command/safety_danger.c \
	src/command/safety_git.c \
	src/command/safety_git_config.c \
	src/command/safety_help.c \
	src/command/safety_language.c \
	src/command/safety_path.c \
	src/command/safety_programs.c \
	src/command/shell.c src/command/shell.h \
	src/command/shell_evaluates.c src/command/shell_evaluates.h \
	src/command/shell_expansion.c \
	src/command/shell_flow.c src/command/shell_flow.h \
	src/command/shell_grammar.c \
	src/command/shell_heredoc.c \
	src/command/shell_keyword.c \
	src/command/shell_level.c \
	src/command/shell_parenthesis.c \
	src/command/shell_redirect.c \
	src/command/shell_source.c \
	src/command/shell_tree.c src/command/shell_tree.h src/command/shell_tree-int.h \
	src/command/shell_word.c \
	src/command/wrapper.c src/command/wrapper.h src/command/wrapper_table.def
EXTRA_DIST += src/command/README
