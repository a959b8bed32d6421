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

# What time a thing takes is bound by its length: a program that says so takes this along.
GROWTH = tests/unit/growth.c tests/unit/growth.h

# ---- base
UNIT_BASE = $(HASH_LIBS) libbase.a $(CMOCKA_LIBS) $(LTLIBINTL)
UNIT_JSON = libjson.a $(UNIT_BASE) $(JANSSON_LIBS)
UNIT_LOOP = libloop.a $(UNIT_BASE) $(EVENT_LIBS) $(AX_PTHREAD_FLAGS)

unit_tests += tests/unit/test_alloc
tests_unit_test_alloc_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_base64
tests_unit_test_base64_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_line_diff
tests_unit_test_line_diff_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_random
tests_unit_test_random_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_secret
tests_unit_test_secret_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_sha256
tests_unit_test_sha256_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_path
tests_unit_test_path_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_wording
tests_unit_test_wording_LDADD = $(UNIT_BASE)
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
unit_tests += tests/unit/test_strset
tests_unit_test_strset_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_text
tests_unit_test_text_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_text_escape
tests_unit_test_text_escape_LDADD = $(UNIT_BASE)

# ---- network
UNIT_NETWORK = libnetwork.a $(UNIT_LOOP) $(IDN2_LIBS)

unit_tests += tests/unit/test_address
tests_unit_test_address_LDADD = $(UNIT_NETWORK)
unit_tests += tests/unit/test_head
tests_unit_test_head_LDADD = $(UNIT_NETWORK)
unit_tests += tests/unit/test_hello
tests_unit_test_hello_LDADD = $(UNIT_NETWORK)
unit_tests += tests/unit/test_host
tests_unit_test_host_LDADD = $(UNIT_NETWORK)
PROXY_FIXTURE = tests/unit/proxy_fixture.c tests/unit/proxy_fixture.h
unit_tests += tests/unit/test_next_hop
tests_unit_test_next_hop_SOURCES = tests/unit/test_next_hop.c $(PROXY_FIXTURE)
tests_unit_test_next_hop_LDADD = $(UNIT_NETWORK)
unit_tests += tests/unit/test_proxy
tests_unit_test_proxy_SOURCES = tests/unit/test_proxy.c $(PROXY_FIXTURE)
tests_unit_test_proxy_LDADD = $(UNIT_NETWORK)
unit_tests += tests/unit/test_proxy_attacks
tests_unit_test_proxy_attacks_SOURCES = tests/unit/test_proxy_attacks.c $(PROXY_FIXTURE)
tests_unit_test_proxy_attacks_LDADD = $(UNIT_NETWORK)
unit_tests += tests/unit/test_socks
tests_unit_test_socks_LDADD = $(UNIT_NETWORK)

# ---- sandbox
UNIT_SANDBOX = libsandbox.a $(UNIT_BASE)

unit_tests += tests/unit/test_git_index
tests_unit_test_git_index_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_git_config_line
tests_unit_test_git_config_line_SOURCES = tests/unit/test_git_config_line.c \
	tests/unit/tree_fixture.c tests/unit/tree_fixture.h
tests_unit_test_git_config_line_LDADD = $(UNIT_BASE)
unit_tests += tests/unit/test_sandbox_denial
tests_unit_test_sandbox_denial_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_sandbox_hold
tests_unit_test_sandbox_hold_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_sandbox_policy
tests_unit_test_sandbox_policy_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_sandbox_seatbelt
tests_unit_test_sandbox_seatbelt_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_sandbox_transform
tests_unit_test_sandbox_transform_LDADD = $(UNIT_SANDBOX)
if LINUX
unit_tests += tests/unit/test_aside
tests_unit_test_aside_SOURCES = tests/unit/test_aside.c tests/unit/tree_fixture.c \
	tests/unit/tree_fixture.h
tests_unit_test_aside_LDADD = libhelper.a $(UNIT_SANDBOX)
unit_tests += tests/unit/test_kept_tree
tests_unit_test_kept_tree_SOURCES = tests/unit/test_kept_tree.c tests/unit/tree_fixture.c \
	tests/unit/tree_fixture.h
