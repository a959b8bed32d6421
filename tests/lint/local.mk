# SPDX-License-Identifier: MIT
# Checks of the sources themselves: once is enough, so not in the sanitizer build.
lint_tests = tests/lint/source.sh tests/lint/static.sh tests/lint/catalogue.sh
EXTRA_DIST += po/README tests/lint/README $(lint_tests) tests/lib.sh tests/lint/cppcheck.cfg
if !SANITIZERS
TESTS += $(lint_tests)
endif
