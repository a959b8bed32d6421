/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "causes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "command/parts.h"
#include "command/wrapper.h"

struct causes {
    json_t *counts; /* cause: [as the only one, at all] */
};

struct causes *causes_new(void)
{
    struct causes *causes = XNEW(struct causes);
    causes->counts = json_object();
    return causes;
}

void causes_free(struct causes **causes)
{
    json_decref((*causes)->counts);
    free(*causes);
    *causes = NULL;
}

static void note(json_t *found, char *cause)
{
    json_object_set_new(found, cause, json_true());
    free(cause);
}

static char *name_of(const struct judgement_part *part)
{
    const char *const *argv = (const char *const *)part->argv;
    static const char *const with_verbs[] = {"git",  "go",   "gh", "bun",  "pnpm",    "npm",
                                             "mise", "yarn", "bd", "tmux", "workmux", "cargo"};
    const char *name = wrapper_basename(argv[0]);
    for (size_t i = 0; i < sizeof(with_verbs) / sizeof(with_verbs[0]); i++)
        if (strcmp(with_verbs[i], name) == 0)
            return xasprintf("%s %s", name, wrapper_subcommand(argv, strv_length(argv)));
    return xstrdup(name);
}

/* Would the part be safe if everything could be read? */
static bool only_reads_elsewhere(const struct command_parts *parts, size_t index)
{
    return index < parts->count && parts->list[index].safe;
}

static char *cause_of(const struct judgement_part *part, bool elsewhere)
{
    cleanup_free char *name = name_of(part);
    if (part->danger != NULL)
        return xasprintf("danger: %s", name);
    if (elsewhere)
        return xstrdup("reads outside the workspace");
    if (part->directory == NULL)
        return xstrdup("behind a cd that is not tracked");
    if (part->redirects)
        return xstrdup("redirection to a file");
    return xasprintf("runs %s", name);
}

void causes_add(struct causes *causes, const struct judgement_facts *facts,
                const struct judgement *judgement)
{
    static const char *const roots[] = {"/tmp",   "/etc", "/opt",       "/private", "/root",
                                        "/Users", "/app", "/workspace", NULL};
    const struct safety_context everywhere = {
        .cwd = facts->cwd,
        .root = "/home",
        .writable_roots = roots,
        .program = facts->program->path,
        .search_path = facts->search_path,
    };
    struct command_parts parts;
    cleanup_json json_t *found = json_object();
    if (judgement->opaque)
        note(found, xasprintf("opaque: %s", judgement->opaque_reason));
    command_parts_read(facts->argv, &everywhere, &parts);
    for (size_t i = 0; i < judgement->count; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        if (!part->hidden && !part->allowed && !part->known_safe)
            note(found, cause_of(part, only_reads_elsewhere(&parts, i)));
    }
    command_parts_clear(&parts);
    const char *cause;
    json_t *value;
    bool only = json_object_size(found) == 1;
    json_object_foreach(found, cause, value)
    {
        json_t *counts = json_object_get(causes->counts, cause);
        json_int_t alone = counts != NULL ? json_integer_value(json_array_get(counts, 0)) : 0;
        json_int_t all = counts != NULL ? json_integer_value(json_array_get(counts, 1)) : 0;
        json_object_set_new(causes->counts, cause, json_pack("[I, I]", alone + only, all + 1));
    }
}

void causes_print(const struct causes *causes, size_t commands)
{
    const char *cause;
    json_t *counts;
    json_object_foreach(causes->counts, cause, counts)
    {
        double alone = (double)json_integer_value(json_array_get(counts, 0));
        double all = (double)json_integer_value(json_array_get(counts, 1));
        printf("%6.2f %6.2f  %s\n", 100 * alone / (double)commands, 100 * all / (double)commands,
               cause);
    }
}