tests_unit_test_kept_tree_LDADD = libhelper.a $(UNIT_SANDBOX)
unit_tests += tests/unit/test_git_harmless
tests_unit_test_git_harmless_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_git_newcomers
tests_unit_test_git_newcomers_LDADD = libhelper.a $(UNIT_SANDBOX)
unit_tests += tests/unit/test_git_leftover
tests_unit_test_git_leftover_LDADD = libhelper.a $(UNIT_SANDBOX)
unit_tests += tests/unit/test_nearby
tests_unit_test_nearby_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_git_program
tests_unit_test_git_program_LDADD = libhelper.a $(UNIT_SANDBOX)
unit_tests += tests/unit/test_git_links
tests_unit_test_git_links_LDADD = libhelper.a $(UNIT_SANDBOX)
unit_tests += tests/unit/test_scratch
tests_unit_test_scratch_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_git_sequence
tests_unit_test_git_sequence_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_names
tests_unit_test_names_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_nested
tests_unit_test_nested_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_placeholder
tests_unit_test_placeholder_LDADD = $(UNIT_SANDBOX)
unit_tests += tests/unit/test_protect_git
tests_unit_test_protect_git_LDADD = libhelper.a $(UNIT_SANDBOX)
unit_tests += tests/unit/test_control
tests_unit_test_control_LDADD = libhelper.a $(UNIT_SANDBOX)
unit_tests += tests/unit/test_lift
tests_unit_test_lift_LDADD = $(UNIT_SANDBOX)
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

unit_tests += tests/unit/test_rules
tests_unit_test_rules_LDADD = $(UNIT_COMMAND)
unit_tests += tests/unit/test_rules_write
tests_unit_test_rules_write_LDADD = $(UNIT_COMMAND)
unit_tests += tests/unit/test_patch_make
tests_unit_test_patch_make_LDADD = $(UNIT_COMMAND)
unit_tests += tests/unit/test_patch
tests_unit_test_patch_LDADD = $(UNIT_COMMAND)
unit_tests += tests/unit/test_patch_files
tests_unit_test_patch_files_LDADD = $(UNIT_COMMAND)
tests_unit_test_patch_files_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=fsync -Wl,--wrap=renameat2

unit_tests += tests/unit/test_loader
tests_unit_test_loader_LDADD = $(UNIT_COMMAND)

unit_tests += tests/unit/test_safety
tests_unit_test_safety_LDADD = $(UNIT_COMMAND)
unit_tests += tests/unit/test_safety_tools
tests_unit_test_safety_tools_SOURCES = tests/unit/test_safety_tools.c \
	tests/unit/tree_fixture.c tests/unit/tree_fixture.h
tests_unit_test_safety_tools_LDADD = $(UNIT_COMMAND)
unit_tests += tests/unit/test_git_reads
tests_unit_test_git_reads_SOURCES = tests/unit/test_git_reads.c tests/unit/tree_fixture.c \
	tests/unit/tree_fixture.h
tests_unit_test_git_reads_LDADD = $(UNIT_COMMAND)

# ---- risk
UNIT_RISK = librisk.a $(UNIT_COMMAND)

unit_tests += tests/unit/test_assessment
tests_unit_test_assessment_LDADD = $(UNIT_RISK)
unit_tests += tests/unit/test_push_target
tests_unit_test_push_target_SOURCES = tests/unit/test_push_target.c tests/unit/tree_fixture.c \
	tests/unit/tree_fixture.h
tests_unit_test_push_target_LDADD = $(UNIT_RISK)
unit_tests += tests/unit/test_git_loss_size
tests_unit_test_git_loss_size_SOURCES = tests/unit/test_git_loss_size.c tests/unit/tree_fixture.c \
	tests/unit/tree_fixture.h
tests_unit_test_git_loss_size_LDADD = $(UNIT_RISK)
unit_tests += tests/unit/test_git_losses
tests_unit_test_git_losses_SOURCES = tests/unit/test_git_losses.c tests/unit/tree_fixture.c \
	tests/unit/tree_fixture.h
