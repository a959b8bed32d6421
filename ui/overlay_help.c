/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/overlay_help.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/operator_context.h"
#include "ui/operator_table.h"
#include "ui/overlay_full.h"
#include "ui/wrap.h"

#define KEY_COLUMNS 20
#define WHAT_COLUMNS 54 /* with the frame, 80 for both */

/* A row of two columns; what does not fit goes on below itself, or begins there. */
static void add_padded(struct strbuf *out, const char *left, const char *right)
{
    int gap = KEY_COLUMNS - (int)text_width(left, strlen(left));
    struct wrap wrap;

    strbuf_addf(out, "%s%s", left, gap > 0 ? "" : "\n");
    wrap_init(&wrap, right, WHAT_COLUMNS, WRAP_WORDS);
    for (size_t i = 0; i < wrap.count; i++)
        strbuf_addf(out, "%*s%.*s\n", i > 0 || gap <= 0 ? KEY_COLUMNS : gap, "",
                    (int)wrap.lines[i].length, right + wrap.lines[i].start);
    wrap_clear(&wrap);
}

/* Which keys something answers now. */
struct offer {
    bool (*offers)(const void *argument, enum action action);
    const void *argument;
};

static bool is_offered(const struct offer *offer, enum action action)
{
    return offer == NULL || offer->offers(offer->argument, action);
}

/* Those that are offered, or those that are not. */
static void add_keys(struct strbuf *out, const struct keymap *keymap, enum keymap_context context,
                     bool names, const struct offer *offer, bool offered)
{
    for (unsigned i = 1; i < ACTION_COUNT; i++) {
        cleanup_free char *both = NULL;

        if (keymap_context_of((enum action)i) != context ||
            is_offered(offer, (enum action)i) != offered)
            continue;
        both = keymap_keys(keymap, (enum action)i);
        add_padded(out, both, names ? keymap_name((enum action)i) : keymap_help((enum action)i));
    }
}

static void add_context(struct document *help, const struct keymap *keymap, const char *heading,
                        enum keymap_context context, bool names)
{
    struct strbuf text = STRBUF_INIT;

    add_keys(&text, keymap, context, names, NULL, true);
    if (text.length > 0)
        text.data[--text.length] = '\0';
    document_add(help, heading, DOCUMENT_TABLE, THEME_OVERLAY_TEXT, strbuf_str(&text));
    strbuf_free(&text);
}

static void add_policies(struct strbuf *text)
{
    for (int i = APPROVAL_UNTRUSTED; i <= APPROVAL_NEVER; i++) {
        cleanup_free char *name =
            xasprintf("  %s", approval_policy_name((enum approval_policy_kind)i));

        add_padded(text, name, operator_policy_means((enum approval_policy_kind)i));
    }
}

/* There is no "deny once", and what a no covers stands on no answer: it follows
 * the keys of a request. */
static void add_denial(struct document *help)
{
    document_add(help, NULL, DOCUMENT_WORDS, THEME_OVERLAY_TEXT,
                 _("A denial holds for the session, for just what was asked: the same command in "
                   "the same directory, or the same host, by the same agent (by all that use "
                   "assent exec, if it is one of them). All else it asks is asked about as before. "
                   ":undo, later :forget, lets it ask again."));
}

/* What is not offered now stands behind the rest. */
static void add_offered(struct document *help, const struct keymap *keymap, const char *heading,
                        enum keymap_context context, const struct offer *offer)
{
    for (int pass = 0; pass < 2; pass++) {
        struct strbuf text = STRBUF_INIT;

        add_keys(&text, keymap, context, false, offer, pass == 0);
        if (text.length > 0) {
            text.data[--text.length] = '\0';
            document_add(help, pass == 0 ? heading : _("Not offered for this request"),
                         DOCUMENT_TABLE, pass == 0 ? THEME_OVERLAY_TEXT : THEME_OVERLAY_DIM,
                         strbuf_str(&text));
        }
        strbuf_free(&text);
        if (pass == 0 && context == KEYMAP_APPROVAL)
            add_denial(help);
    }
}

