/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/hold.h"

#include <string.h>

#include "base/i18n.h"
#include "sandbox/landlock.h"

const struct hold_promise HOLD_PROMISES[] = {
    {"write", N_("Files outside the writable roots are not written, made, renamed or removed"),
     HOLD_MOUNT | HOLD_LANDLOCK, true, N_("anything can be written")},
    {"truncate", N_("Files outside are not cut short"), HOLD_MOUNT | HOLD_TRUNCATE | HOLD_SECCOMP,
     true, N_("files can be emptied")},
    {"metadata", N_("Modes, owners, times and attributes outside stay as they are"), HOLD_MOUNT,
     true, N_("the operator's own files can be given other modes and times")},
    {"protected",
     N_("Inside a writable root, what makes git, agents, editors and shells run code is "
        "read-only, most of it existing or not"),
     HOLD_MOUNT, true, N_("hooks, configuration and settings in the workspace can be changed")},
    {"closed", N_("Secrets and Assent's own files can not be read"), HOLD_MOUNT | HOLD_LANDLOCK,
     true, N_("whatever the operator can read can be read")},
    {"closed-inside",
     N_("Secrets inside writable roots, and names in closed directories, can not be read"),
     HOLD_MOUNT, true, N_("the .env of the workspace can be read, and ~/.ssh be listed")},
    {"reads", N_("With restricted reads nothing else is read"), HOLD_LANDLOCK, true,
     N_("everything can be read")},
    {"tmp", N_("/tmp and its like are the command's own"), HOLD_MOUNT, true,
     N_("only TMPDIR is; /tmp is read-only")},
    {"devices",
     N_("Devices other than null, zero, full, random and the own terminals are out of "
        "reach"),
     HOLD_MOUNT | HOLD_LANDLOCK, true, N_("devices can be opened")},
    {"terminals", N_("Other terminals are neither read nor written"), HOLD_MOUNT | HOLD_LANDLOCK,
     true, N_("other terminals can be read")},
    {"typing", N_("Nothing is typed into a terminal (TIOCSTI)"), HOLD_SECCOMP, true,
     N_("commands can be typed into the operator's shell")},
    {"own-terminals", N_("New terminals can be opened"), HOLD_MOUNT, false,
     N_("programs that open terminals (script, tmux) fail")},
    {"descriptors", N_("Descriptors handed over lead to no more than they were opened for"),
     HOLD_MONITOR, true, N_("an inherited file can be opened again for writing")},
    {"processes", N_("Processes outside are not seen"), HOLD_PID, true,
     N_("the list of processes and their arguments can be read")},
    {"memory", N_("Processes outside are not traced, nor their memory or environment read"),
     HOLD_PID | HOLD_LANDLOCK, true, N_("the operator's processes can be read and changed")},
    {"signals", N_("Processes outside get no signals"), HOLD_PID | HOLD_SCOPES, true,
     N_("the operator's processes can be ended")},
    {"priorities", N_("Limits and priorities of processes outside stay as they are"), HOLD_PID,
     true, N_("the operator's processes can be slowed down and limited")},
    {"tracing", N_("Debuggers work inside"), HOLD_PID, false, N_("gdb and strace fail")},
    {"ipc", N_("Shared memory, queues and semaphores outside are out of reach"), HOLD_MOUNT, true,
     N_("System V shared memory of the operator can be read and written")},
    {"network", N_("With the network off nothing outside is reached"), HOLD_NETWORK | HOLD_SECCOMP,
     true, N_("the network is open")},
    {"loopback", N_("Local servers inside can be reached from inside"), HOLD_NETWORK, false,
     N_("test suites with local servers fail")},
    {"sockets", N_("UNIX sockets of processes outside are not connected to"), HOLD_MONITOR, true,
     N_("docker, ssh-agent and the session bus can be used")},
    {"own-sockets", N_("UNIX sockets inside work"), HOLD_MONITOR, false,
     N_("local servers on UNIX sockets fail")},
    {"own-agents", N_("Programs inside that hide their memory (ssh-agent) can be connected to"),
     HOLD_MOUNT, false, N_("agents for keys that are started inside can not be reached")},
    {"kernel",
     N_("Mounts, namespaces, modules, keyrings, bpf, perf, io_uring and the like are "
        "refused"),
     HOLD_SECCOMP, true, N_("more of the kernel can be attacked")},
    {"settings", N_("Settings of the kernel are not changed, by root either"),
     HOLD_MOUNT | HOLD_LANDLOCK, true, N_("root can change them, and run code by that")},
    {"ends", N_("Everything that the command started ends with it"), HOLD_PID | HOLD_MONITOR, true,
     N_("processes stay behind")},
    {"shared-memory", N_("POSIX shared memory, semaphores and queues work inside"), HOLD_MOUNT,
     false, N_("programs that use them (pools of Python) fail")},
    {"moves", N_("Files can be moved and linked between directories of a root"), HOLD_REFER, false,
     N_("mv copies instead, and hard links fail")},
    {"warm-caches", N_("The operator's tool caches can be read through the session's"), HOLD_MOUNT,
     false, N_("caches start empty: builds need the network")},
    {"work", N_("What developers' tools do inside the roots works"), ~0u, false, ""},
};
const size_t HOLD_PROMISE_COUNT = sizeof HOLD_PROMISES / sizeof *HOLD_PROMISES;

const struct hold_promise *hold_find(const char *name)
{
    for (size_t i = 0; i < HOLD_PROMISE_COUNT; i++)
        if (strcmp(HOLD_PROMISES[i].name, name) == 0)
            return &HOLD_PROMISES[i];
    return NULL;
}

const char *hold_layer_name(enum hold_layer layer)
{
    static const char *const NAMES[HOLD_LAYER_COUNT] = {
        "mount namespace", "PID namespace",  "network namespace", "Landlock", "Landlock ABI 2",
        "Landlock ABI 3",  "Landlock ABI 5", "Landlock ABI 6",    "seccomp",  "monitor"};
    for (int i = 0; i < HOLD_LAYER_COUNT; i++)
        if (layer == 1u << i)
            return NAMES[i];
    return "";
}

unsigned hold_layers(const struct sandbox_policy *policy,
                     const struct sandbox_capability *capability)
{
    unsigned layers = HOLD_SECCOMP | HOLD_MONITOR | HOLD_LANDLOCK;
    int abi = capability->landlock_abi;
    if (policy->landlock_abi > 0 && policy->landlock_abi < abi)
        abi = policy->landlock_abi;
    if (!sandbox_policy_is_restricted(policy) || abi < 1 || !capability->seccomp)
        return 0;
    if (capability->user_namespaces && !policy->no_user_namespaces)
        layers |= HOLD_MOUNT | HOLD_PID | (policy->network ? 0 : HOLD_NETWORK);
    if (abi >= 2)
        layers |= HOLD_REFER;
    if (landlock_abi_truncates(abi))
        layers |= HOLD_TRUNCATE;
    if (abi >= 5)
        layers |= HOLD_DEVICES;
    if (abi >= 6)
        layers |= HOLD_SCOPES;
    return layers;
}