tests_unit_test_git_losses_LDADD = $(UNIT_RISK)
unit_tests += tests/unit/test_grave
tests_unit_test_grave_LDADD = $(UNIT_RISK)
unit_tests += tests/unit/test_glob
tests_unit_test_glob_LDADD = $(UNIT_RISK)
unit_tests += tests/unit/test_effects
tests_unit_test_effects_LDADD = $(UNIT_RISK)
tests/unit/test_effects.$(OBJEXT): src/risk/effects_table.inc

unit_tests += tests/unit/test_risk_corpus
tests_unit_test_risk_corpus_CPPFLAGS = $(AM_CPPFLAGS) -DRISK_CORPUS='"$(abs_srcdir)/tests/corpora/risk.txt"'
tests_unit_test_risk_corpus_LDADD = $(UNIT_RISK)
EXTRA_DIST += tests/corpora/risk.txt
unit_tests += tests/unit/test_mask
tests_unit_test_mask_LDADD = $(UNIT_RISK)
unit_tests += tests/unit/test_mask_hostile
tests_unit_test_mask_hostile_SOURCES = tests/unit/test_mask_hostile.c $(GROWTH)
tests_unit_test_mask_hostile_LDADD = $(UNIT_RISK)
unit_tests += tests/unit/test_model
tests_unit_test_model_SOURCES = tests/unit/test_model.c \
	tests/unit/http_fixture.c tests/unit/http_fixture.h
tests_unit_test_model_LDADD = librisk.a libcommand.a libnetwork.a $(UNIT_LOOP) $(UNIT_JSON) \
	$(CURL_LIBS)

# ---- run
UNIT_RUN = librun.a $(UNIT_SANDBOX) $(UNIT_LOOP)

unit_tests += tests/unit/test_pty
tests_unit_test_pty_LDADD = $(UNIT_RUN)
unit_tests += tests/unit/test_limit
tests_unit_test_limit_LDADD = $(UNIT_RUN)
if LINUX
WATCHED = tests/unit/watched.c tests/unit/watched.h
RUNNER_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests/unit -DHELPER_PATH='"$(abs_builddir)/assent-sandbox"'
unit_tests += tests/unit/test_runner
tests_unit_test_runner_SOURCES = tests/unit/test_runner.c $(WATCHED)
tests_unit_test_runner_CPPFLAGS = $(RUNNER_CPPFLAGS)
tests_unit_test_runner_LDADD = $(UNIT_RUN)
unit_tests += tests/unit/test_child
tests_unit_test_child_LDADD = $(UNIT_RUN)
unit_tests += tests/unit/test_foreground
tests_unit_test_foreground_LDADD = $(UNIT_RUN)

unit_tests += tests/unit/test_runner_tree
tests_unit_test_runner_tree_SOURCES = tests/unit/test_runner_tree.c $(WATCHED)
tests_unit_test_runner_tree_CPPFLAGS = $(RUNNER_CPPFLAGS)
tests_unit_test_runner_tree_LDADD = $(UNIT_RUN)
unit_tests += tests/unit/test_runner_sandbox
tests_unit_test_runner_sandbox_SOURCES = tests/unit/test_runner_sandbox.c $(WATCHED)
tests_unit_test_runner_sandbox_CPPFLAGS = $(RUNNER_CPPFLAGS)
tests_unit_test_runner_sandbox_LDADD = $(UNIT_RUN)
endif
unit_tests += tests/unit/test_output
tests_unit_test_output_LDADD = $(UNIT_RUN)

# ---- approval
UNIT_APPROVAL = libapproval.a librun.a librisk.a libcommand.a libsandbox.a libloop.a $(UNIT_JSON) \
	$(EVENT_LIBS) $(AX_PTHREAD_FLAGS)

