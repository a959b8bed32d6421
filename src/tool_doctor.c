/* SPDX-License-Identifier: MIT */
/* `assent doctor`: what this machine can enforce, what is missing, and how to mend it. */
#include "config.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/rendezvous.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "base/i18n.h"
#include "base/install.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "config/arguments.h"
#include "config/config_file.h"
#include "config/help.h"
#include "config/options.h"
#include "config/paths.h"
#include "sandbox/probe.h"
#include "tool.h"

/* One thing that was looked at. Texts are owned; `mend` is NULL when nothing is to do. */
struct finding {
    const char *name; /* short, stable, for programs */
    bool good;
    char *what;
    char *mend;
};

enum { FINDINGS_MAX = 8 };

struct report {
    struct finding findings[FINDINGS_MAX];
    size_t count;
    bool good;
};

static void add(struct report *report, const char *name, bool good, char *what, const char *mend)
{
    report->findings[report->count++] = (struct finding){
        .name = name, .good = good, .what = what, .mend = mend && !good ? xstrdup(mend) : NULL};
    report->good = report->good && good;
}

#if defined __linux__

#define APPARMOR_PROFILE "/etc/apparmor.d/assent"

/* A number beneath /proc/sys; -1 when this system has none of that name. */
static long read_setting(const char *name)
{
    size_t length;
    cleanup_free char *path = xasprintf("/proc/sys/%s", name);
    cleanup_free char *text = fd_read_file(path, 32, true, &length);
    return text ? strtol(text, NULL, 10) : -1;
}

/* What keeps ordinary users from making namespaces here. */
static const char *mend_namespaces(void)
{
    if (read_setting("user/max_user_namespaces") == 0)
        return "sudo sysctl -w user.max_user_namespaces=15000";
    if (read_setting("kernel/unprivileged_userns_clone") == 0)
        return "sudo sysctl -w kernel.unprivileged_userns_clone=1";
    if (read_setting("kernel/apparmor_restrict_unprivileged_userns") <= 0)
        return _("let the container around this make user namespaces, or use --mode "
                 "external-sandbox if it confines enough");
    return access(APPARMOR_PROFILE, F_OK) == 0
               ? "sudo apparmor_parser -r " APPARMOR_PROFILE
               : "./configure --with-apparmor && sudo make install && "
                 "sudo apparmor_parser -r " APPARMOR_PROFILE;
}

static void look_at_kernel(struct report *report)
{
    struct sandbox_capability capability;
    probe_capability(&capability);
    int abi = capability.landlock_abi;
    add(report, "landlock", abi > 0,
        abi > 0 ? xasprintf(_("Landlock is there (ABI %d): files and network ports are held"), abi)
                : xstrdup(_("Landlock is missing: commands cannot be confined")),
        _("boot a kernel of 5.13 or newer with landlock in its lsm= list"));
    add(report, "seccomp", capability.seccomp,
        xstrdup(capability.seccomp ? _("seccomp filters are there: system calls are held")
                                   : _("seccomp filters are missing")),
        _("boot a kernel with CONFIG_SECCOMP_FILTER"));
    add(report, "namespaces", capability.user_namespaces,
        xstrdup(capability.user_namespaces
                    ? _("namespaces are there: protected paths, processes and the network are held")
                    : _("namespaces are refused: protected paths cannot be held, so commands that "
                        "may write are refused unless allow_degraded is set")),
        mend_namespaces());
}

#else

static void look_at_kernel(struct report *report)
{
    struct sandbox_capability capability;
    probe_capability(&capability);
    add(report, "seatbelt", capability.seatbelt,
        xstrdup(capability.seatbelt ? _("/usr/bin/sandbox-exec is there")
                                    : _("/usr/bin/sandbox-exec is missing")),
        NULL);
}

#endif

