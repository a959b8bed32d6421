/* SPDX-License-Identifier: MIT */
/* local_command: one command: what the tables say of it, and where its files are. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/wrapper.h"
#include "risk/local-int.h"
#include "risk/local_subject.h"
#include "risk/place.h"

/* Commands among other commands' words, in a line. */
#define RESTS_MAX 64

static const struct shell_word *word_at(const struct view *view, size_t index)
{
    return &view->node->words[view->first + index];
}

static void note_word(const struct assessor *assessor, const struct view *view, size_t index,
                      enum risk_level level, unsigned categories, enum phrase phrase)
{
    const struct shell_word *word = word_at(view, index);
    local_note(assessor, (struct finding){level, categories, phrase, word->start, word->end,
                                          local_name_object(assessor, view->words[index])});
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool is_secret_to_read(const struct assessor *assessor, const char *path)
{
    cleanup_free char *there = local_from_here(assessor, path);
    return place_is_secret(there);
}

static void read_operand(const struct assessor *assessor, const struct view *view, size_t index)
{
    if (is_secret_to_read(assessor, local_file_named(view, view->words[index])))
        note_word(assessor, view, index, RISK_HIGH, RISK_DATA_EXFILTRATION, PHRASE_reads_secrets);
}

static void write_operand(const struct assessor *assessor, const struct view *view, size_t index)
{
    const struct shell_word *word = word_at(view, index);
    local_note_written(assessor, local_file_named(view, view->words[index]), word->start,
                       word->end);
}

/* cp, mv, ln: a secret of the workspace may be moved about in it. */
static void move_operand(const struct assessor *assessor, const struct view *view, size_t index)
{
    const char *path = local_file_named(view, view->words[index]);
    bool moves = strcmp(wrapper_basename(view->words[0]), "mv") == 0;
    enum place place = local_place(assessor, path);
    if (place != PLACE_WORKSPACE)
        read_operand(assessor, view, index);
    if (moves && place >= PLACE_CODE)
        write_operand(assessor, view, index);
}

static void judge_operands(const struct assessor *assessor, const struct view *view,
                           const struct effect_reading *reading, enum effect_place place)
{
    for (size_t i = 0; i < reading->operand_count; i++) {
        bool last = i + 1 == reading->operand_count;
        size_t index = reading->operands[i];
        if (i == 0 && place == EFFECT_WRITES && local_says_how(view, index))
            continue;
        if (place == EFFECT_READS)
            read_operand(assessor, view, index);
        else if (place == EFFECT_WRITES)
            write_operand(assessor, view, index);
        else if (place == EFFECT_MOVES && last)
            local_note_target(assessor, local_file_named(view, view->words[index]),
                              word_at(view, index)->start, word_at(view, index)->end);
        else if (place == EFFECT_MOVES)
            move_operand(assessor, view, index);
    }
}

static void assess_files(const struct assessor *assessor, const struct view *view,
                         const struct effect_reading *reading)
{
    for (size_t i = 0; i < reading->file_count; i++) {
        const struct effect_file *file = &reading->files[i];
        const struct shell_word *word = word_at(view, file->word);
        if (strcmp(file->path, "-") == 0)
            continue;
        if (file->output)
            local_note_target(assessor, file->path, word->start, word->end);
        else if (is_secret_to_read(assessor, file->path))
            note_word(assessor, view, file->word, RISK_HIGH, RISK_DATA_EXFILTRATION,
                      PHRASE_reads_secrets);
    }
}

/* "x/.git", "x/.git/": what no commit brings back. */
static bool is_history(const char *path)
{
    size_t length = strlen(path);

    while (length > 1 && path[length - 1] == '/')
        length--;
    return length >= 4 && strncasecmp(path + length - 4, ".git", 4) == 0 &&
           (length == 4 || path[length - 5] == '/');
}

/* As the command finds it: `git -C DIR` goes there first. The caller frees. */
static char *operand_path(const struct assessor *assessor, const struct view *view, size_t index)
{
    const char *word = view->words[index];
    bool led = strcmp(wrapper_basename(view->words[0]), "git") == 0 && index > 2 &&
               strcmp(view->words[1], "-C") == 0 && strchr("/~$", *word) == NULL;
    cleanup_free char *joined = led ? xasprintf("%s/%s", view->words[2], word) : xstrdup(word);
    return led && local_is_plain_directory(assessor, view->words[2]) ? place_straighten(joined)
                                                                     : steal_pointer(&joined);
}

/* Files that are deleted, where it matters more than elsewhere. */
static void judge_deleted(const struct assessor *assessor, const struct view *view,
                          const struct effect_reading *reading, enum phrase phrase)
{
    bool files = phrase == PHRASE_deletes || phrase == PHRASE_deletes_forced ||
                 phrase == PHRASE_deletes_found || phrase == PHRASE_deletes_untracked ||
                 phrase == PHRASE_deletes_ignored || phrase == PHRASE_deletes_whole;
    for (size_t i = 0; i < reading->operand_count; i++) {
        size_t index = reading->operands[i];
        cleanup_free char *path = operand_path(assessor, view, index);
        enum place place = local_place(assessor, path);
        bool known = word_at(view, index)->literal || *view->words[index] == '~';
        if (known)
            local_note_place(assessor, path, place);
        if (files && is_history(view->words[index]))
            note_word(assessor, view, index, RISK_HIGH, RISK_DATA_DELETION, PHRASE_deletes_history);
        if (place > PLACE_OUTSIDE)
            write_operand(assessor, view, index);
        else if (files && place == PLACE_OUTSIDE && known)
            note_word(assessor, view, index, RISK_HIGH, RISK_DATA_DELETION,
                      local_place_is_sure(assessor, path) ? PHRASE_deletes_outside
                                                          : PHRASE_deletes_perhaps_outside);
    }
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool all_on_this_machine(const struct view *view, const struct effect_reading *reading)
{
    for (size_t i = 0; i < reading->operand_count; i++)
        if (!place_is_this_machine(view->words[reading->operands[i]]))
            return false;
    return reading->operand_count > 0;
}

/* Programs whose output is worth hiding in the name of a host or in an address. */
static bool is_telling(const char *name)
{
    static const char *const names[] = {
        "cat",     "env", "printenv", "base64",  "whoami", "hostname", "id",  "head",
        "tail",    "xxd", "tar",      "gzip",    "grep",   "awk",      "sed", "od",
        "openssl", "ls",  "find",     "history", "pass",   "gpg"};
    return IS_IN(name, names);
}

/* curl "https://x/?d=$(cat file)", ping $(hostname).x */
static void judge_addresses(const struct assessor *assessor, const struct view *view)
{
    const struct shell_tree *tree = assessor->tree;
    for (size_t i = 1; i < view->count; i++) {
        const struct shell_word *word = word_at(view, i);
        if (word->literal)
            continue;
        for (size_t j = 0; j < tree->count; j++) {
            const struct shell_node *node = &tree->nodes[j];
            if (node->start >= word->start && node->end <= word->end && node != view->node &&
                node->word_count > 0 && is_telling(wrapper_basename(node->words[0].text)))
                note_word(assessor, view, i, RISK_HIGH,
                          RISK_NETWORK_ACCESS | RISK_DATA_EXFILTRATION, PHRASE_sends);
        }
    }
}

/* ---- programs -------------------------------------------------------------------------------- */

static bool is_interpreter(const char *name)
{
    static const char *const names[] = {"sh",  "bash", "zsh",  "python", "python3", "node",
                                        "npx", "perl", "ruby", "php",    "xargs",   "java",
                                        "bun", "deno", "tsx",  "bunx",   "nodejs",  "ts-node"};
    return IS_IN(name, names);
}

/* shutdown -h halts. */
static bool halts_with_h(const char *program)
{
    static const char *const names[] = {"shutdown", "halt", "poweroff",
                                        "reboot",   "init", "telinit"};
    const char *name = wrapper_basename(program);
    return IS_IN(name, names);
}

static bool only_asks_for_help(const struct view *view)
{
    static const char *const words[] = {"--version", "-V",      "--help", "help",
                                        "-version",  "--usage", "-h"};
    const char *last = view->words[view->count - 1];
    if (strchr(view->words[0], '/') != NULL && strncmp(view->words[0], "/usr/", 5) != 0)
        return false;
    if (view->count > 2) {
        for (size_t i = 1; i < view->count; i++)
            if (strcmp(view->words[i], "--") == 0 || strcmp(view->words[i], "run") == 0)
                return false;
        bool asks = strcmp(last, "--help") == 0 || strcmp(last, "-help") == 0 ||
                    (strcmp(last, "help") == 0 && strcmp(view->words[0], "aws") == 0);
        return asks && !is_interpreter(view->words[0]) && effects_knows(view->words[0]);
    }
    for (size_t i = 0; i < COUNT(words) && view->count == 2; i++)
        if (strcmp(last, words[i]) == 0)
            return strcmp(last, "-h") != 0 || !halts_with_h(view->words[0]);
    return false;
}

/* A path that is not one of the system's own programs: whoever wrote the file chose what runs. */
static bool is_own_program(const char *path)
{
    static const char *const places[] = {"/bin/", "/usr/", "/sbin/", "/opt/"};
    if (strchr(path, '/') == NULL)
        return false;
    for (size_t i = 0; i < COUNT(places); i++)
        if (strncmp(path, places[i], strlen(places[i])) == 0)
            return false;
    return true;
}

/* How many of the operands are the subcommand's own words. */
static size_t depth_of(const struct effect *effect)
{
    size_t depth = 0;
    for (const char *at = effect->path; *at != '\0'; at += strspn(at, " ")) {
        depth += *at != '*' || at[1] != '*';
        at += strcspn(at, " ");
    }
    return depth;
}

/* `git checkout COMMIT FILE…`: of a first word that is no file git says that it is a commit, or it
 * is one that is gone, of which nothing is lost. */
static bool leads_with_commit(const struct assessor *assessor, const struct view *view,
                              const struct effect_reading *reading, size_t depth)
{
    if (depth == 0 || reading->operand_count < depth + 2 ||
        strcmp(view->words[reading->operands[depth - 1]], "checkout") != 0)
        return false;
    size_t first = reading->operands[depth];
    return word_at(view, first)->literal &&
           local_checkout_is_no_file(assessor, reading, view->words[first]);
}

/* `git checkout COMMIT -- FILE…`: what is written stands behind the dashes. */
static size_t skip_commit(const struct assessor *assessor, const struct view *view,
                          const struct effect_reading *reading, size_t depth)
{
    size_t dashes = 0;
    for (size_t i = 1; i < view->count && dashes == 0; i++)
        if (strcmp(view->words[i], "--") == 0)
            dashes = i;
    while (depth < reading->operand_count && reading->operands[depth] < dashes)
        depth++;
    bool leads = dashes == 0 && leads_with_commit(assessor, view, reading, depth);
    return leads ? depth + 1 : depth;
}

/* Up to three operands behind the subcommand, as what it is done to. */
static const char *objects_of(const struct assessor *assessor, const struct view *view,
                              const struct effect_reading *reading, const struct effect *effect)
{
    struct strbuf text = STRBUF_INIT;
    size_t depth = depth_of(effect);
    if (depth == 0 && reading->operand_count > 1 && local_says_how(view, reading->operands[0]))
        depth = 1;
    if (effect->phrase == PHRASE_throws_away)
        depth = skip_commit(assessor, view, reading, depth);
    for (size_t i = depth; i < reading->operand_count && i < depth + 3; i++)
        strbuf_addf(&text, "%s%s", i > depth ? ", " : "",
                    local_name_object(assessor, view->words[reading->operands[i]]));
    if (reading->operand_count > depth + 3)
        strbuf_addstr(&text, " …");
    return text.length > 0 ? local_keep(assessor, strbuf_steal(&text)) : NULL;
}

/* sort -o OUT IN: what its options say that it writes, up to three; NULL: none. */
static const char *outputs_of(const struct assessor *assessor, const struct effect_reading *reading)
{
    struct strbuf text = STRBUF_INIT;
    size_t count = 0;
    for (size_t i = 0; i < reading->file_count && count <= 3; i++)
        if (reading->files[i].output && ++count <= 3)
            strbuf_addf(&text, "%s%s", count > 1 ? ", " : "",
                        local_name_object(assessor, reading->files[i].path));
    if (count > 3)
        strbuf_addstr(&text, " …");
    return text.length > 0 ? local_keep(assessor, strbuf_steal(&text)) : NULL;
}

/* find . -name '*.o' -delete: all its words but that. One of them alone would read as what goes. */
static const char *search_of(const struct assessor *assessor, const struct view *view)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 1; i < view->count; i++) {
        const char *word[] = {view->words[i], NULL};
        if (strcmp(view->words[i], "-delete") == 0)
            continue;
        strbuf_addstr(&text, text.length > 0 ? " " : "");
        text_quote_argv(&text, word);
    }
    return text.length > 0 ? local_keep(assessor, strbuf_steal(&text)) : NULL;
}

