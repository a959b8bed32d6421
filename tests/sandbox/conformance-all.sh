#!/bin/sh
# SPDX-License-Identifier: MIT
# The conformance suite with each older Landlock, with and without namespaces.
set -- all
. "${srcdir:-.}/tests/sandbox/conformance.sh"
