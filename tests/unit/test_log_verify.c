/* SPDX-License-Identifier: MIT */
/* Logs that somebody has changed, and logs of consoles that were killed. */
#include "config.h"

#include "record/log_verify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "record/log_frame.h"
#include "record/log_repair.h"
#include "record/session_log.h"

#define NOTICES 10
#define LINES (NOTICES + 2) /* with the log's start and end */

struct fixture {
    char directory[40], anchors[64], log[64], anchor[80], key[80];
    char **lines; /* of the log as it was written */
    struct log_head head;
};

static char **split(const char *text)
{
    char **lines = xcalloc(LINES + 100, sizeof(*lines));
    size_t count = 0;
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1)
        lines[count++] = xstrndup(text, (size_t)(end - text));
    return lines;
}

static char **read_lines(const struct fixture *fixture)
{
    size_t length;
    cleanup_free char *text = fd_read_file(fixture->log, 1000000, true, &length);
    assert_non_null(text);
    return split(text);
}

static void write_text(const struct fixture *fixture, const char *text)
{
    assert_int_equal(fd_replace_file(fixture->log, text, strlen(text), 0600), 0);
}

/* Writes the lines from `first` to before `last`. */
static void write_lines(const struct fixture *fixture, char *const *lines)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    for (; *lines != NULL; lines++)
        strbuf_addf(&text, "%s\n", *lines);
    write_text(fixture, strbuf_str(&text));
}

static void write_log(struct fixture *fixture)
{
    struct error error = ERROR_INIT;
    struct loop *loop = loop_new(NULL);
    struct log_place place = {fixture->directory, fixture->anchors};
    struct session_log *log = session_log_open(loop, &place, "one", &error);
    if (log == NULL)
        fail_msg("%s", error.message);
    session_log_begin(log, NULL, 0);
    for (unsigned i = 0; i < NOTICES; i++) {
        char text[32];
        snprintf(text, sizeof(text), "notice %u", i);
        session_log_observer()->notice(log, NOTICE_INFO, text);
    }
    session_log_close(&log, &fixture->head);
    loop_free(&loop);
}

static int set_up(void **state)
{
    struct fixture *fixture = XNEW(struct fixture);
    strcpy(fixture->directory, "/tmp/assent-verify-XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    snprintf(fixture->anchors, sizeof(fixture->anchors), "%s/anchors", fixture->directory);
    snprintf(fixture->log, sizeof(fixture->log), "%s/one.jsonl", fixture->directory);
    snprintf(fixture->anchor, sizeof(fixture->anchor), "%s/one.head", fixture->anchors);
    snprintf(fixture->key, sizeof(fixture->key), "%s/record.key", fixture->anchors);
    write_log(fixture);
    fixture->lines = read_lines(fixture);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    unlink(fixture->log);
    unlink(fixture->anchor);
    unlink(fixture->key);
    assert_int_equal(rmdir(fixture->anchors), 0);
    assert_int_equal(rmdir(fixture->directory), 0);
    strv_free(&fixture->lines);
    free(fixture);
    return 0;
}

/* One of the findings holds `text`; NULL: there is none. */
static void assert_found(const struct fixture *fixture, enum log_verdict verdict, const char *text)
{
    struct log_report report;
    struct error error = ERROR_INIT;
    cleanup_strbuf struct strbuf all = STRBUF_INIT;
    if (log_verify(fixture->directory, fixture->anchors, "one", &report, &error) < 0)
        fail_msg("%s", error.message);
    for (char **finding = report.findings; finding != NULL && *finding != NULL; finding++)
        strbuf_addf(&all, "%s\n", *finding);
    if (report.verdict != verdict || (text != NULL && strstr(strbuf_str(&all), text) == NULL) ||
        (text == NULL && all.length > 0))
        fail_msg("%s: %s", log_verdict_name(report.verdict), strbuf_str(&all));
    log_report_clear(&report);
}

/* Somebody who knows the format and not the key writes the chain anew from line `from` (0, 1, …)
 * on. */
static void chain_anew(char **lines, size_t from)
{
    unsigned char hash[SHA256_SIZE] = {0};
    for (size_t i = 0; lines[i] != NULL; i++) {
        if (i >= from) {
            cleanup_json json_t *event = json_parse(lines[i], strlen(lines[i]), NULL);
            json_object_del(event, "v");
            json_object_del(event, "n");
            json_object_del(event, "prev");
            json_object_del(event, "time");
            cleanup_free char *name = xstrdup(json_string_value(json_object_get(event, "event")));
            free(lines[i]);
            lines[i] = log_frame_line(i + 1, hash, 1700000000000, name, event);
        }
        sha256_of(lines[i], strlen(lines[i]), hash);
    }
}

static void what_was_written_is_intact(void **state)
{
    const struct fixture *fixture = *state;
    struct log_report report;
    struct stat status;
    struct error error = ERROR_INIT;
    assert_int_equal(log_verify(fixture->directory, fixture->anchors, "one", &report, &error), 0);
    assert_int_equal(report.verdict, LOG_INTACT);
    assert_null(report.findings);
    assert_int_equal(report.head.lines, LINES);
    assert_true(report.head.closed);
    assert_memory_equal(report.head.hash, fixture->head.hash, SHA256_SIZE);
    assert_int_equal(fixture->head.lines, LINES);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(stat(i == 0 ? fixture->anchor : fixture->key, &status), 0);
        assert_int_equal(status.st_mode & 07777, 0600);
    }
}

