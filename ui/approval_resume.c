/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_resume.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "ui/approval_queue.h"
#include "ui/console_int.h"
#include "ui/overlay_approval_int.h"
#include "ui/overlay_message.h"

void approval_resume_clear(struct left_off *left)
{
    free(left->command);
    free(left->reason);
    *left = (struct left_off){0};
}

void approval_resume_note(struct approval *approval, struct console *console)
{
    const char *written = overlay_message_denial(console);
    struct left_off *left = &console->left_off;

    approval_resume_clear(left);
    left->call = approval->call;
    left->command = steal_pointer(&approval->content.command);
    left->first = approval->first;
    left->read = approval->read;
    left->seen = approval->seen;
    left->reason = written != NULL ? xstrdup(written) : steal_pointer(&approval->reason);
}

static void take_reason(struct approval *approval, const struct console *console, char *reason)
{
    char key[24];

    approval->reason = reason;
    snprintf(approval->own_note, sizeof(approval->own_note),
             _("What you had written before c%" PRIu64 " ended is kept: %s goes on with it."),
             console->left_off.call, keymap_key(&console->keymap, ACTION_DENY_MESSAGE, key));
    approval->note = approval->own_note;
}

void approval_resume_take(struct approval *approval, struct console *console,
                          const struct call *call)
{
    struct left_off *left = &console->left_off;
    const struct call *same = approval_queue_same(console, call);

    if (same == NULL || same->id != left->call ||
        strcmp(left->command, approval->content.command) != 0)
        return;
    approval->first = left->first;
    approval->read = left->read;
    approval->seen = left->seen;
    if (left->reason != NULL && approval_can_take(approval, ACTION_DENY_MESSAGE))
        take_reason(approval, console, steal_pointer(&left->reason));
    approval_resume_clear(left);
}
