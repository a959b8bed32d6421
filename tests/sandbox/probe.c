/* SPDX-License-Identifier: MIT */
/*
 * probe: tries one operation and exits 0 when it went through. Else it prints the error and exits 1
 * (refused), or 2 when the operation does not exist. Used by the conformance cases, inside the
 * sandbox and outside.
 */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static int number(const char *text)
{
    return (int)strtol(text, NULL, 0);
}

/* ---- files ------------------------------------------------------------------------------- */

static int do_write(char **a)
{
    int fd = open(a[0], O_WRONLY | O_APPEND | O_NOCTTY);
    return fd < 0 ? -1 : (int)write(fd, "x", 1);
}

static int do_read(char **a)
{
    char byte;
    int fd = open(a[0], O_RDONLY | O_NONBLOCK | O_NOCTTY);
    return fd < 0 ? -1 : read(fd, &byte, 1) < 0 && errno != EAGAIN ? -1 : 0;
}

static int do_open(char **a)
{
    return open(a[0], O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

static int do_open_rdwr(char **a)
{
    return open(a[0], O_RDWR | O_NONBLOCK | O_NOCTTY);
}

static int do_create(char **a)
{
    return open(a[0], O_WRONLY | O_CREAT | O_EXCL, 0666);
}

static int do_tmpfile(char **a)
{
    return open(a[0], O_WRONLY | O_TMPFILE, 0666);
}

static int do_truncate(char **a)
{
    return truncate(a[0], 0);
}

static int do_open_truncate(char **a)
{
    return open(a[0], O_WRONLY | O_TRUNC);
}

static int do_chmod(char **a)
{
    return chmod(a[0], (mode_t)strtol(a[1], NULL, 8));
}

static int do_fchmod_path(char **a) /* through a descriptor that is only for reading */
{
    int fd = open(a[0], O_RDONLY | O_NOCTTY);
    return fd < 0 ? -1 : fchmod(fd, (mode_t)strtol(a[1], NULL, 8));
}

static int do_fchmodat2(char **a)
{
    return (int)syscall(452, AT_FDCWD, a[0], strtol(a[1], NULL, 8), 0);
}

static int do_fchmod(char **a) /* a descriptor that was handed over */
{
    return fchmod(number(a[0]), (mode_t)strtol(a[1], NULL, 8));
}

static int do_chown(char **a)
{
    return chown(a[0], (uid_t)number(a[1]), (gid_t)number(a[1]));
}

static int do_utimes(char **a)
{
    struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    return utimensat(AT_FDCWD, a[0], times, 0);
}

static int do_setxattr(char **a)
{
    return setxattr(a[0], "user.probe", "x", 1, 0);
}

static int do_removexattr(char **a)
{
    return removexattr(a[0], "user.kept");
}

static int do_setflags(char **a)
{
    long flags = 0;
    int fd = open(a[0], O_RDONLY);
    if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
        return -1;
    flags ^= FS_NODUMP_FL;
    return ioctl(fd, FS_IOC_SETFLAGS, &flags);
}

static int do_mknod(char **a)
{
    return mknod(a[0], (strcmp(a[1], "b") == 0 ? S_IFBLK : S_IFCHR) | 0600,
                 makedev((unsigned)number(a[2]), (unsigned)number(a[3])));
}

static int do_mkfifo(char **a)
{
    return mkfifo(a[0], 0600);
}

static int do_mksocket(char **a)
{
    return mknod(a[0], S_IFSOCK | 0600, 0);
}

static int do_mkdir(char **a)
{
    return mkdir(a[0], 0777);
}

static int do_rmdir(char **a)
{
    return rmdir(a[0]);
}

static int do_unlink(char **a)
{
    return unlink(a[0]);
}

static int do_rename(char **a)
{
    return rename(a[0], a[1]);
}

static int do_exchange(char **a)
{
    return renameat2(AT_FDCWD, a[0], AT_FDCWD, a[1], RENAME_EXCHANGE);
}

static int do_link(char **a)
{
    return link(a[0], a[1]);
}

static int do_symlink(char **a)
{
    return symlink(a[0], a[1]);
}

static int do_fallocate(char **a)
{
    int fd = open(a[0], O_WRONLY);
    return fd < 0 ? -1 : fallocate(fd, 0, 0, 4096);
}

static int do_map_write(char **a)
{
    int fd = open(a[0], O_RDWR);
    char *map = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return -1;
    map[0] = 'X';
    return msync(map, 4096, MS_SYNC);
}

static int do_open_by_handle(char **a)
{
    union {
        struct file_handle handle;
        char bytes[sizeof(struct file_handle) + MAX_HANDLE_SZ];
    } u;
    int mount;
    u.handle.handle_bytes = MAX_HANDLE_SZ;
    if (name_to_handle_at(AT_FDCWD, a[0], &u.handle, &mount, 0) < 0)
        return -1;
    int root = open("/", O_RDONLY);
    return open_by_handle_at(root, &u.handle, O_RDONLY);
}

/* ---- descriptors ------------------------------------------------------------------------- */

static int do_fd_open(char **a) /* is that descriptor open at all? */
{
    return fcntl(number(a[0]), F_GETFD);
}

static int do_fd_reopen_write(char **a)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%s", a[0]);
    int fd = open(path, O_WRONLY | O_APPEND);
    return fd < 0 ? -1 : (int)write(fd, "x", 1);
}

static int do_fd_create_at(char **a)
{
    return openat(number(a[0]), a[1], O_WRONLY | O_CREAT, 0666);
}

static int do_fd_proc_create(char **a)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/proc/self/fd/%s/%s", a[0], a[1]);
    return open(path, O_WRONLY | O_CREAT, 0666);
}

