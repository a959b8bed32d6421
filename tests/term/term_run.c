/* SPDX-License-Identifier: MIT */
/*
 * term_run: runs tests of the terminal in a pane, written as plain text (README tells the form).
 *
 *     term_run FILE.test…
 *
 * Each file is run twice, with what goes in written at once and byte by byte: the result must not
 * depend on how a program's output is cut into pieces. Exit status 0 when all held, 1 when not.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/term/vt.h"

#define WORDS_MAX 16
#define FILE_LIMIT (1024 * 1024)

/* One part of a line: a bare word, or a quoted string with its escapes resolved. */
struct word {
    char *text;
    size_t length;
};

struct run {
    const char *path;
    int line;
    bool bytewise;
    bool in_screen; /* lines that begin with "|" are rows */
    int screen_row;
    struct vt *vt;
    struct strbuf replies, requests;
    int bells;
    int failures;
    char name[128]; /* of the test */
    struct word words[WORDS_MAX];
    int count;
};

static void fail(struct run *run, const char *what, const char *wanted, const char *seen)
{
    cleanup_strbuf struct strbuf safe = STRBUF_INIT;
    text_escape(&safe, seen, strlen(seen), 0);
    cleanup_strbuf struct strbuf right = STRBUF_INIT;
    text_escape(&right, wanted, strlen(wanted), 0);
    printf("%s:%d: %s (%s): %s: wanted '%s', got '%s'\n", run->path, run->line, run->name,
           run->bytewise ? "byte by byte" : "at once", what, strbuf_str(&right), strbuf_str(&safe));
    run->failures++;
}

static void check_text(struct run *run, const char *what, const char *wanted, const char *seen)
{
    if (strcmp(wanted, seen) != 0)
        fail(run, what, wanted, seen);
}

static void check_number(struct run *run, const char *what, long wanted, long seen)
{
    char a[32], b[32];
    snprintf(a, sizeof a, "%ld", wanted);
    snprintf(b, sizeof b, "%ld", seen);
    check_text(run, what, a, b);
}

/* ---- what the terminal tells ----------------------------------------------------------------- */

static void on_bell(void *argument)
{
    ((struct run *)argument)->bells++;
}

static void on_reply(const char *bytes, size_t length, void *argument)
{
    strbuf_add(&((struct run *)argument)->replies, bytes, length);
}

static void on_request(enum vt_request request, const char *bytes, size_t length, void *argument)
{
    struct run *run = argument;
    strbuf_addstr(&run->requests, request == VT_REQUEST_CLIPBOARD ? "clipboard:" : "notify:");
    strbuf_add(&run->requests, bytes, length);
}

static const struct vt_events events = {.bell = on_bell, .reply = on_reply, .request = on_request};

static void new_terminal(struct run *run, int rows, int columns, int scrollback)
{
    vt_free(&run->vt);
    run->vt = vt_new(rows, columns, scrollback, &events, run);
    strbuf_reset(&run->replies);
    strbuf_reset(&run->requests);
    run->bells = 0;
}

/* ---- words ----------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *at = strchr(digits, c);
    return c && at ? (int)(at - digits) : -1;
}

/* One escape after its backslash; returns what follows it. */
static const char *add_escape(struct strbuf *out, const char *at)
{
    static const char names[] = "enrtabvf0", codes[] = "\033\n\r\t\a\b\v\f";
    const char *name = strchr(names, *at);
    if (*at == 'x' && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0) {
        strbuf_addch(out, (char)(hex_digit(at[1]) * 16 + hex_digit(at[2])));
        return at + 3;
    }
    strbuf_addch(out, *at && name ? codes[name - names] : *at);
    return at + 1;
}

static const char *take_word(const char *at, struct word *word)
{
    struct strbuf out = STRBUF_INIT;
    if (*at == '"') {
        at++;
        while (*at && *at != '"') {
            if (*at == '\\')
                at = add_escape(&out, at + 1);
            else
                strbuf_addch(&out, *at++);
        }
        at += *at == '"';
    } else {
        size_t length = strcspn(at, " ");
        strbuf_add(&out, at, length);
        at += length;
    }
    word->length = out.length;
    word->text = strbuf_steal(&out);
    return at;
}

static void split_words(struct run *run, const char *line)
{
    run->count = 0;
    while (run->count < WORDS_MAX) {
        line += strspn(line, " ");
        if (!*line || *line == '#')
            break;
        line = take_word(line, &run->words[run->count++]);
    }
}

static void free_words(struct run *run)
{
    for (int i = 0; i < run->count; i++)
        free(run->words[i].text);
}

