# SPDX-License-Identifier: MIT
# End-to-end scripts: each a TESTS entry, with a home, a terminal and a workspace of its own, so
# that they run in parallel.
e2e_tests = tests/e2e/harness.sh tests/e2e/cli.sh tests/e2e/demo.sh tests/e2e/install.sh \
	tests/e2e/assess.sh \
	tests/e2e/attacks.sh \
	tests/e2e/attacks_project.sh \
	tests/e2e/attacks_requests.sh \
	tests/e2e/brakes.sh \
	tests/e2e/cage.sh \
	tests/e2e/check.sh \
	tests/e2e/consoles.sh \
	tests/e2e/faults.sh \
	tests/e2e/edit.sh \
	tests/e2e/crowd.sh \
	tests/e2e/inbox.sh \
	tests/e2e/introduction.sh \
	tests/e2e/kills.sh \
	tests/e2e/leases.sh \
	tests/e2e/network.sh \
	tests/e2e/network_attacks.sh \
	tests/e2e/network_clients.sh \
	tests/e2e/network_hop.sh \
	tests/e2e/network_ssh.sh \
	tests/e2e/overlay_guard.sh \
	tests/e2e/overlay_hostile.sh \
	tests/e2e/overlay_keys.sh \
	tests/e2e/overlay_reading.sh \
	tests/e2e/parse.sh \
	tests/e2e/patch.sh \
	tests/e2e/plain.sh \
	tests/e2e/policies.sh \
	tests/e2e/policies_options.sh \
	tests/e2e/push.sh \
	tests/e2e/reader.sh \
	tests/e2e/record.sh \
	tests/e2e/resize.sh \
	tests/e2e/resume.sh tests/e2e/retry_path.sh tests/e2e/sessions.sh \
	tests/e2e/telemetry.sh \
	tests/e2e/rules.sh \
	tests/e2e/laboratory.sh tests/e2e/rules_files.sh \
	tests/e2e/screenshots.sh \
	tests/e2e/themes.sh \
	tests/e2e/vigil.sh
EXTRA_DIST += tests/e2e/crowd.py tests/e2e/schema.py tests/e2e/otlp.mjs tests/e2e/otlp.py tests/e2e/README tests/e2e/lib.sh tests/e2e/network.lib.sh tests/e2e/network-server.py tests/e2e/network-proxy.py tests/e2e/model.py \
	$(e2e_tests)

# A library that is preloaded; the sanitizers stay out of it, they are in the program.
e2e_programs =
if LINUX
e2e_programs += tests/e2e/faults.so
endif
check_PROGRAMS += $(e2e_programs)
tests_e2e_faults_so_SOURCES = tests/e2e/faults.c
tests_e2e_faults_so_CFLAGS = -std=gnu11 -Wall -Wextra -fPIC
tests_e2e_faults_so_LDFLAGS = -shared

# The programs that agents use.
agents_e2e_tests = tests/e2e/acp.sh tests/e2e/acp-agents.sh tests/e2e/acp-sdk.sh tests/e2e/badinput.sh tests/e2e/both_ways.sh tests/e2e/exec.sh tests/e2e/full-change.sh \
	tests/e2e/hook.sh \
	tests/e2e/hook-agents.sh \
	tests/e2e/impostor.sh \
	tests/e2e/mcp-agents.sh \
	tests/e2e/mcp-sdk.sh \
	tests/e2e/protocols.sh \
	tests/e2e/orphans.sh tests/e2e/respawn.sh tests/e2e/setup.sh
EXTRA_DIST += tests/e2e/acp-agent.py tests/e2e/acp-sdk.mjs tests/e2e/reaper.py tests/e2e/respawn.py tests/e2e/impostor.mjs tests/e2e/mcp-sdk.mjs tests/e2e/protocols.mjs tests/e2e/model.mjs tests/e2e/npm.sh \
	tests/e2e/real-agents.sh $(agents_e2e_tests)
TESTS += $(e2e_tests) $(agents_e2e_tests)

clean-local: clean-npm
clean-npm: # what npm.sh has fetched
	-rm -rf npm
.PHONY: clean-npm
