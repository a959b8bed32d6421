/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "drive_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "kept.h"

/* Turns after which everything that can happen has happened; nothing here waits for time. */
#define TURNS 30

/* ---- what is told --------------------------------------------------------------------------- */

static void on_ready(void *argument, const char *agent, const char *session)
{
    strbuf_addf(&((struct drive *)argument)->told, "ready %s %s\n", agent, session);
}

static void on_speech(void *argument, enum agent_speech who, const char *text, size_t length)
{
    static const char *const names[] = {"operator", "agent", "thought"};
    strbuf_addf(&((struct drive *)argument)->told, "%s: %.*s\n", names[who], (int)length, text);
}

static void on_tool(void *argument, const char *title, const char *status)
{
    strbuf_addf(&((struct drive *)argument)->told, "tool %s: %s\n", status, title);
}

static void on_plan(void *argument, const struct agent_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        strbuf_addf(&((struct drive *)argument)->told, "step %c %s\n",
                    steps[i].done      ? 'x'
                    : steps[i].current ? '>'
                                       : ' ',
                    steps[i].content);
}

static void on_mode(void *argument, const char *name)
{
    strbuf_addf(&((struct drive *)argument)->told, "mode %s\n", name);
}

static void on_note(void *argument, const char *text)
{
    strbuf_addf(&((struct drive *)argument)->told, "note %s\n", text);
}

static void on_turn_ended(void *argument, const char *why)
{
    strbuf_addf(&((struct drive *)argument)->told, "turn ended %s\n", why != NULL ? why : "well");
}

static void on_ended(void *argument, const char *why)
{
    strbuf_addf(&((struct drive *)argument)->told, "ended: %s\n", why);
}

/* ---- the conversation ----------------------------------------------------------------------- */

static void work(struct drive *drive)
{
    for (int turn = 0; turn < TURNS; turn++)
        loop_step(drive->loop, 0);
}

void drive_begin(struct drive *drive,
                 struct agent_session *(*make)(const struct agent_session_setup *setup),
                 const char *load)
{
    static const struct agent_session_events events = {
        .ready = on_ready,
        .speech = on_speech,
        .tool = on_tool,
        .plan = on_plan,
        .mode = on_mode,
        .note = on_note,
        .turn_ended = on_turn_ended,
        .ended = on_ended,
    };
    static char *server[] = {(char *)"/opt/assent", (char *)"mcp", NULL};
    static char *environment[] = {(char *)"ASSENT_SOCKET=/run/x=y.sock", NULL};
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    drive->agent = ends[0];
    fd_set_nonblock(drive->agent, true);
    struct agent_session_setup setup = {
        .loop = drive->loop,
        .asker = &drive->asker,
        .from_agent = ends[1],
        .to_agent = ends[1],
        .cwd = drive->directory,
        .load = load,
        .server = server,
        .server_env = environment,
        .files = true,
        .events = &events,
        .argument = drive,
    };
    kept_begin();
    drive->session = make(&setup);
    work(drive);
}

int drive_set_up(void **state)
{
    struct drive *drive = XNEW(struct drive);
    snprintf(drive->directory, sizeof(drive->directory), "/tmp/assent-test-XXXXXX");
    assert_non_null(mkdtemp(drive->directory));
    drive->loop = loop_new(NULL);
    drive->agent = -1;
    *state = drive;
    return 0;
}

int drive_tear_down(void **state)
{
    struct drive *drive = *state;
    if (drive->agent >= 0)
        drive_hear(drive);
    agent_session_free(&drive->session);
    fake_asker_clear(&drive->asker);
    fd_close(&drive->agent);
    loop_free(&drive->loop);
    strbuf_free(&drive->heard);
    strbuf_free(&drive->told);
    assert_int_equal(rmdir(drive->directory), 0);
    free(drive);
    return 0;
}

const char *drive_hear(struct drive *drive)
{
    char bytes[16384];
    ssize_t count;
    work(drive);
    strbuf_reset(&drive->heard);
    while ((count = read(drive->agent, bytes, sizeof(bytes))) > 0)
        strbuf_add(&drive->heard, bytes, (size_t)count);
    kept_add(true, strbuf_str(&drive->heard), drive->heard.length);
    return strbuf_str(&drive->heard);
}

const char *drive_say(struct drive *drive, const char *line)
{
    drive_hear(drive);
    kept_add(false, line, strlen(line));
    kept_add(false, "\n", 1);
    assert_int_equal(write(drive->agent, line, strlen(line)), strlen(line));
    assert_int_equal(write(drive->agent, "\n", 1), 1);
    return drive_hear(drive);
}

const char *drive_told(struct drive *drive)
{
    strbuf_reset(&drive->heard);
    strbuf_add(&drive->heard, strbuf_str(&drive->told), drive->told.length);
    strbuf_reset(&drive->told);
    return strbuf_str(&drive->heard);
}

void drive_expect(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("expected %s in: %s", part, text);
}
