/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/seatbelt.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "sandbox/closed.h"
#include "sandbox/protected.h"
#include "sandbox/seatbelt_base.h"

struct profile {
    const struct seatbelt_setup *setup;
    struct strbuf text;
    char **parameters; /* "-DNAME=VALUE" */
    size_t count;
};

static void add(struct profile *profile, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(struct profile *profile, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    strbuf_vaddf(&profile->text, format, arguments);
    va_end(arguments);
}

/* The number of the parameter that has this value: written (param "P3"). */
static size_t parameter(struct profile *profile, const char *value)
{
    for (size_t i = 0; i < profile->count; i++)
        if (strcmp(strchr(profile->parameters[i], '=') + 1, value) == 0)
            return i;
    profile->parameters =
        xreallocarray(profile->parameters, profile->count + 2, sizeof *profile->parameters);
    profile->parameters[profile->count] = xasprintf("-DP%zu=%s", profile->count, value);
    profile->parameters[profile->count + 1] = NULL;
    return profile->count++;
}

/* ` (FILTER (param "P3"))` */
static void add_filter(struct profile *profile, const char *filter, const char *path)
{
    add(profile, " (%s (param \"P%zu\"))", filter, parameter(profile, path));
}

/* The path itself, so that it is not made, and what is beneath. */
static void add_place(struct profile *profile, const char *path)
{
    add_filter(profile, "literal", path);
    add_filter(profile, "subpath", path);
}

/* ---- regular expressions ---------------------------------------------------------------- */

/* Inside a string of the profile: each backslash of the expression is written twice. */
static void add_escaped(struct profile *profile, const char *path)
{
    for (; *path; path++) {
        if (*path == '"')
            add(profile, "\\\"");
        else if (strchr("\\^$.|?*+()[]{}", *path))
            add(profile, *path == '\\' ? "\\\\\\\\" : "\\\\%c", *path);
        else
            strbuf_addch(&profile->text, *path);
    }
}

/* `name` in any directory beneath `root`, and what is beneath it when `below`. */
static void add_anywhere(struct profile *profile, const char *root, const char *name, bool below)
{
    add(profile, " (regex \"^");
    add_escaped(profile, root);
    add(profile, "/(.+/)?");
    add_escaped(profile, name);
    add(profile, below ? "(/.*)?$\")" : "$\")");
}

/* ---- writable roots --------------------------------------------------------------------- */

static void protect_beneath(struct profile *profile, const char *root, const char *directory,
                            const char *name)
{
    cleanup_free char *path = xasprintf("%s/%s", directory, name);
    if (strcmp(path, root) == 0 || !path_is_beneath(path, root))
        return;
    add(profile, "\n ");
    add_place(profile, path);
}

/* Names at the top of a root, and the start-up files of the home directory wherever that lies in
 * it. What is to be protected only if it exists is protected either way: no file is looked at here,
 * and a rule needs nothing to attach to. */
static void protect_names(struct profile *profile, const char *root)
{
    const char *home = profile->setup->home;
    for (size_t i = 0; i < PROTECTED_NAME_COUNT; i++)
        if (PROTECTED_NAMES[i].when != PROTECTED_IN_HOME)
            protect_beneath(profile, root, root, PROTECTED_NAMES[i].name);
        else if (home)
            protect_beneath(profile, root, home, PROTECTED_NAMES[i].name);
    for (const char *const *name = PROTECTED_BENEATH_HOME; home && *name; name++)
        protect_beneath(profile, root, home, *name);
}

/* Repositories: the name .git is not made, renamed or removed; in it, what makes git run code. */
static void protect_git(struct profile *profile, const char *root)
{
    bool all = profile->setup->policy->protect_git == POLICY_PROTECT_GIT_ALL;
    add(profile, "\n ");
    if (profile->setup->policy->protect_nested) {
        add_anywhere(profile, root, ".git", all);
    } else {
        cleanup_free char *path = xasprintf("%s/.git", root);
        add_filter(profile, "literal", path);
        if (all)
            add_filter(profile, "subpath", path);
    }
    for (const char *const *name = PROTECTED_IN_GIT; !all && *name; name++) {
        cleanup_free char *in_git = xasprintf(".git/%s", *name);
        add(profile, "\n ");
        if (profile->setup->policy->protect_nested) {
            add_anywhere(profile, root, in_git, true);
        } else {
            cleanup_free char *path = xasprintf("%s/%s", root, in_git);
            add_place(profile, path);
        }
    }
}

/* Entries for less access inside a root, and the ways to them: who renames a directory above one
 * could make it anew. */
static void except_entries(struct profile *profile, const char *root)
{
    const struct sandbox_policy *policy = profile->setup->policy;
    for (size_t i = 0; i < policy->entry_count; i++) {
        const struct policy_entry *entry = &policy->entries[i];
        if (entry->access == POLICY_ACCESS_WRITE || strcmp(entry->path, root) == 0 ||
            !path_is_beneath(entry->path, root))
            continue;
        add(profile, "\n ");
        add_place(profile, entry->path);
    }
}

/* A root that contains a protected name is not itself renamed or removed. */
static void allow_root(struct profile *profile, const char *root)
{
    add(profile, "(allow file-read*");
    add_filter(profile, "subpath", root);
    add(profile, ")\n(allow file-write*");
    add_filter(profile, "subpath", root);
    add(profile, ")\n(deny file-write-unlink");
    add_filter(profile, "literal", root);
    add(profile, ")\n");
}

static void restrict_root(struct profile *profile, const char *root)
{
    struct strbuf before = profile->text;
    profile->text = (struct strbuf){0};
    if (profile->setup->policy->protect) {
        protect_names(profile, root);
        protect_git(profile, root);
    }
    except_entries(profile, root);
    struct strbuf filters = profile->text;
    profile->text = before;
    if (filters.length > 0)
        add(profile, "(deny file-write*%s)\n", strbuf_str(&filters));
    strbuf_free(&filters);
}

/* Each directory between a root and an exception inside it stays where it is. */
static void pin_ways(struct profile *profile, const char *root)
{
    const struct sandbox_policy *policy = profile->setup->policy;
    for (size_t i = 0; i < policy->entry_count; i++) {
        const struct policy_entry *entry = &policy->entries[i];
        if (entry->access == POLICY_ACCESS_WRITE || !path_is_beneath(entry->path, root))
            continue;
        for (const char *slash = entry->path + strlen(root); (slash = strchr(slash + 1, '/'));) {
            cleanup_free char *way = xasprintf("%.*s", (int)(slash - entry->path), entry->path);
            add(profile, "(deny file-write-unlink");
            add_filter(profile, "literal", way);
            add(profile, ")\n");
        }
    }
}

/* ---- entries ---------------------------------------------------------------------------- */

static int compare_entries(const void *left, const void *right)
{
    return strcmp((*(const struct policy_entry *const *)left)->path,
                  (*(const struct policy_entry *const *)right)->path);
}

/* Those that decide for their path, a directory before what is beneath it: later rules win. */
static const struct policy_entry **ordered_entries(const struct sandbox_policy *policy,
                                                   size_t *count)
{
    const struct policy_entry **list = xcalloc(policy->entry_count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < policy->entry_count; i++)
        if (sandbox_policy_access_at(policy, policy->entries[i].path) == policy->entries[i].access)
            list[(*count)++] = &policy->entries[i];
    if (*count > 1)
        qsort(list, *count, sizeof *list, compare_entries);
    return list;
}

/* `further_down`: in whose directories the name of a closed entry is closed too, or NULL. */
static void add_entry(struct profile *profile, const struct policy_entry *entry,
                      const char *further_down)
{
    switch (entry->access) {
    case POLICY_ACCESS_NONE:
        add(profile, "(deny file-read* file-write* process-exec");
        add_place(profile, entry->path);
        if (further_down)
            add_anywhere(profile, further_down, strrchr(entry->path, '/') + 1, true);
        add(profile, ")\n");
        return;
    case POLICY_ACCESS_READ:
        add(profile, "(allow file-read* process-exec");
        if (strcmp(entry->path, "/") != 0)
            add_filter(profile, "subpath", entry->path);
        add(profile, ")\n");
        return;
    case POLICY_ACCESS_WRITE:
        allow_root(profile, entry->path);
    }
}

static void add_entries(struct profile *profile)
{
    const struct sandbox_policy *policy = profile->setup->policy;
    size_t count;
    const struct policy_entry **entries = ordered_entries(policy, &count);
    for (size_t i = 0; i < count; i++) {
        cleanup_free char *workspace = policy->protect_nested ? closed_workspace(entries[i]) : NULL;
        add_entry(profile, entries[i], workspace);
    }
    if (policy->tmp == POLICY_TMP_PRIVATE && policy->tmp_source)
        allow_root(profile, policy->tmp_source);
    for (const char *const *path = SEATBELT_TEMPORARY; policy->tmp == POLICY_TMP_HOST && *path;
         path++)
        allow_root(profile, *path);
    /* Last: whatever is writable for another reason, these are not. */
    for (size_t i = 0; i < count; i++)
        if (entries[i]->access == POLICY_ACCESS_WRITE) {
            restrict_root(profile, entries[i]->path);
            pin_ways(profile, entries[i]->path);
        }
    for (size_t i = 0; i < count; i++)
        if (entries[i]->access == POLICY_ACCESS_NONE)
            add_entry(profile, entries[i], NULL);
    free(entries);
}

/* ---- the network ------------------------------------------------------------------------ */

static void add_sockets(struct profile *profile)
{
    const struct sandbox_policy *policy = profile->setup->policy;
    for (char **path = policy->unix_sockets; path && *path; path++)
        add(profile,
            "(allow network-outbound (remote unix-socket (path-literal (param \"P%zu\"))))\n",
            parameter(profile, *path));
    if (policy->tmp != POLICY_TMP_PRIVATE || !policy->tmp_source)
        return;
    size_t own = parameter(profile, policy->tmp_source);
    add(profile,
        "(allow network-bind network-inbound (local unix-socket (subpath (param \"P%zu\"))))\n"
        "(allow network-outbound (remote unix-socket (subpath (param \"P%zu\"))))\n",
        own, own);
}

/* With the network off nothing listens and nothing connects: there is no loopback of one's own
 * here, so an open one would be the host's. UNIX sockets outside stay closed in either case. */
static void add_network(struct profile *profile)
{
    const struct seatbelt_setup *setup = profile->setup;
    add_sockets(profile);
    if (setup->policy->network)
        strbuf_addstr(&profile->text, SEATBELT_NETWORK);
    else if (setup->proxy_port > 0)
        add(profile,
            "(allow network-outbound (remote ip \"localhost:%d\"))\n"
            "(allow system-socket (require-all (socket-domain AF_INET)))\n",
            setup->proxy_port);
}

/* ---- the whole -------------------------------------------------------------------------- */

static int check(const struct seatbelt_setup *setup, struct error *error)
{
    if (!sandbox_policy_is_restricted(setup->policy))
        return error_set(error, 0, "this policy has nothing that Seatbelt could enforce");
    if (setup->proxy_port < 0 || setup->proxy_port > 65535)
        return error_set(error, 0, "%d is no port of a proxy", setup->proxy_port);
    for (size_t i = 0; i < setup->policy->entry_count; i++)
        if (setup->policy->entries[i].access == POLICY_ACCESS_WRITE &&
            strcmp(setup->policy->entries[i].path, "/") == 0)
            return error_set(error, 0, "/ can not be a writable root: use danger-full-access");
    return 0;
}

char **seatbelt_arguments(const struct seatbelt_setup *setup, struct error *error)
{
    struct profile profile = {.setup = setup};
    if (check(setup, error) < 0)
        return NULL;
    strbuf_addstr(&profile.text, SEATBELT_BASE);
    if (setup->policy->platform_defaults)
        strbuf_addstr(&profile.text, SEATBELT_PLATFORM);
    add_entries(&profile);
    add_network(&profile);
    if (setup->extensions)
        add(&profile, "%s\n", setup->extensions);
    char **words = xcalloc(profile.count + 5, sizeof *words);
    size_t count = 0;
    words[count++] = xstrdup(SEATBELT_PROGRAM);
    words[count++] = xstrdup("-p");
    words[count++] = strbuf_steal(&profile.text);
    for (size_t i = 0; i < profile.count; i++)
        words[count++] = profile.parameters[i];
    words[count++] = xstrdup("--");
    free(profile.parameters);
    return words;
}
