/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/inside.h"

int guard_open_signals(sigset_t *previous)
{
    static const int WANTED[] = {SIGTERM, SIGINT,  SIGHUP,  SIGQUIT, SIGTSTP,
                                 SIGCONT, SIGUSR1, SIGUSR2, SIGWINCH};
    sigset_t all, wanted;
    sigfillset(&all);
    if (sigprocmask(SIG_SETMASK, &all, previous) < 0)
        return -errno;
    sigemptyset(&wanted);
    for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++)
        sigaddset(&wanted, WANTED[i]);
    int fd = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

/* A command can cause thousands; each that is shown is one to read. */
enum { ALARM_LINES = 10 };

static bool ends_command(int number)
{
    return number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGQUIT;
}

/* What the terminal sends to the foreground group has reached the command without us; what is left
 * to do is to stop when it asks for that, so that the shell sees a stopped job. */
static void take_terminal_signal(int number)
{
    if (number == SIGTSTP)
        raise(SIGSTOP);
}

static void pass_on(const struct guard *guard)
{
    struct signalfd_siginfo information;
    while (read(guard->signals, &information, sizeof information) == sizeof information) {
        int number = (int)information.ssi_signo;
        /* Whoever holds the status socket ends the command by force when they see fit. */
        bool end = ends_command(number) && guard->report->socket < 0;
        if (guard->terminal && information.ssi_code == SI_KERNEL && number != SIGHUP)
            take_terminal_signal(number);
        else /* a stop that can be caught would leave some of them running */
            control_send(guard->control, end ? CONTROL_END : CONTROL_SIGNAL,
                         number == SIGTSTP ? SIGSTOP : number, "");
    }
}

/* The streams are the command's: a pipe whose reader is gone must say so to who writes. Standard
 * error stays where messages have no other way. */
static void release_streams(const struct report *report)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < (report->socket >= 0 ? 3 : 2); fd++)
        dup2(null, fd);
    if (null >= 0)
        close(null);
}

/* False at the end of the monitor. */
static bool take_message(const struct guard *guard, struct guard_result *result, unsigned *alarms)
{
    struct control_message message;
    int got = control_receive(guard->control, &message);
    if (got == -EAGAIN || got == -EINTR)
        return true;
    if (got <= 0)
        return false;
    switch (message.kind) {
    case CONTROL_STARTED:
        report_started(guard->report, getpid());
        release_streams(guard->report);
        break;
    case CONTROL_EXEC_FAILED:
        report_exec_failed(guard->report, message.number, guard->name);
        *result = (struct guard_result){GUARD_EXEC_FAILED, message.number, message};
        break;
    case CONTROL_ALARM:
        if ((*alarms)++ < ALARM_LINES)
            report_print_alarm(message.text);
        break;
    case CONTROL_ENDED:
        *result = (struct guard_result){GUARD_ENDED, message.number, message};
        break;
    case CONTROL_UNAVAILABLE:
        *result = (struct guard_result){GUARD_UNAVAILABLE, 0, message};
        break;
    case CONTROL_FAILED:
    case CONTROL_SIGNAL:
    case CONTROL_END:
    case CONTROL_KILL:
        *result = (struct guard_result){GUARD_FAILED, 0, message};
        break;
    }
    return true;
}

void guard_run(const struct guard *guard, struct guard_result *result)
{
    struct pollfd watched[] = {{.fd = guard->signals, .events = POLLIN},
                               {.fd = guard->control, .events = POLLIN},
                               {.fd = guard->report->socket, .events = 0}};
    unsigned alarms = 0;
    *result = (struct guard_result){.outcome = GUARD_FAILED};
    strcpy(result->message.text, "the monitor of the command was killed");
    for (bool running = true; running;) {
        if (poll(watched, 3, -1) < 0 && errno != EINTR)
            break;
        if (watched[2].revents) { /* nobody watches any more: the console has died */
            control_send(guard->control, CONTROL_KILL, SIGKILL, "");
            watched[2].fd = -1;
        }
        if (watched[0].revents)
            pass_on(guard);
        if (watched[1].revents)
            running = take_message(guard, result, &alarms);
    }
    if (alarms > ALARM_LINES)
        report_print_more_alarms(alarms - ALARM_LINES);
    int status;
    while (waitpid(guard->monitor, &status, 0) < 0 && errno == EINTR)
        continue;
    if (guard->adopts) /* of a monitor that was killed; there is nobody else */
        inside_end(false);
}

void guard_end_like(int status)
{
    if (WIFSIGNALED(status)) {
        int number = WTERMSIG(status);
        sigset_t only;
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* the command has dumped its own */
        signal(number, SIG_DFL);
        sigemptyset(&only);
        sigaddset(&only, number);
        kill(getpid(), number);
        sigprocmask(SIG_UNBLOCK, &only, NULL);
        _exit(128 + number);
    }
    _exit(WEXITSTATUS(status));
}
