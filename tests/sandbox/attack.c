/* SPDX-License-Identifier: MIT */
/*
 * attack: single system calls that attacks.sh needs, tried inside the sandbox and outside, and the
 * processes of the host that they aim at. Prints "through" and exits 0 when the call went through.
 */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

enum {
    RACE_SECONDS = 2,
    UNTIL_DONE_SECONDS = 20, /* of one that is told when the host has done */
    SURVIVE_SECONDS = 30,
    STEAL_MS = 20000,
    MPTCP = 262,
    NICE = 19
};

static int number(const char *text)
{
    return (int)strtol(text, NULL, 0);
}

static int touch(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    return fd < 0 ? -1 : close(fd);
}

static int64_t now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* ---- sockets ----------------------------------------------------------------------------- */

/* "@name" is abstract. */
static socklen_t unix_address(struct sockaddr_un *address, const char *name)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    size_t length = strlen(name);
    memcpy(address->sun_path, name, length < 107 ? length : 107);
    if (name[0] == '@')
        address->sun_path[0] = '\0';
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (name[0] != '@'));
}

static struct sockaddr_in loopback(const char *port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)number(port)),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int do_unix(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return fd < 0 || connect(fd, (struct sockaddr *)&address, length) < 0 ? -1
                                                                          : (int)write(fd, "x", 1);
}

static int send_unix(int fd, const char *name)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, name);
    return (int)sendto(fd, "x", 1, 0, (struct sockaddr *)&address, length);
}

static int do_unix_datagram(char **a)
{
    return send_unix(socket(AF_UNIX, SOCK_DGRAM, 0), a[0]);
}

/* With the socket that is standard input. */
static int do_unix_inherited(char **a)
{
    return send_unix(0, a[0]);
}

static int connect_inet(int fd, const char *port)
{
    struct sockaddr_in address = loopback(port);
    return connect(fd, (struct sockaddr *)&address, sizeof address) < 0 ? -1
                                                                        : (int)write(fd, "x", 1);
}

static int do_tcp(char **a)
{
    return connect_inet(socket(AF_INET, SOCK_STREAM, 0), a[0]);
}

static int do_mptcp(char **a)
{
    return connect_inet(socket(AF_INET, SOCK_STREAM, MPTCP), a[0]);
}

static int do_inet_inherited(char **a)
{
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    connect(0, &none, sizeof none);
    return connect_inet(0, a[0]);
}

static int do_udp(char **a)
{
    struct sockaddr_in address = loopback(a[0]);
    return (int)sendto(socket(AF_INET, SOCK_DGRAM, 0), "x", 1, 0, (struct sockaddr *)&address,
                       sizeof address);
}

static int do_fastopen(char **a)
{
    struct sockaddr_in address = loopback(a[0]);
    return (int)sendto(socket(AF_INET, SOCK_STREAM, 0), "x", 1, MSG_FASTOPEN,
                       (struct sockaddr *)&address, sizeof address);
}

static int do_socket(char **a)
{
    return socket(number(a[0]), number(a[1]), number(a[2]));
}

/* Takes a descriptor of a directory from a server of the host, and makes a file there. */
static int do_receive(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), received;
    char byte, space[CMSG_SPACE(sizeof received)] __attribute__((aligned(8)));
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    if (connect(fd, (struct sockaddr *)&address, length) < 0 || recvmsg(fd, &message, 0) < 0 ||
        !CMSG_FIRSTHDR(&message))
        return -1;
    memcpy(&received, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof received);
    return openat(received, a[1], O_WRONLY | O_CREAT, 0644);
}

/* ---- descriptors and metadata ------------------------------------------------------------ */

static int do_chmod(char **a)
{
    return chmod(a[0], 0666);
}

static int do_fchmod(char **a)
{
    return fchmod(number(a[0]), 0666);
}

static int do_futimens(char **a)
{
    return futimens(number(a[0]), (struct timespec[]){{1, 0}, {1, 0}});
}

static int do_fsetxattr(char **a)
{
    return fsetxattr(number(a[0]), "user.attack", "x", 1, 0);
}

static int do_setxattr(char **a)
{
    return setxattr(a[0], "user.attack", "x", 1, 0);
}

