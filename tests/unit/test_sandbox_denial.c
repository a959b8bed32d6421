/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sandbox/denial.h"
#include "sandbox/status.h"

struct row {
    struct denial_evidence evidence; /* output_size 0: its length as a string */
    bool denied, inferred;
    const char *cause; /* NULL: not looked at */
    const char *path;
};

#define LINUX .type = SANDBOX_TYPE_LINUX

static const struct row ROWS[] = {
    /* never: unsandboxed, success, time-out */
    {{.type = SANDBOX_TYPE_NONE, .exit_code = 1, .output = "x: Permission denied"},
     false,
     false,
     0,
     0},
    {{LINUX, .exit_code = 0, .output = "x: Permission denied"}, false, false, 0, 0},
    {{LINUX, .exit_code = 1, .timed_out = true, .output = "x: Permission denied"},
     false,
     false,
     0,
     0},
    {{LINUX, .exit_code = 0, .blocked = "write /etc/x"}, false, false, 0, 0},
    /* what the helper reported is evidence */
    {{LINUX, .exit_code = 1, .blocked = "connect /run/docker.sock"},
     true,
     false,
     "connect",
     "/run/docker.sock"},
    {{LINUX, .exit_code = 6, .blocked = "network "}, true, false, "network", ""},
    {{LINUX, .signal = SIGTERM, .blocked = "write /a b/c"}, true, false, "write", "/a b/c"},
    /* a function and its number behind the path */
    {{LINUX, .exit_code = 100,
      .output = "E: Could not open file /var/cache/apt/archives/partial/rg_1_amd64.deb - "
                "PrepareFiles (13: Permission denied)\n"},
     true,
     true,
     "file system",
     "/var/cache/apt/archives/partial/rg_1_amd64.deb"},
    {{LINUX, .exit_code = 100,
      .output = "E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission "
                "denied)\n"},
     true,
     true,
     "file system",
     "/var/lib/dpkg/lock-frontend"},
    {{LINUX, .exit_code = 1, .output = "cp: /srv/a - b (2): Permission denied\n"},
     true,
     true,
     "file system",
     "/srv/a - b (2)"},
    /* SIGSYS */
    {{LINUX, .signal = SIGSYS}, true, false, "system call", ""},
    {{LINUX, .exit_code = 159}, true, false, "system call", ""},
    {{LINUX, .exit_code = 158}, false, false, 0, 0},
    /* exit codes alone say nothing */
    {{LINUX, .exit_code = 2}, false, false, 0, 0},
    {{LINUX, .exit_code = 126}, false, false, 0, 0},
    {{LINUX, .exit_code = 127, .output = "sh: foo: not found\n"}, false, false, 0, 0},
    /* the wordings, with the path where it stands */
    {{LINUX, .exit_code = 1, .output = "touch: cannot touch '/etc/x': Permission denied\n"},
     true,
     true,
     "file system",
     "/etc/x"},
    {{LINUX, .exit_code = 1,
      .output = "mkdir: cannot create directory \xE2\x80\x98/opt/y z\xE2\x80\x99: Read-only file "
                "system\n"},
     true,
     true,
     "write",
     "/opt/y z"},
    {{LINUX, .exit_code = 2, .output = "sh: 1: cannot create /etc/zz: Permission denied\n"},
     true,
     true,
     "file system",
     "/etc/zz"},
    {{LINUX, .exit_code = 1, .output = "cat: .env: Permission denied\n"},
     true,
     true,
     "file system",
     ".env"},
    {{LINUX, .exit_code = 1, .output = "cat: .5 of it: Permission denied\n"},
     true,
     true,
     "file system",
     ""},
    {{LINUX, .exit_code = 1, .output = "cat: .25: Permission denied\n"},
     true,
     true,
     "file system",
     ""},
    {{LINUX, .exit_code = 1, .output = "bash: line 1: /home/op/.npm/_cacache: Permission denied"},
     true,
     true,
     "file system",
     "/home/op/.npm/_cacache"},
    {{LINUX, .exit_code = 1,
      .output = "PermissionError: [Errno 13] Permission denied: '/root/q'\n"},
     true,
     true,
     "file system",
     "/root/q"},
    {{LINUX, .exit_code = 1, .output = "open /var/lib/x: permission denied\n"},
     true,
     true,
     "file system",
     "/var/lib/x"},
    {{LINUX, .exit_code = 1,
      .output = "npm ERR! EACCES: permission denied, mkdir '/home/op/.npm'\n"},
     true,
     true,
     "file system",
     "/home/op/.npm"},
    /* what a function was called with is a path, slash or none */
    {{LINUX, .exit_code = 128,
      .output = "error: open(\".env\"): Permission denied\nerror: unable to index file '.env'\n"
                "fatal: adding files failed\n"},
     true,
     true,
     "file system",
     ".env"},
    {{LINUX, .exit_code = 128, .output = "error: open(\"a \"b.pem\"): Permission denied\n"},
     true,
     true,
     "file system",
     "a \"b.pem"},
    {{LINUX, .exit_code = 1, .output = "open(\"\"): Permission denied\n"},
     true,
     true,
     "file system",
     ""},
    {{LINUX, .exit_code = 1, .output = "open(): Permission denied\n"},
     true,
     true,
     "file system",
     ""},
    {{LINUX, .exit_code = 1, .output = "chown: OPERATION NOT PERMITTED"},
     true,
     true,
     "system call",
     ""},
    {{LINUX, .exit_code = 1, .output = "Failed to write file /w/a"}, true, true, "write", "/w/a"},
    {{LINUX, .exit_code = 1, .output = "bad system call (seccomp)"}, true, true, "system call", ""},
    {{LINUX, .exit_code = 1, .output = "error: landlock"}, true, true, "file system", ""},
    {{LINUX, .exit_code = 1, .output = "mv: cannot move 'a' to 'g': Device or resource busy"},
     false,
     false,
     0,
     0},
    {{LINUX, .exit_code = 1,
      .output = "error: The following untracked working tree files would be overwritten by "
                "checkout:\n\t.vscode\nPlease move or remove them before you switch branches.\n"
                "Aborting\n"},
     true,
     true,
     "write",
     ".vscode"},
    {{LINUX, .exit_code = 1,
      .output = "error: The following untracked working tree files would be overwritten by "
                "merge:\n\tsrc/main.c\nPlease move or remove them before you merge.\nAborting\n"},
     false,
     false,
     0,
     0},
    {{LINUX, .exit_code = 1, .output = "umount: Device or resource busy"}, false, false, 0, 0},
    {{LINUX, .exit_code = 1, .output = "mv: cannot move '.git' to 'g': Device or resource busy"},
     true,
     true,
     "write",
     ".git"},
    {{LINUX, .exit_code = 1,
      .output = "error: could not write config file .git/config: Device or resource busy\n"},
     true,
     true,
     "write",
     ".git/config"},
    {{LINUX, .exit_code = 1,
      .output = "mv: cannot move '/w/.git' to '/w/g': Device or resource busy"},
     true,
     true,
     "write",
     "/w/.git"},
    {{LINUX, .exit_code = 1,
      .output = "mv: cannot move '/a/b' to '/c/b': Invalid cross-device link"},
     true,
     true,
     "write",
     "/a/b"},
    /* what failed stands right before the message, and what it was for before that */
    {{LINUX, .exit_code = 1,
      .output = "remote: error: cannot lock ref 'refs/heads/topic': Unable to create "
                "'/srv/x.git/./refs/heads/topic.lock': Read-only file system        \n"
                "To ../x.git\n ! [remote rejected] topic (failed to update ref)\n"
                "error: failed to push some refs to '../x.git'\n"},
     true,
     true,
     "write",
     "/srv/x.git/refs/heads/topic.lock"},
    {{LINUX, .exit_code = 128,
      .output = "fatal: cannot lock ref 'refs/heads/q': Unable to create "
                "'/w/.git/refs/heads/q.lock': Permission denied\n"},
     true,
     true,
     "file system",
     "/w/.git/refs/heads/q.lock"},
    {{LINUX, .exit_code = 1,
      .output = "error: could not delete reference refs/heads/feat/x: Unable to create "
                "'/srv/x.git/./packed-refs.lock': Read-only file system\n"},
     true,
     true,
     "write",
     "/srv/x.git/packed-refs.lock"},
    {{LINUX, .exit_code = 128,
      .output = "fatal: cannot update the ref 'refs/heads/m': unable to append to "
                "'.git/logs/refs/heads/m': Permission denied\n"},
     true,
     true,
     "file system",
     ".git/logs/refs/heads/m"},
    {{LINUX, .exit_code = 1,
      .output = "touch: cannot touch '/srv/a: b/c': Read-only file system\n"},
     true,
     true,
     "write",
     "/srv/a: b/c"},
    /* of a directory of a ref git names no cause: that it is a push says where it is */
    {{LINUX, .exit_code = 1,
      .output =
          "remote: error: cannot lock ref 'refs/heads/feat/x': unable to create directory for "
          "./refs/heads/feat/x        \nTo /srv/x.git\n ! [remote rejected] feat/x (failed to "
          "update ref)\n"},
     true,
     true,
     "write",
     "/srv/x.git"},
    {{LINUX, .exit_code = 1,
      .output = "error: cannot lock ref 'refs/heads/feat/x': unable to create directory for "
                "./refs/heads/feat/x\n"},
     false,
     false,
     0,
     0},
    /* of two names that which is made or written, and that which is a path */
    {{LINUX, .exit_code = 1,
      .output = "mv: inter-device move failed: 'f' to '/srv/n'; unable to remove target: Read-only "
                "file system\n"},
     true,
     true,
     "write",
     "/srv/n"},
    {{LINUX, .exit_code = 1,
      .output =
          "mv: inter-device move failed: '/w/f' to '/srv/n'; unable to remove target: Read-only "
          "file system\n"},
     true,
     true,
     "write",
     "/srv/n"},
    {{LINUX, .exit_code = 1,
      .output = "mv: inter-device move failed: \xE2\x80\x98/w/f\xE2\x80\x99 to "
                "\xE2\x80\x98/srv/n\xE2\x80\x99; unable to remove target: Read-only file system\n"},
     true,
     true,
     "write",
     "/srv/n"},
    {{LINUX, .exit_code = 1, .output = "mv: cannot move 'f' to '/srv/n': Permission denied\n"},
     true,
     true,
     "file system",
     "/srv/n"},
    {{LINUX, .exit_code = 1,
      .output = "cp: cannot create hard link '/srv/q' to '/w/f': Read-only file system\n"},
     true,
     true,
     "write",
     "/srv/q"},
    {{LINUX, .exit_code = 1,
      .output = "OSError: [Errno 30] Read-only file system: '/w/f' -> '/srv/g'\n"},
     true,
     true,
     "write",
     "/srv/g"},
    {{LINUX, .exit_code = 1,
      .output = "OSError: [Errno 30] Read-only file system: '/srv/f' -> 'g'\n"},
     true,
     true,
     "write",
     "/srv/f"},
    {{LINUX, .exit_code = 1,
      .output = "Error: EROFS: read-only file system, copyfile '/w/f' -> '/srv/g'\n    at Object."
                "copyFileSync (node:fs:3123:11)\n"},
     true,
     true,
     "write",
     "/srv/g"},
    {{LINUX, .exit_code = 128,
      .output = "fatal: cannot copy '/usr/share/git-core/templates/description' to "
                "'/w/.git/description': Read-only file system\n"},
     true,
     true,
     "write",
     "/w/.git/description"},
    /* the word alone is no denial */
    {{LINUX, .exit_code = 1, .output = "1 test failed: sandbox_test\n"}, false, false, 0, 0},
    {{LINUX, .exit_code = 1, .output = "the sandbox said no\nsandbox: failed\n"},
     false,
     false,
     0,
     0},
    /* a closed network */
    {{LINUX, .exit_code = 128, .network_closed = true,
      .output = "fatal: unable to access 'https://example.com/x/': Could not resolve host: "
                "example.com\n"},
     true,
     true,
     "network",
     "https://example.com/x/"},
    {{LINUX, .exit_code = 1, .network_closed = true,
      .output = "npm ERR! request to https://x failed, reason: getaddrinfo ENOTFOUND x\n"},
     true,
     true,
     "network",
     0},
    {{LINUX, .exit_code = 6, .network_closed = true,
      .output = "curl: (6) Could not resolve host: example.com"},
     true,
     true,
     "network",
     ""},
    {{LINUX, .exit_code = 6, .network_closed = false,
      .output = "curl: (6) Could not resolve host: example.com"},
     false,
     false,
     0,
     0},
    {{LINUX, .exit_code = 1, .network_closed = true, .output = "connect: Network is unreachable"},
     true,
     true,
     "network",
     ""},
    /* git names the repository that it could not write to in the next line */
    {{LINUX, .exit_code = 1,
      .output = "error: remote unpack failed: unable to create temporary object directory\n"
                "To /srv/x.git\n ! [remote rejected] HEAD -> m (unpacker error)\n"},
     true,
     true,
     "write",
     "/srv/x.git"},
    {{LINUX, .exit_code = 1,
      .output = "error: remote unpack failed: unable to create temporary object directory\n"
                "To file:///srv/x y.git\r\nerror: failed to push some refs\n"},
     true,
     true,
     "write",
     "/srv/x y.git"},
    /* another machine's is nothing that the sandbox could stop */
    {{LINUX, .exit_code = 1,
      .output = "error: remote unpack failed: unable to create temporary object directory\n"
                "To git@example.com:a/x.git\n"},
     false,
     false,
     0,
     0},
    {{LINUX, .exit_code = 1,
      .output = "error: remote unpack failed: unable to create temporary object directory\n"
                "To https://example.com/a/x.git\n"},
     false,
     false,
     0,
     0},
    {{LINUX, .exit_code = 1, .output = "unable to create temporary object directory"},
     false,
     false,
     0,
     0},
    /* what a tail has left of it: the path stands before, or after */
    {{LINUX, .exit_code = 1,
      .output = "To /b/x.git\n ! [remote rejected] main -> main (unpacker error)\n"
                "error: failed to push some refs to '/b/y.git'\n"},
     true,
     true,
     "write",
     "/b/x.git"},
    {{LINUX, .exit_code = 1,
      .output = " ! [remote rejected] a -> a (unpacker error)\n"
                " ! [remote rejected] main -> main (unpacker error)\n"
                "Fehler: Fehler beim Versenden einiger Referenzen nach 'file:///b/x y.git'\r\n"},
     true,
     true,
     "write",
     "/b/x y.git"},
    {{LINUX, .exit_code = 1,
      .output = "error: remote unpack failed: unable to create temporary object directory\n"
                "error: failed to push some refs to '../x.git'\n"},
     true,
     true,
     "write",
     "../x.git"},
    {{LINUX, .exit_code = 1,
      .output = "To /b/x.git\n!\trefs/heads/m:refs/heads/m\t[remote rejected] (unpacker error)\n"},
     true,
     true,
     "write",
     "/b/x.git"},
    {{LINUX, .exit_code = 1,
      .output = " ! [remote rejected] main -> main (unpacker error)\n"
                "error: failed to push some refs to 'git@example.com:a/x.git'\n"},
     false,
     false,
     0,
     0},
    {{LINUX, .exit_code = 1,
      .output = " ! [remote rejected] main -> main (unpacker error)\n"
                "error: failed to push some refs to 'ssh://example.com/a/x.git'\n"},
     false,
     false,
     0,
     0},
    {{LINUX, .exit_code = 1,
      .output = "To /b/x.git\n ! [rejected] main -> main (non-fast-forward)\n"
                "error: failed to push some refs to '/b/x.git'\n"},
     false,
     false,
     0,
     0},
    {{LINUX, .exit_code = 1, .output = "(unpacker error)\n'"}, false, false, 0, 0},
    {{LINUX, .exit_code = 1, .output = "(unpacker error)\n\r '"}, false, false, 0, 0},
    /* bytes that are no text, NUL among them */
    {{LINUX, .exit_code = 1, .output = "\xFF\0\x01\n/x: Permission denied\0", .output_size = 26},
     true,
     true,
     "file system",
     "/x"},
};

