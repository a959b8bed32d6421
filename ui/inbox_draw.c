/* SPDX-License-Identifier: MIT */
/* inbox_draw: what the inbox looks like: the list above, all about the row at the cursor below.
 * Where both are depends on the size of the screen alone, so that nothing moves under a finger. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/approval_content.h"
#include "ui/call_text.h"
#include "ui/console_int.h"
#include "ui/operator_agent.h"
#include "ui/overlay_inbox_int.h"
#include "ui/quoted.h"
#include "ui/wrap.h"

#define BOX_COLUMNS_MAX 160
/* Widths of a row's parts. */
#define SIGN_COLUMNS 4
#define RISK_COLUMNS 9
#define AGENT_COLUMNS 12
#define AGE_COLUMNS 7
#define CATEGORY_COLUMNS 20
#define CATEGORY_WORD_COLUMNS 10
#define WIDE_COLUMNS 110 /* from here on the categories are told in full, else in a word */
#define LABEL_COLUMNS 12
/* What all about a request seldom needs more of; the list has the rest. */
#define DETAIL_ROWS 20

/* ---- a row -------------------------------------------------------------------------------- */

static char *age_text(const struct console *console, const struct call *call)
{
    int64_t seconds = (loop_now_ms(console->setup.loop) - call->waits_ms) / 1000;

    if (seconds < 60)
        return xasprintf(_("%" PRId64 " s"), seconds);
    if (seconds < 3600)
        return xasprintf(_("%" PRId64 " min"), seconds / 60);
    return xasprintf(_("%" PRId64 " h"), seconds / 3600);
}

/* Those of the gravest part of it first; returns how many there are. */
static size_t told_categories(const struct call *call, enum risk_category *categories)
{
    unsigned told = assessment_told_categories(&call->assessment);
    unsigned gravest = told & call->assessment.clauses[0].categories;
    size_t count = 0;

    for (unsigned i = 0; i < 2 * RISK_CATEGORY_COUNT; i++) {
        unsigned category = 1U << i % RISK_CATEGORY_COUNT;

        if (((i < RISK_CATEGORY_COUNT ? gravest : told & ~gravest) & category) != 0)
            categories[count++] = (enum risk_category)category;
    }
    return count;
}

/* The network alone would be nothing grave. */
static bool is_code(const struct call *call, enum risk_category category)
{
    return category == RISK_NETWORK_ACCESS && assessment_fetches_code(&call->assessment);
}

static char *category_text(const struct call *call)
{
    struct strbuf text = STRBUF_INIT;
    enum risk_category categories[RISK_CATEGORY_COUNT];
    size_t count = told_categories(call, categories);

    for (size_t i = 0; i < count; i++)
        strbuf_addf(&text, "%s%s", i > 0 ? ", " : "",
                    is_code(call, categories[i])
                        ? _("runs downloaded code")
                        : call_text_category(&call->assessment, categories[i]));
    return strbuf_steal(&text);
}

/* "deletes +2": the first of them, and how many more they are. */
static char *category_word(const struct call *call)
{
    enum risk_category categories[RISK_CATEGORY_COUNT];
    size_t count = told_categories(call, categories);
    const char *word;

    if (count == 0)
        return xstrdup("");
    word = is_code(call, categories[0]) ? C_("risk in one word", "code")
                                        : call_text_category_word(&call->assessment, categories[0]);
    return count > 1 ? xasprintf("%s +%zu", word, count - 1) : xstrdup(word);
}

/* "×3 make install": how many ask for it goes with the command, which is cut first, and in its
 * middle: what its last words do may be the gravest part of it. */
static char *command_text(const struct theme *theme, const struct inbox_row *row,
                          const struct call *call, int columns)
{
    cleanup_free char *times = NULL;
    cleanup_free char *line = NULL;
    int left;

    times = row->count > 1 ? xasprintf("%s%zu ", theme_glyph(theme, GLYPH_TIMES), row->count)
                           : xstrdup("");
    left = columns - (int)text_width(times, strlen(times));
    line = call_text_row_ends(call, (size_t)(left > 1 ? left : 1), theme);
    return xasprintf("%s%s", times, line);
}