static void edited_line_is_found(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i < LINES; i++) {
        char expected[64];
        char **lines = strv_copy((const char *const *)fixture->lines);
        char *place = strstr(lines[i], "\"event\":\"") + strlen("\"event\":\"");
        *place = 'x';
        write_lines(fixture, lines);
        snprintf(expected, sizeof(expected),
                 i + 1 < LINES ? "line %zu was changed" : "line %zu is not the one", i + 1);
        assert_found(fixture, LOG_ALTERED, expected);
        strv_free(&lines);
    }
}

static void any_byte_counts(void **state)
{
    struct fixture *fixture = *state;
    size_t length;
    cleanup_free char *text = fd_read_file(fixture->log, 1000000, true, &length);
    for (size_t i = 0; i < length; i += 7) {
        text[i] ^= 1;
        write_text(fixture, text);
        assert_found(fixture, LOG_ALTERED, "");
        text[i] ^= 1;
    }
}

static void deleted_lines_are_found(void **state)
{
    struct fixture *fixture = *state;
    for (size_t i = 0; i + 1 < LINES; i++) {
        char expected[64];
        cleanup_free char **lines = xmemdup(fixture->lines, (LINES + 1) * sizeof(*lines));
        memmove(lines + i, lines + i + 1, (LINES - i) * sizeof(*lines));
        write_lines(fixture, lines);
        snprintf(expected, sizeof(expected), "line %zu is missing", i + 1);
        assert_found(fixture, LOG_ALTERED, expected);
    }
    cleanup_free char **lines = xmemdup(fixture->lines, (LINES + 1) * sizeof(*lines));
    memmove(lines + 3, lines + 6, (LINES - 5) * sizeof(*lines));
    write_lines(fixture, lines);
    assert_found(fixture, LOG_ALTERED, "lines 4 to 6 are missing");
}

static void inserted_and_doubled_lines_are_found(void **state)
{
    struct fixture *fixture = *state;
    cleanup_free char **lines = xcalloc(LINES + 2, sizeof(*lines));
    cleanup_json json_t *fields = json_pack("{s:s}", "text", "forged");
    unsigned char hash[SHA256_SIZE];
    sha256_of(fixture->lines[3], strlen(fixture->lines[3]), hash);
    cleanup_free char *forged = log_frame_line(5, hash, 1700000000000, "notice", fields);
    memcpy(lines, fixture->lines, 4 * sizeof(*lines));
    lines[4] = forged;
    memcpy(lines + 5, fixture->lines + 4, (LINES - 4) * sizeof(*lines));
    write_lines(fixture, lines);
    assert_found(fixture, LOG_ALTERED, "line 6 of the file, number 5, was put in");
    lines[4] = fixture->lines[7];
    write_lines(fixture, lines);
    assert_found(fixture, LOG_ALTERED, "lines 5 to 7 are missing");
    lines[4] = (char *)"not a line";
    write_lines(fixture, lines);
    assert_found(fixture, LOG_ALTERED, "line 5 of the file is not a line of a session log");
}

static void swapped_lines_are_found(void **state)
{
    struct fixture *fixture = *state;
    cleanup_free char **lines = xmemdup(fixture->lines, (LINES + 1) * sizeof(*lines));
    lines[4] = fixture->lines[5];
    lines[5] = fixture->lines[4];
    write_lines(fixture, lines);
    assert_found(fixture, LOG_ALTERED,
                 "line 6 of the file, number 5, was put in or stands in the wrong place");
}

static void cut_ends_are_found(void **state)
{
    struct fixture *fixture = *state;
    for (size_t keep = 0; keep < LINES; keep++) {
        char expected[96];
        cleanup_free char **lines = xmemdup(fixture->lines, (LINES + 1) * sizeof(*lines));
        lines[keep] = NULL;
        write_lines(fixture, lines);
        snprintf(expected, sizeof(expected),
                 "the end was cut off: the log had %d lines, %zu are there", LINES, keep);
        assert_found(fixture, LOG_ALTERED, expected);
    }
    size_t length;
    write_lines(fixture, fixture->lines);
    cleanup_free char *text = fd_read_file(fixture->log, 1000000, true, &length);
    text[length - 20] = '\0';
    write_text(fixture, text);
    assert_found(fixture, LOG_ALTERED, "the end was cut off");
}

