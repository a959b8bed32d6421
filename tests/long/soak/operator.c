/* SPDX-License-Identifier: MIT */
/* operator: whoever sits at the console, in a hurry and not always attentive. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "soak.h"

#define HEARD_MS 3000 /* a key that is not heard by then is pressed again */

#define F1 "\x1bOP"
#define F2 "\x1bOQ"
#define F3 "\x1bOR"
#define F4 "\x1bOS"
#define F5 "\x1b[15~"
#define F6 "\x1b[17~"
#define F7 "\x1b[18~"
#define F9 "\x1b[20~"
#define F11 "\x1b[23~"
#define F12 "\x1b[24~"
#define UP "\x1b[A"
#define DOWN "\x1b[B"
#define RIGHT "\x1b[C"
#define LEFT "\x1b[D"
#define HOME "\x1b[H"
#define END "\x1b[F"
#define PAGE_UP "\x1b[5~"
#define PAGE_DOWN "\x1b[6~"

/* Keys, and how often they are pressed beside the others of their list. */
struct habit {
    unsigned weight;
    const char *keys;
};

static const char *pick(const struct habit *habits, size_t count)
{
    unsigned total = 0, at;

    for (size_t i = 0; i < count; i++)
        total += habits[i].weight;
    at = soak_random(total);
    for (size_t i = 0; i < count; i++) {
        if (at < habits[i].weight)
            return habits[i].keys;
        at -= habits[i].weight;
    }
    return "";
}

#define PICK(habits) pick(habits, sizeof(habits) / sizeof((habits)[0]))

static const struct habit at_request[] = {
    {55, "y"},   {18, "d"},   {6, "a"},  {2, "p"},
    {2, "i"},    {1, F6},     {3, "n"},  {1, "x"},
    {4, "\x1b"}, {2, "v"},    {2, UP},   {2, DOWN},
    {3, "\r"},   {1, "?"},    {2, "e"},  {2, "l"},
    {1, "+"},    {1, "-"},    {1, LEFT}, {1, RIGHT},
    {1, "\t"},   {3, END},    {2, " "},  {1, PAGE_UP},
    {1, HOME},   {1, "\x01"}, {1, "q"},  {1, "\x1b[200~yy\r\x1b[201~"},
};

static const struct habit at_prompt[] = {
    {40, F2},
    {10, "\t"},
    {4, "\x1b[Z"},
    {4, F5},
    {3, F6},
    {3, F3},
    {5, F9},
    {3, F11},
    {4, F12},
    {4, PAGE_UP},
    {4, PAGE_DOWN},
    {3, "\x0c"},
    {3, F1},
    {1, F4},
    {3, "ls -l\r"},
    {2, "cat wide\r"},
    {2, ":forget\r"},
    {3, ":undo\r"},
    {2, ":trail\r"},
    {2, ":sessions\r"},
    {2, ":grants\r"},
    {2, ":log\r"},
    {1, ":log stats\r"},
    {1, ":rules\r"},
    {1, ":theme light\r"},
    {1, ":theme dark\r"},
    {1, ":theme mono\r"},
    {2, ":find fox\r"},
    {1, ":log fox\r"},
    {2, "some words\x15"},
    {2, ":resume default\r"},
    {1, ":nothing\r"},
};

static const struct habit at_pane[] = {
    {4, "text\r"}, {2, "q"}, {1, UP}, {1, "\x1b[200~pasted\x1b[201~"}, {8, "\x1c"}, {1, "\x04"},
};

static const struct habit at_inbox[] = {
    {6, " "},    {4, "y"}, {2, "d"}, {3, DOWN}, {2, UP},        {2, "\r"}, {2, "\t"},
    {5, "\x1b"}, {2, "n"}, {1, F9},  {1, F6},   {1, PAGE_DOWN}, {1, END},  {1, HOME},
};

static const struct habit at_text[] = {
    {6, "\x1b"}, {3, "q"},  {3, PAGE_DOWN}, {2, PAGE_UP}, {2, END}, {2, "g"},
    {2, DOWN},   {1, "\t"}, {1, "/fox\r"},  {1, "n"},     {1, " "}, {1, "\x01"},
};

