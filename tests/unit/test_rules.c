/* SPDX-License-Identifier: MIT */
/* Rule files: what is taken, what is refused and where, what matches. */
#include "config.h"

#include "command/rules.h"
#include "command/rules_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"

static const struct rules_source source = {.path = "f.rules", .layer = RULES_USER};

static struct rules *load(const char *text)
{
    struct rules *rules = rules_new();
    struct error error = ERROR_INIT;
    if (rules_add_text(rules, text, strlen(text), &source, &error) != 0)
        fail_msg("%s", error.message);
    return rules;
}

/* ---- what is refused ---------------------------------------------------------------------- */

static const struct {
    const char *text;
    const char *message; /* the beginning, behind the file's name */
} bad[] = {
    {"prefix_rule(pattern=[])", "1:21: pattern must not be empty"},
    {"prefix_rule(pattern=\"ls\")", "1:21: pattern must be a list"},
    {"prefix_rule(pattern=[\"ls\", 1])", "1:28: a word of the pattern must be"},
    {"prefix_rule(pattern=[\"ls\", []])", "1:28: a list of alternatives"},
    {"prefix_rule(pattern=[\"ls\", [[\"a\"]]])", "1:29: an alternative must be a string"},
    {"\n  \nprefix_rule(pattern=[\"ls\"], decision=\"deny\")", "3:38: unknown decision \"deny\""},
    {"prefix_rule(pattern=[\"ls\"], decision=\"Allow\")", "1:38: unknown decision"},
    {"prefix_rule(pattern=[\"ls\"], decision=None)", "1:38: decision must be a string"},
    {"prefix_rule(pattern=[\"ls\"], justification=\" \t\")", "1:43: justification must not"},
    {"prefix_rule(pattern=[\"ls\"], reason=\"x\")", "1:29: prefix_rule has no argument reason"},
    {"prefix_rule(pattern=[\"ls\"], pattern=[\"x\"])", "1:29: pattern is given twice"},
    {"prefix_rule([\"ls\"], pattern=[\"x\"])", "1:21: pattern is given twice"},
    {"prefix_rule(pattern=[\"ls\"], \"allow\")", "1:29: an argument without a name"},
    {"prefix_rule(decision=\"allow\")", "1:1: prefix_rule needs the argument pattern"},
    {"prefix_rule(pattern=[\"ls\"]", "1:27: the file ends where ',' or ')'"},
    {"prefix_rule(pattern=[\"ls\"\n", "2:1: the file ends where ',' or ']'"},
    {"prefix_rule(pattern=[\"l\ns\"])", "1:24: the line ends inside a string"},
    {"prefix_rule(pattern=[\"\\x00\"])", "1:25: this escape names no character"},
    {"prefix_rule(pattern=[\"\xff\"])", "1:22: this string is not UTF-8"},
    {"prefix_rule(pattern=[\"a\" + \"b\"])", "1:26: unexpected '+': rule files hold literal"},
    {"prefix_rule(pattern=[x for x in [\"a\"]])", "1:22: x is not a literal"},
    {"prefix_rule(pattern=[\"a\" for x in [\"a\"]])", "1:26: expected ',' or ']' (compre"},
    {"prefix_rule(pattern=[f\"a\"])", "1:22: strings with the prefix f"},
    {"prefix_rule(pattern=(\"a\",))", "1:21: expected a value (lists are written [ ])"},
    {"prefix_rule(pattern=[\"a\"]) prefix_rule(pattern=[\"a\"])", "1:28: unexpected 'p' where the"},
    {" prefix_rule(pattern=[\"a\"])", "1:2: unexpected indentation"},
    {"for x in []:\n  pass", "1:1: 'for' is not supported: rule files hold literal calls only"},
    {"while True:\n", "1:1: 'while' is not supported"},
    {"def f():\n", "1:1: 'def' is not supported"},
    {"load(\"a\", \"b\")", "1:1: 'load' is not supported"},
    {"A = [\"ls\"]", "1:1: 'A =': variables are not supported"},
    {"rule(pattern=[\"a\"])", "1:1: there is no rule rule (prefix_rule,"},
    {"prefix_rule(pattern=[\"cargo\", \"test\"], match=[\"cargo build\"])",
     "1:47: this example of match is not matched"},
    {"prefix_rule(pattern=[\"cargo\"], not_match=[\"cargo build\"])",
     "1:43: this example of not_match is matched"},
    {"prefix_rule(pattern=[\"cargo\"], match=[\"'\"])", "1:39: this example has an open quote"},
    {"prefix_rule(pattern=[\"cargo\"], match=[\"\"])", "1:39: an example must not be empty"},
    {"prefix_rule(pattern=[\"cargo\"], match=\"cargo\")", "1:38: match must be a list"},
    {"prefix_rule(pattern=[\"a\"], sandbox=\"no\")", "1:36: sandbox must be"},
    {"prefix_rule(pattern=[\"a\"], decision=\"prompt\", sandbox=\"keep\")", "1:55: sandbox goes"},
    {"prefix_rule(pattern=[\"a\"], redirect=\"any\")", "1:37: redirect must be"},
    {"prefix_rule(pattern=[\"a\"], redirect=\"workspace\")", "1:37: redirect goes with"},
    {"prefix_rule(pattern=[\"a\"], exact=1)", "1:34: exact must be True or False"},
    {"prefix_rule(pattern=[\"a\"], shadow=\"yes\")", "1:35: shadow must be True or False"},
    {"prefix_rule(pattern=[\"a\"], cwd=\"x\")", "1:32: cwd must be an absolute path"},
    {"prefix_rule(pattern=[\"a\"], project_id=\"1:2\")", "1:39: project_id goes with project"},
    {"host_executable(name=\"git\", paths=[\"bin/git\"])", "1:36: bin/git is not an absolute"},
    {"host_executable(name=\"git\", paths=[\"/bin/got\"])", "1:36: /bin/got does not end in /git"},
    {"host_executable(name=\"a/git\", paths=[])", "1:22: name must be the bare name"},
    {"network_rule(host=\"https://x\", protocol=\"https\", decision=\"allow\")", "1:19: host must"},
    {"network_rule(host=\"*.x\", protocol=\"https\", decision=\"allow\")", "1:19: host must"},
    {"network_rule(host=\"a b\", protocol=\"https\", decision=\"allow\")", "1:19: host must"},
    {"network_rule(host=\"\", protocol=\"https\", decision=\"allow\")", "1:19: host must"},
    {"network_rule(host=\"x\", protocol=\"tcp\", decision=\"allow\")", "1:33: unknown protocol"},
    {"network_rule(host=\"x.y\", protocol=\"http\", decision=\"allow\", subdomains=[\"*\"])",
     "1:73: subdomains that are allowed"},
    {"network_rule(host=\"x.y\", protocol=\"http\", decision=\"deny\", subdomains=[\"a/\"])",
     "1:72: a subdomain is"},
    {"network_rule(host=\"x.y\", protocol=\"http\", decision=\"deny\", subdomains=[\"\"])",
     "1:72: a subdomain is"},
    {"network_rule(host=\"x.y\", protocol=\"http\", decision=\"deny\", subdomains=[\".a\"])",
     "1:72: a subdomain is"},
    {"network_rule(host=\"x.y\", protocol=\"http\", decision=\"deny\", subdomains=\"a\")",
     "1:71: subdomains must be a list"},
    {"network_rule(host=\"x.y\", protocol=\"http\", decision=\"deny\", shadow=\"a\")",
     "1:67: shadow must be True or False"},
    {"\xc3\xa4 \xc3\xa4", "1:1: unexpected character"},
    {"prefix_rule(pattern=[\"\xc3\xa4\xc3\xb6\", 1])", "1:28: a word of the pattern"},
};