/* What no sandbox would hold says so before its command; returns the column after it. */
static int draw_unsandboxed(const struct theme *theme, struct rect place, int column,
                            const struct inbox_row *row)
{
    cleanup_free char *words = NULL;

    if (!row->members[0].leaves)
        return column;
    words = xasprintf("%s: ", _("no sandbox"));
    render_cut(theme, place, column, place.columns - column, THEME_WARNING, words);
    return column + (int)text_width(words, strlen(words));
}

/* Where the parts of all rows begin, and how wide those are whose width depends on the list's. */
struct columns {
    int number, level, agent, age, category, command;
    int agents, categories;
};

/* A request is named everywhere else by its number: as wide as the widest of the list needs. */
static int number_columns(const struct inbox *inbox)
{
    uint64_t highest = 0;
    char number[24];

    for (size_t i = 0; i < inbox->count; i++)
        if (inbox->rows[i].members[0].call > highest)
            highest = inbox->rows[i].members[0].call;
    return snprintf(number, sizeof(number), "c%" PRIu64, highest);
}

static struct columns columns_of(const struct inbox *inbox, int width)
{
    bool wide = width >= WIDE_COLUMNS;
    struct columns columns = {.number = SIGN_COLUMNS};

    /* The command keeps its place in the row: whose it is stands below as well. */
    columns.agents = wide ? AGENT_COLUMNS : AGENT_COLUMNS - 2;
    columns.categories = wide ? CATEGORY_COLUMNS : CATEGORY_WORD_COLUMNS;
    columns.level = columns.number + number_columns(inbox) + 1;
    columns.agent = columns.level + RISK_COLUMNS;
    columns.age = columns.agent + columns.agents + 1;
    columns.category = columns.age + AGE_COLUMNS;
    columns.command = columns.category + columns.categories + 1;
    return columns;
}

static void draw_category(const struct theme *theme, struct rect place,
                          const struct columns *columns, enum theme_element element,
                          const struct call *call)
{
    cleanup_free char *text =
        place.columns >= WIDE_COLUMNS ? category_text(call) : category_word(call);

    render_cut(theme, place, columns->category, columns->categories, element, text);
}

static void draw_number(const struct theme *theme, struct rect place, int column,
                        enum theme_element element, const struct inbox_row *row)
{
    char number[24];

    snprintf(number, sizeof(number), "c%" PRIu64, row->members[0].call);
    render_string(theme, place, column, element, number);
}

static void draw_level(const struct theme *theme, struct rect place, int column,
                       enum risk_level level)
{
    enum theme_element element = call_text_risk_element(level);

    render_string(theme, place, column, element, theme_glyph(theme, call_text_risk_glyph(level)));
    render_cut(theme, place, column + 2, RISK_COLUMNS - 3, element, call_text_risk(level));
}

static void draw_row(const struct overlay_inbox *overlay, struct console *console, size_t index,
                     struct rect place, const struct columns *columns)
{
    const struct theme *theme = console->theme;
    const struct inbox_row *row = &overlay->inbox.rows[index];
    const struct call *call = inbox_call(console, row);
    bool at = index == overlay->at;
    enum theme_element text = at ? THEME_OPTION_SELECTED : THEME_OVERLAY_TEXT;
    enum theme_element dim = at ? THEME_OPTION_SELECTED : THEME_OVERLAY_DIM;
    cleanup_free char *agent =
        operator_agent_label(console->setup.orchestrator, call, (size_t)columns->agents);
    cleanup_free char *age = age_text(console, call);
    cleanup_free char *line = NULL;
    int column;

