/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/local.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/path.h"
#include "command/environment.h"
#include "command/safety.h"
#include "command/shell_flow.h"
#include "command/shell_tree.h"
#include "command/wrapper.h"
#include "risk/effects.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NESTING_MAX 4

struct assessor {
    struct local_result *result;
    const struct shell_tree *tree;
    const bool *downloads; /* for each node: runs what is downloaded or decoded */
    const char *cwd;
    const char *const *roots;
    unsigned nesting;  /* scripts in scripts; 0 is the line itself */
    size_t start, end; /* where a nested script stands in the line */
};

/* One finding: something that the line does. */
struct finding {
    enum risk_level level;
    unsigned categories;
    const char *phrase;
    size_t start, end;
};

static void assess_script(const struct assessor *outer, const char *script, size_t length,
                          size_t start, size_t end);

static void note_phrase(struct local_result *result, const struct finding *finding)
{
    for (size_t i = 0; i < LOCAL_PHRASES; i++) {
        if (result->phrases[i] != NULL && strcmp(result->phrases[i], finding->phrase) == 0)
            return;
        if (result->phrases[i] != NULL && finding->level <= result->levels[i])
            continue;
        for (size_t j = LOCAL_PHRASES - 1; j > i; j--) {
            result->phrases[j] = result->phrases[j - 1];
            result->levels[j] = result->levels[j - 1];
        }
        result->phrases[i] = finding->phrase;
        result->levels[i] = finding->level;
        return;
    }
}

static void note(const struct assessor *assessor, struct finding finding)
{
    struct assessment *assessment = assessor->result->assessment;
    if (assessor->nesting > 0) {
        finding.start = assessor->start;
        finding.end = assessor->end;
    }
    if (finding.level > assessment->level)
        assessment->level = finding.level;
    if (finding.level > RISK_LOW)
        assessment->categories |= finding.categories;
    note_phrase(assessor->result, &finding);
    if (finding.level == RISK_LOW || assessment->evidence_count == RISK_EVIDENCE_MAX)
        return;
    assessment->evidence[assessment->evidence_count++] =
        (struct risk_evidence){.start = finding.start, .end = finding.end, .why = finding.phrase};
}

/* ---- one command ----------------------------------------------------------------------------- */

struct view {
    const struct shell_node *node;
    const char **words; /* from the program on, wrappers passed */
    size_t count;
    size_t first; /* index of the program among the command's words */
};

static struct finding finding_at(const struct view *view, enum risk_level level,
                                 unsigned categories, const char *phrase)
{
    const struct shell_word *words = view->node->words;
    size_t last = view->node->word_count - 1;
    size_t start = view->first <= last ? words[view->first].start : words[0].start;
    return (struct finding){level, categories, phrase, start, words[last].end};
}

/* Is the word, or a part of it, only known when it runs? Patterns of file names and ~ are not
 * meant. What is written $'…' may be known, and yet was not meant to be read. */
static bool is_computed(const struct shell_word *word)
{
    return !word->literal && !word->glob &&
           (word->text[0] == '\0' || strpbrk(word->text, "$`{<>") != NULL ||
            word->end - word->start > strlen(word->text) + 2);
}

static bool is_inside(const struct assessor *assessor, const char *path)
{
    if (path[0] == '~' || path[0] == '$' || strstr(path, "..") != NULL)
        return false;
    if (path[0] != '/')
        return true;
    if (assessor->cwd != NULL && path_is_beneath(path, assessor->cwd))
        return true;
    for (size_t i = 0; assessor->roots != NULL && assessor->roots[i] != NULL; i++)
        if (path_is_beneath(path, assessor->roots[i]))
            return true;
    return false;
}

static bool is_discarded(const char *path)
{
    static const char *const sinks[] = {"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"};
    for (size_t i = 0; i < COUNT(sinks); i++)
        if (strcmp(sinks[i], path) == 0)
            return true;
    return strncmp(path, "/dev/fd/", 8) == 0;
}

/* What it means that a file is written there; false when it means nothing. */
static bool judge_written(const struct assessor *assessor, const char *path,
                          struct finding *finding)
{
    if (is_discarded(path))
        return false;
    finding->level = RISK_MEDIUM;
    finding->categories = 0;
    finding->phrase = N_("creates or changes files");
    if (effects_is_system(path)) {
        finding->level = RISK_HIGH;
        finding->categories = RISK_SYSTEM_MODIFICATION;
        finding->phrase = N_("changes files of the system or of your account");
    } else if (!is_inside(assessor, path)) {
        finding->phrase = N_("changes files outside the workspace");
    }
    return true;
}

