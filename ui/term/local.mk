# SPDX-License-Identifier: MIT
# The terminal in a pane. Needs libbase and libvterm, no curses.
noinst_LIBRARIES += libterm.a
libterm_a_SOURCES = \
	ui/term/cell.c ui/term/cell.h \
	ui/term/grid.c ui/term/grid.h ui/term/grid_int.h \
	ui/term/grid_edit.c ui/term/grid_edit.h \
	ui/term/grid_resize.c \
	ui/term/history.c ui/term/history.h \
	ui/term/pen.c ui/term/pen.h \
	ui/term/scan.c ui/term/scan.h \
	ui/term/vt.c ui/term/vt.h ui/term/vt_int.h \
	ui/term/vt_input.c \
	ui/term/vt_mode.c \
	ui/term/vt_sequence.c \
	ui/term/vt_string.c \
	ui/term/vt_text.c
libterm_a_CFLAGS = $(AM_CFLAGS) $(VTERM_CFLAGS)
EXTRA_DIST += ui/term/README
