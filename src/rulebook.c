/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "rulebook.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/strbuf.h"
#include "command/rules_write.h"
#include "config/paths.h"

#define TRUST_MAX ((size_t)1024 * 1024)
/* A project's files are an agent's to write: what is more than a person reads is a problem. */
#define PROJECT_FILE_MAX ((size_t)1024 * 1024)
#define PROJECT_FILES_MAX 64

struct book_file {
    char *path;
    enum rules_layer layer;
    char *text;
    size_t length;
};

struct rulebook {
    struct book_file *files; /* weakest layer first */
    size_t count;
    char *root; /* or NULL */
    char *own;
    bool decided; /* by the operator, about the project's files as they are here */
    bool trusted;
    char *unread; /* a file could not be read at all, or NULL */
    char *problem;
    struct rules *ready; /* loaded, and not given away yet; or NULL */
    char **written;      /* see rulebook_written(); NULL: not looked for yet */
};

/* ---- reading --------------------------------------------------------------------------------- */

static void note_unread(struct rulebook *book, const char *path)
{
    if (book->unread == NULL)
        book->unread = xasprintf("cannot read %s: %s", path, strerror(errno));
}

static void read_file(struct rulebook *book, const char *path, enum rules_layer layer)
{
    size_t length;
    bool project = layer == RULES_PROJECT;
    char *text = fd_read_file(path, project ? PROJECT_FILE_MAX : RULES_FILE_MAX, project, &length);
    if (text == NULL) {
        note_unread(book, path);
        return;
    }
    book->files = xreallocarray(book->files, book->count + 1, sizeof(*book->files));
    book->files[book->count++] = (struct book_file){xstrdup(path), layer, text, length};
}

static int is_rule_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 6 && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - 6, ".rules") == 0;
}

static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static void read_directory(struct rulebook *book, const char *directory, enum rules_layer layer)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_rule_file, by_name);
    if (count < 0 && errno != ENOENT && errno != ENOTDIR)
        note_unread(book, directory);
    bool too_many = layer == RULES_PROJECT && count > PROJECT_FILES_MAX;
    errno = E2BIG;
    if (too_many)
        note_unread(book, directory);
    for (int i = 0; i < count; i++) {
        cleanup_free char *path = xasprintf("%s/%s", directory, entries[i]->d_name);
        if (!too_many && is_regular(path))
            read_file(book, path, layer);
        free(entries[i]);
    }
    free(entries);
}

/* ---- trust ----------------------------------------------------------------------------------- */

/* One hash of the project's files: names, lengths and bytes. False when there are none. */
static bool project_hash(const struct rulebook *book, char out[SHA256_HEX_SIZE])
{
    struct sha256 hash;
    unsigned char digest[SHA256_SIZE];
    bool any = false;
    sha256_init(&hash);
    for (size_t i = 0; i < book->count; i++) {
        const struct book_file *file = &book->files[i];
        if (file->layer != RULES_PROJECT)
            continue;
        cleanup_free char *head = xasprintf("%s %zu\n", strrchr(file->path, '/') + 1, file->length);
        sha256_add(&hash, head, strlen(head));
        sha256_add(&hash, file->text, file->length);
        any = true;
    }
    sha256_finish(&hash, digest);
    sha256_hex(digest, out);
    return any;
}

/* What is recorded of a project: hash, device and inode of its root, path. NULL when it has no
 * rules. Caller frees. */
static char *trust_line(const struct rulebook *book)
{
    char hash[SHA256_HEX_SIZE];
    struct stat status;
    if (book->root == NULL || !project_hash(book, hash) || stat(book->root, &status) != 0 ||
        strchr(book->root, '\n') != NULL)
        return NULL;
    return xasprintf("%s %llu:%llu %s", hash, (unsigned long long)status.st_dev,
                     (unsigned long long)status.st_ino, book->root);
}

static char *trust_file(void)
{
    cleanup_free char *state = paths_state_directory();
    return xasprintf("%s/trusted-rules", state);
}

/* The last place of the line, or NULL. */
static const char *find_line(const char *text, const char *line)
{
    size_t length = strlen(line);
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
        if ((at == text || at[-1] == '\n') && at[length] == '\n')
            last = at;
    return last;
}

/* The newest decision about these files. */
static void recall_trust(struct rulebook *book)
{
    size_t length;
    cleanup_free char *line = trust_line(book);
    cleanup_free char *path = trust_file();
    cleanup_free char *text = fd_read_file(path, TRUST_MAX, true, &length);
    if (line == NULL || text == NULL)
        return;
    cleanup_free char *no = xasprintf("no %s", line);
    const char *trusted = find_line(text, line), *refused = find_line(text, no);
    book->decided = trusted != NULL || refused != NULL;
    book->trusted = trusted != NULL && (refused == NULL || trusted > refused);
}

bool rulebook_trusted(const struct rulebook *book)
{
    return book->trusted;
}

bool rulebook_wants_trust(const struct rulebook *book)
{
    char hash[SHA256_HEX_SIZE];
    return !book->decided && project_hash(book, hash);
}

