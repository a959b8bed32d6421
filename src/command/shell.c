/* SPDX-License-Identifier: MIT */
/*
 * The strict reading: takes the tree of a script (shell_tree.h) whose reading is exact, and
 * accepts a command only when each of its parts is on a short list. Why a construct may be on it
 * is said at the function that accepts it.
 */
#include "config.h"

#include "command/shell.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/environment.h"
#include "command/shell_evaluates.h"

/* Builtins of bash, dash, ksh or zsh that change or re-read the shell, so that what follows is not
 * what it seems, that run their arguments as shell text, or that evaluate them as arithmetic,
 * in which a subscript may hold a substitution. */
static const char *const shell_changers[] = {
    ".",        "alias",      "autoload",    "bg",       "bind",     "bindkey",    "break",
    "builtin",  "chdir",      "command",     "compgen",  "complete", "compopt",    "continue",
    "declare",  "dirs",       "disable",     "disown",   "emulate",  "enable",     "eval",
    "exec",     "exit",       "export",      "fc",       "fg",       "float",      "functions",
    "getln",    "getopts",    "hash",        "hist",     "history",  "integer",    "jobs",
    "let",      "local",      "logout",      "mapfile",  "nameref",  "popd",       "private",
    "pushd",    "read",       "readarray",   "readonly", "redirect", "rehash",     "return",
    "sched",    "set",        "setopt",      "shift",    "shopt",    "source",     "suspend",
    "trap",     "typeset",    "ulimit",      "umask",    "unalias",  "unfunction", "unhash",
    "unset",    "unsetopt",   "vared",       "wait",     "zcompile", "zformat",    "zle",
    "zmodload", "zparseopts", "zregexparse", "zstyle",
};

/* Programs that read their standard input as data, whatever it says, with any options. */
static const char *const copiers[] = {"cat", "tee"};
static const char *const filters[] = {"cat",  "cut", "grep", "head", "sort",
                                      "tail", "tee", "tr",   "uniq", "wc"};

/* Programs that take no word behind `--` for an option. */
static const char *const honour_dashes[] = {"cat",  "cp",   "diff",  "du", "file", "grep",
                                            "head", "ls",   "mv",    "rg", "rm",   "sort",
                                            "stat", "tail", "touch", "wc"};

/* Programs that print their words, and to which digits in them are nothing else. */
static const char *const printers[] = {"echo", "printf"};

/* What is being judged, and the first thing that makes it opaque. */
struct judge {
    struct shell_script *script;
    unsigned constructs; /* of the command at hand */
    bool prose;
};

/* Makes the script opaque; always false, so that callers can return it. */
static bool opaque(struct judge *judge, const char *reason, size_t offset)
{
    struct shell_script *script = judge->script;
    if (!script->reason || offset < script->offset) {
        script->reason = reason;
        script->offset = offset;
    }
    return false;
}

/* ---- characters ------------------------------------------------------------------------------ */

