/* SPDX-License-Identifier: MIT */
/* `assent rules import`: what other tools were told, as rules. What has no equal here is named and
 * left out; nothing becomes wider than it was, and an allow keeps the sandbox unless it comes from
 * a file whose allows leave it. */
#include "config.h"

#include "tool_rules_import.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/handover.h"
#include "command/rules.h"
#include "command/rules_write.h"
#include "command/safety.h"
#include "command/shell.h"
#include "config/paths.h"

#define SETTINGS_MAX ((size_t)4 * 1024 * 1024)

struct import {
    struct strbuf text; /* the rule file that comes of it */
    size_t carried, left;
};

static void print_safe(const char *head, const char *text)
{
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_escape(&shown, text, strlen(text), 0);
    printf("%s%s\n", head, strbuf_str(&shown));
}

static void carry(struct import *import, const char *line)
{
    print_safe("    ", line);
    strbuf_addf(&import->text, "%s\n", line);
    import->carried++;
}

static void leave(struct import *import, const char *why)
{
    printf("    %s: %s\n", _("not carried over"), why);
    import->left++;
}

/* ---- Claude Code ----------------------------------------------------------------------------- */

/* Would allowing these first words let any code run? */
static bool hands_over(char *const *words, bool exact)
{
    const char *const *argv = (const char *const *)words;
    cleanup_strv char **known = safety_amendment(argv);
    if (known != NULL && strv_length((const char *const *)known) <= strv_length(argv))
        return false;
    return !exact && handover_is_interpreter(argv[0]);
}

static void import_command(struct import *import, const char *text, enum rule_decision decision)
{
    size_t length = strlen(text);
    bool prefix = length >= 2 &&
                  (strcmp(text + length - 2, ":*") == 0 || strcmp(text + length - 2, " *") == 0);
    cleanup_free char *body = xstrndup(text, prefix ? length - 2 : length);
    if (*body == '\0' || strcmp(body, "*") == 0) {
        leave(import, _("it would match every command"));
        return;
    }
    if (strchr(body, '*') != NULL) {
        leave(import, _("a rule has words, and no wildcards in them"));
        return;
    }
    cleanup_strv char **words = shell_plain_words(body);
    if (words == NULL) {
        leave(import, _("it is not one plain command"));
    } else if (decision == RULE_ALLOW && hands_over(words, !prefix)) {
        leave(import, _("it would let a program run any code that it is given"));
    } else {
        struct rules_line line = {.words = (const char *const *)words,
                                  .decision = decision,
                                  .exact = !prefix && decision == RULE_ALLOW};
        cleanup_free char *rule = rules_write_format(&line);
        carry(import, rule);
    }
}

static void import_host(struct import *import, const char *host, enum rule_decision decision)
{
    struct rules *rules = rules_new();
    struct rules_source source = {.path = host};
    cleanup_free char *line =
        xasprintf("network_rule(host=\"%s\", protocol=\"https\", decision=\"%s\")", host,
                  rule_decision_name(decision));
    if (strpbrk(host, "\"\\") == NULL &&
        rules_add_text(rules, line, strlen(line), &source, NULL) == 0)
        carry(import, line);
    else
        leave(import, _("it does not name one host"));
    rules_free(&rules);
}

static void import_permission(struct import *import, const char *text, enum rule_decision decision)
{
    cleanup_free char *head = xasprintf("%s: ", rule_decision_name(decision));
    size_t length = strlen(text);
    const char *open = strchr(text, '(');
    bool closed = open != NULL && text[length - 1] == ')';
    cleanup_free char *inner =
        closed ? xstrndup(open + 1, length - (size_t)(open - text) - 2) : NULL;
    print_safe(head, text);
    if (strcmp(text, "Bash") == 0)
        leave(import, _("it would match every command"));
    else if (closed && strncmp(text, "Bash(", 5) == 0)
        import_command(import, inner, decision);
    else if (closed && strncmp(text, "WebFetch(domain:", 16) == 0)
        import_host(import, inner + strlen("domain:"), decision);
    else
        leave(import, _("rules are about commands and hosts; the sandbox is about files"));
}

static void import_list(struct import *import, const json_t *permissions, const char *key,
                        enum rule_decision decision)
{
    size_t index;
    json_t *item;
    json_array_foreach(json_object_get(permissions, key), index, item) if (json_is_string(item))
        import_permission(import, json_string_value(item), decision);
}