/* The word behind the option of `git switch -C BRANCH START` and `git checkout -B BRANCH START`;
 * directly behind "git" -C takes a directory. */
static const char *made_anew(const struct view *view)
{
    static const char *const options[] = {"-B", "-C", "--force-create"};
    static const char *const verbs[] = {"checkout", "switch"};
    bool behind = false;
    for (size_t i = 1; i + 1 < view->count; i++) {
        if (behind && IS_IN(view->words[i], options))
            return view->words[i + 1];
        behind = behind || IS_IN(view->words[i], verbs);
    }
    return NULL;
}

static bool has_word(const struct view *view, const char *word)
{
    for (size_t i = 1; i < view->count; i++)
        if (strcmp(view->words[i], word) == 0)
            return true;
    return false;
}

/* "topic -> main": the branch, and where it goes if that is said; of a rename by force, the one
 * that was there. */
static const char *moved_of(const struct assessor *assessor, const struct view *view,
                            const struct effect_reading *reading, const struct effect *effect)
{
    const char *branch = made_anew(view);
    size_t depth = depth_of(effect), last = reading->operand_count;
    if (branch == NULL && has_word(view, "branch") && last > depth)
        branch = view->words[reading->operands[has_word(view, "-M") ? last - 1 : depth]];
    if (branch == NULL)
        return objects_of(assessor, view, reading, effect);
    const char *commit = last > depth ? view->words[reading->operands[last - 1]] : branch;
    return commit == branch ? local_name_object(assessor, branch)
                            : local_keep(assessor, xasprintf("%s -> %s", branch, commit));
}

