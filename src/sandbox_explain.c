/* SPDX-License-Identifier: MIT */
/*
 * sandbox_explain: the program behind `assent sandbox` with --explain, --print-policy or
 * --policy-json, which need more libraries than running a command may cost.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/text.h"
#include "base/wording.h"
#include "config/arguments.h"
#include "sandbox/helper.h"
#include "sandbox/hold.h"
#include "sandbox/nested.h"
#include "sandbox/probe.h"
#include "sandbox/select.h"
#include "sandbox_front.h"
#include "sandbox_json.h"

#define POLICY_FILE_MAX ((size_t)1024 * 1024)

static struct sandbox_policy *read_file(const char *path, struct error *error)
{
    size_t size;
    cleanup_free char *text = fd_read_file(path, POLICY_FILE_MAX, false, &size);
    if (!text) {
        error_errno(error, errno, "%s", path);
        return NULL;
    }
    cleanup_json json_t *object = json_parse(text, size, error);
    struct sandbox_policy *policy = object ? sandbox_json_read(object, error) : NULL;
    if (!policy)
        error_prefix(error, "%s", path);
    return policy;
}

static void print_layers(unsigned layers)
{
    printf("%s\n", _("Layers:"));
    for (int i = 0; i < HOLD_LAYER_COUNT; i++) {
        const char *there = layers & (1u << i) ? C_("layer", "yes") : C_("layer", "no");
        printf("  %s%*s  %s\n", there, text_padding(there, 3), "",
               hold_layer_name((enum hold_layer)(1u << i)));
    }
}

static void print_promises(unsigned layers, bool kept)
{
    printf("%s\n", kept ? _("Holds:") : _("Does not hold:"));
    for (size_t i = 0; i < HOLD_PROMISE_COUNT; i++) {
        const struct hold_promise *promise = &HOLD_PROMISES[i];
        if (hold_kept(promise, layers) != kept || promise->without[0] == '\0')
            continue;
        if (kept)
            printf("  %-15s %s\n", promise->name, _(promise->text));
        else
            printf("  %-15s %s: %s\n", promise->name, _(promise->text), _(promise->without));
    }
}

static bool all_kept(const struct sandbox_policy *policy, unsigned layers)
{
    for (size_t i = 0; i < HOLD_PROMISE_COUNT; i++)
        if (!hold_kept(&HOLD_PROMISES[i], layers) && HOLD_PROMISES[i].restricts &&
            !(policy->network && strcmp(HOLD_PROMISES[i].name, "network") == 0))
            return false;
    return true;
}

static void print_roots(const struct sandbox_policy *policy)
{
    for (size_t i = 0; i < policy->entry_count; i++)
        if (policy->entries[i].access == POLICY_ACCESS_WRITE)
            printf(_("Writable: %s\n"), policy->entries[i].path);
    if (!sandbox_policy_reads_everything(policy))
        printf("%s\n", _("Reading is restricted."));
}

#ifdef __linux__

static void count_nested(const char *directory, enum nested_kind kind, void *argument)
{
    (void)directory;
    (void)kind;
    (*(unsigned *)argument)++;
}

/* The search is the one that every command starts with. */
static void print_nested(const struct sandbox_policy *policy)
{
    struct nested nested = {.limit = NESTED_MAX};
    unsigned found = 0;
    for (size_t i = 0; i < policy->entry_count; i++)
        if (policy->entries[i].access == POLICY_ACCESS_WRITE)
            nested_search(&nested, policy->entries[i].path, count_nested, &found);
    printf(_("Nested repositories: %u\n"), found);
    if (nested.incomplete)
        printf(_("Only the %d nearest directories were looked into for them: a repository "
                 "deeper down is not protected.\n"),
               NESTED_MAX);
    nested_free(&nested);
}

#else

static void print_nested(const struct sandbox_policy *policy)
{
    (void)policy;
}

#endif

static void explain(const struct sandbox_policy *policy)
{
    struct sandbox_capability capability;
    cleanup_wording struct wording *words = sandbox_policy_summary(policy);
    cleanup_free char *summary = i18n_wording(words);
    printf("%s\n", summary);
    if (!sandbox_policy_is_restricted(policy)) {
        printf("%s\n", _("Nothing is enforced: commands run as you do."));
        return;
    }
    probe_capability(&capability);
    unsigned layers = hold_layers(policy, &capability);
    print_roots(policy);
    if (policy->protect && policy->protect_nested)
        print_nested(policy);
    printf(_("Landlock ABI: %d\n"), capability.landlock_abi);
    print_layers(layers);
    print_promises(layers, true);
    if (all_kept(policy, layers))
        return;
    print_promises(layers, false);
    printf("%s\n", policy->allow_degraded
                       ? _("Commands run all the same, because degraded operation is allowed.")
                       : _("Commands are refused: allow degraded operation, or mend the system."));
}

static int print_policy(const struct sandbox_policy *policy)
{
    cleanup_json json_t *object = sandbox_json_write(policy);
    return json_dumpf(object, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF ? 0 : -1;
}

static int run(int argc, char **argv, struct error *error)
{
    struct options *options = options_new();
    int first = arguments_parse(options, SUBCOMMAND_SANDBOX, argc, argv, error);
    if (first < 0)
        return -1;
    const char *file = options_string(options, OPTION_POLICY_JSON);
    struct sandbox_policy *policy =
        file[0] ? read_file(file, error) : sandbox_front_policy(options, error);
    if (!policy)
        return -1;
    if (options_bool(options, OPTION_PRINT_POLICY))
        return print_policy(policy);
    if (options_bool(options, OPTION_EXPLAIN)) {
        explain(policy);
        return fflush(stdout);
    }
    if (first >= argc)
        return error_set(error, 0, "no command: assent sandbox [OPTION…] -- COMMAND…");
    return sandbox_front_run(policy, argv + first, error);
}

int main(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    i18n_init();
    int code = run(argc, argv, &error);
    if (code >= 0)
        return code;
    fprintf(stderr, "assent sandbox: %s\n", error.message);
    return HELPER_EXIT_FAILED;
}
