/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/lineage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"

/* Deeper chains of processes are nobody's. */
#define ANCESTORS_MAX 4096
/* Orphans of a session whose leader is an orphan, and so on. */
#define GENERATIONS_MAX 64

/* ---- chains ---------------------------------------------------------------------------------- */

pid_t *lineage_chain(pid_t pid)
{
    pid_t *chain = xcalloc(ANCESTORS_MAX + 1, sizeof(pid_t));
    size_t count = 0;
    while (pid > 0 && count < ANCESTORS_MAX) {
        struct process process;
        chain[count++] = pid;
        pid = process_read(pid, &process) ? process.parent : -1;
    }
    if (pid == 0)
        return chain;
    free(chain);
    return NULL;
}

bool lineage_contains(const pid_t *chain, pid_t pid)
{
    for (; *chain != 0; chain++)
        if (*chain == pid)
            return true;
    return false;
}

int lineage_top(const pid_t *chain, const pid_t *ours)
{
    int top = 0;
    while (chain[top + 1] > 1 && !lineage_contains(ours, chain[top + 1]))
        top++;
    return top;
}

/* ---- whose they are -------------------------------------------------------------------------- */

static bool is_one_of(const char *program, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(program, names[i]) == 0)
            return true;
    return false;
}

static bool is_shell(const struct kin *kin)
{
    static const char *const names[] = {"sh",  "dash",    "bash", "zsh",
                                        "ash", "busybox", "fish", "ksh"};
    return is_one_of(kin->program, names, COUNT(names));
}

/* What starts and keeps a person's sessions. Of programs that we may not look at, such are sshd's
 * and systemd's own for a user, right below what is another user's or init itself: an agent gets
 * there as an orphan alone, which is a tree of its own in any case. */
static bool is_system(const struct kin *chain, size_t count, size_t i)
{
    static const char *const names[] = {
        "systemd", "init",   "sshd",  "sshd-session",       "dropbear", "login",
        "su",      "agetty", "getty", "gdm-session-worker", "lightdm",  "sddm-helper"};
    bool below = i + 1 == count || chain[i + 1].foreign;
    return chain[i].foreign || (chain[i].program[0] == '\0' && below) ||
           is_one_of(chain[i].program, names, COUNT(names));
}

static bool brings_terminals(const struct kin *kin)
{
    static const char *const names[] = {"tmux",
                                        "screen",
                                        "zellij",
                                        "dtach",
                                        "abduco",
                                        "mosh-server",
                                        "ttyd",
                                        "gnome-terminal-server",
                                        "ptyxis-agent",
                                        "kgx",
                                        "konsole",
                                        "xfce4-terminal",
                                        "mate-terminal",
                                        "lxterminal",
                                        "qterminal",
                                        "terminator",
                                        "tilix",
                                        "xterm",
                                        "urxvt",
                                        "urxvtd",
                                        "st",
                                        "kitty",
                                        "alacritty",
                                        "foot",
                                        "ghostty",
                                        "wezterm-gui",
                                        "wezterm-mux-server"};
    return is_one_of(kin->program, names, COUNT(names));
}

/* A shell that a person types into gives what it starts a group of its own; one that runs a script
 * does not, and what that starts is part of the script. Who types a client itself is the shell. */
static size_t below_shell(const struct kin *chain, size_t shell)
{
    bool is_job = shell >= 2 && chain[shell - 1].process.group != chain[shell].process.group;
    return is_job ? shell - 1 : shell;
}

size_t lineage_root(const struct kin *chain, size_t count, size_t top)
{
    bool system = true, brought = false;
    for (size_t i = count; i-- > 0;) {
        const struct process *process = &chain[i].process;
        size_t shell;
        if (system && is_system(chain, count, i))
            continue;
        if (is_shell(&chain[i]) && process->terminal != 0 &&
            (system || process->session == process->pid)) {
            shell = below_shell(chain, i);
            return shell < top ? shell : top;
        }
        system = false;
        /* One alone: what a multiplexer starts is an agent, even where it becomes another one. */
        if (!brought && brings_terminals(&chain[i]))
            brought = true;
        else if (i <= top)
            return i;
    }
    return 0;
}

/* ---- where one comes from -------------------------------------------------------------------- */

static bool read_kin(pid_t pid, struct kin *kin)
{
    cleanup_free char *program = process_program(pid);
    uid_t uid;
    if (!process_read(pid, &kin->process) || !process_uid(pid, &uid))
        return false;
    kin->foreign = uid != geteuid();
    snprintf(kin->program, sizeof(kin->program), "%s", program != NULL ? program : "");
    return true;
}

/* The root of a chain that is no orphan's; 0 when a process has gone. */
static pid_t root_of(const pid_t *chain, int top)
{
    size_t count = 0;
    pid_t root = 0;
    while (chain[count] > 1)
        count++;
    cleanup_free struct kin *kin = xcalloc(count > 0 ? count : 1, sizeof(*kin));
    for (size_t i = 0; i < count; i++)
        if (!read_kin(chain[i], &kin[i]))
            return 0;
    if (count > 0)
        root = chain[lineage_root(kin, count, (size_t)top)];
    return root;
}

/* Whoever's parent has gone belongs to init or to a subreaper, and then no ancestor of its leads
 * its session. Those that were given to one of the same session look like its children, and are
 * taken for that. */
pid_t lineage_orphan_of(const pid_t *chain, int at)
{
    struct process orphan, parent;
    if (!process_read(chain[at], &orphan) || lineage_contains(chain, orphan.session))
        return 0;
    bool born_here = process_read(chain[at + 1], &parent) && parent.session == orphan.session;
    return born_here ? 0 : orphan.session;
}

static void add(struct lineage *lineage, size_t *count, pid_t pid)
{
    lineage->all = xreallocarray(lineage->all, *count + 2, sizeof(*lineage->all));
    lineage->all[(*count)++] = pid;
    lineage->all[*count] = 0;
}

/* Of an orphan the root of its session's leader, or the session itself when that has gone (its
 * number means nothing else while anything is left of it). Who calls setsid() and is orphaned then
 * has a tree of its own: nothing tells whose it was. */
bool lineage_find(pid_t pid, const pid_t *ours, struct lineage *lineage)
{
    size_t count = 0;
    struct process leader = {.pid = pid};
    *lineage = (struct lineage){0};
    for (int generation = 0; generation < GENERATIONS_MAX; generation++) {
        cleanup_free pid_t *chain = lineage_chain(leader.pid);
        if (chain == NULL)
            break;
        int top = lineage_top(chain, ours);
        pid_t session = lineage_orphan_of(chain, top);
        for (int i = 0; i <= top; i++)
            add(lineage, &count, chain[i]);
        lineage->root = session > 0 ? session : root_of(chain, top);
        if (session <= 0)
            return lineage->root != 0;
        add(lineage, &count, -session);
        if (!process_read(session, &leader))
            return true;
    }
    free(lineage->all);
    *lineage = (struct lineage){0};
    return false;
}