/* "origin (main, topic)": a remote is no branch. Where it goes in full is told elsewhere, when
 * there is but one (push_target.h). */
static const char *pushed_of(const struct assessor *assessor, const struct view *view,
                             const struct effect_reading *reading, const struct effect *effect)
{
    struct strbuf text = STRBUF_INIT;
    size_t depth = depth_of(effect);
    if (!has_word(view, "push") || reading->operand_count < depth + 2)
        return objects_of(assessor, view, reading, effect);
    strbuf_addf(&text, "%s (", local_name_object(assessor, view->words[reading->operands[depth]]));
    for (size_t i = depth + 1; i < reading->operand_count && i < depth + 4; i++)
        strbuf_addf(&text, "%s%s", i > depth + 1 ? ", " : "",
                    local_name_object(assessor, view->words[reading->operands[i]]));
    strbuf_addstr(&text, reading->operand_count > depth + 4 ? " …)" : ")");
    return local_keep(assessor, strbuf_steal(&text));
}

/* Where it goes; NULL: it stays. */
static const char *commit_of(const struct assessor *assessor, const struct view *view,
                             const struct effect_reading *reading, const struct effect *effect)
{
    static const char *const here[] = {"HEAD", "@"};
    const char *commit = objects_of(assessor, view, reading, effect);
    return commit != NULL && IS_IN(commit, here) ? NULL : commit;
}

