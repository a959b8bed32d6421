/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/push_commits.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"
#include "risk/mask.h"

#define HEADS "refs/heads/"

/* The only branch that it names, "" for none; NULL: there are more. */
static const char *only_refspec(const struct push_words *words)
{
    const char *refspec = "";
    for (const char *const *word = words->refspecs; *word != NULL; word++) {
        if (**word == '-')
            continue;
        if (*refspec != '\0' || **word == '\0')
            return NULL;
        refspec = *word;
    }
    return refspec;
}

/* Can it stand in a range, and be shown? */
static bool is_plain(const char *name)
{
    cleanup_free char *safe = mask_word((const char *const[]){"git", "push", name, NULL}, 2);
    return *name != '\0' && *name != '-' && *name != '^' && strstr(name, "..") == NULL &&
           strpbrk(name, "*?[:") == NULL && strcmp(safe, name) == 0;
}

/* `source` NULL: it is deleted. */
static void make(const char *source, const char *target, const char *remote, bool forces,
                 struct push_commits *commits)
{
    if (strncmp(target, HEADS, strlen(HEADS)) == 0)
        target += strlen(HEADS);
    if ((source != NULL && !is_plain(source)) || !is_plain(target) || !is_plain(remote) ||
        strncmp(target, "refs/", 5) == 0)
        return;
    char *there = xasprintf("refs/remotes/%s/%s", remote, target);
    *commits = (struct push_commits){.there = there, .remote = xstrdup(remote)};
    if (source == NULL) {
        commits->lost = xstrdup(there);
        return;
    }
    commits->upstream = xasprintf("%s/%s", remote, target);
    commits->source = xstrdup(source);
    commits->sent = xasprintf("%s..%s", there, source);
    commits->lost = forces ? xasprintf("%s..%s", source, there) : NULL;
}

static void find(const struct push_words *words, const char *refspec, const char *remote,
                 const char *branch, struct push_commits *commits)
{
    bool forces = words->forces || *refspec == '+';
    const char *source = refspec + (*refspec == '+');
    const char *colon = strchr(source, ':');
    if (words->deletes || colon == source) {
        make(NULL, source + (colon == source), remote, true, commits);
        return;
    }
    cleanup_free char *here = xstrndup(source, strcspn(source, ":"));
    cleanup_free char *whole = xasprintf(HEADS "%s", branch); /* no tag of that name */
    bool head = strcmp(here, "HEAD") == 0 || strcmp(here, "@") == 0;
    if (*refspec == '\0')
        make(whole, branch, remote, forces, commits);
    else
        make(here, colon != NULL ? colon + 1 : head ? branch : here, remote, forces, commits);
}

void push_commits_find(const struct push_words *words, const char *remote, const char *branch,
                       struct push_commits *commits)
{
    const char *refspec = only_refspec(words);
    *commits = (struct push_commits){.there = NULL};
    if (refspec == NULL || words->all || words->mirror || words->tags || words->prunes)
        commits->unknown = N_("it writes more than one branch");
    else
        find(words, refspec, remote, branch, commits);
}

static char *copy(const char *text)
{
    return text != NULL ? xstrdup(text) : NULL;
}

struct push_commits push_commits_copy(const struct push_commits *commits)
{
    return (struct push_commits){.there = copy(commits->there),
                                 .sent = copy(commits->sent),
                                 .source = copy(commits->source),
                                 .lost = copy(commits->lost),
                                 .remote = copy(commits->remote),
                                 .directory = copy(commits->directory),
                                 .upstream = copy(commits->upstream),
                                 .tag = commits->tag,
                                 .tracked = commits->tracked,
                                 .unknown = commits->unknown};
}

void push_commits_forget(struct push_commits *commits, const char *why)
{
    char *upstream = steal_pointer(&commits->upstream);
    bool tracked = commits->tracked;
    push_commits_clear(commits);
    commits->upstream = upstream;
    commits->tracked = tracked;
    commits->unknown = why;
}

void push_commits_clear(struct push_commits *commits)
{
    free(commits->there);
    free(commits->sent);
    free(commits->source);
    free(commits->lost);
    free(commits->remote);
    free(commits->directory);
    free(commits->upstream);
    *commits = (struct push_commits){.there = NULL};
}

bool push_seen_same(const struct push_seen *one, const struct push_seen *other)
{
    return one->look == other->look && one->fresh == other->fresh && one->never == other->never &&
           text_same(one->sent, other->sent) && text_same(one->lost, other->lost) &&
           text_same(one->why, other->why);
}

void push_seen_clear(struct push_seen *seen)
{
    free(seen->sent);
    free(seen->lost);
    free(seen->why);
    *seen = (struct push_seen){.look = GIT_NOT_LOOKED};
}
