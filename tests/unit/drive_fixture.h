/* SPDX-License-Identifier: MIT */
/* drive_fixture: a conversation whose agent and whose operator are the test. What a frontend tells
 * is written down as text, one line an event. */
#ifndef ASSENT_TESTS_DRIVE_FIXTURE_H
#define ASSENT_TESTS_DRIVE_FIXTURE_H

#include <stdbool.h>

#include "agents/drive/agent_session.h"
#include "base/loop.h"
#include "base/strbuf.h"
#include "fake_asker.h"

struct drive {
    struct loop *loop;
    struct asker asker;
    struct agent_session *session;
    char directory[64]; /* the workspace; exists */
    int agent;          /* the agent's end */
    struct strbuf heard, told;
};

/* Begins a conversation; `load` as in struct agent_session_setup. The first words of the client are
 * there afterwards. */
void drive_begin(struct drive *drive,
                 struct agent_session *(*make)(const struct agent_session_setup *setup),
                 const char *load);
int drive_set_up(void **state);
int drive_tear_down(void **state);

/* What the client has said since the last time. */
const char *drive_hear(struct drive *drive);
/* The agent says this line; returns what the client answers. */
const char *drive_say(struct drive *drive, const char *line);
/* What the frontend has told since the last time. */
const char *drive_told(struct drive *drive);
/* The client's words hold this part. */
void drive_expect(const char *text, const char *part);

#endif
