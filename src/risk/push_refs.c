/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/push_refs.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/wrapper.h"
#include "risk/mask.h"

#define REF_MAX ((size_t)1024)
#define REFS_MAX 64 /* that are looked for: no row has room for so many */

/* ---- the words ------------------------------------------------------------------------------- */

/* Options that neither take a word nor say where to or what. */
static bool is_plain_option(const char *word)
{
    static const char *const options[] = {
        "-4",          "-6",          "-q",         "-v",      "--atomic", "--follow-tags",
        "--no-verify", "--porcelain", "--progress", "--quiet", "--verbose"};
    return IS_IN(word, options);
}

static bool read_option(struct push_words *words, const char *word)
{
    const struct {
        const char *name;
        bool *is_there;
    } options[] = {{"-d", &words->deletes},     {"-f", &words->forces},
                   {"--all", &words->all},      {"--delete", &words->deletes},
                   {"--force", &words->forces}, {"--mirror", &words->mirror},
                   {"--prune", &words->prunes}, {"--tags", &words->tags},
                   {"-n", &words->tries},       {"--dry-run", &words->tries},
                   {"-u", &words->tracks},      {"--set-upstream", &words->tracks}};
    if (strncmp(word, "--force-with-lease", 18) == 0)
        return words->forces = true;
    for (size_t i = 0; i < COUNT(options); i++)
        if (strcmp(word, options[i].name) == 0)
            return *options[i].is_there = true;
    return is_plain_option(word);
}

/* "-fu" is "-f" and "-u". */
static bool read_options(struct push_words *words, const char *word)
{
    bool known = word[1] != '\0';
    if (word[1] == '-')
        return read_option(words, word);
    for (const char *letter = word + 1; known && *letter != '\0'; letter++)
        known = read_option(words, (const char[]){'-', *letter, '\0'});
    return known;
}

static bool is_option(const char *word)
{
    return *word == '-';
}

bool push_words_read(const char *const *argv, struct push_words *words)
{
    *words = (struct push_words){.remote = NULL};
    if (argv[0] == NULL || strcmp(wrapper_basename(argv[0]), "git") != 0 || argv[1] == NULL ||
        strcmp(argv[1], "push") != 0)
        return false;
    for (words->refspecs = argv + 2; *words->refspecs != NULL && words->remote == NULL;)
        words->remote = is_option(*words->refspecs++) ? NULL : words->refspecs[-1];
    for (const char *const *word = argv + 2; *word != NULL; word++)
        if (is_option(*word) && !read_options(words, *word))
            return false;
    return true;
}

/* ":old" or "+:old"; ":" and "+:" stand for the branches that both sides have. */
static bool deletes_ref(const char *refspec)
{
    refspec += *refspec == '+';
    return *refspec == ':' && refspec[1] != '\0';
}

enum push_deed push_words_deed(const struct push_words *words)
{
    size_t deleted = 0, others = 0;
    bool forces = words->forces;
    for (const char *const *word = words->refspecs; *word != NULL; word++) {
        if (is_option(*word))
            continue;
        if (words->deletes || deletes_ref(*word))
            deleted++;
        else
            others++;
        forces = forces || **word == '+';
    }
    if (words->mirror || words->prunes)
        return PUSH_EITHER;
    if (deleted > 0)
        return others > 0 || words->all || words->tags ? PUSH_EITHER : PUSH_DELETES;
    return forces ? PUSH_REWRITES : PUSH_EITHER;
}

/* ---- a branch -------------------------------------------------------------------------------- */

char *push_quoted(const char *word)
{
    struct strbuf line = STRBUF_INIT;
    if (*word != '\0' && strpbrk(word, " ()\"'\\") == NULL)
        return xstrdup(word);
    text_quote_argv(&line, (const char *const[]){word, NULL});
    return strbuf_steal(&line);
}

bool push_refs_is_alias(const char *books, const char *name)
{
    static const char reference[] = "ref:";
    cleanup_free char *path = xasprintf("%s/%s", books, name);
    size_t length;
    cleanup_free char *text = fd_read_file(path, REF_MAX, true, &length);
    return text != NULL ? strncmp(text, reference, strlen(reference)) == 0
                        : errno != ENOENT && errno != ENOTDIR;
}

/* Has it there the name that it has here? Git looks for one in these places, and one that stands
 * for another branch is pushed as that. */