static void every_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct denial_evidence evidence = ROWS[i].evidence;
        struct sandbox_denial denial;
        if (evidence.output && evidence.output_size == 0)
            evidence.output_size = strlen(evidence.output);
        denial_judge(&evidence, &denial);
        if (denial.denied != ROWS[i].denied || denial.inferred != ROWS[i].inferred)
            fail_msg("row %zu: denied %d, inferred %d", i, denial.denied, denial.inferred);
        if (ROWS[i].cause && strcmp(denial.cause, ROWS[i].cause) != 0)
            fail_msg("row %zu: cause \"%s\"", i, denial.cause);
        if (ROWS[i].path && strcmp(denial.path, ROWS[i].path) != 0)
            fail_msg("row %zu: path \"%s\"", i, denial.path);
    }
}

/* Only the end of a long output counts, and a long line is cut, not run over. */
static void long_output_is_bounded(void **state)
{
    (void)state;
    static char output[200000];
    struct sandbox_denial denial;
    struct denial_evidence evidence = {LINUX, .exit_code = 1, .output = output,
                                       .output_size = sizeof output};
    memset(output, 'a', sizeof output);
    memcpy(output, "/x: Permission denied\n", 22);
    denial_judge(&evidence, &denial);
    assert_false(denial.denied);
    memcpy(output + sizeof output - 23, "\n/y: Permission denied\n", 23);
    denial_judge(&evidence, &denial);
    assert_true(denial.denied);
    assert_string_equal(denial.path, "/y");
}

