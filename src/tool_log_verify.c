/* SPDX-License-Identifier: MIT */
/* `assent log verify`: is the record what the consoles wrote, and if not, where is it not. */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/json.h"
#include "base/text.h"
#include "config/paths.h"
#include "record/log_files.h"
#include "record/log_verify.h"
#include "record/log_view.h"
#include "tool_log.h"

enum { ALTERED_STATUS = 1 };

struct verifying {
    bool json;
    const char *directory, *anchors;
    const char *expected; /* hash of the end, "" when it is not known */
    bool altered;         /* a log was, or nobody can tell */
};

static void print_json(const char *console, const struct log_report *report)
{
    char hash[SHA256_HEX_SIZE];
    sha256_hex(report->head.hash, hash);
    json_t *findings = json_array();
    for (char **text = report->findings; text != NULL && *text != NULL; text++)
        json_array_append_new(findings, json_string_lossy(*text, strlen(*text)));
    cleanup_json json_t *object = json_pack(
        "{s:s, s:s, s:I, s:s, s:b, s:b, s:o}", "console", console, "verdict",
        log_verdict_name(report->verdict), "lines", (json_int_t)report->head.lines, "head", hash,
        "closed", (int)report->head.closed, "live", (int)report->live, "findings", findings);
    cleanup_free char *line = json_line(object);
    printf("%s\n", line);
}

static const char *verdict_text(const struct log_report *report)
{
    switch (report->verdict) {
    case LOG_INTACT:
        return report->live ? _("intact so far") : _("intact");
    case LOG_OLD_FORMAT:
        return _("old format, nothing to prove");
    case LOG_UNPROVEN:
        return _("cannot be proven");
    case LOG_ALTERED:
        break;
    }
    return _("ALTERED");
}

static void print_text(const char *console, const struct log_report *report)
{
    char hash[SHA256_HEX_SIZE];
    sha256_hex(report->head.hash, hash);
    cleanup_free char *name = text_line(console, strlen(console), 80);
    printf(_("%s: %s, %llu lines, SHA-256 of the last %s\n"), name, verdict_text(report),
           (unsigned long long)report->head.lines, hash);
    for (char **text = report->findings; text != NULL && *text != NULL; text++) {
        cleanup_free char *line = text_line(*text, strlen(*text), 400);
        printf("    %s\n", line);
    }
}

static void print(struct verifying *verifying, const char *console, const struct log_report *report)
{
    if (report->verdict != LOG_INTACT)
        verifying->altered = true;
    if (verifying->json)
        print_json(console, report);
    else
        print_text(console, report);
}

/* The operator's own copy of the head is proof against whoever has the key. */
static void compare_head(const struct verifying *verifying, struct log_report *report)
{
    unsigned char expected[SHA256_SIZE];
    if (verifying->expected[0] == '\0')
        return;
    if (strlen(verifying->expected) == SHA256_HEX_SIZE - 1 &&
        sha256_parse(verifying->expected, expected) == 0 &&
        sha256_equal(expected, report->head.hash, SHA256_SIZE))
        return;
    size_t count = 0;
    while (report->findings != NULL && report->findings[count] != NULL)
        count++;
    report->findings = xreallocarray(report->findings, count + 2, sizeof(*report->findings));
    report->findings[count] = xstrdup("its end is not the one that was given");
    report->findings[count + 1] = NULL;
    report->verdict = LOG_ALTERED;
}

static int verify(struct verifying *verifying, const char *console, struct error *error)
{
    struct log_report report;
    if (log_verify(verifying->directory, verifying->anchors, console, &report, error) < 0)
        return -1;
    compare_head(verifying, &report);
    print(verifying, console, &report);
    log_report_clear(&report);
    return 0;
}

/* A whole log that somebody took away has left its anchor behind. */
static int find_missing(struct verifying *verifying, struct error *error)
{
    struct log_files files;
    if (log_files_find_anchors(verifying->anchors, &files, error) < 0)
        return -1;
    for (size_t i = 0; i < files.count; i++) {
        const char *console = files.items[i].console;
        cleanup_free char *log = xasprintf("%s/%s" LOG_FILES_SUFFIX, verifying->directory, console);
        if (access(log, F_OK) == 0)
            continue;
        const char *finding[] = {"the log is gone, its anchor is there", NULL};
        struct log_report report = {.verdict = LOG_ALTERED, .findings = (char **)finding};
        print(verifying, console, &report);
    }
    log_files_clear(&files);
    return 0;
}

static int verify_all(struct verifying *verifying, struct error *error)
{
    struct log_files files;
    int result = log_files_find(verifying->directory, &files, error);
    if (result < 0)
        return result;
    for (size_t i = 0; i < files.count && result == 0; i++)
        result = verify(verifying, files.items[i].console, error);
    log_files_clear(&files);
    return result == 0 ? find_missing(verifying, error) : result;
}

static int verify_named(struct verifying *verifying, const char *name, struct error *error)
{
    cleanup_free char *console = log_view_console(verifying->directory, name, error);
    return console != NULL ? verify(verifying, console, error) : -1;
}

int tool_log_verify(const struct options *options, const char *directory, const char *name,
                    struct error *error)
{
    cleanup_free char *state = paths_state_directory();
    cleanup_free char *anchors = xasprintf("%s/anchors", state);
    struct verifying verifying = {.json = options_bool(options, OPTION_JSON),
                                  .directory = directory,
                                  .anchors = anchors,
                                  .expected = options_string(options, OPTION_HEAD)};
    if (verifying.expected[0] != '\0' && name == NULL)
        return error_set(error, 0, _("--head needs the session whose end it is"));
    int result =
        name != NULL ? verify_named(&verifying, name, error) : verify_all(&verifying, error);
    if (result < 0)
        return -1;
    return verifying.altered ? ALTERED_STATUS : 0;
}