static const char *told_of(const struct assessor *assessor, const struct view *view,
                           const struct effect_reading *reading, const struct effect *effect)
{
    const char *outputs = NULL;
    switch (effect->phrase) {
    case PHRASE_edits:
        if (effect->place == EFFECT_NOWHERE)
            outputs = outputs_of(assessor, reading);
        return outputs != NULL ? outputs : objects_of(assessor, view, reading, effect);
    case PHRASE_deletes_found:
        return search_of(assessor, view);
    case PHRASE_moves_branch:
    case PHRASE_moves_reference:
        return moved_of(assessor, view, reading, effect);
    case PHRASE_pushes:
    case PHRASE_pushes_unchecked:
    case PHRASE_changes_remote: /* what it does there in particular comes later */
        return pushed_of(assessor, view, reading, effect);
    case PHRASE_throws_away_to:
        return commit_of(assessor, view, reading, effect);
    default:
        return objects_of(assessor, view, reading, effect);
    }
}

/* tee /dev/null, tee /dev/stderr: what is written is kept nowhere. */
static bool writes_nowhere(const struct assessor *assessor, const struct view *view,
                           const struct effect_reading *reading)
{
    for (size_t i = 0; i < reading->operand_count; i++)
        if (local_place(assessor, view->words[reading->operands[i]]) != PLACE_NOWHERE)
            return false;
    return reading->operand_count > 0;
}

