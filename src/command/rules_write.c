/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "command/rules_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/strbuf.h"

#define MARK "  # added by Assent"

/* ---- text ------------------------------------------------------------------------------------ */

static void add_string(struct strbuf *out, const char *text)
{
    strbuf_addch(out, '"');
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            strbuf_addf(out, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7f)
            strbuf_addf(out, "\\x%02x", byte);
        else
            strbuf_addch(out, (char)byte);
    }
    strbuf_addch(out, '"');
}

static void add_list(struct strbuf *out, const char *const *words)
{
    strbuf_addch(out, '[');
    for (size_t i = 0; words[i] != NULL; i++) {
        strbuf_addstr(out, i > 0 ? ", " : "");
        add_string(out, words[i]);
    }
    strbuf_addch(out, ']');
}

static void add_pattern(struct strbuf *out, const struct rules_line *line)
{
    strbuf_addstr(out, "prefix_rule(pattern=");
    add_list(out, line->words);
    if (line->alternatives != NULL) {
        out->length--; /* the bracket */
        strbuf_addstr(out, ", ");
        add_list(out, line->alternatives);
        strbuf_addch(out, ']');
    }
}

static void add_argument(struct strbuf *out, const char *name, const char *text)
{
    if (text == NULL)
        return;
    strbuf_addf(out, ", %s=", name);
    add_string(out, text);
}

char *rules_write_format(const struct rules_line *line)
{
    struct strbuf out = STRBUF_INIT;
    add_pattern(&out, line);
    add_argument(&out, "decision", rule_decision_name(line->decision));
    if (line->decision == RULE_ALLOW)
        add_argument(&out, "sandbox", line->bypass ? "bypass" : "keep");
    if (line->redirect)
        add_argument(&out, "redirect", "workspace");
    if (line->exact)
        strbuf_addstr(&out, ", exact=True");
    add_argument(&out, "cwd", line->cwd);
    add_argument(&out, "project", line->project);
    add_argument(&out, "project_id", line->project != NULL ? line->project_id : NULL);
    strbuf_addch(&out, ')');
    return strbuf_steal(&out);
}

char *rules_write_connection(const struct rules_connection *connection)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addstr(&out, "network_rule(host=");
    add_string(&out, connection->host);
    add_argument(&out, "protocol", connection->protocol);
    add_argument(&out, "decision", rule_decision_name(RULE_ALLOW));
    add_argument(&out, "port", connection->port);
    add_argument(&out, "project", connection->project);
    add_argument(&out, "project_id", connection->project != NULL ? connection->project_id : NULL);
    strbuf_addch(&out, ')');
    return strbuf_steal(&out);
}

char *rules_write_place(const char *path, const char *project, const char *project_id)
{
    struct strbuf out = STRBUF_INIT;
    strbuf_addstr(&out, "read_rule(path=");
    add_string(&out, path);
    add_argument(&out, "project", project);
    add_argument(&out, "project_id", project != NULL ? project_id : NULL);
    strbuf_addch(&out, ')');
    return strbuf_steal(&out);
}

/* ---- the file -------------------------------------------------------------------------------- */

struct rule_file {
    char *path; /* of the file itself, when the name is a link */
    int lock;
    char *text; /* "" when there is none yet */
    size_t length;
};

/* Another console that writes at this moment is done in a moment; the loop does not wait for it. */
static int take_lock(struct rule_file *file, struct error *error)
{
    cleanup_free char *name = xasprintf("%s.lock", file->path);
    file->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file->lock < 0)
        return error_errno(error, errno, "cannot make %s", name);
    if (flock(file->lock, LOCK_EX | LOCK_NB) != 0)
        return error_set(error, errno, "%s is being written by another program: try again",
                         file->path);
    return 0;
}

static int open_file(const char *path, struct rule_file *file, struct error *error)
{
    cleanup_free char *directory = xstrndup(path, (size_t)(strrchr(path, '/') - path));
    *file = (struct rule_file){.lock = -1};
    int result = fd_make_directories(directory, 0700);
    if (result < 0)
        return error_errno(error, -result, "cannot make %s", directory);
    file->path = realpath(path, NULL);
    if (file->path == NULL)
        file->path = xstrdup(path);
    if (take_lock(file, error) != 0)
        return -1;
    file->text = fd_read_file(file->path, RULES_FILE_MAX, false, &file->length);
    if (file->text == NULL && errno != ENOENT)
        return error_errno(error, errno, "cannot read %s", file->path);
    if (file->text == NULL)
        file->text = xstrdup("");
    return 0;
}

static void close_file(struct rule_file *file)
{
    fd_close(&file->lock);
    free(file->path);
    free(file->text);
}

static int replace(const struct rule_file *file, const struct strbuf *text, struct error *error)
{
    int result = fd_replace_file(file->path, strbuf_str(text), text->length, 0600);
    return result == 0 ? 1 : error_errno(error, -result, "cannot write %s", file->path);
}

bool rules_write_has(const char *text, const char *line)
{
    size_t length = strlen(line);
    for (const char *at = text; *at != '\0';) {
        size_t size = strcspn(at, "\n");
        if (size >= length && memcmp(at, line, length) == 0 &&
            (size == length || strchr(" \t#\r", at[length]) != NULL))
            return true;
        at += size + (at[size] == '\n');
    }
    return false;
}

static int add_to(const struct rule_file *file, const char *line, const char *note, char **written,
                  struct error *error)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    if (rules_write_has(file->text, line))
        return 0;
    strbuf_add(&text, file->text, file->length);
    if (text.length > 0 && text.data[text.length - 1] != '\n')
        strbuf_addch(&text, '\n');
    cleanup_free char *whole = xasprintf("%s" MARK "%s%s", line, *note != '\0' ? ", " : "", note);
    strbuf_addf(&text, "%s\n", whole);
    int result = replace(file, &text, error);
    if (result > 0)
        *written = steal_pointer(&whole);
    return result;
}

int rules_write_add(const char *path, const char *line, const char *note, char **written,
                    struct error *error)
{
    struct rule_file file;
    int result = open_file(path, &file, error);
    if (result == 0)
        result = add_to(&file, line, note, written, error);
    close_file(&file);
    return result;
}

/* Is it a line as rules_write_*() make them, and not one that only ends like it? */
static bool is_written(const char *line)
{
    static const char *const beginnings[] = {"prefix_rule(", "network_rule(", "read_rule("};
    for (size_t i = 0; i < COUNT(beginnings); i++)
        if (strncmp(line, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

/* What it says without the mark, which it bears; NULL: it is no such line. Caller frees. */
static char *marked_line(const char *line)
{
    const char *mark = memmem(line, strcspn(line, "\n"), MARK, strlen(MARK));
    return mark != NULL && is_written(line) ? xstrndup(line, (size_t)(mark - line)) : NULL;
}

static const char *next_line(const char *line)
{
    size_t size = strcspn(line, "\n");
    return line + size + (line[size] == '\n');
}

/* Start of the last line that bears the mark, and says `only` if that is not NULL; or NULL. */
static const char *last_marked(const char *text, const char *only)
{
    const char *last = NULL;
    for (const char *at = text; *at != '\0'; at = next_line(at)) {
        cleanup_free char *says = marked_line(at);
        if (says != NULL && (only == NULL || strcmp(says, only) == 0))
            last = at;
    }
    return last;
}

char **rules_write_marked(const char *text)
{
    size_t count = 0;
    char **lines = xcalloc(1, sizeof(*lines));
    for (const char *at = text; *at != '\0'; at = next_line(at)) {
        char *says = marked_line(at);
        if (says == NULL)
            continue;
        lines = xreallocarray(lines, count + 2, sizeof(*lines));
        lines[count++] = says;
        lines[count] = NULL;
    }
    return lines;
}

static int undo_in(const struct rule_file *file, const char *only, char **line, struct error *error)
{
    const char *start = last_marked(file->text, only);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    if (start == NULL)
        return 0;
    const char *end = next_line(start);
    strbuf_add(&text, file->text, (size_t)(start - file->text));
    strbuf_add(&text, end, file->length - (size_t)(end - file->text));
    int result = replace(file, &text, error);
    if (result > 0)
        *line = marked_line(start);
    return result;
}

int rules_write_undo(const char *path, const char *only, char **line, struct error *error)
{
    struct rule_file file;
    int result = open_file(path, &file, error);
    if (result == 0)
        result = undo_in(&file, only, line, error);
    close_file(&file);
    return result;
}
