/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/i18n.h"
#include "base/text.h"
#include "ui/console_int.h"
#include "ui/quoted.h"
#include "ui/shorten.h"

#define COMMAND_ROWS_MIN 3
#define COMMAND_ROWS_WISHED 20 /* for more of them nothing else is moved closer */
/* Of all rows the part that a long command has at least: the texts around it are shortened. */
#define COMMAND_PART 3
#define RULE_ROWS 2 /* its words, and how widely it holds */

/* From roomy to tight: the first arrangement in which everything fits is taken; in the last one
 * texts are shortened and the command scrolls. */
static const struct approval_arrangement arrangements[] = {{1, 1, 6}, {1, 2, 4}, {0, 2, 3}};
#define ARRANGEMENT_COUNT (COUNT(arrangements))

char *approval_plan_rule_label(const struct keymap *keymap)
{
    char key[24];

    return xasprintf(_("%s allows"), keymap_key(keymap, ACTION_APPROVE_PREFIX, key));
}

char *approval_plan_rule_keys(const struct keymap *keymap)
{
    char left[24], right[24];

    return xasprintf("%s %s", keymap_key(keymap, ACTION_RULE_NARROWER, left),
                     keymap_key(keymap, ACTION_RULE_WIDER, right));
}

static char *cut_mark(const struct console *console)
{
    char key[24];

    return xasprintf("%s (%s)", theme_glyph(console->theme, GLYPH_ELLIPSIS),
                     keymap_key(&console->keymap, ACTION_VIEW_ALL, key));
}

