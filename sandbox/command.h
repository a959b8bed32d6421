/* SPDX-License-Identifier: MIT */
/*
 * command: what an agent asks to have run, and what is really started for it.
 *
 * A command_spec is the request as it came in, already bounded and checked by whoever received
 * it; transform_command() makes an exec_request out of it, which only the runner uses.
 */
#ifndef ASSENT_SANDBOX_COMMAND_H
#define ASSENT_SANDBOX_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct sandbox_policy;

/* How the call wants to stand to the sandbox. */
enum sandbox_permissions {
    SANDBOX_PERMISSIONS_USE_DEFAULT,
    SANDBOX_PERMISSIONS_REQUIRE_ESCALATED,
    SANDBOX_PERMISSIONS_WITH_ADDITIONAL,
};

/* "use_default", "require_escalated", "with_additional_permissions". */
const char *command_permissions_name(enum sandbox_permissions permissions);
bool command_permissions_parse(const char *name, enum sandbox_permissions *permissions);

/* What a call asks for on top of the turn's policy; absolute paths, NULL-terminated or NULL. */
struct additional_permissions {
    char **readable;
    char **writable;
    bool network;
};

struct additional_permissions *
additional_permissions_copy(const struct additional_permissions *permissions);
void additional_permissions_free(struct additional_permissions **permissions);
bool additional_permissions_empty(const struct additional_permissions *permissions);

/* Where the command's standard input comes from. */
enum stdin_kind { STDIN_NULL, STDIN_PIPE, STDIN_TTY };

#define COMMAND_TIMEOUT_DEFAULT (-1)

struct command_spec {
    char **argv;        /* at least one element; any bytes but NUL */
    char *cwd;          /* absolute */
    char **env;         /* NAME=VALUE supplied by the call, NULL-terminated; NULL: none */
    int64_t timeout_ms; /* COMMAND_TIMEOUT_DEFAULT, or > 0 */
    enum sandbox_permissions permissions;
    struct additional_permissions *additional; /* only WITH_ADDITIONAL; else NULL */
    char *justification;                       /* the agent's words; NULL when it gave none */
    bool tty;
    enum stdin_kind standard_input;
    bool typed;         /* with tty: its input comes from whoever sits before its pane; that the
                           client has none is not its end */
    bool split_streams; /* stdout and stderr apart (pipes); ignored with tty */
};

/* An empty spec: no argv, default time-out, stdin null. */
struct command_spec *command_spec_new(void);
struct command_spec *command_spec_copy(const struct command_spec *spec);
void command_spec_free(struct command_spec **spec);
/* Is it something that can be started: argv and program name not empty, cwd absolute, env of the
 * form NAME=VALUE, no argument over the kernel's 128 KiB (MAX_ARG_STRLEN), all of argv and env at
 * most 1 MiB. 0, or -1 with a message for whoever sent it. */
int command_spec_check(const struct command_spec *spec, struct error *error);

/* What confines the process. */
enum sandbox_type { SANDBOX_TYPE_NONE, SANDBOX_TYPE_LINUX, SANDBOX_TYPE_SEATBELT };
const char *sandbox_type_name(enum sandbox_type type); /* "none", "linux", "seatbelt" */

/*
 * What is really spawned. On Linux that is always the helper `assent-sandbox`, also for a command
 * that runs unconfined; helper.h says what the runner has to do around it. On macOS it is
 * sandbox-exec, and whoever spawns it enters the directory first.
 */
struct exec_request {
    char *program; /* absolute path of the file to execute */
    char **argv;   /* complete; argv[0] is arg0 */
    char *arg0;
    char **env;          /* the command's whole environment */
    char **program_env;  /* the environment of `program` itself: for the helper what says where
                            the operator's settings are; it takes the command's from `request` */
    char *cwd;           /* where the command starts; the helper goes there itself */
    char *request;       /* bytes for descriptor HELPER_REQUEST_FD; NULL: no such descriptor */
    size_t request_size; /* bytes */
    int64_t timeout_ms;
    enum sandbox_type type;
    struct sandbox_policy *policy; /* what it runs under; owned */
    bool tty;
    enum stdin_kind standard_input;
    bool split_streams;
};

void exec_request_free(struct exec_request **request);

#endif