/* Everything in the script, comments and quotes included, must be what it looks like. */
static bool check_characters(struct judge *judge, const char *text, size_t length)
{
    struct strbuf scratch = STRBUF_INIT;
    bool good = true;
    for (size_t i = 0, step; good && i < length; i += step) {
        unsigned char byte = (unsigned char)text[i];
        step = 1;
        if (byte == '\n' || byte == '\t' || (byte >= 0x20 && byte < 0x7F))
            continue;
        uint32_t codepoint;
        step = text_decode(text + i, length - i, &codepoint);
        strbuf_reset(&scratch);
        if (codepoint == TEXT_INVALID)
            good = opaque(judge, N_("invalid UTF-8"), i);
        else if (codepoint < 0xA0)
            good = opaque(judge, N_("control character"), i);
        else if (text_escape(&scratch, text + i, step, TEXT_PROSE) > 0)
            good = opaque(judge, N_("invisible or misleading character"), i);
        else if (text_escape(&scratch, text + i, step, 0) > 0)
            judge->prose = true;
    }
    strbuf_free(&scratch);
    return good;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* `command -v NAME…` runs nothing, in any shell. */
static bool is_lookup(const struct shell_node *node)
{
    const struct shell_word *words = node->words;
    if (node->word_count < 3 || strcmp(words[0].text, "command") != 0 ||
        (strcmp(words[1].text, "-v") != 0 && strcmp(words[1].text, "-V") != 0))
        return false;
    for (size_t i = 2; i < node->word_count; i++)
        if (!words[i].literal || words[i].text[0] == '-')
            return false;
    return true;
}

static bool judge_name(struct judge *judge, const struct shell_node *node)
{
    const struct shell_word *name = &node->words[0];
    if (name->status)
        return opaque(judge, N_("expansion"), name->start);
    if (name->glob && strcmp(name->text, "[") != 0)
        return opaque(judge, N_("file name pattern"), name->start);
    if (name->heredoc)
        return opaque(judge, N_("command substitution"), name->start);
    if (name->text[0] == '\0')
        return opaque(judge, N_("empty command name"), name->start);
    if (!name->quoted && shell_tree_is_reserved(name->text))
        return opaque(judge, N_("compound command"), name->start);
    if (is_lookup(node)) {
        judge->constructs |= SHELL_LOOKUP;
        return true;
    }
    /* "%1" brings a job to the foreground; "-" is a modifier in zsh. */
    if (IS_IN(name->text, shell_changers) || name->text[0] == '%' || strcmp(name->text, "-") == 0 ||
        shell_evaluates(node))
        return opaque(judge, N_("a builtin that changes the shell"), name->start);
    return true;
}

/* A pattern is replaced by the names of files, each of which begins with what stands in front of
 * the first special character, or it stays as it is. So it cannot become an option, an operator or
 * a program, only operands; where it begins with a special character that holds behind a `--` that
 * the program honours. */
static bool is_harmless_glob(const struct shell_node *node, size_t index)
{
    const struct shell_word *word = &node->words[index];
    if (word->fixed > 0)
        return word->text[0] != '-';
    if (!IS_IN(node->words[0].text, honour_dashes))
        return false;
    for (size_t i = 1; i < index; i++)
        if (node->words[i].literal && strcmp(node->words[i].text, "--") == 0)
            return true;
    return false;
}

static bool judge_words(struct judge *judge, const struct shell_node *node)
{
    for (size_t i = 1; i < node->word_count; i++) {
        const struct shell_word *word = &node->words[i];
        if (word->heredoc)
            judge->constructs |= SHELL_HEREDOC_LITERAL;
        if (word->literal && !word->quoted && strcmp(word->text, "!") == 0)
            judge->constructs |= SHELL_BANG;
        if (word->status) {
            if (!IS_IN(node->words[0].text, printers))
                return opaque(judge, N_("expansion"), word->start);
            judge->constructs |= SHELL_STATUS;
        }
        if (!word->glob)
            continue;
        if (!is_harmless_glob(node, i))
            return opaque(judge, N_("file name pattern"), word->start);
        judge->constructs |= SHELL_GLOB;
    }
    return true;
}

/* An assignment in front of a command changes that command's environment and nothing else; a value
 * is neither split nor matched against files. */
static bool judge_assignments(struct judge *judge, const struct shell_node *node)
{
    for (size_t i = 0; i < node->assignment_count; i++) {
        const struct shell_word *word = &node->assignments[i];
        if (!word->literal || word->heredoc || !environment_is_harmless(word->text))
            return opaque(judge, N_("assignment"), word->start);
        judge->constructs |= SHELL_ENV_PREFIX;
    }
    return true;
}

/* ---- redirections ---------------------------------------------------------------------------- */

/* Named from the working directory downwards. */
static bool is_below(const char *path)
{
    if (path[0] == '\0' || path[0] == '/')
        return false;
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.')
            return false;
    }
    return true;
}

/* A redirection of one of the three standard streams never changes an argv: it opens a file before
 * the command starts, or the command does not start. /dev/null holds nothing and keeps nothing,
 * and a copy of standard output or standard error opens nothing at all. A file becomes the
 * standard input only of programs to which it is data, so that no code comes that way. */
