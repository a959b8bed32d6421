/* SPDX-License-Identifier: MIT */
/*
 * How long the reader of shell scripts takes: nanoseconds for each byte, the best of several
 * rounds, of scripts as agents write them and of worse ones.
 */
#include "config.h"

#include <stdio.h>
#include <time.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "command/shell.h"

#define ROUNDS 15

/* A piece that is repeated until the script has about so many bytes. */
static const struct {
    const char *name, *head, *piece, *tail;
    size_t bytes;
} samples[] = {
    {"one command", "", "git status --short", "", 18},
    {"a pipeline", "", "cd ./src && grep -rn 'a b' . 2>/dev/null | head -20", "", 50},
    {"commands in a row", "", "go test ./... 2>&1 | tail -5; ", "true", 4000},
    {"one long word", "echo ", "a", "", 60000},
    {"quotes", "echo ", "'a'\"b\"\\c", "", 60000},
    {"a message", "git commit -m \"$(cat <<'EOF'\n", "fix: what was wrong\n", "EOF\n)\"", 8000},
    {"substitutions", "echo ", "$(a `b` \"$(c)\") ", "", 60000},
    {"parentheses", "", "( ", "", 60000},
    {"here-documents", "", "a <<E $(\nx\n)\nE\n", "", 60000},
    {"arithmetic", "", "$((1+$((", "", 60000},
};

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double parse_once(const struct strbuf *script, bool *understood)
{
    struct shell_script parsed;
    double start = now_ns();
    shell_parse(strbuf_str(script), script->length, &parsed);
    double took = now_ns() - start;
    *understood = parsed.understood;
    shell_script_clear(&parsed);
    return took;
}

int main(void)
{
    for (size_t i = 0; i < COUNT(samples); i++) {
        struct strbuf script = STRBUF_INIT;
        bool understood = false;
        double best = 0;
        strbuf_addstr(&script, samples[i].head);
        do
            strbuf_addstr(&script, samples[i].piece);
        while (script.length < samples[i].bytes);
        strbuf_addstr(&script, samples[i].tail);
        for (unsigned round = 0; round < ROUNDS; round++) {
            double took = parse_once(&script, &understood);
            best = round == 0 || took < best ? took : best;
        }
        printf("%-18s %6zu bytes %9.1f us %7.1f ns/byte  %s\n", samples[i].name, script.length,
               best / 1e3, best / (double)script.length, understood ? "understood" : "opaque");
        strbuf_free(&script);
    }
    return 0;
}
