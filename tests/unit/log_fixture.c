/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "log_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"

int log_fixture_set_up(void **state)
{
    struct log_fixture *fixture = XNEW(struct log_fixture);
    strcpy(fixture->directory, "/tmp/assent-record-XXXXXX");
    assert_non_null(mkdtemp(fixture->directory));
    snprintf(fixture->log, sizeof(fixture->log), "%s/one.jsonl", fixture->directory);
    snprintf(fixture->index, sizeof(fixture->index), "%s/one.index", fixture->directory);
    fixture->file = (struct log_file){.path = fixture->log, .console = (char *)"one"};
    *state = fixture;
    return 0;
}

int log_fixture_tear_down(void **state)
{
    struct log_fixture *fixture = *state;
    unlink(fixture->log);
    unlink(fixture->index);
    assert_int_equal(rmdir(fixture->directory), 0);
    strbuf_free(&fixture->text);
    free(fixture);
    return 0;
}

void log_fixture_add(struct log_fixture *fixture, const char *event, json_t *fields)
{
    assert_non_null(fields);
    cleanup_free char *line =
        log_frame_line(fixture->lines + 1, fixture->hash,
                       LOG_FIXTURE_START + (int64_t)fixture->lines * 1000, event, fields);
    fixture->lines++;
    sha256_of(line, strlen(line), fixture->hash);
    strbuf_addf(&fixture->text, "%s\n", line);
    json_decref(fields);
}

void log_fixture_store(const struct log_fixture *fixture)
{
    const char *text = strbuf_str(&fixture->text);
    assert_int_equal(fd_replace_file(fixture->log, text, strlen(text), 0600), 0);
}

struct log_index *log_fixture_open(const struct log_fixture *fixture)
{
    struct error error = ERROR_INIT;
    struct log_index *index = log_index_open(&fixture->file, &error);
    if (index == NULL)
        fail_msg("%s", error.message);
    return index;
}