if LINUX
TREE_FIXTURE = tests/unit/tree_fixture.c tests/unit/tree_fixture.h
JUDGE_FIXTURE = tests/unit/judge_fixture.c tests/unit/judge_fixture.h $(TREE_FIXTURE)
unit_tests += tests/unit/test_rules_place
tests_unit_test_rules_place_SOURCES = tests/unit/test_rules_place.c $(JUDGE_FIXTURE)
tests_unit_test_rules_place_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_bypass
tests_unit_test_bypass_SOURCES = tests/unit/test_bypass.c $(JUDGE_FIXTURE)
tests_unit_test_bypass_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_prefixes
tests_unit_test_prefixes_SOURCES = tests/unit/test_prefixes.c $(JUDGE_FIXTURE)
tests_unit_test_prefixes_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_attempt
tests_unit_test_attempt_CPPFLAGS = $(AM_CPPFLAGS) -DHELPER_PATH='"$(abs_builddir)/assent-sandbox"'
tests_unit_test_attempt_LDADD = $(UNIT_APPROVAL)
endif
unit_tests += tests/unit/test_call
tests_unit_test_call_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_context
tests_unit_test_context_LDADD = $(UNIT_APPROVAL)

unit_tests += tests/unit/test_judgement
tests_unit_test_judgement_SOURCES = tests/unit/test_judgement.c $(GROWTH)
tests_unit_test_judgement_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_grants
tests_unit_test_grants_LDADD = $(UNIT_APPROVAL)
# The runner is replaced: libapproval comes before librun, and what the test defines before both.
unit_tests += tests/unit/test_arrival
tests_unit_test_arrival_SOURCES = tests/unit/test_arrival.c \
	tests/unit/orchestrator_world.c tests/unit/orchestrator_world.h \
	tests/unit/fake_runner.c tests/unit/fake_runner.h
tests_unit_test_arrival_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_edit
tests_unit_test_edit_SOURCES = tests/unit/test_edit.c \
	tests/unit/orchestrator_world.c tests/unit/orchestrator_world.h \
	tests/unit/fake_runner.c tests/unit/fake_runner.h
tests_unit_test_edit_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_inside
tests_unit_test_inside_SOURCES = tests/unit/test_inside.c \
	tests/unit/orchestrator_world.c tests/unit/orchestrator_world.h \
	tests/unit/fake_runner.c tests/unit/fake_runner.h
tests_unit_test_inside_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_patching
tests_unit_test_patching_SOURCES = tests/unit/test_patching.c \
	tests/unit/orchestrator_world.c tests/unit/orchestrator_world.h \
	tests/unit/fake_runner.c tests/unit/fake_runner.h
tests_unit_test_patching_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_listed
tests_unit_test_listed_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_leases
tests_unit_test_leases_SOURCES = tests/unit/test_leases.c \
	tests/unit/orchestrator_world.c tests/unit/orchestrator_world.h \
	tests/unit/fake_runner.c tests/unit/fake_runner.h
tests_unit_test_leases_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_undo
tests_unit_test_undo_SOURCES = tests/unit/test_undo.c \
	tests/unit/orchestrator_world.c tests/unit/orchestrator_world.h \
	tests/unit/fake_runner.c tests/unit/fake_runner.h
tests_unit_test_undo_LDADD = $(UNIT_APPROVAL)
WORLD = tests/unit/orchestrator_world.c tests/unit/orchestrator_world.h \
	tests/unit/fake_runner.c tests/unit/fake_runner.h