static int do_setflags(char **a)
{
    int flags = 0;
    ioctl(number(a[0]), FS_IOC_GETFLAGS, &flags); /* the layout's flags can not be taken away */
    flags |= FS_NODUMP_FL;
    return ioctl(number(a[0]), FS_IOC_SETFLAGS, &flags);
}

static int do_openat(char **a)
{
    return openat(number(a[0]), a[1], O_WRONLY | O_CREAT, 0644);
}

static int do_getfd(char **a)
{
    int process = (int)syscall(SYS_pidfd_open, number(a[0]), 0);
    int fd = (int)syscall(SYS_pidfd_getfd, process, number(a[1]), 0);
    return fd < 0 ? -1 : openat(fd, a[2], O_WRONLY | O_CREAT, 0644);
}

/* The program executed from memory, not from a file. */
static int do_memory_program(char **a)
{
    extern char **environ;
    int from = open("/proc/self/exe", O_RDONLY), to = memfd_create("attack", 0);
    struct stat status;
    if (from < 0 || to < 0 || fstat(from, &status) < 0)
        return -1;
    for (off_t left = status.st_size; left > 0;) {
        char bytes[4096];
        ssize_t got = read(from, bytes, sizeof bytes);
        if (got <= 0 || write(to, bytes, (size_t)got) != got)
            return -1;
        left -= got;
    }
    return fexecve(to, (char *[]){(char *)"attack", (char *)"create", a[0], NULL}, environ);
}

/* NAME ASIDE NEW: moves away what is at NAME and puts NEW there, as editors do. */
static int do_replace(char **a)
{
    return rename(a[0], a[1]) < 0 ? -1 : rename(a[2], a[0]);
}

static int do_create(char **a)
{
    return touch(a[0]);
}

/* ---- processes --------------------------------------------------------------------------- */

static int do_kill(char **a)
{
    return kill(number(a[0]), number(a[1]));
}

static int do_ptrace(char **a)
{
    int process = number(a[0]);
    return ptrace(PTRACE_ATTACH, process, 0, 0) < 0 ? -1 : waitpid(process, NULL, 0);
}

static int do_prlimit(char **a)
{
    return prlimit(number(a[0]), RLIMIT_NOFILE, &(struct rlimit){17, 17}, NULL);
}

static int do_affinity(char **a)
{
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    return sched_setaffinity(number(a[0]), sizeof processors, &processors);
}

static int do_idle(char **a)
{
    return sched_setscheduler(number(a[0]), SCHED_IDLE, &(struct sched_param){0});
}

static int do_lease(char **a)
{
    return fcntl(open(a[0], O_RDONLY), F_SETLEASE, F_RDLCK);
}

static int do_setpriority(char **a)
{
    return setpriority(number(a[0]), (id_t)number(a[1]), NICE);
}

/* All processes of the user get the priority that this one has, so that it disturbs none of them.
 * A kernel that goes through them may meet one that it does not let have a better one (EACCES), or
 * one that begins in a user namespace of its own, where it may more than we (EPERM): not for long.
 */
static int do_setpriority_all(char **a)
{
    (void)a;
    int result = -1;
    for (int tries = 20; tries > 0 && result < 0; tries--) {
        result = setpriority(PRIO_USER, 0, getpriority(PRIO_PROCESS, 0));
        if (result < 0 && errno == EACCES)
            result = 0;
        else if (result < 0 && tries > 1)
            usleep(100 * 1000);
    }
    return result;
}

static int do_ioprio(char **a)
{
    enum { IDLE = 3 << 13 };
    return (int)syscall(SYS_ioprio_set, number(a[0]), number(a[1]), IDLE);
}

static int do_ioprio_of(char **a)
{
    return (int)syscall(SYS_ioprio_get, 1, number(a[0])) == 3 << 13 ? 0 : -1;
}

/* A process that leaves session and group, and makes the file when everybody else is gone. */
static int do_survive(char **a)
{
    if (fork() > 0)
        return 0;
    setsid();
    if (fork() > 0)
        _exit(0);
    signal(SIGTERM, SIG_IGN);
    for (int fd = 0; fd < 3; fd++)
        close(fd);
    for (int64_t end = now_seconds() + SURVIVE_SECONDS; now_seconds() < end;)
        if (access(a[0], F_OK) == 0)
            _exit(touch(a[1]));
        else
            poll(NULL, 0, 10);
    _exit(1);
}

