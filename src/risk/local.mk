# SPDX-License-Identifier: MIT
noinst_LIBRARIES += librisk.a
librisk_a_SOURCES = \
	src/risk/assessment.c src/risk/assessment.h \
	src/risk/effects.c src/risk/effects.h \
	src/risk/local.c src/risk/local.h
EXTRA_DIST += src/risk/README