/* Does it only tell what it would do? `*here`: without a connection. The table says it of `git
 * clean`, where the word can be a pattern ("-e --dry-run"). */
static bool only_pretends(const struct view *view, const struct effect *effect, bool *here)
{
    static const char *const names[] = {"aws",  "apt",     "apt-get", "cargo", "git",
                                        "helm", "kubectl", "npm",     "oc",    "rsync"};
    const char *name = wrapper_basename(view->words[0]);
    bool known = false, pretends = false, really = false;
    for (size_t i = 0; i < COUNT(names); i++)
        known = known || strcmp(names[i], name) == 0;
    for (size_t i = 1; i < view->count && strcmp(view->words[i], "--") != 0; i++) {
        const char *word = view->words[i];
        really = really || (strlen(word) > 5 && strncmp("--no-dry-run", word, strlen(word)) == 0);
        *here = *here || strcmp(word, "--dry-run=client") == 0;
        pretends = pretends || *here || strcmp(word, "--dry-run") == 0 ||
                   strcmp(word, "--dryrun") == 0 || strcmp(word, "--dry-run=server") == 0;
    }
    return known && pretends && !really && effect->phrase != PHRASE_runs_hidden &&
           effect->phrase != PHRASE_deletes_untracked && effect->phrase != PHRASE_deletes_ignored &&
           effect->categories != 0;
}

/* What the table has one phrase for. */
static enum phrase phrase_of(const struct view *view, const struct effect_reading *reading,
                             const struct effect *effect, const char *object)
{
    if (effect->phrase == PHRASE_throws_away_to && object == NULL)
        return PHRASE_throws_away;
    return effect->phrase == PHRASE_changes_remote ? local_push_phrase(view, reading)
                                                   : effect->phrase;
}

static void note_effect(const struct assessor *assessor, const struct view *view,
                        const struct effect_reading *reading, const struct effect *effect)
{
    enum risk_level level = (enum risk_level)effect->kind;
    unsigned categories = effect->categories;
    if (effect->place == EFFECT_CONNECTS && all_on_this_machine(view, reading)) {
        bool deletes = (categories & RISK_DATA_DELETION) != 0; /* here as elsewhere */
        bool changes = level == RISK_HIGH || effect->phrase == PHRASE_posts;
        level = deletes ? RISK_HIGH : changes ? RISK_MEDIUM : RISK_LOW;
        categories &= RISK_DATA_DELETION;
    }
    bool here = false, pretends = level == RISK_HIGH && only_pretends(view, effect, &here);
    if (pretends) {
        categories &= here ? 0 : RISK_NETWORK_ACCESS;
        level = categories != 0 ? RISK_MEDIUM : RISK_LOW;
    }
    if (effect->place == EFFECT_WRITES && level == RISK_MEDIUM &&
        writes_nowhere(assessor, view, reading))
        level = RISK_LOW;
    const struct shell_word *words = view->node->words;
    const char *object = level > RISK_LOW ? told_of(assessor, view, reading, effect) : NULL;
    enum phrase phrase =
        pretends && level == RISK_LOW ? PHRASE_reads : phrase_of(view, reading, effect, object);
    local_note(assessor, (struct finding){level, categories, phrase, words[view->first].start,
                                          words[view->first + view->count - 1].end, object});
    if (effect->place == EFFECT_REPOSITORY && (categories & RISK_NETWORK_ACCESS) != 0)
        assessor->assessment->repositories++;
    if ((effect->categories & RISK_NETWORK_ACCESS) != 0)
        judge_addresses(assessor, view);
    if (effect->phrase == PHRASE_fetches || effect->phrase == PHRASE_fetches_repository ||
        effect->phrase == PHRASE_cloud_copy)
        local_remember_downloads(assessor, view, reading);
    if ((effect->categories & RISK_DATA_DELETION) != 0)
        judge_deleted(assessor, view, reading, effect->phrase);
}

