/* SPDX-License-Identifier: MIT */
/*
 * status: what the helper tells the console over its status socket. One packet a message, at most
 * STATUS_MESSAGE_MAX bytes: a word, then space-separated fields, then free text to the end:
 *
 *     layers WORD…                what confines the command: "landlock:7 seccomp user mount pid
 *                                 network ipc"; "none" when nothing does; after "missing" the
 *                                 layers that a degraded policy runs without
 *     placeholders COUNT NAMES    what stands in for that many names that are missing at the top of
 *                                 the root with the working directory; the first of them, with "/"
 *                                 between. After "layers"
 *     gateway                     with one descriptor (SCM_RIGHTS): the socket that listens for the
 *                                 command's connections to the console's proxy, see gateway.h
 *     started PID                 the command was executed; PID as the console sees it
 *     exec-failed ERRNO STEP      it could not be: the helper then exits 126 or 127
 *     failed ERRNO STEP           the confinement could not be made: it then exits 125
 *     denied OPERATION TARGET     the sandbox refused something: "connect" (unix socket path),
 *                                 "network" (address:port, or "" when only counted), "write",
 *                                 "read", "create", …; a path is raw bytes
 *     alarm TARGET                a protected path was changed from outside while the command ran,
 *                                 or what it left was set aside; in brackets which
 *
 * The socket closes when nothing more will come.
 */
#ifndef ASSENT_SANDBOX_STATUS_H
#define ASSENT_SANDBOX_STATUS_H

#include <stddef.h>
#include <sys/types.h>

#define STATUS_MESSAGE_MAX 4608 /* a path of 4095 bytes and what stands before it */
#define STATUS_NAMES_MAX 512    /* of placeholders, NUL included */

enum status_kind {
    STATUS_LAYERS,
    STATUS_PLACEHOLDERS,
    STATUS_GATEWAY,
    STATUS_STARTED,
    STATUS_EXEC_FAILED,
    STATUS_FAILED,
    STATUS_DENIED,
    STATUS_ALARM,
};

struct status_message {
    enum status_kind kind;
    pid_t pid;                     /* started */
    int number;                    /* exec-failed, failed: errno value, 0 when there is none;
                                      placeholders: how many */
    char operation[16];            /* denied */
    char text[STATUS_MESSAGE_MAX]; /* the rest; NUL-terminated, raw bytes: escape before showing */
};

/* Reads one packet. 0, or -EPROTO when it is not of this form. */
int status_parse(const char *packet, size_t length, struct status_message *message);

#endif