static const char *word(const struct run *run, int index)
{
    return index < run->count ? run->words[index].text : "";
}

static int number(const struct run *run, int index, int absent)
{
    return index < run->count ? (int)strtol(run->words[index].text, NULL, 10) : absent;
}

/* ---- verbs: what goes in --------------------------------------------------------------------- */

static void do_test(struct run *run)
{
    snprintf(run->name, sizeof run->name, "%s", word(run, 1));
    new_terminal(run, 5, 20, 100);
}

static void do_size(struct run *run)
{
    new_terminal(run, number(run, 1, 5), number(run, 2, 20), number(run, 3, 100));
}

static void do_in(struct run *run)
{
    const struct word *bytes = &run->words[1];
    for (int times = number(run, 2, 1); times > 0; times--) {
        if (!run->bytewise)
            vt_write(run->vt, bytes->text, bytes->length);
        for (size_t i = 0; run->bytewise && i < bytes->length; i++)
            vt_write(run->vt, bytes->text + i, 1);
    }
}

static void do_resize(struct run *run)
{
    vt_resize(run->vt, number(run, 1, 5), number(run, 2, 20));
}

/* ---- verbs: what comes out ------------------------------------------------------------------- */

static char *line_text(const struct run *run, int64_t line)
{
    struct strbuf out = STRBUF_INIT;
    grid_text(vt_grid(run->vt), line, 0, line, VT_COLUMNS_MAX, &out);
    return strbuf_steal(&out);
}

static void check_line(struct run *run, int row, const char *wanted)
{
    char what[32];
    snprintf(what, sizeof what, "row %d", row);
    cleanup_free char *seen = line_text(run, grid_top_line(vt_grid(run->vt)) + row);
    check_text(run, what, wanted, seen);
}

/* row -1 is the line that scrolled off last. */
static void do_row(struct run *run)
{
    check_line(run, number(run, 1, 0), word(run, 2));
}

static void do_history(struct run *run)
{
    const struct grid *grid = vt_grid(run->vt);
    check_number(run, "lines in the scrollback", number(run, 1, 0),
                 (long)(grid_top_line(grid) - grid_first_line(grid)));
}

static void do_wrapped(struct run *run)
{
    const struct grid *grid = vt_grid(run->vt);
    bool wrapped = grid_line_wrapped(grid, grid_top_line(grid) + number(run, 1, 0));
    check_text(run, "wrapped", word(run, 2), wrapped ? "yes" : "no");
}

static void add_colour(struct strbuf *out, const char *name, uint32_t colour)
{
    unsigned value = GRID_COLOUR_VALUE(colour);
    if (GRID_COLOUR_KIND(colour) == GRID_COLOUR_INDEXED)
        strbuf_addf(out, " %s=%u", name, value);
    else if (GRID_COLOUR_KIND(colour) == GRID_COLOUR_RGB)
        strbuf_addf(out, " %s=#%06x", name, value);
}

static void describe_style(struct strbuf *out, const struct grid_style *style)
{
    static const char *const names[] = {"bold",    "dim",    "italic",   "underline",
                                        "double",  "curly",  "blink",    "reverse",
                                        "conceal", "strike", "overline", "protected"};
    add_colour(out, "fg", style->foreground);
    add_colour(out, "bg", style->background);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (style->attributes & 1u << i)
            strbuf_addf(out, " %s", names[i]);
    }
}

/* cell ROW COLUMN "characters width=2 fg=1 bold" */
static void do_cell(struct run *run)
{
    struct grid_glyph glyph;
    char bytes[4];
    cleanup_strbuf struct strbuf seen = STRBUF_INIT;
    grid_cell_at(vt_grid(run->vt), number(run, 1, 0), number(run, 2, 0), &glyph);
    for (int i = 0; i < glyph.count; i++)
        strbuf_add(&seen, bytes, text_encode(glyph.codepoints[i], bytes));
    if (glyph.count == 0)
        strbuf_addstr(&seen, "empty");
    if (glyph.width != 1)
        strbuf_addf(&seen, " width=%d", glyph.width);
    describe_style(&seen, &glyph.style);
    check_text(run, "cell", word(run, 3), strbuf_str(&seen));
}

