/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "run/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/fd.h"

static int open_slave(int master)
{
#ifdef TIOCGPTPEER
    /* Needs no path, so it also works where /dev/pts is another instance or is not mounted. */
    int peer = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (peer >= 0 || (errno != EINVAL && errno != ENOTTY))
        return peer;
#endif
    char path[128];
    int result = ptsname_r(master, path, sizeof(path));
    if (result != 0) {
        errno = result;
        return -1;
    }
    return open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
}

static int set_modes(int slave)
{
    struct termios modes;
    if (tcgetattr(slave, &modes) < 0)
        return -errno;
#ifdef IUTF8
    modes.c_iflag |= IUTF8;
#endif
    modes.c_cc[VERASE] = 0x7F;
    return tcsetattr(slave, TCSANOW, &modes) < 0 ? -errno : 0;
}

int pty_resize(int master, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    return ioctl(master, TIOCSWINSZ, &size) < 0 ? -errno : 0;
}

int pty_open(int rows, int columns, int *master, int *slave, struct error *error)
{
    if (rows < 1 || columns < 1 || rows > 65535 || columns > 65535)
        return error_set(error, EINVAL, "a terminal of %d rows and %d columns is not possible",
                         rows, columns);
    cleanup_fd int first = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (first < 0 || grantpt(first) < 0 || unlockpt(first) < 0)
        return error_errno(error, errno, "cannot open a pseudo-terminal");
    cleanup_fd int second = open_slave(first);
    if (second < 0)
        return error_errno(error, errno, "cannot open a pseudo-terminal");
    int result = set_modes(second);
    if (result == 0)
        result = pty_resize(first, rows, columns);
    if (result == 0)
        result = fd_set_nonblock(first, true);
    if (result < 0)
        return error_errno(error, -result, "cannot set up a pseudo-terminal");
    *master = first;
    *slave = second;
    first = -1;
    second = -1;
    return 0;
}

int pty_eof_character(int master)
{
    struct termios modes;
    if (tcgetattr(master, &modes) < 0 || (modes.c_lflag & ICANON) == 0)
        return -1;
    cc_t character = modes.c_cc[VEOF];
    return character == _POSIX_VDISABLE ? -1 : character;
}

bool pty_hides_input(int master)
{
    struct termios modes;
    return tcgetattr(master, &modes) == 0 && (modes.c_lflag & ICANON) != 0 &&
           (modes.c_lflag & ECHO) == 0;
}