static void add_commands(struct document *help, const char *heading)
{
    struct strbuf text = STRBUF_INIT;
    const struct operator_command *command;

    for (size_t i = 0; (command = operator_command_at(i)) != NULL; i++) {
        add_padded(&text, command->usage, _(command->what));
        if (strcmp(command->name, "policy") == 0)
            add_policies(&text);
    }
    if (text.length > 0)
        text.data[--text.length] = '\0';
    document_add(help, heading, DOCUMENT_TABLE, THEME_OVERLAY_TEXT, strbuf_str(&text));
    strbuf_free(&text);
}

/* What stands before a call in the list. */
static void add_signs(struct document *help, const struct console *console, const char *heading)
{
    static const struct {
        enum theme_glyph glyph;
        const char *means;
    } signs[] = {
        {GLYPH_ASKING, N_("it waits for your answer")},
        {GLYPH_RUNNING, N_("it runs")},
        {GLYPH_OK, N_("it ended well, or was allowed")},
        {GLYPH_FAILED, N_("it failed, was ended, or could not start")},
        {GLYPH_REFUSED, N_("denied (it, or its second try), or ended before it ran")},
        {GLYPH_DASH, N_("frozen; or not all went well: the words behind it say what")},
        {GLYPH_DOT, N_("it is about to start")},
    };
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < COUNT(signs); i++)
        add_padded(&text, theme_glyph(console->theme, signs[i].glyph), _(signs[i].means));
    add_padded(&text, call_text_risk(RISK_HIGH), _("of high risk; ran unasked, in a sandbox"));
    add_padded(&text, _("no push?"),
               _("ended well, but its push may have been stopped: alone, it would ask you"));
    add_padded(&text, _("no write?"), _("ended well, but a write outside may have been stopped"));
    add_padded(&text, _("host denied"), _("ended well, but a host was denied"));
    text.data[--text.length] = '\0';
    document_add(help, heading, DOCUMENT_TABLE, THEME_OVERLAY_TEXT, strbuf_str(&text));
}

/* Behind the keys of the prompt line, or those of all. */
static void add_list_and_commands(struct document *help, const struct console *console)
{
    add_signs(help, console, _("Signs in the list of calls"));
    add_commands(help, _("Commands, on the prompt line"));
}

static bool asks_first(const struct console *console)
{
    return console->setup.session->context->approval.kind == APPROVAL_UNTRUSTED;
}

static const char *introduction(const struct console *console)
{
    if (asks_first(console))
        return _("Agents ask for commands here. What is known to be safe, or a rule allows, runs "
                 "at once, in a pane. All else opens a request, which you answer with one key; so "
                 "does a command that you type here (policy untrusted). The bottom row counts "
                 "those that wait.");
    return _("Agents ask for commands here. What the sandbox allows runs at once, in a "
             "pane. What needs you opens a request, which you answer with one key; the "
             "bottom row counts those that wait. A command that you type here runs in the "
             "same sandbox, unasked.");
}

/* Who has read what always asks elsewhere would wait for such a question. */
static void add_first_words(struct document *help, const struct console *console)
{
    cleanup_free char *text =
        asks_first(console)
            ? xstrdup(introduction(console))
            : xasprintf("%s %s", introduction(console),
                        _("Agents' edits, commits and rm (without -r, -f) need no yes "
                          "by default."));

    document_add(help, NULL, DOCUMENT_WORDS, THEME_OVERLAY_TEXT, text);
}

/* What the mark behind a key of a request means, and what comes of that key alone. */
static void add_enter(struct document *help, const struct console *console)
{
    cleanup_free char *text =
        xasprintf(_("%s behind the key of an answer: it takes that key, and then Enter. Until "
                    "then nothing is decided: any other key goes back to the choice, and so do "
                    "the seconds that are counted down."),
                  theme_glyph(console->theme, GLYPH_ENTER));

    document_add(help, NULL, DOCUMENT_WORDS, THEME_OVERLAY_TEXT, text);
}