static int import_settings(struct import *import, const char *path, struct error *error)
{
    size_t length;
    cleanup_free char *text = fd_read_file(path, SETTINGS_MAX, false, &length);
    if (text == NULL)
        return error_errno(error, errno, _("cannot read %s"), path);
    cleanup_json json_t *settings = json_parse(text, length, error);
    if (settings == NULL)
        return error_prefix(error, "%s", path);
    const json_t *permissions = json_object_get(settings, "permissions");
    if (!json_is_object(permissions))
        return error_set(error, 0, _("%s has no permissions"), path);
    import_list(import, permissions, "deny", RULE_FORBIDDEN);
    import_list(import, permissions, "ask", RULE_PROMPT);
    import_list(import, permissions, "allow", RULE_ALLOW);
    if (json_object_get(permissions, "defaultMode") != NULL) {
        puts("defaultMode");
        leave(import, _("see approval_policy"));
    }
    if (json_object_get(permissions, "additionalDirectories") != NULL) {
        puts("additionalDirectories");
        leave(import, _("see writable_roots"));
    }
    return 0;
}

/* ---- rule files ------------------------------------------------------------------------------ */

static int import_rules(struct import *import, const char *path, struct error *error)
{
    size_t length, leaving = 0;
    struct rules *rules = rules_new();
    struct rules_source source = {.path = path, .layer = RULES_NAMED};
    cleanup_free char *text = fd_read_file(path, RULES_FILE_MAX, false, &length);
    int result = text != NULL ? rules_add_text(rules, text, length, &source, error)
                              : error_errno(error, errno, _("cannot read %s"), path);
    size_t count = rules_count(rules);
    for (size_t i = 0; i < count; i++)
        leaving += rules_at(rules, i)->bypass;
    rules_free(&rules);
    if (result != 0)
        return -1;
    printf(P_("%zu rule, carried over as it is\n", "%zu rules, carried over as they are\n", count),
           count);
    if (leaving > 0)
        printf(P_("%zu of them allows outside the sandbox, as there\n",
                  "%zu of them allow outside the sandbox, as there\n", leaving),
               leaving);
    strbuf_add(&import->text, text, length);
    if (length > 0 && text[length - 1] != '\n')
        strbuf_addch(&import->text, '\n');
    import->carried += count;
    return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int import_file(struct import *import, const char *path, struct error *error)
{
    size_t length = strlen(path);
    print_safe("# ", path);
    strbuf_addf(&import->text, "# %s\n", path);
    if (length > 6 && strcmp(path + length - 6, ".rules") == 0)
        return import_rules(import, path, error);
    return import_settings(import, path, error);
}

static int import_home(struct import *import, struct error *error)
{
    static const char *const patterns[] = {"/.claude/settings.json", "/.claude/settings.local.json",
                                           "/.codex/rules/*.rules"};
    cleanup_free char *home = paths_home();
    int result = 0;
    size_t found = 0;
    for (size_t i = 0; i < COUNT(patterns); i++) {
        glob_t files;
        cleanup_free char *pattern = xasprintf("%s%s", home, patterns[i]);
        if (glob(pattern, 0, NULL, &files) != 0)
            continue;
        for (size_t j = 0; result == 0 && j < files.gl_pathc; j++, found++)
            result = import_file(import, files.gl_pathv[j], error);
        globfree(&files);
    }
    if (result == 0 && found == 0)
        return error_set(error, 0, _("there is nothing to import below %s"), home);
    return result;
}

static int write_rules(const struct import *import, struct error *error)
{
    cleanup_free char *config = paths_config_directory();
    cleanup_free char *directory = xasprintf("%s/rules", config);
    cleanup_free char *path = xasprintf("%s/imported.rules", directory);
    struct rules *rules = rules_new();
    struct rules_source source = {.path = path, .layer = RULES_USER};
    int result =
        rules_add_text(rules, strbuf_str(&import->text), import->text.length, &source, error);
    rules_free(&rules);
    if (result != 0)
        return -1;
    result = fd_make_directories(directory, 0700);
    if (result == 0)
        result = fd_replace_file(path, strbuf_str(&import->text), import->text.length, 0600);
    if (result != 0)
        return error_errno(error, -result, _("cannot write %s"), path);
    print_safe("", path);
    return 0;
}

int tool_rules_import(const struct options *options, int count, char **files, struct error *error)
{
    struct import import = {.text = STRBUF_INIT};
    int result = count == 0 ? import_home(&import, error) : 0;
    for (int i = 0; result == 0 && i < count; i++)
        result = import_file(&import, files[i], error);
    if (result == 0) {
        printf(_("%zu carried over, %zu not\n"), import.carried, import.left);
        if (options_bool(options, OPTION_RULES_WRITE))
            result = write_rules(&import, error);
        else
            puts(_("nothing was written (--write does)"));
    }
    strbuf_free(&import.text);
    return result;
}
