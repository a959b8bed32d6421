# SPDX-License-Identifier: MIT
# What confines a command: the library that the console uses, and the helper that starts commands.
noinst_LIBRARIES += libsandbox.a
libsandbox_a_SOURCES = \
	sandbox/cache.c sandbox/cache.h \
	sandbox/closed.c sandbox/closed.h \
	sandbox/command.c sandbox/command.h \
	sandbox/denial.c sandbox/denial.h \
	sandbox/gateway.c sandbox/gateway.h \
	sandbox/git_pointer.c sandbox/git_pointer.h \
	sandbox/helper.h \
	sandbox/nearby.c sandbox/nearby.h \
	sandbox/hold.c sandbox/hold.h \
	sandbox/policy.c sandbox/policy_mode.c sandbox/policy.h \
	sandbox/policy_field.c sandbox/policy_field.h \
	sandbox/request.c sandbox/request.h \
	sandbox/probe.c sandbox/probe.h \
	sandbox/protected.c sandbox/protected.h \
	sandbox/scratch.c sandbox/scratch.h \
	sandbox/seatbelt.c sandbox/seatbelt.h \
	sandbox/seatbelt_base.c sandbox/seatbelt_base.h \
	sandbox/select.c sandbox/select.h \
	sandbox/status.c sandbox/status.h \
	sandbox/transform.c sandbox/transform.h \
	sandbox/tree.c sandbox/tree.h
EXTRA_DIST += sandbox/README

if LINUX
libsandbox_a_SOURCES += \
	sandbox/git_harmless.c sandbox/git_harmless.h \
	sandbox/git_sequence.c sandbox/git_sequence.h \
	sandbox/landlock.c sandbox/landlock.h \
	sandbox/lift.c sandbox/lift.h \
	sandbox/listing.c sandbox/listing.h \
	sandbox/mounts.c sandbox/mounts.h \
	sandbox/names.c sandbox/names.h \
	sandbox/namespaces.c sandbox/namespaces.h \
	sandbox/nested.c sandbox/nested.h \
	sandbox/placeholder.c sandbox/placeholder.h

# The filters are compiled when Assent is built.
noinst_PROGRAMS += sandbox/seccomp
sandbox_seccomp_SOURCES = sandbox/seccomp.c sandbox/filter.h
sandbox_seccomp_CFLAGS = $(AM_CFLAGS) $(SECCOMP_CFLAGS)
sandbox_seccomp_LDADD = $(SECCOMP_LIBS)
sandbox/filter_code.h: sandbox/seccomp$(EXEEXT)
	$(AM_V_GEN)sandbox/seccomp$(EXEEXT) > $@.new && mv $@.new $@
CLEANFILES += sandbox/filter_code.h sandbox/filter_code.h.new

# All of the helper but its main(): `assent sandbox` does the same in its own process.
noinst_LIBRARIES += libhelper.a
libhelper_a_SOURCES = \
	sandbox/aside.c sandbox/aside.h \
	sandbox/cache_mount.c \
	sandbox/capability.c sandbox/capability.h \
	sandbox/child.c sandbox/child.h \
	sandbox/closed_late.c sandbox/closed_late.h \
	sandbox/closed_link.c sandbox/closed_link.h \
	sandbox/confine.c sandbox/confine.h \
	sandbox/control.c sandbox/control.h \
	sandbox/filter.c sandbox/filter.h \
	sandbox/git_books.c sandbox/git_books.h \
	sandbox/git_code.c sandbox/git_code.h \
	sandbox/git_config.c sandbox/git_config.h \
	sandbox/git_leftover.c sandbox/git_leftover.h \
	sandbox/git_links.c sandbox/git_links.h \
	sandbox/git_newcomers.c sandbox/git_newcomers.h \
	sandbox/git_program.c sandbox/git_program.h \
	sandbox/git_settle.c sandbox/git_settle.h \
	sandbox/guard.c sandbox/guard.h \
	sandbox/helper.c \
	sandbox/inside.c sandbox/inside.h \
	sandbox/kept_tree.c sandbox/kept_tree.h \
	sandbox/launch.c sandbox/launch.h \
	sandbox/listener.c sandbox/listener.h \
	sandbox/mediate.c sandbox/mediate.h \
	sandbox/monitor.c sandbox/monitor.h \
	sandbox/notice.c sandbox/notice.h \
	sandbox/pair.c sandbox/pair.h \
	sandbox/protect.c sandbox/protect.h \
	sandbox/protect_config.c sandbox/protect_config.h \
	sandbox/protect_git.c sandbox/protect_git.h \
	sandbox/protect_hooks.c sandbox/protect_hooks.h \
	sandbox/protect_home.c sandbox/protect_links.c sandbox/protect_roots.c \
	sandbox/protect_way.c \
	sandbox/readable.c sandbox/readable.h \
	sandbox/relay.c sandbox/relay.h \
	sandbox/report.c sandbox/report.h \
	sandbox/routes.c sandbox/routes.h \
	sandbox/shut.c sandbox/shut.h \
	sandbox/stir.c sandbox/stir.h \
	sandbox/stray.c sandbox/stray.h \
	sandbox/surroundings.c sandbox/surroundings.h \
	sandbox/view.c sandbox/view.h \
	sandbox/watch.c sandbox/watch.h sandbox/watch_state.c sandbox/watch_state.h
