#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole conformance suite in every configuration.
set -- all
. "${srcdir:-.}/tests/sandbox/conformance.sh"
