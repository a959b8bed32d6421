/* SPDX-License-Identifier: MIT */
/*
 * vigil: requests that wait while nobody looks. Says when a new one waits, again when the oldest
 * has waited long, and denies for an operator who is away; it never allows anything.
 */
#ifndef ASSENT_UI_VIGIL_H
#define ASSENT_UI_VIGIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "approval/orchestrator.h"
#include "base/loop.h"

/* Whoever has pressed a key this recently needs not be told that a request has come. */
#define VIGIL_PRESENT_MS 5000

enum vigil_event {
    VIGIL_WAITING,   /* a new one waits, and the operator has not been at the keys just now */
    VIGIL_ESCALATED, /* the oldest has waited long; again at twice the time, and so on */
    VIGIL_AWAY,      /* one was denied because nobody was there */
};

struct vigil_setup {
    struct loop *loop;
    struct orchestrator *orchestrator;
    int64_t escalate_ms; /* 0: never */
    int64_t away_ms; /* waited, and no key pressed, for so long: denied with a message; 0: never */
    const char *command; /* for /bin/sh at each event; NULL or "": none */
    void (*alert)(void *argument, enum vigil_event event, size_t waiting);
    void *argument;
};

struct vigil;

struct vigil *vigil_new(const struct vigil_setup *setup); /* strings must outlive it */
void vigil_free(struct vigil **vigil);
/* The operator has pressed a key. */
void vigil_present(struct vigil *vigil);
/* Once a turn. */
void vigil_follow(struct vigil *vigil);
/* How long the oldest has waited, when that is too long; else 0. */
int64_t vigil_overdue_ms(const struct vigil *vigil);
/* Our words for a notification, translated: they hold counts only. The caller frees. */
char *vigil_text(enum vigil_event event, size_t waiting);

#endif