static enum rule_decision network_says(const struct rules *rules, const char *host,
                                       const char *protocol)
{
    struct rules_connection connection = {.host = host, .protocol = protocol, .port = "443"};
    return rules_match_network(rules, &connection);
}

static void refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct rules *rules = rules_new();
        struct error error = ERROR_INIT;
        cleanup_free char *wanted = xasprintf("f.rules:%s", bad[i].message);
        if (rules_add_text(rules, bad[i].text, strlen(bad[i].text), &source, &error) == 0)
            fail_msg("taken: %s", bad[i].text);
        if (strncmp(error.message, wanted, strlen(wanted)) != 0)
            fail_msg("%s\n  says %s\n  not  %s", bad[i].text, error.message, wanted);
        rules_free(&rules);
    }
}

/* A file with an error adds nothing, also not what stands before it. */
static void all_or_nothing(void **state)
{
    (void)state;
    struct rules *rules = load("prefix_rule(pattern=[\"a\"])\n");
    static const char text[] =
        "prefix_rule(pattern=[\"b\"])\nhost_executable(name=\"a\", paths=[])\n"
        "network_rule(host=\"h\", protocol=\"http\", decision=\"deny\")\nx";
    assert_int_equal(rules_add_text(rules, text, strlen(text), &source, NULL), -1);
    assert_int_equal(rules_count(rules), 1);
    assert_int_equal(network_says(rules, "h", "http"), RULE_NONE);
    rules_free(&rules);
}