    if (at)
        render_fill(theme, place, text);
    render_string(theme, place, 0, text, at ? theme_glyph(theme, GLYPH_POINTER) : " ");
    render_string(theme, place, 2, at ? text : THEME_OPTION_KEY,
                  row->marked ? theme_glyph(theme, GLYPH_OK) : " ");
    draw_number(theme, place, columns->number, dim, row);
    draw_level(theme, place, columns->level, call->assessment.level);
    render_cut(theme, place, columns->agent, columns->agents, dim, agent);
    render_cut(theme, place, columns->age, AGE_COLUMNS - 1, dim, age);
    draw_category(theme, place, columns, dim, call);
    column = draw_unsandboxed(theme, place, columns->command, row);
    line = command_text(theme, row, call, place.columns - column);
    render_cut(theme, place, column, place.columns - column, text, line);
}

/* What stands in which column, and in which order the rows are. */
static void draw_heading(const struct overlay_inbox *overlay, const struct theme *theme,
                         struct rect place, const struct columns *columns)
{
    const enum theme_element dim = THEME_OVERLAY_DIM;
    const char *command = C_("inbox heading", "command");
    const char *order = C_("inbox heading", "oldest first");
    int order_columns = (int)text_width(order, strlen(order));
    int used = columns->command + (int)text_width(command, strlen(command)) + 2;

    render_cut(theme, place, columns->level, RISK_COLUMNS - 1, dim, C_("inbox heading", "risk"));
    render_cut(theme, place, columns->agent, columns->agents, dim, C_("inbox heading", "agent"));
    render_cut(theme, place, columns->age, AGE_COLUMNS - 1, dim, C_("inbox heading", "waits"));
    render_cut(theme, place, columns->category, columns->categories, dim,
               C_("inbox heading", "kind"));
    render_cut(theme, place, columns->command, place.columns - columns->command, dim, command);
    if (overlay->inbox.count > 1 && used + order_columns <= place.columns)
        render_string(theme, place, place.columns - order_columns, dim, order);
}

/* How many of them one agent has asked for. */
struct asker {
    char *agent; /* owned */
    size_t count;
};

#define ASKERS_MAX 8 /* that are named */

/* Returns false for one more than are named. */
static bool count_asker(const struct console *console, const struct inbox_member *member,
                        struct asker askers[ASKERS_MAX])
{
    const struct call *call = orchestrator_find_call(console->setup.orchestrator, member->call);
    cleanup_free char *agent =
        call != NULL ? operator_agent_label(console->setup.orchestrator, call, AGENT_COLUMNS)
                     : xstrdup("");
    size_t at = 0;

    while (at < ASKERS_MAX && askers[at].agent != NULL && strcmp(askers[at].agent, agent) != 0)
        at++;
    if (at == ASKERS_MAX)
        return false;
    if (askers[at].agent == NULL)
        askers[at].agent = steal_pointer(&agent);
    askers[at].count++;
    return true;
}

/* "codex 7, claude 4, … 3": those that are not named are counted, so that many names hide none. */
static void add_askers(struct strbuf *text, const struct console *console,
                       struct asker askers[ASKERS_MAX], size_t unnamed, bool follows)
{
    for (size_t i = 0; i < ASKERS_MAX && askers[i].agent != NULL; i++) {
        strbuf_addf(text, "%s%s %zu", i > 0 || follows ? ", " : "", askers[i].agent,
                    askers[i].count);
        free(askers[i].agent);
    }
    if (unnamed > 0)
        strbuf_addf(text, ", %s %zu", theme_glyph(console->theme, GLYPH_ELLIPSIS), unnamed);
}

/* "h: 3 of high risk (1 outside the sandbox)": the key goes to them; what no sandbox would hold is
 * graver still. */
