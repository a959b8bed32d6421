/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/policy.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/wording.h"
#include "sandbox/policy_field.h"

const char *sandbox_mode_name(enum sandbox_mode mode)
{
    return policy_field_find("mode")->names[mode];
}

bool sandbox_mode_parse(const char *name, enum sandbox_mode *mode)
{
    const struct policy_field *field = policy_field_find("mode");
    for (int i = 0; i <= field->maximum; i++)
        if (strcmp(name, field->names[i]) == 0) {
            *mode = (enum sandbox_mode)i;
            return true;
        }
    return false;
}

const char *policy_access_name(enum policy_access access)
{
    static const char *const NAMES[] = {"none", "read", "write"};
    return NAMES[access];
}

/* ---- making one ------------------------------------------------------------------------- */

static void append_entry(struct sandbox_policy *policy, enum policy_access access, char *path)
{
    policy->entries =
        xreallocarray(policy->entries, policy->entry_count + 1, sizeof *policy->entries);
    policy->entries[policy->entry_count++] = (struct policy_entry){.path = path, .access = access};
}

struct sandbox_policy *sandbox_policy_new_empty(void)
{
    struct sandbox_policy *policy = XNEW(struct sandbox_policy);
    policy->tool_caches = POLICY_CACHES_NONE;
    return policy;
}

static char *copy_string(const char *string)
{
    return string ? xstrdup(string) : NULL;
}

struct sandbox_policy *sandbox_policy_copy(const struct sandbox_policy *policy)
{
    struct sandbox_policy *copy = xmemdup(policy, sizeof *policy);
    copy->entries = NULL;
    if (policy->entry_count > 0)
        copy->entries = xmemdup(policy->entries, policy->entry_count * sizeof *policy->entries);
    for (size_t i = 0; i < copy->entry_count; i++)
        copy->entries[i].path = xstrdup(policy->entries[i].path);
    copy->tmp_source = copy_string(policy->tmp_source);
    copy->cache_source = copy_string(policy->cache_source);
    copy->unix_sockets = strv_copy((const char *const *)policy->unix_sockets);
    return copy;
}

void sandbox_policy_free(struct sandbox_policy **policy)
{
    if (!*policy)
        return;
    for (size_t i = 0; i < (*policy)->entry_count; i++)
        free((*policy)->entries[i].path);
    free((*policy)->entries);
    free((*policy)->tmp_source);
    free((*policy)->cache_source);
    strv_free(&(*policy)->unix_sockets);
    free(*policy);
    *policy = NULL;
}

/* ---- changing one ----------------------------------------------------------------------- */

/* An absolute path without ".", doubled slashes and a slash at the end; ".." is refused rather
 * than resolved, because what it means depends on symlinks. */
static char *clean_path(const char *path, struct error *error)
{
    if (path[0] != '/') {
        error_set(error, 0, "%s: expected an absolute path", path);
        return NULL;
    }
    if (strlen(path) >= PATH_MAX) {
        error_set(error, ENAMETOOLONG, "a path of %zu bytes: at most %d", strlen(path),
                  PATH_MAX - 1);
        return NULL;
    }
    cleanup_strbuf struct strbuf clean = STRBUF_INIT;
    for (const char *part = path; *part;) {
        part += strspn(part, "/");
        size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            error_set(error, 0, "%s: a path with \"..\" is not accepted here", path);
            return NULL;
        }
        if (length > 0 && !(length == 1 && part[0] == '.')) {
            strbuf_addch(&clean, '/');
            strbuf_add(&clean, part, length);
        }
        part += length;
    }
    return clean.length > 0 ? strbuf_steal(&clean) : xstrdup("/");
}

int sandbox_policy_add_entry(struct sandbox_policy *policy, enum policy_access access,
                             const char *path, struct error *error)
{
    if (!sandbox_policy_is_restricted(policy))
        return 0;
    char *clean = clean_path(path, error);
    if (!clean)
        return -1;
    append_entry(policy, access, clean);
    return 0;
}

void sandbox_policy_restrict_reads(struct sandbox_policy *policy, bool platform_defaults)
{
    size_t kept = 0;
    for (size_t i = 0; i < policy->entry_count; i++) {
        struct policy_entry *entry = &policy->entries[i];
        if (entry->access == POLICY_ACCESS_READ && strcmp(entry->path, "/") == 0)
            free(entry->path);
        else
            policy->entries[kept++] = *entry;
    }
    policy->entry_count = kept;
    policy->platform_defaults = platform_defaults;
}

int sandbox_policy_add_unix_socket(struct sandbox_policy *policy, const char *path,
                                   struct error *error)
{
    char *clean = clean_path(path, error);
    if (!clean)
        return -1;
    size_t count = strv_length((const char *const *)policy->unix_sockets);
    policy->unix_sockets = xreallocarray(policy->unix_sockets, count + 2, sizeof(char *));
    policy->unix_sockets[count] = clean;
    policy->unix_sockets[count + 1] = NULL;
    return 0;
}

int sandbox_policy_pin(struct sandbox_policy *policy, struct error *error)
{
    for (size_t i = 0; i < policy->entry_count; i++) {
        struct policy_entry *entry = &policy->entries[i];
        if (entry->access != POLICY_ACCESS_WRITE || entry->inode != 0)
            continue;
        struct stat status;
        if (stat(entry->path, &status) < 0)
            return error_errno(error, errno, "writable root %s", entry->path);
        entry->device = status.st_dev;
        entry->inode = status.st_ino;
    }
    return 0;
}