/* ---- what is taken ------------------------------------------------------------------------ */

static const char *const good[] = {
    "",
    "# only a comment",
    "\"\"\"What this\nfile is for.\"\"\"\n\n\t\n# more\nprefix_rule([\"ls\"], \"allow\")\n",
    "prefix_rule(\n  pattern = [\"ls\", # why\n  ['-l', r\"\\d\",],],\r\n)\r\n",
    "prefix_rule(pattern=[\"a\"]); prefix_rule(pattern=[\"b\"])",
    "prefix_rule(pattern=[\"a\"], justification=None, match=[\"a 'b c' d\\\\ e\", [\"a\", \"\"]])",
    "prefix_rule(pattern=[\"git\"], match=[\"/usr/bin/git x\"], not_match=[\"/opt/git\"])\n"
    "host_executable(name=\"git\", paths=[\"/usr/bin/git\", \"/usr/bin/git\"])",
    "prefix_rule(pattern=[\"a\"], sandbox=\"keep\", redirect=\"workspace\", exact=True, "
    "cwd=\"/x\", project=\"/x\", "
    "project_id=\"1:2\")",
    "network_rule(host=\"[::1]:80\", protocol=\"http-connect\", decision=\"deny\")",
    "prefix_rule(pattern=[\"a\"]) \\\n",
};

static void taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        struct rules *rules = load(good[i]);
        rules_free(&rules);
    }
}

static void escapes(void **state)
{
    (void)state;
    struct rules *rules = load("prefix_rule(pattern=[\"a\\tb\\x41\\u00e9\\101\\q\", '''x'y''', "
                               "r'\\n', \"p\\\nq\"])");
    const char *const argv[] = {"a\tbA\xc3\xa9"
                                "A\\q",
                                "x'y", "\\n", "pq", NULL};
    struct rules_matches matches = RULES_MATCHES_INIT;
    rules_match(rules, &(struct rules_query){.argv = argv}, &matches);
    assert_int_equal(matches.decision, RULE_ALLOW);
    rules_matches_clear(&matches);
    rules_free(&rules);
}

/* ---- what matches ------------------------------------------------------------------------- */

static const char host_rules[] = "host_executable(name=\"git\", paths=[\"/opt/git\"])\n"
                                 "host_executable(name=\"git\", paths=[\"/usr/bin/git\"])\n"
                                 "prefix_rule([\"git\", \"push\"], \"forbidden\")\n"
                                 "prefix_rule([\"git\"], \"allow\")\n"
                                 "prefix_rule([\"/usr/bin/git\", \"push\", \"-n\"], \"allow\")\n"
                                 "prefix_rule([\"ls\"], \"prompt\")\n";

static const char word_rules[] = "prefix_rule([\"git\", [\"status\", \"diff\"]])\n"
                                 "prefix_rule([\"git\", \"push\"], \"prompt\")\n"
                                 "prefix_rule([\"git\", \"push\", \"--force\"], \"forbidden\")\n"
                                 "prefix_rule([[\"npm\", \"yarn\"], [\"add\", \"ci\"], \"x\"])\n"
                                 "prefix_rule([\"echo\", \"\"])\n"
                                 "prefix_rule([\"cat\", \"*\"])\n"
                                 "prefix_rule([\"only\", \"this\"], exact=True)\n"
                                 "prefix_rule([\"here\"], cwd=\"/work space\")\n"
                                 "prefix_rule([\"mine\"], project=\"/p\", project_id=\"1:2\")\n";