static void look_at_programs(struct report *report)
{
    static const char *const programs[] = {"assent-sandbox", "assent-console", "assent-exec"};
    for (size_t i = 0; i < COUNT(programs); i++) {
        struct error error = ERROR_INIT;
        cleanup_free char *path = install_find_program(programs[i], &error);
        if (!path) {
            add(report, "programs", false, xstrdup(error.message), "make install");
            return;
        }
    }
    add(report, "programs", true, xstrdup(_("Assent's own programs are in place")), NULL);
}

static void look_at_configuration(struct report *report, struct options *options)
{
    struct error error = ERROR_INIT;
    bool good = config_file_load(options, &error) == 0;
    add(report, "configuration", good,
        good ? xstrdup(_("the configuration can be read")) : xstrdup(error.message),
        _("mend the file (assent config shows what is in force)"));
}

/* Consoles that answer; a socket may be left over from one that was killed. */
static unsigned count_consoles(int directory)
{
    unsigned count = 0;
    cleanup_strv char **names = rendezvous_list(directory);
    for (size_t i = 0; names[i]; i++) {
        cleanup_fd int console = rendezvous_connect(directory, names[i]);
        count += console >= 0;
    }
    return count;
}

/* NULL with a message when the runtime directory is not usable. */
static char *describe_consoles(struct error *error)
{
    cleanup_free char *path = paths_runtime_directory(error);
    if (!path)
        return NULL;
    cleanup_fd int directory = rendezvous_open(path, false, error);
    if (directory < 0)
        return NULL;
    unsigned count = count_consoles(directory);
    return count == 0 ? xstrdup(_("no console runs; assent starts one"))
                      : xasprintf(P_("%u console runs", "%u consoles run", count), count);
}

static void look_at_consoles(struct report *report)
{
    struct error error = ERROR_INIT;
    char *what = describe_consoles(&error);
    add(report, "consoles", what != NULL, what ? what : xstrdup(error.message),
        _("make the directory yours alone: chmod 700"));
}

static void print_lines(const struct report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct finding *finding = &report->findings[i];
        cleanup_strbuf struct strbuf shown = STRBUF_INIT;
        text_escape(&shown, finding->what, strlen(finding->what), TEXT_KEEP_NEWLINES | TEXT_PROSE);
        const char *verdict = finding->good ? _("good") : _("MISSING");
        printf("%s%*s %s\n", verdict, text_padding(verdict, 7), "", strbuf_str(&shown));
        if (finding->mend)
            printf("%-7s %s: %s\n", "", _("to mend it"), finding->mend);
    }
}

static void print_json(const struct report *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->count; i++) {
        const struct finding *finding = &report->findings[i];
        json_t *item = json_pack("{s:s, s:b, s:s?}", "name", finding->name, "good", finding->good,
                                 "mend", finding->mend);
        json_array_append_new(list, item);
    }
    json_t *whole = json_pack("{s:b, s:o}", "good", report->good, "findings", list);
    json_dumpf(whole, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(whole);
}

static void examine(struct options *options)
{
    struct report report = {.good = true};
    look_at_kernel(&report);
    look_at_programs(&report);
    look_at_configuration(&report, options);
    look_at_consoles(&report);
    if (options_bool(options, OPTION_JSON))
        print_json(&report);
    else
        print_lines(&report);
    for (size_t i = 0; i < report.count; i++) {
        free(report.findings[i].what);
        free(report.findings[i].mend);
    }
}

int tool_doctor(int argc, char **argv)
{
    struct error error = ERROR_INIT;
    struct options *options = options_new();
    int result = 0;
    int rest = arguments_parse(options, SUBCOMMAND_DOCTOR, argc, argv, &error);
    if (rest >= 0 && options_bool(options, OPTION_HELP))
        result = help_print(stdout, SUBCOMMAND_DOCTOR);
    else if (rest >= 0 && rest < argc)
        result = error_set(&error, 0, _("doctor takes no arguments"));
    else if (rest < 0)
        result = -1;
    else
        examine(options);
    options_free(&options);
    if (*error.message)
        tool_complain(argv[0], &error);
    return result == 0 && fflush(stdout) == 0 ? 0 : TOOL_FAILED;
}