/* What tells a row that was too long from a new line of the command. */
static void add_rows(struct document *help, const struct console *console)
{
    cleanup_free char *text = xasprintf(
        _("%s beside a row of a command: it goes on with the row above, which was too long. A new "
          "line of it has %s."),
        theme_glyph(console->theme, GLYPH_GOES_ON), theme_glyph(console->theme, GLYPH_BAR));

    document_add(help, NULL, DOCUMENT_WORDS, THEME_OVERLAY_TEXT, text);
}

static void add_mark(struct document *help, const struct console *console, const char *heading)
{
    cleanup_free char *mark = NULL;

    mark = xasprintf(_("The bottom row is the console's own: it shows the mark \"%s\" (new at "
                       "each start) and where your keys go. A pane can draw anything but this row, "
                       "and does not know "
                       "the mark."),
                     console->mark);
    document_add(help, heading, DOCUMENT_WORDS, THEME_OVERLAY_TEXT, mark);
}

/* What there puzzles whoever looks at a command's output. */
static void add_sandbox(struct document *help, const char *heading)
{
    document_add(help, heading, DOCUMENT_WORDS, THEME_OVERLAY_TEXT,
                 _("What it writes in the workspace is written there at once. /tmp and localhost "
                   "are its own: files and servers of other commands are not there. Empty files "
                   "that nobody made (.claude, .envrc ...) stand where it may make none, and go "
                   "when it ends. Caches of tools are Assent's own. All of it: assent sandbox "
                   "--explain"));
}

static const struct {
    const char *heading;
    enum keymap_context context;
} sections[] = {
    {N_("At the prompt line"), KEYMAP_MAIN},
    {N_("When a request is shown"), KEYMAP_APPROVAL},
    {N_("In the inbox"), KEYMAP_INBOX},
    {N_("Editing a line"), KEYMAP_LINE},
    {N_("While a pane has the keyboard"), KEYMAP_PANE},
    {N_("Reading long text"), KEYMAP_VIEW},
    {N_("Reading a pane"), KEYMAP_READER},
    {N_("In the list of what holds"), KEYMAP_GRANTS},
    {N_("In the list of rules that could be made"), KEYMAP_SUGGEST},
};
#define SECTION_COUNT (COUNT(sections))

/* What there is to find below, in its order: the text is long. */
static void add_index(struct document *help, const struct console *console,
                      enum keymap_context here)
{
    const char *dot = theme_glyph(console->theme, GLYPH_DOT);
    cleanup_strbuf struct strbuf text = STRBUF_INIT;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < SECTION_COUNT; i++)
            if ((sections[i].context == here) == (pass == 0))
                strbuf_addf(&text, "%s %s ", _(sections[i].heading), dot);
        if ((here == KEYMAP_MAIN) == (pass == 0))
            strbuf_addf(&text, "%s %s %s %s ", _("Signs in the list of calls"), dot,
                        _("Commands, on the prompt line"), dot);
    }
    strbuf_addf(&text, "%s %s ", _("What a command finds in the sandbox"), dot);
    strbuf_addstr(&text, _("Who is speaking"));
    document_add(help, _("In this text (/ searches)"), DOCUMENT_WORDS, THEME_OVERLAY_DIM,
                 strbuf_str(&text));
}

static void show_help(struct console *console, enum keymap_context here, const struct offer *offer)
{
    struct document help = {0};

    if (here == KEYMAP_MAIN)
        add_first_words(&help, console);
    else
        document_add(&help, NULL, DOCUMENT_WORDS, THEME_OVERLAY_TEXT, introduction(console));
    add_index(&help, console, here);
    if (here == KEYMAP_APPROVAL) {
        add_enter(&help, console);
        add_rows(&help, console);
    }
    for (size_t i = 0; i < SECTION_COUNT; i++)
        if (sections[i].context == here)
            add_offered(&help, &console->keymap, _(sections[i].heading), here, offer);
    if (here == KEYMAP_MAIN)
        add_list_and_commands(&help, console);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (sections[i].context == here)
            continue;
        add_context(&help, &console->keymap, _(sections[i].heading), sections[i].context, false);
        if (sections[i].context == KEYMAP_APPROVAL)
            add_denial(&help);
    }
    if (here != KEYMAP_MAIN)
        add_list_and_commands(&help, console);
    add_sandbox(&help, _("What a command finds in the sandbox"));
    add_mark(&help, console, _("Who is speaking"));
    overlay_push(console, overlay_full_new(_("Help"), &help));
}

