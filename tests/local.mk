# SPDX-License-Identifier: MIT
# Tests; each folder lists its own.
include tests/unit/local.mk
include tests/term/local.mk
include tests/tui/local.mk
include tests/sandbox/local.mk
include tests/e2e/local.mk
include tests/fuzz/local.mk
include tests/bench/local.mk
