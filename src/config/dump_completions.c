/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "config/dump.h"

static const char *subcommand_name(int subcommand)
{
    return subcommands[subcommand].name ? subcommands[subcommand].name : "";
}

static bool wants_directory(const struct option_spec *spec)
{
    return spec->metavar && strcmp(spec->metavar, "DIR") == 0;
}

static bool wants_file(const struct option_spec *spec)
{
    return spec->metavar &&
           (strcmp(spec->metavar, "FILE") == 0 || strcmp(spec->metavar, "PATH") == 0);
}

static void print_choices(const struct option_spec *spec, const char *separator)
{
    for (size_t i = 0; spec->choices[i]; i++)
        printf("%s%s", i ? separator : "", spec->choices[i]);
}

/* ---- bash ---------------------------------------------------------------------------------- */

/* "case $sub:$prev": what comes after an option that takes a value. */
static void bash_value(const struct option_spec *spec, int subcommand)
{
    const char *name = subcommand_name(subcommand);
    printf("    %s:--%s", name, spec->name);
    if (spec->letter)
        printf(" | %s:-%c", name, spec->letter);
    printf(") ");
    if (spec->choices[0]) {
        printf("COMPREPLY=($(compgen -W '");
        print_choices(spec, " ");
        printf("' -- \"$cur\"))");
    } else if (wants_directory(spec)) {
        printf("COMPREPLY=($(compgen -d -- \"$cur\"))");
    } else if (wants_file(spec)) {
        printf("COMPREPLY=($(compgen -f -- \"$cur\"))");
    } else {
        printf(":");
    }
    printf("; return ;;\n");
}

static void bash_words(int subcommand)
{
    printf("    '%s') words='", subcommand_name(subcommand));
    for (int id = 0; id < OPTION_COUNT; id++)
        if (dump_takes(option_spec(id), subcommand))
            printf("--%s ", option_spec(id)->name);
    for (int i = 0; subcommand == SUBCOMMAND_CONSOLE && i < SUBCOMMAND_COUNT; i++)
        if (subcommands[i].name)
            printf("%s ", subcommands[i].name);
    printf("--' ;;\n");
}

void dump_bash(void)
{
    printf("# SPDX-License-Identifier: MIT\n# bash completion for assent\n"
           "_assent()\n{\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    local sub='' words='' i\n"
           "    COMPREPLY=()\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        if [[ ${COMP_WORDS[i]} == -- ]]; then\n"
           "            if declare -F _command_offset >/dev/null; then\n"
           "                _command_offset $((i + 1))\n"
           "            else\n"
           "                COMPREPLY=($(compgen -c -- \"$cur\"))\n"
           "            fi\n"
           "            return\n"
           "        fi\n"
           "    done\n"
           "    case ${COMP_WORDS[1]} in\n    ");
    const char *separator = "";
    for (int i = 0; i < SUBCOMMAND_COUNT; i++)
        if (subcommands[i].name) {
            printf("%s%s", separator, subcommands[i].name);
            separator = " | ";
        }
    printf(") ((COMP_CWORD > 1)) && sub=${COMP_WORDS[1]} ;;\n    esac\n"
           "    case $sub:$prev in\n");
    for (int i = 0; i < SUBCOMMAND_COUNT; i++)
        for (int id = 0; id < OPTION_COUNT; id++)
            if (dump_takes(option_spec(id), i) && option_spec(id)->metavar)
                bash_value(option_spec(id), i);
    printf("    esac\n    case $sub in\n");
    for (int i = 0; i < SUBCOMMAND_COUNT; i++)
        bash_words(i);
    printf("    esac\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
           "}\ncomplete -F _assent assent\n");
}

/* ---- zsh ----------------------------------------------------------------------------------- */

/* Inside single quotes and an _arguments description: quotes, brackets and colons are special. */
static void zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void zsh_option(const struct option_spec *spec)
{
    const char *repeat = option_is_list(spec) ? "*" : "";
    printf("            ");
    if (spec->letter && !*repeat)
        printf("'(-%c --%s)'{-%c,--%s}'[", spec->letter, spec->name, spec->letter, spec->name);
    else if (spec->letter)
        printf("\\*{-%c,--%s}'[", spec->letter, spec->name);
    else
        printf("'%s--%s[", repeat, spec->name);
    zsh_text(spec->description);
    putchar(']');
    if (spec->metavar) {
        printf(":%s:", spec->metavar);
        if (spec->choices[0]) {
            putchar('(');
            print_choices(spec, " ");
            putchar(')');
        } else if (wants_directory(spec)) {
            printf("_files -/");
        } else if (wants_file(spec)) {
            printf("_files");
        }
    }
    printf("' \\\n");
}

static void zsh_subcommand(int subcommand)
{
    printf("    %s)\n        _arguments -s -S \\\n",
           subcommands[subcommand].name ? subcommands[subcommand].name : "*");
    for (int id = 0; id < OPTION_COUNT; id++)
        if (dump_takes(option_spec(id), subcommand))
            zsh_option(option_spec(id));
    if (subcommand == SUBCOMMAND_CONSOLE) {
        printf("            '1: :((");
        for (int i = 0; i < SUBCOMMAND_COUNT; i++)
            if (subcommands[i].name) {
                printf("%s%s\\:\"", i > 1 ? " " : "", subcommands[i].name);
                zsh_text(subcommands[i].summary);
                putchar('"');
            }
        printf("))' \\\n");
    }
    printf("            '*:: :_normal'\n        ;;\n");
}

void dump_zsh(void)
{
    printf("#compdef assent\n# SPDX-License-Identifier: MIT\n"
           "_assent() {\n"
           "    local subcommand=''\n"
           "    ((CURRENT > 2)) && subcommand=$words[2]\n"
           "    case $subcommand in\n");
    for (int i = 1; i < SUBCOMMAND_COUNT; i++)
        zsh_subcommand(i);
    zsh_subcommand(SUBCOMMAND_CONSOLE);
    printf("    esac\n}\n_assent \"$@\"\n");
}

/* ---- fish ---------------------------------------------------------------------------------- */

static void fish_text(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void fish_option(const struct option_spec *spec, int subcommand)
{
    if (subcommands[subcommand].name)
        printf("complete -c assent -n '__fish_seen_subcommand_from %s' -l %s",
               subcommands[subcommand].name, spec->name);
    else
        printf("complete -c assent -n __fish_use_subcommand -l %s", spec->name);
    if (spec->letter)
        printf(" -s %c", spec->letter);
    if (spec->choices[0]) {
        printf(" -x -a '");
        print_choices(spec, " ");
        putchar('\'');
    } else if (wants_directory(spec)) {
        printf(" -x -a '(__fish_complete_directories)'");
    } else if (wants_file(spec)) {
        printf(" -r -F");
    } else if (spec->metavar) {
        printf(" -x");
    }
    printf(" -d ");
    fish_text(spec->description);
    putchar('\n');
}

void dump_fish(void)
{
    printf("# SPDX-License-Identifier: MIT\n# fish completion for assent\n"
           "complete -c assent -f\n");
    for (int i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (subcommands[i].name) {
            printf("complete -c assent -n __fish_use_subcommand -a %s -d ", subcommands[i].name);
            fish_text(subcommands[i].summary);
            putchar('\n');
        }
        for (int id = 0; id < OPTION_COUNT; id++)
            if (dump_takes(option_spec(id), i))
                fish_option(option_spec(id), i);
    }
    printf("complete -c assent -n 'contains -- -- (commandline -opc)' "
           "-a '(__fish_complete_subcommand --commandline)'\n");
}
