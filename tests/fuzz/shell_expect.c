/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "shell_expect.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/text.h"
#include "command/wrapper.h"
#include "shell_stub.h"

/* A shell does these itself. */
static const char *const unrecorded[] = {":", "cd"};
/* … and these do not let themselves be replaced by a stand-in in other shells than bash. */
static const char *const stubborn[] = {"[", "times", "help", "caller"};

static bool is_in(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

/* Input comes from files that are there; outputs are those that scripts may leave. `everywhere`:
 * the working directory may be another. */
static bool redirect_succeeds(const struct shell_redirect *redirect, bool everywhere)
{
    static const char *const inputs[] = {"/dev/null", "a.c", "d/e.c"};
    static const char *const outputs[] = {"/dev/null", "o1",  "o2",    "o 3",
                                          "./o1",      "a.c", "d/e.c", "d/o2"};
    switch (redirect->kind) {
    case SHELL_HEREDOC:
    case SHELL_COPY:
        return true;
    case SHELL_FROM:
        return is_in(redirect->target.text, inputs, everywhere ? 1 : COUNT(inputs));
    default:
        return is_in(redirect->target.text, outputs, everywhere ? 5 : COUNT(outputs));
    }
}

static bool redirects_succeed(const struct shell_node *node, bool everywhere)
{
    for (size_t i = 0; i < node->redirect_count; i++)
        if (!redirect_succeeds(&node->redirects[i], everywhere))
            return false;
    return true;
}

/* HOME and OLDPWD are not the business of the forecast. */
static bool is_simple_change(const struct shell_node *node)
{
    return node->word_count == 2 && node->words[1].text[0] != '\0' &&
           node->words[1].text[0] != '-' && !strstr(node->words[1].text, "..") &&
           !node->words[1].glob;
}

bool shell_expect_possible(const struct shell_script *script, struct shell_stage *stage,
                           const char *shell)
{
    bool moves = false;
    for (size_t i = 0; i < script->count; i++) {
        const struct shell_node *node = script->commands[i].node;
        const char *name = script->commands[i].argv[0];
        bool own = is_in(name, stubborn, COUNT(stubborn)) && strcmp(shell, "bash") != 0;
        bool moving = strcmp(name, "cd") == 0;
        moves = moves || moving;
        if (own || !redirects_succeed(node, moves) || (moving && !is_simple_change(node)) ||
            (moves && strchr(name, '/')))
            return false;
        if (!is_in(name, unrecorded, COUNT(unrecorded)) && !shell_stage_offer(stage, name))
            return false;
    }
    return true;
}

/* ---- understood ------------------------------------------------------------------------------ */

struct expected {
    const struct shell_command *command;
    char *directory; /* where it ran */
};

struct forecast {
    const struct shell_script *script;
    const struct shell_stage *stage;
    int policy;
    char *here; /* the working directory now */
    struct expected *list;
    size_t count;
    struct strbuf *wrong;
};

/* Where the parser said that the command runs. */
static bool place_holds(struct forecast *forecast, const struct shell_command *command)
{
    cleanup_free char *there = NULL;
    if (forecast->script->directory) {
        cleanup_free char *path =
            forecast->script->directory[0] == '/'
                ? xstrdup(forecast->script->directory)
                : xasprintf("%s/%s", forecast->stage->work, forecast->script->directory);
        there = realpath(path, NULL);
    }
    bool is_here = strcmp(forecast->here, forecast->stage->work) == 0;
    bool is_there = there && strcmp(forecast->here, there) == 0;
    switch (command->place) {
    case SHELL_HERE:
        return is_here;
    case SHELL_THERE:
        return is_there;
    case SHELL_EITHER:
        return is_here || is_there;
    default:
        return true;
    }
}

/* `cd DIR`: 0 when it can be entered. In a pipeline it leads nowhere. */
static int change_directory(struct forecast *forecast, const char *target, bool piped)
{
    cleanup_free char *path =
        target[0] == '/' ? xstrdup(target) : xasprintf("%s/%s", forecast->here, target);
    struct stat status;
    if (stat(path, &status) < 0 || !S_ISDIR(status.st_mode))
        return 1;
    if (!piped) {
        char *real = realpath(path, NULL);
        free(forecast->here);
        forecast->here = real;
    }
    return 0;
}

/* Notes the command as run; its status. */
static int forecast_command(struct forecast *forecast, const struct shell_command *command,
                            bool piped)
{
    const char *slash = strrchr(command->argv[0], '/');
    if (!place_holds(forecast, command))
        strbuf_addf(forecast->wrong, "%s does not run where it should\n", command->argv[0]);
    if (strcmp(command->argv[0], "cd") == 0)
        return change_directory(forecast, command->argv[1], piped);
    if (strcmp(command->argv[0], ":") == 0)
        return 0;
    forecast->list = xreallocarray(forecast->list, forecast->count + 1, sizeof(*forecast->list));
    forecast->list[forecast->count++] =
        (struct expected){.command = command, .directory = xstrdup(forecast->here)};
    return shell_stub_status(slash ? slash + 1 : command->argv[0], forecast->policy);
}

/* Runs the script in mind: && and || from left to right, a pipeline ends as its last command. */
static void forecast_script(struct forecast *forecast)
{
    const struct shell_script *script = forecast->script;
    int status = 0;
    for (size_t i = 0; i < script->count;) {
        size_t last = i;
        while (last + 1 < script->count && script->operators[last] == SHELL_PIPE)
            last++;
        enum shell_operator before = i > 0 ? script->operators[i - 1] : SHELL_SEQUENCE;
        bool runs = before == SHELL_SEQUENCE || (before == SHELL_AND) == (status == 0);
        for (size_t j = i; runs && j <= last; j++)
            status = forecast_command(forecast, &script->commands[j], last > i);
        i = last + 1;
    }
}

/* Each $? of the text stands for digits, or, where it was quoted, for itself. */
static bool status_fits(const char *text, const char *word)
{
    for (; *text != '\0' && strncmp(text, "$?", 2) != 0; text++, word++)
        if (*text != *word)
            return false;
    if (*text == '\0')
        return *word == '\0';
    if (strncmp(word, "$?", 2) == 0 && status_fits(text + 2, word + 2))
        return true;
    for (size_t digits = strspn(word, "0123456789"); digits > 0; digits--)
        if (status_fits(text + 2, word + digits))
            return true;
    return false;
}

/* What a pattern stands for is an operand: no option, unless what is behind a `--` looks like one.
 */
static bool is_operand(const struct shell_node *node, size_t at, const char *word)
{
    for (size_t i = 1; word[0] == '-' && i < at; i++)
        if (node->words[i].literal && strcmp(node->words[i].text, "--") == 0)
            return true;
    return word[0] != '-';
}

/* A word that is a pattern stands for one word or more that begin as it does. */
static bool words_fit(const struct shell_node *node, size_t at, char *const *words)
{
    if (at == node->word_count)
        return *words == NULL;
    if (*words == NULL)
        return false;
    const struct shell_word *word = &node->words[at];
    if (word->status)
        return status_fits(word->text, *words) && words_fit(node, at + 1, words + 1);
    if (!word->glob || strcmp(word->text, "[") == 0)
        return strcmp(word->text, *words) == 0 && words_fit(node, at + 1, words + 1);
    for (; *words && strncmp(*words, word->text, word->fixed) == 0 && is_operand(node, at, *words);
         words++)
        if (words_fit(node, at + 1, words + 1))
            return true;
    return false;
}

static const struct shell_redirect *heredoc_of(const struct shell_node *node)
{
    for (size_t i = node->redirect_count; i > 0; i--)
        if (node->redirects[i - 1].number == 0)
            return node->redirects[i - 1].kind == SHELL_HEREDOC ? &node->redirects[i - 1] : NULL;
    return NULL;
}

static bool record_fits(const struct expected *expected, const struct shell_record *record)
{
    const struct shell_node *node = expected->command->node;
    const struct shell_redirect *heredoc = heredoc_of(node);
    bool reads = strcmp(node->words[0].text, "tee") == 0 || node->word_count == 1;
    return words_fit(node, 0, record->words) &&
           strcmp(expected->directory, record->directory) == 0 &&
           (!heredoc || !reads || strcmp(heredoc->body, record->input) == 0);
}

/* The `cat` of a "$(cat <<'EOF' …)" is no command of its own: with such a word no `cat` counts. */
static bool is_silent(const struct shell_script *script, char *const *words)
{
    return (script->constructs & SHELL_HEREDOC_LITERAL) && strcmp(words[0], "cat") == 0 &&
           !words[1];
}

static void add_words(struct strbuf *out, const char *title, char *const *words)
{
    strbuf_addf(out, "  %s: ", title);
    text_quote_argv(out, (const char *const *)words);
    strbuf_addch(out, '\n');
}

/* Takes each record off the list of what is expected; in order when nothing runs side by side. */
static void compare(struct forecast *forecast, const struct shell_records *records, bool ordered)
{
    bool *taken = xcalloc(forecast->count + 1, sizeof(*taken));
    size_t next = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct shell_record *record = &records->list[i];
        if (is_silent(forecast->script, record->words))
            continue;
        size_t found = ordered ? next : 0;
        while (found < forecast->count &&
               (taken[found] || is_silent(forecast->script, forecast->list[found].command->argv) ||
                !record_fits(&forecast->list[found], record)) &&
               (!ordered || is_silent(forecast->script, forecast->list[found].command->argv)))
            found++;
        if (found < forecast->count && record_fits(&forecast->list[found], record)) {
            taken[found] = true;
            next = found + 1;
        } else {
            add_words(forecast->wrong, "ran, and was not expected", record->words);
        }
    }
    for (size_t i = 0; i < forecast->count; i++)
        if (!taken[i] && !is_silent(forecast->script, forecast->list[i].command->argv))
            add_words(forecast->wrong, "did not run", forecast->list[i].command->argv);
    free(taken);
}

