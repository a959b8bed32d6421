# SPDX-License-Identifier: MIT
# Unit tests: tests/unit/test_MODULE.c is one program, linked with the library of its layer and
# those below only, so that a call upwards does not link. A test takes two lines:
#
#   unit_tests += tests/unit/test_strbuf
#   tests_unit_test_strbuf_LDADD = $(UNIT_BASE)
#
# (The source needs no line: the same name with .c. One that needs more sets ..._SOURCES.)
# A layer has one UNIT_ variable: its library, then what it stands on.
unit_tests =
if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)
endif
AM_CPPFLAGS += $(CMOCKA_CFLAGS) $(JANSSON_CFLAGS)

# ---- base
UNIT_BASE = libbase.a $(CMOCKA_LIBS) $(LTLIBINTL)
UNIT_JSON = libjson.a $(UNIT_BASE) $(JANSSON_LIBS)
UNIT_LOOP = libloop.a $(UNIT_BASE) $(EVENT_LIBS) $(AX_PTHREAD_FLAGS)

unit_tests += tests/unit/test_alloc
tests_unit_test_alloc_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_base64
tests_unit_test_base64_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_path
tests_unit_test_path_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_clock
tests_unit_test_clock_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_error
tests_unit_test_error_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_fd
tests_unit_test_fd_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_json
tests_unit_test_json_LDADD = $(UNIT_JSON)
unit_tests += tests/unit/test_log
tests_unit_test_log_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_loop
tests_unit_test_loop_LDADD = $(UNIT_LOOP)
unit_tests += tests/unit/test_loop_crowd
tests_unit_test_loop_crowd_LDADD = $(UNIT_LOOP)
unit_tests += tests/unit/test_strbuf
tests_unit_test_strbuf_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_text
tests_unit_test_text_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_text_escape
tests_unit_test_text_escape_LDADD = $(UNIT_BASE)

# ---- sandbox
UNIT_SANDBOX = libsandbox.a $(UNIT_BASE)

unit_tests += tests/unit/test_sandbox_denial
tests_unit_test_sandbox_denial_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_sandbox_policy
tests_unit_test_sandbox_policy_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_sandbox_transform
tests_unit_test_sandbox_transform_LDADD = $(UNIT_SANDBOX)
if LINUX
unit_tests += tests/unit/test_tree
tests_unit_test_tree_LDADD = $(UNIT_SANDBOX)
endif

# ---- command
UNIT_COMMAND = libcommand.a $(UNIT_BASE)

unit_tests += tests/unit/test_shell
tests_unit_test_shell_LDADD = $(UNIT_COMMAND)
unit_tests += tests/unit/test_shell_flow
tests_unit_test_shell_flow_LDADD = $(UNIT_COMMAND)
unit_tests += tests/unit/test_shell_tree
tests_unit_test_shell_tree_LDADD = $(UNIT_COMMAND)
unit_tests += tests/unit/test_wrapper
tests_unit_test_wrapper_LDADD = $(UNIT_COMMAND)

unit_tests += tests/unit/test_safety
tests_unit_test_safety_LDADD = $(UNIT_COMMAND)

# ---- risk
UNIT_RISK = librisk.a $(UNIT_COMMAND)

unit_tests += tests/unit/test_assessment
tests_unit_test_assessment_LDADD = $(UNIT_RISK)

# ---- run
UNIT_RUN = librun.a $(UNIT_SANDBOX) $(UNIT_LOOP)

unit_tests += tests/unit/test_pty
tests_unit_test_pty_LDADD = $(UNIT_RUN)
if LINUX
unit_tests += tests/unit/test_runner
tests_unit_test_runner_CPPFLAGS = $(AM_CPPFLAGS) -DHELPER_PATH='"$(abs_builddir)/assent-sandbox"'
tests_unit_test_runner_LDADD = $(UNIT_RUN)
endif
unit_tests += tests/unit/test_output
tests_unit_test_output_LDADD = $(UNIT_RUN)

# ---- approval
UNIT_APPROVAL = libapproval.a librun.a librisk.a libcommand.a libsandbox.a libloop.a $(UNIT_JSON) \
	$(EVENT_LIBS) $(AX_PTHREAD_FLAGS)

