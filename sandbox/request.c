/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/request.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "sandbox/policy_field.h"

#define HEADER "assent-request 1"
#define END "end"

/* ---- writing ---------------------------------------------------------------------------- */

static void write_record(struct strbuf *out, const char *key, const char *value)
{
    strbuf_addstr(out, key);
    if (value) {
        strbuf_addch(out, ' ');
        strbuf_addstr(out, value);
    }
    strbuf_addch(out, '\0');
}

static void write_field(struct strbuf *out, const struct policy_field *field,
                        const struct sandbox_policy *policy)
{
    if (field->kind != POLICY_FIELD_PATH) {
        strbuf_addf(out, "%s %d", field->key, policy_field_number(field, policy));
        strbuf_addch(out, '\0');
    } else if (policy_field_path(field, policy)) {
        write_record(out, field->key, policy_field_path(field, policy));
    }
}

static void write_policy(struct strbuf *out, const struct sandbox_policy *policy)
{
    for (size_t i = 0; i < POLICY_FIELD_COUNT; i++)
        write_field(out, &POLICY_FIELDS[i], policy);
    for (size_t i = 0; i < policy->entry_count; i++) {
        const struct policy_entry *entry = &policy->entries[i];
        strbuf_addf(out, "entry %d %llu %llu %s", (int)entry->access,
                    (unsigned long long)entry->device, (unsigned long long)entry->inode,
                    entry->path);
        strbuf_addch(out, '\0');
    }
    for (size_t i = 0; policy->unix_sockets && policy->unix_sockets[i]; i++)
        write_record(out, "unix-socket", policy->unix_sockets[i]);
}

char *request_write(const struct helper_request *request, size_t *size)
{
    struct strbuf out = STRBUF_INIT;
    write_record(&out, HEADER, NULL);
    write_policy(&out, request->policy);
    write_record(&out, "cwd", request->cwd);
    if (request->program)
        write_record(&out, "program", request->program);
    for (size_t i = 0; request->env && request->env[i]; i++)
        write_record(&out, "env", request->env[i]);
    write_record(&out, END, NULL);
    *size = out.length;
    return strbuf_steal(&out);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* A decimal number from 0 to `maximum`, ended by `end`; returns what follows, or NULL. */
static const char *read_unsigned(const char *text, char end, unsigned long long maximum,
                                 unsigned long long *number)
{
    if (*text < '0' || *text > '9')
        return NULL;
    char *rest;
    errno = 0;
    *number = strtoull(text, &rest, 10);
    if (errno != 0 || *number > maximum || *rest != end)
        return NULL;
    return end ? rest + 1 : rest;
}

static bool acceptable_path(const char *path)
{
    return path[0] == '/' && strlen(path) < PATH_MAX;
}

static bool read_path(const char *text, char **value)
{
    if (*value || !acceptable_path(text))
        return false;
    *value = xstrdup(text);
    return true;
}

static bool read_entry(const char *text, struct sandbox_policy *policy)
{
    unsigned long long access, device, inode;
    if (policy->entry_count >= REQUEST_ENTRIES_MAX || !sandbox_policy_is_restricted(policy))
        return false;
    text = read_unsigned(text, ' ', POLICY_ACCESS_WRITE, &access);
    text = text ? read_unsigned(text, ' ', UINT64_MAX, &device) : NULL;
    text = text ? read_unsigned(text, ' ', UINT64_MAX, &inode) : NULL;
    if (!text || !acceptable_path(text))
        return false;
    struct error error;
    if (sandbox_policy_add_entry(policy, (enum policy_access)access, text, &error) < 0)
        return false;
    struct policy_entry *entry = &policy->entries[policy->entry_count - 1];
    entry->device = device;
    entry->inode = inode;
    return strcmp(entry->path, text) == 0;
}

static bool read_policy_record(const char *key, const char *value, struct sandbox_policy *policy)
{
    if (strcmp(key, "entry") == 0)
        return read_entry(value, policy);
    if (strcmp(key, "unix-socket") == 0)
        return sandbox_policy_add_unix_socket(policy, value, NULL) == 0;
    const struct policy_field *field = policy_field_find(key);
    if (!field)
        return false;
    if (field->kind == POLICY_FIELD_PATH)
        return policy_field_set_path(field, policy, value);
    unsigned long long number;
    return read_unsigned(value, '\0', (unsigned long long)field->maximum, &number) &&
           policy_field_set_number(field, policy, (int)number);
}

static bool read_env(const char *value, struct helper_request *request, size_t *count)
{
    if (*count >= REQUEST_ENV_MAX || value[0] == '=' || !strchr(value, '='))
        return false;
    if ((*count & (*count + 1)) == 0) /* full at 0, 1, 3, 7 … entries: double */
        request->env = xreallocarray(request->env, 2 * (*count + 1), sizeof *request->env);
    request->env[(*count)++] = xstrdup(value);
    request->env[*count] = NULL;
    return true;
}

static int read_records(const char *bytes, size_t size, struct helper_request *request,
                        struct error *error)
{
    size_t env_count = 0;
    const char *record = bytes;
    const char *limit = bytes + size;
    for (size_t number = 1; record < limit; number++) {
        const char *next = record + strlen(record) + 1;
        const char *space = strchr(record, ' ');
        char key[32] = "";
        const char *value = space ? space + 1 : "";
        if (space && (size_t)(space - record) < sizeof key)
            memcpy(key, record, (size_t)(space - record));
        if (number == 1) {
            if (strcmp(record, HEADER) != 0)
                return error_set(error, 0, "request: this helper reads \"%s\" only", HEADER);
        } else if (strcmp(record, END) == 0) {
            return next == limit ? 0 : error_set(error, 0, "request: bytes after its end");
        } else if (!(strcmp(key, "cwd") == 0       ? read_path(value, &request->cwd)
                     : strcmp(key, "program") == 0 ? read_path(value, &request->program)
                     : strcmp(key, "env") == 0     ? read_env(value, request, &env_count)
                                               : read_policy_record(key, value, request->policy))) {
            return error_set(error, 0, "request: record %zu (%s) is not understood", number, key);
        }
        record = next;
    }
    return error_set(error, 0, "request: its end is missing");
}

struct helper_request *request_parse(const char *bytes, size_t size, struct error *error)
{
    if (size == 0 || size > REQUEST_SIZE_MAX || bytes[size - 1] != '\0') {
        error_set(error, 0, "request: %zu bytes, or no NUL at its end", size);
        return NULL;
    }
    struct helper_request *request = XNEW(struct helper_request);
    request->policy = XNEW(struct sandbox_policy);
    if (read_records(bytes, size, request, error) < 0 ||
        (!request->cwd && error_set(error, 0, "request: no working directory") < 0)) {
        request_free(&request);
        return NULL;
    }
    if (!request->env)
        request->env = xcalloc(1, sizeof *request->env);
    return request;
}

void request_free(struct helper_request **request)
{
    if (!*request)
        return;
    sandbox_policy_free(&(*request)->policy);
    free((*request)->cwd);
    free((*request)->program);
    strv_free(&(*request)->env);
    free(*request);
    *request = NULL;
}