/* A function of the line: its commands are judged where they stand. */
static bool is_function(const struct assessor *assessor, const char *name)
{
    const struct shell_tree *tree = assessor->tree;
    for (size_t i = 0; i < tree->count; i++)
        if (tree->nodes[i].kind == SHELL_HEADER && tree->nodes[i].word_count == 1 &&
            strcmp(tree->nodes[i].words[0].text, name) == 0)
            return true;
    return false;
}

static void note_unknown(const struct assessor *assessor, const struct view *view)
{
    if (is_function(assessor, view->words[0])) {
        local_note_view(assessor, view, RISK_LOW, 0, PHRASE_reads);
        return;
    }
    if (strcmp(view->words[0], "{}") == 0) { /* what xargs, find or parallel puts there */
        local_note_view(assessor, view, RISK_HIGH, 0, PHRASE_computed_name);
        return;
    }
    bool own = is_own_program(view->words[0]);
    local_note_view(assessor, view, RISK_MEDIUM, 0, own ? PHRASE_own_source : PHRASE_unknown);
}

static void judge_found(const struct assessor *assessor, const struct view *view,
                        const struct effect_reading *reading)
{
    struct effects_found found;
    enum effect_place place = EFFECT_NOWHERE;
    effects_find(reading, &found);
    for (size_t i = 0; i < found.count; i++) {
        note_effect(assessor, view, reading, found.effects[i]);
        if (found.effects[i]->place != EFFECT_NOWHERE)
            place = found.effects[i]->place;
    }
    if (found.count == 0)
        note_unknown(assessor, view);
    else if (is_own_program(view->words[0]))
        local_note_view(assessor, view, RISK_MEDIUM, 0, PHRASE_own_source);
    judge_operands(assessor, view, reading, place);
    assess_files(assessor, view, reading);
}

void local_assess_program(const struct assessor *assessor, const struct view *view)
{
    struct effect_reading reading;
    if (local_runs_download(assessor, view))
        local_note_view(assessor, view, RISK_HIGH, 0, PHRASE_runs_downloaded);
    effects_read(view->words, view->count, &reading);
    if (!local_assess_special(assessor, view, &reading))
        judge_found(assessor, view, &reading);
    effects_clear(&reading);
}

/* ---- the words of a node --------------------------------------------------------------------- */

/* Is the name of the program only known when it runs? */
static bool name_is_open(const struct shell_word *word, const char *resolved)
{
    if (strcmp(resolved, "[") == 0)
        return false;
    return !word->literal && (word->glob || strpbrk(resolved, "$`{*?") != NULL ||
                              *resolved == '\0' || strncmp(word->text, "<(", 2) == 0);
}

/* script -c CMD FILE, psql -o FILE -c STATEMENT: beside what it is given to run. */
static void assess_outputs(const struct assessor *assessor, const struct view *view)
{
    struct effect_reading reading;
    effects_read(view->words, view->count, &reading);
    assess_files(assessor, view, &reading);
    local_subject_tree(&(struct subject){assessor, view, &reading}, true);
    effects_clear(&reading);
}

static void assess_view(const struct assessor *assessor, const struct view *view)
{
    if (only_asks_for_help(view)) {
        local_note_view(assessor, view, RISK_LOW, 0, PHRASE_reads);
        return;
    }
    bool downloads = assessor->downloads[view->node - assessor->tree->nodes];
    if (downloads)
        local_note_view(assessor, view, RISK_HIGH, 0, PHRASE_runs_downloaded);
    local_assess_carried(assessor, view);
    bool done = local_assess_inner(assessor, view);
    if (done)
        assess_outputs(assessor, view);
    else
        local_assess_program(assessor, view);
}

