# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libapproval.a
libapproval_a_SOURCES = \
	src/approval/arrival.c \
	src/approval/attempt.c \
	src/approval/call.c src/approval/call.h \
	src/approval/context.c src/approval/context.h \
	src/approval/grants.c src/approval/grants.h \
	src/approval/headless.c src/approval/headless.h \
	src/approval/keys.c src/approval/keys.h \
	src/approval/observer.h \
	src/approval/orchestrator.c src/approval/orchestrator.h src/approval/orchestrator-int.h \
	src/approval/policy.c src/approval/policy.h \
	src/approval/prompt.c src/approval/prompt.h \
	src/approval/session.c src/approval/session.h \
	src/approval/transitions.c
libapproval_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
EXTRA_DIST += src/approval/README
