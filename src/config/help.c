/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "config/help.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "config/option_table.h"

enum { HELP_COLUMN = 28, HELP_WIDTH = 80 };

static int columns_of(const char *text, size_t length)
{
    return (int)text_width(text, length);
}

/* Bytes of the text that go on a line; a word that is longer than one is not broken. */
static size_t line_length(const char *text)
{
    size_t length = strlen(text);
    size_t fitting = text_fit(text, length, HELP_WIDTH - HELP_COLUMN);
    size_t end;
    if (fitting == length)
        return fitting;
    end = text_break(text, length, fitting);
    return end > 0 ? end : strcspn(text, " ");
}

/* Prints `text` from `column` on, wrapped at words, each line starting at HELP_COLUMN. */
static void print_wrapped(FILE *file, const char *text, int column)
{
    if (column > HELP_COLUMN - 2) {
        fputc('\n', file);
        column = 0;
    }
    fprintf(file, "%*s", HELP_COLUMN - column, "");
    for (;;) {
        size_t length = line_length(text);
        size_t printed = length;
        while (printed > 0 && text[printed - 1] == ' ')
            printed--;
        fwrite(text, 1, printed, file);
        text += length;
        text += strspn(text, " ");
        if (*text == '\0')
            break;
        fprintf(file, "\n%*s", HELP_COLUMN, "");
    }
    fputc('\n', file);
}

static void print_option(FILE *file, const struct option_spec *spec)
{
    char start[128];
    char letter[8] = "    ";
    if (spec->letter)
        snprintf(letter, sizeof(letter), "-%c, ", spec->letter);
    snprintf(start, sizeof(start), "  %s--%s%s%s", letter, spec->name, spec->metavar ? " " : "",
             spec->metavar ? _(spec->metavar) : "");
    fputs(start, file);
    char description[1024];
    size_t used = (size_t)snprintf(description, sizeof(description), "%s", _(spec->description));
    for (size_t i = 0; spec->choices[i] && used < sizeof(description); i++)
        used += (size_t)snprintf(description + used, sizeof(description) - used, "%s%s",
                                 i == 0 ? " [" : ", ", spec->choices[i]);
    if (spec->choices[0] && used < sizeof(description))
        snprintf(description + used, sizeof(description) - used, "]");
    print_wrapped(file, description, columns_of(start, strlen(start)));
}

static void print_subcommands(FILE *file)
{
    fprintf(file, "\n%s\n", _("Subcommands:"));
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (!subcommands[i].name)
            continue;
        int column = fprintf(file, "  %s", subcommands[i].name);
        print_wrapped(file, _(subcommands[i].summary), column);
    }
    fprintf(file, "\n%s\n", _("assent SUBCOMMAND --help tells more. The manual is assent(1)."));
}

/* What each word behind `assent log` does; without one its options choose. */
static void print_log_words(FILE *file)
{
    static const struct {
        const char *word, *summary;
    } words[] = {
        {"calls", N_("One row for each call, of those that options choose.")},
        {"approved", N_("The calls that you allowed today.")},
        {"denied", N_("What you denied, and have not let ask again since.")},
        {"stats", N_("How many were asked about, and how they were answered.")},
        {"verify", N_("Has nobody changed the record?")},
    };

    fprintf(file, "\n%s\n",
            _("Without a word the sessions are listed; with SESSION what is on record of it."));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        int column = fprintf(file, "  %s", words[i].word);
        print_wrapped(file, _(words[i].summary), column);
    }
}

int help_print(FILE *file, enum subcommand_id subcommand)
{
    const struct subcommand *shown = &subcommands[subcommand];
    fprintf(file, "%s assent%s%s %s%s%s\n%s\n\n%s\n", _("Usage:"), shown->name ? " " : "",
            shown->name ? shown->name : "", _("[OPTION]…"), *shown->arguments ? " " : "",
            shown->arguments, _(shown->summary), _("Options:"));
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_spec(i)->subcommands & (1u << subcommand))
            print_option(file, option_spec(i));
    if (subcommand == SUBCOMMAND_CONSOLE)
        print_subcommands(file);
    if (subcommand == SUBCOMMAND_LOG)
        print_log_words(file);
    return fflush(file) == 0 ? 0 : -errno;
}

int help_print_version(FILE *file)
{
    fprintf(file, "%s\n", PACKAGE_STRING);
    return fflush(file) == 0 ? 0 : -errno;
}
