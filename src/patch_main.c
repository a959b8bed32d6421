/* SPDX-License-Identifier: MIT */
/*
 * assent-patch: applies the patch on its standard input to the files that it names, all of them or
 * none. It runs as a command of its own, under the call's sandbox, so that what it may write is
 * decided where it is for every command.
 */
#include "config.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/patch.h"
#include "command/patch_files.h"

/* As agents know it from elsewhere: one letter and one path a line. */
static void report(const struct patch *patch)
{
    static const char letters[] = {[PATCH_ADD] = 'A', [PATCH_DELETE] = 'D', [PATCH_UPDATE] = 'M'};
    puts("Success. Updated the following files:");
    for (size_t i = 0; i < patch->count; i++) {
        const struct patch_change *change = &patch->changes[i];
        const char *name = change->move_to != NULL ? change->move_to : change->path;
        cleanup_free char *shown = text_line(name, strlen(name), 1000);
        printf("%c %s\n", letters[change->kind], shown);
    }
}

static int read_patch(struct strbuf *text, struct error *error)
{
    char block[65536];
    for (ssize_t got; (got = read(STDIN_FILENO, block, sizeof(block))) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_errno(error, errno, _("cannot read the patch"));
        strbuf_add(text, block, (size_t)got);
        if (text->length > PATCH_SIZE_MAX)
            break; /* patch_parse() says that it is too long */
    }
    return 0;
}

static int apply_here(const struct patch *patch, struct error *error)
{
    cleanup_free char *cwd = getcwd(NULL, 0);
    if (cwd == NULL)
        return error_errno(error, errno, _("cannot tell the working directory"));
    return patch_files_apply(patch, cwd, error);
}

int main(void)
{
    struct error error = ERROR_INIT;
    struct patch patch = {.text = NULL};
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    setlocale(LC_ALL, "");
    int result = read_patch(&text, &error);
    if (result == 0)
        result = patch_parse(strbuf_str(&text), text.length, &patch, &error);
    if (result == 0)
        result = apply_here(&patch, &error);
    if (result == 0)
        report(&patch);
    else
        fprintf(stderr, "apply_patch: %s\n", error.message);
    patch_clear(&patch);
    return result == 0 && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
