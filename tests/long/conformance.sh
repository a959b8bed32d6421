#!/bin/sh
# SPDX-License-Identifier: MIT
# The conformance suite of the sandbox in every configuration, also with the tools that its core
# does without.
. "${srcdir:-.}/tests/lib.sh"

exec sh "$srcdir/tests/sandbox/conformance.sh" all
