# SPDX-License-Identifier: MIT
# The clients (assent-exec, assent-mcp) take only the objects they need out of the library.
noinst_LIBRARIES += libagents.a
libagents_a_SOURCES = \
	src/agents/framing.c src/agents/framing.h \
	src/agents/jsonrpc.c src/agents/jsonrpc.h \
	src/agents/salvage.c src/agents/salvage.h
libagents_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
