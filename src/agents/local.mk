# SPDX-License-Identifier: MIT
# The clients (assent-exec, assent-mcp) take only the objects they need out of the library.
noinst_LIBRARIES += libagents.a
libagents_a_SOURCES = \
	src/agents/call_params.c src/agents/call_params.h \
	src/agents/call_result.c src/agents/call_result.h \
	src/agents/client.c src/agents/client.h \
	src/agents/framing.c src/agents/framing.h \
	src/agents/jsonrpc.c src/agents/jsonrpc.h \
	src/agents/peer.c src/agents/peer.h \
	src/agents/rendezvous.c src/agents/rendezvous.h \
	src/agents/salvage.c src/agents/salvage.h \
	src/agents/server.c src/agents/server.h src/agents/server-int.h \
	src/agents/server_call.c \
	src/agents/server_connection.c
libagents_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