/* ---- kernel ------------------------------------------------------------------------------ */

static int do_namespace(char **a)
{
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0
               ? -1
               : mount(a[0], a[1], NULL, MS_BIND | MS_REC, NULL);
}

static int do_mount(char **a)
{
    return mount(a[0], a[1], NULL, MS_BIND, NULL);
}

static int do_syscall(char **a)
{
    long arguments[5] = {0};
    for (int i = 0; i < 5 && a[i + 1]; i++)
        arguments[i] = strtol(a[i + 1], NULL, 0);
    return (int)syscall(number(a[0]), arguments[0], arguments[1], arguments[2], arguments[3],
                        arguments[4]);
}

/* A key that every process of this user sees. */
static int do_key(char **a)
{
    enum { USER_KEYRING = -4 };
    return (int)syscall(SYS_add_key, "user", a[0], "x", 1, USER_KEYRING);
}

/* chmod(2) by the entry for 32-bit programs: the path must lie below 4 GB. */
static int do_chmod_32(char **a)
{
#ifdef __x86_64__
    enum { CHMOD_32 = 15 };
    char *low =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (low == MAP_FAILED)
        return -1;
    snprintf(low, 4096, "%s", a[0]);
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(CHMOD_32), "b"(low), "c"(0666) : "memory");
    errno = (int)-result;
    return result < 0 ? -1 : 0;
#else
    return chmod(a[0], 0666);
#endif
}

/* ---- races ------------------------------------------------------------------------------- */

/* Tries for some time to append to a file that others replace. */
static int do_append_race(char **a)
{
    touch(a[1]);
    for (int64_t end = now_seconds() + RACE_SECONDS; now_seconds() < end;) {
        int fd = open(a[0], O_WRONLY | O_APPEND);
        if (fd >= 0 && write(fd, a[2], strlen(a[2])) > 0)
            return 0;
        close(fd);
    }
    return -1;
}

/* The same as often as it can, to a file that is there for a moment only, until another says that
 * the host has done. */
static int do_append_often(char **a)
{
    ssize_t written = -1;
    touch(a[1]);
    for (int64_t end = now_seconds() + UNTIL_DONE_SECONDS;
         now_seconds() < end && access(a[3], F_OK) < 0;) {
        int fd = open(a[0], O_WRONLY | O_APPEND);
        if (fd >= 0 && write(fd, a[2], strlen(a[2])) > 0)
            written = 0;
        close(fd);
    }
    return (int)written;
}

/* The same with a file that is there for a moment only, which it keeps open to append once more
 * when that has become something else. */
static int do_hold_race(char **a)
{
    enum { LATER_MS = 200 };
    touch(a[1]);
    for (int64_t end = now_seconds() + RACE_SECONDS; now_seconds() < end;) {
        int fd = open(a[0], O_WRONLY | O_APPEND);
        if (fd < 0)
            continue;
        poll(NULL, 0, LATER_MS);
        return (int)write(fd, a[2], strlen(a[2]));
    }
    return -1;
}

/* Exchanges another file for one that is there for a moment only: FILE MARK OTHER. */
static int do_swap_race(char **a)
{
    touch(a[1]);
    for (int64_t end = now_seconds() + RACE_SECONDS; now_seconds() < end;)
        if (renameat2(AT_FDCWD, a[2], AT_FDCWD, a[0], RENAME_EXCHANGE) == 0)
            return 0;
    return -1;
}

/* DIRECTORY FLAG END: makes that directory and a file in it whenever it is not there, until END is,
 * and then through the last one's descriptor another file. */
static int do_directory_race(char **a)
{
    char file[PATH_MAX];
    int directory = -1;
    snprintf(file, sizeof file, "%s/evil", a[0]);
    touch(a[1]);
    for (int64_t end = now_seconds() + UNTIL_DONE_SECONDS;
         now_seconds() < end && access(a[2], F_OK) < 0;)
        if (mkdir(a[0], 0755) == 0) {
            close(directory);
            directory = open(a[0], O_RDONLY | O_DIRECTORY);
            touch(file);
        }
    return openat(directory, "late", O_WRONLY | O_CREAT, 0644);
}