/* cursor ROW COLUMN [hidden] [underline|bar] [steady] */
static void do_cursor(struct run *run)
{
    struct vt_cursor cursor = vt_cursor(run->vt);
    check_number(run, "cursor's row", number(run, 1, 0), cursor.row);
    check_number(run, "cursor's column", number(run, 2, 0), cursor.column);
    cleanup_strbuf struct strbuf wanted = STRBUF_INIT;
    for (int i = 3; i < run->count; i++)
        strbuf_addf(&wanted, " %s", word(run, i));
    cleanup_strbuf struct strbuf seen = STRBUF_INIT;
    strbuf_addstr(&seen, cursor.visible ? "" : " hidden");
    static const char *const shapes[] = {"", " underline", " bar"};
    strbuf_addstr(&seen, shapes[cursor.shape]);
    strbuf_addstr(&seen, cursor.blinking ? "" : " steady");
    check_text(run, "cursor", strbuf_str(&wanted), strbuf_str(&seen));
}

/* modes NAME… : exactly these are on */
static void do_modes(struct run *run)
{
    static const char *const names[] = {
        "cursor-keys", "keypad", "bracketed-paste", "focus",   "sync",     "click",
        "drag",        "move",   "reverse",         "newline", "alternate"};
    cleanup_strbuf struct strbuf wanted = STRBUF_INIT;
    for (int i = 1; i < run->count; i++)
        strbuf_addf(&wanted, " %s", word(run, i));
    cleanup_strbuf struct strbuf seen = STRBUF_INIT;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (vt_modes(run->vt) & 1u << i)
            strbuf_addf(&seen, " %s", names[i]);
    }
    check_text(run, "modes", strbuf_str(&wanted), strbuf_str(&seen));
}

static void do_reply(struct run *run)
{
    check_text(run, "reply", word(run, 1), strbuf_str(&run->replies));
    strbuf_reset(&run->replies);
}

static void do_request(struct run *run)
{
    check_text(run, "request", word(run, 1), strbuf_str(&run->requests));
    strbuf_reset(&run->requests);
}

static void do_title(struct run *run)
{
    check_text(run, "title", word(run, 1), vt_title(run->vt));
}

static void do_bells(struct run *run)
{
    check_number(run, "bells", number(run, 1, 0), run->bells);
    run->bells = 0;
}

/* text FROM-ROW FROM-COLUMN TO-ROW TO-COLUMN "text" */
static void do_text(struct run *run)
{
    const struct grid *grid = vt_grid(run->vt);
    int64_t top = grid_top_line(grid);
    cleanup_strbuf struct strbuf seen = STRBUF_INIT;
    grid_text(grid, top + number(run, 1, 0), number(run, 2, 0), top + number(run, 3, 0),
              number(run, 4, 0), &seen);
    check_text(run, "text", word(run, 5), strbuf_str(&seen));
}

/* dirty ROW… : exactly these rows; they are clean afterwards */
static void do_dirty(struct run *run)
{
    cleanup_strbuf struct strbuf wanted = STRBUF_INIT;
    for (int i = 1; i < run->count; i++)
        strbuf_addf(&wanted, " %s", word(run, i));
    cleanup_strbuf struct strbuf seen = STRBUF_INIT;
    for (int row = 0; row < grid_rows(vt_grid(run->vt)); row++) {
        if (!grid_span_empty(grid_row_dirty(vt_grid(run->vt), row)))
            strbuf_addf(&seen, " %d", row);
    }
    check_text(run, "dirty rows", strbuf_str(&wanted), strbuf_str(&seen));
    vt_clear_dirty(run->vt);
}

/* ---- verbs: towards the program -------------------------------------------------------------- */

static unsigned modifiers(const struct run *run, int from)
{
    unsigned found = 0;
    for (int i = from; i < run->count; i++) {
        found |= strcmp(word(run, i), "shift") == 0 ? VT_SHIFT : 0;
        found |= strcmp(word(run, i), "alt") == 0 ? VT_ALT : 0;
        found |= strcmp(word(run, i), "control") == 0 ? VT_CONTROL : 0;
    }
    return found;
}

static uint32_t key_named(const char *name)
{
    static const char *const names[] = {"up",    "down",   "right",     "left",    "home",
                                        "end",   "insert", "delete",    "page-up", "page-down",
                                        "enter", "tab",    "backspace", "escape"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return VT_KEY_FIRST + i;
    }
    if (name[0] == 'f' && name[1])
        return VT_KEY_F1 + (uint32_t)strtoul(name + 1, NULL, 10) - 1;
    if (strncmp(name, "keypad-", 7) == 0)
        return VT_KEY_KEYPAD_0 + (uint32_t)strtoul(name + 7, NULL, 10);
    uint32_t codepoint;
    text_decode(name, strlen(name), &codepoint);
    return codepoint;
}