static void add_grave(struct strbuf *text, const struct console *console, size_t grave,
                      size_t leaving)
{
    char key[24];

    strbuf_addf(text, "%s: ", keymap_key(&console->keymap, ACTION_INBOX_HIGH, key));
    if (leaving == 0)
        strbuf_addf(text, _("%zu of high risk"), grave);
    else if (leaving == grave)
        strbuf_addf(text, _("%zu of high risk outside the sandbox"), grave);
    else
        strbuf_addf(text, _("%zu of high risk (%zu outside the sandbox)"), grave, leaving);
}

/* "↑ 2  ↓ 9  h: 1 of high risk, codex 7, claude 4": what the list has above and below of what is in
 * view, how grave that is and whose. */
static char *hidden_text(const struct overlay_inbox *overlay, const struct console *console,
                         bool *high)
{
    const struct inbox *inbox = &overlay->inbox;
    size_t end = overlay->first + overlay->page, grave = 0, leaving = 0, unnamed = 0;
    struct asker askers[ASKERS_MAX] = {{0}};
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < inbox->count; i++) {
        const struct inbox_row *row = &inbox->rows[i];

        if (i >= overlay->first && i < end)
            continue;
        if (row->members[0].level == RISK_HIGH) {
            grave += row->count;
            leaving += row->members[0].leaves ? row->count : 0;
        }
        for (size_t j = 0; j < row->count; j++)
            unnamed += !count_asker(console, &row->members[j], askers);
    }
    if (overlay->first > 0)
        strbuf_addf(&text, "%s %zu  ", theme_glyph(console->theme, GLYPH_UP), overlay->first);
    if (end < inbox->count)
        strbuf_addf(&text, "%s %zu  ", theme_glyph(console->theme, GLYPH_DOWN), inbox->count - end);
    if (grave > 0)
        add_grave(&text, console, grave, leaving);
    add_askers(&text, console, askers, unnamed, grave > 0);
    *high = grave > 0;
    return strbuf_steal(&text);
}

/* Where they are more than there is room for, the last row says what is out of view. */
static void draw_hidden(const struct overlay_inbox *overlay, const struct console *console,
                        struct rect row)
{
    bool high;
    cleanup_free char *text = hidden_text(overlay, console, &high);

    render_cut(console->theme, row, 0, row.columns, high ? THEME_WARNING : THEME_OVERLAY_DIM, text);
}

static void draw_list(struct overlay_inbox *overlay, struct console *console, struct rect place)
{
    const struct columns columns = columns_of(&overlay->inbox, place.columns);
    size_t rows, count = overlay->inbox.count;
    bool all;

    draw_heading(overlay, console->theme, rect_row(place, 0), &columns);
    place.row++;
    place.rows--;
    rows = place.rows > 0 ? (size_t)place.rows : 1;
    all = count <= rows;
    overlay->page = all || rows == 1 ? rows : rows - 1;
    if (overlay->first > overlay->at)
        overlay->first = overlay->at;
    if (overlay->at >= overlay->first + overlay->page)
        overlay->first = overlay->at - overlay->page + 1;
    if (overlay->first + overlay->page > count)
        overlay->first = count > overlay->page ? count - overlay->page : 0;
    for (size_t i = 0; i < overlay->page && overlay->first + i < count; i++)
        draw_row(overlay, console, overlay->first + i, rect_row(place, (int)i), &columns);
    if (!all && rows > 1)
        draw_hidden(overlay, console, rect_row(place, (int)overlay->page));
    overlay->list = place;
    overlay->list.rows = (int)overlay->page;
}

/* ---- all about one ------------------------------------------------------------------------ */

/* Who else asks for the same. */
static char *askers(const struct console *console, const struct inbox_row *row)
{
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < row->count; i++) {
        const struct call *call =
            orchestrator_find_call(console->setup.orchestrator, row->members[i].call);
        cleanup_free char *agent = call != NULL
                                       ? operator_agent_label(console->setup.orchestrator, call, 24)
                                       : xstrdup("");

        strbuf_addf(&text, "%sc%" PRIu64 " %s", i > 0 ? ", " : "", row->members[i].call, agent);
    }
    return strbuf_steal(&text);
}

