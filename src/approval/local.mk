# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libapproval.a
libapproval_a_SOURCES = \
	src/approval/answers.c \
	src/approval/arrival.c \
	src/approval/own_tool.c \
	src/approval/attempt.c \
	src/approval/config_kept.c src/approval/config_kept.h \
	src/approval/build_files.c src/approval/build_files.h \
	src/approval/call.c src/approval/call.h \
	src/approval/changes.c \
	src/approval/context.c src/approval/context.h \
	src/approval/decision_words.c src/approval/decision_words.h \
	src/approval/denied_parts.c \
	src/approval/edit.c \
	src/approval/entries.c \
	src/approval/grants.c src/approval/grants.h \
	src/approval/halt.c \
	src/approval/headless.c src/approval/headless.h \
	src/approval/holds.c \
	src/approval/input.c \
	src/approval/judgement.c src/approval/judgement.h src/approval/judgement-int.h \
	src/approval/judgement_offer.c \
	src/approval/judgement_parts.c \
	src/approval/keys.c src/approval/keys.h \
	src/approval/ladder.c src/approval/ladder.h src/approval/ladder-int.h \
	src/approval/ladder_refusal.c \
	src/approval/leases.c \
	src/approval/listed.c src/approval/listed.h \
	src/approval/memory.c \
	src/approval/observer.h \
	src/approval/orchestrator.c src/approval/orchestrator.h src/approval/orchestrator-int.h \
	src/approval/path_grants.c \
	src/approval/path_offer.c \
	src/approval/places.c src/approval/places.h \
	src/approval/room.c \
	src/approval/stopped.c \
	src/approval/scripts.c src/approval/scripts.h src/approval/scripts-int.h \
	src/approval/scripts_note.c \
	src/approval/patch_kept.c src/approval/patch_kept.h \
	src/approval/patching.c src/approval/patching.h \
	src/approval/policy.c src/approval/policy.h \
	src/approval/prompt.c src/approval/prompt.h \
	src/approval/rule_trial.h \
	src/approval/git_look.c src/approval/git_look.h \
	src/approval/git_query.c src/approval/git_query.h \
	src/approval/questions.c \
	src/approval/second_opinion.c src/approval/second_opinion.h \
	src/approval/reach.c src/approval/reach.h \
	src/approval/reach_call.c \
	src/approval/retry_path.c src/approval/retry_path.h \
	src/approval/revoke.c \
	src/approval/session.c src/approval/session.h \
	src/approval/sessions.c \
	src/approval/tasks.c src/approval/tasks.h \
	src/approval/touched.c src/approval/touched.h \
	src/approval/transitions.c \
	src/approval/under.c \
	src/approval/undo.c \
	src/approval/verdicts.c
libapproval_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
EXTRA_DIST += src/approval/README
