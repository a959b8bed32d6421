/* SPDX-License-Identifier: MIT */
/* overlay_offers: the answers that an agent offers beside plain yes and no, as a list from which
 * one is picked by its name. */
#ifndef ASSENT_UI_OVERLAY_OFFERS_H
#define ASSENT_UI_OVERLAY_OFFERS_H

#include <stddef.h>

#include "approval/call.h"
#include "ui/overlay.h"

struct console;

/* What such an answer does, as far as its kind says, translated. */
const char *overlay_offers_effect(enum offer_kind kind);

/* The list of the call's offers. Nothing is marked but the way back; Enter on another one closes it
 * and calls `picked` with the overlay below. The console owns it. */
void overlay_offers_open(struct console *console, uint64_t call,
                         void (*picked)(struct overlay *below, struct console *console,
                                        size_t offer));

#endif