static void assess_redirect(const struct assessor *assessor, const struct shell_node *node,
                            const struct shell_redirect *redirect)
{
    const struct shell_word *target = &redirect->target;
    struct finding finding = {.start = target->start, .end = target->end};
    if (redirect->kind == SHELL_COPY || redirect->kind == SHELL_HEREDOC ||
        redirect->kind == SHELL_HERE_STRING)
        return;
    if (strncmp(target->text, "/dev/tcp/", 9) == 0 || strncmp(target->text, "/dev/udp/", 9) == 0) {
        finding.level = RISK_HIGH;
        finding.categories = RISK_NETWORK_ACCESS | RISK_DATA_EXFILTRATION;
        finding.phrase = N_("opens a connection by way of the shell");
        note(assessor, finding);
    } else if (redirect->kind == SHELL_FROM) {
        if (!effects_is_secret(target->text))
            return;
        finding.level = RISK_HIGH;
        finding.categories = RISK_DATA_EXFILTRATION;
        finding.phrase = N_("reads secrets");
        note(assessor, finding);
    } else if (judge_written(assessor, target->text, &finding)) {
        if (node->kind == SHELL_COMMAND && node->word_count == 0 && redirect->kind == SHELL_TO) {
            finding.level = RISK_HIGH;
            finding.categories |= RISK_DATA_DELETION;
            finding.phrase = N_("empties a file");
        }
        note(assessor, finding);
    }
}

static void assess_operands(const struct assessor *assessor, const struct view *view,
                            const struct effect *effect)
{
    for (size_t i = 1; i < view->count; i++) {
        const char *word = view->words[i];
        const struct shell_word *at = &view->node->words[view->first + i];
        struct finding finding = {.start = at->start, .end = at->end};
        if (effect->place == EFFECT_READS_OPERANDS && effects_is_secret(word)) {
            finding.level = RISK_HIGH;
            finding.categories = RISK_DATA_EXFILTRATION;
            finding.phrase = N_("reads secrets");
            note(assessor, finding);
        } else if (effect->place == EFFECT_WRITES_OPERANDS && word[0] != '-' &&
                   strchr(word, '/') != NULL && judge_written(assessor, word, &finding)) {
            note(assessor, finding);
        }
    }
}

static bool names_this_machine(const char *word)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]", "0.0.0.0"};
    const char *host = strstr(word, "://");
    host = host != NULL ? host + 3 : word;
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t length = strlen(names[i]);
        if (strncmp(host, names[i], length) == 0 &&
            (host[length] == '\0' || host[length] == ':' || host[length] == '/'))
            return true;
    }
    return false;
}

/* Only a plain fetch: with options that take values, a word need not be an address. */
static bool connects_locally(const struct view *view, const struct effect *effect)
{
    if (effect->place != EFFECT_CONNECTS || effect->options != NULL)
        return false;
    size_t addresses = 0;
    for (size_t i = 1; i < view->count; i++) {
        if (view->words[i][0] == '-')
            continue;
        addresses++;
        if (!names_this_machine(view->words[i]))
            return false;
    }
    return addresses > 0;
}

static bool only_asks_for_help(const struct view *view)
{
    return view->count == 2 &&
           (strcmp(view->words[1], "--version") == 0 || strcmp(view->words[1], "--help") == 0);
}

static void assess_program(const struct assessor *assessor, const struct view *view)
{
    if (only_asks_for_help(view)) {
        note(assessor,
             finding_at(view, RISK_LOW, 0, N_("reads or prints without changing anything")));
        return;
    }
    const struct effect *effect = effects_find(view->words, view->count);
    if (effect == NULL && strncmp(wrapper_basename(view->words[0]), "mkfs", 4) == 0)
        effect = effects_find((const char *const[]){"mkfs"}, 1);
    if (effect == NULL) {
        note(assessor, finding_at(view, RISK_MEDIUM, 0, N_("runs a program that is not known")));
        return;
    }
    enum risk_level level = connects_locally(view, effect) ? RISK_LOW : effect->level;
    note(assessor, finding_at(view, level, effect->categories, effect->phrase));
    assess_operands(assessor, view, effect);
}

