/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/output.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"

#define CAP 4096

static struct output *new_output(size_t cap)
{
    struct error error = ERROR_INIT;
    struct output *output = output_new(NULL, cap, &error);
    assert_non_null(output);
    return output;
}

static void append(struct output *output, const char *text)
{
    assert_int_equal(output_append(output, text, strlen(text)), 0);
}

/* What the byte at a stream position is, in the tests that fill an output. */
static char byte_at(uint64_t position)
{
    return (char)('a' + position % 23);
}

static void fill(struct output *output, size_t length)
{
    cleanup_free char *bytes = xmalloc(length);
    for (size_t i = 0; i < length; i++)
        bytes[i] = byte_at(output_total(output) + i);
    assert_int_equal(output_append(output, bytes, length), 0);
}

static void test_small_output_is_kept_whole(void **state)
{
    (void)state;
    struct output *output = new_output(CAP);
    append(output, "hello ");
    append(output, "world");
    char bytes[32];
    uint64_t position = 0;
    uint64_t skipped = 7;
    assert_int_equal(output_read(output, &position, bytes, 3, &skipped), 3);
    assert_memory_equal(bytes, "hel", 3);
    assert_int_equal(skipped, 0);
    assert_int_equal(output_read(output, &position, bytes, sizeof(bytes), &skipped), 8);
    assert_memory_equal(bytes, "lo world", 8);
    assert_int_equal(output_read(output, &position, bytes, sizeof(bytes), &skipped), 0);
    assert_int_equal(position, 11);
    assert_int_equal(output_total(output), 11);
    assert_int_equal(output_dropped(output), 0);
    output_free(&output);
    assert_null(output);
}

static void test_middle_is_dropped_and_counted(void **state)
{
    (void)state;
    for (size_t step = 1; step <= 20000; step = step * 3 + 1) {
        struct output *output = new_output(CAP);
        while (output_total(output) < 20000)
            fill(output, step);
        uint64_t total = output_total(output);
        assert_int_equal(output_dropped(output), total - CAP);
        uint64_t position = 0;
        uint64_t gap = 0;
        size_t kept = 0;
        char bytes[100];
        for (;;) {
            uint64_t skipped;
            size_t count = output_read(output, &position, bytes, sizeof(bytes), &skipped);
            if (count == 0)
                break;
            gap += skipped;
            for (size_t i = 0; i < count; i++)
                assert_int_equal(bytes[i], byte_at(position - count + i));
            kept += count;
        }
        assert_int_equal(kept, CAP);
        assert_int_equal(gap, total - CAP);
        assert_int_equal(position, total);
        output_free(&output);
    }
}

static void test_reader_who_keeps_up_misses_nothing(void **state)
{
    (void)state;
    struct output *output = new_output(CAP);
    uint64_t position = 0;
    for (size_t step = 1; output_total(output) < 100000; step = step % 1999 + 7) {
        fill(output, step);
        char bytes[2048];
        uint64_t skipped;
        uint64_t before = position;
        size_t count = 0;
        size_t piece;
        while ((piece = output_read(output, &position, bytes, sizeof(bytes), &skipped)) > 0) {
            assert_int_equal(skipped, 0);
            for (size_t i = 0; i < piece; i++)
                assert_int_equal(bytes[i], byte_at(before + count + i));
            count += piece;
        }
        assert_int_equal(count, step);
    }
    output_free(&output);
}

/* A key at a time, as a person types, with something longer in between. */
static void test_small_pieces_are_read_at_once(void **state)
{
    (void)state;
    struct output *output = new_output(CAP);
    char bytes[CAP];
    for (int i = 0; i < 5000; i++) {
        uint64_t skipped, position = output_total(output);
        size_t step = i % 300 == 299 ? 700 : (size_t)(i % 3 + 1);
        uint64_t start = position;
        fill(output, step);
        size_t count = output_read(output, &position, bytes, sizeof bytes, &skipped);
        assert_int_equal(skipped, 0);
        count += output_read(output, &position, bytes + count, sizeof bytes - count, &skipped);
        assert_int_equal(count, step); /* in two parts where the head ends */
        for (size_t k = 0; k < step; k++)
            assert_int_equal(bytes[k], byte_at(start + k));
    }
    uint64_t skipped, position = 0;
    size_t count = output_read(output, &position, bytes, sizeof bytes, &skipped);
    assert_int_equal(count, CAP / 2);
    count = 0;
    for (size_t piece; (piece = output_read(output, &position, bytes, sizeof bytes, &skipped)) > 0;
         count += piece)
        for (size_t k = 0; k < piece; k++)
            assert_int_equal(bytes[k], byte_at(position - piece + k));
    assert_int_equal(count, CAP / 2);
    output_free(&output);
}