static int do_fd_parent_create(char **a) /* climbs out of a directory descriptor */
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "../%s", a[1]);
    return openat(number(a[0]), path, O_WRONLY | O_CREAT, 0666);
}

static int do_fd_chdir_create(char **a)
{
    if (fchdir(number(a[0])) < 0)
        return -1;
    return open(a[1], O_WRONLY | O_CREAT, 0666);
}

static int do_fd_truncate(char **a)
{
    return ftruncate(number(a[0]), 0);
}

static int do_fd_seek_write(char **a)
{
    return (int)pwrite(number(a[0]), "X", 1, 0);
}

/* ---- processes ---------------------------------------------------------------------------- */

static int do_kill(char **a)
{
    return kill((pid_t)number(a[0]), number(a[1]));
}

static int do_pidfd_signal(char **a)
{
    int fd = (int)syscall(SYS_pidfd_open, number(a[0]), 0);
    return fd < 0 ? -1 : (int)syscall(SYS_pidfd_send_signal, fd, number(a[1]), NULL, 0);
}

static int do_ptrace(char **a)
{
    return (int)ptrace(PTRACE_SEIZE, number(a[0]), NULL, NULL);
}

static int do_ptrace_child(char **a)
{
    (void)a;
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        _exit(0);
    }
    int status;
    return waitpid(child, &status, 0) == child && WIFSTOPPED(status) ? 0 : -1;
}

static int do_vm_read(char **a)
{
    char local[8];
    FILE *maps = NULL;
    unsigned long start = 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/maps", a[0]);
    maps = fopen(path, "r");
    if (!maps || fscanf(maps, "%lx", &start) != 1)
        return -1;
    struct iovec here = {local, sizeof local}, there = {(void *)start, sizeof local};
    return (int)process_vm_readv(number(a[0]), &here, 1, &there, 1, 0);
}

static int do_proc_read(char **a)
{
    char path[128], byte;
    snprintf(path, sizeof path, "/proc/%s/%s", a[0], a[1]);
    int fd = open(path, O_RDONLY);
    return fd < 0 ? -1 : read(fd, &byte, 1) == 1 ? 0 : -1;
}

static int do_proc_link(char **a)
{
    char path[128], target[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%s/%s", a[0], a[1]);
    return (int)readlink(path, target, sizeof target);
}

static int do_pidfd_getfd(char **a)
{
    int fd = (int)syscall(SYS_pidfd_open, number(a[0]), 0);
    return fd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, fd, 0, 0);
}

static int do_prlimit(char **a)
{
    struct rlimit limit = {12345, 12345};
    return prlimit(number(a[0]), RLIMIT_CORE, &limit, NULL);
}

static int do_nice(char **a)
{
    return setpriority(PRIO_PROCESS, (id_t)number(a[0]), 7);
}

static int do_affinity(char **a)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    return sched_setaffinity(number(a[0]), sizeof set, &set);
}

static int do_scheduler(char **a)
{
    struct sched_param parameter = {0};
    return sched_setscheduler(number(a[0]), SCHED_BATCH, &parameter);
}

static int do_setsid_sleep(char **a)
{
    if (fork() > 0)
        return 0;
    setsid();
    if (fork() > 0)
        _exit(0);
    for (int fd = 0; fd < 64; fd++)
        close(fd);
    prctl(PR_SET_NAME, a[0]);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (;;)
        pause();
}

/* ---- sockets ------------------------------------------------------------------------------ */

static socklen_t unix_address(struct sockaddr_un *address, const char *path)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    size_t length = strlen(path);
    memcpy(address->sun_path, path, length < sizeof address->sun_path ? length : 0);
    if (path[0] == '@') /* abstract */
        address->sun_path[0] = '\0';
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + (path[0] != '@'));
}

static int type_of(const char *name)
{
    return strcmp(name, "dgram") == 0       ? SOCK_DGRAM
           : strcmp(name, "seqpacket") == 0 ? SOCK_SEQPACKET
                                            : SOCK_STREAM;
}

/* Bytes of a peer count: a connection alone could be a trap. */
static int greeted(int fd)
{
    char byte;
    struct pollfd poller = {.fd = fd, .events = POLLIN};
    return poll(&poller, 1, 5000) == 1 && read(fd, &byte, 1) == 1 ? 0 : -1;
}

static int do_connect_unix(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int fd = socket(AF_UNIX, type_of(a[1] ?: "stream"), 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, length) < 0)
        return -1;
    return greeted(fd);
}

static int do_send_unix(char **a) /* without a connection */
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    return fd < 0 ? -1 : (int)sendto(fd, "x", 1, 0, (struct sockaddr *)&address, length);
}

static int do_sendmsg_unix(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int pair[2];
    char byte = 'x';
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_name = &address, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0)
        return -1;
    return (int)sendmsg(pair[0], &message, 0);
}

/* Listens, says so by making the file a[1], greets whoever comes, notes it in a[2]. */
static int serve(int fd, char **a)
{
    close(open(a[1], O_CREAT | O_WRONLY, 0666));
    for (;;) {
        char byte;
        int peer = accept(fd, NULL, NULL);
        if (peer < 0) { /* a datagram socket */
            if (recv(fd, &byte, 1, 0) < 0)
                return -1;
        } else {
            send(peer, "hello", 5, MSG_NOSIGNAL);
            close(peer);
        }
        close(open(a[2], O_CREAT | O_WRONLY, 0666));
    }
}

static int do_serve_unix(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int fd = socket(AF_UNIX, type_of(a[3] ?: "stream"), 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) < 0)
        return -1;
    if (a[0][0] != '@')
        chmod(a[0], 0777);
    listen(fd, 16);
    return serve(fd, a);
}

static int do_serve_tcp(char **a)
{
    int one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)number(a[0])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 16) < 0)
        return -1;
    return serve(fd, a);
}

static int do_serve_udp(char **a)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)number(a[0])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0)
        return -1;
    return serve(fd, a);
}

static struct sockaddr_in inet_address(char **a)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)number(a[1]))};
    inet_pton(AF_INET, a[0], &address.sin_addr);
    return address;
}

static int do_connect_tcp(char **a)
{
    struct sockaddr_in address = inet_address(a);
    int fd = socket(AF_INET, SOCK_STREAM, number(a[2] ?: "0"));
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
        return -1;
    return greeted(fd);
}

static int do_fastopen(char **a)
{
    struct sockaddr_in address = inet_address(a);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || sendto(fd, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address) < 0)
        return -1;
    return greeted(fd);
}

static int do_send_udp(char **a)
{
    struct sockaddr_in address = inet_address(a);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    return fd < 0 ? -1 : (int)sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof address);
}

static int do_socket(char **a)
{
    return socket(number(a[0]), number(a[1]), number(a[2]));
}

static int do_socket_high(char **a) /* the kernel looks at 32 bits of the family */
{
    return (int)syscall(SYS_socket, (1UL << 32) | (unsigned long)number(a[0]),
                        (unsigned long)number(a[1]), 0UL);
}

static int do_socketpair(char **a)
{
    int pair[2];
    return socketpair(AF_UNIX, type_of(a[0]), 0, pair);
}

static int do_own_unix(char **a)
{
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, a[0]);
    int server = socket(AF_UNIX, type_of(a[1] ?: "stream"), 0);
    int client = socket(AF_UNIX, type_of(a[1] ?: "stream"), 0);
    if (bind(server, (struct sockaddr *)&address, length) < 0 || listen(server, 1) < 0 ||
        connect(client, (struct sockaddr *)&address, length) < 0)
        return -1;
    int peer = accept(server, NULL, NULL);
    return peer < 0 || send(peer, "x", 1, 0) < 0 ? -1 : greeted(client);
}

static int do_own_tcp(char **a)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    (void)a;
    int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0 || bind(server, (struct sockaddr *)&address, length) < 0 ||
        listen(server, 1) < 0 || getsockname(server, (struct sockaddr *)&address, &length) < 0 ||
        connect(client, (struct sockaddr *)&address, length) < 0)
        return -1;
    int peer = accept(server, NULL, NULL);
    return peer < 0 || send(peer, "x", 1, 0) < 0 ? -1 : greeted(client);
}

/* Two threads of one process: a connect() whose address changes under the one who checks it. */
static int do_race_connect(char **a)
{
    static struct sockaddr_un harmless, wanted;
    static struct sockaddr_un *volatile shared;
    struct sockaddr_un *place =
        mmap(NULL, sizeof *place, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    socklen_t length = unix_address(&wanted, a[1]);
    unix_address(&harmless, a[0]);
    shared = place;
    pid_t changer = fork();
    if (changer == 0)
        for (;;) {
            *shared = harmless;
            *shared = wanted;
        }
    int result = -1;
    time_t end = time(NULL) + 3;
    while (result < 0 && time(NULL) < end) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        char text[6] = "";
        if (connect(fd, (struct sockaddr *)place, length) == 0 &&
            recv(fd, text, 5, MSG_WAITALL) == 5)
            result = 0;
        close(fd);
    }
    kill(changer, SIGKILL);
    return result;
}

/* ---- terminals ---------------------------------------------------------------------------- */

static int do_tiocsti(char **a)
{
    int fd = open(a[0], O_RDWR | O_NOCTTY);
    char byte = '#';
    return fd < 0 ? -1 : ioctl(fd, TIOCSTI, &byte);
}

static int do_ioctl(char **a)
{
    char buffer[256] = {0};
    return ioctl(number(a[0]), (unsigned long)strtoul(a[1], NULL, 0), buffer);
}

/* Is the request itself refused, whatever the descriptor is? */
static int do_ioctl_filtered(char **a)
{
    char buffer[256] = {0};
    int result = ioctl(open("/dev/null", O_RDWR), (unsigned long)strtoul(a[0], NULL, 0), buffer);
    return result < 0 && errno == EPERM ? -1 : 0;
}

static int do_openpty(char **a)
{
    int master, slave;
    char name[64];
    (void)a;
    if (openpty(&master, &slave, name, NULL, NULL) < 0 || ttyname_r(slave, name, sizeof name) != 0)
        return -1;
    return open(name, O_RDWR | O_NOCTTY);
}

/* ---- IPC ---------------------------------------------------------------------------------- */

static int do_shm_make(char **a)
{
    return shmget(number(a[0]), 4096, IPC_CREAT | 0666);
}

static int do_shm_attach(char **a)
{
    int id = shmget(number(a[0]), 0, 0);
    return id < 0 || shmat(id, NULL, 0) == (void *)-1 ? -1 : 0;
}

static int do_msg_make(char **a)
{
    return msgget(number(a[0]), IPC_CREAT | 0666);
}

static int do_msg_get(char **a)
{
    return msgget(number(a[0]), 0);
}

static int do_sem_make(char **a)
{
    return semget(number(a[0]), 1, IPC_CREAT | 0666);
}

static int do_sem_get(char **a)
{
    return semget(number(a[0]), 0, 0);
}

static int do_mq_make(char **a)
{
    return (int)mq_open(a[0], O_CREAT | O_RDWR, 0666, NULL);
}

static int do_mq_get(char **a)
{
    return (int)mq_open(a[0], O_RDWR);
}

static int do_mq_remove(char **a)
{
    return mq_unlink(a[0]);
}

static int do_sem_open(char **a)
{
    sem_t *semaphore = sem_open(a[0], O_CREAT, 0600, 1);
    if (semaphore == SEM_FAILED || sem_wait(semaphore) < 0)
        return -1;
    return sem_unlink(a[0]);
}

static int do_shm_open(char **a)
{
    int fd = shm_open(a[0], O_CREAT | O_RDWR, 0600);
    return fd < 0 || ftruncate(fd, 4096) < 0 ? -1 : shm_unlink(a[0]);
}

static int do_shm_open_existing(char **a)
{
    return shm_open(a[0], O_RDWR, 0);
}

static int do_memfd_exec(char **a)
{
    int fd = memfd_create("x", 0), source = open("/bin/true", O_RDONLY);
    char buffer[65536];
    (void)a;
    for (ssize_t got; (got = read(source, buffer, sizeof buffer)) > 0;)
        if (write(fd, buffer, (size_t)got) != got)
            return -1;
    pid_t child = fork();
    if (child == 0) {
        char *const argv[] = {(char *)"true", NULL};
        fexecve(fd, argv, environ);
        _exit(1);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* ---- the kernel --------------------------------------------------------------------------- */

static int do_unshare(char **a)
{
    return unshare(number(a[0]));
}

static int do_clone(char **a)
{
    long pid = syscall(SYS_clone, (unsigned long)number(a[0]) | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return pid < 0 ? -1 : 0;
}

static int do_clone3(char **a)
{
    uint64_t arguments[8] = {(uint64_t)number(a[0]), 0, 0, 0, SIGCHLD};
    long pid = syscall(SYS_clone3, arguments, sizeof arguments);
    if (pid == 0)
        _exit(0);
    return pid < 0 ? -1 : 0;
}

static int do_mount(char **a)
{
    return mount("none", a[0], "tmpfs", 0, NULL);
}

static int do_bind(char **a)
{
    return mount(a[0], a[1], NULL, MS_BIND, NULL);
}

static int do_remount(char **a)
{
    return mount(NULL, a[0], NULL, MS_REMOUNT | MS_BIND, NULL);
}

static int do_umount(char **a)
{
    return umount2(a[0], MNT_DETACH);
}

static int do_open_tree(char **a)
{
    return (int)syscall(SYS_open_tree, AT_FDCWD, a[0], 1);
}

static int do_mount_setattr(char **a)
{
    uint64_t attributes[4] = {0, 1, 0, 0};
    return (int)syscall(SYS_mount_setattr, AT_FDCWD, a[0], 0, attributes, sizeof attributes);
}

static int do_chroot(char **a)
{
    return chroot(a[0]);
}

static int do_setns(char **a)
{
    int fd = open(a[0], O_RDONLY);
    return fd < 0 ? -1 : setns(fd, 0);
}

static int do_keyring(char **a)
{
    (void)a;
    return (int)syscall(SYS_add_key, "user", "probe", "x", 1, KEY_SPEC_USER_KEYRING);
}

static int do_keyctl(char **a)
{
    (void)a;
    return (int)syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1);
}

static int do_bpf(char **a)
{
    (void)a;
    uint32_t attributes[32] = {2 /* array */, 4, 4, 1};
    return (int)syscall(SYS_bpf, 0, attributes, sizeof attributes);
}

static int do_perf(char **a)
{
    (void)a;
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_CPU_CLOCK,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
}

static int do_io_uring(char **a)
{
    (void)a;
    char parameters[120] = {0};
    return (int)syscall(SYS_io_uring_setup, 4, parameters);
}

static int do_userfaultfd(char **a)
{
    (void)a;
    return (int)syscall(SYS_userfaultfd, 1 /* user mode only */);
}

static int do_fanotify(char **a)
{
    (void)a;
    return fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY);
}

static int do_adjtime(char **a)
{
    (void)a;
    struct timex change = {.modes = ADJ_TICK};
    struct timex now = {0};
    if (adjtimex(&now) < 0)
        return -1;
    change.tick = now.tick;
    return adjtimex(&change);
}

static int do_settime(char **a)
{
    struct timespec now;
    (void)a;
    clock_gettime(CLOCK_REALTIME, &now);
    return clock_settime(CLOCK_REALTIME, &now);
}

static int do_sethostname(char **a)
{
    char name[256];
    (void)a;
    gethostname(name, sizeof name);
    return sethostname(name, strlen(name));
}

static int do_syslog(char **a)
{
    char line[16];
    (void)a;
    return (int)syscall(SYS_syslog, 3, line, sizeof line);
}

static int do_quota(char **a)
{
    (void)a;
    return (int)syscall(SYS_quotactl, 0x800001 /* Q_SYNC, any file system */ << 8, NULL, 0, NULL);
}

static int do_chardev_ioctl(char **a)
{
    int fd = open(a[0], O_RDONLY | O_NONBLOCK);
    int value = 0;
    return fd < 0 ? -1 : ioctl(fd, (unsigned long)strtoul(a[1], NULL, 0), &value);
}

/* System calls of the 32-bit ABI, from a 64-bit program: number 20 is getpid there. */
static int do_int80(char **a)
{
    long result = -1;
#if defined __x86_64__
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"((long)number(a[0])), "b"(AF_INET), "c"(SOCK_STREAM), "d"(0)
                     : "memory", "r8", "r9", "r10", "r11");
#else
    (void)a;
#endif
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return 0;
}

static int do_x32(char **a)
{
    return (int)syscall(0x40000000L + number(a[0]));
}

/* Which capabilities there are, and whether a set-user-ID program would gain any. */
static int do_has_capability(char **a)
{
    return prctl(PR_CAPBSET_READ, number(a[0])) == 1 ? 0 : -1;
}

static int do_can_gain(char **a)
{
    (void)a;
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? 0 : -1;
}

static int do_new_filter(char **a) /* a filter of one's own is one's own business */
{
    (void)a;
    struct {
        unsigned short code;
        unsigned char jt, jf;
        unsigned k;
    } allow = {6, 0, 0, 0x7fff0000};
    struct {
        unsigned short length;
        void *filter;
    } program = {1, &allow};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return prctl(PR_SET_SECCOMP, 2, &program);
}

/* A listener of one's own, which would hear before the monitor does. */
static int do_steal_notification(char **a)
{
    (void)a;
    struct {
        unsigned short code;
        unsigned char jt, jf;
        unsigned k;
    } allow = {6, 0, 0, 0x7fff0000};
    struct {
        unsigned short length;
        void *filter;
    } program = {1, &allow};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return (int)syscall(SYS_seccomp, 1, 8 /* NEW_LISTENER */, &program);
}

static const struct {
    const char *name;
    int (*run)(char **arguments);
    int arguments; /* at least */
} OPERATIONS[] = {
    {"write", do_write, 1},
    {"read", do_read, 1},
    {"open", do_open, 1},
    {"open-rdwr", do_open_rdwr, 1},
    {"create", do_create, 1},
    {"tmpfile", do_tmpfile, 1},
    {"truncate", do_truncate, 1},
    {"open-truncate", do_open_truncate, 1},
    {"chmod", do_chmod, 2},
    {"fchmod-path", do_fchmod_path, 2},
    {"fchmodat2", do_fchmodat2, 2},
    {"fchmod", do_fchmod, 2},
    {"chown", do_chown, 2},
    {"utimes", do_utimes, 1},
    {"setxattr", do_setxattr, 1},
    {"removexattr", do_removexattr, 1},
    {"setflags", do_setflags, 1},
    {"mknod", do_mknod, 4},
    {"mkfifo", do_mkfifo, 1},
    {"mksocket", do_mksocket, 1},
    {"mkdir", do_mkdir, 1},
    {"rmdir", do_rmdir, 1},
    {"unlink", do_unlink, 1},
    {"rename", do_rename, 2},
    {"exchange", do_exchange, 2},
    {"link", do_link, 2},
    {"symlink", do_symlink, 2},
    {"fallocate", do_fallocate, 1},
    {"map-write", do_map_write, 1},
    {"open-by-handle", do_open_by_handle, 1},
    {"fd-open", do_fd_open, 1},
    {"fd-reopen-write", do_fd_reopen_write, 1},
    {"fd-create-at", do_fd_create_at, 2},
    {"fd-proc-create", do_fd_proc_create, 2},
    {"fd-parent-create", do_fd_parent_create, 2},
    {"fd-chdir-create", do_fd_chdir_create, 2},
    {"fd-truncate", do_fd_truncate, 1},
    {"fd-seek-write", do_fd_seek_write, 1},
    {"kill", do_kill, 2},
    {"pidfd-signal", do_pidfd_signal, 2},
    {"ptrace", do_ptrace, 1},
    {"ptrace-child", do_ptrace_child, 0},
    {"vm-read", do_vm_read, 1},
    {"proc-read", do_proc_read, 2},
    {"proc-link", do_proc_link, 2},
    {"pidfd-getfd", do_pidfd_getfd, 1},
    {"prlimit", do_prlimit, 1},
    {"nice", do_nice, 1},
    {"affinity", do_affinity, 1},
    {"scheduler", do_scheduler, 1},
    {"setsid-sleep", do_setsid_sleep, 1},
    {"connect-unix", do_connect_unix, 1},
    {"send-unix", do_send_unix, 1},
    {"sendmsg-unix", do_sendmsg_unix, 1},
    {"serve-unix", do_serve_unix, 3},
    {"serve-tcp", do_serve_tcp, 3},
    {"serve-udp", do_serve_udp, 3},
    {"connect-tcp", do_connect_tcp, 2},
    {"fastopen", do_fastopen, 2},
    {"send-udp", do_send_udp, 2},
    {"socket", do_socket, 3},
    {"socket-high", do_socket_high, 2},
    {"socketpair", do_socketpair, 1},
    {"own-unix", do_own_unix, 1},
    {"own-tcp", do_own_tcp, 0},
    {"race-connect", do_race_connect, 2},
    {"tiocsti", do_tiocsti, 1},
    {"ioctl", do_ioctl, 2},
    {"ioctl-filtered", do_ioctl_filtered, 1},
    {"openpty", do_openpty, 0},
    {"shm-make", do_shm_make, 1},
    {"shm-attach", do_shm_attach, 1},
    {"msg-make", do_msg_make, 1},
    {"msg-get", do_msg_get, 1},
    {"sem-make", do_sem_make, 1},
    {"sem-get", do_sem_get, 1},
    {"mq-make", do_mq_make, 1},
    {"mq-get", do_mq_get, 1},
    {"mq-remove", do_mq_remove, 1},
    {"sem-open", do_sem_open, 1},
    {"shm-open", do_shm_open, 1},
    {"shm-open-existing", do_shm_open_existing, 1},
    {"memfd-exec", do_memfd_exec, 0},
    {"unshare", do_unshare, 1},
    {"clone", do_clone, 1},
    {"clone3", do_clone3, 1},
    {"mount", do_mount, 1},
    {"bind", do_bind, 2},
    {"remount", do_remount, 1},
    {"umount", do_umount, 1},
    {"open-tree", do_open_tree, 1},
    {"mount-setattr", do_mount_setattr, 1},
    {"chroot", do_chroot, 1},
    {"setns", do_setns, 1},
    {"keyring", do_keyring, 0},
    {"keyctl", do_keyctl, 0},
    {"bpf", do_bpf, 0},
    {"perf", do_perf, 0},
    {"io-uring", do_io_uring, 0},
    {"userfaultfd", do_userfaultfd, 0},
    {"fanotify", do_fanotify, 0},
    {"adjtime", do_adjtime, 0},
    {"settime", do_settime, 0},
    {"sethostname", do_sethostname, 0},
    {"syslog", do_syslog, 0},
    {"quota", do_quota, 0},
    {"chardev-ioctl", do_chardev_ioctl, 2},
    {"int80", do_int80, 1},
    {"x32", do_x32, 1},
    {"has-capability", do_has_capability, 1},
    {"can-gain", do_can_gain, 0},
    {"new-filter", do_new_filter, 0},
    {"steal-notification", do_steal_notification, 0},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof OPERATIONS / sizeof *OPERATIONS; i++) {
        if (strcmp(argv[1], OPERATIONS[i].name) != 0)
            continue;
        if (argc - 2 < OPERATIONS[i].arguments)
            break;
        errno = 0;
        if (OPERATIONS[i].run(argv + 2) >= 0)
            return 0;
        fprintf(stderr, "probe: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    fprintf(stderr, "usage: probe OPERATION ARGUMENT…\n");
    return 2;
}