unit_tests += tests/unit/test_orchestrator
tests_unit_test_orchestrator_SOURCES = tests/unit/test_orchestrator.c $(WORLD)
tests_unit_test_orchestrator_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_orchestrator_grants
tests_unit_test_orchestrator_grants_SOURCES = tests/unit/test_orchestrator_grants.c $(WORLD)
tests_unit_test_orchestrator_grants_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_config_kept
tests_unit_test_config_kept_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_git_look
tests_unit_test_git_look_SOURCES = tests/unit/test_git_look.c $(WORLD)
tests_unit_test_git_look_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_build_files
tests_unit_test_build_files_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_touched
tests_unit_test_touched_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_changes
tests_unit_test_changes_SOURCES = tests/unit/test_changes.c $(WORLD)
tests_unit_test_changes_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_orchestrator_attacks
tests_unit_test_orchestrator_attacks_SOURCES = tests/unit/test_orchestrator_attacks.c $(WORLD)
tests_unit_test_orchestrator_attacks_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_halt
tests_unit_test_halt_SOURCES = tests/unit/test_halt.c $(WORLD)
tests_unit_test_halt_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_orchestrator_limits
tests_unit_test_orchestrator_limits_SOURCES = tests/unit/test_orchestrator_limits.c $(WORLD)
tests_unit_test_orchestrator_limits_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_policy
tests_unit_test_policy_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_retry_path
tests_unit_test_retry_path_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_path_grants
tests_unit_test_path_grants_SOURCES = tests/unit/test_path_grants.c $(WORLD)
tests_unit_test_path_grants_LDADD = $(UNIT_APPROVAL)
unit_tests += tests/unit/test_reach
tests_unit_test_reach_LDADD = $(UNIT_APPROVAL)
if LINUX
unit_tests += tests/unit/test_scripts
tests_unit_test_scripts_SOURCES = tests/unit/test_scripts.c $(TREE_FIXTURE)
tests_unit_test_scripts_LDADD = $(UNIT_APPROVAL)
endif
unit_tests += tests/unit/test_places
tests_unit_test_places_LDADD = $(UNIT_APPROVAL)

# ---- network

# ---- record
UNIT_RECORD = librecord.a $(UNIT_APPROVAL)

if LINUX
unit_tests += tests/unit/test_log_faults
tests_unit_test_log_faults_LDADD = $(UNIT_RECORD)
endif
unit_tests += tests/unit/test_log_retain
tests_unit_test_log_retain_LDADD = $(UNIT_RECORD)
unit_tests += tests/unit/test_log_value
tests_unit_test_log_value_SOURCES = tests/unit/test_log_value.c $(GROWTH)
tests_unit_test_log_value_LDADD = $(UNIT_RECORD)
unit_tests += tests/unit/test_log_screen
tests_unit_test_log_screen_LDADD = $(UNIT_RECORD)
LOG_FIXTURE = tests/unit/log_fixture.c tests/unit/log_fixture.h
unit_tests += tests/unit/test_log_query
tests_unit_test_log_query_SOURCES = tests/unit/test_log_query.c $(LOG_FIXTURE)
tests_unit_test_log_query_LDADD = $(UNIT_RECORD)
unit_tests += tests/unit/test_log_stats
tests_unit_test_log_stats_SOURCES = tests/unit/test_log_stats.c $(LOG_FIXTURE)
tests_unit_test_log_stats_LDADD = $(UNIT_RECORD)
unit_tests += tests/unit/test_log_stats_text
tests_unit_test_log_stats_text_SOURCES = tests/unit/test_log_stats_text.c src/log_stats_text.c
tests_unit_test_log_stats_text_LDADD = $(UNIT_JSON)
unit_tests += tests/unit/test_telemetry
tests_unit_test_telemetry_SOURCES = tests/unit/test_telemetry.c \
	tests/unit/http_fixture.c tests/unit/http_fixture.h
tests_unit_test_telemetry_LDADD = librecord.a libapproval.a librun.a librisk.a libcommand.a \
	libnetwork.a $(UNIT_RECORD) $(CURL_LIBS)