/* The command's own language, where the system has it. */
static void the_commands_locale(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8"};
    static const struct {
        int number;
        bool network, denied;
        const char *path, *held;
    } NUMBERS[] = {{EACCES, false, true, "/x", NULL},     {EROFS, false, true, "/x", NULL},
                   {EBUSY, false, true, "/x", NULL},      {EXDEV, false, true, "/x", NULL},
                   {EEXIST, false, false, "", NULL},      {EEXIST, false, true, "/x", ".git/x"},
                   {ENOTDIR, false, false, "", ".git"},   {ENOTDIR, false, true, "/x", "x"},
                   {ENETUNREACH, true, true, "/x", NULL}, {ENETUNREACH, false, false, "", NULL},
                   {ECONNREFUSED, true, false, "", NULL}};
    for (size_t name = 0; name < sizeof NAMES / sizeof *NAMES; name++) {
        locale_t locale = newlocale(LC_ALL_MASK, NAMES[name], (locale_t)0);
        for (size_t i = 0; locale && i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
            char output[256];
            struct sandbox_denial denial;
            snprintf(output, sizeof output, "touch: '/x': %s\n",
                     strerror_l(NUMBERS[i].number, locale));
            struct denial_evidence evidence = {LINUX,
                                               .exit_code = 1,
                                               .locale = NAMES[name],
                                               .network_closed = NUMBERS[i].network,
                                               .held = NUMBERS[i].held,
                                               .output = output,
                                               .output_size = strlen(output)};
            denial_judge(&evidence, &denial);
            if (denial.denied != NUMBERS[i].denied || strcmp(denial.path, NUMBERS[i].path) != 0)
                fail_msg("%s %zu: %s", NAMES[name], i, output);
        }
        if (locale)
            freelocale(locale);
    }
}

