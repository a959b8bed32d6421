# SPDX-License-Identifier: MIT
# Programs: the launcher (bin) and the ones that it starts (libexec).
bin_PROGRAMS += assent
assent_SOURCES = src/launcher.c
assent_LDADD = libconfig.a libbase.a
if STATIC_LAUNCHER
assent_LDFLAGS = $(AM_LDFLAGS) -static
endif
