# SPDX-License-Identifier: MIT
# The clients (assent-exec, assent-mcp) take only the objects they need out of the library.
noinst_LIBRARIES += libagents.a
libagents_a_SOURCES = \
	src/agents/bridge.c src/agents/bridge.h \
	src/agents/call_params.c src/agents/call_params.h \
	src/agents/call_result.c src/agents/call_result.h \
	src/agents/client.c src/agents/client.h src/agents/client-int.h \
	src/agents/client_search.c \
	src/agents/edited.c src/agents/edited.h \
	src/agents/exec.c src/agents/exec.h \
	src/agents/exec_patch.c src/agents/exec_patch.h \
	src/agents/framing.c src/agents/framing.h \
	src/agents/hook.c src/agents/hook.h \
	src/agents/hook_guard.c \
	src/agents/jsonrpc.c src/agents/jsonrpc_message.c src/agents/jsonrpc-int.h src/agents/jsonrpc.h \
	src/agents/mcp.c src/agents/mcp.h src/agents/mcp-int.h \
	src/agents/agent_tool.c src/agents/agent_tool.h \
	src/agents/mcp_approve.c src/agents/mcp_call.c src/agents/mcp_poll.c \
	src/agents/mcp_approve.c \
	src/agents/mcp_elicit.c \
	src/agents/mcp_patch.c \
	src/agents/mcp_approve.c src/agents/mcp_call.c src/agents/mcp_permissions.c src/agents/mcp_poll.c \
	src/agents/mcp_shell.c \
	src/agents/mcp_tool.c src/agents/mcp_tool.h \
	src/agents/lineage.c src/agents/lineage.h \
	src/agents/peer.c src/agents/peer.h \
	src/agents/proof.c src/agents/proof.h \
	src/agents/raw_terminal.c src/agents/raw_terminal.h \
	src/agents/refusal.c src/agents/refusal.h \
	src/agents/rendezvous.c src/agents/rendezvous.h \
	src/agents/salvage.c src/agents/salvage.h \
	src/agents/server.c src/agents/server.h src/agents/server-int.h \
	src/agents/server_call.c \
	src/agents/server_connection.c \
	src/agents/server_conversation.c \
	src/agents/server_limits.c \
	src/agents/server_linger.c \
	src/agents/server_neighbours.c \
	src/agents/server_process.c \
	src/agents/server_question.c \
	src/agents/server_session.c \
	src/agents/server_tree.c \
	src/agents/server_unasked.c \
	src/agents/setup.c src/agents/setup.h \
	src/agents/setup_change.c src/agents/setup_change.h \
	src/agents/setup_client.c src/agents/setup_client.h \
	src/agents/setup_json.c src/agents/setup_json.h \
	src/agents/setup_text.c src/agents/setup_text.h \
	src/agents/sink.c src/agents/sink.h
libagents_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)

AGENTS_CLIENT = libagents.a libloop.a libjson.a libconfig.a $(HASH_LIBS) libbase.a \
	$(JANSSON_LIBS) $(EVENT_LIBS) $(LTLIBINTL)

pkglibexec_PROGRAMS += assent-exec
assent_exec_SOURCES = src/agents/exec_main.c
assent_exec_LDADD = libagents.a libcommand.a $(AGENTS_CLIENT)

pkglibexec_PROGRAMS += assent-mcp
assent_mcp_SOURCES = src/agents/mcp_main.c
assent_mcp_LDADD = $(AGENTS_CLIENT)

pkglibexec_PROGRAMS += assent-hook
assent_hook_SOURCES = src/agents/hook_main.c
assent_hook_LDADD = $(AGENTS_CLIENT)
# Conversations with agents that we start; also needs libcommand and librun.
noinst_LIBRARIES += libdrive.a
libdrive_a_SOURCES = \
	src/agents/drive/acp.c src/agents/drive/acp.h src/agents/drive/acp-int.h \
	src/agents/drive/acp_elicitation.c \
	src/agents/drive/acp_file.c \
	src/agents/drive/acp_permission.c \
	src/agents/drive/acp_terminal.c \
	src/agents/drive/acp_update.c \
	src/agents/drive/agent_process.c src/agents/drive/agent_process.h \
	src/agents/drive/agent_session.c src/agents/drive/agent_session.h \
	src/agents/drive/appserver.c src/agents/drive/appserver.h src/agents/drive/appserver-int.h \
	src/agents/drive/appserver_approval.c \
	src/agents/drive/appserver_item.c \
	src/agents/drive/appserver_offer.c \
	src/agents/drive/asker.c src/agents/drive/asker.h \
	src/agents/drive/form.c src/agents/drive/form.h \
	src/agents/drive/inquiry.c src/agents/drive/inquiry.h
libdrive_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
EXTRA_DIST += src/agents/README src/agents/drive/README
