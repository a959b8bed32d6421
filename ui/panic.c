/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/panic.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"

#define RESTORE_MAX 256

/* Prepared while all is well: a handler of a fatal signal can do little more than write(2) and
 * tcsetattr(3). */
static struct {
    volatile sig_atomic_t active;
    int input, output;
    bool have_modes;
    struct termios modes;
    char restore[RESTORE_MAX + 1];
    size_t restore_length;
} panic;

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
#define FATAL_COUNT (COUNT(fatal_signals))

void panic_now(void)
{
    int saved = errno;

    if (!panic.active)
        return;
    panic.active = 0;
    if (write(panic.output, panic.restore, panic.restore_length) < 0)
        panic.restore_length = 0; /* nobody left to tell */
    if (panic.have_modes)
        tcsetattr(panic.input, TCSANOW, &panic.modes);
    errno = saved;
}

/* SA_RESETHAND has put the default action back: the signal ends the program as it would have. */
static void fatal_signal(int number)
{
    panic_now();
    raise(number);
}

static void add(const char *sequence)
{
    size_t length = sequence == NULL || sequence == (const char *)-1 ? 0 : strlen(sequence);

    if (length == 0 || panic.restore_length + length > RESTORE_MAX)
        return;
    memcpy(panic.restore + panic.restore_length, sequence, length);
    panic.restore_length += length;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = fatal_signal, .sa_flags = (int)SA_RESETHAND};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < FATAL_COUNT; i++) {
        struct sigaction old;

        /* A sanitizer's or debugger's handler stays. */
        if (sigaction(fatal_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(fatal_signals[i], &action, NULL);
    }
}

void panic_prepare(int input, int output, const struct termios *modes, const char *const *sequences,
                   size_t count)
{
    panic.active = 0;
    panic.restore_length = 0;
    for (size_t i = 0; i < count; i++)
        add(sequences[i]);
    panic.restore[panic.restore_length] = '\0';
    panic.input = input;
    panic.output = output;
    panic.have_modes = modes != NULL;
    if (modes != NULL)
        panic.modes = *modes;
    panic.active = 1;
    alloc_set_failure_hook(panic_now);
    catch_signals();
}

const char *panic_sequence(void)
{
    return panic.restore;
}

void panic_clear(void)
{
    panic.active = 0;
    alloc_set_failure_hook(NULL);
    for (size_t i = 0; i < FATAL_COUNT; i++) {
        struct sigaction old;

        if (sigaction(fatal_signals[i], NULL, &old) == 0 && old.sa_handler == fatal_signal)
            signal(fatal_signals[i], SIG_DFL);
    }
}
