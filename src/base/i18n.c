/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/i18n.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/install.h"
#include "base/text.h"
#include "base/wording.h"

/* Where nobody chose a locale (containers, bare logins) the terminal still shows UTF-8, as nearly
 * all do: only a locale that was chosen can say otherwise. */
static void default_to_utf8(void)
{
    static const char *const choices[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < COUNT(choices); i++) {
        const char *value = getenv(choices[i]);

        if (value != NULL && *value != '\0')
            return;
    }
    setlocale(LC_CTYPE, "C.UTF-8");
}

void i18n_init(void)
{
    setlocale(LC_ALL, "");
    default_to_utf8();
    setlocale(LC_NUMERIC, "C");
#if ENABLE_NLS
    cleanup_free char *directory = install_find_locale();
    bindtextdomain(PACKAGE, directory);
    bind_textdomain_codeset(PACKAGE, "UTF-8");
    textdomain(PACKAGE);
#endif
}

/* gettext keeps the context before the text, with a byte between that no text has. */
const char *i18n_in_context(const char *key, const char *text)
{
#if ENABLE_NLS
    const char *translated = gettext(key);

    return translated == key ? text : translated;
#else
    (void)key;
    return text;
#endif
}

#define LATIN_LAST 0x24F

void i18n_for_latin(const char *sample)
{
    uint32_t first;

    text_decode(sample, strlen(sample), &first);
    if (first > LATIN_LAST)
        setlocale(LC_MESSAGES, "C");
}

static const char *translate(const char *text)
{
    return _(text);
}

char *i18n_wording(const struct wording *wording)
{
    return wording_translate(wording, translate);
}
