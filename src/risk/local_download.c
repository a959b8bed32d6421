/* SPDX-License-Identifier: MIT */
/* local_download: files that a line fetches, and runs later in the same line. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/shell_flow.h"
#include "command/wrapper.h"
#include "risk/local-int.h"

static const char *without_dot(const char *path)
{
    return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

static void remember_download(const struct assessor *assessor, const char *path)
{
    struct knowledge *known = assessor->known;
    if (known->download_count < LOCAL_DOWNLOADS_MAX && *path != '\0')
        known->downloads[known->download_count++] = xstrdup(without_dot(path));
}

static bool is_downloaded(const struct assessor *assessor, const char *path)
{
    const struct knowledge *known = assessor->known;
    for (size_t i = 0; i < known->download_count; i++)
        if (strcmp(known->downloads[i], without_dot(path)) == 0)
            return true;
    return false;
}

void local_remember_downloads(const struct assessor *assessor, const struct view *view,
                              const struct effect_reading *reading)
{
    for (size_t i = 0; i < reading->file_count; i++)
        if (reading->files[i].output)
            remember_download(assessor, reading->files[i].path);
    for (size_t i = 0; i < view->node->redirect_count; i++)
        if (view->node->redirects[i].kind == SHELL_TO)
            remember_download(assessor, view->node->redirects[i].target.text);
    for (size_t i = 0; i < reading->operand_count; i++) {
        const char *address = view->words[reading->operands[i]];
        if (strstr(address, "://") != NULL)
            remember_download(assessor, wrapper_basename(address));
    }
}

bool local_runs_download(const struct assessor *assessor, const struct view *view)
{
    static const char *const runners[] = {"source", ".", "java"};
    if (assessor->known->download_count == 0)
        return false;
    if (is_downloaded(assessor, view->words[0]))
        return true;
    size_t code = shell_flow_code_word(view->words, view->count);
    if (code < view->count && is_downloaded(assessor, view->words[code]))
        return true;
    const char *name = wrapper_basename(view->words[0]);
    for (size_t i = 0; i < COUNT(runners); i++)
        if (strcmp(runners[i], name) == 0)
            for (size_t j = 1; j < view->count; j++)
                if (is_downloaded(assessor, view->words[j]))
                    return true;
    return false;
}