static int do_link_race(char **a)
{
    touch(a[2]);
    for (int64_t end = now_seconds() + UNTIL_DONE_SECONDS;
         now_seconds() < end && access(a[3], F_OK) < 0;)
        (void)!symlink(a[0], a[1]);
    return 0;
}

static void go_on(int number)
{
    (void)number;
}

/* Sends itself SIGCONT all the time, also when it is stopped. By number: in older C libraries the
 * functions are in a library of their own. */
static void be_continued(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    const struct timespec interval = {.tv_nsec = 30000000};
    int timer;
    signal(SIGCONT, go_on);
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0)
        syscall(SYS_timer_settime, timer, 0, &(struct itimerspec){interval, interval}, NULL);
}

/* A directory of its own gets the name of one that is gone, but not at once: NEW NAME GO END. */
static int do_late_race(char **a)
{
    be_continued();
    touch(a[2]);
    for (int64_t end = now_seconds() + UNTIL_DONE_SECONDS;
         now_seconds() < end && access(a[3], F_OK) < 0; poll(NULL, 0, 1))
        if (access(a[1], F_OK) < 0) {
            poll(NULL, 0, 5);
            (void)!rename(a[0], a[1]);
        }
    return 0;
}

static int do_create_race(char **a)
{
    touch(a[1]);
    for (int64_t end = now_seconds() + RACE_SECONDS; now_seconds() < end;) {
        int fd = open(a[0], O_WRONLY | O_CREAT | O_EXCL, 0644);
        if (fd >= 0)
            return (int)write(fd, "attack\n", 7);
    }
    return -1;
}

/* Moves a directory to and fro for a long time: FROM TO MARK. */
static int do_move_often(char **a)
{
    touch(a[2]);
    for (int64_t end = now_seconds() + 10 * RACE_SECONDS; now_seconds() < end;)
        if (rename(a[0], a[1]) < 0 && rename(a[1], a[0]) < 0)
            poll(NULL, 0, 1);
    return 0;
}

static int do_read_race(char **a)
{
    char text[64];
    touch(a[1]);
    for (int64_t end = now_seconds() + RACE_SECONDS; now_seconds() < end;) {
        int fd = open(a[0], O_RDONLY);
        ssize_t got = fd >= 0 ? read(fd, text, sizeof text) : -1;
        close(fd);
        if (got > 0)
            return (int)write(1, text, (size_t)got);
    }
    return -1;
}

/* ---- terminals --------------------------------------------------------------------------- */

/* As 64 bits: what the kernel ignores of the request may be set. */
static int do_type(char **a)
{
    unsigned long request = strtoul(a[0], NULL, 0);
    char byte = 'x';
    return (int)syscall(SYS_ioctl, 0, request, &byte);
}

static int do_discipline(char **a)
{
    int discipline = number(a[0]);
    return ioctl(0, TIOCSETD, &discipline);
}

static int do_write(char **a)
{
    int fd = open(a[0], O_WRONLY | O_NOCTTY);
    return fd < 0 ? -1 : (int)write(fd, "x", 1);
}

/* Waits for what somebody else's terminal was typed. */
static int do_steal(char **a)
{
    char byte;
    int fd = open(a[0], O_RDONLY | O_NOCTTY);
    touch(a[1]);
    struct pollfd input = {.fd = fd, .events = POLLIN};
    return fd < 0 || poll(&input, 1, STEAL_MS) <= 0 ? -1 : (int)read(fd, &byte, 1);
}

/* ---- the host's side --------------------------------------------------------------------- */

static int run(char **argv)
{
    execvp(argv[0], argv);
    perror(argv[0]);
    _exit(127);
}

/* Command with a socket as standard input: FAMILY TYPE COMMAND… */
static int do_with_socket(char **a)
{
    int fd = socket(number(a[0]), number(a[1]), 0);
    return dup2(fd, 0) < 0 ? -1 : run(a + 2);
}

/* Command on a terminal of its own: DIRECTORY COMMAND…. What is left in the input queue, the mode
 * and the line discipline are told in DIRECTORY afterwards. */
static int do_terminal(char **a)
{
    int master, slave, status, discipline = 0, waiting = 0;
    char name[64], bytes[4096], path[4096];
    struct stat file;
    if (openpty(&master, &slave, name, NULL, NULL) < 0)
        return -1;
    fchmod(slave, 0620);
    pid_t child = fork();
    if (child == 0) {
        close(master);
        login_tty(slave);
        run(a + 1);
    }
    struct pollfd output = {.fd = master, .events = POLLIN};
    while (waitpid(child, &status, WNOHANG) == 0)
        if (poll(&output, 1, 20) > 0 && read(master, bytes, sizeof bytes) <= 0)
            break;
    while (poll(&output, 1, 0) > 0 && read(master, bytes, sizeof bytes) > 0)
        continue;
    struct termios raw;
    tcgetattr(slave, &raw);
    ioctl(slave, TIOCGETD, &discipline);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    ioctl(slave, FIONREAD, &waiting);
    fstat(slave, &file);
    const struct {
        const char *name;
        bool so;
    } found[] = {{"typed", waiting > 0},
                 {"discipline", discipline != 0},
                 {"mode", (file.st_mode & 0777) != 0620}};
    for (size_t i = 0; i < 3; i++)
        if (found[i].so && snprintf(path, sizeof path, "%s/%s", a[0], found[i].name) > 0)
            touch(path);
    return 0;
}

/* Somebody else's terminal: DIRECTORY. Told there: its name; "hit" when something is written to it.
 * When "type" appears, something is typed on it; "lost" if that does not arrive. */
static int do_other_terminal(char **a)
{
    int master, slave;
    char name[64], byte;
    if (chdir(a[0]) < 0 || openpty(&master, &slave, name, NULL, NULL) < 0)
        return -1;
    fchmod(slave, 0666);
    struct termios raw;
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    int fd = open("pts", O_WRONLY | O_CREAT, 0644);
    dprintf(fd, "%s", name);
    touch("ready");
    struct pollfd output = {.fd = master, .events = POLLIN};
    for (bool typed = false;;) {
        if (poll(&output, 1, 20) > 0 && read(master, &byte, 1) > 0)
            touch("hit");
        if (!typed && access("type", F_OK) == 0)
            typed = write(master, "x", 1) == 1;
    }
}

/* KIND ADDRESS DIRECTORY: makes "ready" there, and "hit" when somebody came. */
static int do_serve(char **a)
{
    struct sockaddr_un path;
    struct sockaddr_in inet = loopback(a[1]);
    bool local = strncmp(a[0], "unix", 4) == 0, datagram = strstr(a[0], "datagram") != NULL;
    socklen_t length = local ? unix_address(&path, a[1]) : sizeof inet;
    int fd = socket(local ? AF_UNIX : AF_INET, datagram ? SOCK_DGRAM : SOCK_STREAM,
                    strcmp(a[0], "mptcp") == 0 ? MPTCP : 0);
    int on = 5;
    if (!local)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (strcmp(a[0], "tcp") == 0)
        setsockopt(fd, IPPROTO_TCP, TCP_FASTOPEN, &on, sizeof on);
    umask(0);
    if (bind(fd, local ? (struct sockaddr *)&path : (struct sockaddr *)&inet, length) < 0 ||
        (!datagram && listen(fd, 5) < 0) || chdir(a[2]) < 0)
        return -1;
    touch("ready");
    char byte;
    for (;;) {
        int peer = datagram ? fd : accept(fd, NULL, NULL);
        if (read(peer, &byte, 1) == 1)
            touch("hit");
    }
}

/* SOCKET DIRECTORY MARKS: gives everybody who connects a descriptor of DIRECTORY. */
static int do_give(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), given = open(a[1], O_RDONLY | O_DIRECTORY);
    umask(0);
    if (bind(fd, (struct sockaddr *)&address, length) < 0 || listen(fd, 5) < 0 || chdir(a[2]) < 0)
        return -1;
    touch("ready");
    for (;;) {
        char space[CMSG_SPACE(sizeof given)] __attribute__((aligned(8)));
        struct iovec part = {(void *)"x", 1};
        struct msghdr message = {.msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = space,
                                 .msg_controllen = sizeof space};
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof given);
        memcpy(CMSG_DATA(header), &given, sizeof given);
        sendmsg(accept(fd, NULL, NULL), &message, 0);
    }
}

/* DIRECTORY MARKS: a process to be attacked. Has DIRECTORY as descriptor 9 and current directory,
 * and a variable that is worth reading. */
static int do_victim(char **a)
{
    char path[4096];
    int directory = open(a[0], O_RDONLY | O_DIRECTORY);
    dup2(directory, 9);
    if (fchdir(9) < 0 || snprintf(path, sizeof path, "%s/pid", a[1]) < 0)
        return -1;
    int fd = open(path, O_WRONLY | O_CREAT, 0644);
    dprintf(fd, "%d", getpid());
    snprintf(path, sizeof path, "%s/ready", a[1]);
    touch(path);
    for (;;)
        pause();
}

/* ---- main -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(char **arguments);
    int arguments; /* at least */
} ACTIONS[] = {
    {"unix", do_unix, 1},
    {"unix-datagram", do_unix_datagram, 1},
    {"unix-inherited", do_unix_inherited, 1},
    {"tcp", do_tcp, 1},
    {"mptcp", do_mptcp, 1},
    {"inet-inherited", do_inet_inherited, 1},
    {"udp", do_udp, 1},
    {"fastopen", do_fastopen, 1},
    {"socket", do_socket, 3},
    {"receive", do_receive, 2},
    {"chmod", do_chmod, 1},
    {"chmod-32", do_chmod_32, 1},
    {"fchmod", do_fchmod, 1},
    {"futimens", do_futimens, 1},
    {"fsetxattr", do_fsetxattr, 1},
    {"setxattr", do_setxattr, 1},
    {"setflags", do_setflags, 1},
    {"openat", do_openat, 2},
    {"getfd", do_getfd, 3},
    {"memory-program", do_memory_program, 1},
    {"create", do_create, 1},
    {"replace", do_replace, 3},
    {"kill", do_kill, 2},
    {"ptrace", do_ptrace, 1},
    {"prlimit", do_prlimit, 1},
    {"affinity", do_affinity, 1},
    {"idle", do_idle, 1},
    {"lease", do_lease, 1},
    {"setpriority", do_setpriority, 2},
    {"setpriority-all", do_setpriority_all, 0},
    {"ioprio", do_ioprio, 2},
    {"ioprio-of", do_ioprio_of, 1},
    {"survive", do_survive, 2},
    {"namespace", do_namespace, 2},
    {"mount", do_mount, 2},
    {"syscall", do_syscall, 1},
    {"key", do_key, 1},
    {"append-race", do_append_race, 3},
    {"append-often", do_append_often, 4},
    {"hold-race", do_hold_race, 3},
    {"swap-race", do_swap_race, 3},
    {"create-race", do_create_race, 2},
    {"directory-race", do_directory_race, 3},
    {"link-race", do_link_race, 4},
    {"late-race", do_late_race, 4},
    {"move-often", do_move_often, 3},
    {"read-race", do_read_race, 2},
    {"type", do_type, 1},
    {"discipline", do_discipline, 1},
    {"write", do_write, 1},
    {"steal", do_steal, 2},
    {"with-socket", do_with_socket, 3},
    {"terminal", do_terminal, 2},
    {"other-terminal", do_other_terminal, 1},
    {"serve", do_serve, 3},
    {"give", do_give, 3},
    {"victim", do_victim, 2},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof ACTIONS / sizeof *ACTIONS; i++) {
        if (strcmp(ACTIONS[i].name, argv[1]) != 0 || argc - 2 < ACTIONS[i].arguments)
            continue;
        if (ACTIONS[i].run(argv + 2) < 0) {
            fprintf(stderr, "attack: %s: %s\n", argv[1], strerror(errno));
            return 1;
        }
        puts("through");
        return 0;
    }
    fprintf(stderr, "attack: unknown action or too few arguments\n");
    return 2;
}
