/* SPDX-License-Identifier: MIT */
/*
 * control: what the helper and its monitor say to each other, one packet a message.
 *
 * The helper stays outside and is what the console waits for and signals; the monitor is the first
 * process of the command's namespaces. When either end goes, the other notices by end of file.
 */
#ifndef ASSENT_SANDBOX_CONTROL_H
#define ASSENT_SANDBOX_CONTROL_H

enum control_kind {
    /* from the monitor */
    CONTROL_STARTED,     /* the command was executed */
    CONTROL_FAILED,      /* a step of the confinement: `number` errno, `text` the step */
    CONTROL_UNAVAILABLE, /* as FAILED, but with fewer layers it might go */
    CONTROL_EXEC_FAILED, /* `number` errno */
    CONTROL_ENDED,       /* `number` is the command's wait status */
    CONTROL_ALARM,       /* `text` is what to say: nobody else listens to the monitor */
    /* to the monitor */
    CONTROL_SIGNAL, /* `number` to every process of the command */
    CONTROL_END,    /* the same, and kill what is left HELPER_GRACE_MS later */
    CONTROL_KILL,   /* kill everything at once */
};

struct control_message {
    enum control_kind kind;
    int number;
    char text[1024];
};

/* Two connected ends, close-on-exec. 0 or -errno. */
int control_open(int ends[2]);
/* Never blocks, never raises SIGPIPE; a message to nobody is lost. */
void control_send(int end, enum control_kind kind, int number, const char *text);
/* 1 with a message, 0 at end of file, -EAGAIN when there is none yet, -errno. */
int control_receive(int end, struct control_message *message);

#endif
