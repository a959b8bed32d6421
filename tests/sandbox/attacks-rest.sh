#!/bin/sh
# SPDX-License-Identifier: MIT
# What the others leave.
exec sh "${srcdir:-.}/tests/sandbox/attacks.sh" -t -v git: host: siblings: sockets: terminals: descriptors:
