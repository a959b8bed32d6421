/* SPDX-License-Identifier: MIT */
/* acp_file: files that the agent reads and writes through us. Both are calls of the console: a
 * reading is a confined command, a writing is a patch, so that the policy, the protected paths and
 * the record are those of everything else. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "agents/agent_tool.h"
#include "agents/drive/acp-int.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/path.h"
#include "command/patch_make.h"

#define FILES_MAX 64
#define CONTENT_MAX ((size_t)4 * 1024 * 1024)

struct acp_file {
    struct acp *acp;
    struct jsonrpc_request *request;
    struct asked *asked;
    struct strbuf content; /* read so far */
    bool incomplete;
    int64_t line, limit; /* what is wanted of it: from 1; 0: all */
    LIST_ENTRY(acp_file) entry;
};

static void free_file(struct acp_file *file)
{
    LIST_REMOVE(file, entry);
    file->acp->file_count--;
    asker_drop(&file->asked);
    strbuf_free(&file->content);
    free(file);
}

void acp_file_drop_all(struct acp *acp)
{
    struct acp_file *file;
    while ((file = LIST_FIRST(&acp->files)) != NULL) {
        jsonrpc_fail(&file->request, JSONRPC_INTERNAL_ERROR, "the session has ended");
        free_file(file);
    }
}

/* Takes the request when there is an error. */
static struct acp_file *new_file(struct acp *acp, struct jsonrpc_request *request)
{
    if (acp->file_count >= FILES_MAX) {
        jsonrpc_fail(&request, JSONRPC_INTERNAL_ERROR, "%d files are open already", FILES_MAX);
        return NULL;
    }
    struct acp_file *file = XNEW(struct acp_file);
    file->acp = acp;
    file->request = request;
    LIST_INSERT_HEAD(&acp->files, file, entry);
    acp->file_count++;
    return file;
}

/* 0, or why the call did not do what it should. */
static char *failure_of(const json_t *result, const char *why)
{
    const json_t *output = json_object_get(result, "output");
    const char *outcome = json_string_value(json_object_get(result, "outcome"));
    const char *errors = json_string_value(json_object_get(output, "stderr"));
    if (result == NULL)
        return xstrdup(why);
    if (outcome == NULL || strcmp(outcome, "exited") != 0) {
        bool interrupt = false;
        char *refusal = agent_tool_refusal(result, &interrupt);
        return refusal != NULL ? refusal : xstrdup("it was not done");
    }
    if (json_integer_value(json_object_get(result, "exit_code")) == 0)
        return NULL;
    return xstrdup(errors != NULL && errors[0] != '\0' ? errors : "it failed");
}

/* ---- reading -------------------------------------------------------------------------------- */

/* The wanted lines of what was read, as a JSON string. */
static json_t *lines_of(const struct acp_file *file)
{
    const char *at = strbuf_str(&file->content);
    const char *end = at + file->content.length;
    for (int64_t i = 1; i < file->line && at < end; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline != NULL ? newline + 1 : end;
    }
    const char *stop = file->limit > 0 ? at : end;
    for (int64_t i = 0; i < file->limit && stop < end; i++) {
        const char *newline = memchr(stop, '\n', (size_t)(end - stop));
        stop = newline != NULL ? newline + 1 : end;
    }
    return json_string_lossy(at, (size_t)(stop - at));
}

static void on_content(void *argument, const char *bytes, size_t length, uint64_t skipped)
{
    struct acp_file *file = argument;
    file->incomplete |= skipped > 0 || file->content.length + length > CONTENT_MAX;
    if (!file->incomplete)
        strbuf_add(&file->content, bytes, length);
}

static void on_read(void *argument, const json_t *result, const char *why)
{
    struct acp_file *file = argument;
    cleanup_free char *failure = failure_of(result, why);
    file->asked = NULL;
    if (failure != NULL) {
        jsonrpc_fail(&file->request, JSONRPC_INTERNAL_ERROR, "%s", failure);
    } else if (file->incomplete) {
        jsonrpc_fail(&file->request, JSONRPC_INTERNAL_ERROR, "the file is larger than %zu bytes",
                     CONTENT_MAX);
    } else {
        json_t *object = json_object();
        json_object_set_new(object, "content", lines_of(file));
        jsonrpc_reply(&file->request, object);
    }
    free_file(file);
}

/* The file's place, through links, if that is in the workspace; or NULL after the request was
 * answered. */
static char *place_of(const struct acp *acp, struct jsonrpc_request **request, const char *path)
{
    cleanup_free char *root = realpath(acp->cwd, NULL);
    cleanup_free char *place = path[0] == '/' ? realpath(path, NULL) : NULL;
    if (path[0] != '/')
        jsonrpc_fail(request, JSONRPC_INVALID_PARAMS, "path: expected an absolute path");
    else if (place == NULL && (errno == ENOENT || errno == ENOTDIR))
        jsonrpc_fail(request, ACP_NOT_FOUND, "Resource not found: %.1000s", path);
    else if (place == NULL || root == NULL || !path_is_beneath(place, root))
        jsonrpc_fail(request, JSONRPC_INVALID_PARAMS, "path: it is outside the workspace");
    else
        return steal_pointer(&place);
    return NULL;
}

void acp_file_read(struct acp *acp, struct jsonrpc_request *request, const json_t *params)
{
    static const struct asked_events events = {.output = on_content, .finished = on_read};
    struct error error = ERROR_INIT;
    const char *path = NULL;
    int64_t line = 1, limit = 0;
    if (json_get_string(params, "path", &path, &error) < 0 ||
        json_get_integer_optional(params, "line", 0, INT32_MAX, &line, &error) < 0 ||
        json_get_integer_optional(params, "limit", 0, INT32_MAX, &limit, &error) < 0) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS, "%s", error.message);
        return;
    }
    cleanup_free char *place = place_of(acp, &request, path);
    struct acp_file *file = place != NULL ? new_file(acp, request) : NULL;
    if (file == NULL)
        return;
    file->line = line;
    file->limit = limit;
    json_t *command = json_object();
    json_t *argv = json_array();
    json_array_append_new(argv, json_string("cat"));
    json_array_append_new(argv, json_string("--"));
    json_array_append_new(argv, json_string_lossy(place, strlen(place)));
    json_object_set_new(command, "argv", argv);
    json_object_set_new(command, "cwd", json_string_lossy(acp->cwd, strlen(acp->cwd)));
    json_object_set_new(command, "split_streams", json_true());
    file->asked = asker_start(acp->setup.asker, command, &events, file);
}

/* ---- writing -------------------------------------------------------------------------------- */

static void on_written(void *argument, const json_t *result, const char *why)
{
    struct acp_file *file = argument;
    cleanup_free char *failure = failure_of(result, why);
    file->asked = NULL;
    if (failure != NULL)
        jsonrpc_fail(&file->request, JSONRPC_INTERNAL_ERROR, "%s", failure);
    else
        jsonrpc_reply(&file->request, json_object());
    free_file(file);
}

/* NULL with errno 0: there is nothing to do. */
static char *patch_of(const char *path, const json_t *content)
{
    size_t length = 0;
    cleanup_free char *old = fd_read_file(path, CONTENT_MAX, true, &length);
    if (old == NULL && errno != ENOENT && errno != ENOTDIR)
        return NULL;
    errno = strchr(path, '\n') != NULL ? EINVAL : 0;
    return patch_make(path, old, length, json_string_value(content), json_string_length(content));
}

void acp_file_write(struct acp *acp, struct jsonrpc_request *request, const json_t *params)
{
    static const struct asked_events events = {.finished = on_written};
    const char *path = json_string_value(json_object_get(params, "path"));
    const json_t *content = json_object_get(params, "content");
    if (path == NULL || path[0] != '/' || !json_is_string(content)) {
        jsonrpc_fail(&request, JSONRPC_INVALID_PARAMS,
                     "expected path, which is absolute, and content, a string");
        return;
    }
    cleanup_free char *patch = patch_of(path, content);
    if (patch == NULL && errno != 0) {
        jsonrpc_fail(&request, JSONRPC_INTERNAL_ERROR, "cannot change it: %s", strerror(errno));
        return;
    }
    if (patch == NULL) {
        jsonrpc_reply(&request, json_object());
        return;
    }
    struct acp_file *file = new_file(acp, request);
    if (file == NULL)
        return;
    json_t *call = json_object();
    json_object_set_new(call, "patch", json_string_lossy(patch, strlen(patch)));
    json_object_set_new(call, "cwd", json_string_lossy(acp->cwd, strlen(acp->cwd)));
    json_object_set_new(call, "stream", json_false());
    file->asked = asker_start(acp->setup.asker, call, &events, file);
}
