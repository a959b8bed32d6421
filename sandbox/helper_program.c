/* SPDX-License-Identifier: MIT */
/* helper_program: the program assent-sandbox (helper.h says how it is started). */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sandbox/helper.h"
#include "sandbox/request.h"

static int parse_options(int argc, char **argv, struct helper_options *options, struct error *error)
{
    *options = (struct helper_options){.status = -1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            options->argv = argv + i + 1;
            break;
        }
        if (strcmp(argv[i], "--ctty") == 0)
            options->ctty = true;
        else if (strcmp(argv[i], "--inherit-session") == 0)
            options->inherit_session = true;
        else
            return error_set(error, 0, "unknown option %s", argv[i]);
    }
    if (!options->argv || !options->argv[0])
        return error_set(error, 0, "no command: this program is started by Assent");
    return 0;
}

/* Reads the request to its end: a memfd, a pipe or a file. */
static char *read_request(size_t *size, struct error *error)
{
    size_t capacity = 64 * 1024;
    char *bytes = xmalloc(capacity);
    for (;;) {
        ssize_t got = read(HELPER_REQUEST_FD, bytes + *size, capacity - *size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            error_set(error, errno, "reading the request on descriptor %d", HELPER_REQUEST_FD);
            free(bytes);
            return NULL;
        }
        if (got == 0)
            return bytes;
        *size += (size_t)got;
        if (*size == capacity)
            bytes = xreallocarray(bytes, capacity *= 2, 1);
        if (*size > REQUEST_SIZE_MAX)
            return bytes; /* what is too long is refused where it is read */
    }
}

/* The status socket when there is one, else -1. Closes everything that is not handed over. */
static int take_descriptors(void)
{
    int type;
    socklen_t size = sizeof type;
    bool status = getsockopt(HELPER_STATUS_FD, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
                  type == SOCK_SEQPACKET;
    close(HELPER_REQUEST_FD);
    fd_close_from(status ? HELPER_STATUS_FD + 1 : HELPER_STATUS_FD);
    if (status)
        fd_set_cloexec(HELPER_STATUS_FD, true);
    return status ? HELPER_STATUS_FD : -1;
}

int main(int argc, char **argv)
{
    struct helper_options options;
    struct error error = ERROR_INIT;
    char *request = NULL;
    size_t size = 0;
    if (parse_options(argc, argv, &options, &error) == 0)
        request = read_request(&size, &error);
    options.status = take_descriptors();
    int code = helper_run(&options, request, size, &error);
    free(request);
    return code;
}