/* What ended well was denied nothing; that the configuration of a repository is as it was is told.
 */
static void a_kept_configuration(void **state)
{
    static const char KEPT[] =
        "To /w/x.git\n * [new branch] main -> main\n"
        "error: could not write config file .git/config: Device or resource busy\n"
        "error: unable to write upstream branch configuration\n";
    static const char *const OTHERS[] = {
        "error: could not write config file .git/configuration: Device or resource busy",
        "error: could not write config file .git/config: No space left on device",
        "error: could not lock config file .git/config: File exists",
        "umount: /mnt: Device or resource busy",
        ".git/config",
        ""};
    static const char *const KEPT_TOO[] = {
        "Konnte /w/.git/modules/m/config nicht schreiben: Read-only file system",
        "error: could not lock config file '/w/.git/config.worktree': Permission denied"};
    struct denial_evidence evidence = {LINUX, .output = KEPT, .output_size = sizeof KEPT - 1};
    struct sandbox_denial denial;
    (void)state;
    denial_judge(&evidence, &denial);
    assert_false(denial.denied);
    assert_true(denial_kept_git_config(&evidence));
    evidence.exit_code = 1; /* that is a denial, and asked about */
    assert_false(denial_kept_git_config(&evidence));
    evidence.exit_code = 0;
    evidence.type = SANDBOX_TYPE_NONE;
    assert_false(denial_kept_git_config(&evidence));
    evidence.type = SANDBOX_TYPE_LINUX;
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        evidence.output = OTHERS[i];
        evidence.output_size = strlen(OTHERS[i]);
        assert_false(denial_kept_git_config(&evidence));
    }
    for (size_t i = 0; i < sizeof KEPT_TOO / sizeof *KEPT_TOO; i++) {
        evidence.output = KEPT_TOO[i];
        evidence.output_size = strlen(KEPT_TOO[i]);
        assert_true(denial_kept_git_config(&evidence));
    }
}

