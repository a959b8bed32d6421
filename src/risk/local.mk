# SPDX-License-Identifier: MIT
EFFECT_TABLES = \
	src/risk/effects/build.tab \
	src/risk/effects/cloud.tab \
	src/risk/effects/containers.tab \
	src/risk/effects/databases.tab \
	src/risk/effects/files.tab \
	src/risk/effects/git.tab \
	src/risk/effects/interpreters.tab \
	src/risk/effects/network.tab \
	src/risk/effects/packages.tab \
	src/risk/effects/system.tab \
	src/risk/effects/text.tab

noinst_LIBRARIES += librisk.a
librisk_a_SOURCES = \
	src/risk/assessment.c src/risk/assessment.h \
	src/risk/assessment_script.c \
	src/risk/code.c src/risk/code.h src/risk/code_table.def \
	src/risk/code_sql.c \
	src/risk/git_loss_doubt.c src/risk/git_loss_doubt.h \
	src/risk/git_loss_rm.c src/risk/git_loss_rm.h \
	src/risk/git_loss_size.c src/risk/git_loss_size.h \
	src/risk/git_loss_verbs.c src/risk/git_loss_verbs.h \
	src/risk/git_losses.c src/risk/git_losses.h \
	src/risk/git_look_state.h \
	src/risk/glob.c src/risk/glob.h \
	src/risk/effects.c src/risk/effects.h \
	src/risk/local.c src/risk/local.h src/risk/local-int.h \
	src/risk/local_assignment.c \
	src/risk/local_carried.c \
	src/risk/local_checkout.c \
	src/risk/local_command.c \
	src/risk/local_download.c \
	src/risk/local_environment.c \
	src/risk/local_format.c \
	src/risk/local_going.c \
	src/risk/local_note.c \
	src/risk/local_push.c \
	src/risk/local_script.c \
	src/risk/local_special.c \
	src/risk/local_subject.c src/risk/local_subject.h \
	src/risk/local_tree.c \
	src/risk/local_words.c \
	src/risk/loss.c src/risk/loss.h \
	src/risk/mask.c src/risk/mask.h src/risk/mask-int.h \
	src/risk/mask_option.c \
	src/risk/mask_reading.c \
	src/risk/mask_script.c \
	src/risk/mask_shape.c \
	src/risk/mask_value.c \
	src/risk/model.c src/risk/model.h src/risk/model-int.h \
	src/risk/model_answer.c \
	src/risk/model_request.c \
	src/risk/opinion.c src/risk/opinion.h \
	src/risk/phrase.c src/risk/phrase.h \
	src/risk/place.c src/risk/place.h \
	src/risk/push_commits.c src/risk/push_commits.h \
	src/risk/push_line.c src/risk/push_line.h \
	src/risk/push_refs.c src/risk/push_refs.h \
	src/risk/push_target.c src/risk/push_target.h
nodist_librisk_a_SOURCES = src/risk/effects_table.inc
EXTRA_DIST += src/risk/README src/risk/effects/README src/risk/effects/effects.awk $(EFFECT_TABLES)

# The tables as C, sorted by program.
BUILT_SOURCES += src/risk/effects_table.inc
CLEANFILES += src/risk/effects_table.inc
src/risk/effects_table.inc: $(EFFECT_TABLES) src/risk/effects/effects.awk
	$(AM_V_GEN)$(MKDIR_P) src/risk && (cd $(srcdir) && \
	LC_ALL=C $(AWK) -f src/risk/effects/effects.awk $(EFFECT_TABLES)) > $@.new && \
	LC_ALL=C sort -u $@.new > $@ && rm $@.new
src/risk/effects.$(OBJEXT): src/risk/effects_table.inc
