# SPDX-License-Identifier: MIT
# Programs: the launcher (bin) and the ones that it starts (libexec).
bin_PROGRAMS += assent
assent_SOURCES = src/launcher.c
assent_LDADD = libconfig.a libbase.a
if STATIC_LAUNCHER
assent_LDFLAGS = $(AM_LDFLAGS) -static
endif

if LINUX
pkglibexec_PROGRAMS += assent-sandbox-cli
assent_sandbox_cli_SOURCES = src/sandbox_cli.c src/sandbox_front.c src/sandbox_front.h
pkglibexec_PROGRAMS += assent-sandbox-explain
assent_sandbox_explain_SOURCES = src/sandbox_explain.c src/sandbox_front.c src/sandbox_front.h \
	src/sandbox_json.c src/sandbox_json.h
assent_sandbox_explain_LDADD = libconfig.a libsandbox.a libjson.a libbase.a $(JANSSON_LIBS) \
	$(LTLIBINTL)
assent_sandbox_cli_LDADD = libconfig.a libsandbox.a libbase.a
if STATIC_LAUNCHER
assent_sandbox_cli_LDFLAGS = $(AM_LDFLAGS) -static
endif
endif

pkglibexec_PROGRAMS += assent-tool
assent_tool_SOURCES = src/tool.c src/tool.h src/tool_batch.c src/tool_batch.h src/tool_config.c \
	src/tool_doctor.c src/tool_log.c src/tool_parse.c
assent_tool_LDADD = libagents.a libcommand.a libconfig.a librecord.a libsandbox.a libjson.a libbase.a \
	$(CONFUSE_LIBS) $(JANSSON_LIBS) $(LTLIBINTL)

pkglibexec_PROGRAMS += assent-console
assent_console_SOURCES = src/main.c src/demo.c src/demo.h src/turn.c src/turn.h
assent_console_LDADD = libui.a libterm.a libagents.a libconfig.a librecord.a libapproval.a \
	librun.a librisk.a libcommand.a libsandbox.a libloop.a libjson.a libbase.a \
	$(NCURSES_LIBS) $(VTERM_LIBS) $(CONFUSE_LIBS) $(JANSSON_LIBS) $(EVENT_LIBS) $(LTLIBINTL)
assent_console_CFLAGS = $(AM_CFLAGS) $(AX_PTHREAD_FLAGS)