/* What nobody has made, and the sandbox holds, cannot be made. */
static void a_held_name(void **state)
{
    static const struct {
        const char *output, *path; /* NULL: no denial */
    } TABLE[] = {
        {"mkdir: cannot create directory \xE2\x80\x98.vscode\xE2\x80\x99: File exists\n",
         ".vscode"},
        {"mkdir: cannot create directory '/w/.vscode': Not a directory\n", "/w/.vscode"},
        {"bash: line 1: .vscode/settings.json: Not a directory\n", ".vscode/settings.json"},
        {"sh: 1: cannot create .vscode/x: Directory nonexistent\n", ".vscode/x"},
        {"tee: .vscode/x: Not a directory\n", ".vscode/x"},
        {"cp: cannot stat '.vscode/': Not a directory\n", ".vscode/"},
        {"cp: cannot overwrite non-directory '.vscode' with directory 'a'\n", ".vscode"},
        {"FileExistsError: [Errno 17] File exists: '.vscode'\n", ".vscode"},
        {"NotADirectoryError: [Errno 20] Not a directory: '.vscode/a'\n", ".vscode/a"},
        {"Error: EEXIST: file already exists, mkdir '.vscode'\n    at x (node:fs:1386:26)\n",
         ".vscode"},
        {"fatal: cannot stat '/w/.git/description': Not a directory\n", "/w/.git/description"},
        /* not held: it is there, or is no such name */
        {"mkdir: cannot create directory '.idea': File exists\n", NULL},
        {"mkdir: cannot create directory 'src/lib': File exists\n", NULL},
        {"mkdir: cannot create directory 'a/.vscodes': File exists\n", NULL},
        {"bash: line 1: README/x: Not a directory\n", NULL},
        /* who looks for it finds none, with and without the sandbox */
        {"cat: .vscode/settings.json: Not a directory\n", NULL},
        {"ls: cannot access '.vscode/': Not a directory\n", NULL},
        {"bash: line 1: cd: .vscode: Not a directory\n", NULL},
        {"rmdir: failed to remove '.vscode': Not a directory\n", NULL},
        {"fatal: not a git repository (or any of the parent directories): .git\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        struct denial_evidence evidence = {LINUX, .exit_code = 1, .held = ".git/.vscode/.envrc",
                                           .output = TABLE[i].output,
                                           .output_size = strlen(TABLE[i].output)};
        struct sandbox_denial denial;
        denial_judge(&evidence, &denial);
        if (denial.denied != (TABLE[i].path != NULL))
            fail_msg("%s", TABLE[i].output);
        if (denial.denied) {
            assert_string_equal(denial.cause, "write");
            assert_string_equal(denial.path, TABLE[i].path);
        }
        evidence.held = NULL;
        denial_judge(&evidence, &denial);
        assert_false(denial.denied);
        assert_string_equal(denial.path, "");
    }
}

