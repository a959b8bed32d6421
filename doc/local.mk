# SPDX-License-Identifier: MIT
man_MANS += doc/assent.1
CLEANFILES += doc/assent.1
dist_doc_DATA = README doc/SECURITY.md doc/MAP.md doc/approval.md doc/control-socket.md doc/network.md doc/rules.md doc/sandbox.md doc/session-log.md
EXTRA_DIST += doc/assent.1.in doc/README doc/screens.md doc/screenshots

# Pictures of real screens, into the source tree: needs tmux and python3.
screenshots: all
	$(srcdir)/doc/screenshots/make.sh $(abs_builddir) $(srcdir)/doc/screenshots
.PHONY: screenshots

doc/assent.1: doc/assent.1.in dump-options$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) doc && $(SED) 's/%RELEASE_DATE%/$(RELEASE_DATE)/' $(srcdir)/doc/assent.1.in | ./dump-options manual >$@.new && mv $@.new $@
