/* SPDX-License-Identifier: MIT */
/* log_fixture: a session log of a test, in a directory of its own. */
#ifndef ASSENT_TESTS_UNIT_LOG_FIXTURE_H
#define ASSENT_TESTS_UNIT_LOG_FIXTURE_H

#include <jansson.h>

#include "base/strbuf.h"
#include "record/log_frame.h"
#include "record/log_index.h"

#define LOG_FIXTURE_START INT64_C(1700000000000) /* 2023-11-14T22:13:20Z */

struct log_fixture {
    char directory[40], log[64], index[64];
    struct log_file file; /* of the console "one" */
    struct strbuf text;   /* its lines so far */
    uint64_t lines;
    unsigned char hash[SHA256_SIZE];
};

/* Set-up and tear-down of a test (cmocka): *state is the fixture, its log has no lines. */
int log_fixture_set_up(void **state);
int log_fixture_tear_down(void **state);

/* Another line, a second after the one before; takes `fields` over. */
void log_fixture_add(struct log_fixture *fixture, const char *event, json_t *fields);
/* Writes the lines so far to the log's file. */
void log_fixture_store(const struct log_fixture *fixture);
/* The index of that file; for log_index_free(). */
struct log_index *log_fixture_open(const struct log_fixture *fixture);

#endif