static const struct {
    const char *rules, *words; /* words are separated by '|' */
    enum rules_mode mode;
    enum rule_decision decision;
    size_t count;
} rows[] = {
    {word_rules, "git|status|-s", RULES_BY_NAME, RULE_ALLOW, 1},
    {word_rules, "git", RULES_BY_NAME, RULE_NONE, 0},
    {word_rules, "git|statusx", RULES_BY_NAME, RULE_NONE, 0},
    {word_rules, "git|-C|x|status", RULES_BY_NAME, RULE_NONE, 0},
    {word_rules, "GIT|status", RULES_BY_NAME, RULE_NONE, 0},
    {word_rules, "git|push", RULES_BY_NAME, RULE_PROMPT, 1},
    {word_rules, "git|push|--force", RULES_BY_NAME, RULE_FORBIDDEN, 2},
    {word_rules, "git|push|origin|--force", RULES_BY_NAME, RULE_PROMPT, 1},
    {word_rules, "yarn|ci|x", RULES_BY_NAME, RULE_ALLOW, 1},
    {word_rules, "yarn|ci", RULES_BY_NAME, RULE_NONE, 0},
    {word_rules, "echo|", RULES_BY_NAME, RULE_ALLOW, 1},
    {word_rules, "echo", RULES_BY_NAME, RULE_NONE, 0},
    {word_rules, "cat|x", RULES_BY_NAME, RULE_NONE, 0},
    {word_rules, "cat|*", RULES_BY_NAME, RULE_ALLOW, 1},
    {word_rules, "only|this", RULES_BY_NAME, RULE_ALLOW, 1},
    {word_rules, "only|this|more", RULES_BY_NAME, RULE_NONE, 0},
    {word_rules, "here|x", RULES_BY_NAME, RULE_ALLOW, 1},
    {word_rules, "mine", RULES_BY_NAME, RULE_ALLOW, 1},
    /* paths */
    {host_rules, "/usr/bin/git|log", RULES_BY_NAME, RULE_NONE, 0},
    {host_rules, "/usr/bin/git|log", RULES_RESOLVING, RULE_ALLOW, 1},
    {host_rules, "/usr/lib/../bin/./git|log", RULES_RESOLVING, RULE_ALLOW, 1},
    {host_rules, "/usr/bin/git|push", RULES_RESOLVING, RULE_FORBIDDEN, 2},
    {host_rules, "/usr/bin/git|push|-n", RULES_RESOLVING, RULE_ALLOW, 1},
    {host_rules, "/usr/bin/git|push|-n", RULES_STRICT, RULE_FORBIDDEN, 2},
    {host_rules, "/opt/git|log", RULES_RESOLVING, RULE_NONE, 0},
    {host_rules, "/tmp/git|push", RULES_RESOLVING, RULE_NONE, 0},
    {host_rules, "/tmp/git|push", RULES_STRICT, RULE_FORBIDDEN, 1},
    {host_rules, "/tmp/git|log", RULES_STRICT, RULE_NONE, 0},
    {host_rules, "bin/ls", RULES_RESOLVING, RULE_PROMPT, 1},
    {host_rules, "git|push", RULES_RESOLVING, RULE_FORBIDDEN, 2},
};

static char **split(const char *words)
{
    size_t count = 0;
    char **argv = xcalloc(strlen(words) + 2, sizeof(*argv));
    for (;; words++) {
        size_t length = strcspn(words, "|");
        argv[count++] = xstrndup(words, length);
        words += length;
        if (*words == '\0')
            return argv;
    }
}

static void table(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rules *rules = load(rows[i].rules);
        cleanup_strv char **argv = split(rows[i].words);
        struct rules_matches matches = RULES_MATCHES_INIT;
        struct rules_query query = {.argv = (const char *const *)argv,
                                    .cwd = "/work space",
                                    .project = "/p",
                                    .project_id = "1:2",
                                    .mode = rows[i].mode};
        rules_match(rules, &query, &matches);
        if (matches.decision != rows[i].decision || matches.count != rows[i].count)
            fail_msg("%s: %s by %zu rules", rows[i].words, rule_decision_name(matches.decision),
                     matches.count);
        rules_matches_clear(&matches);
        rules_free(&rules);
    }
}

