/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/shell_flow.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "command/wrapper.h"

/* Programs whose output is not in the script. */
static const char *const sources[] = {
    "aria2c",   "axel", "base32", "base64", "bunzip2", "bzip2", "curl", "fetch",   "ftp",
    "gunzip",   "gzip", "http",   "https",  "lynx",    "nc",    "ncat", "openssl", "rev",
    "uudecode", "w3m",  "wget",   "xh",     "xxd",     "xz",    "zcat", "zstd"};

/* Programs that run what they read, and the short options with which code comes as a word, so that
 * standard input is data. */
static const struct interpreter {
    const char *name;
    const char *letters;
} interpreters[] = {
    {"ash", "c"},     {"bash", "c"},  {"bun", "ep"},  {"dash", "c"},  {"deno", ""},
    {"fish", "c"},    {"ksh", "c"},   {"lua", "e"},   {"mksh", "c"},  {"node", "ep"},
    {"nodejs", "ep"}, {"perl", "eE"}, {"php", "rRf"}, {"pypy", "cm"}, {"python", "cm"},
    {"ruby", "e"},    {"sh", "c"},    {"zsh", "c"},
};

/* The program that a node runs in the end, and its words. */
struct call {
    const char **argv; /* all words of the node; owned */
    size_t count;
    size_t first; /* index of the program; `count` when nothing is run */
};

static struct call call_of(const struct shell_node *node)
{
    struct call call = {.argv = shell_tree_argv(node), .count = node->word_count};
    call.first = node->kind == SHELL_COMMAND ? wrapper_skip(call.argv, call.count) : call.count;
    return call;
}

static const char *name_of(const struct call *call)
{
    return call->first < call->count ? wrapper_basename(call->argv[call->first]) : "";
}

/* Perhaps with a version behind its name: python3.11. */
static const struct interpreter *find_interpreter(const char *name)
{
    for (size_t i = 0; i < COUNT(interpreters); i++) {
        size_t length = strlen(interpreters[i].name);
        if (*interpreters[i].name == *name && strncmp(interpreters[i].name, name, length) == 0 &&
            name[length + strspn(name + length, "0123456789.-")] == '\0')
            return &interpreters[i];
    }
    return NULL;
}

bool shell_flow_is_interpreter(const char *program)
{
    return find_interpreter(wrapper_basename(program)) != NULL;
}

static bool is_source(const struct shell_node *node)
{
    struct call call = call_of(node);
    const char *name = name_of(&call);
    bool found = false;
    for (size_t i = 0; i < COUNT(sources) && !found; i++)
        found = *sources[i] == *name && strcmp(sources[i], name) == 0;
    free(call.argv);
    return found;
}

/* How many of the nodes before each print something that is not in the script, themselves or
 * because what feeds them does. */
static size_t *count_carriers(const struct shell_tree *tree)
{
    size_t *before = xcalloc(tree->count + 1, sizeof(*before));
    for (size_t i = 0; i < tree->count; i++) {
        const struct shell_nodes *feeds = &tree->nodes[i].feeds;
        bool fed = before[feeds->last] > before[feeds->first];
        before[i + 1] = before[i] + (fed || is_source(&tree->nodes[i]));
    }
    return before;
}

/* Index of the word that is code or a file of code, `count` when code is read from standard
 * input. */
static size_t find_code_in(const char *const *words, size_t count, size_t first,
                           const struct interpreter *interpreter)
{
    for (size_t i = first + 1; i < count; i++) {
        const char *word = words[i];
        if (strcmp(word, "-") == 0 || strcmp(word, "-s") == 0)
            return count;
        if (word[0] != '-')
            return i;
        if (word[1] != '-' && strpbrk(word + 1, interpreter->letters))
            return i + 1 < count ? i + 1 : i;
        i += word[1] != '-' && strchr(word, 'o') != NULL; /* bash -o NAME */
    }
    return count;
}

static size_t find_code(const struct call *call, const struct interpreter *interpreter)
{
    return find_code_in(call->argv, call->count, call->first, interpreter);
}

size_t shell_flow_code_word(const char *const *words, size_t count)
{
    const struct interpreter *interpreter = find_interpreter(wrapper_basename(words[0]));
    return interpreter != NULL ? find_code_in(words, count, 0, interpreter) : count;
}

/* Is something that carries substituted in the word of node `index`? */
static bool is_made_of_download(const struct shell_tree *tree, const size_t *before, size_t index,
                                const struct shell_word *word)
{
    for (size_t i = index + 1; i < tree->count && tree->nodes[i].start < word->end; i++)
        if (tree->nodes[i].start >= word->start && before[i + 1] > before[i])
            return true;
    return false;
}