static size_t text_columns(struct rect place)
{
    int columns = place.columns - LABEL_COLUMNS - QUOTED_COLUMNS;

    return columns > 2 ? (size_t)columns : 2;
}

/* A text about a request, under a label. */
struct part {
    const char *label, *text;
    enum theme_element element;
    enum wrap_mode mode;
    bool foreign;
    bool needed; /* without it the request has not been shown */
};

struct parts {
    struct part list[APPROVAL_FIELDS_MAX + 2]; /* the command first */
    size_t count;
    struct part rule[2]; /* what the rule allows, and how far that reaches */
    size_t rule_count;
};

/* Beside its label. */
static void draw_line(const struct theme *theme, struct rect row, const struct part *part,
                      const struct wrap *lines, size_t line)
{
    const struct wrap_line *at = &lines->lines[line];

    row.column += LABEL_COLUMNS;
    row.columns -= LABEL_COLUMNS;
    if (part->mode == WRAP_BLANKS) {
        quoted_draw(theme, row, THEME_AGENT_WORDS, part->element, part->text, lines, line);
        return;
    }
    if (part->foreign)
        render_string(theme, row, 0, THEME_AGENT_WORDS, theme_glyph(theme, GLYPH_BAR));
    render_text(theme, row, QUOTED_COLUMNS, part->element, part->text + at->start, at->length);
}

/* Draws at most `rows` lines of it; returns what is left of the place. */
static struct rect draw_part(const struct theme *theme, struct rect place, const struct part *part,
                             int rows)
{
    struct wrap lines;
    int drawn = 0;

    wrap_init(&lines, part->text, text_columns(place), part->mode);
    for (; drawn < rows && drawn < (int)lines.count && drawn < place.rows; drawn++) {
        struct rect row = rect_row(place, drawn);

        if (drawn == 0)
            render_cut(theme, row, 0, LABEL_COLUMNS - 1, THEME_OVERLAY_LABEL, part->label);
        draw_line(theme, row, part, &lines, (size_t)drawn);
        if (drawn + 1 == rows && drawn + 1 < (int)lines.count)
            render_right(theme, row, THEME_WARNING, theme_glyph(theme, GLYPH_ELLIPSIS));
    }
    wrap_clear(&lines);
    place.row += drawn;
    place.rows -= drawn;
    return place;
}

static int lines_of(const struct part *part, struct rect place)
{
    struct wrap lines;
    int count;

    wrap_init(&lines, part->text, text_columns(place), part->mode);
    count = (int)lines.count;
    wrap_clear(&lines);
    return count;
}

/* Whom it reaches, what may change the answer, and what that gives. */
static bool is_needed(const struct approval_field *field)
{
    return field->worth != APPROVAL_TELLS && field->worth != APPROVAL_REASON;
}

static void collect(const struct approval_content *content, const char *who, const char *rule_label,
                    struct parts *parts)
{
    *parts = (struct parts){.count = 1};
    parts->list[0] = (struct part){subject_heading(content->subject),
                                   content->command,
                                   THEME_COMMAND,
                                   WRAP_BLANKS,
                                   true,
                                   true};
    if (*who != '\0')
        parts->list[parts->count++] =
            (struct part){_("All of"), who, THEME_OVERLAY_TEXT, WRAP_WORDS, false, true};
    for (size_t i = 0; i < content->count; i++) {
        const struct approval_field *field = &content->fields[i];

        parts->list[parts->count++] =
            (struct part){field->label, field->text,        field->element,
                          WRAP_WORDS,   field->agent_words, is_needed(field)};
    }
    if (!content->rule.offered)
        return;
    parts->rule_count = 2;
    parts->rule[0] =
        (struct part){rule_label, content->rule.words, THEME_COMMAND, WRAP_WORDS, false, true};
    parts->rule[1] = (struct part){"",
                                   content->rule.reach,
                                   content->rule.bypass ? THEME_WARNING : THEME_OVERLAY_TEXT,
                                   WRAP_WORDS,
                                   false,
                                   true};
}

