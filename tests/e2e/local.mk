# SPDX-License-Identifier: MIT
# End-to-end scripts: each a TESTS entry, with a home, a terminal and a workspace of its own, so
# that they run in parallel.
e2e_tests = tests/e2e/harness.sh tests/e2e/cli.sh tests/e2e/demo.sh tests/e2e/install.sh \
	tests/e2e/attacks.sh \
	tests/e2e/attacks_requests.sh \
	tests/e2e/consoles.sh \
	tests/e2e/kills.sh \
	tests/e2e/overlay_guard.sh \
	tests/e2e/overlay_keys.sh \
	tests/e2e/overlay_reading.sh \
	tests/e2e/parse.sh \
	tests/e2e/policies.sh \
	tests/e2e/policies_options.sh \
	tests/e2e/record.sh \
	tests/e2e/resize.sh
EXTRA_DIST += tests/e2e/README tests/e2e/lib.sh $(e2e_tests)

# The programs that agents use.
agents_e2e_tests = tests/e2e/badinput.sh tests/e2e/exec.sh tests/e2e/mcp-sdk.sh
EXTRA_DIST += tests/e2e/mcp-sdk.mjs $(agents_e2e_tests)
TESTS += $(e2e_tests) $(agents_e2e_tests)

clean-local: clean-mcp-sdk
clean-mcp-sdk: # what mcp-sdk.sh has fetched
	-rm -rf mcp-sdk-*
.PHONY: clean-mcp-sdk