static void scopes(void **state)
{
    (void)state;
    struct rules *rules = load(word_rules);
    const char *const here[] = {"here", NULL}, *const mine[] = {"mine", NULL};
    struct rules_matches matches = RULES_MATCHES_INIT;
    rules_match(rules, &(struct rules_query){.argv = here, .cwd = "/elsewhere"}, &matches);
    rules_match(rules, &(struct rules_query){.argv = here}, &matches);
    rules_match(rules, &(struct rules_query){.argv = mine, .project = "/p"}, &matches);
    rules_match(rules, &(struct rules_query){.argv = mine, .project = "/p", .project_id = "1:3"},
                &matches);
    assert_int_equal(matches.count, 0);
    rules_matches_clear(&matches);
    rules_free(&rules);
}

/* In the order of the file, with the path that was resolved. */
static void all_are_reported(void **state)
{
    (void)state;
    struct rules *rules =
        load("prefix_rule([[\"a\", \"b\"], \"x\"], \"prompt\", justification=\"why\")"
             "\nprefix_rule([\"b\"])\n");
    const char *const argv[] = {"/bin/b", "x", NULL};
    struct rules_matches matches = RULES_MATCHES_INIT;
    rules_match(rules, &(struct rules_query){.argv = argv, .mode = RULES_RESOLVING}, &matches);
    assert_int_equal(matches.count, 2);
    assert_string_equal(matches.items[0].rule->justification, "why");
    assert_int_equal(matches.items[0].rule->line, 1);
    assert_int_equal(matches.items[0].rule->length, 2);
    assert_string_equal(matches.items[0].rule->first, "b");
    assert_string_equal(matches.items[0].resolved, "/bin/b");
    assert_int_equal(matches.items[1].rule->line, 2);
    assert_true(matches.items[1].rule->bypass);
    assert_string_equal(matches.items[1].rule->file, "f.rules");
    rules_matches_clear(&matches);
    rules_free(&rules);
}

/* A link of another name is what it leads to, for whoever forbids that. */
static void links(void **state)
{
    (void)state;
    struct rules *rules = load("prefix_rule([\"git\", \"push\"], \"forbidden\")\n"
                               "prefix_rule([\"git\"])\n");
    const char *const argv[] = {"g", "push", NULL};
    struct rules_matches matches = RULES_MATCHES_INIT;
    struct rules_query query = {.argv = argv, .real = "/usr/bin/git", .mode = RULES_STRICT};
    rules_match(rules, &query, &matches);
    assert_int_equal(matches.count, 1);
    assert_int_equal(matches.decision, RULE_FORBIDDEN);
    rules_matches_clear(&matches);
    rules_free(&rules);
}

/* What is not trusted may forbid and ask, and never allow or narrow. */
static void tighten_only(void **state)
{
    (void)state;
    struct rules *rules = rules_new();
    static const char text[] = "prefix_rule([\"a\"])\nprefix_rule([\"a\", \"b\"], \"prompt\")\n"
                               "host_executable(name=\"a\", paths=[])\n"
                               "network_rule(host=\"h\", protocol=\"http\", decision=\"allow\")\n"
                               "network_rule(host=\"i\", protocol=\"http\", decision=\"prompt\")\n";
    struct rules_source project = {.path = "p.rules", .layer = RULES_PROJECT, .tighten_only = true};
    assert_int_equal(rules_add_text(rules, text, strlen(text), &project, NULL), 0);
    assert_int_equal(rules_count(rules), 1);
    const char *const argv[] = {"/x/a", "b", NULL};
    struct rules_matches matches = RULES_MATCHES_INIT;
    rules_match(rules, &(struct rules_query){.argv = argv, .mode = RULES_RESOLVING}, &matches);
    assert_int_equal(matches.decision, RULE_PROMPT);
    assert_int_equal(network_says(rules, "h", "http"), RULE_NONE);
    assert_int_equal(network_says(rules, "i", "http"), RULE_PROMPT);
    rules_matches_clear(&matches);
    rules_free(&rules);
}