static int rows_needed(const struct part *parts, size_t count, struct rect place)
{
    int rows = 0;

    for (size_t i = 0; i < count; i++)
        rows += parts[i].needed ? lines_of(&parts[i], place) : 0;
    return rows;
}

/* Of all that is needed a row; the command gets what is left. */
static void draw_shortened(const struct theme *theme, struct rect place, const struct parts *parts)
{
    int others = 0;

    for (size_t i = 1; i < parts->count; i++)
        others += parts->list[i].needed ? 1 : 0;
    place =
        draw_part(theme, place, &parts->list[0], place.rows > others + 1 ? place.rows - others : 1);
    for (size_t i = 1; i < parts->count; i++)
        if (parts->list[i].needed)
            place = draw_part(theme, place, &parts->list[i], 1);
}

/* A row for each of the texts that are not needed while there is room: what the agent says of it
 * first, since the rest is elsewhere as well or changes less from one to the next. */
static void give_rows(const struct parts *parts, int spare, int rows[])
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < parts->count; i++)
            if (!parts->list[i].needed && parts->list[i].foreign == (pass == 0))
                rows[i] = spare-- > 0 ? 1 : 0;
}

/* All that is needed, the rule where it fits, and of each other text a row while there is room;
 * what is left then goes to those that need more, from the top. */
static void draw_whole(const struct theme *theme, struct rect place, const struct parts *parts,
                       size_t rules)
{
    int spare = place.rows - rows_needed(parts->list, parts->count, place) -
                rows_needed(parts->rule, rules, place);
    int rows[COUNT(parts->list)] = {0};
    int more = spare;

    give_rows(parts, spare, rows);
    for (size_t i = 0; i < parts->count; i++)
        more -= parts->list[i].needed ? 0 : 1;
    for (size_t i = 0; i < parts->count; i++) {
        int lines = lines_of(&parts->list[i], place);

        if (parts->list[i].needed)
            rows[i] = lines;
        while (rows[i] > 0 && rows[i] < lines && more-- > 0)
            rows[i]++;
        place = draw_part(theme, place, &parts->list[i], rows[i]);
    }
    for (size_t i = 0; i < rules; i++)
        place = draw_part(theme, place, &parts->rule[i], place.rows);
}

/* Says in `overlay` whether all that matters fits, and whether the rule does. */
static void draw_details(struct overlay_inbox *overlay, struct console *console,
                         const struct call *call, struct rect place)
{
    const struct inbox_row *row = &overlay->inbox.rows[overlay->at];
    cleanup_free char *who = row->count > 1 ? askers(console, row) : xstrdup("");
    cleanup_free char *label = NULL;
    struct approval_content content;
    struct parts parts;
    struct approval_keys keys = {.lasts = ""};
    int needed;

    keymap_key(&console->keymap, ACTION_INBOX_APPROVE, keys.once);
    keymap_key(&console->keymap, ACTION_INBOX_APPROVE_SESSION, keys.session);
    keymap_key(&console->keymap, ACTION_INBOX_APPROVE_PREFIX, keys.rule);
    keymap_key(&console->keymap, ACTION_APPROVE_PATH, keys.path);
    approval_content_init(&content, call, &keys, !theme_unicode(console->theme));
    if (approval_kept_rule(console, call, &overlay->rule))
        approval_rule_choose(&content.rule, call->prompt, &overlay->rule, NULL,
                             !theme_unicode(console->theme));
    label = xasprintf(_("%s allows"), keys.rule);
    collect(&content, who, label, &parts);
    needed = rows_needed(parts.list, parts.count, place);
    overlay->whole = needed <= place.rows;
    overlay->rule_whole =
        overlay->whole && needed + rows_needed(parts.rule, parts.rule_count, place) <= place.rows;
    if (overlay->whole)
        draw_whole(console->theme, place, &parts, overlay->rule_whole ? parts.rule_count : 0);
    else
        draw_shortened(console->theme, place, &parts);
    approval_content_clear(&content);
}

