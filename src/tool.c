/* SPDX-License-Identifier: MIT */
/*
 * tool: the program assent-tool, which answers the subcommands that need neither console nor
 * sandbox. Each is a function in a file of its own, src/tool_NAME.c.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "tool.h"

void tool_complain(const char *argv0, const struct error *error)
{
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_escape(&shown, error->message, strlen(error->message), TEXT_KEEP_NEWLINES | TEXT_PROSE);
    fprintf(stderr, "assent %s: %s\n", argv0, strbuf_str(&shown));
}

void tool_hint_script(const char *argv0, char *const *argv)
{
    if (argv[1] != NULL || strpbrk(argv[0], " \t\n") == NULL || access(argv[0], F_OK) == 0)
        return;
    cleanup_strbuf struct strbuf quoted = STRBUF_INIT;
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_quote_argv(&quoted, (const char *const *)argv);
    text_escape(&shown, strbuf_str(&quoted), quoted.length, 0);
    fprintf(stderr,
            _("assent %s: this is one word, the name of a program; for a script: "
              "assent %s -- bash -c %s\n"),
            argv0, argv0, strbuf_str(&shown));
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} tools[] = {
    {"assess", tool_assess}, {"check", tool_check}, {"config", tool_config},
    {"doctor", tool_doctor}, {"log", tool_log},     {"parse", tool_parse},
    {"rules", tool_rules},
};

int main(int argc, char **argv)
{
    i18n_init();
    for (size_t i = 0; argc > 1 && i < COUNT(tools); i++)
        if (strcmp(argv[1], tools[i].name) == 0)
            return tools[i].run(argc - 1, argv + 1);
    fprintf(stderr, "assent: %s\n", _("this program is started by assent"));
    return TOOL_FAILED;
}
