/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "sandbox/control.h"
#include "sandbox/helper.h"
#include "sandbox/status.h"

/* Never blocks: a console that does not read must not hold the command up. */
static void send_packet(const struct report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void send_packet(const struct report *report, const char *format, ...)
{
    char packet[STATUS_MESSAGE_MAX];
    va_list arguments;
    if (report->socket < 0)
        return;
    va_start(arguments, format);
    int length = vsnprintf(packet, sizeof packet, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof packet)
        send(report->socket, packet, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void print_line(const char *what, int number)
{
    char line[STATUS_MESSAGE_MAX];
    int length = number ? snprintf(line, sizeof line, HELPER_PROGRAM ": %.4200s: %s\n", what,
                                   strerror(number))
                        : snprintf(line, sizeof line, HELPER_PROGRAM ": %.4200s\n", what);
    if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0)
        return; /* nobody left to tell */
}

void report_layers(const struct report *report, const char *layers)
{
    send_packet(report, "layers %s", layers);
}

void report_placeholders(const struct report *report, unsigned count, const char *names)
{
    send_packet(report, "placeholders %u %s", count, names);
}

int report_gateway(const struct report *report, int listener)
{
    char word[] = "gateway";
    struct iovec part = {word, sizeof word - 1};
    union {
        struct cmsghdr head; /* for its alignment */
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &listener, sizeof listener);
    if (report->socket < 0)
        return -ENOTCONN;
    return sendmsg(report->socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

void report_started(const struct report *report, pid_t pid)
{
    send_packet(report, "started %d", pid);
}

void report_exec_failed(const struct report *report, int number, const char *name)
{
    send_packet(report, "exec-failed %d %s", number, name);
    if (report->socket < 0)
        print_line(name, number);
}

void report_failed(const struct report *report, int number, const char *step)
{
    send_packet(report, "failed %d %s", number, step);
    if (report->socket < 0)
        print_line(step, number);
}

void report_denied(const struct report *report, const char *operation, const char *target)
{
    send_packet(report, "denied %s %s", operation, target);
}

void report_alarm(const struct report *report, const char *target)
{
    send_packet(report, "alarm %s", target);
    if (report->socket < 0 && report->control > 0)
        control_send(report->control, CONTROL_ALARM, 0, target);
}

void report_print_alarm(const char *target)
{
    char line[STATUS_MESSAGE_MAX];
    cleanup_strbuf struct strbuf shown = STRBUF_INIT;
    text_escape(&shown, target, strlen(target), 0);
    snprintf(line, sizeof line, "alarm: %.4000s", shown.data);
    print_line(line, 0);
}

void report_print_more_alarms(unsigned count)
{
    char line[64];
    snprintf(line, sizeof line, "alarm: and %u more", count);
    print_line(line, 0);
}