if LINUX
unit_tests += tests/unit/test_attempt
tests_unit_test_attempt_CPPFLAGS = $(AM_CPPFLAGS) -DHELPER_PATH='"$(abs_builddir)/assent-sandbox"'
tests_unit_test_attempt_LDADD = $(UNIT_APPROVAL)
endif
unit_tests += tests/unit/test_call
tests_unit_test_call_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_context
tests_unit_test_context_LDADD = $(UNIT_APPROVAL)

unit_tests += tests/unit/test_grants
tests_unit_test_grants_LDADD = $(UNIT_APPROVAL)
# The runner is replaced: libapproval comes before librun, and what the test defines before both.
unit_tests += tests/unit/test_orchestrator
tests_unit_test_orchestrator_SOURCES = tests/unit/test_orchestrator.c \
	tests/unit/fake_runner.c tests/unit/fake_runner.h
tests_unit_test_orchestrator_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_policy
tests_unit_test_policy_LDADD = $(UNIT_APPROVAL)

# ---- network

# ---- record
UNIT_RECORD = librecord.a $(UNIT_APPROVAL)

unit_tests += tests/unit/test_log_writer
tests_unit_test_log_writer_LDADD = $(UNIT_RECORD)
unit_tests += tests/unit/test_session_log
tests_unit_test_session_log_LDADD = $(UNIT_RECORD)

# ---- config
unit_tests += tests/unit/test_options
tests_unit_test_options_LDADD = libconfig.a $(UNIT_BASE) $(CONFUSE_LIBS)

# ---- agents
unit_tests += tests/unit/test_jsonrpc
tests_unit_test_jsonrpc_LDADD = libagents.a $(UNIT_LOOP) $(UNIT_JSON)
unit_tests += tests/unit/test_mcp
tests_unit_test_mcp_LDADD = libagents.a libconfig.a $(UNIT_LOOP) $(UNIT_JSON)
UNIT_SERVER = libagents.a libconfig.a $(UNIT_APPROVAL) $(UNIT_RUN)
SERVER_FIXTURE = tests/unit/server_fixture.c tests/unit/server_fixture.h
unit_tests += tests/unit/test_server
tests_unit_test_server_SOURCES = tests/unit/test_server.c $(SERVER_FIXTURE)
tests_unit_test_server_LDADD = $(UNIT_SERVER)
unit_tests += tests/unit/test_server_input
tests_unit_test_server_input_SOURCES = tests/unit/test_server_input.c $(SERVER_FIXTURE)
tests_unit_test_server_input_LDADD = $(UNIT_SERVER)
unit_tests += tests/unit/test_server_peers
tests_unit_test_server_peers_SOURCES = tests/unit/test_server_peers.c $(SERVER_FIXTURE)
tests_unit_test_server_peers_LDADD = $(UNIT_SERVER)

# ---- ui/term
UNIT_TERM = libterm.a $(UNIT_BASE) $(VTERM_LIBS)

unit_tests += tests/unit/test_grid
tests_unit_test_grid_LDADD = $(UNIT_TERM)
unit_tests += tests/unit/test_scan
tests_unit_test_scan_LDADD = $(UNIT_TERM)
unit_tests += tests/unit/test_vt
tests_unit_test_vt_SOURCES = tests/unit/test_vt.c tests/term/term_check.c tests/term/term_check.h
tests_unit_test_vt_LDADD = $(UNIT_TERM)

# ---- ui: what needs no screen
UNIT_UI = libui.a $(UNIT_BASE)

unit_tests += tests/unit/test_colour
tests_unit_test_colour_LDADD = $(UNIT_UI)
unit_tests += tests/unit/test_input
tests_unit_test_input_LDADD = $(UNIT_UI)
unit_tests += tests/unit/test_keymap
tests_unit_test_keymap_LDADD = $(UNIT_UI)
unit_tests += tests/unit/test_layout
tests_unit_test_layout_LDADD = $(UNIT_UI)
unit_tests += tests/unit/test_line_editor
tests_unit_test_line_editor_LDADD = $(UNIT_UI)
unit_tests += tests/unit/test_wrap
tests_unit_test_wrap_LDADD = $(UNIT_UI)