static void log_written_anew_is_found(void **state)
{
    struct fixture *fixture = *state;
    for (size_t from = 0; from < LINES; from++) {
        char **lines = strv_copy((const char *const *)fixture->lines);
        chain_anew(lines, from);
        write_lines(fixture, lines);
        assert_found(fixture, LOG_ALTERED, "line 12 is not the one that was anchored");
        strv_free(&lines);
    }
}

static void added_lines_are_found(void **state)
{
    struct fixture *fixture = *state;
    cleanup_free char **lines = xcalloc(LINES + 2, sizeof(*lines));
    memcpy(lines, fixture->lines, LINES * sizeof(*lines));
    cleanup_free char *forged =
        log_frame_line(LINES + 1, fixture->head.hash, 1700000000000, "notice", NULL);
    lines[LINES] = forged;
    write_lines(fixture, lines);
    assert_found(fixture, LOG_ALTERED, "lines were added behind the end, line 12");
}

static void anchor_without_its_key_proves_nothing(void **state)
{
    struct fixture *fixture = *state;
    size_t length;
    cleanup_free char *anchor = fd_read_file(fixture->anchor, 1000, true, &length);
    /* One for a log that was cut: the hash is right, the signature cannot be. */
    for (size_t i = 0; i + 1 < length; i++)
        if (strncmp(anchor + i, "12 ", 3) == 0)
            memcpy(anchor + i, "11 ", 3);
    assert_int_equal(fd_replace_file(fixture->anchor, anchor, length, 0600), 0);
    assert_found(fixture, LOG_ALTERED, "was changed");
    unlink(fixture->anchor);
    assert_found(fixture, LOG_UNPROVEN, "nobody can tell");
}

/* What Assent wrote before its records were chained is no reason for an alarm, unless somebody put
 * it where a chained record was, or changed the format in the middle. */
static void old_format_is_named(void **state)
{
    struct fixture *fixture = *state;
    static const char old[] =
        "{\"v\":1,\"n\":1,\"time\":\"2026-11-21T09:08:07.123Z\",\"event\":\"log_start\"}\n"
        "{\"v\":1,\"n\":2,\"time\":\"2026-11-21T09:08:08.123Z\",\"event\":\"log_end\"}\n";
    write_text(fixture, old);
    assert_found(fixture, LOG_ALTERED, "not a line of a session log");
    unlink(fixture->anchor);
    assert_found(fixture, LOG_OLD_FORMAT, "nothing in it can be proven");
    cleanup_free char *mixed = xasprintf("%s%s\n", old, fixture->lines[2]);
    write_text(fixture, mixed);
    assert_found(fixture, LOG_ALTERED, "line 3 of the file is not a line of its format");
    /* The key is not there before the first chained record is. */
    unlink(fixture->key);
    write_text(fixture, old);
    assert_found(fixture, LOG_OLD_FORMAT, "nothing in it can be proven");
    assert_int_equal(log_repair(fixture->directory, fixture->anchors, NULL), 0);
}

/* The anchor of another log, whole and signed, is none of this one. */
static void anchor_of_another_log_is_none(void **state)
{
    struct fixture *fixture = *state;
    struct error error = ERROR_INIT;
    struct log_anchor *anchor = log_anchor_create(fixture->anchors, "two", &error);
    assert_non_null(anchor);
    struct log_head head = {.lines = LINES, .closed = true};
    memcpy(head.hash, fixture->head.hash, SHA256_SIZE);
    assert_int_equal(log_anchor_write(anchor, &head, true), 0);
    log_anchor_free(&anchor);
    cleanup_free char *other = xasprintf("%s/two.head", fixture->anchors);
    assert_int_equal(rename(other, fixture->anchor), 0);
    assert_found(fixture, LOG_ALTERED, "was changed");
}

/* ---- consoles that were killed --------------------------------------------------------------- */

/* As if the console had been killed when `anchored` lines were anchored. */
static void kill_at(struct fixture *fixture, uint64_t anchored)
{
    struct error error = ERROR_INIT;
    unlink(fixture->anchor);
    struct log_anchor *anchor = log_anchor_create(fixture->anchors, "one", &error);
    assert_non_null(anchor);
    struct log_head head = {.lines = anchored};
    sha256_of(fixture->lines[anchored - 1], strlen(fixture->lines[anchored - 1]), head.hash);
    assert_int_equal(log_anchor_write(anchor, &head, true), 0);
    log_anchor_free(&anchor);
}