static void network(void **state)
{
    (void)state;
    struct rules *rules =
        load("network_rule(host=\"Example.ORG.:443\", protocol=\"https_connect\", "
             "decision=\"allow\")\n"
             "network_rule(host=\"[::1]:80\", protocol=\"http\", decision=\"prompt\")\n"
             "network_rule(\"example.org\", \"https\", \"deny\", \"why\")\n");
    assert_int_equal(rules_network_count(rules), 3);
    assert_int_equal(network_says(rules, "example.org", "https"), RULE_FORBIDDEN);
    assert_int_equal(network_says(rules, "::1", "http"), RULE_PROMPT);
    assert_int_equal(network_says(rules, "example.org", "http"), RULE_NONE);
    rules_free(&rules);
}

/* More ways through the alternatives than the index follows, and many rules of one program. */
static void many(void **state)
{
    (void)state;
    struct strbuf text = STRBUF_INIT;
    strbuf_addstr(&text, "prefix_rule([\"wide\"");
    for (int i = 0; i < 4; i++)
        strbuf_addstr(&text, ", [\"a\", \"b\", \"c\", \"d\", \"a\"]");
    strbuf_addstr(&text, "], \"forbidden\")\n");
    for (int i = 0; i < 5000; i++)
        strbuf_addf(&text, "prefix_rule([\"npm\", \"run\", \"task%d\"])\n", i);
    struct rules *rules = load(strbuf_str(&text));
    const char *const wide[] = {"wide", "d", "a", "c", "b", "more", NULL};
    const char *const not_wide[] = {"wide", "d", "a", "c", "e", NULL};
    const char *const task[] = {"npm", "run", "task4999", NULL};
    struct rules_matches matches = RULES_MATCHES_INIT;
    rules_match(rules, &(struct rules_query){.argv = wide}, &matches);
    assert_int_equal(matches.count, 1);
    rules_match(rules, &(struct rules_query){.argv = not_wide}, &matches);
    assert_int_equal(matches.count, 1);
    rules_match(rules, &(struct rules_query){.argv = task}, &matches);
    assert_int_equal(matches.count, 2);
    rules_matches_clear(&matches);
    rules_free(&rules);
    strbuf_free(&text);
}

static void prefixes(void **state)
{
    (void)state;
    struct rules *rules = rules_new();
    const char *const words[] = {"make", "test", NULL};
    const char *const argv[] = {"make", "test", "-j", NULL};
    struct rules_matches matches = RULES_MATCHES_INIT;
    rules_add_prefix(rules, words);
    rules_match(rules, &(struct rules_query){.argv = argv}, &matches);
    assert_int_equal(matches.count, 1);
    assert_false(matches.items[0].rule->bypass);
    assert_int_equal(matches.items[0].rule->layer, RULES_SESSION);
    rules_matches_clear(&matches);
    rules_free(&rules);
}

static void a_network_rule_lists_subdomains(void **state)
{
    (void)state;
    struct rules *rules =
        load("network_rule(host=\"x.org\", protocol=\"http\", decision=\"allow\", "
             "subdomains=[\"API\", \"a.b\"])\n"
             "network_rule(host=\"evil.x.org\", protocol=\"http\", decision=\"forbidden\", "
             "subdomains=[\"*\"])\n");
    assert_int_equal(network_says(rules, "x.org", "http"), RULE_ALLOW);
    assert_int_equal(network_says(rules, "api.x.org", "http"), RULE_ALLOW);
    assert_int_equal(network_says(rules, "a.b.x.org", "http"), RULE_ALLOW);
    assert_int_equal(network_says(rules, "b.x.org", "http"), RULE_NONE);
    assert_int_equal(network_says(rules, "c.api.x.org", "http"), RULE_NONE);
    assert_int_equal(network_says(rules, "apix.org", "http"), RULE_NONE);
    assert_int_equal(network_says(rules, "evil.x.org", "http"), RULE_FORBIDDEN);
    assert_int_equal(network_says(rules, "a.evil.x.org", "http"), RULE_FORBIDDEN);
    assert_int_equal(network_says(rules, "devil.x.org", "http"), RULE_NONE);
    rules_free(&rules);
}