/* They count as kept until the write that carries them fails. */
static void test_failed_write_of_small_pieces(void **state)
{
    (void)state;
    char directory[] = "/tmp/assent-output-XXXXXX";
    struct error error = ERROR_INIT;
    assert_non_null(mkdtemp(directory));
    struct output *output = output_new(directory, CAP, &error);
    assert_non_null(output);
    fill(output, 1000);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit small = {.rlim_cur = 1000, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    signal(SIGXFSZ, SIG_IGN);
    fill(output, 100);
    assert_int_equal(output_dropped(output), 0);
    char more[200] = {0};
    int result = output_append(output, more, sizeof more);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(result, -EFBIG);
    assert_int_equal(output_total(output), 1300);
    assert_int_equal(output_dropped(output), 100);
    char bytes[2000];
    uint64_t position = 0, skipped;
    assert_int_equal(output_read(output, &position, bytes, sizeof bytes, &skipped), 1000);
    assert_int_equal(output_read(output, &position, bytes, sizeof bytes, &skipped), 200);
    assert_int_equal(skipped, 100);
    output_free(&output);
    rmdir(directory);
}

static void test_file_leaves_no_name(void **state)
{
    (void)state;
    char directory[] = "/tmp/assent-output-XXXXXX";
    assert_non_null(mkdtemp(directory));
    struct error error = ERROR_INIT;
    struct output *output = output_new(directory, CAP, &error);
    assert_non_null(output);
    append(output, "secret");
    DIR *listing = opendir(directory);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        assert_int_equal(entry->d_name[0], '.');
    closedir(listing);
    output_free(&output);
    assert_int_equal(rmdir(directory), 0);

    assert_null(output_new(directory, CAP, &error));
    assert_non_null(strstr(error.message, directory));
    assert_null(output_new(NULL, CAP - 1, &error));
}

/* A limit on file size makes the writes fail for real, in the middle of a piece. */
static void test_failed_writes_are_dropped(void **state)
{
    (void)state;
    char directory[] = "/tmp/assent-output-XXXXXX";
    assert_non_null(mkdtemp(directory));
    struct error error = ERROR_INIT;
    struct output *output = output_new(directory, CAP, &error);
    assert_non_null(output);
    fill(output, 1000);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit small = {.rlim_cur = 1500, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    signal(SIGXFSZ, SIG_IGN);
    cleanup_free char *lost = xcalloc(1, 1000);
    int result = output_append(output, lost, 1000);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(result, -EFBIG);
    assert_int_equal(output_total(output), 2000);
    assert_int_equal(output_dropped(output), 1000);

    fill(output, 500);
    char bytes[2000];
    uint64_t position = 0;
    uint64_t skipped;
    assert_int_equal(output_read(output, &position, bytes, sizeof(bytes), &skipped), 1000);
    assert_int_equal(output_read(output, &position, bytes, sizeof(bytes), &skipped), 500);
    assert_int_equal(skipped, 1000);
    assert_int_equal(bytes[0], byte_at(2000));
    assert_int_equal(bytes[499], byte_at(2499));

    fill(output, 10000);
    assert_int_equal(output_dropped(output), 12500 - 1000 - CAP / 2);
    output_free(&output);
    rmdir(directory);
}

static size_t count_of(const char *text, char byte)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == byte;
    return count;
}

static void put_lines(struct output *output, int first, int count)
{
    char line[32];
    for (int i = first; i < first + count; i++) {
        snprintf(line, sizeof(line), "line %d\n", i);
        append(output, line);
    }
}

static void test_agent_gets_short_output_as_it_is(void **state)
{
    (void)state;
    struct output *output = new_output(OUTPUT_CAP_DEFAULT);
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    bool truncated = true;
    output_for_agent(output, &out, &truncated);
    assert_false(truncated);
    assert_int_equal(out.length, 0);
    put_lines(output, 1, 255);
    append(output, "no newline at the end");
    output_for_agent(output, &out, &truncated);
    assert_false(truncated);
    assert_int_equal(out.length, output_total(output));
    output_free(&output);
}

static void test_agent_gets_head_and_tail_lines(void **state)
{
    (void)state;
    struct output *output = new_output(OUTPUT_CAP_DEFAULT);
    put_lines(output, 1, 1000);
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    bool truncated = false;
    output_for_agent(output, &out, &truncated);
    assert_true(truncated);
    assert_int_equal(count_of(out.data, '\n'), 257);
    assert_int_equal(strncmp(out.data, "line 1\nline 2\n", 14), 0);
    assert_non_null(strstr(out.data, "line 128\n[... 744 lines omitted ...]\nline 873\n"));
    assert_string_equal(out.data + out.length - 10, "line 1000\n");
    output_free(&output);

    output = new_output(OUTPUT_CAP_DEFAULT);
    strbuf_reset(&out);
    put_lines(output, 1, 256);
    append(output, "x");
    output_for_agent(output, &out, &truncated);
    assert_true(truncated);
    assert_non_null(strstr(out.data, "line 128\n[... 1 lines omitted ...]\nline 130\n"));
    output_free(&output);
}

static void test_agent_gets_at_most_ten_kilobytes(void **state)
{
    (void)state;
    struct output *output = new_output(CAP * 16);
    for (int i = 0; i < 100000; i++)
        append(output, "\xe2\x82\xac"); /* three bytes each: no limit falls between two */
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    bool truncated = false;
    output_for_agent(output, &out, &truncated);
    assert_true(truncated);
    assert_true(out.length <= 10240);
    assert_true(out.length > 10000);
    char *notice = strstr(out.data, "\n[... ");
    assert_non_null(notice);
    assert_int_equal(notice - out.data, 5120 - 5120 % 3);
    char *tail = strchr(notice + 1, '\n') + 1;
    assert_int_equal(strlen(tail) % 3, 0);
    assert_int_equal(strncmp(tail, "\xe2\x82\xac", 3), 0);
    size_t omitted = strtoul(notice + 6, NULL, 10);
    assert_int_equal(omitted, 300000 - (size_t)(notice - out.data) - strlen(tail));
    assert_non_null(strstr(notice, " bytes omitted ...]"));
    output_free(&output);
}

static void test_agent_head_takes_half(void **state)
{
    (void)state;
    struct output *output = new_output(OUTPUT_CAP_DEFAULT);
    char line[203];
    for (int i = 0; i < 200; i++) {
        snprintf(line, sizeof(line), "%0200d\n", i);
        append(output, line);
    }
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    bool truncated = false;
    output_for_agent(output, &out, &truncated);
    assert_true(truncated && out.length <= 10240);
    char *notice = strstr(out.data, "\n[... ");
    assert_non_null(notice);
    assert_true(notice - out.data <= 5120);
    /* What is missing and what is there make up the whole. */
    size_t omitted = strtoul(notice + 6, NULL, 10);
    assert_in_range(omitted + count_of(out.data, '\n'), 200, 202);
    assert_string_equal(out.data + out.length - 4, "199\n");
    output_free(&output);
}

/* The head of a huge output stays although the middle is gone from the file. */
static void test_agent_gets_ends_of_dropped_output(void **state)
{
    (void)state;
    struct output *output = new_output(CAP);
    put_lines(output, 1, 100000);
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    bool truncated = false;
    output_for_agent(output, &out, &truncated);
    assert_true(truncated);
    assert_int_equal(strncmp(out.data, "line 1\n", 7), 0);
    assert_non_null(strstr(out.data, "line 99999\nline 100000\n"));
    assert_non_null(strstr(out.data, "line 128\n[... 99744 lines omitted ...]\n"));
    output_free(&output);
}

static void test_preview(void **state)
{
    (void)state;
    static const char notice[] = "[... telemetry preview truncated ...]\n";
    struct output *output = new_output(CAP);
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    put_lines(output, 1, 64);
    output_preview(output, &out);
    assert_int_equal(out.length, output_total(output));
    append(output, "one more");
    strbuf_reset(&out);
    output_preview(output, &out);
    assert_non_null(strstr(out.data, "line 64\n[... telemetry"));
    assert_string_equal(out.data + out.length - strlen(notice), notice);
    output_free(&output);

    output = new_output(CAP);
    for (int i = 0; i < 3000; i++)
        append(output, "\xf0\x9f\x98\x80");
    strbuf_reset(&out);
    output_preview(output, &out);
    assert_int_equal(out.length, 2048 + 1 + strlen(notice));
    output_free(&output);

    output = new_output(CAP);
    append(output, "x");
    for (int i = 0; i < 3000; i++)
        append(output, "\xf0\x9f\x98\x80");
    strbuf_reset(&out);
    output_preview(output, &out);
    assert_int_equal(out.length, 2045 + 1 + strlen(notice));
    output_free(&output);
}

/* Bytes that are no text at all: limits hold, nothing is read beyond the end. */
static void test_random_bytes(void **state)
{
    (void)state;
    uint32_t seed = 12345;
    for (int round = 0; round < 200; round++) {
        struct output *output = new_output(CAP);
        size_t length = (size_t)(seed >> 8) % 30000;
        for (size_t i = 0; i < length; i++) {
            seed = seed * 1664525 + 1013904223;
            char byte = (char)(round % 2 == 0 ? seed >> 24 : 0x80 | seed >> 26);
            assert_int_equal(output_append(output, &byte, 1), 0);
        }
        cleanup_strbuf struct strbuf out = STRBUF_INIT;
        bool truncated;
        output_for_agent(output, &out, &truncated);
        assert_true(out.length <= 10240);
        assert_int_equal(truncated || out.length == length, true);
        strbuf_reset(&out);
        output_preview(output, &out);
        assert_true(out.length <= 2048 + 40);
        output_free(&output);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_output_is_kept_whole),
        cmocka_unit_test(test_middle_is_dropped_and_counted),
        cmocka_unit_test(test_reader_who_keeps_up_misses_nothing),
        cmocka_unit_test(test_small_pieces_are_read_at_once),
        cmocka_unit_test(test_failed_write_of_small_pieces),
        cmocka_unit_test(test_file_leaves_no_name),
        cmocka_unit_test(test_failed_writes_are_dropped),
        cmocka_unit_test(test_agent_gets_short_output_as_it_is),
        cmocka_unit_test(test_agent_gets_head_and_tail_lines),
        cmocka_unit_test(test_agent_gets_at_most_ten_kilobytes),
        cmocka_unit_test(test_agent_head_takes_half),
        cmocka_unit_test(test_agent_gets_ends_of_dropped_output),
        cmocka_unit_test(test_preview),
        cmocka_unit_test(test_random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
