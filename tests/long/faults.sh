#!/bin/sh
# SPDX-License-Identifier: MIT
# The record's faults, all of them.
FAULTS_ALL=yes exec "${srcdir:-.}/tests/e2e/faults.sh"