static void network_rules_can_only_report(void **state)
{
    (void)state;
    struct rules *rules =
        load("network_rule(host=\"x.org\", protocol=\"http\", decision=\"allow\", shadow=True, "
             "subdomains=[\"api\"])\n"
             "network_rule(host=\"x.org\", protocol=\"http\", decision=\"prompt\")\n"
             "network_rule(host=\"x.org\", protocol=\"http\", decision=\"deny\", shadow=True)\n");
    struct rules_connection connection = {.host = "x.org", .protocol = "http", .port = "80"};
    struct rules_reach reach;
    assert_int_equal(network_says(rules, "x.org", "http"), RULE_PROMPT);
    assert_true(rules_match_network_shadow(rules, &connection, &reach));
    assert_int_equal(reach.decision, RULE_FORBIDDEN);
    assert_int_equal(reach.line, 3);
    connection.host = "api.x.org";
    assert_int_equal(network_says(rules, "api.x.org", "http"), RULE_NONE);
    assert_true(rules_match_network_shadow(rules, &connection, &reach));
    assert_int_equal(reach.decision, RULE_ALLOW);
    assert_int_equal(reach.line, 1);
    connection.host = "www.x.org";
    assert_false(rules_match_network_shadow(rules, &connection, &reach));
    rules_free(&rules);
}

static void network_rules_can_be_narrowed(void **state)
{
    (void)state;
    struct rules *rules = rules_new();
    struct rules_connection connection = {"example.org", "https", "443", "/p", "1:2"};
    cleanup_free char *line = rules_write_connection(&connection);
    assert_string_equal(line, "network_rule(host=\"example.org\", protocol=\"https\", "
                              "decision=\"allow\", port=\"443\", project=\"/p\", "
                              "project_id=\"1:2\")");
    assert_int_equal(rules_add_text(rules, line, strlen(line), &source, NULL), 0);
    assert_int_equal(rules_match_network(rules, &connection), RULE_ALLOW);
    connection.port = "80";
    assert_int_equal(rules_match_network(rules, &connection), RULE_NONE);
    connection.port = "443";
    connection.project_id = "1:3";
    assert_int_equal(rules_match_network(rules, &connection), RULE_NONE);
    static const char *const wrong[] = {
        "network_rule(host=\"h\", protocol=\"http\", decision=\"allow\", port=\"x\")",
        "network_rule(host=\"h\", protocol=\"http\", decision=\"allow\", project=\"p\")",
    };
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(rules_add_text(rules, wrong[i], strlen(wrong[i]), &source, NULL), -1);
    rules_free(&rules);
}

/* As many as there may be: each is found, and the last one said of a name holds. */
static void many_hosts_are_found(void **state)
{
    (void)state;
    struct strbuf text = STRBUF_INIT;
    struct rules *rules = rules_new();
    strbuf_addstr(&text, "prefix_rule(pattern=[\"tool0\"], decision=\"prompt\")\n");
    for (int i = 0; i < 3000; i++)
        strbuf_addf(&text, "host_executable(name=\"tool%d\", paths=[\"/usr/bin/tool%d\"])\n", i, i);
    strbuf_addstr(&text, "host_executable(name=\"tool0\", paths=[\"/opt/tool0\"])\n");
    assert_int_equal(rules_add_text(rules, text.data, text.length, &source, NULL), 0);
    static const char *const paths[] = {"/opt/tool0", "/usr/bin/tool0"};
    for (size_t i = 0; i < 2; i++) {
        const char *const argv[] = {paths[i], NULL};
        struct rules_query query = {.argv = argv, .mode = RULES_RESOLVING};
        struct rules_matches matches = RULES_MATCHES_INIT;
        rules_match(rules, &query, &matches);
        assert_int_equal(matches.count, i == 0 ? 1 : 0);
        rules_matches_clear(&matches);
    }
    strbuf_free(&text);
    rules_free(&rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(all_or_nothing),
        cmocka_unit_test(taken),
        cmocka_unit_test(escapes),
        cmocka_unit_test(table),
        cmocka_unit_test(scopes),
        cmocka_unit_test(all_are_reported),
        cmocka_unit_test(links),
        cmocka_unit_test(tighten_only),
        cmocka_unit_test(network),
        cmocka_unit_test(many),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(a_network_rule_lists_subdomains),
        cmocka_unit_test(network_rules_can_only_report),
        cmocka_unit_test(network_rules_can_be_narrowed),
        cmocka_unit_test(many_hosts_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