/* ---- the box ------------------------------------------------------------------------------ */

static char *heading(const struct overlay_inbox *overlay, const struct console *console)
{
    size_t waiting = console_waiting(console);
    size_t marked = inbox_marked(&overlay->inbox);
    struct strbuf text = STRBUF_INIT;

    /* With the number of the marked ones the keys beside it would have no room in 80 columns. */
    strbuf_addf(&text,
                marked > 0 ? P_(" %s: %zu waits", " %s: %zu wait", waiting)
                           : P_(" %s: %zu request waits", " %s: %zu requests wait", waiting),
                console->mark, waiting);
    if (overlay->inbox.count < overlay->inbox.waiting_count)
        strbuf_addf(&text, P_(", in %zu row", ", in %zu rows", overlay->inbox.count),
                    overlay->inbox.count);
    if (marked > 0)
        strbuf_addf(&text, _(", %zu marked"), marked);
    strbuf_addch(&text, ' ');
    return strbuf_steal(&text);
}

/* Its key is missing below. */
static char *missing_text(const struct overlay_inbox *overlay, const struct console *console,
                          const char *why)
{
    char key[24];

    return xasprintf(_(" %s is not for c%" PRIu64 ": it %s "),
                     keymap_key(&console->keymap, ACTION_INBOX_APPROVE, key),
                     overlay->inbox.rows[overlay->at].members[0].call, why);
}

/* What keys answer: "c4, c5 and 9 more", as many as there is room for. */
static char *marked_calls(const struct overlay_inbox *overlay, int columns)
{
    struct strbuf text = STRBUF_INIT;
    size_t count, named = 0;
    cleanup_free struct inbox_member *members = inbox_targets(&overlay->inbox, overlay->at, &count);

    for (; named < count; named++) {
        cleanup_free char *more =
            named + 1 < count ? xasprintf(_(" and %zu more"), count - named - 1) : xstrdup("");
        cleanup_free char *one =
            xasprintf("%sc%" PRIu64, named > 0 ? ", " : "", members[named].call);

        if (named > 0 &&
            (int)(text.length + strlen(one) + text_width(more, strlen(more))) > columns)
            break;
        strbuf_addstr(&text, one);
    }
    if (named < count)
        strbuf_addf(&text, _(" and %zu more"), count - named);
    return strbuf_steal(&text);
}

/* What is shown below is the row at the pointer, and not what a key answers; and why the key that
 * allows is missing. */
static char *marked_text(const struct overlay_inbox *overlay, const struct console *console,
                         size_t marked, int columns)
{
    const struct inbox_row *row = &overlay->inbox.rows[overlay->at];
    uint64_t call = row->members[0].call;
    cleanup_free char *below = row->marked
                                   ? xasprintf(_("below is c%" PRIu64), call)
                                   : xasprintf(_("below is c%" PRIu64 ", not marked"), call);
    cleanup_free char *refused = inbox_refused_words(overlay, console, below);
    cleanup_free char *frame = xasprintf(P_(" Keys answer %zu marked row: %s; %s. ",
                                            " Keys answer %zu marked rows: %s; %s. ", marked),
                                         marked, "", below);
    cleanup_free char *calls =
        marked_calls(overlay, columns - (int)text_width(frame, strlen(frame)));

    if (refused != NULL)
        return xasprintf(" %s ", refused);
    return xasprintf(P_(" Keys answer %zu marked row: %s; %s. ",
                        " Keys answer %zu marked rows: %s; %s. ", marked),
                     marked, calls, below);
}