static bool is_in(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static const char *const shells[] = {"bash", "sh", "zsh", "dash", "ksh", "fish"};
static const char *const interpreters[] = {"bash", "sh",     "zsh",     "dash", "ksh",  "fish",
                                           "node", "python", "python3", "perl", "ruby", "php"};
/* What a shell reads in turn: bash -c SCRIPT, eval SCRIPT, ssh HOST SCRIPT. True when that is all
 * that the command does. */
static bool assess_inner(const struct assessor *assessor, const struct view *view)
{
    size_t index, count = view->node->word_count;
    const char **words = shell_tree_argv(view->node);
    cleanup_free char *script = wrapper_script(words, count, &index);
    const struct shell_word *word = script != NULL ? &view->node->words[index] : NULL;
    free(words);
    if (script == NULL)
        return false;
    assess_script(assessor, script, strlen(script), word->start, word->end);
    const char *program = view->count > 0 ? wrapper_basename(view->words[0]) : "";
    return is_in(program, shells, COUNT(shells)) || strcmp(program, "eval") == 0;
}

/* find -exec COMMAND. */
static void assess_found(const struct assessor *assessor, const struct view *view)
{
    for (size_t i = 2; i < view->count; i++) {
        const char *option = view->words[i - 1];
        if (strncmp(option, "-exec", 5) != 0 && strncmp(option, "-ok", 3) != 0)
            continue;
        struct view inner = *view;
        size_t skipped = wrapper_skip(view->words + i, view->count - i);
        inner.first += i + skipped;
        inner.words += i + skipped;
        inner.count -= i + skipped;
        if (inner.count > 0)
            assess_program(assessor, &inner);
    }
}

/* Variables set in front of a command that can make it run something else. */
static void assess_assignment(const struct assessor *assessor, const struct shell_word *word)
{
    static const char *const loaders[] = {"LD_",   "BASH_", "ENV=", "GIT_",   "PATH=",   "PYTHON",
                                          "NODE_", "PERL5", "RUBY", "PAGER=", "EDITOR=", "IFS="};
    for (size_t j = 0; j < COUNT(loaders); j++)
        if (strncmp(word->text, loaders[j], strlen(loaders[j])) == 0 &&
            strchr(word->text, '=') != NULL && !environment_is_harmless(word->text))
            note(assessor, (struct finding){RISK_HIGH, 0,
                                            N_("sets a variable that can make it run other code"),
                                            word->start, word->end});
}

/* Code that an interpreter is given as a word (-c, -e): words in it that delete, start programs or
 * run code that is made up as it goes. */
static bool code_is_rash(const char *code)
{
    static const char *const words[] = {
        "rmtree", "rm_rf", "unlink", "rmSync", "os.remove",  "rmdir",         "system(",   "exec(",
        "spawn",  "popen", "eval",   "`",      "subprocess", "child_process", "b64decode",
    };
    for (size_t i = 0; i < COUNT(words); i++)
        if (strstr(code, words[i]) != NULL)
            return true;
    return false;
}

/* python -c CODE, perl -e CODE; bash -c "$(curl …)"; source <(…). */
static void assess_code(const struct assessor *assessor, const struct view *view)
{
    const char *program = wrapper_basename(view->words[0]);
    bool reads_file = strcmp(program, "source") == 0 || strcmp(program, ".") == 0;
    if (!reads_file && !is_in(program, interpreters, COUNT(interpreters)))
        return;
    for (size_t i = 1; i < view->count; i++) {
        const struct shell_word *word = &view->node->words[view->first + i];
        const char *option = view->words[i - 1];
        bool code = option[0] == '-' && strpbrk(option, "ce") != NULL;
        struct finding finding = {RISK_HIGH, 0, NULL, word->start, word->end};
        if ((code || reads_file) && is_computed(word))
            finding.phrase = N_("runs code that is only made up when it runs");
        else if (code && !is_in(program, shells, COUNT(shells)) && code_is_rash(word->text))
            finding.phrase = N_("runs code that deletes files or starts other programs");
        if (finding.phrase != NULL)
            note(assessor, finding);
    }
}

static void assess_view(const struct assessor *assessor, const struct view *view)
{
    const struct shell_node *node = view->node;
    if (assessor->downloads[node - assessor->tree->nodes])
        note(assessor,
             finding_at(view, RISK_HIGH, 0, N_("runs code that it downloads or decodes")));
    bool only_shell = assess_inner(assessor, view);
    if (view->count == 0) {
        note(assessor, finding_at(view, RISK_LOW, 0, N_("sets variables")));
        return;
    }
    if (is_computed(&node->words[view->first])) {
        note(assessor, finding_at(view, RISK_HIGH, 0, N_("runs a command whose name is computed")));
        return;
    }
    assess_code(assessor, view);
    if (strcmp(wrapper_basename(view->words[0]), "find") == 0)
        assess_found(assessor, view);
    if (!only_shell)
        assess_program(assessor, view);
}

/* ${NAME@P} expands the value once more, substitutions included. */
static void assess_expansions(const struct assessor *assessor, const struct shell_node *node)
{
    for (size_t i = 0; i < node->word_count; i++)
        if (!node->words[i].literal && strstr(node->words[i].text, "@P}") != NULL)
            note(assessor,
                 (struct finding){RISK_HIGH, 0, N_("runs code that is only made up when it runs"),
                                  node->words[i].start, node->words[i].end});
}

static void assess_words(const struct assessor *assessor, const struct shell_node *node)
{
    const char **words = shell_tree_argv(node);
    struct view view = {.node = node};
    assess_expansions(assessor, node);
    if (wrapper_raises(words, node->word_count))
        note(assessor, finding_at(&view, RISK_HIGH, RISK_PRIVILEGE_ESCALATION,
                                  N_("runs with the rights of root or another user")));
    view.first = wrapper_skip(words, node->word_count);
    for (size_t i = 0; i < view.first; i++)
        assess_assignment(assessor, &node->words[i]);
    view.words = words + view.first;
    view.count = node->word_count - view.first;
    if (view.count == 0 && strcmp(wrapper_basename(words[0]), "env") == 0) {
        view.first = 0; /* env on its own prints */
        view.words = words;
        view.count = 1;
    }
    assess_view(assessor, &view);
    free(words);
}

static void assess_node(const struct assessor *assessor, const struct shell_node *node)
{
    for (size_t i = 0; i < node->redirect_count; i++)
        assess_redirect(assessor, node, &node->redirects[i]);
    for (size_t i = 0; i < node->assignment_count; i++)
        assess_assignment(assessor, &node->assignments[i]);
    if (node->kind == SHELL_COMMAND && node->word_count > 0)
        assess_words(assessor, node);
    else if (node->kind == SHELL_COMMAND && node->assignment_count > 0)
        note(assessor, (struct finding){RISK_LOW, 0, N_("sets variables"), node->start, node->end});
}

/* while true; do COMMAND & done */
static bool starts_without_end(const struct shell_tree *tree)
{
    const unsigned both = SHELL_IN_LOOP | SHELL_IN_BACKGROUND;
    bool endless = false, starts = false;
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_node *node = &tree->nodes[i];
        const char *name = node->word_count == 1 ? node->words[0].text : "";
        if ((node->context & SHELL_IN_LOOP) != 0)
            endless = endless || strcmp(name, "true") == 0 || strcmp(name, ":") == 0;
        starts = starts || (node->context & both) == both;
    }
    return endless && starts;
}

