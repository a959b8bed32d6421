/* SPDX-License-Identifier: MIT */
/* local_push: what a push takes away where it goes: it deletes, or puts something in its place. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "risk/local-int.h"
#include "risk/push_refs.h"

/* Could a shell put something else in for it? */
static bool is_open(const char *word)
{
    return strpbrk(word, "$`{") != NULL;
}

enum phrase local_push_phrase(const struct view *view, const struct effect_reading *reading)
{
    static const enum phrase phrases[] = {[PUSH_DELETES] = PHRASE_deletes_remote,
                                          [PUSH_REWRITES] = PHRASE_rewrites_remote,
                                          [PUSH_EITHER] = PHRASE_changes_remote};
    size_t push = reading->operands[0]; /* options of git itself stand in front of it */
    cleanup_free const char **argv = xcalloc(view->count - push + 2, sizeof(*argv));
    struct push_words words;
    bool told = true;
    argv[0] = "git";
    for (size_t i = push; i < view->count; i++) {
        argv[1 + i - push] = view->words[i];
        told = told && !is_open(view->words[i]);
    }
    return told && push_words_read(argv, &words) ? phrases[push_words_deed(&words)]
                                                 : PHRASE_changes_remote;
}
