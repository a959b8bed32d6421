#!/bin/sh
# SPDX-License-Identifier: MIT
# All attacks on the sandbox, each as an ordinary user and as root.
exec sh "${srcdir:-.}/tests/sandbox/attacks.sh"
