/* SPDX-License-Identifier: MIT */
/* changes: build files that have changed since the operator allowed what runs them. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "approval/orchestrator-int.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/strbuf.h"
#include "base/text.h"

#define SHOWN_MAX 4 /* files that are named; of more their number is told */
#define NAME_COLUMNS 40
#define PLACES 3

/* The workspace, and where else the command runs; NULL behind the last. */
static size_t places_of(const struct call_entry *entry, const char *places[PLACES + 1])
{
    const char *const others[] = {entry->call.spec->cwd, entry->there};
    size_t count = 0;
    places[count++] = entry->call.context->root;
    for (size_t i = 0; i < 2; i++) {
        bool inside = others[i] == NULL;
        for (size_t j = 0; j < count && !inside; j++)
            inside = path_is_beneath(others[i], places[j]);
        if (!inside)
            places[count++] = others[i];
    }
    places[count] = NULL;
    return count;
}

static bool runs_build_files(const struct call_entry *entry)
{
    struct loader_context context = entry_loader_context(entry);
    context.builds_only = true;
    return entry_has_words(entry) &&
           loader_reason((const char *const *)entry->call.spec->argv, &context) != NULL;
}

/* A thousand that wait are told of what one look has found. */
static void look_at(struct orchestrator *orchestrator, const char *const *places)
{
    for (; *places != NULL; places++)
        build_files_look_at(orchestrator->build_files, *places, orchestrator->moment);
}

static void look(const struct call_entry *entry)
{
    const char *places[PLACES + 1];
    places_of(entry, places);
    look_at(entry->orchestrator, places);
}

static uint64_t newest_in(const struct orchestrator *orchestrator, const char *const *places)
{
    uint64_t newest = 0;
    for (; *places != NULL; places++) {
        uint64_t here = build_files_newest(orchestrator->build_files, *places);
        newest = here > newest ? here : newest;
    }
    return newest;
}

uint64_t changes_newest(const struct call_entry *entry)
{
    const char *places[PLACES + 1];
    places_of(entry, places);
    return newest_in(entry->orchestrator, places);
}

static void take_what_is_known(struct call_entry *entry)
{
    entry->changes_since = entry->call.session->changes_seen;
    entry->changes_call = entry->call.session->changes_call;
}

void changes_arrive(struct call_entry *entry)
{
    const struct build_files *files = entry->orchestrator->build_files;
    entry->builds = runs_build_files(entry);
    take_what_is_known(entry);
    if (entry->builds || build_files_newest(files, entry->call.context->root) == 0)
        look(entry);
}

void changes_after_run(struct call_entry *entry)
{
    const char *places[PLACES + 1];
    size_t count = places_of(entry, places);
    for (size_t i = 0; i < count; i++)
        build_files_look(entry->orchestrator->build_files, places[i], entry->call.id);
}

bool changes_unseen(const struct call_entry *entry)
{
    return entry->builds && changes_newest(entry) > entry->call.session->changes_seen;
}

char *changes_files(const struct call_entry *entry)
{
    const char *places[PLACES + 1];
    unsigned char hash[SHA256_SIZE];
    struct sha256 sum;
    size_t count = entry->builds ? places_of(entry, places) : 0;
    bool known = count > 0;
    char *hex;
    sha256_init(&sum);
    for (size_t i = 0; i < count && known; i++)
        known = build_files_sum(entry->orchestrator->build_files, places[i], &sum);
    sha256_finish(&sum, hash);
    if (!known)
        return NULL;
    hex = xmalloc(SHA256_HEX_SIZE);
    sha256_hex(hash, hex);
    return hex;
}

/* "/w/src/Makefile" in "/w" is "src/Makefile"; a place that has changed as a whole is itself. */
static char *name_in(const struct build_change *change, const char *place)
{
    size_t length = strlen(place);
    const char *name = change->path + length;
    name = *name == '\0' ? change->path : name + strspn(name, "/");
    return text_line(name, strlen(name), NAME_COLUMNS);
}

/* "Makefile, src/setup.py"; NULL: none that is known, as after another console. */
static char *changed_names(const struct orchestrator *orchestrator, const char *const *places,
                           uint64_t since)
{
    cleanup_strbuf struct strbuf names = STRBUF_INIT;
    for (; since > 0 && *places != NULL; places++) {
        struct build_change changes[SHOWN_MAX];
        size_t found =
            build_files_changes(orchestrator->build_files, *places, since, changes, SHOWN_MAX);
        for (size_t i = 0; i < found && i < SHOWN_MAX; i++) {
            cleanup_free char *name = name_in(&changes[i], *places);
            strbuf_addf(&names, "%s%s", names.length > 0 ? ", " : "", name);
        }
        if (found > SHOWN_MAX)
            strbuf_addstr(&names, ", \u2026");
    }
    return names.length > 0 ? xstrdup(strbuf_str(&names)) : NULL;
}