bool shell_expect_understood(const struct shell_script *script, const struct shell_stage *stage,
                             int policy, const struct shell_records *records, struct strbuf *wrong)
{
    size_t before = wrong->length;
    bool ordered = true;
    struct forecast forecast = {.script = script,
                                .stage = stage,
                                .policy = policy,
                                .wrong = wrong,
                                .here = xstrdup(stage->work)};
    for (size_t i = 0; i + 1 < script->count; i++)
        ordered = ordered && script->operators[i] != SHELL_PIPE;
    forecast_script(&forecast);
    compare(&forecast, records, ordered);
    if (records->leftover)
        strbuf_addf(wrong, "  wrote a file: %s\n", records->leftover);
    if (records->timed_out)
        strbuf_addstr(wrong, "  did not end\n");
    for (size_t i = 0; i < forecast.count; i++)
        free(forecast.list[i].directory);
    free(forecast.list);
    free(forecast.here);
    return wrong->length == before;
}

/* ---- opaque ---------------------------------------------------------------------------------- */

#define SCRIPTS_DEEP 4 /* scripts in scripts */

static bool is_named(const struct shell_tree *tree, const char *name, int depth);

/* In what the command hands to a shell, as an alias does? */
static bool is_handed_over(const struct shell_node *node, const char *name, int depth)
{
    size_t index;
    if (node->kind != SHELL_COMMAND || node->word_count == 0 || depth == 0)
        return false;
    cleanup_free const char **words = shell_tree_argv(node);
    cleanup_free char *script = wrapper_script(words, node->word_count, &index);
    if (script == NULL)
        return false;
    struct shell_tree *inner = shell_tree_new(script, strlen(script));
    bool named = is_named(inner, name, depth - 1);
    shell_tree_free(&inner);
    return named;
}

