/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/setup.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/setup_change.h"
#include "agents/setup_client.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/line_diff.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "config/paths.h"

#define FILE_LIMIT ((size_t)64 * 1024 * 1024)
#define FILES_MAX 8

/* A settings file, before and after. */
struct file {
    char *path; /* without links: a link stays one */
    char *before;
    struct strbuf after;
    mode_t mode;
    bool existed;
    bool made_by_us; /* when we were installed */
};

struct setup {
    const struct setup_client *client;
    const struct setup_options *options;
    char *record_path;
    json_t *record;  /* of what is installed, NULL when nothing is */
    json_t *changes; /* that are to be made; NULL when taken back */
    struct file files[FILES_MAX];
    size_t file_count;
};

/* ---- files --------------------------------------------------------------------------------- */

static int read_file(struct file *file, const char *path, struct error *error)
{
    struct stat status;
    char *real = realpath(path, NULL);
    size_t length;
    file->path = real != NULL ? real : xstrdup(path);
    file->existed = stat(file->path, &status) == 0;
    file->mode = file->existed ? status.st_mode & 07777 : 0600;
    file->before =
        file->existed ? fd_read_file(file->path, FILE_LIMIT, false, &length) : xstrdup("");
    if (file->before == NULL)
        return error_errno(error, errno, "cannot read %s", file->path);
    strbuf_addstr(&file->after, file->before);
    return 0;
}

/* The file that a change is about, read when it is met first; NULL with a message. */
static struct file *find_file(struct setup *setup, const json_t *change, struct error *error)
{
    const char *path = json_string_value(json_object_get(change, "file"));
    if (path == NULL || path[0] != '/') {
        error_set(error, 0, "%s is damaged", setup->record_path);
        return NULL;
    }
    cleanup_free char *real = realpath(path, NULL);
    for (size_t i = 0; i < setup->file_count; i++)
        if (strcmp(setup->files[i].path, real != NULL ? real : path) == 0)
            return &setup->files[i];
    if (setup->file_count == FILES_MAX) {
        error_set(error, 0, "%s names too many files", setup->record_path);
        return NULL;
    }
    struct file *file = &setup->files[setup->file_count++];
    return read_file(file, path, error) == 0 ? file : NULL;
}

static bool is_blank(const struct strbuf *text)
{
    return strspn(strbuf_str(text), "{} \t\r\n") == text->length;
}

/* A file that is there only because of us goes when nothing else is in it. */
static bool is_to_be_removed(const struct file *file)
{
    return file->made_by_us && is_blank(&file->after);
}

static int write_file(const struct file *file, struct error *error)
{
    if (is_to_be_removed(file))
        return unlink(file->path) < 0 && errno != ENOENT
                   ? error_errno(error, errno, "cannot remove %s", file->path)
                   : 0;
    if (strcmp(file->before, strbuf_str(&file->after)) == 0)
        return 0;
    cleanup_free char *directory =
        xstrndup(file->path, (size_t)(strrchr(file->path, '/') - file->path));
    int result = fd_make_directories(directory, 0700);
    if (result == 0)
        result =
            fd_replace_file(file->path, strbuf_str(&file->after), file->after.length, file->mode);
    return result < 0 ? error_errno(error, -result, "cannot write %s", file->path) : 0;
}

/* ---- the record ---------------------------------------------------------------------------- */

static int read_record(struct setup *setup, struct error *error)
{
    size_t length;
    json_error_t why;
    cleanup_free char *text = fd_read_file(setup->record_path, FILE_LIMIT, true, &length);
    if (text == NULL)
        return errno == ENOENT ? 0
                               : error_errno(error, errno, "cannot read %s", setup->record_path);
    setup->record = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    if (json_is_array(json_object_get(setup->record, "changes")))
        return 0;
    return error_set(error, 0, "%s is damaged: remove it, and what it tells of by hand",
                     setup->record_path);
}

static json_t *new_record(const struct setup *setup)
{
    json_t *record = json_object();
    json_t *made = json_array();
    for (size_t i = 0; i < setup->file_count; i++)
        if (!setup->files[i].existed || setup->files[i].made_by_us)
            json_array_append_new(made, json_string(setup->files[i].path));
    json_object_set_new(record, "client", json_string(setup->client->name));
    json_object_set(record, "changes", setup->changes);
    json_object_set_new(record, "files_made", made);
    return record;
}

static int write_record(const struct setup *setup, struct error *error)
{
    cleanup_free char *directory = xstrndup(
        setup->record_path, (size_t)(strrchr(setup->record_path, '/') - setup->record_path));
    cleanup_json json_t *record = new_record(setup);
    cleanup_free char *text = json_dumps(record, JSON_INDENT(2));
    int result = fd_make_directories(directory, 0700);
    if (result == 0)
        result = fd_replace_file(setup->record_path, text, strlen(text), 0600);
    return result < 0 ? error_errno(error, -result, "cannot write %s", setup->record_path) : 0;
}

static void note_files_made(struct setup *setup)
{
    const json_t *made = json_object_get(setup->record, "files_made");
    for (size_t i = 0; i < setup->file_count; i++)
        for (size_t j = 0; j < json_array_size(made); j++) {
            const char *path = json_string_value(json_array_get(made, j));
            if (path != NULL && strcmp(path, setup->files[i].path) == 0)
                setup->files[i].made_by_us = true;
        }
}

/* ---- what changes -------------------------------------------------------------------------- */

/* What is installed is taken back, the last change first. */
static int undo_record(struct setup *setup, struct error *error)
{
    const json_t *changes = json_object_get(setup->record, "changes");
    for (size_t i = json_array_size(changes); i-- > 0;) {
        const json_t *change = json_array_get(changes, i);
        struct file *file = find_file(setup, change, error);
        if (file == NULL)
            return -1;
        if (setup_change_undo(change, &file->after, error) < 0)
            return error_prefix(error, "%s", file->path);
    }
    note_files_made(setup);
    return 0;
}

static int apply_changes(struct setup *setup, struct error *error)
{
    setup->changes = setup_client_changes(setup->client, setup->options->what, setup->options->argv,
                                          setup->options->keep_shell);
    for (size_t i = 0; i < json_array_size(setup->changes); i++) {
        json_t *change = json_array_get(setup->changes, i);
        struct file *file = find_file(setup, change, error);
        if (file == NULL)
            return -1;
        if (setup_change_apply(change, &file->after, error) < 0)
            return error_prefix(error, "%s", file->path);
    }
    return 0;
}

/* As the file has them: what is printed here may be copied. */
static void print_with_tabs(const char *text)
{
    for (const char *tab; (tab = strstr(text, TEXT_TAB_SHOWN)) != NULL;) {
        printf("%.*s\t", (int)(tab - text), text);
        text = tab + strlen(TEXT_TAB_SHOWN);
    }
    fputs(text, stdout);
}

/* Prints the difference; true when there is one. */
static bool show_file(const struct file *file)
{
    cleanup_strbuf struct strbuf diff = STRBUF_INIT, shown = STRBUF_INIT;
    bool removed = is_to_be_removed(file);
    line_diff_add(&diff, file->before, removed ? "" : strbuf_str(&file->after));
    if (diff.length == 0 && !(removed && file->existed))
        return false;
    text_escape(&shown, strbuf_str(&diff), diff.length, TEXT_KEEP_NEWLINES | TEXT_TABS);
    printf("--- %s\n+++ %s\n", file->existed ? file->path : "/dev/null",
           removed ? "/dev/null" : file->path);
    print_with_tabs(strbuf_str(&shown));
    return true;
}

static bool operator_agrees(const struct setup_options *options)
{
    char answer[16];
    if (options->yes || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return true;
    printf("%s ", _("Write this? [y/N]"));
    fflush(stdout);
    return fgets(answer, sizeof(answer), stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y');
}

/* The record is there before what it tells of: taking back what never came does no harm. */
static int write_all(const struct setup *setup, struct error *error)
{
    if (setup->changes != NULL && write_record(setup, error) < 0)
        return -1;
    for (size_t i = 0; i < setup->file_count; i++)
        if (write_file(&setup->files[i], error) < 0)
            return -1;
    if (setup->changes == NULL && unlink(setup->record_path) < 0)
        return error_errno(error, errno, "cannot remove %s", setup->record_path);
    return 0;
}

static void say_done(const struct setup *setup)
{
    const struct setup_client *client = setup->client;
    if (setup->changes == NULL) {
        printf(_("%s is as it was before.\n"), client->title);
        return;
    }
    if (strcmp(setup->options->what, "hook") == 0)
        printf(_("Written. From its next start %s asks the console of its directory before it does "
                 "something itself.\n"),
               client->title);
    else
        printf(_("Written. From its next start %s runs its commands through a console in its "
                 "directory.\n"),
               client->title);
    const char *hint = setup_client_hint(client, setup->options->what);
    if (hint != NULL)
        printf("%s\n", _(hint));
    printf(_("To take it back: assent %s uninstall %s\n"), setup->options->what, client->name);
}

static int prepare(struct setup *setup, struct error *error)
{
    if (read_record(setup, error) < 0)
        return -1;
    if (setup->options->remove && setup->record == NULL)
        return error_set(error, 0, "nothing of ours is installed for %s", setup->client->name);
    if (setup->record != NULL && undo_record(setup, error) < 0)
        return -1;
    return setup->options->remove ? 0 : apply_changes(setup, error);
}

static int carry_out(struct setup *setup, struct error *error)
{
    bool differs = false;
    if (prepare(setup, error) < 0)
        return -1;
    for (size_t i = 0; i < setup->file_count; i++)
        differs |= show_file(&setup->files[i]);
    if (!differs)
        puts(_("Nothing changes."));
    if (setup->options->dry_run)
        return 0;
    if (differs && !operator_agrees(setup->options))
        return 1;
    if (write_all(setup, error) < 0)
        return -1;
    say_done(setup);
    return 0;
}

static void clear(struct setup *setup)
{
    for (size_t i = 0; i < setup->file_count; i++) {
        free(setup->files[i].path);
        free(setup->files[i].before);
        strbuf_free(&setup->files[i].after);
    }
    json_decref(setup->record);
    json_decref(setup->changes);
    free(setup->record_path);
}

int setup_run(const char *client, const struct setup_options *options, struct error *error)
{
    struct setup setup = {.client = setup_client_find(client, options->what), .options = options};
    cleanup_free char *state = paths_state_directory();
    if (setup.client == NULL) {
        cleanup_free char *names = setup_client_names(options->what);
        return error_set(error, 0, "unknown client %s: expected one of %s", client, names);
    }
    setup.record_path = xasprintf("%s/installed/%s-%s.json", state, options->what, client);
    int result = carry_out(&setup, error);
    clear(&setup);
    return result;
}
