/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox_json.h"

#include <string.h>

#include "base/json.h"
#include "sandbox/policy_field.h"

#define ENTRIES "entries"
#define SOCKETS "unix-sockets"

/* ---- writing ---------------------------------------------------------------------------- */

static json_t *string_of(const char *text)
{
    return json_string_lossy(text, strlen(text));
}

static json_t *value_of(const struct policy_field *field, const struct sandbox_policy *policy)
{
    switch (field->kind) {
    case POLICY_FIELD_PATH: {
        const char *path = policy_field_path(field, policy);
        return path ? string_of(path) : json_null();
    }
    case POLICY_FIELD_BOOL:
        return json_boolean(policy_field_number(field, policy));
    case POLICY_FIELD_NAME:
        return json_string(field->names[policy_field_number(field, policy)]);
    case POLICY_FIELD_NUMBER:
        break;
    }
    return json_integer(policy_field_number(field, policy));
}

json_t *sandbox_json_write(const struct sandbox_policy *policy)
{
    json_t *object = json_object(), *entries = json_array(), *sockets = json_array();
    for (size_t i = 0; i < POLICY_FIELD_COUNT; i++)
        json_object_set_new(object, POLICY_FIELDS[i].key, value_of(&POLICY_FIELDS[i], policy));
    for (size_t i = 0; i < policy->entry_count; i++) {
        json_t *entry = json_object();
        json_object_set_new(entry, "access",
                            json_string(policy_access_name(policy->entries[i].access)));
        json_object_set_new(entry, "path", string_of(policy->entries[i].path));
        json_array_append_new(entries, entry);
    }
    for (size_t i = 0; policy->unix_sockets && policy->unix_sockets[i]; i++)
        json_array_append_new(sockets, string_of(policy->unix_sockets[i]));
    json_object_set_new(object, ENTRIES, entries);
    json_object_set_new(object, SOCKETS, sockets);
    return object;
}

/* ---- reading ---------------------------------------------------------------------------- */

static int number_of(const struct policy_field *field, const json_t *value)
{
    if (field->kind == POLICY_FIELD_BOOL)
        return json_is_boolean(value) ? json_boolean_value(value) : -1;
    if (field->kind == POLICY_FIELD_NUMBER) {
        json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
        return number >= 0 && number <= field->maximum ? (int)number : -1;
    }
    for (int i = 0; json_is_string(value) && i <= field->maximum; i++)
        if (strcmp(json_string_value(value), field->names[i]) == 0)
            return i;
    return -1;
}

static bool read_field(const struct policy_field *field, const json_t *value,
                       struct sandbox_policy *policy)
{
    if (field->kind == POLICY_FIELD_PATH)
        return json_is_null(value) ||
               (json_is_string(value) &&
                policy_field_set_path(field, policy, json_string_value(value)));
    return policy_field_set_number(field, policy, number_of(field, value));
}

static int read_entry(const json_t *value, struct sandbox_policy *policy, struct error *error)
{
    const char *access, *path;
    if (json_get_string(value, "access", &access, error) < 0 ||
        json_get_string(value, "path", &path, error) < 0)
        return error_prefix(error, ENTRIES);
    for (int i = POLICY_ACCESS_NONE; i <= POLICY_ACCESS_WRITE; i++)
        if (strcmp(access, policy_access_name((enum policy_access)i)) == 0)
            return sandbox_policy_add_entry(policy, (enum policy_access)i, path, error);
    return error_set(error, 0, ENTRIES ".access: expected none, read or write");
}

static int read_list(const char *key, const json_t *list, struct sandbox_policy *policy,
                     struct error *error)
{
    size_t index;
    json_t *value;
    if (!json_is_array(list))
        return error_set(error, 0, "%s: expected an array", key);
    json_array_foreach(list, index, value)
    {
        if (strcmp(key, ENTRIES) == 0 && read_entry(value, policy, error) < 0)
            return -1;
        if (strcmp(key, SOCKETS) == 0 &&
            (!json_is_string(value) ||
             sandbox_policy_add_unix_socket(policy, json_string_value(value), error) < 0))
            return error_set(error, 0, "%s: expected absolute paths", key);
    }
    return 0;
}

static int read_value(const char *key, const json_t *value, struct sandbox_policy *policy,
                      struct error *error)
{
    const struct policy_field *field = policy_field_find(key);
    if (strcmp(key, ENTRIES) == 0 || strcmp(key, SOCKETS) == 0)
        return 0; /* once the kind of policy is known */
    if (!field)
        return error_set(error, 0, "%s: there is no such property", key);
    if (!read_field(field, value, policy))
        return error_set(error, 0, "%s: not a value of this property", key);
    return 0;
}

struct sandbox_policy *sandbox_json_read(const json_t *object, struct error *error)
{
    static const char *const LISTS[] = {ENTRIES, SOCKETS};
    const char *key;
    json_t *value;
    if (!json_is_object(object)) {
        error_set(error, 0, "expected an object");
        return NULL;
    }
    struct sandbox_policy *policy = sandbox_policy_new_empty();
    int result = 0;
    json_object_foreach((json_t *)object, key, value)
    {
        if (result == 0)
            result = read_value(key, value, policy, error);
    }
    for (size_t i = 0; result == 0 && i < 2; i++)
        if ((value = json_object_get(object, LISTS[i])))
            result = read_list(LISTS[i], value, policy, error);
    if (result < 0)
        sandbox_policy_free(&policy);
    return policy;
}