static bool is_named(const struct shell_tree *tree, const char *name, int depth)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i];
        for (size_t j = 0; j < node->word_count; j++)
            if (strcmp(node->words[j].text, name) == 0)
                return true;
        if (is_handed_over(node, name, depth))
            return true;
    }
    return false;
}

static bool has_computed_name(const struct shell_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i];
        if (node->kind == SHELL_COMMAND && node->word_count > 0 && !node->words[0].literal)
            return true;
        for (size_t j = 0; j < node->redirect_count; j++)
            if (node->redirects[j].kind == SHELL_BOTH && !node->redirects[j].target.literal)
                return true; /* bash expands it twice */
    }
    return false;
}

/* Some word is the text of a "$(cat <<'EOF' …)", whose `cat` is not in the tree. */
static bool has_heredoc_word(const struct shell_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        for (size_t j = 0; j < tree->nodes[i].word_count; j++)
            if (tree->nodes[i].words[j].heredoc)
                return true;
    for (size_t i = 0; i < tree->count; i++)
        for (size_t j = 0; j < tree->nodes[i].redirect_count; j++)
            if (tree->nodes[i].redirects[j].target.heredoc)
                return true;
    return false;
}

bool shell_expect_seen(const struct shell_tree *tree, const struct shell_records *records,
                       struct strbuf *wrong)
{
    size_t before = wrong->length;
    if (tree->truncated || tree->differs || has_computed_name(tree))
        return true;
    for (size_t i = 0; i < records->count; i++) {
        const char *name = records->list[i].words[0];
        bool silent = strcmp(name, "cat") == 0 && has_heredoc_word(tree);
        /* What is a keyword in some shell is passed over. */
        if (!silent && !shell_tree_is_reserved(name) && !is_named(tree, name, SCRIPTS_DEEP))
            add_words(wrong, "ran, and was not seen", records->list[i].words);
    }
    return wrong->length == before;
}
