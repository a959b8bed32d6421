/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/i18n.h"

#include <locale.h>

#include "base/alloc.h"
#include "base/install.h"

void i18n_init(void)
{
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C");
#if ENABLE_NLS
    cleanup_free char *directory = install_find_locale();
    bindtextdomain(PACKAGE, directory);
    bind_textdomain_codeset(PACKAGE, "UTF-8");
    textdomain(PACKAGE);
#endif
}