char *rulebook_project_text(const struct rulebook *book)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < book->count; i++) {
        const struct book_file *file = &book->files[i];
        if (file->layer != RULES_PROJECT)
            continue;
        strbuf_addf(&text, "# %s\n", file->path);
        strbuf_add(&text, file->text, file->length);
    }
    return text.length > 0 ? strbuf_steal(&text) : NULL;
}

int rulebook_decide_trust(struct rulebook *book, bool trust, struct error *error)
{
    size_t length = 0;
    cleanup_free char *line = trust_line(book);
    cleanup_free char *path = trust_file();
    cleanup_free char *state = paths_state_directory();
    if (line == NULL)
        return error_set(error, 0, _("this project has no rules of its own"));
    if (paths_make_private(state, error) != 0)
        return -1;
    cleanup_free char *old = fd_read_file(path, TRUST_MAX, true, &length);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    strbuf_add(&text, old != NULL ? old : "", length);
    strbuf_addf(&text, "%s%s\n", trust ? "" : "no ", line);
    int result = fd_replace_file(path, text.data, text.length, 0600);
    if (result < 0)
        return error_errno(error, -result, _("cannot write %s"), path);
    book->decided = true;
    book->trusted = trust;
    rules_free(&book->ready);
    return 0;
}

/* ---- life ------------------------------------------------------------------------------------ */

static struct rules *load(struct rulebook *book)
{
    struct rules *rules = rules_new();
    struct error error = ERROR_INIT;
    free(book->problem);
    book->problem = book->unread != NULL ? xstrdup(book->unread) : NULL;
    for (size_t i = 0; i < book->count; i++) {
        const struct book_file *file = &book->files[i];
        bool tighten = file->layer == RULES_PROJECT && !book->trusted;
        struct rules_source source = {
            .path = file->path, .layer = file->layer, .tighten_only = tighten};
        if (rules_add_text(rules, file->text, file->length, &source, &error) != 0 &&
            book->problem == NULL)
            book->problem = xstrdup(error.message);
    }
    return rules;
}

struct rulebook *rulebook_open(const char *root)
{
    struct rulebook *book = XNEW(struct rulebook);
    cleanup_free char *config = paths_config_directory();
    cleanup_free char *user = xasprintf("%s/rules", config);
    book->own = xasprintf("%s/default.rules", user);
    read_directory(book, ASSENT_SYSCONFDIR "/assent/rules", RULES_SYSTEM);
    read_directory(book, user, RULES_USER);
    if (root != NULL) {
        cleanup_free char *project = xasprintf("%s/.assent/rules", root);
        book->root = xstrdup(root);
        if (!path_is_beneath(user, project))
            read_directory(book, project, RULES_PROJECT);
        recall_trust(book);
    }
    book->ready = load(book);
    return book;
}

struct rulebook *rulebook_open_files(const char *const *paths)
{
    struct rulebook *book = XNEW(struct rulebook);
    for (; *paths != NULL; paths++)
        read_file(book, *paths, RULES_NAMED);
    book->ready = load(book);
    return book;
}

void rulebook_free(struct rulebook **place)
{
    struct rulebook *book = steal_pointer(place);
    if (book == NULL)
        return;
    for (size_t i = 0; i < book->count; i++) {
        free(book->files[i].path);
        free(book->files[i].text);
    }
    free(book->files);
    free(book->root);
    free(book->own);
    free(book->unread);
    free(book->problem);
    rules_free(&book->ready);
    strv_free(&book->written);
    free(book);
}

struct rules *rulebook_rules(struct rulebook *book)
{
    return book->ready != NULL ? steal_pointer(&book->ready) : load(book);
}

const char *rulebook_problem(const struct rulebook *book)
{
    return book->problem;
}

char *rulebook_warning(const struct rulebook *book)
{
    if (book->problem == NULL)
        return NULL;
    return xasprintf(_("%s. Until that is mended, everything is asked that is not known to be "
                       "safe, and no rule allows anything."),
                     book->problem);
}

bool rulebook_keeps(void *place, const char *line)
{
    struct rulebook **book = place;
    if (*book == NULL)
        *book = rulebook_open(NULL);
    for (size_t i = 0; i < (*book)->count; i++)
        if (rules_write_has((*book)->files[i].text, line))
            return true;
    return (*book)->unread != NULL;
}

size_t rulebook_file_count(const struct rulebook *book)
{
    return book->count;
}

/* ---- differences ----------------------------------------------------------------------------- */

static int compare_lines(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Lines of a text, sorted; the array is the caller's, the text is cut up. */
static char **sorted_lines(char *text, size_t *count)
{
    size_t capacity = 16;
    char **lines = xcalloc(capacity, sizeof(*lines));
    *count = 0;
    for (char *at = text, *next; at != NULL && *at != '\0'; at = next) {
        next = strchr(at, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (*count == capacity)
            lines = xreallocarray(lines, capacity *= 2, sizeof(*lines));
        lines[(*count)++] = at;
    }
    qsort(lines, *count, sizeof(*lines), compare_lines);
    return lines;
}

static void add_difference(struct strbuf *out, char **old, size_t olds, char **new, size_t news)
{
    size_t i = 0, j = 0;
    while (i < olds || j < news) {
        int order = i == olds ? 1 : j == news ? -1 : strcmp(old[i], new[j]);
        if (order < 0)
            strbuf_addf(out, "- %s\n", old[i]);
        else if (order > 0)
            strbuf_addf(out, "+ %s\n", new[j]);
        i += order <= 0;
        j += order >= 0;
    }
}

static const struct book_file *find_file(const struct rulebook *book, const char *path)
{
    for (size_t i = 0; i < book->count; i++)
        if (strcmp(book->files[i].path, path) == 0)
            return &book->files[i];
    return NULL;
}

static void compare_file(struct strbuf *out, const char *path, const char *before,
                         const char *after)
{
    size_t olds, news;
    cleanup_free char *old_text = xstrdup(before);
    cleanup_free char *new_text = xstrdup(after);
    cleanup_free char **old = sorted_lines(old_text, &olds);
    cleanup_free char **new = sorted_lines(new_text, &news);
    struct strbuf lines = STRBUF_INIT;
    add_difference(&lines, old, olds, new, news);
    if (lines.length > 0)
        strbuf_addf(out, "@ %s\n%s", path, strbuf_str(&lines));
    strbuf_free(&lines);
}

char *rulebook_changes(const struct rulebook *then, const struct rulebook *now)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < now->count; i++) {
        const struct book_file *old = find_file(then, now->files[i].path);
        compare_file(&out, now->files[i].path, old != NULL ? old->text : "", now->files[i].text);
    }
    for (size_t i = 0; i < then->count; i++)
        if (find_file(now, then->files[i].path) == NULL)
            compare_file(&out, then->files[i].path, then->files[i].text, "");
    if (out.length == 0 && now->unread != NULL && then->unread == NULL)
        strbuf_addf(&out, "! %s\n", now->unread);
    return out.length > 0 ? strbuf_steal(&out) : NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

const char *rulebook_own_file(const struct rulebook *book)
{
    return book->own;
}

static struct book_file *own_text(struct rulebook *book)
{
    for (size_t i = 0; i < book->count; i++)
        if (strcmp(book->files[i].path, book->own) == 0)
            return &book->files[i];
    book->files = xreallocarray(book->files, book->count + 1, sizeof(*book->files));
    book->files[book->count] = (struct book_file){xstrdup(book->own), RULES_USER, xstrdup(""), 0};
    return &book->files[book->count++];
}

static void append_line(struct book_file *file, const char *line)
{
    struct strbuf text = STRBUF_INIT;
    strbuf_add(&text, file->text, file->length);
    if (text.length > 0 && text.data[text.length - 1] != '\n')
        strbuf_addch(&text, '\n');
    strbuf_addf(&text, "%s\n", line);
    free(file->text);
    file->length = text.length;
    file->text = strbuf_steal(&text);
}

static unsigned count_lines(const char *text)
{
    unsigned count = 0;
    for (; (text = strchr(text, '\n')) != NULL; text++)
        count++;
    return count;
}

/* What was made of the texts, and is of older ones by now. */
static void forget_made(struct rulebook *book)
{
    rules_free(&book->ready);
    strv_free(&book->written);
}

const char *const *rulebook_written(struct rulebook *book)
{
    const struct book_file *own = find_file(book, book->own);
    if (book->written == NULL)
        book->written = rules_write_marked(own != NULL ? own->text : "");
    return (const char *const *)book->written;
}

int rulebook_add(struct rulebook *book, const char *line, unsigned *number, struct error *error)
{
    char now[32];
    clock_format_utc(clock_wall_ms(NULL), now);
    cleanup_free char *written = NULL;
    int result = rules_write_add(book->own, line, now, &written, error);
    if (result > 0 || (result == 0 && strstr(own_text(book)->text, line) == NULL))
        append_line(own_text(book), written != NULL ? written : line);
    if (result >= 0)
        *number = count_lines(own_text(book)->text);
    forget_made(book);
    return result;
}

/* Takes the last line that begins so out of the text. */
static void drop_line(struct book_file *file, const char *line)
{
    size_t length = strlen(line);
    char *last = NULL;
    for (char *at = file->text; *at != '\0';) {
        size_t size = strcspn(at, "\n");
        if (size >= length && memcmp(at, line, length) == 0)
            last = at;
        at += size + (at[size] == '\n');
    }
    if (last == NULL)
        return;
    size_t size = strcspn(last, "\n");
    size += last[size] == '\n';
    memmove(last, last + size, file->length - (size_t)(last - file->text) - size + 1);
    file->length -= size;
}

int rulebook_undo(struct rulebook *book, const char *only, char **line, struct error *error)
{
    int result = rules_write_undo(book->own, only, line, error);
    if (result > 0)
        drop_line(own_text(book), *line);
    forget_made(book);
    return result;
}