void overlay_help_show(struct console *console, enum keymap_context here)
{
    show_help(console, here, NULL);
}

void overlay_help_request(struct console *console,
                          bool (*offers)(const void *argument, enum action action),
                          const void *argument)
{
    const struct offer offer = {offers, argument};

    show_help(console, KEYMAP_APPROVAL, &offer);
}

void overlay_help_commands(struct console *console)
{
    struct document help = {0};

    add_commands(&help, NULL);
    document_add(&help, NULL, DOCUMENT_WORDS, THEME_OVERLAY_DIM,
                 _("Tab completes them, and a few letters are enough: :po never"));
    overlay_push(console, overlay_full_new(_("Commands of the console"), &help));
}

void overlay_help_keys(struct console *console)
{
    struct document help = {0};

    document_add(&help, NULL, DOCUMENT_WORDS, THEME_OVERLAY_TEXT,
                 _("The configuration gives actions other keys: "
                   "keys = {\"approve=Y\", \"zoom=Ctrl-T\"}"));
    for (size_t i = 0; i < SECTION_COUNT; i++)
        add_context(&help, &console->keymap, _(sections[i].heading), sections[i].context, true);
    overlay_push(console, overlay_full_new(_("Names of the keys' actions"), &help));
}

/* What one meets first; none for the words of the key's action. */
static const struct {
    enum action keys[2];
    const char *words;
} first[] = {
    {{ACTION_APPROVE}, NULL},
    {{ACTION_APPROVE_PATH}, N_("run it in the sandbox, with the one path that it needs")},
    /* Who takes it for a no to the agent is afraid of it. */
    {{ACTION_DENY, ACTION_DENY_MESSAGE}, N_("deny just this, here, for this session; n says why")},
    {{ACTION_PUT_ASIDE}, NULL},
    {{ACTION_INBOX}, NULL},
    {{ACTION_FREEZE}, NULL},
    {{ACTION_ENTER_PANE}, NULL},
    {{ACTION_LEAVE_PANE}, NULL},
    {{ACTION_QUIT}, NULL},
};

static void add_first_keys(struct document *help, const struct keymap *keymap)
{
    cleanup_strbuf struct strbuf rows = STRBUF_INIT;

    for (size_t i = 0; i < COUNT(first); i++) {
        cleanup_strbuf struct strbuf keys = STRBUF_INIT;
        char key[24];

        for (size_t j = 0; j < COUNT(first[i].keys) && first[i].keys[j] != ACTION_NONE; j++)
            strbuf_addf(&keys, j > 0 ? "  %s" : "%s", keymap_key(keymap, first[i].keys[j], key));
        add_padded(&rows, strbuf_str(&keys),
                   first[i].words != NULL ? _(first[i].words) : keymap_help(first[i].keys[0]));
    }
    rows.data[--rows.length] = '\0';
    document_add(help, NULL, DOCUMENT_TABLE, THEME_OVERLAY_TEXT, strbuf_str(&rows));
}

void overlay_help_introduce(struct console *console)
{
    char key[24];
    cleanup_free char *foot = xasprintf(_(" Any key closes this; %s shows it again, and more "),
                                        keymap_key(&console->keymap, ACTION_HELP, key));
    struct document help = {0};

    add_first_words(&help, console);
    add_first_keys(&help, &console->keymap);
    add_mark(&help, console, NULL);
    document_add(
        &help, NULL, DOCUMENT_WORDS, THEME_OVERLAY_TEXT,
        _("The simplest way in, from another terminal: assent exec -- CMD. Agents come with "
          "\"assent mcp install codex\" (or claude, gemini and others), or are started here: "
          "assent --agent PROGRAM. To try it out: assent --demo."));
    overlay_push(console, overlay_full_new_brief(_("Assent: for the first time"), foot, &help));
}
