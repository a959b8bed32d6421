/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/git_preview.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/shell.h"
#include "risk/mask.h"

/* The same with -n, which goes before -f. Others ask (-i), hide what is told (-q) or take a word.
 */
static char *preview_clean(const char *const *argv)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, "git clean -n ");
    for (size_t i = 2; argv[i] != NULL; i++) {
        const char *word = argv[i];
        cleanup_free char *safe = mask_word(argv, i);
        bool good = *word == '-' ? word[1] != '\0' && word[1 + strspn(word + 1, "dfxX")] == '\0'
                                 : strcmp(safe, word) == 0;
        if (!good && strcmp(word, "--force") != 0)
            return NULL;
    }
    text_quote_argv(&text, argv + 2);
    return strbuf_steal(&text);
}

/* Where it goes to another commit, those that are left behind, too. */
static char *preview_reset(const char *const *argv)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_/~^@-";
    static const char now[] = "git status --short\ngit diff HEAD";
    const char *to = argv[2] != NULL && argv[3] != NULL ? argv[3] : "HEAD";
    if (argv[2] == NULL || strcmp(argv[2], "--hard") != 0 || (argv[3] != NULL && argv[4] != NULL))
        return NULL;
    cleanup_free char *safe = argv[3] != NULL ? mask_word(argv, 3) : xstrdup(to);
    if (*to == '-' || *to == '^' || to[strspn(to, plain)] != '\0' || strcmp(safe, to) != 0)
        return NULL;
    return strcmp(to, "HEAD") == 0 ? xstrdup(now)
                                   : xasprintf("%s\ngit log --oneline %s..HEAD", now, to);
}

char *git_preview_commands(const char *const *argv)
{
    const char *script = shell_wrapped_script(argv);
    cleanup_strv char **words = script != NULL ? shell_plain_words(script) : NULL;
    if (script != NULL)
        argv = (const char *const *)words;
    if (argv == NULL || argv[0] == NULL || strcmp(argv[0], "git") != 0 || argv[1] == NULL)
        return NULL;
    return strcmp(argv[1], "clean") == 0   ? preview_clean(argv)
           : strcmp(argv[1], "reset") == 0 ? preview_reset(argv)
                                           : NULL;
}
