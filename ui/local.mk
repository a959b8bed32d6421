# SPDX-License-Identifier: MIT
# The full-screen console. Needs libterm, the layers below, and ncursesw.
noinst_LIBRARIES += libui.a
libui_a_SOURCES = \
	ui/after_request.c ui/after_request.h \
	ui/approval_again.c ui/approval_again.h \
	ui/approval_answer.c \
	ui/approval_choice.c \
	ui/approval_content.c ui/approval_content.h \
	ui/approval_content_int.h \
	ui/approval_draw.c \
	ui/approval_input.c \
	ui/approval_kept.c ui/approval_kept.h \
	ui/approval_missing.c \
	ui/approval_news.c ui/approval_news.h \
	ui/approval_note.c \
	ui/approval_plan.c ui/approval_plan.h \
	ui/approval_release.c ui/approval_release.h \
	ui/approval_queue.c ui/approval_queue.h \
	ui/approval_reach.c \
	ui/approval_resume.c ui/approval_resume.h \
	ui/approval_small.c \
	ui/approval_rule.c ui/approval_rule.h \
	ui/approval_words.c ui/approval_words.h \
	ui/awaiting.c ui/awaiting.h \
	ui/attention.c ui/attention.h \
	ui/call_list.c ui/call_list.h \
	ui/call_text.c ui/call_text.h \
	ui/clients_text.c ui/clients_text.h \
	ui/colour.c ui/colour.h \
	ui/console.c ui/console.h ui/console_hooks.h ui/console_int.h \
	ui/console_frame.c \
	ui/console_keys.c ui/console_keys.h \
	ui/console_mouse.c ui/console_mouse.h \
	ui/console_observer.c \
	ui/decision_text.c ui/decision_text.h \
	ui/desk.c ui/desk.h \
	ui/details.c ui/details.h \
	ui/details_view.c ui/details_view.h \
	ui/document.c ui/document.h \
	ui/document_lines.c ui/document_lines.h \
	ui/halt.c ui/halt.h \
	ui/holding.c ui/holding.h \
	ui/key_rows.c ui/key_rows.h \
	ui/inbox.c ui/inbox.h \
	ui/inbox_answer.c \
	ui/inbox_draw.c \
	ui/inbox_find.c \
	ui/inbox_hints.c \
	ui/input.c ui/input.h \
	ui/keymap.c ui/keymap.h \
	ui/keymap_change.c \
	ui/keymap_name.c \
	ui/layout.c ui/layout.h \
	ui/lease_text.c ui/lease_text.h \
	ui/line_editor.c ui/line_editor.h \
	ui/operator.c ui/operator.h \
	ui/operator_agent.c ui/operator_agent.h ui/operator_agent_int.h \
	ui/operator_agent_named.c \
	ui/operator_agents.c ui/operator_agents.h \
	ui/operator_calls.c ui/operator_calls.h \
	ui/operator_complete.c ui/operator_complete.h \
	ui/operator_context.c ui/operator_context.h \
	ui/operator_rules.c ui/operator_rules.h \
	ui/operator_undo.c ui/operator_undo.h \
	ui/operator_table.c ui/operator_table.h \
	ui/record_view.c ui/record_view.h \
	ui/notify_command.c ui/notify_command.h \
	ui/overlay.c ui/overlay.h \
	ui/overlay_approval.c ui/overlay_approval.h ui/overlay_approval_int.h \
	ui/overlay_edit.c ui/overlay_edit.h \
	ui/overlay_full.c ui/overlay_full.h \
	ui/overlay_grants.c ui/overlay_grants.h \
	ui/overlay_help.c ui/overlay_help.h \
	ui/overlay_inbox.c ui/overlay_inbox.h ui/overlay_inbox_int.h \
	ui/overlay_reader.c ui/overlay_reader.h \
	ui/overlay_suggest.c ui/overlay_suggest.h \
	ui/own_sessions.c ui/own_sessions.h \
	ui/restored_view.c ui/restored_view.h \
	ui/rules_text.c ui/rules_text.h \
	ui/rules_view.c ui/rules_view.h \
	ui/overlay_message.c ui/overlay_message.h \
	ui/overlay_offers.c ui/overlay_offers.h \
	ui/panic.c ui/panic.h \
	ui/pane.c ui/pane.h \
	ui/search_hit.c ui/search_hit.h \
	ui/pane_text.c ui/pane_text.h \
	ui/plain.c ui/plain.h ui/plain_int.h \
	ui/plain_answer.c \
	ui/plain_check.c \
	ui/plain_command.c \
	ui/plain_document.c \
	ui/plain_lines.c ui/plain_lines.h \
	ui/plain_print.c \
	ui/plain_record.c \
	ui/plain_remind.c \
	ui/plain_request.c \
	ui/rect.h \
	ui/render.c ui/render.h \
	ui/restorer.c ui/restorer.h \
	ui/screen.c ui/screen.h \
	ui/shorten.c ui/shorten.h \
	ui/screen_modes.c ui/screen_modes.h \
	ui/standing.c ui/standing.h \
	ui/stop_question.c ui/stop_question.h \
	ui/subject.c ui/subject.h \
	ui/suggest_text.c ui/suggest_text.h \
	ui/terminfo.c ui/terminfo.h \
	ui/theme.c ui/theme.h \
	ui/trail.c ui/trail.h \
	ui/tree_text.c ui/tree_text.h \
	ui/typing.c ui/typing.h \
	ui/vigil.c ui/vigil.h \
	ui/view.h \
	ui/view_calls.c \
	ui/view_panes.c \
	ui/view_prompt.c \
	ui/view_sessions.c \
	ui/view_status.c \
	ui/view_trail.c \
	ui/patch_text.c ui/patch_text.h \
	ui/git_text.c ui/git_text.h ui/git_text_int.h \
	ui/git_text_losses.c \
	ui/git_text_push.c \
	ui/quoted.c ui/quoted.h \
	ui/wrap.c ui/wrap.h
libui_a_CFLAGS = $(AM_CFLAGS) $(NCURSES_CFLAGS)

# Conversations on a terminal: no curses.
noinst_LIBRARIES += libtalk.a
libtalk_a_SOURCES = \
	ui/talk/markdown.c ui/talk/markdown.h \
	ui/talk/talk.c ui/talk/talk.h
EXTRA_DIST += ui/README ui/talk/README