/* Between list and details: why a key did nothing, that keys do not count yet, or that they are not
 * for what is shown below. */
static void draw_note(const struct overlay_inbox *overlay, const struct console *console,
                      struct rect row)
{
    size_t marked = inbox_marked(&overlay->inbox);
    bool unread = overlay->note != NULL && overlay->note == inbox_unread_words();
    const char *why_not = marked == 0 || unread ? inbox_why_not(overlay, console) : NULL;
    /* What the pointer has come to with this note may have no room. */
    const char *told = unread && !overlay->whole && why_not != NULL ? why_not : overlay->note;
    cleanup_free char *choose =
        inbox_is_unchosen(overlay) ? inbox_choose_words(overlay, console) : NULL;
    cleanup_free char *answered =
        overlay->answered && choose != NULL ? inbox_answered_words(overlay, console) : NULL;
    cleanup_free char *note = NULL;
    bool warns;

    render_rule(console->theme, row, THEME_BORDER);
    if (overlay->note != NULL && overlay->note_call != 0)
        note = xasprintf(" c%" PRIu64 " %s%s ", overlay->note_call, overlay->note_others, told);
    else if (answered != NULL)
        note = xasprintf(" %s ", answered);
    else if (overlay->note != NULL)
        note = xasprintf(" %s ", overlay->note);
    else if (choose != NULL)
        note = xasprintf(" %s ", choose);
    else if (overlay->guarded && overlay->inbox.count > 0)
        note = xstrdup(_(" One moment: answers do not count yet. "));
    else if (marked > 0)
        note = marked_text(overlay, console, marked, row.columns - 2);
    else if (why_not != NULL)
        note = missing_text(overlay, console, why_not);
    else if (overlay->inbox.count > 1)
        note = xstrdup(_(" None is marked: answers are for the row at the pointer. "));
    warns = overlay->note != NULL ? overlay->note != overlay->own_note || choose != NULL ||
                                        overlay->refused || overlay->unreached_count > 0
                                  : marked > 0;
    if (note != NULL)
        render_cut(console->theme, row, 1, row.columns - 2,
                   warns ? THEME_WARNING : THEME_OVERLAY_DIM, note);
}

void inbox_draw(struct overlay_inbox *overlay, struct console *console, struct rect area)
{
    const struct theme *theme = console->theme;
    struct rect box = overlay_place(
        area, area.rows, area.columns > BOX_COLUMNS_MAX ? BOX_COLUMNS_MAX : area.columns);
    struct rect inner = rect_inner(box, 1, 2);
    struct rect list = inner, details = inner;
    cleanup_free char *title = heading(overlay, console);
    const struct call *at = NULL;

    list.rows = inner.rows * 2 / 5;
    if (list.rows < inner.rows - DETAIL_ROWS)
        list.rows = inner.rows - DETAIL_ROWS;
    details.row += list.rows + 1;
    details.rows -= list.rows + 1;
    render_fill(theme, box, THEME_OVERLAY_TEXT);
    render_frame(theme, box, THEME_OVERLAY_BORDER);
    inbox_draw_head(overlay, console, rect_row(box, 0), (int)text_width(title, strlen(title)) + 2);
    render_cut(theme, rect_row(box, 0), 2, box.columns - 4, THEME_OVERLAY_TITLE, title);
    draw_list(overlay, console, list);
    overlay->whole = overlay->rule_whole = false;
    if (overlay->at < overlay->inbox.count)
        at = inbox_asked(console, &overlay->inbox.rows[overlay->at]);
    if (at != NULL)
        draw_details(overlay, console, at, details);
    if (overlay->typed == NULL)
        draw_note(overlay, console, rect_row(inner, list.rows));
    inbox_draw_foot(overlay, console, rect_row(box, box.rows - 1));
    screen_cursor(console->screen, -1, 0);
    if (overlay->typed != NULL)
        inbox_find_draw(overlay, console, rect_row(inner, list.rows));
}
