/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "approval/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "approval/keys.h"
#include "approval/places.h"
#include "base/alloc.h"
#include "base/process.h"
#include "base/random.h"

#define DENIAL_LABEL_BYTES ((size_t)1000) /* of a day there are many */

/* 127 random bits: an id is also what keeps the records of different consoles apart. It begins with
 * a decimal digit, so that the name of a call ("c12") never stands for a session. */
static void session_make_id(char id[40])
{
    unsigned char random[16];
    random_fill(random, sizeof(random));
    random[0] &= 0x7f;
    for (size_t i = 0; i < sizeof(random); i++)
        snprintf(id + 2 * i, 3, "%02x", random[i]);
}

struct session *session_new(enum session_origin origin, const char *name, pid_t peer_pid,
                            const char *peer_exe, struct turn_context *context,
                            const struct clock *clock)
{
    struct session *session = XNEW(struct session);
    session_make_id(session->id);
    session->origin = origin;
    session->name = xstrdup(name);
    session->peer_pid = peer_pid;
    session->peer_exe = peer_exe != NULL ? xstrdup(peer_exe) : NULL;
    session->context = turn_context_ref(context);
    session->denials = &session->own_denials;
    session->grants = grants_new(clock);
    session->rules = rules_new();
    session->started_ms = clock_wall_ms(clock);
    return session;
}

void session_free(struct session **session)
{
    struct session *freed = steal_pointer(session);
    if (freed == NULL)
        return;
    session_denials_clear(&freed->own_denials);
    rules_free(&freed->rules);
    strv_free(&freed->rule_lines);
    grants_free(&freed->grants);
    turn_context_unref(&freed->context);
    places_close(&freed->places);
    free(freed->name);
    free(freed->peer_exe);
    for (size_t i = 0; i < freed->stopped_tree_count; i++)
        stopped_tree_clear(&freed->stopped_trees[i]);
    free(freed->stopped_trees);
    strv_free(&freed->stopped_names);
    free(freed);
}

unsigned session_calls(const struct session *session)
{
    return session->open_calls - session->open_reaches;
}

bool session_abort_ends(const struct call *aborted, const struct call *other, uint64_t up_to)
{
    uint64_t came = other->reach != NULL ? other->reach->command : other->id;
    return other != aborted && other->session == aborted->session &&
           other->state != CALL_FINISHED && (up_to == 0 || came <= up_to);
}

bool session_is_agent(const struct session *session)
{
    return session->origin != SESSION_OPERATOR;
}

struct stopped_tree stopped_tree_of(pid_t root, const char *with)
{
    struct process process = {0};
    process_read(root, &process);
    return (struct stopped_tree){.root = root,
                                 .started = process.started,
                                 .session = process.session,
                                 .with = with != NULL ? xstrdup(with) : NULL};
}

void stopped_tree_clear(struct stopped_tree *stopped)
{
    free(stopped->with);
    *stopped = (struct stopped_tree){0};
}

static struct stopped_tree *find_stopped(const struct session *session, pid_t root)
{
    for (size_t i = 0; i < session->stopped_tree_count; i++)
        if (session->stopped_trees[i].root == root)
            return &session->stopped_trees[i];
    return NULL;
}

/* What has gone may have started others that go on without it. */
static bool still_means(const struct stopped_tree *stopped)
{
    struct process process;
    return !process_read(stopped->root, &process) || process.started == stopped->started;
}

bool stopped_tree_is(const struct stopped_tree *stopped, pid_t root)
{
    return stopped->root == root && still_means(stopped);
}

bool session_tree_is_stopped(const struct session *session, pid_t root)
{
    const struct stopped_tree *stopped = find_stopped(session, root);
    return stopped != NULL && still_means(stopped);
}

pid_t session_stopped_from(const struct session *session, const struct call_client *client)
{
    for (size_t i = 0; i < session->stopped_tree_count; i++) {
        const struct stopped_tree *stopped = &session->stopped_trees[i];
        if (call_client_comes_from(client, stopped->root, stopped->session) && still_means(stopped))
            return stopped->root;
    }
    return 0;
}

static void let_tree_go_on(struct session *session, struct stopped_tree *stopped)
{
    stopped_tree_clear(stopped);
    *stopped = session->stopped_trees[--session->stopped_tree_count];
}

static void stop_tree(struct session *session, pid_t root, const char *with)
{
    struct stopped_tree *stopped = find_stopped(session, root);
    if (stopped == NULL) {
        session->stopped_trees =
            xreallocarray(session->stopped_trees, session->stopped_tree_count + 1,
                          sizeof(*session->stopped_trees));
        stopped = &session->stopped_trees[session->stopped_tree_count++];
        *stopped = (struct stopped_tree){0};
    }
    stopped_tree_clear(stopped);
    *stopped = stopped_tree_of(root, with);
}

void session_stop_tree(struct session *session, pid_t root, bool stop)
{
    struct stopped_tree *stopped = find_stopped(session, root);
    if (stop)
        stop_tree(session, root, NULL);
    else if (stopped != NULL)
        let_tree_go_on(session, stopped);
}

static char **find_name(const struct session *session, const char *name)
{
    for (char **at = session->stopped_names; at != NULL && *at != NULL; at++)
        if (strcasecmp(*at, name) == 0)
            return at;
    return NULL;
}

bool session_name_is_stopped(const struct session *session, const char *name)
{
    return name != NULL && find_name(session, name) != NULL;
}

static void add_line(char ***lines, const char *line)
{
    size_t count = strv_length((const char *const *)*lines);
    *lines = xreallocarray(*lines, count + 2, sizeof(**lines));
    (*lines)[count] = xstrdup(line);
    (*lines)[count + 1] = NULL;
}

void session_stop_name(struct session *session, const char *name, const pid_t *roots,
                       size_t root_count)
{
    if (find_name(session, name) == NULL)
        add_line(&session->stopped_names, name);
    for (size_t i = 0; i < root_count; i++)
        if (!session_tree_is_stopped(session, roots[i]))
            stop_tree(session, roots[i], name);
}

void session_resume_name(struct session *session, const char *name)
{
    char **found = find_name(session, name);
    if (found == NULL)
        return;
    for (size_t i = session->stopped_tree_count; i-- > 0;) {
        struct stopped_tree *tree = &session->stopped_trees[i];
        if (tree->with != NULL && strcasecmp(tree->with, name) == 0)
            let_tree_go_on(session, tree);
    }
    /* `name` may be this very one. */
    char *gone = *found;
    memmove(found, found + 1, (strv_length((const char *const *)found + 1) + 1) * sizeof(*found));
    free(gone);
}

static void clear_denial(struct session_denial *denial)
{
    free(denial->label);
    free(denial->message);
}

void session_denials_clear(struct session_denials *denials)
{
    for (size_t i = 0; i < denials->count; i++)
        clear_denial(&denials->items[i]);
    free(denials->items);
    *denials = (struct session_denials){0};
}

void session_remember_denial(struct session *session, const char *key, const char *label,
                             uint64_t call, const char *message)
{
    struct session_denials *denials = session->denials;
    if (session_find_denial(session, key) != NULL)
        return;
    if (denials->count == SESSION_DENIALS_MAX) {
        clear_denial(&denials->items[0]);
        denials->count--;
        memmove(denials->items, denials->items + 1, denials->count * sizeof(*denials->items));
    }
    denials->items = xreallocarray(denials->items, denials->count + 1, sizeof(*denials->items));
    struct session_denial *denial = &denials->items[denials->count++];
    const struct key_summary summary = keys_summary(key);
    *denial = (struct session_denial){.label = xstrndup(label, DENIAL_LABEL_BYTES),
                                      .host = summary.kind == APPROVED_HOST,
                                      .address = summary.address,
                                      .call = call,
                                      .message = message != NULL ? xstrdup(message) : NULL};
    sha256_of(key, strlen(key), denial->key);
}

static struct session_denial *find(const struct session *session, const char *key)
{
    const struct session_denials *denials = session->denials;
    unsigned char hash[SHA256_SIZE];
    sha256_of(key, strlen(key), hash);
    for (size_t i = 0; i < denials->count; i++)
        if (memcmp(denials->items[i].key, hash, sizeof(hash)) == 0)
            return &denials->items[i];
    return NULL;
}

const struct session_denial *session_find_denial(const struct session *session, const char *key)
{
    return find(session, key);
}

const struct session_denial *session_repeat_denial(struct session *session, const char *key)
{
    struct session_denial *denial = find(session, key);
    if (denial != NULL)
        denial->repeats++;
    return denial;
}

void session_forget_denials(struct session *session)
{
    session_denials_clear(session->denials);
}

static void drop_denial(struct session_denials *denials, struct session_denial *denial)
{
    clear_denial(denial);
    denials->count--;
    memmove(denial, denial + 1,
            (size_t)(denials->items + denials->count - denial) * sizeof(*denial));
}

bool session_forget_denial(struct session *session, const char *key)
{
    struct session_denial *denial = find(session, key);
    if (denial == NULL)
        return false;
    drop_denial(session->denials, denial);
    return true;
}

const struct session_denial *session_denials_find(const struct session_denials *denials,
                                                  uint64_t call)
{
    for (size_t i = 0; i < denials->count; i++)
        if (denials->items[i].call == call)
            return &denials->items[i];
    return NULL;
}

bool session_denials_forget(struct session_denials *denials, uint64_t call)
{
    size_t before = denials->count;
    for (size_t i = denials->count; i-- > 0;)
        if (denials->items[i].call == call)
            drop_denial(denials, &denials->items[i]);
    return denials->count < before;
}

bool session_forget_denials_of(struct session *session, uint64_t call)
{
    return session_denials_forget(session->denials, call);
}

static void read_rule(struct session *session, const char *line)
{
    struct rules_source source = {.path = "session", .layer = RULES_SESSION};
    rules_add_text(session->rules, line, strlen(line), &source, NULL);
}

void session_add_rule(struct session *session, const char *line)
{
    add_line(&session->rule_lines, line);
    read_rule(session, line);
}

bool session_remove_rule(struct session *session, size_t index)
{
    size_t count = strv_length((const char *const *)session->rule_lines);
    if (index >= count)
        return false;
    free(session->rule_lines[index]);
    memmove(&session->rule_lines[index], &session->rule_lines[index + 1],
            (count - index) * sizeof(*session->rule_lines));
    rules_free(&session->rules);
    session->rules = rules_new();
    for (size_t i = 0; i + 1 < count; i++)
        read_rule(session, session->rule_lines[i]);
    return true;
}