/* A tail ends well, whatever became of the push before it. */
static void a_stopped_push(void **state)
{
    static const struct {
        const char *output, *path; /* NULL: none */
    } TABLE[] = {
        {"To /b/x.git\n ! [remote rejected] main -> main (unpacker error)\n"
         "error: failed to push some refs to '/b/x.git'\n",
         "/b/x.git"},
        {"error: remote unpack failed: unable to create temporary object directory\nTo ../x.git\n"
         "done\n",
         "../x.git"},
        {"To host:x.git\n ! [remote rejected] main -> main (unpacker error)\n", NULL},
        {"error: failed to push some refs to '/b/x.git'\n", "/b/x.git"},
        {"built\nerror: failed to push some refs to '/b/x.git'", "/b/x.git"},
        {"error: failed to push some refs to '/b/./x.git'\n", "/b/x.git"},
        {"error: failed to push some refs to 'https://host/x.git'\n", NULL},
        {"error: failed to push some refs to 'host:x.git'\n", NULL},
        {" ! [remote rejected] main -> main (pre-receive hook declined)\n"
         "error: failed to push some refs to '/b/x.git'\n",
         NULL},
        {"error: failed to push some refs to '/b/x.git'\nhint: Updates were rejected\n", NULL},
        {"To /b/x.git\n   1..2  main -> main\n", NULL},
        {"sh: /srv/x: Permission denied\n", NULL},
        {"", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        struct denial_evidence evidence = {LINUX, .output = TABLE[i].output,
                                           .output_size = strlen(TABLE[i].output)};
        struct sandbox_denial denial;
        denial_judge(&evidence, &denial);
        assert_false(denial.denied);
        denial_stopped_push(&evidence, &denial);
        assert_int_equal(denial.denied, TABLE[i].path != NULL);
        if (TABLE[i].path)
            assert_string_equal(denial.path, TABLE[i].path);
        evidence.exit_code = 1; /* that is a denial, and asked about */
        denial_stopped_push(&evidence, &denial);
        assert_false(denial.denied);
        evidence.exit_code = 0;
        evidence.type = SANDBOX_TYPE_NONE;
        denial_stopped_push(&evidence, &denial);
        assert_false(denial.denied);
    }
}

/* What listens is another command's; every other address is unreachable, and said to be so. */
static void nobody_on_localhost(void **state)
{
    (void)state;
    static const struct {
        struct denial_evidence evidence;
        bool told;
    } TABLE[] = {
#define CLOSED LINUX, .network_closed = true
        {{CLOSED, .exit_code = 7,
          .output = "curl: (7) Failed to connect to localhost port 8123 after 0 ms: Couldn't "
                    "connect to server\n"},
         true},
        {{CLOSED, .exit_code = 1, .output = "connect ECONNREFUSED 127.0.0.1:8123\n    at x\n"},
         true},
        {{CLOSED, .exit_code = 1, .output = "connect to [::1]:5432: Connection refused"}, true},
        {{CLOSED, .exit_code = 1, .command = "curl -s http://LOCALHOST:1/",
          .output = "[Errno 111] Connection refused"},
         true},
        /* a socket in the file system, or another machine by way of the proxy */
        {{CLOSED, .exit_code = 1, .command = "docker ps",
          .output = "dial unix /run/x.sock: connect: connection refused"},
         false},
        {{CLOSED, .exit_code = 0, .output = "127.0.0.1: Connection refused"}, false},
        {{CLOSED, .exit_code = 1, .output = "localhost: no such file\n"}, false},
        {{CLOSED, .exit_code = 1, .timed_out = true, .output = "127.0.0.1: Connection refused"},
         false},
        {{LINUX, .exit_code = 1, .output = "127.0.0.1: Connection refused"}, false},
        {{.type = SANDBOX_TYPE_NONE,
          .network_closed = true,
          .exit_code = 1,
          .output = "127.0.0.1: Connection refused"},
         false},
    };
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        struct denial_evidence evidence = TABLE[i].evidence;
        struct sandbox_denial denial;
        evidence.output_size = strlen(evidence.output);
        if (denial_nobody_listened(&evidence) != TABLE[i].told)
            fail_msg("%zu: %s", i, evidence.output);
        denial_judge(&evidence, &denial);
        assert_false(denial.denied);
    }
}