static void killed_console_leaves_what_can_be_repaired(void **state)
{
    struct fixture *fixture = *state;
    struct log_report report;
    struct error error = ERROR_INIT;
    cleanup_free char **lines = xmemdup(fixture->lines, (LINES + 1) * sizeof(*lines));
    kill_at(fixture, 7);
    lines[9] = NULL;
    write_lines(fixture, lines);
    int fd = open(fixture->log, O_WRONLY | O_APPEND);
    assert_int_equal(fd_write_all(fd, "{\"v\":2,\"n", 9), 0);
    close(fd);
    assert_found(fixture, LOG_INTACT, "the last 2 lines (of 9)");
    assert_found(fixture, LOG_INTACT, "9 bytes of a torn line");
    assert_int_equal(log_repair(fixture->directory, fixture->anchors, NULL), 1);
    assert_found(fixture, LOG_INTACT, NULL);
    assert_int_equal(log_verify(fixture->directory, fixture->anchors, "one", &report, &error), 0);
    assert_int_equal(report.head.lines, 10);
    assert_true(report.head.closed);
    cleanup_strv char **after = read_lines(fixture);
    assert_non_null(
        strstr(after[9], "\"event\":\"log_repaired\",\"torn_bytes\":9,\"not_anchored\":2}"));
    /* Once. */
    assert_int_equal(log_repair(fixture->directory, fixture->anchors, NULL), 0);
}

static void altered_log_is_not_repaired(void **state)
{
    struct fixture *fixture = *state;
    kill_at(fixture, 7);
    cleanup_free char **lines = xmemdup(fixture->lines, (LINES + 1) * sizeof(*lines));
    lines[5] = NULL;
    write_lines(fixture, lines);
    assert_int_equal(log_repair(fixture->directory, fixture->anchors, NULL), 0);
    assert_found(fixture, LOG_ALTERED, "the end was cut off: the log had 7 lines, 5 are there");
}

static void living_console_is_left_alone(void **state)
{
    struct fixture *fixture = *state;
    struct error error = ERROR_INIT;
    struct loop *loop = loop_new(NULL);
    struct log_place place = {fixture->directory, fixture->anchors};
    unlink(fixture->log);
    unlink(fixture->anchor);
    struct session_log *log = session_log_open(loop, &place, "one", &error);
    assert_non_null(log);
    session_log_begin(log, NULL, 0);
    session_log_observer()->notice(log, NOTICE_INFO, "alive");
    assert_int_equal(log_repair(fixture->directory, fixture->anchors, NULL), 0);
    assert_found(fixture, LOG_INTACT, NULL);
    session_log_close(&log, NULL);
    loop_free(&loop);
    assert_found(fixture, LOG_INTACT, NULL);
}

/* A write of the anchor that was cut short leaves the one before it. */
static void torn_anchor_leaves_the_one_before(void **state)
{
    struct fixture *fixture = *state;
    struct log_head head;
    bool torn;
    struct error error = ERROR_INIT;
    kill_at(fixture, 7);
    /* The first place holds seven lines, the second none yet. */
    int fd = open(fixture->anchor, O_WRONLY);
    assert_int_equal(pwrite(fd, "9 abc", 5, 256), 5);
    close(fd);
    assert_int_equal(log_anchor_read(fixture->anchors, "one", &head, &torn, &error), 0);
    assert_int_equal(head.lines, 7);
    assert_true(torn);
    assert_int_equal(log_repair(fixture->directory, fixture->anchors, NULL), 1);
    assert_int_equal(log_anchor_read(fixture->anchors, "one", &head, &torn, &error), 0);
    assert_int_equal(head.lines, LINES + 1);
    assert_true(head.closed);
    assert_false(torn);
}

int main(void)
{
#define WITH_LOG(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_LOG(what_was_written_is_intact),
        WITH_LOG(edited_line_is_found),
        WITH_LOG(any_byte_counts),
        WITH_LOG(deleted_lines_are_found),
        WITH_LOG(inserted_and_doubled_lines_are_found),
        WITH_LOG(swapped_lines_are_found),
        WITH_LOG(cut_ends_are_found),
        WITH_LOG(log_written_anew_is_found),
        WITH_LOG(added_lines_are_found),
        WITH_LOG(anchor_without_its_key_proves_nothing),
        WITH_LOG(old_format_is_named),
        WITH_LOG(anchor_of_another_log_is_none),
        WITH_LOG(killed_console_leaves_what_can_be_repaired),
        WITH_LOG(altered_log_is_not_repaired),
        WITH_LOG(living_console_is_left_alone),
        WITH_LOG(torn_anchor_leaves_the_one_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
