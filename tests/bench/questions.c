/* SPDX-License-Identifier: MIT */
/*
 * questions: how often would the operator be asked? Replays recorded commands of agents.
 *
 *     questions [--agent PREFIX]… [--root DIR] [--show POLICY/MEMORY] [--causes POLICY/MEMORY]
 * FILE…
 *
 * FILE holds a JSON object a line: "trace" (names a session), "agent", "command" (a shell script)
 * and "cwd"; lines of a trace are one session. Its first working directory is its root; one that
 * lies elsewhere is taken for the root of a further session that the operator opened there. For
 * lines without "cwd" it is --root. Counted are questions for each 100 commands, under `untrusted`,
 * and under `on-request` in the sandbox, where what the assessment calls a change of the system or
 * one outside the workspace counts as a question too, because the sandbox stops it, and network
 * access, because hosts are asked for. Each with three memories: none; what is answered with "for
 * this session" (the same command, the rule that is offered first, the host); the same remembered
 * for the project.
 *
 * Nothing is run. Programs that this machine does not have count as installed. --show
 * untrusted/none (session, project; sandbox/…) lists what asked: the prefix that is offered, the
 * reason, the command. --causes sums it up: of a hundred commands, how many ask for this alone, and
 * how many for this and others.
 */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approval/judgement.h"
#include "approval/ladder.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "causes.h"
#include "command/shell_tree.h"
#include "command/wrapper.h"
#include "risk/assessment.h"

#define FILE_MAX ((size_t)1 << 30)
#define AGENTS_MAX 16

enum policy { UNTRUSTED, SANDBOX, POLICIES };
enum memory { NONE, SESSION, PROJECT, MEMORIES };

static const char *const policy_names[POLICIES] = {"untrusted", "sandbox"};
static const char *const memory_names[MEMORIES] = {"none", "session", "project"};

struct replay {
    const char *agents[AGENTS_MAX];
    size_t agent_count;
    const char *show, *sum;
    struct causes *causes;
    const char *root;                  /* of traces that name no directory */
    char *stubs;                       /* directory of programs that are not on this machine */
    char *search_path;                 /* PATH, and the stubs */
    json_t *roots;                     /* trace: root */
    json_t *exact[POLICIES][MEMORIES]; /* commands that were approved: text: true */
    json_t *hosts[MEMORIES];           /* hosts that were allowed */
    struct scope *scopes;              /* prefixes that were allowed */
    size_t scope_count;
    json_t *shown; /* what asked: how often */
    size_t commands, asked[POLICIES][MEMORIES];
};

/* What is remembered together: for a session or a project, under a policy. */
struct scope {
    enum policy policy;
    enum memory memory;
    char *name;
    struct rules *rules;
};

struct record {
    const char *trace, *command, *cwd, *root;
};

/* ---- programs -------------------------------------------------------------------------------- */