unit_tests += tests/unit/test_log_resume
tests_unit_test_log_resume_LDADD = $(UNIT_RECORD)
unit_tests += tests/unit/test_log_verify
tests_unit_test_log_verify_LDADD = $(UNIT_RECORD)
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
unit_tests += tests/unit/test_setup
tests_unit_test_setup_LDADD = libagents.a $(UNIT_JSON)
unit_tests += tests/unit/test_lineage
tests_unit_test_lineage_LDADD = libagents.a $(UNIT_BASE)
unit_tests += tests/unit/test_proof
tests_unit_test_proof_LDADD = libagents.a $(UNIT_BASE)
unit_tests += tests/unit/test_edited
tests_unit_test_edited_LDADD = libagents.a $(UNIT_JSON)
unit_tests += tests/unit/test_exec_patch
tests_unit_test_exec_patch_LDADD = libagents.a libcommand.a $(UNIT_JSON)
unit_tests += tests/unit/test_refusal
tests_unit_test_refusal_LDADD = libagents.a $(UNIT_JSON)
unit_tests += tests/unit/test_mcp
tests_unit_test_mcp_SOURCES = tests/unit/test_mcp.c tests/unit/mcp_fixture.c tests/unit/mcp_fixture.h tests/unit/kept.c tests/unit/kept.h
tests_unit_test_mcp_LDADD = libagents.a libconfig.a $(UNIT_LOOP) $(UNIT_JSON)
unit_tests += tests/unit/test_mcp_elicit
tests_unit_test_mcp_elicit_SOURCES = tests/unit/test_mcp_elicit.c tests/unit/mcp_fixture.c tests/unit/mcp_fixture.h tests/unit/kept.c tests/unit/kept.h
tests_unit_test_mcp_elicit_LDADD = libagents.a libconfig.a $(UNIT_LOOP) $(UNIT_JSON)
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
unit_tests += tests/unit/test_server_linger
tests_unit_test_server_linger_SOURCES = tests/unit/test_server_linger.c $(SERVER_FIXTURE)
tests_unit_test_server_linger_LDADD = $(UNIT_SERVER)
unit_tests += tests/unit/test_server_process
tests_unit_test_server_process_SOURCES = tests/unit/test_server_process.c $(SERVER_FIXTURE)
tests_unit_test_server_process_LDADD = $(UNIT_SERVER)
unit_tests += tests/unit/test_server_question
tests_unit_test_server_question_SOURCES = tests/unit/test_server_question.c $(SERVER_FIXTURE)
tests_unit_test_server_question_LDADD = $(UNIT_SERVER)

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
unit_tests += tests/unit/test_plain_lines
tests_unit_test_plain_lines_LDADD = $(UNIT_UI)
unit_tests += tests/unit/test_shorten
tests_unit_test_shorten_LDADD = $(UNIT_UI)
unit_tests += tests/unit/test_wrap
tests_unit_test_wrap_LDADD = $(UNIT_UI)

unit_tests += tests/unit/test_markdown
tests_unit_test_markdown_LDADD = libtalk.a $(UNIT_BASE)
unit_tests += tests/unit/test_talk
tests_unit_test_talk_LDADD = libtalk.a libui.a $(UNIT_LOOP)

# ---- conversations with agents; the test stands in for asker.c
UNIT_DRIVE = libdrive.a libagents.a librun.a $(UNIT_COMMAND) libloop.a libjson.a libbase.a $(JANSSON_LIBS) $(EVENT_LIBS)
DRIVE_FIXTURE = tests/unit/kept.c tests/unit/kept.h tests/unit/drive_fixture.c tests/unit/drive_fixture.h tests/unit/fake_asker.c \
	tests/unit/fake_asker.h

unit_tests += tests/unit/test_agent_process
tests_unit_test_agent_process_LDADD = $(UNIT_DRIVE)
unit_tests += tests/unit/test_form
tests_unit_test_form_LDADD = $(UNIT_DRIVE)
unit_tests += tests/unit/test_asker
tests_unit_test_asker_SOURCES = tests/unit/test_asker.c tests/unit/mcp_fixture.c tests/unit/mcp_fixture.h \
	tests/unit/kept.c tests/unit/kept.h
tests_unit_test_asker_LDADD = libdrive.a libagents.a libconfig.a $(UNIT_LOOP) $(UNIT_JSON)
unit_tests += tests/unit/test_acp
tests_unit_test_acp_SOURCES = tests/unit/test_acp.c $(DRIVE_FIXTURE)
tests_unit_test_acp_LDADD = $(UNIT_DRIVE)
unit_tests += tests/unit/test_appserver
tests_unit_test_appserver_SOURCES = tests/unit/test_appserver.c $(DRIVE_FIXTURE)
tests_unit_test_appserver_LDADD = $(UNIT_DRIVE)
