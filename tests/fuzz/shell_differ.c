/* SPDX-License-Identifier: MIT */
/*
 * shell_differ: real shells against the parser.
 *
 *     shell_differ [--seed N] [--count N] [--shells "bash dash"] [--scripts FILE] [--first] STUB
 *
 * Makes scripts by chance, and runs those that the parser understands under each shell with
 * programs that only record how they were started: exactly the commands that the parser reports
 * must run, under each of a few policies of success and failure. Of the others each program that
 * a shell runs must be in the tree. FILE holds scripts, each ended by a NUL, that are taken as they
 * are and with a few bytes changed; of these only the understood ones are run. Prints each script
 * that was wrongly read, up to the --first; the exit status says whether there was one.
 */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "shell_expect.h"
#include "shell_run.h"
#include "shell_script.h"

#define SHELLS_MAX 8
#define POLICIES 3
#define SHOWN_MAX 20

struct differ {
    struct shell_stage *stage;
    char *shells[SHELLS_MAX + 1];
    bool only_first;
    size_t plain, understood, opaque, runs, wrong;
    size_t constructs[SHELL_CONSTRUCTS]; /* how often each was looked through */
};

static void show(const char *script, const char *shell, int policy, const char *wrong)
{
    printf("---- %s, policy %d\n%s\n----\n%s", shell, policy, script, wrong);
}

static bool run_once(struct differ *differ, const struct shell_script *script, const char *text,
                     const char *shell, int policy, struct strbuf *wrong)
{
    struct shell_records records;
    shell_run(differ->stage, shell, text, policy, &records);
    differ->runs++;
    bool good = shell_expect_understood(script, differ->stage, policy, &records, wrong);
    shell_records_clear(&records);
    return good;
}

/* What is wrong is wrong twice: a machine out of memory or processes is not the parser's fault. */
static void try_shell(struct differ *differ, const struct shell_script *script, const char *text,
                      const char *shell)
{
    for (int policy = 0; policy < (script->count > 1 ? POLICIES : 1); policy++) {
        cleanup_strbuf struct strbuf wrong = STRBUF_INIT;
        if (run_once(differ, script, text, shell, policy, &wrong))
            continue;
        strbuf_reset(&wrong);
        if (!run_once(differ, script, text, shell, policy, &wrong) && differ->wrong++ < SHOWN_MAX)
            show(text, shell, policy, strbuf_str(&wrong));
    }
}

static void try_understood(struct differ *differ, const struct shell_script *script,
                           const char *text)
{
    for (size_t i = 0; differ->shells[i]; i++)
        if (shell_expect_possible(script, differ->stage, differ->shells[i]))
            try_shell(differ, script, text, differ->shells[i]);
}

static void try_opaque_with(struct differ *differ, const struct shell_script *script,
                            const char *text, const char *shell)
{
    struct strbuf wrong = STRBUF_INIT;
    struct shell_records records;
    shell_run(differ->stage, shell, text, 0, &records);
    differ->runs++;
    if (!shell_expect_seen(script->tree, &records, &wrong) && differ->wrong++ < SHOWN_MAX)
        show(text, shell, 0, strbuf_str(&wrong));
    shell_records_clear(&records);
    strbuf_free(&wrong);
}

static void try_opaque(struct differ *differ, const struct shell_script *script, const char *text)
{
    for (size_t i = 0; differ->shells[i]; i++)
        try_opaque_with(differ, script, text, differ->shells[i]);
}

static void try_script(struct differ *differ, const struct strbuf *text, bool runs_opaque)
{
    struct shell_script script;
    const char *const argv[] = {"bash", "-c", strbuf_str(text), NULL};
    if (memchr(argv[2], '\0', text->length) || !shell_wrapped_script(argv))
        return; /* not the operand of -c */
    shell_parse(strbuf_str(text), text->length, &script);
    if (script.understood) {
        *(script.plain ? &differ->plain : &differ->understood) += 1;
        for (size_t i = 0; i < SHELL_CONSTRUCTS; i++)
            differ->constructs[i] += (script.constructs & 1u << i) != 0;
        try_understood(differ, &script, strbuf_str(text));
    } else {
        differ->opaque++;
        if (runs_opaque)
            try_opaque(differ, &script, strbuf_str(text));
    }
    shell_script_clear(&script);
}

static void try_made(struct differ *differ, struct shell_chance *chance, unsigned long count)
{
    cleanup_free char *directory = xasprintf("%s/d", differ->stage->work);
    for (unsigned long i = 0; i < count && !(differ->only_first && differ->wrong > 0); i++) {
        struct strbuf text = STRBUF_INIT;
        shell_script_make(chance, directory, &text);
        if (i % 3 == 2)
            shell_script_mutate(chance, &text);
        try_script(differ, &text, true);
        strbuf_free(&text);
    }
}

static int try_file(struct differ *differ, struct shell_chance *chance, const char *path,
                    unsigned long count)
{
    size_t length;
    cleanup_free char *scripts = fd_read_file(path, (size_t)256 << 20, false, &length);
    if (!scripts) {
        perror(path);
        return -1;
    }
    for (size_t at = 0; at < length; at += strlen(scripts + at) + 1) {
        for (unsigned long i = 0; i <= count; i++) {
            struct strbuf text = STRBUF_INIT;
            strbuf_addstr(&text, scripts + at);
            if (i > 0)
                shell_script_mutate(chance, &text);
            try_script(differ, &text, false);
            strbuf_free(&text);
        }
    }
    return 0;
}

static void name_shells(struct differ *differ, char *list)
{
    char *rest = NULL;
    size_t count = 0;
    for (char *name = strtok_r(list, " ", &rest); name && count < SHELLS_MAX;
         name = strtok_r(NULL, " ", &rest))
        differ->shells[count++] = name;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"seed", required_argument, NULL, 's'},   {"count", required_argument, NULL, 'n'},
        {"shells", required_argument, NULL, 'x'}, {"scripts", required_argument, NULL, 'f'},
        {"first", no_argument, NULL, '1'},        {NULL, 0, NULL, 0}};
    struct shell_chance chance = {.state = 1};
    struct differ differ = {.plain = 0};
    struct error error = ERROR_INIT;
    unsigned long count = 500;
    const char *file = NULL;
    cleanup_free char *shells = xstrdup("bash dash");
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 's') {
            chance.state = strtoull(optarg, NULL, 10);
        } else if (option == 'n') {
            count = strtoul(optarg, NULL, 10);
        } else if (option == 'x') {
            free(shells);
            shells = xstrdup(optarg);
        } else if (option == '1') {
            differ.only_first = true;
        } else if (option == 'f') {
            file = optarg;
        } else {
            return 2;
        }
    }
    name_shells(&differ, shells);
    differ.stage = optind < argc ? shell_stage_new(argv[optind], &error) : NULL;
    if (!differ.stage) {
        fprintf(stderr, "shell_differ: %s\n", *error.message ? error.message : "STUB is missing");
        return 2;
    }
    if (file && try_file(&differ, &chance, file, count) < 0)
        differ.wrong++;
    if (!file)
        try_made(&differ, &chance, count);
    for (size_t i = 0; i < SHELL_CONSTRUCTS; i++)
        printf("%s %zu%s", shell_construct_name(1u << i), differ.constructs[i],
               i + 1 < SHELL_CONSTRUCTS ? ", " : "\n");
    printf("%zu plain, %zu understood, %zu opaque, %zu runs, %zu wrong\n", differ.plain,
           differ.understood, differ.opaque, differ.runs, differ.wrong);
    shell_stage_free(&differ.stage);
    return differ.wrong > 0;
}
