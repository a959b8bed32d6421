/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "shell_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "shell_stub.h"

#define LOG_MAX ((size_t)1024 * 1024)
#define TIME_MAX_MS 10000
#define NOBODY 65534

/* Builtins that a stand-in replaces; the others stay, because they change the shell. */
#define REPLACED "command echo false kill printf pwd test true type"

static const char *const files[] = {"a.c", "b.c", "-rf", "--output=x", "d/e.c", "d/f.c"};
static const char *const names[] = {
    "c0",   "c1",    "c2",   "c3",   "c4",   "c5",   "c6",   "c7",   "c8",     "c9",
    "git",  "cat",   "tee",  "wc",   "head", "grep", "sort", "echo", "printf", "pwd",
    "test", "false", "true", "type", "kill", "x",    "y",    "a",    "command"};

/* ---- the stage ------------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd >= 0) {
        fd_write_all(fd, text, strlen(text));
        close(fd);
    }
}

bool shell_stage_offer(struct shell_stage *stage, const char *name)
{
    if (strchr(name, '/'))
        return strcmp(name, "./run") == 0;
    if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strlen(name) > 200)
        return false;
    cleanup_free char *path = xasprintf("%s/%s", stage->bin, name);
    return symlink(stage->stub, path) == 0 || errno == EEXIST;
}

/* bash: builtins off, and any other name is answered too. */
static void write_rc(const struct shell_stage *stage)
{
    cleanup_free char *text =
        xasprintf("unset BASH_ENV\nenable -n " REPLACED " help caller times '['\n"
                  "command_not_found_handle() { exec -a \"$1\" '%s' \"${@:2}\"; }\n",
                  stage->stub);
    write_file(stage->rc, text);
}

struct shell_stage *shell_stage_new(const char *stub, struct error *error)
{
    cleanup_free char *root = xstrdup("/tmp/shell-differ-XXXXXX");
    if (!mkdtemp(root)) {
        error_errno(error, errno, "cannot make %s", root);
        return NULL;
    }
    chmod(root, 0755);
    struct shell_stage *stage = XNEW(struct shell_stage);
    stage->work = xasprintf("%s/work", root);
    stage->bin = xasprintf("%s/bin", root);
    stage->log = xasprintf("%s/log", root);
    stage->rc = xasprintf("%s/rc", root);
    stage->stub = xasprintf("%s/stub", root);
    stage->root = steal_pointer(&root);
    size_t length;
    cleanup_free char *program = fd_read_file(stub, (size_t)16 << 20, false, &length);
    if (!program || fd_replace_file(stage->stub, program, length, 0555) < 0) {
        error_errno(error, errno, "cannot copy %s", stub);
        shell_stage_free(&stage);
        return NULL;
    }
    cleanup_free char *inner = xasprintf("%s/d", stage->work);
    cleanup_free char *source = xasprintf("%s/src", stage->work);
    cleanup_free char *run = xasprintf("%s/run", stage->work);
    mkdir(stage->work, 0777);
    mkdir(inner, 0777);
    mkdir(source, 0777);
    mkdir(stage->bin, 0755);
    chmod(stage->work, 0777);
    chmod(inner, 0777);
    symlink(stage->stub, run) == 0 || errno == EEXIST ? 0 : perror(run);
    for (size_t i = 0; i < COUNT(files); i++) {
        cleanup_free char *path = xasprintf("%s/%s", stage->work, files[i]);
        write_file(path, "# text\n");
        chmod(path, 0666); /* scripts that run as somebody else write them, too */
    }
    for (size_t i = 0; i < COUNT(names); i++)
        shell_stage_offer(stage, names[i]);
    shell_stage_offer(stage, "[");
    shell_stage_offer(stage, SHELL_STUB_NAMED);
    write_rc(stage);
    return stage;
}

static void remove_tree(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        cleanup_free char *inner = xasprintf("%s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (entry->d_type == DT_DIR)
            remove_tree(inner);
        else
            unlink(inner);
    }
    if (directory)
        closedir(directory);
    rmdir(path);
}

void shell_stage_free(struct shell_stage **stage)
{
    if (!*stage)
        return;
    remove_tree((*stage)->root);
    free((*stage)->root);
    free((*stage)->work);
    free((*stage)->bin);
    free((*stage)->log);
    free((*stage)->rc);
    free((*stage)->stub);
    free(*stage);
    *stage = NULL;
}

/* Removes what scripts wrote; the first file that none should have written becomes `leftover`. */
static void sweep(const char *path, const char *below, struct shell_records *records)
{
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        const char *name = entry->d_name;
        cleanup_free char *shown = xasprintf("%s%s", below, name);
        cleanup_free char *inner = xasprintf("%s/%s", path, name);
        bool known = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "d") == 0 ||
                     strcmp(name, "src") == 0 || strcmp(name, "run") == 0;
        for (size_t i = 0; i < COUNT(files) && !known; i++)
            known = strcmp(files[i], shown) == 0;
        if (known)
            continue;
        if (!(name[0] == 'o' && strspn(name + 1, " 123456789") == strlen(name + 1)) &&
            !records->leftover)
            records->leftover = xstrdup(shown);
        if (entry->d_type == DT_DIR)
            remove_tree(inner);
        else
            unlink(inner);
    }
    if (directory)
        closedir(directory);
}

/* ---- one run --------------------------------------------------------------------------------- */

static void limit(int resource, rlim_t value)
{
    struct rlimit both = {value, value};
    setrlimit(resource, &both);
}

/* In other shells than bash functions stand in front of the builtins. */
static char *with_functions(const char *shell, const char *script)
{
    static const char builtins[][8] = {"command", "echo", "false", "kill", "printf",
                                       "pwd",     "test", "true",  "type"};
    struct strbuf text = STRBUF_INIT;
    if (strcmp(shell, "bash") == 0)
        return xstrdup(script);
    for (size_t i = 0; i < COUNT(builtins); i++)
        strbuf_addf(&text, "%s() { " SHELL_STUB_NAMED " %s \"$@\"; }; ", builtins[i], builtins[i]);
    strbuf_addf(&text, "\n%s", script);
    return strbuf_steal(&text);
}

static void start_shell(const struct shell_stage *stage, const char *shell, const char *script,
                        int policy, int alive)
{
    cleanup_free char *text = with_functions(shell, script);
    char *environment[] = {xasprintf("PATH=%s", stage->bin),
                           xasprintf("STUB_LOG=%s", stage->log),
                           xasprintf("STUB_POLICY=%d", policy),
                           xasprintf("BASH_ENV=%s", stage->rc),
                           xasprintf("HOME=%s/src", stage->work),
                           xstrdup("LC_ALL=C.UTF-8"),
                           NULL};
    char *zsh[] = {xstrdup(shell), xstrdup("-f"), xstrdup("-c"), xstrdup(text), NULL};
    char *posix[] = {xstrdup(shell), xstrdup("-c"), xstrdup(text), NULL};
    setpgid(0, 0);
    limit(RLIMIT_CPU, 5);
    limit(RLIMIT_FSIZE, LOG_MAX);
    limit(RLIMIT_CORE, 0);
    int null = open("/dev/null", O_RDWR);
    bool ready = chdir(stage->work) == 0 && null >= 0;
    if (geteuid() == 0)
        ready = ready && setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0;
    if (!ready)
        _exit(126);
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    dup2(alive, 99); /* open as long as anything runs, and out of the way of redirections */
    execvpe(shell, strcmp(shell, "zsh") == 0 ? zsh : posix, environment);
    _exit(127);
}

/* Waits until all that the shell started has closed the pipe. */
static bool wait_for_end(int fd, pid_t shell)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    bool ended = poll(&poll_fd, 1, TIME_MAX_MS) > 0;
    if (!ended)
        kill(-shell, SIGKILL);
    while (waitpid(shell, NULL, 0) < 0 && errno == EINTR)
        continue;
    return ended;
}

/* The next string of the log; moves `at` behind it. */
static const char *next_string(const char *log, size_t length, size_t *at)
{
    const char *string = log + *at;
    size_t room = length - *at;
    size_t size = strnlen(string, room);
    *at += size < room ? size + 1 : size;
    return string;
}

static void read_log(const struct shell_stage *stage, struct shell_records *records)
{
    size_t length, at = 0;
    cleanup_free char *log = fd_read_file(stage->log, 2 * LOG_MAX, false, &length);
    while (log && at < length) {
        size_t count = (size_t)atoi(next_string(log, length, &at));
        struct shell_record record = {.words = xcalloc(count + 1, sizeof(char *))};
        for (size_t i = 0; i < count; i++)
            record.words[i] = xstrdup(next_string(log, length, &at));
        record.directory = xstrdup(next_string(log, length, &at));
        record.input = xstrdup(next_string(log, length, &at));
        records->list = xreallocarray(records->list, records->count + 1, sizeof(record));
        records->list[records->count++] = record;
    }
}

void shell_run(struct shell_stage *stage, const char *shell, const char *script, int policy,
               struct shell_records *records)
{
    int ends[2];
    *records = (struct shell_records){.list = NULL};
    write_file(stage->log, "");
    chmod(stage->log, 0666);
    if (pipe(ends) < 0)
        return;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0)
        start_shell(stage, shell, script, policy, ends[1]);
    close(ends[1]);
    records->timed_out = child < 0 || !wait_for_end(ends[0], child);
    close(ends[0]);
    read_log(stage, records);
    cleanup_free char *inner = xasprintf("%s/d", stage->work);
    cleanup_free char *source = xasprintf("%s/src", stage->work);
    sweep(stage->work, "", records);
    sweep(inner, "d/", records);
    sweep(source, "src/", records);
}

void shell_records_clear(struct shell_records *records)
{
    for (size_t i = 0; i < records->count; i++) {
        strv_free(&records->list[i].words);
        free(records->list[i].directory);
        free(records->list[i].input);
    }
    free(records->list);
    free(records->leftover);
    *records = (struct shell_records){.list = NULL};
}
