# SPDX-License-Identifier: MIT
# Programs: the launcher (bin) and the ones that it starts (libexec).
bin_PROGRAMS += assent
assent_SOURCES = src/launcher.c
assent_LDADD = libconfig.a libbase.a
if STATIC_LAUNCHER
assent_LDFLAGS = $(AM_LDFLAGS) -static
endif

if LINUX
pkglibexec_PROGRAMS += assent-sandbox-cli
assent_sandbox_cli_SOURCES = src/sandbox_cli.c src/sandbox_front.c src/sandbox_front.h
assent_sandbox_cli_LDADD = libconfig.a libsandbox.a libbase.a
if STATIC_LAUNCHER
assent_sandbox_cli_LDFLAGS = $(AM_LDFLAGS) -static
endif
endif