/* The recorded machine had the programs that were used on it. */
static void have_program(const struct replay *replay, const char *name)
{
    if (*name == '\0' || strchr(name, '/') != NULL || strlen(name) > 100)
        return;
    cleanup_free char *path = xasprintf("%s/%s", replay->stubs, name);
    if (access(path, F_OK) != 0 && fd_replace_file(path, "", 0, 0755) != 0)
        perror(path);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static struct scope *scope_of(struct replay *replay, const struct record *record,
                              enum policy policy, enum memory memory)
{
    const char *name = memory == PROJECT ? record->root : record->trace;
    for (size_t i = 0; i < replay->scope_count; i++) {
        struct scope *scope = &replay->scopes[i];
        if (scope->policy == policy && scope->memory == memory && strcmp(scope->name, name) == 0)
            return scope;
    }
    replay->scopes =
        xreallocarray(replay->scopes, replay->scope_count + 1, sizeof(*replay->scopes));
    struct scope *scope = &replay->scopes[replay->scope_count++];
    *scope = (struct scope){policy, memory, xstrdup(name), rules_new()};
    return scope;
}

static char *exact_key(const struct record *record, enum memory memory)
{
    return xasprintf("%s\n%s\n%s", memory == PROJECT ? record->root : record->trace, record->cwd,
                     record->command);
}

/* ---- judging --------------------------------------------------------------------------------- */

/* All that a judgement is made of. */
struct stage {
    const char *argv[4];
    struct turn_context *context;
    struct program program;
    char **roots;
    struct judgement_facts facts;
};

static void stage_set(const struct replay *replay, const struct record *record, enum policy policy,
                      const struct rules *rules, struct stage *stage)
{
    const struct approval_policy approval = {.kind = policy == UNTRUSTED ? APPROVAL_UNTRUSTED
                                                                         : APPROVAL_ON_REQUEST};
    struct sandbox_policy *sandbox = sandbox_policy_new_workspace_write(record->root);
    *stage = (struct stage){.argv = {"/bin/bash", "-lc", record->command, NULL}};
    stage->context = turn_context_new(&approval, sandbox, SANDBOX_AUTO, record->root);
    stage->roots = turn_context_writable_roots(stage->context);
    program_find(stage->argv[0], record->cwd, replay->search_path, &stage->program);
    stage->facts = (struct judgement_facts){
        .argv = stage->argv,
        .cwd = record->cwd,
        .context = stage->context,
        .writable_roots = (const char *const *)stage->roots,
        .program = &stage->program,
        .search_path = replay->search_path,
        .rules = {rules},
    };
    sandbox_policy_free(&sandbox);
}

static void stage_clear(struct stage *stage)
{
    program_clear(&stage->program);
    strv_free(&stage->roots);
    turn_context_unref(&stage->context);
}

static void have_programs(const struct replay *replay, const struct record *record)
{
    struct stage stage;
    struct judgement judgement;
    stage_set(replay, record, UNTRUSTED, NULL, &stage);
    judgement_make(&stage.facts, &judgement);
    for (size_t i = 0; i < judgement.count; i++)
        if (!judgement.parts[i].installed)
            have_program(replay, judgement.parts[i].argv[0]);
    judgement_clear(&judgement);
    stage_clear(&stage);
}

/* What the sandbox would stop: a change outside the roots or of the system; hosts are asked for. */
static void assess(const struct record *record, const char *line, bool *outside, bool *connects)
{
    const char *roots[] = {record->root, "/tmp", NULL};
    struct assessment assessment;
    assessment_of_line(line, strlen(line), record->cwd, roots, &assessment);
    *connects = (assessment.categories & RISK_NETWORK_ACCESS) != 0;
    *outside = (assessment.categories & RISK_SYSTEM_MODIFICATION) != 0;
    for (size_t i = 0; i < assessment.evidence_count; i++)
        *outside = *outside || strstr(assessment.evidence[i].why, "outside the workspace") != NULL;
}

/* Does a part do more than read in a directory that is not beneath the roots, or not known? */
static bool works_elsewhere(const struct record *record, const struct judgement *judgement)
{
    const char *roots[] = {record->root, "/tmp", NULL};
    for (size_t i = 0; i < judgement->count; i++) {
        const struct judgement_part *part = &judgement->parts[i];
        struct assessment assessment;
        if (part->hidden || part->known_safe || strcmp(part->argv[0], "cd") == 0 ||
            (part->directory != NULL && (path_is_beneath(part->directory, record->root) ||
                                         path_is_beneath(part->directory, "/tmp"))))
            continue;
        cleanup_free char *line = NULL;
        assessment_of_argv((const char *const *)part->argv, record->cwd, roots, &assessment, &line);
        if (assessment.level > RISK_LOW)
            return true;
    }
    return false;
}

/* ---- hosts ----------------------------------------------------------------------------------- */

/* The host of an address among the words, else the program, which stands for the one that it talks
 * to: a code host, a registry, the repository's remote. */
static char *host_of(const char *const *words)
{
    for (size_t i = 1; words[i] != NULL; i++) {
        const char *host = strstr(words[i], "://");
        if (host != NULL)
            return xstrndup(host + 3, strcspn(host + 3, "/:?#"));
    }
    return xstrdup(wrapper_basename(words[0]));
}

/* Adds the hosts that the command's parts connect to, also those of a script that is opaque. */
static void add_hosts(const struct record *record, json_t *hosts)
{
    struct shell_tree *tree = shell_tree_new(record->command, strlen(record->command));
    for (size_t i = 0; i < tree->count; i++) {
        cleanup_free const char **words = shell_tree_argv(&tree->nodes[i]);
        cleanup_free const char **core = wrapper_core(words, tree->nodes[i].word_count);
        cleanup_strbuf struct strbuf line = STRBUF_INIT;
        bool outside, connects;
        if (core == NULL || tree->nodes[i].kind != SHELL_COMMAND)
            continue;
        text_quote_argv(&line, core);
        assess(record, strbuf_str(&line), &outside, &connects);
        cleanup_free char *host = connects ? host_of(core) : NULL;
        if (host != NULL)
            json_object_set_new(hosts, host, json_true());
    }
    shell_tree_free(&tree);
    if (json_object_size(hosts) == 0)
        json_object_set_new(hosts, "unknown", json_true());
}

/* Has each host been allowed? Allows them. */
static bool hosts_are_known(struct replay *replay, const struct record *record, enum memory memory)
{
    cleanup_json json_t *hosts = json_object();
    bool known = true;
    const char *host;
    json_t *value;
    add_hosts(record, hosts);
    json_object_foreach(hosts, host, value)
    {
        cleanup_free char *key =
            xasprintf("%s\n%s", memory == PROJECT ? record->root : record->trace, host);
        known = known && json_object_get(replay->hosts[memory], key) != NULL;
        json_object_set_new(replay->hosts[memory], key, json_true());
    }
    return known && memory != NONE;
}

/* ---- showing --------------------------------------------------------------------------------- */

static void count_shown(struct replay *replay, const char *text)
{
    json_t *count = json_object_get(replay->shown, text);
    json_object_set_new(replay->shown, text,
                        json_integer(count != NULL ? json_integer_value(count) + 1 : 1));
}

/* Is it the POLICY/MEMORY of an option? */
static bool is_chosen(const char *option, enum policy policy, enum memory memory)
{
    cleanup_free char *which = xasprintf("%s/%s", policy_names[policy], memory_names[memory]);
    return option != NULL && strcmp(which, option) == 0;
}

/* --show POLICY/MEMORY: the parts that ask, with what is offered for the whole. */
static void show_question(struct replay *replay, const struct record *record, enum policy policy,
                          enum memory memory, const struct judgement *judgement)
{
    const char *const *amendment = (const char *const *)judgement->requirement.amendment;
    if (!is_chosen(replay->show, policy, memory))
        return;
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    if (amendment != NULL)
        text_quote_argv(&text, amendment);
    strbuf_addf(&text, "\t%s\t%.200s",
                judgement->opaque ? judgement->opaque_reason
                                  : (wording_english(judgement->requirement.reason)
                                         ?: "the sandbox would stop it"),
                record->command);
    count_shown(replay, strbuf_str(&text));
}

static void print_shown(const struct replay *replay)
{
    const char *text;
    json_t *count;
    json_object_foreach(replay->shown, text, count)
        printf("%6d  %s\n", (int)json_integer_value(count), text);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* The operator takes the rule that is offered first. */
static void remember(const struct judgement_facts *facts, bool stopped, enum memory memory,
                     struct rules *rules)
{
    struct ladder *ladder = ladder_new(facts, stopped);
    if (ladder == NULL)
        return;
    cleanup_free char *line =
        ladder_rule(ladder, ladder->first, memory == PROJECT ? LADDER_PROJECT : LADDER_SESSION);
    const struct rules_source source = {.path = "questions", .layer = RULES_SESSION};
    struct error error = ERROR_INIT;
    if (rules_add_text(rules, line, strlen(line), &source, &error) != 0)
        fprintf(stderr, "questions: %s\n", error.message);
    ladder_free(&ladder);
}

static bool is_asked(struct replay *replay, const struct record *record, enum policy policy,
                     enum memory memory)
{
    cleanup_free char *key = exact_key(record, memory);
    struct scope *scope = memory == NONE ? NULL : scope_of(replay, record, policy, memory);
    struct stage stage;
    struct judgement judgement;
    stage_set(replay, record, policy, scope != NULL ? scope->rules : NULL, &stage);
    judgement_make(&stage.facts, &judgement);
    bool asked = judgement.requirement.kind != REQUIREMENT_SKIP;
    bool outside = false, connects = false;
    if (policy == SANDBOX && !asked && !judgement.requirement.bypass_sandbox)
        assess(record, record->command, &outside, &connects);
    outside = outside || (policy == SANDBOX && !asked && works_elsewhere(record, &judgement));
    asked = asked || outside;
    if (asked && scope != NULL && json_object_get(replay->exact[policy][memory], key) != NULL)
        asked = false;
    if (asked && scope != NULL) {
        json_object_set_new(replay->exact[policy][memory], key, json_true());
        remember(&stage.facts, outside, memory, scope->rules);
    }
    if (connects && !hosts_are_known(replay, record, memory))
        asked = true;
    if (asked)
        show_question(replay, record, policy, memory, &judgement);
    if (asked && is_chosen(replay->sum, policy, memory))
        causes_add(replay->causes, &stage.facts, &judgement);
    judgement_clear(&judgement);
    stage_clear(&stage);
    return asked;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_wanted(const struct replay *replay, const char *agent)
{
    for (size_t i = 0; i < replay->agent_count; i++)
        if (strncmp(replay->agents[i], agent, strlen(replay->agents[i])) == 0)
            return true;
    return replay->agent_count == 0;
}

static void replay_record(struct replay *replay, const struct record *record)
{
    have_programs(replay, record);
    replay->commands++;
    for (enum policy policy = 0; policy < POLICIES; policy++)
        for (enum memory memory = 0; memory < MEMORIES; memory++)
            replay->asked[policy][memory] += is_asked(replay, record, policy, memory);
}

/* The root of the trace in which the directory lies; it is one itself when there is none. */
static const char *find_root(struct replay *replay, const char *trace, const char *cwd)
{
    json_t *roots = json_object_get(replay->roots, trace), *root;
    size_t i;
    if (roots == NULL)
        json_object_set_new(replay->roots, trace, roots = json_array());
    json_array_foreach(
        roots, i,
        root) if (cwd == NULL ||
                  path_is_beneath(cwd, json_string_value(root))) return json_string_value(root);
    json_array_append_new(roots, root = json_string(cwd != NULL ? cwd : replay->root));
    return json_string_value(root);
}

static void replay_line(struct replay *replay, const char *line, size_t length)
{
    struct error error = ERROR_INIT;
    struct record record = {.trace = NULL};
    const char *agent = "";
    cleanup_json json_t *object = json_parse(line, length, &error);
    if (object == NULL || json_get_string(object, "trace", &record.trace, &error) != 0 ||
        json_get_string(object, "command", &record.command, &error) != 0 ||
        json_get_string_optional(object, "cwd", &record.cwd, &error) != 0 ||
        json_get_string_optional(object, "agent", &agent, &error) != 0) {
        fprintf(stderr, "questions: %s\n", error.message);
        return;
    }
    if (!is_wanted(replay, agent))
        return;
    record.root = find_root(replay, record.trace, record.cwd);
    record.cwd = record.cwd != NULL ? record.cwd : record.root;
    replay_record(replay, &record);
}

static int replay_file(struct replay *replay, const char *path)
{
    size_t length;
    cleanup_free char *text = fd_read_file(path, FILE_MAX, false, &length);
    if (text == NULL) {
        perror(path);
        return -1;
    }
    for (char *line = text; *line != '\0';) {
        size_t width = strcspn(line, "\n");
        if (width > 0)
            replay_line(replay, line, width);
        line += width + (line[width] != '\0');
    }
    return 0;
}

/* ---- main ------------------------------------------------------------------------------------ */

static void replay_init(struct replay *replay)
{
    char template[] = "/var/tmp/questions-XXXXXX";
    if (mkdtemp(template) == NULL || chmod(template, 0755) != 0) {
        perror(template);
        exit(2);
    }
    replay->stubs = xstrdup(template);
    replay->search_path = xasprintf("/usr/local/bin:/usr/bin:/bin:%s", replay->stubs);
    replay->roots = json_object();
    replay->causes = causes_new();
    replay->shown = json_object();
    for (enum memory memory = 0; memory < MEMORIES; memory++)
        replay->hosts[memory] = json_object();
    for (enum policy policy = 0; policy < POLICIES; policy++)
        for (enum memory memory = 0; memory < MEMORIES; memory++)
            replay->exact[policy][memory] = json_object();
}

static void replay_clear(struct replay *replay)
{
    cleanup_free char *command = xasprintf("rm -r '%s'", replay->stubs);
    if (system(command) != 0)
        perror(replay->stubs);
    free(replay->stubs);
    free(replay->search_path);
    for (size_t i = 0; i < replay->scope_count; i++) {
        free(replay->scopes[i].name);
        rules_free(&replay->scopes[i].rules);
    }
    free(replay->scopes);
    json_decref(replay->roots);
    causes_free(&replay->causes);
    json_decref(replay->shown);
    for (enum memory memory = 0; memory < MEMORIES; memory++)
        json_decref(replay->hosts[memory]);
    for (enum policy policy = 0; policy < POLICIES; policy++)
        for (enum memory memory = 0; memory < MEMORIES; memory++)
            json_decref(replay->exact[policy][memory]);
}

static void print_totals(const struct replay *replay)
{
    printf("%zu commands; questions per 100: no memory, session, project\n", replay->commands);
    for (enum policy policy = 0; policy < POLICIES; policy++) {
        printf("%-10s", policy_names[policy]);
        for (enum memory memory = 0; memory < MEMORIES; memory++)
            printf(" %6.1f", 100.0 * (double)replay->asked[policy][memory] /
                                 (double)(replay->commands > 0 ? replay->commands : 1));
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"agent", required_argument, NULL, 'a'},
                                            {"root", required_argument, NULL, 'r'},
                                            {"show", required_argument, NULL, 's'},
                                            {"causes", required_argument, NULL, 'c'},
                                            {NULL, 0, NULL, 0}};
    struct replay replay = {.root = "/workspace"};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'a' && replay.agent_count < AGENTS_MAX)
            replay.agents[replay.agent_count++] = optarg;
        else if (option == 'r')
            replay.root = optarg;
        else if (option == 's')
            replay.show = optarg;
        else if (option == 'c')
            replay.sum = optarg;
        else
            return 2;
    }
    int result = 0;
    replay_init(&replay);
    for (int i = optind; i < argc; i++)
        result |= replay_file(&replay, argv[i]);
    if (replay.show != NULL)
        print_shown(&replay);
    causes_print(replay.causes, replay.commands);
    print_totals(&replay);
    replay_clear(&replay);
    return result != 0;
}
