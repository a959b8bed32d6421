/* SPDX-License-Identifier: MIT */
/* The program dump-options: runs while building and is not installed. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "config/dump.h"
#include "config/options.h"

enum { COMMENT_WIDTH = 92 };

bool dump_takes(const struct option_spec *spec, int subcommand)
{
    return (spec->subcommands & (1u << subcommand)) != 0;
}

/* A comment wrapped at words. */
static void print_comment(const char *text)
{
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + length > COMMENT_WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += printf("%s%.*s", column ? " " : "# ", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_choices(const struct option_spec *spec)
{
    if (!spec->choices[0])
        return;
    printf("# One of:");
    for (size_t i = 0; spec->choices[i]; i++)
        printf("%s %s", i ? "," : "", spec->choices[i]);
    putchar('\n');
}

/* "reject.rules = false" is written as "reject { rules = false }". */
static void print_setting(const struct option_spec *spec, const char *value)
{
    const char *key = spec->key;
    const char *dot = strchr(key, '.');
    if (spec->titled)
        printf("#%.*s NAME { %s = %s }\n\n", (int)(dot - key), key, dot + 1, spec->choices[0]);
    else if (dot)
        printf("#%.*s { %s = %s }\n\n", (int)(dot - key), key, dot + 1, value);
    else
        printf("#%s = %s\n\n", key, value);
}

static void dump_configuration(void)
{
    printf("# Assent's configuration: every key with its default. Copy it to\n"
           "# ~/.config/assent/assent.conf and take the # from what you change.\n"
           "# `assent config` shows what is in force and where it comes from.\n\n");
    struct options *options = options_new();
    for (int id = 0; id < OPTION_KEY_COUNT; id++) {
        cleanup_strbuf struct strbuf value = STRBUF_INIT;
        options_format(options, (enum option_id)id, &value);
        print_comment(option_spec(id)->description);
        print_choices(option_spec(id));
        print_setting(option_spec(id), strbuf_str(&value));
    }
    options_free(&options);
    printf("# A profile holds what is different under it: assent -p careful\n"
           "#profile careful {\n#    approval_policy = untrusted\n#    restricted_read = true\n"
           "#}\n");
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    int result = 0;
    if (strcmp(what, "manual") == 0)
        result = dump_manual();
    else if (strcmp(what, "bash") == 0)
        dump_bash();
    else if (strcmp(what, "zsh") == 0)
        dump_zsh();
    else if (strcmp(what, "fish") == 0)
        dump_fish();
    else if (strcmp(what, "configuration") == 0)
        dump_configuration();
    else
        result = -1;
    return result == 0 && fflush(stdout) == 0 ? 0 : 1;
}