static void assess_tree(struct assessor *assessor, const struct shell_tree *tree)
{
    bool *downloads = shell_flow_downloads(tree);
    assessor->tree = tree;
    assessor->downloads = downloads;
    for (size_t i = 0; i < tree->count; i++)
        assess_node(assessor, &tree->nodes[i]);
    free(downloads);
}

static void assess_script(const struct assessor *outer, const char *script, size_t length,
                          size_t start, size_t end)
{
    struct assessor assessor = *outer;
    assessor.nesting++;
    if (assessor.nesting == 1) {
        assessor.start = start;
        assessor.end = end;
    }
    struct finding whole = {.start = start, .end = end, .level = RISK_HIGH};
    struct shell_tree *tree = shell_tree_new(script, length);
    if (assessor.nesting > NESTING_MAX || tree->truncated) {
        whole.phrase = N_("is longer or deeper than can be looked at");
        note(&assessor, whole);
    }
    if (assessor.nesting <= NESTING_MAX)
        assess_tree(&assessor, tree);
    shell_tree_free(&tree);
}

/* `:(){ :|:& };:`, unless it is text inside a word. */
static bool is_fork_bomb(const char *line, size_t length, const struct shell_tree *tree)
{
    const char *found = memmem(line, length, ":(){", 4);
    if (found == NULL)
        return false;
    size_t at = (size_t)(found - line);
    for (size_t i = 0; i < tree->count; i++)
        for (size_t j = 0; j < tree->nodes[i].word_count; j++) {
            const struct shell_word *word = &tree->nodes[i].words[j];
            if (word->start < at && word->end > at + 4)
                return false;
        }
    return true;
}

void local_assess(const char *line, size_t length, const char *cwd,
                  const char *const *writable_roots, struct local_result *result)
{
    struct shell_tree *tree = shell_tree_new(line, length);
    struct assessor assessor = {.result = result, .cwd = cwd, .roots = writable_roots};
    struct finding whole = {.end = length, .level = RISK_HIGH};
    if (tree->truncated) {
        whole.phrase = N_("has more commands than can be looked at");
        note(&assessor, whole);
    }
    if (is_fork_bomb(line, length, tree) || starts_without_end(tree)) {
        whole.phrase = N_("starts processes without end");
        whole.categories = RISK_RESOURCE_EXHAUSTION;
        note(&assessor, whole);
    }
    assess_tree(&assessor, tree);
    shell_tree_free(&tree);
    /* What asks even inside the sandbox is never shown as less. */
    const char *danger = safety_danger_of_script(line, length);
    if (danger != NULL && result->assessment->level < RISK_HIGH) {
        whole.phrase = danger + strlen("it ");
        whole.categories = 0;
        note(&assessor, whole);
    }
}
