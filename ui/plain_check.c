/* SPDX-License-Identifier: MIT */
/*
 * plain_check: git is asked once more before a yes to what it has told counts, as on the screen.
 * What it says otherwise makes another request of it, which the turn reads out; and when it takes
 * long, which can be an agent's doing, the same answer has to be given again.
 */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/git_text.h"
#include "ui/plain_int.h"

#define CHECK_MS 1000
#define AGAIN_MS 10000 /* the same answer counts for so long */

struct plain_check {
    struct plain *plain;
    struct loop_timer *timer;
    bool waits;
    enum review_kind kind; /* the answer that waits */
    uint64_t prompt;       /* which it is for, or of which git did not say it in time */
    unsigned revision;
    unsigned looks;   /* when it was given */
    int64_t again_ms; /* until when the same holds, git having taken long */
};

/* Is it about what is asked about now? */
static bool is_current(const struct plain_check *check)
{
    return check->prompt == check->plain->prompt && check->revision == check->plain->revision;
}

static void take_long(void *argument)
{
    struct plain_check *check = argument;
    const struct call *call = plain_request_asked(check->plain);

    if (!check->waits)
        return;
    check->waits = false;
    check->again_ms = loop_now_ms(check->plain->setup.loop) + AGAIN_MS;
    if (call == NULL || !is_current(check))
        return;
    plain_say(check->plain, "%s",
              _("git takes long; what it said may be old. The same answer again allows."));
    plain_print_keys(check->plain, call);
    plain_ask(check->plain, PLAIN_ANSWER);
}

bool plain_check_first(struct plain_check *check, const struct call *call, enum review_kind kind)
{
    bool again = is_current(check) && kind == check->kind &&
                 loop_now_ms(check->plain->setup.loop) < check->again_ms;

    if (!git_text_was_told(call) || again)
        return false;
    check->waits = true;
    check->again_ms = 0;
    check->kind = kind;
    check->prompt = check->plain->prompt;
    check->revision = check->plain->revision;
    check->looks = call->looks_begun; /* one that is on its way may be older than the answer */
    plain_say(check->plain, "%s", _("git is being asked …"));
    plain_ask(check->plain, PLAIN_ANSWER); /* any line takes it back */
    loop_timer_start(check->timer, CHECK_MS);
    orchestrator_come_to(check->plain->setup.orchestrator, check->prompt, true);
    return true;
}

void plain_check_follow(struct plain_check *check)
{
    const struct call *call = plain_request_asked(check->plain);

    bool holds = check->waits && call != NULL && is_current(check);

    if (!check->waits || (holds && call->looks <= check->looks))
        return;
    plain_check_drop(check);
    if (holds)
        plain_answer_checked(check->plain, call, check->kind);
}

void plain_check_drop(struct plain_check *check)
{
    if (!check->waits)
        return;
    check->waits = false;
    check->prompt = 0;
    loop_timer_stop(check->timer);
}

struct plain_check *plain_check_new(struct plain *plain)
{
    struct plain_check *check = XNEW(struct plain_check);

    check->plain = plain;
    check->timer = loop_timer_new(plain->setup.loop, take_long, check);
    return check;
}

void plain_check_free(struct plain_check **place)
{
    struct plain_check *check = *place;

    if (check == NULL)
        return;
    loop_timer_free(&check->timer);
    free(check);
    *place = NULL;
}