void changes_void_grants(struct call_entry *entry)
{
    const char *const *keys = (const char *const *)entry->call.keys;
    struct session *session = entry->call.session;
    if (!entry->builds)
        return;
    look(entry);
    take_what_is_known(entry);
    cleanup_free char *files = changes_files(entry);
    grants_recognise(session->grants, keys, files, changes_newest(entry));
    const struct grant *oldest = grants_unseen(session->grants, keys, changes_newest(entry));
    if (oldest == NULL)
        return;
    const char *places[PLACES + 1];
    places_of(entry, places);
    cleanup_free char *changed = changed_names(entry->orchestrator, places, oldest->seen);
    entry->changes_unknown = oldest->seen == 0;
    if (oldest->seen < entry->changes_since) {
        entry->changes_since = oldest->seen;
        entry->changes_call = oldest->call;
    }
    grants_end_unseen(session->grants, keys, changes_newest(entry), changed);
}

void changes_granted(const struct call_entry *entry)
{
    const struct call *call = &entry->call;
    const char *places[PLACES + 1];
    places_of(entry, places);
    /* What changed since it was shown is not what was allowed. */
    bool shown = changes_newest(entry) == call->prompt->changes;
    cleanup_free char *files = shown ? changes_files(entry) : NULL;
    grants_note_seen(call->session->grants, (const char *const *)call->keys, call->prompt->changes,
                     files, entry->builds ? places : NULL);
}

static void end_if_changed(struct orchestrator *orchestrator, struct grants *grants,
                           const struct grant *grant)
{
    if (grant->places == NULL || grant->seen == 0)
        return;
    look_at(orchestrator, grant->places);
    if (newest_in(orchestrator, grant->places) <= grant->seen)
        return;
    cleanup_free char *changed = changed_names(orchestrator, grant->places, grant->seen);
    grants_end_changed(grants, grant->id, changed);
}

void orchestrator_end_changed(struct orchestrator *orchestrator)
{
    for (size_t i = 0; i < orchestrator->session_count; i++) {
        struct grants *grants = orchestrator->sessions[i]->grants;
        for (size_t j = grants_count(grants); j-- > 0;)
            end_if_changed(orchestrator, grants, grants_at(grants, j));
    }
}

void changes_allowed(struct call_entry *entry, uint64_t newest)
{
    struct session *session = entry->call.session;
    if (!entry->builds || newest < session->changes_seen)
        return;
    session->changes_seen = newest;
    session->changes_call = entry->call.id;
}

/* ---- in words -------------------------------------------------------------------------------- */

/* "Makefile (c12)", "setup.py (new, c12)" */
static void describe_change(struct wording *list, const struct build_change *change,
                            const char *place)
{
    cleanup_free char *shown = name_in(change, place);
    cleanup_free char *call = xasprintf("c%" PRIu64, change->call);
    bool known = change->call != 0;
    if (change->made)
        wording_add(list, known ? N_("%s (new, %s)") : N_("%s (new)"), shown, call);
    else if (change->gone)
        wording_add(list, known ? N_("%s (gone, %s)") : N_("%s (gone)"), shown, call);
    else
        wording_add(list, known ? "%s (%s)" : "%s", shown, call);
}

/* Adds the changes of a place to the list; returns how many more there are than fit. */
static size_t list_changes(const struct call_entry *entry, const char *place, struct wording *list,
                           size_t *shown)
{
    /* The first look at a place is no change of anything. */
    uint64_t since = entry->changes_since > 1 ? entry->changes_since : 1;
    struct build_change changes[SHOWN_MAX];
    size_t room = SHOWN_MAX - *shown;
    size_t count =
        build_files_changes(entry->orchestrator->build_files, place, since, changes, room);
    for (size_t i = 0; i < count && i < room; i++) {
        if ((*shown)++ > 0)
            wording_add_words(list, ", ");
        describe_change(list, &changes[i], place);
    }
    return count > room ? count - room : 0;
}

struct wording *changes_describe(const struct call_entry *entry)
{
    cleanup_wording struct wording *list = wording_new();
    const char *places[PLACES + 1];
    size_t shown = 0, more = 0, count = entry->builds ? places_of(entry, places) : 0;
    for (size_t i = 0; i < count; i++)
        more += list_changes(entry, places[i], list, &shown);
    if (shown == 0)
        return entry->changes_unknown
                   ? wording_from(
                         N_("what it runs is not known to be as when you allowed it, in another "
                            "console"))
                   : NULL;
    struct wording *text = wording_new();
    cleanup_free char *allowed = xasprintf("c%" PRIu64, entry->changes_call);
    if (entry->changes_since > 0)
        wording_add(text, N_("since you allowed %s: "), allowed);
    else
        wording_add_words(text, N_("since this console first looked: "));
    wording_append(text, list);
    cleanup_free char *number = xasprintf("%zu", more);
    if (more > 0)
        wording_add(text, N_(" and %s more"), number);
    return text;
}