static bool keeps_its_name(const char *books, const char *name)
{
    static const char *const places[] = {"%s",
                                         "refs/%s",
                                         "refs/tags/%s",
                                         "refs/heads/%s",
                                         "refs/remotes/%s",
                                         "refs/remotes/%s/HEAD"};
    if (books == NULL || *name == '/' || strstr(name, "..") != NULL || strpbrk(name, "@~^") != NULL)
        return false;
    for (size_t i = 0; i < COUNT(places); i++) {
        size_t front = strcspn(places[i], "%");
        cleanup_free char *place =
            xasprintf("%.*s%s%s", (int)front, places[i], name, places[i] + front + 2);
        if (push_refs_is_alias(books, place))
            return false;
    }
    return true;
}

static void add(struct strbuf *out, const char *before, const char *name)
{
    cleanup_free char *safe = mask_word((const char *const[]){"git", "push", name, NULL}, 2);
    cleanup_free char *shown = push_quoted(safe);
    strbuf_addf(out, "%s%s", before, shown);
}

static void add_tag(struct strbuf *out, const char *name)
{
    add(out, out->length > 0 ? ", tag " : "tag ", name);
}

bool push_refs_names_tag(const char *books, const char *name)
{
    cleanup_free char *tag = xasprintf("%s/refs/tags/%s", books, name);
    cleanup_free char *branch = xasprintf("%s/refs/heads/%s", books, name);
    return access(tag, F_OK) == 0 && access(branch, F_OK) != 0;
}

/* "+SOURCE:TARGET", see git-push(1). `tags`: what is a tag now is called one. */
static bool add_ref(struct strbuf *out, const char *refspec, const char *books, const char *branch,
                    bool alone, bool tags)
{
    const char *separator = out->length > 0 ? ", " : "";
    const char *source = refspec + (*refspec == '+');
    const char *colon = strchr(source, ':');
    bool head = strcmp(source, "HEAD") == 0 || strcmp(source, "@") == 0;
    if (colon == NULL) {
        const char *name = head && books != NULL ? branch : source;
        bool keeps = name != source || keeps_its_name(books, name);
        if (keeps && name == source && tags && push_refs_names_tag(books, name))
            add_tag(out, name);
        else
            add(out, separator, name);
        return keeps;
    }
    if (colon[1] == '\0' || strchr(colon + 1, ':') != NULL)
        return false;
    cleanup_free char *here = xstrndup(source, (size_t)(colon - source));
    if (*here != '\0' && strcmp(here, colon + 1) != 0) {
        add(out, separator, here);
        separator = " -> ";
    } else if (*here == '\0' && !alone) {
        strbuf_addf(out, "%s:", separator);
        separator = "";
    }
    add(out, separator, colon + 1);
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool only_deletes(const struct push_words *words)
{
    for (const char *const *word = words->refspecs; *word != NULL; word++)
        if (!is_option(*word) && **word != ':')
            return false;
    return true;
}

/* "tag NAME" */
static bool is_tag(const struct push_words *words, const char *const *word)
{
    return !words->deletes && strcmp(*word, "tag") == 0 && word[1] != NULL && !is_option(word[1]) &&
           strpbrk(word[1], ":+^") == NULL;
}

/* What it names, one after the other; *count is how many. "^" takes others out, and of too many
 * none is told. */
static bool add_named(struct strbuf *out, const struct push_words *words, const char *books,
                      const char *branch, size_t *count)
{
    bool alone = only_deletes(words), good = true;
    for (const char *const *word = words->refspecs; good && *word != NULL; word++) {
        if (is_option(*word))
            continue;
        if (++*count > REFS_MAX || **word == '^')
            good = false;
        else if (is_tag(words, word))
            add_tag(out, *++word);
        else if (strcmp(*word, "tag") == 0)
            good = false;
        else if (!words->deletes)
            good = add_ref(out, *word, books, branch, alone, !words->beside);
        else if ((good = strpbrk(*word, ":+") == NULL))
            add(out, out->length > 0 ? ", " : "", *word);
    }
    return good;
}

char *push_refs(const struct push_words *words, const char *books, const char *branch)
{
    struct strbuf out = STRBUF_INIT;
    size_t count = 0;
    bool whole = words->all || words->mirror;
    bool good = !words->prunes && add_named(&out, words, books, branch, &count) &&
                !(whole && count > 0) && !(words->deletes && (count == 0 || words->tags || whole));
    if (good && whole)
        strbuf_addstr(&out, words->mirror ? _("all branches, tags and other names -> those")
                                          : _("all branches -> branches"));
    else if (good && count == 0 && !words->tags && (good = books != NULL))
        add(&out, "", branch);
    if (good && words->tags && !words->mirror)
        strbuf_addf(&out, "%s%s", out.length > 0 ? ", " : "", _("all tags -> tags"));
    cleanup_free char *text = strbuf_steal(&out);
    return good ? steal_pointer(&text) : NULL;
}