static bool judge_redirect(struct judge *judge, const struct shell_node *node,
                           const struct shell_redirect *redirect)
{
    const struct shell_word *target = &redirect->target;
    const char *text = target->text, *program = node->words[0].text;
    enum shell_redirect_kind kind = redirect->kind;
    bool plain = target->literal && !target->heredoc && !redirect->clobber;
    bool input = redirect->number == 0, output = redirect->number == 1 || redirect->number == 2;
    bool reads = kind == SHELL_FROM, writes = kind == SHELL_TO || kind == SHELL_APPEND;
    if (plain && kind == SHELL_COPY && output && !target->quoted &&
        (strcmp(text, "1") == 0 || strcmp(text, "2") == 0)) {
        judge->constructs |= SHELL_NULL_REDIRECT;
    } else if (plain && (reads || writes) && (input || output) && strcmp(text, "/dev/null") == 0) {
        judge->constructs |= SHELL_NULL_REDIRECT;
    } else if (plain && writes && output && is_below(text)) {
        judge->constructs |= SHELL_WORKSPACE_REDIRECT;
    } else if (plain && reads && input && is_below(text) && IS_IN(program, filters)) {
        judge->constructs |= SHELL_WORKSPACE_REDIRECT;
    } else if (plain && kind == SHELL_HEREDOC && input && redirect->body_literal &&
               IS_IN(program, copiers)) {
        judge->constructs |= SHELL_HEREDOC_INPUT;
    } else {
        return opaque(judge, kind == SHELL_HEREDOC ? N_("here-document") : N_("redirection"),
                      redirect->start);
    }
    return true;
}

static bool judge_redirects(struct judge *judge, const struct shell_node *node)
{
    for (size_t i = 0; i < node->redirect_count; i++)
        if (!judge_redirect(judge, node, &node->redirects[i]))
            return false;
    return true;
}

/* ---- commands -------------------------------------------------------------------------------- */

static bool judge_node(struct judge *judge, const struct shell_node *node)
{
    judge->constructs = 0;
    if (node->word_count == 0)
        return opaque(judge, node->assignment_count > 0 ? N_("assignment") : N_("redirection"),
                      node->start);
    return judge_name(judge, node) && judge_words(judge, node) && judge_assignments(judge, node) &&
           judge_redirects(judge, node);
}

static void add_command(struct judge *judge, const struct shell_node *node)
{
    struct shell_script *script = judge->script;
    const char **argv = shell_tree_argv(node);
    script->commands[script->count] = (struct shell_command){
        .argv = strv_copy(argv),
        .start = node->start,
        .end = node->end,
        .constructs = judge->constructs,
        .node = node,
    };
    free(argv);
    if (script->count > 0)
        script->operators[script->count - 1] = node->operator_;
    script->count++;
    script->constructs |= judge->constructs;
}

static void judge_nodes(struct judge *judge, const struct shell_tree *tree)
{
    struct shell_script *script = judge->script;
    script->commands = xcalloc(tree->count + 1, sizeof(*script->commands));
    script->operators = xcalloc(tree->count + 1, sizeof(*script->operators));
    for (size_t i = 0; i < tree->count; i++) {
        if (!judge_node(judge, &tree->nodes[i]))
            return;
        add_command(judge, &tree->nodes[i]);
    }
}

/* ---- working directory ----------------------------------------------------------------------- */

/* DIR of a leading `cd DIR &&`. With ".." in it a shell and the kernel may mean different places.
 */
static const char *entered_directory(const struct shell_script *script)
{
    const struct shell_node *node = script->commands[0].node;
    if (script->count < 2 || node->word_count != 2 || strcmp(node->words[0].text, "cd") != 0 ||
        node->assignment_count > 0 || script->operators[0] != SHELL_AND)
        return NULL;
    const struct shell_word *word = &node->words[1];
    const char *path = word->text, *rest = path + strspn(path, "/");
    bool clean = (path[0] == '/' && rest[0] == '\0') || is_below(rest);
    return clean && word->literal && !word->heredoc ? path : NULL;
}

/* `cd DIR` goes exactly there when DIR begins with / or ./: CDPATH is not looked at then, and
 * neither HOME nor OLDPWD. "-1" and "+1" are of zsh's list of directories. */
static void find_directory(struct shell_script *script)
{
    const char *path = entered_directory(script);
    if (path != NULL && (path[0] == '/' || strncmp(path, "./", 2) == 0))
        script->directory = path;
    else if (path != NULL && strchr("-+~", path[0]) == NULL)
        script->near_directory = path;
}

bool shell_script_runs_near(const struct shell_script *script, size_t command)
{
    bool near = script->near_directory != NULL && command > 0;
    for (size_t i = 1; near && i <= command; i++)
        near = script->operators[i - 1] != SHELL_OR && script->operators[i - 1] != SHELL_SEQUENCE &&
               strcmp(script->commands[i].argv[0], "cd") != 0;
    return near;
}

