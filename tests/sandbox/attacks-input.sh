#!/bin/sh
# SPDX-License-Identifier: MIT
exec sh "${srcdir:-.}/tests/sandbox/attacks.sh" -t sockets: terminals: descriptors:
