# SPDX-License-Identifier: MIT
# The clients (assent-exec, assent-mcp) take only the objects they need out of the library.
noinst_LIBRARIES += libagents.a
libagents_a_SOURCES = \
	src/agents/call_params.c src/agents/call_params.h \
	src/agents/call_result.c src/agents/call_result.h \
	src/agents/client.c src/agents/client.h \
	src/agents/exec.c src/agents/exec.h \
	src/agents/framing.c src/agents/framing.h \
	src/agents/jsonrpc.c src/agents/jsonrpc.h \
	src/agents/mcp.c src/agents/mcp.h \
	src/agents/mcp_tool.c src/agents/mcp_tool.h \
	src/agents/peer.c src/agents/peer.h \
	src/agents/raw_terminal.c src/agents/raw_terminal.h \
	src/agents/rendezvous.c src/agents/rendezvous.h \
	src/agents/salvage.c src/agents/salvage.h \
	src/agents/server.c src/agents/server.h src/agents/server-int.h \
	src/agents/server_call.c \
	src/agents/server_connection.c \
	src/agents/sink.c src/agents/sink.h
libagents_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)

AGENTS_CLIENT = libagents.a libloop.a libjson.a libconfig.a libbase.a \
	$(JANSSON_LIBS) $(EVENT_LIBS) $(LTLIBINTL)

pkglibexec_PROGRAMS += assent-exec
assent_exec_SOURCES = src/agents/exec_main.c
assent_exec_LDADD = $(AGENTS_CLIENT)

pkglibexec_PROGRAMS += assent-mcp
assent_mcp_SOURCES = src/agents/mcp_main.c
assent_mcp_LDADD = $(AGENTS_CLIENT)
EXTRA_DIST += src/agents/README