static void status_packets(void **state)
{
    (void)state;
    struct status_message message;
    assert_int_equal(status_parse("started 42", 10, &message), 0);
    assert_int_equal(message.kind, STATUS_STARTED);
    assert_int_equal(message.pid, 42);
    assert_int_equal(status_parse("exec-failed 2 /no such", 22, &message), 0);
    assert_int_equal(message.number, 2);
    assert_string_equal(message.text, "/no such");
    assert_int_equal(status_parse("denied connect /run/x y", 23, &message), 0);
    assert_string_equal(message.operation, "connect");
    assert_string_equal(message.text, "/run/x y");
    assert_int_equal(status_parse("alarm /w/.git/config", 20, &message), 0);
    assert_int_equal(status_parse("layers landlock:7 seccomp", 25, &message), 0);
    assert_string_equal(message.text, "landlock:7 seccomp");
    assert_int_equal(status_parse("placeholders 3 .idea/a b", 24, &message), 0);
    assert_int_equal(message.number, 3);
    assert_string_equal(message.text, ".idea/a b");
    static const char *const BAD[] = {"",          "nonsense 1", "started",
                                      "started x", "started -1", "started 99999999999",
                                      "denied",    "failed",     "denied averylongoperation /x"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_int_not_equal(status_parse(BAD[i], strlen(BAD[i]), &message), 0);
    assert_int_not_equal(status_parse("started 1\0", 10, &message), 0);
}

/* Of what is removed another place is changed. */
static void that_something_was_to_be_removed_is_known(void **state)
{
    static const struct {
        const char *output, *path;
        bool removes;
    } rows[] = {
        {"rm: cannot remove '/srv/x/a': Permission denied", "/srv/x/a", true},
        {"rm: can't remove '/srv/x/a': Read-only file system", "/srv/x/a", true},
        {"rmdir: failed to remove '/srv/x': Read-only file system", "/srv/x", true},
        {"cp: cannot create '/srv/x/a': Read-only file system", "/srv/x/a", false},
        {"rm: cannot remove it: Permission denied", "", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct denial_evidence evidence = {.type = SANDBOX_TYPE_LINUX,
                                           .exit_code = 1,
                                           .output = rows[i].output,
                                           .output_size = strlen(rows[i].output)};
        struct sandbox_denial denial;
        denial_judge(&evidence, &denial);
        assert_true(denial.denied);
        assert_string_equal(denial.path, rows[i].path);
        assert_int_equal(denial.removes, rows[i].removes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(that_something_was_to_be_removed_is_known),
        cmocka_unit_test(every_row),
        cmocka_unit_test(long_output_is_bounded),
        cmocka_unit_test(the_commands_locale),
        cmocka_unit_test(a_kept_configuration),
        cmocka_unit_test(a_held_name),
        cmocka_unit_test(a_stopped_push),
        cmocka_unit_test(nobody_on_localhost),
        cmocka_unit_test(status_packets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