/* Bytes may contain NUL (Ctrl with space), so they are compared escaped. */
static void check_bytes(struct run *run, const char *what, const struct word *wanted,
                        const struct strbuf *seen)
{
    if (wanted->length != seen->length || memcmp(wanted->text, strbuf_str(seen), seen->length) != 0)
        fail(run, what, wanted->text, strbuf_str(seen));
}

/* key NAME "bytes" [shift] [alt] [control] */
static void do_key(struct run *run)
{
    cleanup_strbuf struct strbuf seen = STRBUF_INIT;
    vt_key(run->vt, key_named(word(run, 1)), modifiers(run, 3), &seen);
    check_bytes(run, "key", &run->words[2], &seen);
}

static void do_paste(struct run *run)
{
    cleanup_strbuf struct strbuf seen = STRBUF_INIT;
    vt_paste(run->vt, run->words[1].text, run->words[1].length, &seen);
    check_bytes(run, "paste", &run->words[2], &seen);
}

/* mouse press|release|motion BUTTON ROW COLUMN "bytes" [modifiers] */
static void do_mouse(struct run *run)
{
    const char *kind = word(run, 1);
    struct vt_mouse_event event = {
        .kind = strcmp(kind, "press") == 0     ? VT_MOUSE_PRESS
                : strcmp(kind, "release") == 0 ? VT_MOUSE_RELEASE
                                               : VT_MOUSE_MOTION,
        .button = number(run, 2, 0),
        .row = number(run, 3, 0),
        .column = number(run, 4, 0),
        .modifiers = modifiers(run, 6),
    };
    cleanup_strbuf struct strbuf seen = STRBUF_INIT;
    vt_mouse(run->vt, &event, &seen);
    check_bytes(run, "mouse", &run->words[5], &seen);
}

static void do_focus(struct run *run)
{
    cleanup_strbuf struct strbuf seen = STRBUF_INIT;
    vt_focus(run->vt, strcmp(word(run, 1), "in") == 0, &seen);
    check_bytes(run, "focus", &run->words[2], &seen);
}

/* ---- files ----------------------------------------------------------------------------------- */

static const struct verb {
    const char *name;
    int least; /* words, with the verb itself */
    void (*run)(struct run *run);
} verbs[] = {
    {"test", 2, do_test},       {"size", 3, do_size},   {"in", 2, do_in},
    {"resize", 3, do_resize},   {"row", 3, do_row},     {"history", 2, do_history},
    {"wrapped", 3, do_wrapped}, {"cell", 4, do_cell},   {"cursor", 3, do_cursor},
    {"modes", 1, do_modes},     {"reply", 2, do_reply}, {"request", 2, do_request},
    {"title", 2, do_title},     {"bells", 2, do_bells}, {"text", 6, do_text},
    {"dirty", 1, do_dirty},     {"key", 3, do_key},     {"paste", 3, do_paste},
    {"mouse", 6, do_mouse},     {"focus", 3, do_focus},
};

static void run_verb(struct run *run)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(word(run, 0), verbs[i].name) == 0 && run->count >= verbs[i].least) {
            verbs[i].run(run);
            return;
        }
    }
    fail(run, "a line of the test", "a verb and its words", word(run, 0));
}

/* After "screen", each line with a "|" is a row of the screen, from the top; rows that are not
 * there must be blank. */
static void end_screen(struct run *run)
{
    for (; run->in_screen && run->screen_row < grid_rows(vt_grid(run->vt)); run->screen_row++)
        check_line(run, run->screen_row, "");
    run->in_screen = false;
}

static void run_line(struct run *run, const char *line)
{
    if (line[0] == '|' && run->in_screen) {
        check_line(run, run->screen_row++, line + 1);
        return;
    }
    end_screen(run);
    if (strcmp(line, "screen") == 0) {
        run->in_screen = true;
        run->screen_row = 0;
        return;
    }
    split_words(run, line);
    if (run->count > 0)
        run_verb(run);
    free_words(run);
}

static int run_file(const char *path, bool bytewise)
{
    size_t length;
    cleanup_free char *text = fd_read_file(path, FILE_LIMIT, false, &length);
    if (!text) {
        perror(path);
        return 1;
    }
    struct run run = {.path = path, .bytewise = bytewise};
    new_terminal(&run, 5, 20, 100);
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n"))) {
        run.line++;
        run_line(&run, line);
    }
    end_screen(&run);
    vt_free(&run.vt);
    strbuf_free(&run.replies);
    strbuf_free(&run.requests);
    return run.failures;
}

int main(int argc, char **argv)
{
    int failures = argc < 2;
    for (int i = 1; i < argc; i++)
        failures += run_file(argv[i], false) + run_file(argv[i], true);
    return failures > 0;
}