static size_t wider(size_t widest, const char *label)
{
    size_t width = text_width(label, strlen(label));

    return width > widest ? width : widest;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Of all labels and a gap, those of the rule among them. */
static int label_width(const struct approval_content *content, const struct keymap *keymap)
{
    cleanup_free char *allows = approval_plan_rule_label(keymap);
    cleanup_free char *keys = approval_plan_rule_keys(keymap);
    size_t widest = 0;

    for (size_t i = 0; i < content->count; i++)
        widest = wider(widest, content->fields[i].label);
    widest++;
    if (content->rule.offered)
        widest = wider(wider(widest, allows), keys);
    return (int)widest + 1;
}

/* Two columns are for the bar beside an agent's words. */
static size_t field_columns(const struct approval_plan *plan)
{
    return (size_t)(plan->inner.columns - plan->label_columns - 2);
}

static void wrap_fields(struct approval *approval, const struct console *console,
                        struct approval_plan *plan)
{
    struct approval_content *content = &approval->content;
    size_t columns = field_columns(plan);

    for (size_t i = 0; i < content->count; i++)
        wrap_init(&plan->field_lines[i], content->fields[i].text, columns, WRAP_WORDS);
    if (content->rule.offered) {
        columns += 2;
        approval_choice_measure(approval, console, (int)columns);
        approval_rule_wrap(&content->rule, columns, &plan->rule_lines);
    }
}

/* A text that matters may have twice the rows: what an agent can make long must not push the
 * command out of the box. */
static void limit_fields(const struct approval *approval, struct approval_plan *plan)
{
    for (size_t i = 0; i < approval->content.count; i++) {
        const struct approval_field *field = &approval->content.fields[i];
        bool matters = field->worth == APPROVAL_MATTERS || field->worth == APPROVAL_GIVES;
        int lines = (int)plan->field_lines[i].count;
        int most = plan->arrangement->field_rows_max * (matters ? 2 : 1);

        if (field->single)
            most = 1;
        plan->field_rows[i] = lines < most ? lines : most;
    }
    plan->rule_room = smaller(approval->room.rows.words, plan->arrangement->field_rows_max * 2);
    plan->reach = approval->content.rule.reach;
    plan->reach_rows = approval->room.rows.reach;
}

static int total_fields(const struct approval *approval, const struct approval_plan *plan)
{
    int total = 0;

    for (size_t i = 0; i < approval->content.count; i++)
        total += plan->field_rows[i];
    return total;
}

/* A command of one line stands beside its heading, as texts do, where it fits there. */
static bool fold_heading(const struct approval *approval, struct approval_plan *plan)
{
    const char *command = approval->content.command;
    const char *heading = subject_heading(approval->content.subject);

    if (plan->heading_rows == 0 || approval->lines.count != 1 ||
        text_width(command, strlen(command)) > field_columns(plan) ||
        (int)text_width(heading, strlen(heading)) >= plan->label_columns)
        return false;
    plan->heading_rows = 0;
    return true;
}

/* Leaves out a text that reads the same each time. */
static bool leave_out(const struct approval *approval, struct approval_plan *plan)
{
    for (size_t i = 0; i < approval->content.count; i++) {
        if (approval->content.fields[i].worth != APPROVAL_SAME || plan->field_rows[i] == 0)
            continue;
        plan->field_rows[i]--;
        return true;
    }
    return false;
}

/* How far the rule reaches is told without what it has covered, where that saves a row. */
static bool shorten_reach(const struct approval *approval, struct approval_plan *plan)
{
    int rows = approval->room.rows.reach_short;

    if (!approval->content.rule.offered || plan->reach_rows <= rows)
        return false;
    plan->reach = approval->content.rule.reach_short;
    plan->reach_rows--;
    return true;
}

/* Takes a row from the tallest text of that worth or less that can spare one, the agent's words
 * first. A rule has one for its words and one for how widely it holds until all is cut. */
static bool shorten(const struct approval *approval, struct approval_plan *plan,
                    enum approval_worth worth)
{
    const struct approval_content *content = &approval->content;
    size_t tallest = content->count;

    for (size_t i = 0; i < content->count; i++) {
        if (plan->field_rows[i] < 2 || content->fields[i].worth > worth)
            continue;
        if (tallest == content->count || plan->field_rows[i] > plan->field_rows[tallest] ||
            (plan->field_rows[i] == plan->field_rows[tallest] && content->fields[i].agent_words))
            tallest = i;
    }
    if (plan->rule_room > (worth == APPROVAL_GIVES ? 1 : RULE_ROWS) &&
        (tallest == content->count || plan->rule_room > plan->field_rows[tallest]))
        plan->rule_room--;
    else if (tallest == content->count)
        return false;
    else
        plan->field_rows[tallest]--;
    return true;
}

/* The rule that `p` would make, and how far it reaches, in the rows of the largest that can be
 * chosen; what other requests an answer would allow as well has one row. */
static int rule_rows(const struct approval *approval, const struct approval_plan *plan)
{
    return approval->content.rule.offered ? plan->rule_room + plan->reach_rows : 0;
}

int approval_plan_release_rows(const struct approval *approval)
{
    return approval->releases ? 1 : 0;
}

bool approval_plan_cuts(const struct approval_plan *plan, size_t field)
{
    return plan->field_short[field] != NULL ||
           plan->field_rows[field] < (int)plan->field_lines[field].count;
}

bool approval_plan_shows_session(const struct approval *approval, const struct approval_plan *plan)
{
    for (size_t i = 0; i < approval->content.count; i++)
        if (approval->content.fields[i].session)
            return !approval_plan_cuts(plan, i);
    return true;
}

bool approval_plan_shows_path(const struct approval *approval, const struct approval_plan *plan)
{
    for (size_t i = 0; i < approval->content.count; i++)
        if (approval->content.fields[i].path)
            return !approval_plan_cuts(plan, i);
    return false;
}

/* Rows of everything but the command and the facts: frame, the command's heading, the row for
 * notes (blank most of the time), the answers. */
static int fixed_rows(const struct approval *approval, const struct approval_plan *plan)
{
    return 2 + plan->heading_rows + 1 + plan->arrangement->gap + rule_rows(approval, plan) +
           approval_plan_release_rows(approval) + plan->option_rows;
}

/* Rows left for the command under an arrangement; `wished` are worth more than how far a rule
 * reaches in full. */
static int arrange(const struct approval *approval, struct approval_plan *plan, size_t index,
                   int rows, int wished)
{
    int options = (int)approval->option_count, left;

    plan->arrangement = &arrangements[index];
    plan->option_rows =
        (options + plan->arrangement->option_columns - 1) / plan->arrangement->option_columns;
    limit_fields(approval, plan);
    left = rows - fixed_rows(approval, plan) - total_fields(approval, plan);
    while (left < wished && shorten_reach(approval, plan))
        left++;
    return left;
}

/* Rows that nothing has go to texts of ours of that worth that are cut. */
static void lengthen(const struct approval *approval, struct approval_plan *plan,
                     enum approval_worth worth, int *rows)
{
    for (size_t i = 0; i < approval->content.count; i++) {
        const struct approval_field *field = &approval->content.fields[i];

        if (field->worth != worth || field->agent_words || field->single)
            continue;
        while (*rows > 0 && approval_plan_cuts(plan, i)) {
            (*rows)--;
            plan->field_rows[i]++;
        }
    }
}

/* What the answers give, and why it is asked. */
static void lengthen_first(const struct approval *approval, struct approval_plan *plan, int *rows)
{
    lengthen(approval, plan, APPROVAL_REASON, rows);
    lengthen(approval, plan, APPROVAL_GIVES, rows);
}

static void lengthen_others(const struct approval *approval, struct approval_plan *plan, int *rows)
{
    lengthen(approval, plan, APPROVAL_MATTERS, rows);
    lengthen(approval, plan, APPROVAL_TELLS, rows);
    lengthen(approval, plan, APPROVAL_SAME, rows);
}

static void lengthen_command(struct approval_plan *plan, int wanted, int *rows)
{
    int more = smaller(*rows, wanted - plan->command_rows);

    plan->command_rows += more;
    *rows -= more;
}

/* Rows that the rule which is shown leaves of those that a larger one needs: until that is chosen
 * they show more of what has not all it needs. The rest is blank. */
static void spend_rest(const struct approval *approval, struct approval_plan *plan, int wanted)
{
    plan->rule_rows = smaller(plan->rule_room, (int)plan->rule_lines.count);
    plan->blank_rows = rule_rows(approval, plan) - plan->rule_rows - (int)plan->reach_lines.count;
    lengthen_first(approval, plan, &plan->blank_rows);
    lengthen_command(plan, wanted, &plan->blank_rows);
    lengthen_others(approval, plan, &plan->blank_rows);
}

/* A screen that is not full has room for what is cut only because it is long. Returns how many rows
 * are left. */
static int spend_outside(const struct approval *approval, struct approval_plan *plan, int rows)
{
    lengthen_first(approval, plan, &rows);
    lengthen_others(approval, plan, &rows);
    return rows;
}

/* Of a path that has no room both ends are shown: what it is in, and what it is. Returns the rows
 * that are not needed then. */
static int shorten_paths(const struct approval *approval, struct approval_plan *plan, bool first)
{
    size_t columns = field_columns(plan), spare = text_width(plan->cut, strlen(plan->cut)) + 1;
    int freed = 0;

    for (size_t i = 0; i < approval->content.count; i++) {
        const struct approval_field *field = &approval->content.fields[i];
        int rows = plan->field_rows[i];

        if (rows == 0 || rows >= (int)plan->field_lines[i].count || field->agent_words ||
            (field->worth >= APPROVAL_REASON) != first)
            continue;
        plan->field_short[i] = shorten_path(field->text, columns, (size_t)rows, spare);
        if (plan->field_short[i] == NULL)
            continue;
        wrap_clear(&plan->field_lines[i]);
        wrap_init(&plan->field_lines[i], plan->field_short[i], columns, WRAP_WORDS);
        plan->field_rows[i] = smaller(rows, (int)plan->field_lines[i].count);
        freed += rows - plan->field_rows[i];
    }
    return freed;
}

/* Rows that shorter paths leave: what is `lacking` of the screen, what the answers give, the
 * reason, and the command are the first to have them. Beside a rule the rest is blank, so that the
 * answers stay where they are whichever is chosen. Returns how many the box does without. */
static int spend_freed(const struct approval *approval, struct approval_plan *plan, int wanted,
                       int lacking)
{
    int freed = shorten_paths(approval, plan, false);

    lacking = smaller(lacking, freed);
    freed -= lacking;
    lengthen_first(approval, plan, &freed);
    freed += shorten_paths(approval, plan, true);
    lengthen_command(plan, wanted, &freed);
    if (!approval->content.rule.offered)
        return lacking + freed;
    plan->blank_rows += freed;
    return lacking;
}

static void wrap_command(struct approval *approval, int columns)
{
    if (approval->columns == columns)
        return;
    approval->columns = columns;
    wrap_clear(&approval->lines);
    wrap_init(&approval->lines, approval->content.command, (size_t)columns, WRAP_BLANKS);
}

/* Makes room for the command, in the order of what the texts around it are worth. */
static int make_room(const struct approval *approval, struct approval_plan *plan, int left,
                     int wished, int rows)
{
    int part = smaller(wished, rows / COMMAND_PART), least = smaller(wished, COMMAND_ROWS_MIN);

    while (left < part && fold_heading(approval, plan))
        left++;
    while (left < part && shorten(approval, plan, APPROVAL_TELLS))
        left++;
    while (left < least && leave_out(approval, plan))
        left++;
    for (enum approval_worth worth = APPROVAL_MATTERS; worth <= APPROVAL_GIVES; worth++)
        while (left < least && shorten(approval, plan, worth))
            left++;
    return left;
}

static bool is_of_git(const struct approval_field *field)
{
    return field->single && field->in_part;
}

static int count_of_git(const struct approval *approval)
{
    int count = 0;

    for (size_t i = 0; i < approval->content.count; i++)
        count += is_of_git(&approval->content.fields[i]);
    return count;
}

/* What git says of commits and files is often long, and matters more than who asks. Their row more
 * is blank as long as that is not needed, so that nothing moves when it comes in: where not all of
 * them have one, it could be the wrong one that has. Returns what is left for the command. */
static int reserve_for_git(const struct approval *approval, struct approval_plan *plan, int left,
                           int wanted)
{
    int missing = count_of_git(approval);

    while (left < wanted + missing && shorten(approval, plan, APPROVAL_TELLS))
        left++;
    if (left < wanted + missing)
        return left;
    for (size_t i = 0; i < approval->content.count; i++)
        plan->field_rows[i] += is_of_git(&approval->content.fields[i]);
    return left - missing;
}

void approval_plan_make(struct approval *approval, const struct console *console, struct rect area,
                        struct approval_plan *plan)
{
    /* On a narrow screen strips of what lies beneath would only be in the way. */
    int columns = overlay_request_columns(area);
    int wanted, wished, left, rows;
    size_t index = 0;

    *plan = (struct approval_plan){.inner = {0, 0, 0, columns - 4}, .heading_rows = 1};
    plan->label_columns = label_width(&approval->content, &console->keymap);
    wrap_command(approval, plan->inner.columns - QUOTED_COLUMNS);
    wrap_fields(approval, console, plan);
    wanted = (int)approval->lines.count;
    wished = smaller(wanted, COMMAND_ROWS_WISHED);
    left = arrange(approval, plan, index, area.rows, wished);
    while (left < wished && index + 1 < ARRANGEMENT_COUNT)
        left = arrange(approval, plan, ++index, area.rows, wished);
    left = make_room(approval, plan, left, wished, area.rows);
    if (left >= wished)
        left = reserve_for_git(approval, plan, left, wished);
    if (approval->content.rule.offered)
        wrap_init(&plan->reach_lines, plan->reach, field_columns(plan) + 2, WRAP_WORDS);
    if (left > wanted)
        left = wanted + spend_outside(approval, plan, left - wanted);
    plan->command_rows = left < 1 ? 1 : smaller(left, wanted);
    rows = fixed_rows(approval, plan) + total_fields(approval, plan) + plan->command_rows;
    spend_rest(approval, plan, wanted);
    plan->cut = cut_mark(console);
    rows -= spend_freed(approval, plan, wanted, left < 1 ? 1 - left : 0);
    plan->box = overlay_place(area, rows, columns);
    plan->inner = rect_inner(plan->box, 1, 2);
}

void approval_plan_clear(struct approval_plan *plan)
{
    for (size_t i = 0; i < APPROVAL_FIELDS_MAX; i++) {
        wrap_clear(&plan->field_lines[i]);
        free(plan->field_short[i]);
    }
    free(plan->cut);
    wrap_clear(&plan->rule_lines);
    wrap_clear(&plan->reach_lines);
}
