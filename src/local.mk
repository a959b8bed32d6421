# SPDX-License-Identifier: MIT
# Programs: the launcher (bin) and the ones that it starts (libexec).
bin_PROGRAMS += assent
assent_SOURCES = src/launcher.c
assent_LDADD = $(sandbox_cli_libraries) libconfig.a libbase.a
if STATIC_LAUNCHER
assent_LDFLAGS = $(AM_LDFLAGS) -static
endif

if LINUX
# The launcher does `assent sandbox` itself: one program to be started less with every command.
sandbox_cli_sources = src/sandbox_cli.c src/sandbox_cli.h src/sandbox_front.c src/sandbox_front.h
sandbox_cli_libraries = libconfig.a libhelper.a libsandbox.a libbase.a
assent_SOURCES += $(sandbox_cli_sources)
noinst_PROGRAMS += assent-sandbox-cli
assent_sandbox_cli_SOURCES = src/sandbox_cli_program.c $(sandbox_cli_sources)
assent_sandbox_cli_CFLAGS = $(AM_CFLAGS) $(MUSL_CFLAGS)
assent_sandbox_cli_LDADD = $(helper_libraries)
if STATIC_LAUNCHER
assent_sandbox_cli_LDFLAGS = $(AM_LDFLAGS) -static
endif
pkglibexec_PROGRAMS += assent-sandbox-explain
assent_sandbox_explain_SOURCES = src/sandbox_explain.c src/sandbox_front.c src/sandbox_front.h \
	src/sandbox_json.c src/sandbox_json.h
assent_sandbox_explain_LDADD = libconfig.a libhelper.a libsandbox.a libjson.a libbase.a \
	$(JANSSON_LIBS) $(LTLIBINTL)
endif

pkglibexec_PROGRAMS += assent-tool
assent_tool_SOURCES = src/tool.c src/tool.h src/tool_assess.c src/tool_batch.c src/tool_batch.h src/tool_check.c \
	src/tool_config.c src/tool_doctor.c src/tool_log.c src/tool_log.h src/log_filter.c src/log_filter.h src/tool_log_calls.c src/tool_log_stats.c src/tool_log_verify.c \
	src/log_stats_text.c src/log_stats_text.h src/tool_parse.c \
	src/tool_judge.c src/tool_judge.h src/rule_suggest.c src/rule_suggest.h \
	src/rule_uses.c src/rule_uses.h src/tool_rules.c src/tool_rules_import.c src/tool_rules_import.h \
	src/tool_rules_suggest.c src/tool_rules_test.c \
	src/tool_rules_unused.c src/tool_replay.c src/tool_replay.h src/model_setup.c src/model_setup.h \
	src/rulebook.c src/rulebook.h src/turn.c src/turn.h
assent_tool_LDADD = libagents.a libconfig.a librecord.a libapproval.a librun.a librisk.a libcommand.a \
	libnetwork.a libsandbox.a libloop.a libjson.a $(HASH_LIBS) libbase.a \
	$(CONFUSE_LIBS) $(JANSSON_LIBS) $(EVENT_LIBS) $(CURL_LIBS) $(LTLIBINTL)
assent_tool_CFLAGS = $(AM_CFLAGS) $(AX_PTHREAD_FLAGS)

pkglibexec_PROGRAMS += assent-console
assent_console_SOURCES = src/main.c src/agent_confine.c src/agent_confine.h src/agent_program.c src/agent_program.h \
	src/demo.c src/demo.h src/front.c src/front.h src/gate.c src/gate.h \
	src/log_filter.c src/log_filter.h src/log_reading.c src/log_reading.h src/log_stats_text.c src/log_stats_text.h \
	src/hop_setup.c src/hop_setup.h src/model_setup.c src/model_setup.h \
	src/recorder.c src/recorder.h src/rule_files.c src/rule_files.h \
	src/rule_lab.c src/rule_lab.h src/rule_suggest.c src/rule_suggest.h src/rule_uses.c src/rule_uses.h \
	src/tool_judge.c src/tool_judge.h src/rulebook.c src/rulebook.h src/started.c src/started.h src/turn.c src/turn.h \
	src/typed_ahead.c src/typed_ahead.h
assent_console_LDADD = libui.a libterm.a libagents.a libconfig.a librecord.a libnetwork.a \
	libapproval.a \
	librun.a librisk.a libcommand.a libnetwork.a libsandbox.a libloop.a libjson.a $(HASH_LIBS) libbase.a \
	$(NCURSES_LIBS) $(VTERM_LIBS) $(CURL_LIBS) $(CONFUSE_LIBS) $(JANSSON_LIBS) $(EVENT_LIBS) $(IDN2_LIBS) $(LTLIBINTL)
assent_console_CFLAGS = $(AM_CFLAGS) $(AX_PTHREAD_FLAGS)

# Where commands see it: the libexec directory is closed to them.
bin_PROGRAMS += assent-connect
assent_connect_SOURCES = src/connect_main.c
assent_connect_LDADD = libsandbox.a libbase.a $(LTLIBINTL)

pkglibexec_PROGRAMS += assent-patch
assent_patch_SOURCES = src/patch_main.c
assent_patch_LDADD = libcommand.a libbase.a $(LTLIBINTL)

pkglibexec_PROGRAMS += assent-acp
assent_acp_SOURCES = src/talk_main.c
assent_acp_LDADD = libdrive.a libtalk.a libui.a librun.a libcommand.a $(AGENTS_CLIENT)
