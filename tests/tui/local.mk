# SPDX-License-Identifier: MIT
# The console in a terminal that the test holds: keys in, cells out, no sleeps.
TUI_LIBS = libtui.a libui.a libterm.a libapproval.a librun.a librisk.a libcommand.a libsandbox.a libjson.a libloop.a $(HASH_LIBS) libbase.a \
	$(NCURSES_LIBS) $(VTERM_LIBS) $(EVENT_LIBS) $(JANSSON_LIBS) $(CMOCKA_LIBS) $(LTLIBINTL) -lutil
TUI_CPPFLAGS = $(AM_CPPFLAGS) $(VTERM_CFLAGS) $(NCURSES_CFLAGS) -I$(srcdir)/tests/tui \
	-DTUI_GOLDEN='"$(abs_srcdir)/tests/tui/golden"'

# The console and what stands in for core and terminal, once for all tests.
check_LIBRARIES += libtui.a
libtui_a_SOURCES = \
	tests/tui/fake_core.c tests/tui/fake_core.h \
	tests/tui/fake_lab.c tests/tui/fake_lab.h \
	tests/tui/halt_steps.c tests/tui/halt_steps.h \
	tests/tui/inbox_steps.c tests/tui/inbox_steps.h \
	tests/tui/outer.c tests/tui/outer.h \
	tests/tui/shapes.c tests/tui/shapes.h \
	tests/tui/plain_world.c tests/tui/plain_world.h \
	tests/tui/tui.c tests/tui/tui.h
libtui_a_CPPFLAGS = $(TUI_CPPFLAGS)

tui_tests =
tui_tests += tests/tui/test_actions
tests_tui_test_actions_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_actions_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_approval_again
tests_tui_test_approval_again_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_approval_again_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_approval_armed
tests_tui_test_approval_armed_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_approval_armed_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_approval_confirm
tests_tui_test_approval_confirm_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_approval_confirm_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_approval_guard
tests_tui_test_approval_guard_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_approval_guard_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_approval_hostile
tests_tui_test_approval_hostile_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_approval_hostile_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_approval_keys
tests_tui_test_approval_keys_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_approval_keys_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_approval_model
tests_tui_test_approval_model_SOURCES = tests/tui/test_approval_model.c \
	tests/unit/http_fixture.c tests/unit/http_fixture.h
tests_tui_test_approval_model_CPPFLAGS = $(TUI_CPPFLAGS) -I$(srcdir)/tests/unit
tests_tui_test_approval_model_LDADD = libtui.a libui.a libterm.a libapproval.a librisk.a \
	libnetwork.a $(TUI_LIBS) $(CURL_LIBS) $(IDN2_LIBS)
tui_tests += tests/tui/test_approval_git
tests_tui_test_approval_git_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_approval_git_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_approval_risk
tests_tui_test_approval_risk_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_approval_risk_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_approval_screens
tests_tui_test_approval_screens_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_approval_screens_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_approval_spoofing
tests_tui_test_approval_spoofing_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_approval_spoofing_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_calls
tests_tui_test_calls_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_calls_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_choices
tests_tui_test_choices_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_choices_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_console
tests_tui_test_console_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_console_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_edit
tests_tui_test_edit_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_edit_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_halt
tests_tui_test_halt_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_halt_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_inbox
tests_tui_test_inbox_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_inbox_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_inbox_answers
tests_tui_test_inbox_answers_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_inbox_answers_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_inbox_choose
tests_tui_test_inbox_choose_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_inbox_choose_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_languages
tests_tui_test_languages_CPPFLAGS = $(TUI_CPPFLAGS) -DTUI_CATALOGUES='"$(abs_srcdir)/po"'
tests_tui_test_languages_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_leases
tests_tui_test_leases_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_leases_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_mouse
tests_tui_test_mouse_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_mouse_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_operator
tests_tui_test_operator_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_operator_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_overlay_screens
tests_tui_test_overlay_screens_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_overlay_screens_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_outer
tests_tui_test_outer_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_outer_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_plain
tests_tui_test_plain_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_plain_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_plain_commands
tests_tui_test_plain_commands_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_plain_commands_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_plain_git
tests_tui_test_plain_git_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_plain_git_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_plain_remind
tests_tui_test_plain_remind_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_plain_remind_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_reader
tests_tui_test_reader_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_reader_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_redrawn
tests_tui_test_redrawn_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_redrawn_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_rows
tests_tui_test_rows_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_rows_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_stops
tests_tui_test_stops_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_stops_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_suggest
tests_tui_test_suggest_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_suggest_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_terminal
tests_tui_test_terminal_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_terminal_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_introduction
tests_tui_test_introduction_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_introduction_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_keys
tests_tui_test_keys_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_keys_LDADD = $(TUI_LIBS)

tui_tests += tests/tui/test_typing
tests_tui_test_typing_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_typing_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_burst
tests_tui_test_burst_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_burst_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_vigil
tests_tui_test_vigil_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_vigil_LDADD = $(TUI_LIBS)
tui_tests += tests/tui/test_themes
tests_tui_test_themes_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_themes_LDADD = $(TUI_LIBS) -lm
tui_tests += tests/tui/test_zoom
tests_tui_test_zoom_CPPFLAGS = $(TUI_CPPFLAGS)
tests_tui_test_zoom_LDADD = $(TUI_LIBS)
if HAVE_CMOCKA
check_PROGRAMS += $(tui_tests)
TESTS += $(tui_tests)
endif
EXTRA_DIST += tests/tui/README tests/tui/golden
