#!/bin/sh
# SPDX-License-Identifier: MIT
# What the others leave.
exec sh "${srcdir:-.}/tests/sandbox/attacks.sh" -v git: host: siblings: sockets: terminals: descriptors:
