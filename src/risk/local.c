/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/local.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/shell_flow.h"
#include "command/wrapper.h"
#include "risk/local-int.h"
#include "risk/place.h"

/* Scripts in a line, of all depths together. */
#define SCRIPTS_MAX 64

#define LINE_LOOKED_AT ((size_t)64 * 1024)

/* ---- texts ----------------------------------------------------------------------------------- */

const char *local_keep(const struct assessor *assessor, char *string)
{
    struct knowledge *known = assessor->known;
    known->strings =
        xreallocarray(known->strings, known->string_count + 1, sizeof(*known->strings));
    known->strings[known->string_count++] = string;
    return string;
}

/* ---- files that are written ------------------------------------------------------------------ */

static bool holds_one(const char *path, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(path, names[i]) != NULL)
            return true;
    return false;
}

/* Files of the system that say who may do what. */
static const char *const grants_rights[] = {"authorized_keys", "/etc/sudoers", "/etc/passwd",
                                            "/etc/shadow",     "/etc/group",   "/etc/pam.d",
                                            "/etc/doas.conf",  "/etc/polkit",  "/etc/security"};
/* … what is watched and forbidden. */
static const char *const guards[] = {"/selinux/",     "/etc/audit",    "/etc/apparmor",
                                     "/etc/fail2ban", "/etc/ufw",      "/etc/firewalld",
                                     "/etc/rsyslog",  "/etc/nftables", "/etc/iptables"};

/* Hooks can lie beside .git too. */
static bool is_of_git(const char *path)
{
    static const char *const directories[] = {"/.git/", "/.githooks/", "/.husky/"};
    for (size_t i = 0; i < COUNT(directories); i++)
        if (strcasestr(path, directories[i]) != NULL ||
            strncasecmp(path, directories[i] + 1, strlen(directories[i] + 1)) == 0)
            return true;
    return false;
}

/* Of what lies in a home directory and is the operator's to change. */
static enum phrase phrase_of_own(enum place place)
{
    switch (place) {
    case PLACE_OBEYED:
        return PHRASE_obeyed_files;
    case PLACE_LOGIN:
        return PHRASE_login_files;
    case PLACE_PROGRAM:
        return PHRASE_own_programs;
    default:
        return PHRASE_startup_files;
    }
}

static struct finding judge_place(const struct assessor *assessor, const char *path)
{
    cleanup_free char *there = local_from_here(assessor, path);
    unsigned rights =
        holds_one(path, grants_rights, COUNT(grants_rights)) ? RISK_PRIVILEGE_ESCALATION : 0;
    unsigned watch = holds_one(path, guards, COUNT(guards)) ? RISK_COMPLIANCE : 0;
    enum place place = local_place(assessor, path);
    enum phrase outside =
        local_place_is_sure(assessor, path) ? PHRASE_outside : PHRASE_perhaps_outside;
    local_note_place(assessor, path, place);
    switch (place) {
    case PLACE_NOWHERE:
        return (struct finding){RISK_LOW, 0, PHRASE_reads, 0, 0, NULL};
    case PLACE_WORKSPACE:
    case PLACE_TEMPORARY:
        return (struct finding){RISK_MEDIUM, 0, PHRASE_edits, 0, 0, path};
    case PLACE_OUTSIDE:
        return (struct finding){RISK_MEDIUM, 0, outside, 0, 0, path};
    case PLACE_CODE:
        return (struct finding){RISK_HIGH,
                                RISK_SYSTEM_MODIFICATION,
                                is_of_git(there) ? PHRASE_git_runs : PHRASE_here_runs,
                                0,
                                0,
                                path};
    case PLACE_APPROVER:
        return (struct finding){
            RISK_HIGH, RISK_SYSTEM_MODIFICATION | RISK_COMPLIANCE, PHRASE_approver_files, 0, 0,
            path};
    case PLACE_STARTUP:
    case PLACE_OBEYED:
    case PLACE_LOGIN:
    case PLACE_PROGRAM:
        return (struct finding){RISK_HIGH,
                                RISK_SYSTEM_MODIFICATION | rights,
                                rights != 0 ? PHRASE_remote_access : phrase_of_own(place),
                                0,
                                0,
                                path};
    case PLACE_LOG:
        return (struct finding){RISK_HIGH, RISK_COMPLIANCE, PHRASE_hides_traces, 0, 0, path};
    case PLACE_DEVICE:
        return (struct finding){RISK_HIGH, RISK_SYSTEM_MODIFICATION, PHRASE_device, 0, 0, path};
    case PLACE_SYSTEM:
        break;
    }
    return (struct finding){
        RISK_HIGH, RISK_SYSTEM_MODIFICATION | rights | watch, PHRASE_system_files, 0, 0, path};
}

void local_note_written(const struct assessor *assessor, const char *path, size_t start, size_t end)
{
    struct finding finding = judge_place(assessor, path);
    finding.start = start;
    finding.end = end;
    if (finding.object != NULL)
        finding.object = local_name_object(assessor, finding.object);
    if (finding.level > RISK_LOW)
        local_note(assessor, finding);
}

void local_note_target(const struct assessor *assessor, const char *path, size_t start, size_t end)
{
    cleanup_free char *directory = xasprintf("%s/", path);
    enum place place = local_place(assessor, path);
    bool file = place == PLACE_NOWHERE || place > PLACE_OUTSIDE;
    bool into = !file && local_place(assessor, directory) > PLACE_OUTSIDE;
    local_note_written(assessor, into ? local_keep(assessor, steal_pointer(&directory)) : path,
                       start, end);
}

/* ---- redirections ---------------------------------------------------------------------------- */

/* Does the command print nothing, so that a file it is sent to ends up empty? */
static bool prints_nothing(const struct shell_node *node)
{
    static const char *const silent[] = {":", "true", "exec"};
    if (node->kind != SHELL_COMMAND)
        return false;
    if (node->word_count == 0)
        return true;
    const char *name = node->words[0].text;
    for (size_t i = 0; i < COUNT(silent); i++)
        if (node->word_count == 1 && strcmp(name, silent[i]) == 0)
            return true;
    const char *last = node->words[node->word_count - 1].text;
    if (strcmp(name, "cat") == 0)
        return node->word_count == 2 && strcmp(last, "/dev/null") == 0;
    if (strcmp(name, "echo") == 0)
        return node->word_count == 1 ||
               (strcmp(node->words[1].text, "-n") == 0 &&
                (node->word_count == 2 || (node->word_count == 3 && *last == '\0')));
    return strcmp(name, "printf") == 0 && node->word_count == 2 && *last == '\0';
}

static void assess_output(const struct assessor *assessor, const struct shell_node *node,
                          const struct shell_redirect *redirect, const char *path)
{
    const struct shell_word *target = &redirect->target;
    local_note_written(assessor, path, target->start, target->end);
    bool empties = redirect->kind == SHELL_TO && prints_nothing(node) &&
                   place_of(path, assessor->cwd, assessor->roots) != PLACE_NOWHERE;
    if (empties)
        local_note(assessor, (struct finding){RISK_HIGH, RISK_DATA_DELETION, PHRASE_empties,
                                              target->start, target->end, path});
}

static void assess_redirect(const struct assessor *assessor, const struct shell_node *node,
                            const struct shell_redirect *redirect)
{
    bool open;
    if (redirect->kind == SHELL_COPY || redirect->kind == SHELL_HEREDOC ||
        redirect->kind == SHELL_HERE_STRING)
        return;
    const char *path = local_resolve(assessor, &redirect->target, &open);
    struct finding finding = {
        RISK_HIGH, 0, PHRASE_reads_secrets, redirect->target.start, redirect->target.end, path};
    if (strncmp(path, "/dev/tcp/", 9) == 0 || strncmp(path, "/dev/udp/", 9) == 0) {
        finding.categories = RISK_NETWORK_ACCESS | RISK_DATA_EXFILTRATION;
        finding.phrase = PHRASE_connects_shell;
        local_note(assessor, finding);
    } else if (redirect->kind != SHELL_FROM) {
        assess_output(assessor, node, redirect, path);
    } else if (place_is_secret(path)) {
        finding.categories = RISK_DATA_EXFILTRATION;
        local_note(assessor, finding);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* ${NAME@P} expands the value once more, substitutions included. */
static void assess_expansions(const struct assessor *assessor, const struct shell_node *node)
{
    for (size_t i = 0; i < node->word_count; i++)
        if (!node->words[i].literal && strstr(node->words[i].text, "@P}") != NULL)
            local_note(assessor, (struct finding){RISK_HIGH, 0, PHRASE_made_up_code,
                                                  node->words[i].start, node->words[i].end, NULL});
}

/* for NAME in WORD …: the name stands for its words, the first that is a secret or the first. */
static void bind_loop(const struct assessor *assessor, const struct shell_node *node)
{
    if (node->word_count < 4 || strcmp(node->words[0].text, "for") != 0 ||
        strcmp(node->words[2].text, "in") != 0)
        return;
    bool open;
    const char *value = local_resolve(assessor, &node->words[3], &open);
    for (size_t i = 3; i < node->word_count; i++)
        if (place_is_secret(node->words[i].text))
            value = node->words[i].text;
    local_set_loop_variable(assessor, node->words[1].text, value,
                            node->word_count > 4 ||
                                !(node->words[3].literal || node->words[3].glob));
}

/* for i in $(seq 1 100000), for i in {1..5000} */
static bool counts_far(const struct shell_node *node)
{
    for (size_t i = 0; i < node->word_count && node->kind == SHELL_HEADER; i++)
        for (const char *at = node->words[i].text; *at != '\0'; at++) {
            size_t digits = strspn(at, "0123456789");
            if (digits >= 4)
                return true;
            at += digits > 0 ? digits - 1 : 0;
        }
    return false;
}

/* while true; do COMMAND & done, or a thousand times */
static bool starts_without_end(const struct shell_tree *tree)
{
    const unsigned both = SHELL_IN_LOOP | SHELL_IN_BACKGROUND;
    bool endless = false, starts = false;
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i];
        const char *name = node->word_count == 1 ? node->words[0].text : "";
        if ((node->context & SHELL_IN_LOOP) != 0)
            endless =
                endless || strcmp(name, "true") == 0 || strcmp(name, ":") == 0 || counts_far(node);
        starts = starts || (node->context & both) == both;
    }
    return endless && starts;
}

/* A function that pipes itself into itself: NAME() { NAME | NAME & }; NAME, whatever its name. */
static bool is_fork_bomb(const struct shell_tree *tree)
{
    for (size_t i = 1; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i], *before = &tree->nodes[i - 1];
        if (node->operator_ == SHELL_PIPE && node->word_count == 1 && before->word_count == 1 &&
            (node->context & SHELL_IN_FUNCTION) != 0 &&
            strcmp(before->words[0].text, node->words[0].text) == 0)
            return true;
    }
    return false;
}

static bool is_endless_source(const struct shell_word *word)
{
    static const char *const sources[] = {"/dev/zero", "/dev/urandom", "/dev/random"};
    return IS_IN(word->text, sources);
}

/* Does the command read all of what never ends: cat /dev/zero, tr x y < /dev/urandom? */
static bool reads_without_end(const struct shell_node *node)
{
    static const char *const readers[] = {"cat", "tail", "sort",      "tr",     "grep",   "gzip",
                                          "wc",  "rev",  "sha256sum", "base64", "md5sum", "cp"};
    bool reader = false, endless = false;
    for (size_t i = 0; i < COUNT(readers) && node->word_count > 0; i++)
        reader = reader || strcmp(node->words[0].text, readers[i]) == 0;
    for (size_t i = 1; i < node->word_count; i++)
        endless = endless || is_endless_source(&node->words[i]);
    for (size_t i = 0; i < node->redirect_count; i++)
        endless = endless || (node->redirects[i].kind == SHELL_FROM &&
                              is_endless_source(&node->redirects[i].target));
    return reader && endless;
}

static bool node_is(const struct shell_node *node, const char *name)
{
    return node->word_count > 0 && strcmp(node->words[0].text, name) == 0;
}

/* Something that never ends by itself: while true; do …; done without a pause or a way out, or a
 * reader of what never ends whose output nobody cuts off. */
static bool runs_without_end(const struct shell_tree *tree)
{
    bool slowed = false, reads = false, cut = false;
    size_t conditions = 0, works = 0;
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i];
        bool loop = (node->context & SHELL_IN_LOOP) != 0;
        bool nothing = node->word_count == 1 && (node_is(node, "true") || node_is(node, ":"));
        conditions += loop && nothing;
        works += loop && !nothing && node->word_count > 0;
        slowed = slowed || node_is(node, "sleep") || node_is(node, "break") ||
                 node_is(node, "read") || node_is(node, "wait") || node_is(node, "exit") ||
                 node_is(node, "return") || node_is(node, "inotifywait");
        reads = reads || reads_without_end(node);
        cut = cut || node_is(node, "head") || node_is(node, "dd") || node_is(node, "timeout");
    }
    bool endless = conditions > 0 && conditions + works > 1;
    return (endless && !slowed) || (reads && !cut);
}

/* A function by the name of a program that is known: whoever reads the call thinks of that. */
static void assess_header(const struct assessor *assessor, const struct shell_node *node)
{
    bool function = node->word_count == 1 && strcmp(node->words[0].text, "{") != 0;
    if (function && effects_knows(node->words[0].text))
        local_note(assessor, (struct finding){RISK_HIGH, 0, PHRASE_shadows, node->start, node->end,
                                              node->words[0].text});
}

/* i++ and the like: words between (( and )) that are no programs. */
static bool only_computes(const struct assessor *assessor, const struct shell_node *node)
{
    bool open;
    if ((node->context & SHELL_IN_OTHER_SHELL) == 0)
        return false;
    if (node->kind != SHELL_COMMAND || node->word_count == 0)
        return true;
    const char *text = local_resolve(assessor, &node->words[0], &open);
    cleanup_free char *name = xstrndup(text, strcspn(text, " \t\n"));
    cleanup_free const char **words = shell_tree_argv(node);
    words[0] = name;
    if (strcmp(name, "[[") == 0)
        return true;
    return strchr(name, '/') == NULL && !effects_knows(name) &&
           wrapper_skip(words, node->word_count) == 0 && !wrapper_raises(words, node->word_count);
}

static void assess_node(const struct assessor *outer, const struct shell_node *node)
{
    struct assessor inner = *outer;
    const struct assessor *assessor = &inner;
    bool open;
    inner.node = node;
    if (only_computes(assessor, node))
        return;
    for (size_t i = 0; i < node->redirect_count; i++)
        assess_redirect(assessor, node, &node->redirects[i]);
    for (size_t i = 0; i < node->assignment_count; i++) {
        const char *text = local_resolve(assessor, &node->assignments[i], &open);
        local_assess_assignment(assessor, text, &node->assignments[i]);
        if (node->word_count == 0)
            local_set_variable(assessor, text);
    }
    assess_expansions(assessor, node);
    if (node->kind == SHELL_HEADER) {
        bind_loop(assessor, node);
        assess_header(assessor, node);
    } else if (node->kind == SHELL_COMMAND && node->word_count > 0)
        local_assess_words(assessor, node);
    else if (node->kind == SHELL_COMMAND && node->assignment_count > 0)
        local_note(assessor, (struct finding){RISK_LOW, 0, PHRASE_sets_variables, node->start,
                                              node->end, NULL});
}

static void assess_tree(const struct assessor *outer, const struct shell_tree *tree,
                        const char *text, size_t length)
{
    struct assessor inner = *outer;
    const struct assessor *assessor = &inner;
    struct shell_script script;
    struct finding whole = {.end = length, .level = RISK_HIGH};
    bool *downloads = shell_flow_downloads(tree);
    shell_parse(text, length, &script);
    inner.tree = tree;
    inner.script = &script;
    inner.downloads = downloads;
    if (is_fork_bomb(tree) || starts_without_end(tree)) {
        whole.phrase = PHRASE_endless_processes;
        whole.categories = RISK_RESOURCE_EXHAUSTION;
        local_note(assessor, whole);
    }
    if (runs_without_end(tree)) {
        whole.phrase = PHRASE_endless;
        whole.categories = RISK_RESOURCE_EXHAUSTION;
        local_note(assessor, whole);
    }
    for (size_t i = 0; i < tree->count; i++)
        assess_node(assessor, &tree->nodes[i]);
    shell_script_clear(&script);
    free(downloads);
}

void local_read_script(const struct assessor *outer, const char *script, size_t length,
                       size_t start, size_t end, bool remote)
{
    struct assessor assessor = *outer;
    assessor.nesting++;
    assessor.remote = assessor.remote || remote;
    if (assessor.nesting == 1) {
        assessor.start = start;
        assessor.end = end;
    }
    struct finding whole = {.start = start, .end = end, .level = RISK_HIGH};
    whole.phrase = PHRASE_too_long;
    if (assessor.nesting > LOCAL_NESTING_MAX || ++outer->known->scripts > SCRIPTS_MAX) {
        local_note(&assessor, whole);
        return;
    }
    struct shell_tree *tree = shell_tree_new(script, length);
    if (tree->truncated || tree->differs)
        local_note(&assessor, whole);
    assess_tree(&assessor, tree, script, length);
    shell_tree_free(&tree);
}

void local_read_guess(const struct assessor *outer, const char *script, size_t start, size_t end)
{
    struct assessment scratch = {.level = RISK_LOW};
    struct assessor trial = *outer;
    trial.assessment = &scratch;
    local_read_script(&trial, script, strlen(script), start, end, false);
    if (scratch.level == RISK_HIGH)
        local_read_script(outer, script, strlen(script), start, end, false);
}

static void forget(struct knowledge *known)
{
    for (size_t i = 0; i < known->variable_count; i++) {
        free(known->variables[i].name);
        free(known->variables[i].value);
    }
    for (size_t i = 0; i < known->download_count; i++)
        free(known->downloads[i]);
    for (size_t i = 0; i < known->string_count; i++)
        free(known->strings[i]);
    free(known->strings);
    free(known->going.directory);
}

void local_assess(const char *line, size_t length, const char *cwd,
                  const char *const *writable_roots, struct assessment *assessment)
{
    struct knowledge known = {.variable_count = 0};
    /* Nobody reads longer ones, and the operator must not wait for us either. */
    bool cut = length > LINE_LOOKED_AT;
    struct shell_tree *tree = shell_tree_new(line, cut ? LINE_LOOKED_AT : length);
    struct assessor assessor = {
        .assessment = assessment, .known = &known, .cwd = cwd, .roots = writable_roots};
    if (tree->truncated || tree->differs || cut)
        local_note(&assessor, (struct finding){RISK_HIGH, 0, PHRASE_too_long, 0, length, NULL});
    assess_tree(&assessor, tree, line, length);
    shell_tree_free(&tree);
    forget(&known);
}

void local_assess_code(char language, const char *code, size_t length, const char *cwd,
                       const char *const *writable_roots, struct assessment *assessment)
{
    struct knowledge known = {.variable_count = 0};
    struct assessor assessor = {
        .assessment = assessment, .known = &known, .cwd = cwd, .roots = writable_roots};
    local_read_code(&assessor, language, code, length, 0, length);
    forget(&known);
}