/* `cd DIR && A && B | C`: all of these run only when the directory was entered. Behind a `;` or
 * `||` they run also when it was not. Any other `cd` leads nobody knows where. */
static void place_commands(struct shell_script *script)
{
    enum shell_place place = SHELL_HERE;
    find_directory(script);
    for (size_t i = 0; i < script->count; i++) {
        bool sure = i > 0 && script->operators[i - 1] != SHELL_OR &&
                    script->operators[i - 1] != SHELL_SEQUENCE;
        if (place == SHELL_THERE && !sure)
            place = SHELL_EITHER;
        script->commands[i].place = place;
        if (strcmp(script->commands[i].argv[0], "cd") == 0)
            place = i == 0 && script->directory ? SHELL_THERE : SHELL_ANYWHERE;
    }
    if (script->directory) {
        script->commands[0].constructs |= SHELL_CD;
        script->constructs |= SHELL_CD;
    }
}

/* ---- scripts --------------------------------------------------------------------------------- */

static void forget_commands(struct shell_script *script)
{
    for (size_t i = 0; i < script->count; i++)
        strv_free(&script->commands[i].argv);
    free(script->commands);
    free(script->operators);
    script->commands = NULL;
    script->operators = NULL;
    script->count = 0;
    script->constructs = 0;
}

void shell_parse(const char *script, size_t length, struct shell_script *result)
{
    *result = (struct shell_script){.tree = shell_tree_new(script, length)};
    struct judge judge = {.script = result};
    const struct shell_tree *tree = result->tree;
    if (tree->reason)
        opaque(&judge, tree->reason, tree->offset);
    if (length > SHELL_SCRIPT_MAX)
        opaque(&judge, N_("too long"), SHELL_SCRIPT_MAX);
    else
        check_characters(&judge, script, length);
    if (tree->count == 0)
        opaque(&judge, N_("nothing to run"), 0);
    judge_nodes(&judge, tree);
    result->understood = !result->reason;
    if (result->understood)
        place_commands(result);
    else
        forget_commands(result);
    if (result->understood && judge.prose)
        result->constructs |= SHELL_PROSE;
    result->plain = result->understood && (result->constructs & ~(unsigned)SHELL_CD) == 0;
}

void shell_script_clear(struct shell_script *script)
{
    forget_commands(script);
    shell_tree_free(&script->tree);
    *script = (struct shell_script){.plain = false};
}

bool shell_script_within(const struct shell_script *script, unsigned constructs)
{
    return script->understood && (script->constructs & ~(constructs | SHELL_CD)) == 0;
}

const char *shell_construct_name(enum shell_construct construct)
{
    static const char *const names[SHELL_CONSTRUCTS] = {
        "null_redirect",
        "cd",
        "glob",
        "env_prefix",
        "workspace_redirect",
        "heredoc_literal",
        "heredoc_input",
        "prose",
        "status",
        "lookup",
        "bang",
    };
    for (size_t i = 0; i < SHELL_CONSTRUCTS; i++)
        if (construct == 1u << i)
            return names[i];
    return "";
}

const char *shell_operator_text(enum shell_operator operator_)
{
    static const char *const texts[] = {"&&", "||", ";", "|"};
    return texts[operator_];
}

char **shell_plain_words(const char *text)
{
    struct shell_script script;
    char **words = NULL;
    shell_parse(text, strlen(text), &script);
    if (script.plain && script.count == 1)
        words = strv_copy((const char *const *)script.commands[0].argv);
    shell_script_clear(&script);
    return words;
}

const char *shell_wrapped_script(const char *const *argv)
{
    if (!argv[0] || !argv[1] || !argv[2] || argv[3])
        return NULL;
    static const char *const shells[] = {"bash", "sh", "zsh"};
    const char *slash = strrchr(argv[0], '/');
    if (!IS_IN(slash ? slash + 1 : argv[0], shells))
        return NULL;
    /* What begins like an option is one, and no script. */
    bool script = argv[2][0] != '-' && argv[2][0] != '+';
    return script && (strcmp(argv[1], "-c") == 0 || strcmp(argv[1], "-lc") == 0) ? argv[2] : NULL;
}