static const struct habit at_line[] = {
    {5, "\r"}, {4, "\x1b"}, {3, "rather not"}, {1, LEFT}, {1, "\x15"}, {1, "\xc3\xa4\xe6\xbc\xa2"},
};

static void at_a_request(struct terminal *terminal, struct record *record, uint64_t call)
{
    const char *keys = PICK(at_request);

    /* Whoever drums on is not heard; as it says there, they let go for a moment. */
    if (terminal_shows(terminal, "came too soon"))
        terminal_settle(terminal, 250, 500);
    if (terminal_shows(terminal, "in a row quickly"))
        terminal_settle(terminal, 450, 900);
    if (terminal_request(terminal) != call) /* it has ended meanwhile, and another one is there */
        return;
    if (terminal_shows(terminal, "Read the command to its end first") && soak_random(2) == 0)
        keys = END;
    if (terminal_shows(terminal, "read it first.") && soak_random(2) == 0)
        keys = "v";
    if (terminal_shows(terminal, "Enter confirms: ") && soak_random(4) != 0)
        keys = "\r";
    record_may_allow(record, call);
    terminal_keys(terminal, keys);
}

/* As a finger does: Enter comes by itself, or it would not run what changes something. */
static void at_the_prompt(struct terminal *terminal)
{
    const char *keys = PICK(at_prompt);
    size_t length = strcspn(keys, "\r");
    char line[64];

    snprintf(line, sizeof(line), "%.*s", (int)length, keys);
    terminal_keys(terminal, line);
    if (keys[length] == '\0')
        return;
    terminal_settle(terminal, 20, 200);
    terminal_keys(terminal, "\r");
}

void operator_types(struct terminal *terminal, struct record *record)
{
    const char *where;
    uint64_t call;

    while (terminal_pump(terminal, 0))
        continue;
    where = terminal_where(terminal);
    call = terminal_request(terminal);
    if (call != 0) {
        at_a_request(terminal, record, call);
    } else if (strcmp(where, "prompt") == 0) {
        at_the_prompt(terminal);
    } else if (strncmp(where, "pane ", 5) == 0) {
        terminal_keys(terminal, PICK(at_pane));
    } else if (strcmp(where, "inbox") == 0) {
        record_may_allow(record, 0);
        terminal_keys(terminal, PICK(at_inbox));
    } else if (strcmp(where, "your message") == 0 || strcmp(where, "the command") == 0) {
        terminal_keys(terminal, PICK(at_line));
    } else {
        terminal_keys(terminal, PICK(at_text));
    }
}

/* Who leaves requests one by one with Esc needs as many keys as there are requests; the inbox, and
 * Esc there, leaves them all at once.
 */
static const char *leaves(const char *where, uint64_t call)
{
    if (strncmp(where, "pane ", 5) == 0)
        return "\x1c";
    return call != 0 ? F9 : "\x1b";
}

/* A second key before the first was heard would take it back (F9, F9): on a busy machine that is
 * waited for. */
static void press_and_see(struct terminal *terminal, const char *keys, const char *where)
{
    int64_t end = soak_now_ms() + HEARD_MS;

    terminal_keys(terminal, keys);
    while (strcmp(terminal_where(terminal), where) == 0 && terminal->fd >= 0 && soak_now_ms() < end)
        terminal_pump(terminal, 50);
}

bool operator_leaves_all(struct terminal *terminal)
{
    cleanup_strbuf struct strbuf way = STRBUF_INIT;

    for (int i = 0; i < 200; i++) {
        cleanup_free char *where = xstrdup(terminal_where(terminal));

        if (strcmp(where, "prompt") == 0)
            return true;
        if (terminal->fd < 0) /* the console has ended */
            return false;
        strbuf_addf(&way, "%s%s", i > 0 ? ", " : "", where);
        press_and_see(terminal, leaves(where, terminal_request(terminal)), where);
        /* Longer than keys do not count for; much longer where it says that one came too soon. */
        terminal_settle(terminal, terminal_shows(terminal, "came too soon") ? 500 : 250, 1500);
    }
    soak_complain("the prompt cannot be reached: %s", strbuf_str(&way));
    return false;
}
