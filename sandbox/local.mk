# SPDX-License-Identifier: MIT
# What confines a command: the library that the console uses, and the helper that starts commands.
noinst_LIBRARIES += libsandbox.a
libsandbox_a_SOURCES = \
	sandbox/cache.c sandbox/cache.h \
	sandbox/closed.c sandbox/closed.h \
	sandbox/command.c sandbox/command.h \
	sandbox/denial.c sandbox/denial.h \
	sandbox/helper.h \
	sandbox/hold.c sandbox/hold.h \
	sandbox/policy.c sandbox/policy.h \
	sandbox/policy_field.c sandbox/policy_field.h \
	sandbox/request.c sandbox/request.h \
	sandbox/probe.c sandbox/probe.h \
	sandbox/select.c sandbox/select.h \
	sandbox/status.c sandbox/status.h \
	sandbox/transform.c sandbox/transform.h \
	sandbox/tree.c sandbox/tree.h
EXTRA_DIST += sandbox/README

if LINUX
libsandbox_a_SOURCES += sandbox/landlock.c sandbox/mounts.c sandbox/namespaces.c

# The filters are compiled when Assent is built.
noinst_PROGRAMS += sandbox/seccomp
sandbox_seccomp_SOURCES = sandbox/seccomp.c sandbox/filter.h
sandbox_seccomp_CFLAGS = $(AM_CFLAGS) $(SECCOMP_CFLAGS)
sandbox_seccomp_LDADD = $(SECCOMP_LIBS)
sandbox/filter_code.h: sandbox/seccomp$(EXEEXT)
	$(AM_V_GEN)sandbox/seccomp$(EXEEXT) > $@.new && mv $@.new $@
CLEANFILES += sandbox/filter_code.h sandbox/filter_code.h.new

# Needs libc only; static, because it starts with every command.
pkglibexec_PROGRAMS += assent-sandbox
assent_sandbox_SOURCES = \
	sandbox/cache_mount.c \
	sandbox/capability.c sandbox/capability.h \
	sandbox/child.c sandbox/child.h \
	sandbox/confine.c sandbox/confine.h \
	sandbox/control.c sandbox/control.h \
	sandbox/filter.c sandbox/filter.h \
	sandbox/git_config.c sandbox/git_config.h \
	sandbox/guard.c sandbox/guard.h \
	sandbox/helper.c \
	sandbox/inside.c sandbox/inside.h \
	sandbox/landlock.c sandbox/landlock.h \
	sandbox/launch.c sandbox/launch.h \
	sandbox/listener.c sandbox/listener.h \
	sandbox/mediate.c sandbox/mediate.h \
	sandbox/monitor.c sandbox/monitor.h \
	sandbox/mounts.c sandbox/mounts.h \
	sandbox/namespaces.c sandbox/namespaces.h \
	sandbox/placeholder.c sandbox/placeholder.h \
	sandbox/protect.c sandbox/protect.h \
	sandbox/protect_git.c sandbox/protect_git.h \
	sandbox/relay.c sandbox/relay.h \
	sandbox/report.c sandbox/report.h \
	sandbox/scratch.c sandbox/scratch.h \
	sandbox/view.c sandbox/view.h \
	sandbox/watch.c sandbox/watch.h
nodist_assent_sandbox_SOURCES = sandbox/filter_code.h
assent_sandbox_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir)
assent_sandbox_LDADD = libsandbox.a libbase.a
if STATIC_LAUNCHER
assent_sandbox_LDFLAGS = $(AM_LDFLAGS) -static
endif
sandbox/assent_sandbox-filter.$(OBJEXT): sandbox/filter_code.h
endif
