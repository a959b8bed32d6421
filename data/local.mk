# SPDX-License-Identifier: MIT
# Made from the option table: completions and the default configuration.
bash_completiondir = $(datadir)/bash-completion/completions
zsh_completiondir = $(datadir)/zsh/site-functions
fish_completiondir = $(datadir)/fish/vendor_completions.d
nodist_bash_completion_DATA = data/completions/assent
nodist_zsh_completion_DATA = data/completions/_assent
nodist_fish_completion_DATA = data/completions/assent.fish
nodist_pkgdata_DATA = data/assent.conf
dist_pkgdata_SCRIPTS = data/demo-agent
# Read by programs in the sandbox.
dist_pkgdata_DATA = data/node-proxy.cjs
EXTRA_DIST += data/README

made_data = data/completions/assent data/completions/_assent data/completions/assent.fish \
	data/assent.conf
CLEANFILES += $(made_data)

data/completions/assent: dump-options$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) data/completions && ./dump-options bash >$@.new && mv $@.new $@
data/completions/_assent: dump-options$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) data/completions && ./dump-options zsh >$@.new && mv $@.new $@
data/completions/assent.fish: dump-options$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) data/completions && ./dump-options fish >$@.new && mv $@.new $@
data/assent.conf: dump-options$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) data && ./dump-options configuration >$@.new && mv $@.new $@

# AppArmor finds it by the name; the programs' place is known only to make.
EXTRA_DIST += data/apparmor.in
noinst_DATA = data/apparmor/assent
if APPARMOR
nodist_apparmor_DATA = data/apparmor/assent
endif
CLEANFILES += data/apparmor/assent
data/apparmor/assent: $(srcdir)/data/apparmor.in Makefile
	$(AM_V_GEN)$(MKDIR_P) data/apparmor && \
		sed 's|@pkglibexecdir@|$(pkglibexecdir)|; s|@programs@|$(bindir)|' $(srcdir)/data/apparmor.in >$@.new && mv $@.new $@