/* Is `path` equal to `root` or beneath it? */
static bool path_beneath(const char *path, const char *root)
{
    size_t length = strlen(root);
    if (length == 1)
        return true;
    return strncmp(path, root, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

/* The entry that says what `path` may be used for; NULL when none covers it. */
static const struct policy_entry *deciding_entry(const struct sandbox_policy *policy,
                                                 const char *path)
{
    const struct policy_entry *deciding = NULL;
    for (size_t i = 0; i < policy->entry_count; i++) {
        const struct policy_entry *entry = &policy->entries[i];
        if (path_beneath(path, entry->path) &&
            (!deciding || strlen(entry->path) >= strlen(deciding->path)))
            deciding = entry;
    }
    return deciding;
}

static int add_granted(struct sandbox_policy *policy, enum policy_access access, char *const *paths,
                       struct error *error)
{
    for (size_t i = 0; paths && paths[i]; i++) {
        cleanup_free char *path = clean_path(paths[i], error);
        if (!path)
            return -1;
        if (strcmp(path, "/") == 0 && access == POLICY_ACCESS_WRITE)
            return error_set(error, 0, "/ can not be granted for writing");
        const struct policy_entry *deciding = deciding_entry(policy, path);
        if (deciding && deciding->access == POLICY_ACCESS_NONE)
            return error_set(error, 0, "%s is closed by the policy and can not be granted", path);
        if (sandbox_policy_access_at(policy, path) < access)
            append_entry(policy, access, steal_pointer(&path));
    }
    return 0;
}

struct sandbox_policy *
sandbox_policy_with_additional(const struct sandbox_policy *policy,
                               const struct additional_permissions *additional, struct error *error)
{
    struct sandbox_policy *granted = sandbox_policy_copy(policy);
    if (!additional || !sandbox_policy_is_restricted(policy))
        return granted;
    granted->network = granted->network || additional->network;
    granted->network_asks = granted->network_asks && !granted->network;
    if (add_granted(granted, POLICY_ACCESS_READ, additional->readable, error) < 0 ||
        add_granted(granted, POLICY_ACCESS_WRITE, additional->writable, error) < 0)
        sandbox_policy_free(&granted);
    return granted;
}

/* ---- looking at one --------------------------------------------------------------------- */

bool sandbox_policy_is_restricted(const struct sandbox_policy *policy)
{
    return policy->fs_kind == POLICY_FS_RESTRICTED;
}

enum policy_access sandbox_policy_access_at(const struct sandbox_policy *policy, const char *path)
{
    if (!sandbox_policy_is_restricted(policy))
        return POLICY_ACCESS_WRITE;
    const struct policy_entry *deciding = deciding_entry(policy, path);
    return deciding ? deciding->access : POLICY_ACCESS_NONE;
}

bool sandbox_policy_reads_everything(const struct sandbox_policy *policy)
{
    return sandbox_policy_access_at(policy, "/") >= POLICY_ACCESS_READ;
}

struct wording *sandbox_policy_summary(const struct sandbox_policy *policy)
{
    struct wording *summary = wording_new();
    wording_add(summary, "%s", sandbox_mode_name(policy->mode));
    if (sandbox_policy_is_restricted(policy) && !sandbox_policy_reads_everything(policy))
        wording_add_words(summary, N_(", restricted reads"));
    if (policy->allow_degraded)
        wording_add_words(summary, N_(", degraded allowed"));
    if (policy->network)
        wording_add_words(summary, N_(" (network on)"));
    else
        wording_add_words(summary, policy->network_asks ? N_(" (network asks for each host)")
                                                        : N_(" (network off)"));
    return summary;
}

static void add_escaped(struct strbuf *out, const char *text)
{
    for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++)
        if (*byte > ' ' && *byte < 0x7F && *byte != '%')
            strbuf_addch(out, (char)*byte);
        else
            strbuf_addf(out, "%%%02X", *byte);
}

static void add_field(struct strbuf *out, const struct policy_field *field,
                      const struct sandbox_policy *policy)
{
    strbuf_addf(out, "%s ", field->key);
    if (field->kind == POLICY_FIELD_PATH)
        add_escaped(out, policy_field_path(field, policy) ?: "");
    else
        strbuf_addf(out, "%d", policy_field_number(field, policy));
    strbuf_addch(out, '\n');
}

char *sandbox_policy_canonical(const struct sandbox_policy *policy)
{
    struct strbuf out = STRBUF_INIT;
    for (size_t i = 0; i < POLICY_FIELD_COUNT; i++)
        add_field(&out, &POLICY_FIELDS[i], policy);
    for (size_t i = 0; i < policy->entry_count; i++) {
        /* In their order: of two for one path the later decides. */
        const struct policy_entry *entry = &policy->entries[i];
        strbuf_addf(&out, "entry %s %llu:%llu ", policy_access_name(entry->access),
                    (unsigned long long)entry->device, (unsigned long long)entry->inode);
        add_escaped(&out, entry->path);
        strbuf_addch(&out, '\n');
    }
    for (size_t i = 0; policy->unix_sockets && policy->unix_sockets[i]; i++) {
        strbuf_addstr(&out, "unix-socket ");
        add_escaped(&out, policy->unix_sockets[i]);
        strbuf_addch(&out, '\n');
    }
    return strbuf_steal(&out);
}