/* sh < /dev/tcp/HOST/PORT, sh <<< "$(curl URL)" */
static bool reads_download(const struct shell_tree *tree, const size_t *before, size_t index)
{
    const struct shell_node *node = &tree->nodes[index];
    for (size_t i = 0; i < node->redirect_count; i++) {
        const struct shell_redirect *redirect = &node->redirects[i];
        if (redirect->kind == SHELL_FROM && strncmp(redirect->target.text, "/dev/tcp/", 9) == 0)
            return true;
        if ((redirect->kind == SHELL_FROM || redirect->kind == SHELL_HERE_STRING) &&
            is_made_of_download(tree, before, index, &redirect->target))
            return true;
    }
    return false;
}

static bool runs_download(const struct shell_tree *tree, const size_t *before, size_t index)
{
    const struct shell_node *node = &tree->nodes[index];
    struct call call = call_of(node);
    const char *name = name_of(&call);
    const struct interpreter *interpreter = find_interpreter(name);
    bool eval = strcmp(name, "eval") == 0, found = false;
    bool reads = strcmp(name, "source") == 0 || strcmp(name, ".") == 0;
    size_t code = interpreter != NULL ? find_code(&call, interpreter) : call.first + 1;
    size_t end = eval ? call.count : code + (interpreter != NULL || reads);
    if (interpreter != NULL && code == call.count)
        found = before[node->feeds.last] > before[node->feeds.first] ||
                reads_download(tree, before, index);
    for (size_t i = code; !found && i < end && i < call.count; i++)
        found = is_made_of_download(tree, before, index, &node->words[i]);
    free(call.argv);
    return found;
}

/* ---- code that stands in the script ---------------------------------------------------------- */

/* The words of `echo` and `printf` as they would be printed, near enough to look for commands. */
static void add_printed(const struct shell_node *node, struct strbuf *code)
{
    for (size_t i = 1; i < node->word_count; i++) {
        for (const char *at = node->words[i].text; *at != '\0'; at++) {
            bool newline = at[0] == '\\' && at[1] == 'n';
            strbuf_addch(code, newline ? '\n' : *at);
            at += newline;
        }
        strbuf_addch(code, i + 1 < node->word_count ? ' ' : '\n');
    }
}

/* What here-documents and here-strings hold. */
static void add_heredocs(const struct shell_node *node, struct strbuf *code)
{
    for (size_t i = 0; i < node->redirect_count; i++) {
        const struct shell_redirect *redirect = &node->redirects[i];
        if (redirect->kind == SHELL_HEREDOC && redirect->body != NULL)
            strbuf_addf(code, "%s\n", redirect->body);
        else if (redirect->kind == SHELL_HERE_STRING)
            strbuf_addf(code, "%s\n", redirect->target.text);
    }
}

/* What a node prints, as far as it stands in the script. */
static void add_output(const struct shell_node *node, struct strbuf *code)
{
    struct call call = call_of(node);
    const char *name = name_of(&call);
    if (strcmp(name, "echo") == 0 || strcmp(name, "printf") == 0)
        add_printed(node, code);
    else if (strcmp(name, "cat") == 0 || strcmp(name, "tee") == 0)
        add_heredocs(node, code);
    free(call.argv);
}

static bool reads_shell(const struct shell_node *node)
{
    struct call call = call_of(node);
    const char *name = name_of(&call);
    const struct interpreter *interpreter = find_interpreter(name);
    const char *const *words = call.argv;
    size_t length = strlen(name), next = call.first + 1;
    bool source = next < call.count && (strcmp(name, ".") == 0 || strcmp(name, "source") == 0) &&
                  strcmp(words[next], "/dev/stdin") == 0;
    bool shell = interpreter != NULL && length >= 2 && strcmp(name + length - 2, "sh") == 0 &&
                 find_code(&call, interpreter) == call.count;
    bool later = strcmp(name, "at") == 0 || strcmp(name, "batch") == 0;
    free(call.argv);
    return source || shell || later;
}

char *shell_flow_code(const struct shell_tree *tree, size_t index)
{
    const struct shell_node *node = &tree->nodes[index];
    struct strbuf code = STRBUF_INIT;
    if (!reads_shell(node))
        return NULL;
    add_heredocs(node, &code);
    for (size_t i = node->feeds.first; i < node->feeds.last; i++)
        add_output(&tree->nodes[i], &code);
    return code.length > 0 ? strbuf_steal(&code) : NULL;
}

bool *shell_flow_downloads(const struct shell_tree *tree)
{
    bool *found = xcalloc(tree->count + 1, sizeof(*found));
    size_t *before = count_carriers(tree);
    for (size_t i = 0; i < tree->count; i++)
        found[i] = runs_download(tree, before, i);
    free(before);
    return found;
}
