# SPDX-License-Identifier: MIT
noinst_LIBRARIES += librecord.a
librecord_a_SOURCES = \
	src/record/log_anchor.c src/record/log_anchor.h \
	src/record/log_event.c src/record/log_event_call.c src/record/log_event_decision.c \
	src/record/log_event.h src/record/log_event-int.h \
	src/record/log_value.c src/record/log_value.h \
	src/record/log_decision.c src/record/log_decision.h \
	src/record/log_denials.c src/record/log_denials.h \
	src/record/log_layout.c src/record/log_layout.h \
	src/record/log_export.c src/record/log_export.h \
	src/record/log_files.c src/record/log_files.h \
	src/record/log_frame.c src/record/log_frame.h \
	src/record/log_index.c src/record/log_index.h \
	src/record/log_line.c src/record/log_line.h \
	src/record/log_lineage.c src/record/log_lineage.h \
	src/record/log_query.c src/record/log_query.h \
	src/record/log_reader.c src/record/log_reader.h \
	src/record/log_repair.c src/record/log_repair.h \
	src/record/log_resume.c src/record/log_resume.h \
	src/record/log_retain.c src/record/log_retain.h \
	src/record/log_stats.c src/record/log_stats.h \
	src/record/log_screen.c src/record/log_screen.h \
	src/record/log_taken.c src/record/log_taken.h \
	src/record/log_verify.c src/record/log_verify.h \
	src/record/log_view.c src/record/log_view.h \
	src/record/log_writer.c src/record/log_writer.h \
	src/record/metrics.c src/record/metrics.h \
	src/record/telemetry.c src/record/telemetry.h \
	src/record/telemetry_options.c src/record/telemetry_options.h \
	src/record/session_log.c src/record/session_log.h
librecord_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS) $(AX_PTHREAD_FLAGS)
EXTRA_DIST += src/record/README