static void assess_node_view(const struct assessor *assessor, const struct view *view)
{
    local_read_wrapped(assessor, view);
    assess_view(assessor, view);
}

void local_assess_rest(const struct assessor *assessor, const struct view *view, size_t at,
                       bool remote)
{
    struct assessor inner = *assessor;
    struct view rest = *view;
    size_t skipped;
    if (at >= view->count)
        return;
    /* find -exec find -exec …: each of them is looked at for all that stand in front of it. */
    if (inner.known->rests == RESTS_MAX)
        local_note_view(&inner, view, RISK_HIGH, 0, PHRASE_too_long);
    if (++inner.known->rests > RESTS_MAX)
        return;
    inner.remote = inner.remote || remote;
    if (wrapper_raises(view->words + at, view->count - at))
        local_note_view(&inner, view, RISK_HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_raises);
    skipped = at + wrapper_skip(view->words + at, view->count - at);
    rest.first += skipped;
    rest.words += skipped;
    rest.count -= skipped;
    if (rest.count > 0)
        assess_view(&inner, &rest);
}

static const char **resolve_words(const struct assessor *assessor, const struct shell_node *node)
{
    const char **words = shell_tree_argv(node);
    bool open;
    for (size_t i = 0; i < node->word_count; i++)
        words[i] = local_resolve(assessor, &node->words[i], &open);
    return words;
}

/* A word of a wrapper: an assignment, or the name of one that gives other rights. */
static void assess_skipped(const struct assessor *assessor, const struct view *view,
                           const char *text, const struct shell_word *word)
{
    static const char *const names[] = {"chroot", "unshare", "nsenter", "systemd-run", "setpriv"};
    const char *name = wrapper_basename(text);
    local_assess_assignment(assessor, text, word);
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], name) == 0) {
            bool unit = strcmp(name, "systemd-run") == 0; /* which the service manager keeps */
            unsigned system = unit ? RISK_SYSTEM_MODIFICATION : 0;
            local_note(assessor,
                       (struct finding){RISK_HIGH, RISK_PRIVILEGE_ESCALATION | system,
                                        PHRASE_other_rights, word->start, view->node->end, NULL});
        }
}

/* strace -o FILE: what is in front of the command that it runs. */
static void assess_skipped_files(const struct assessor *assessor, const struct view *view)
{
    static const char *const names[] = {"ltrace", "perf", "strace", "time"};
    for (size_t i = 0; i < view->first; i++) {
        struct effect_reading reading;
        struct view own = {
            .node = view->node, .words = view->words + i, .count = view->first - i, .first = i};
        const char *name = wrapper_basename(own.words[0]);
        if (!IS_IN(name, names))
            continue;
        effects_read(own.words, own.count, &reading);
        assess_files(assessor, &own, &reading);
        effects_clear(&reading);
        return; /* what is written by one within the other is not worth the time */
    }
}

void local_assess_words(const struct assessor *assessor, const struct shell_node *node)
{
    const struct shell_word *name = &node->words[0];
    if (!name->literal && strpbrk(name->text, "$`{") != NULL && local_read_expanded(assessor, node))
        return;
    const char **words = resolve_words(assessor, node);
    struct view view = {.node = node, .words = words, .count = node->word_count};
    if (view.count == 2 && only_asks_for_help(&view)) {
        local_note_view(assessor, &view, RISK_LOW, 0, PHRASE_reads);
        free(words);
        return;
    }
    if (wrapper_raises(words, node->word_count))
        local_note_view(assessor, &view, RISK_HIGH, RISK_PRIVILEGE_ESCALATION, PHRASE_raises);
    view.first = wrapper_skip(words, node->word_count);
    for (size_t i = 0; i < view.first; i++)
        assess_skipped(assessor, &view, words[i], &node->words[i]);
    assess_skipped_files(assessor, &view);
    if (view.first == node->word_count) /* nothing is run: env, or sudo -v */
        view.first = 0;
    view.words = words + view.first;
    view.count = node->word_count - view.first;
    if (name_is_open(&node->words[view.first], view.words[0]))
        local_note_view(assessor, &view, RISK_HIGH, 0, PHRASE_computed_name);
    else
        assess_node_view(assessor, &view);
    free(words);
}
