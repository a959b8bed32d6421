/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/git_harmless.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/git_config_harmless.h"
#include "base/git_config_line.h"
#include "base/path.h"
#include "base/strbuf.h"

/* ---- variables -------------------------------------------------------------------------- */

/* Git itself names one for submodules only. What it checks out is written there. */
static bool is_tree_inside(const struct git_harmless_place *place, const char *value)
{
    if (!place || !place->root || !strstr(place->directory, "/modules/") || value[0] == '/')
        return false;
    cleanup_free char *path = xasprintf("%s/%s", place->directory, value);
    cleanup_free char *tree = realpath(path, NULL);
    return tree && path_is_beneath(tree, place->root);
}

static bool is_harmless(const struct git_harmless_place *place, const struct git_config_line *line)
{
    if (strcasecmp(line->name, "core.worktree") == 0)
        return is_tree_inside(place, line->value);
    return git_config_name_is_harmless(line->name, line->subsection, line->value);
}

/* ---- the file --------------------------------------------------------------------------- */

char *git_harmless_copy(const struct git_harmless_place *place, const char *text, size_t length,
                        bool *all)
{
    struct strbuf copy = STRBUF_INIT;
    struct git_config_line line = {0};
    *all = true;
    for (const char *end = text + length; text < end;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text)) ?: end;
        enum git_config_kind kind = git_config_line_read(&line, text, (size_t)(stop - text));
        bool keep = kind == GIT_CONFIG_SECTION ||
                    (kind == GIT_CONFIG_VARIABLE && is_harmless(place, &line));
        if (keep) {
            strbuf_add(&copy, text, (size_t)(stop - text));
            strbuf_addch(&copy, '\n');
        }
        *all = *all && (keep || kind == GIT_CONFIG_NOTHING);
        if (kind == GIT_CONFIG_OTHER)
            break;
        text = stop + 1;
    }
    git_config_line_free(&line);
    return strbuf_steal(&copy);
}

/* ---- a change of the file ---------------------------------------------------------------- */

/* A line, without its end. */
struct piece {
    const char *at;
    size_t length;
};

static struct piece piece_at(const char *text, const char *end)
{
    const char *stop = memchr(text, '\n', (size_t)(end - text)) ?: end;
    return (struct piece){text, (size_t)(stop - text)};
}

static bool is_same(struct piece left, struct piece right)
{
    return left.length == right.length && memcmp(left.at, right.at, left.length) == 0;
}

/* Has `known` this line, below the same section's name? */
static bool has_line(const char *known, struct piece section, struct piece line)
{
    struct piece above = {"", 0};
    for (const char *end = known + strlen(known); known < end;) {
        struct piece piece = piece_at(known, end);
        if (is_same(piece, line) && is_same(above, section))
            return true;
        if (piece.length > 0 && piece.at[0] == '[')
            above = piece;
        known = piece.at + piece.length + 1;
    }
    return false;
}

static void add_line(struct strbuf *copy, struct piece line)
{
    strbuf_add(copy, line.at, line.length);
    strbuf_addch(copy, '\n');
}

static bool may_stay(const char *known, struct piece section, struct piece piece,
                     enum git_config_kind kind, const struct git_config_line *line)
{
    return piece.length == 0 || (kind == GIT_CONFIG_VARIABLE && is_harmless(NULL, line)) ||
           has_line(known, section, piece);
}

/* The name of a section comes with the first line below it that stays. */
static char *copy_lines(const char *known, const char *text, const char *end, bool *all)
{
    struct strbuf copy = STRBUF_INIT;
    struct git_config_line line = {0};
    struct piece section = {"", 0};
    bool named = true;
    while (text < end) {
        struct piece piece = piece_at(text, end);
        enum git_config_kind kind = git_config_line_read(&line, piece.at, piece.length);
        if (kind == GIT_CONFIG_OTHER) { /* nothing that follows can be judged */
            *all = false;
            strbuf_reset(&copy);
            strbuf_addstr(&copy, known);
            break;
        }
        if (kind == GIT_CONFIG_SECTION) {
            section = piece;
            named = false;
        } else if (may_stay(known, section, piece, kind, &line)) {
            if (!named)
                add_line(&copy, section);
            named = true;
            add_line(&copy, piece);
        } else {
            *all = false;
        }
        text = piece.at + piece.length + 1;
    }
    git_config_line_free(&line);
    return strbuf_steal(&copy);
}

char *git_harmless_change(const char *known, const char *text, size_t length, bool *all)
{
    *all = true;
    if (strlen(known) == length && memcmp(known, text, length) == 0)
        return xstrndup(text, length);
    return copy_lines(known, text, text + length, all);
}
