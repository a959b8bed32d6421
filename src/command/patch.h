/* SPDX-License-Identifier: MIT */
/*
 * patch: changes to files in the format that Codex's apply_patch takes.
 *
 *   *** Begin Patch
 *   *** Add File: PATH            then lines that begin with "+"
 *   *** Delete File: PATH
 *   *** Update File: PATH
 *   *** Move to: PATH             (optional, right behind Update File)
 *   @@ LINE                       (optional: look for this line first; may be repeated)
 *    context, -removed, +added
 *   \ No newline at end of file   (optional: the line before it, the file's last, has no line end)
 *   *** End of File               (optional: the lines before it are the file's last)
 *   *** End Patch
 *
 * Pure: it reads the text and works out contents; files are the business of whoever applies it.
 * Paths are as written: relative to the call's directory or absolute, untrusted.
 */
#ifndef ASSENT_COMMAND_PATCH_H
#define ASSENT_COMMAND_PATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"

/* A longer patch is refused; nobody reads it. */
#define PATCH_SIZE_MAX ((size_t)4 * 1024 * 1024)
#define PATCH_CHANGES_MAX 1024

enum patch_kind { PATCH_ADD, PATCH_DELETE, PATCH_UPDATE };

struct patch_line {
    char mark;        /* ' ' context, '-' removed, '+' added */
    const char *text; /* in the patch's text, without mark and line end; not NUL-terminated */
    size_t length;
};

struct patch_hunk {
    struct patch_line *anchors; /* of its "@@ LINE"s, mark '@'; owned */
    size_t anchor_count;
    struct patch_line *lines; /* owned */
    size_t count;
    bool at_end;   /* "*** End of File" */
    bool unended;  /* "\ No newline at end of file" */
    size_t number; /* of its first line in the patch, from 1 */
};

struct patch_change {
    enum patch_kind kind;
    char *path;    /* owned */
    char *move_to; /* PATCH_UPDATE, or NULL; owned */
    struct patch_hunk
        *hunks; /* PATCH_ADD: one, of '+' lines only (none for an empty file); owned */
    size_t count;
};

struct patch {
    char *text; /* what the lines point into; owned */
    struct patch_change *changes;
    size_t count;
};

/* Reads `length` bytes of any content. 0, or -1 with "line N: what was found: what was expected".
 * Free the result with patch_clear() in any case. A path is named once only. */
int patch_parse(const char *text, size_t length, struct patch *patch, struct error *error);
void patch_clear(struct patch *patch);

/* Every path that the patch touches, absolute (`cwd` in front of relative ones; "." and ".." are
 * resolved as text, before any link), moves with both, sorted, each once. NULL-terminated; caller
 * frees with strv_free(). */
char **patch_paths(const struct patch *patch, const char *cwd);

/* An absolute path made from one of the patch, as above. Caller frees. */
char *patch_path_absolute(const char *path, const char *cwd);

/* What the file holds afterwards. `old` is what it holds now (PATCH_UPDATE; else ignored). Context
 * is found as written, else without regard to spaces at line ends, else at both ends of lines. The
 * lines that stay keep their bytes, and its line ends stay what they are. 0, or -1 with a message
 * that names the patch's line and the text that was not found. */
int patch_apply(const struct patch_change *change, const char *old, size_t old_length,
                struct strbuf *result, struct error *error);

/* Counts of lines added and removed. */
void patch_count(const struct patch *patch, size_t *added, size_t *removed);

#endif