nodist_libhelper_a_SOURCES = sandbox/filter_code.h
libhelper_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_builddir)
sandbox/libhelper_a-filter.$(OBJEXT): sandbox/filter_code.h

# With musl (configure.ac says why): the same once more, and what it needs of the other libraries.
if MUSL
noinst_LIBRARIES += libmusl.a
libmusl_a_SOURCES = $(libhelper_a_SOURCES) \
	sandbox/cache.c sandbox/closed.c sandbox/command.c sandbox/gateway.c \
	sandbox/git_harmless.c sandbox/git_pointer.c sandbox/git_sequence.c sandbox/landlock.c \
	sandbox/lift.c sandbox/listing.c sandbox/mounts.c sandbox/names.c sandbox/namespaces.c \
	sandbox/nearby.c sandbox/nested.c sandbox/placeholder.c sandbox/policy.c \
	sandbox/policy_field.c sandbox/policy_mode.c sandbox/protected.c sandbox/request.c sandbox/scratch.c \
	sandbox/seatbelt.c sandbox/seatbelt_base.c sandbox/transform.c sandbox/tree.c \
	src/base/alloc.c src/base/clock.c src/base/error.c src/base/fd.c src/base/git_config_line.c \
	src/base/git_config_harmless.c \
	src/base/git_index.c src/base/install.c src/base/path.c src/base/process.c src/base/random.c \
	src/base/strbuf.c src/base/strset.c src/base/text_escape.c src/base/text_tables.c \
	src/base/text_utf8.c src/base/text_width.c src/base/wording.c \
	src/config/arguments.c src/config/option_table.c src/config/option_table_clients.c \
	src/config/option_table_commands.c src/config/option_table_console.c \
	src/config/option_table_tools.c src/config/option_value.c \
	src/config/options.c src/config/paths.c src/config/subcommand_table.c
nodist_libmusl_a_SOURCES = sandbox/filter_code.h
libmusl_a_CPPFLAGS = $(libhelper_a_CPPFLAGS)
libmusl_a_CFLAGS = $(AM_CFLAGS) $(MUSL_CFLAGS)
sandbox/libmusl_a-filter.$(OBJEXT): sandbox/filter_code.h
helper_libraries = libmusl.a
else
helper_libraries = libconfig.a libhelper.a libsandbox.a libbase.a
endif

# Needs libc only; static, because it starts with every command.
pkglibexec_PROGRAMS += assent-sandbox
assent_sandbox_SOURCES = sandbox/helper_program.c
assent_sandbox_CFLAGS = $(AM_CFLAGS) $(MUSL_CFLAGS)
assent_sandbox_LDADD = $(helper_libraries)
if STATIC_LAUNCHER
assent_sandbox_LDFLAGS = $(AM_LDFLAGS) -static
endif
endif
