# SPDX-License-Identifier: MIT
# Fuzz targets: tests/fuzz/fuzz_NAME.c defines LLVMFuzzerTestOneInput(). With --enable-fuzzing
# (clang) it is linked with libFuzzer; without, with fuzz_main.c, which replays the corpus
# tests/fuzz/corpus/NAME, and seeded variations of it, in make check. A target takes four lines:
#
#   fuzz_tests += tests/fuzz/fuzz_NAME
#   tests_fuzz_fuzz_NAME_SOURCES = tests/fuzz/fuzz_NAME.c $(FUZZ_MAIN)
#   tests_fuzz_fuzz_NAME_LDADD = LIBRARIES
#   tests_fuzz_fuzz_NAME_LDFLAGS = $(FUZZ_LINK)
fuzz_tests =
check_PROGRAMS += $(fuzz_tests)
EXTRA_DIST += tests/fuzz/README tests/fuzz/corpus
if FUZZING
FUZZ_MAIN =
FUZZ_LINK = $(AM_LDFLAGS) -fsanitize=fuzzer
else
FUZZ_MAIN = tests/fuzz/fuzz_main.c
FUZZ_LINK = $(AM_LDFLAGS)
TESTS += $(fuzz_tests)
endif

# ---- ui/term
fuzz_tests += tests/fuzz/fuzz_scan
tests_fuzz_fuzz_scan_SOURCES = tests/fuzz/fuzz_scan.c $(FUZZ_MAIN)
tests_fuzz_fuzz_scan_LDADD = libterm.a libbase.a $(VTERM_LIBS) $(LTLIBINTL)
tests_fuzz_fuzz_scan_LDFLAGS = $(FUZZ_LINK)
fuzz_tests += tests/fuzz/fuzz_vt
tests_fuzz_fuzz_vt_SOURCES = tests/fuzz/fuzz_vt.c tests/term/term_check.c \
	tests/term/term_check.h $(FUZZ_MAIN)
tests_fuzz_fuzz_vt_LDADD = libterm.a libbase.a $(VTERM_LIBS) $(LTLIBINTL)
tests_fuzz_fuzz_vt_LDFLAGS = $(FUZZ_LINK)

# ---- agents
fuzz_tests += tests/fuzz/fuzz_jsonrpc
tests_fuzz_fuzz_jsonrpc_SOURCES = tests/fuzz/fuzz_jsonrpc.c $(FUZZ_MAIN)
tests_fuzz_fuzz_jsonrpc_LDADD = libagents.a libloop.a libjson.a $(HASH_LIBS) libbase.a \
	$(JANSSON_LIBS) $(EVENT_LIBS) $(LTLIBINTL)
tests_fuzz_fuzz_jsonrpc_LDFLAGS = $(FUZZ_LINK)

fuzz_tests += tests/fuzz/fuzz_drive
tests_fuzz_fuzz_drive_SOURCES = tests/fuzz/fuzz_drive.c $(FUZZ_MAIN)
tests_fuzz_fuzz_drive_LDADD = libdrive.a libagents.a librun.a libcommand.a libloop.a libjson.a libbase.a \
	$(JANSSON_LIBS) $(EVENT_LIBS) $(LTLIBINTL)
tests_fuzz_fuzz_drive_LDFLAGS = $(FUZZ_LINK)

# ---- ui
fuzz_tests += tests/fuzz/fuzz_input
tests_fuzz_fuzz_input_SOURCES = tests/fuzz/fuzz_input.c $(FUZZ_MAIN)
tests_fuzz_fuzz_input_LDADD = libui.a libbase.a $(LTLIBINTL)
tests_fuzz_fuzz_input_LDFLAGS = $(FUZZ_LINK)

# ---- command: real shells against the parser; their programs are replaced by shell_stub
check_PROGRAMS += tests/fuzz/shell_differ tests/fuzz/shell_stub
tests_fuzz_shell_differ_SOURCES = tests/fuzz/shell_differ.c \
	tests/fuzz/shell_expect.c tests/fuzz/shell_expect.h \
	tests/fuzz/shell_run.c tests/fuzz/shell_run.h \
	tests/fuzz/shell_script.c tests/fuzz/shell_script.h tests/fuzz/shell_stub.h
tests_fuzz_shell_differ_LDADD = libcommand.a libbase.a $(LTLIBINTL)
tests_fuzz_shell_stub_SOURCES = tests/fuzz/shell_stub.c tests/fuzz/shell_stub.h
fuzz_tests += tests/fuzz/fuzz_shell
tests_fuzz_fuzz_shell_SOURCES = tests/fuzz/fuzz_shell.c $(FUZZ_MAIN)
tests_fuzz_fuzz_shell_LDADD = libcommand.a libbase.a $(LTLIBINTL)
tests_fuzz_fuzz_shell_LDFLAGS = $(FUZZ_LINK)
fuzz_tests += tests/fuzz/fuzz_rules
tests_fuzz_fuzz_rules_SOURCES = tests/fuzz/fuzz_rules.c $(FUZZ_MAIN)
tests_fuzz_fuzz_rules_LDADD = libcommand.a libbase.a $(LTLIBINTL)
tests_fuzz_fuzz_rules_LDFLAGS = $(FUZZ_LINK)
fuzz_tests += tests/fuzz/fuzz_patch
tests_fuzz_fuzz_patch_SOURCES = tests/fuzz/fuzz_patch.c $(FUZZ_MAIN)
tests_fuzz_fuzz_patch_LDADD = libcommand.a libbase.a $(LTLIBINTL)
tests_fuzz_fuzz_patch_LDFLAGS = $(FUZZ_LINK)
fuzz_tests += tests/fuzz/fuzz_mask
tests_fuzz_fuzz_mask_SOURCES = tests/fuzz/fuzz_mask.c $(FUZZ_MAIN)
tests_fuzz_fuzz_mask_LDADD = librisk.a libcommand.a $(HASH_LIBS) libbase.a $(LTLIBINTL)
tests_fuzz_fuzz_mask_LDFLAGS = $(FUZZ_LINK)
fuzz_tests += tests/fuzz/fuzz_judge
tests_fuzz_fuzz_judge_SOURCES = tests/fuzz/fuzz_judge.c $(FUZZ_MAIN)
tests_fuzz_fuzz_judge_LDADD = $(UNIT_APPROVAL)
tests_fuzz_fuzz_judge_LDFLAGS = $(FUZZ_LINK)
dist_check_SCRIPTS += tests/fuzz/shell_differ.sh tests/fuzz/shell_differ_long.sh
TESTS += tests/fuzz/shell_differ.sh
LONG_TESTS += tests/fuzz/shell_differ_long.sh

# ---- network
fuzz_tests += tests/fuzz/fuzz_network
tests_fuzz_fuzz_network_SOURCES = tests/fuzz/fuzz_network.c $(FUZZ_MAIN)
tests_fuzz_fuzz_network_LDADD = libnetwork.a libbase.a $(IDN2_LIBS) $(LTLIBINTL)
tests_fuzz_fuzz_network_LDFLAGS = $(FUZZ_LINK)
