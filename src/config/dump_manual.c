/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "config/dump.h"
#include "config/options.h"

/* Does a sentence end here, and another one follow? In mdoc each has a line of its own. */
static bool ends_sentence(const char *text)
{
    return text[0] == '.' && text[1] == ' ' && isupper((unsigned char)text[2]);
}

/* Text for mdoc: no line may start with a dot or quote, and a backslash is an escape. A minus is
 * written so that it can be copied. */
static void print_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (ends_sentence(text))
            fputs(".\n", stdout), text++;
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

static void print_choices(const struct option_spec *spec)
{
    if (!spec->choices[0])
        return;
    printf("One of:\n");
    for (size_t i = 0; spec->choices[i]; i++)
        printf(".Cm %s%s\n", spec->choices[i], spec->choices[i + 1] ? " ," : " .");
}

static void print_option(const struct option_spec *spec)
{
    printf(".It ");
    if (spec->letter)
        printf("Fl %c , ", spec->letter);
    printf("Fl \\-%s", spec->name);
    if (spec->metavar)
        printf(" Ar %s", spec->metavar);
    putchar('\n');
    print_text(spec->description);
    putchar('\n');
    print_choices(spec);
    if (spec->key)
        printf("Key:\n.Ic %s .\n", spec->key);
}

static int print_options(const char *name)
{
    const struct subcommand *found =
        strcmp(name, "console") == 0 ? &subcommands[SUBCOMMAND_CONSOLE] : subcommand_find(name);
    if (!found)
        return -1;
    printf(".Bl -tag -width Ds\n");
    for (int id = 0; id < OPTION_COUNT; id++)
        if (dump_takes(option_spec(id), (int)(found - subcommands)))
            print_option(option_spec(id));
    printf(".El\n");
    return 0;
}

/* One word of a synopsis: "[" and "]" in front and behind, "--", "…" behind what may be repeated.
 */
static void print_argument(const char *word, size_t length)
{
    static const char MORE[] = "…";
    const size_t more = sizeof MORE - 1;
    size_t closed = 0;
    for (; length > 0 && *word == '['; word++, length--)
        printf(" Oo");
    for (; length > 0 && word[length - 1] == ']'; length--)
        closed++;
    bool repeated = length > more && memcmp(word + length - more, MORE, more) == 0;
    if (repeated)
        length -= more;
    if (length == 2 && memcmp(word, "--", 2) == 0)
        printf(" Fl \\-");
    else
        printf(" Ar %.*s%s", (int)length, word, repeated ? " ..." : "");
    while (closed-- > 0)
        printf(" Oc");
}

static void print_arguments(const char *text)
{
    for (size_t length; *text; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        print_argument(text, length);
    }
}

static void print_subcommands(void)
{
    printf(".Bl -tag -width Ds\n");
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (!subcommands[i].name)
            continue;
        printf(".It Nm Cm %s Oo Ar OPTION ... Oc", subcommands[i].name);
        print_arguments(subcommands[i].arguments);
        putchar('\n');
        print_text(subcommands[i].summary);
        putchar('\n');
    }
    printf(".El\n");
}

static void print_configuration(void)
{
    struct options *options = options_new();
    printf(".Bl -tag -width Ds\n");
    for (int id = 0; id < OPTION_KEY_COUNT; id++) {
        const struct option_spec *spec = option_spec(id);
        cleanup_strbuf struct strbuf value = STRBUF_INIT;
        options_format(options, (enum option_id)id, &value);
        printf(".It Ic %s No = Ar ", spec->key);
        print_text(strbuf_str(&value));
        putchar('\n');
        print_text(spec->description);
        putchar('\n');
        print_choices(spec);
    }
    printf(".El\n");
    options_free(&options);
}

/* A line of the template without its newline. */
static int print_line(char *line)
{
    size_t length = strlen(line);
    if (length < 2 || line[0] != '@' || line[length - 1] != '@') {
        puts(line);
        return 0;
    }
    line[length - 1] = '\0';
    if (strncmp(line, "@OPTIONS ", 9) == 0)
        return print_options(line + 9);
    if (strcmp(line, "@SUBCOMMANDS") == 0)
        print_subcommands();
    else if (strcmp(line, "@CONFIGURATION") == 0)
        print_configuration();
    else
        return -1;
    return 0;
}

int dump_manual(void)
{
    char *line = NULL;
    size_t size = 0;
    int result = 0;
    while (result == 0 && getline(&line, &size, stdin) > 0) {
        line[strcspn(line, "\n")] = '\0';
        result = print_line(line);
    }
    free(line);
    return result;
}
