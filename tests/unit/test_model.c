/* SPDX-License-Identifier: MIT */
/* The model against a server that answers as each dialect does, and as none should. */
#include "config.h"

#include "risk/model.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "http_fixture.h"

#define OK "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
#define GOOD                                                                                       \
    "{\\\"description\\\":\\\"Deletes.\\\",\\\"risk_level\\\":\\\"high\\\","                       \
    "\\\"risk_categories\\\":[\\\"data_deletion\\\"]}"
#define CHAT(text) OK "{\"choices\":[{\"message\":{\"content\":\"" text "\"}}]}"
#define RESPONSES(text)                                                                            \
    OK "{\"output\":[{\"type\":\"reasoning\"},{\"type\":\"message\",\"content\":[{\"type\":"       \
       "\"output_text\",\"text\":\"" text "\"}]}]}"

struct world {
    struct loop *loop;
    struct http_fixture *server;
    struct model *model;
    struct opinion opinion; /* of the last answer */
    size_t answers;
};

static int set_up(void **state)
{
    struct world *world = XNEW(struct world);
    world->loop = loop_new(NULL);
    world->server = http_fixture_new(world->loop);
    unsetenv("http_proxy");
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    model_free(&world->model);
    http_fixture_free(&world->server);
    loop_free(&world->loop);
    free(world);
    return 0;
}

static void start(struct world *world, enum model_dialect dialect, int64_t total_ms)
{
    char url[64];
    struct error error = ERROR_INIT;
    snprintf(url, sizeof(url), "http://127.0.0.1:%d/v1", http_fixture_port(world->server));
    const struct model_options options = {.url = url,
                                          .name = "tester",
                                          .key = "sk-key-of-the-test-0000",
                                          .dialect = dialect,
                                          .connect_ms = 60000,
                                          .total_ms = total_ms,
                                          .concurrency = 1};
    world->model = model_new(world->loop, &options, &error);
    assert_non_null(world->model);
}

static void on_answer(void *argument, const struct opinion *opinion)
{
    struct world *world = argument;
    world->opinion = *opinion;
    world->answers++;
}

static void ask(struct world *world, const char *line)
{
    const char *const argv[] = {"bash", "-lc", line, NULL};
    const struct model_question question = {.argv = argv,
                                            .line = line,
                                            .cwd = "/home/op/project",
                                            .sandbox = "workspace-write (network off)"};
    model_ask(world->model, &question, on_answer, world);
}

/* Until so many answers are there; a test that hangs fails by its turns. */
static void wait_for(struct world *world, size_t answers)
{
    for (int turns = 0; world->answers < answers && turns < 20000; turns++)
        loop_step(world->loop, 50);
    assert_int_equal(world->answers, answers);
}

static void reply_with(struct world *world, const char *text)
{
    struct http_fixture_reply reply = {.manner = HTTP_FIXTURE_ANSWER, .text = text};
    http_fixture_script(world->server, &reply, 1);
}

/* ---- answers --------------------------------------------------------------------------------- */

static const struct {
    enum model_dialect dialect;
    const char *answer;
} good[] = {
    {MODEL_CHAT, CHAT(GOOD)},
    {MODEL_RESPONSES, RESPONSES(GOOD)},
    {MODEL_CHAT, OK "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\r\n\r\n"
                    "data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"description\\\":"
                    "\\\"Deletes.\\\",\"}}]}\n\n: ping\n\n"
                    "data: {\"choices\":[{\"delta\":{\"content\":\"\\\"risk_level\\\":\\\"high\\\","
                    "\\\"risk_categories\\\":[\\\"data_deletion\\\"]}\"}}]}\n\ndata: [DONE]\n\n"},
    {MODEL_RESPONSES,
     OK "event: response.created\ndata: {\"type\":\"response.created\"}\n\n"
        "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\","
        "\"delta\":\"" GOOD "\"}\n\n"
        "event: response.completed\ndata: {\"type\":\"response.completed\"}\n\n"},
};

static void each_dialect_is_understood(void **state)
{
    struct world *world = *state;
    for (size_t i = 0; i < COUNT(good); i++) {
        model_free(&world->model);
        start(world, good[i].dialect, 60000);
        reply_with(world, good[i].answer);
        ask(world, "rm -rf build");
        wait_for(world, i + 1);
        assert_int_equal(world->opinion.status, OPINION_SUCCESS);
        assert_int_equal(world->opinion.level, RISK_HIGH);
        assert_int_equal(world->opinion.categories, RISK_DATA_DELETION);
        assert_string_equal(world->opinion.description, "Deletes.");
        assert_true(world->opinion.latency_ms >= 0);
    }
}

static void the_request_is_what_the_dialect_wants(void **state)
{
    static const struct {
        enum model_dialect dialect;
        const char *parts[6];
    } rows[] = {
        {MODEL_CHAT,
         {"POST /v1/chat/completions ", "\"response_format\":", "\"strict\":true",
          "\"additionalProperties\":false", "\"model\":\"tester\"", "workspace-write"}},
        {MODEL_RESPONSES,
         {"POST /v1/responses ", "\"text\":{\"format\":", "\"store\":false",
          "\"additionalProperties\":false", "Authorization: Bearer sk-key-of-the-test-0000",
          "/home/op/project"}},
    };
    struct world *world = *state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        model_free(&world->model);
        start(world, rows[i].dialect, 60000);
        reply_with(world, CHAT(GOOD));
        ask(world, "ls");
        wait_for(world, i + 1);
        for (size_t j = 0; j < COUNT(rows[i].parts); j++)
            assert_non_null(strstr(http_fixture_last(world->server), rows[i].parts[j]));
    }
}

static void secrets_stay_here(void **state)
{
    struct world *world = *state;
    start(world, MODEL_CHAT, 60000);
    reply_with(world, CHAT(GOOD));
    ask(world, "API_TOKEN=s3cr3t-1 curl -u bob:s3cr3t-2 -H 'Authorization: Basic s3cr3t-3' "
               "https://bob:s3cr3t-4@x.example/ --password s3cr3t-5");
    wait_for(world, 1);
    assert_null(strstr(http_fixture_last(world->server), "s3cr3t"));
    assert_non_null(strstr(http_fixture_last(world->server), "x.example"));

    /* Nor does the rest of one that is cut: what is left out may have said what it is. */
    cleanup_strbuf struct strbuf longer = STRBUF_INIT;
    strbuf_addf(&longer, "echo %09000d; API_TOKEN='", 0);
    for (int i = 0; i < 400; i++)
        strbuf_addstr(&longer, "s3cr3t");
    strbuf_addf(&longer, "' ls %07500d", 0);
    ask(world, strbuf_str(&longer));
    wait_for(world, 2);
    assert_null(strstr(http_fixture_last(world->server), "s3cr3t"));
    assert_non_null(strstr(http_fixture_last(world->server), " bytes left out] "));
}

/* ---- misbehaviour ---------------------------------------------------------------------------- */

#define BAD(json) CHAT(json)
static const struct {
    const char *what, *answer;
    enum opinion_status status;
} bad[] = {
    {"500", "HTTP/1.1 500 Oops\r\nConnection: close\r\n\r\nno", OPINION_MODEL_ERROR},
    {"401", "HTTP/1.1 401 No\r\nConnection: close\r\n\r\n{}", OPINION_MODEL_ERROR},
    {"redirect", "HTTP/1.1 302 Go\r\nLocation: http://127.0.0.1:1/\r\nConnection: close\r\n\r\n",
     OPINION_MODEL_ERROR},
    {"not HTTP", "SSH-2.0-OpenSSH_9.9\r\n", OPINION_MODEL_ERROR},
    {"empty", OK, OPINION_PARSE_ERROR},
    {"cut off", OK "{\"choices\":[{\"message\":{\"cont", OPINION_PARSE_ERROR},
    {"invalid UTF-8", OK "{\"choices\":[{\"message\":{\"content\":\"\xff\xfe\"}}]}",
     OPINION_PARSE_ERROR},
    {"an array", OK "[1]", OPINION_PARSE_ERROR},
    {"another shape", OK "{\"text\":\"low\"}", OPINION_PARSE_ERROR},
    {"an error", OK "{\"error\":{\"message\":\"no such model\"}}", OPINION_MODEL_ERROR},
    {"no text", OK "{\"choices\":[{\"message\":{\"content\":\"\"}}]}", OPINION_NO_OUTPUT},
    {"no choices", OK "{\"choices\":[]}", OPINION_NO_OUTPUT},
    {"prose", BAD("This is safe. risk: low"), OPINION_PARSE_ERROR},
    {"fenced", BAD("```json {}```"), OPINION_PARSE_ERROR},
    {"inner cut off", BAD("{\\\"description\\\":\\\"x"), OPINION_PARSE_ERROR},
    {"unknown key",
     BAD("{\\\"description\\\":\\\"x\\\",\\\"risk_level\\\":\\\"low\\\","
         "\\\"approve\\\":true}"),
     OPINION_PARSE_ERROR},
    {"wrong level", BAD("{\\\"description\\\":\\\"x\\\",\\\"risk_level\\\":\\\"none\\\"}"),
     OPINION_PARSE_ERROR},
    {"level of a wrong type", BAD("{\\\"description\\\":\\\"x\\\",\\\"risk_level\\\":0}"),
     OPINION_PARSE_ERROR},
    {"wrong category",
     BAD("{\\\"description\\\":\\\"x\\\",\\\"risk_level\\\":\\\"low\\\","
         "\\\"risk_categories\\\":[\\\"fun\\\"]}"),
     OPINION_PARSE_ERROR},
    {"no description", BAD("{\\\"risk_level\\\":\\\"low\\\"}"), OPINION_PARSE_ERROR},
    {"the same key twice",
     BAD("{\\\"description\\\":\\\"x\\\",\\\"risk_level\\\":\\\"high\\\","
         "\\\"risk_level\\\":\\\"low\\\"}"),
     OPINION_PARSE_ERROR},
    {"an error in a stream", OK "data: {\"type\":\"response.failed\"}\n\n", OPINION_MODEL_ERROR},
    {"a broken stream", OK "data: {\"typ\n\n", OPINION_PARSE_ERROR},
};

static void misbehaviour_is_named(void **state)
{
    struct world *world = *state;
    start(world, MODEL_CHAT, 60000);
    for (size_t i = 0; i < COUNT(bad); i++) {
        reply_with(world, bad[i].answer);
        ask(world, bad[i].what);
        wait_for(world, i + 1);
        if (world->opinion.status != bad[i].status)
            print_error("%s: %s (%s)\n", bad[i].what, opinion_status_name(world->opinion.status),
                        world->opinion.detail);
        assert_int_equal(world->opinion.status, bad[i].status);
    }
}

static void too_long_a_description_is_refused(void **state)
{
    struct world *world = *state;
    cleanup_strbuf struct strbuf answer = STRBUF_INIT;
    start(world, MODEL_CHAT, 60000);
    strbuf_addstr(&answer, OK "{\"choices\":[{\"message\":{\"content\":\"{\\\"risk_level\\\":"
                              "\\\"low\\\",\\\"description\\\":\\\"");
    for (int i = 0; i < 501; i++)
        strbuf_addstr(&answer, "\xc3\xa4");
    strbuf_addstr(&answer, "\\\"}\"}}]}");
    reply_with(world, strbuf_str(&answer));
    ask(world, "ls");
    wait_for(world, 1);
    assert_int_equal(world->opinion.status, OPINION_PARSE_ERROR);
}

static void a_flood_is_cut_off(void **state)
{
    struct world *world = *state;
    struct http_fixture_reply flood = {.manner = HTTP_FIXTURE_FLOOD,
                                       .text =
                                           "HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n"};
    start(world, MODEL_CHAT, 60000);
    http_fixture_script(world->server, &flood, 1);
    ask(world, "ls");
    wait_for(world, 1);
    assert_int_equal(world->opinion.status, OPINION_MODEL_ERROR);
    assert_non_null(strstr(world->opinion.detail, "too long"));
}

static void silence_is_a_timeout(void **state)
{
    struct world *world = *state;
    struct http_fixture_reply silence = {.manner = HTTP_FIXTURE_SILENCE};
    start(world, MODEL_CHAT, 120);
    http_fixture_script(world->server, &silence, 1);
    ask(world, "ls");
    assert_int_equal(world->answers, 0); /* asking waits for nothing */
    wait_for(world, 1);
    assert_int_equal(world->opinion.status, OPINION_TIMEOUT);
}

static void a_reset_is_tried_once_more(void **state)
{
    struct world *world = *state;
    struct http_fixture_reply replies[] = {{.manner = HTTP_FIXTURE_RESET},
                                           {.manner = HTTP_FIXTURE_ANSWER, .text = CHAT(GOOD)},
                                           {.manner = HTTP_FIXTURE_RESET}};
    start(world, MODEL_CHAT, 60000);
    http_fixture_script(world->server, replies, 3);
    ask(world, "ls");
    wait_for(world, 1);
    assert_int_equal(world->opinion.status, OPINION_SUCCESS);
    assert_int_equal(http_fixture_requests(world->server), 2);
    ask(world, "ls -l");
    wait_for(world, 2);
    assert_int_equal(world->opinion.status, OPINION_MODEL_ERROR);
    assert_int_equal(http_fixture_requests(world->server), 4);
}

static void a_server_that_asks_to_wait_is_left_alone(void **state)
{
    struct world *world = *state;
    start(world, MODEL_CHAT, 60000);
    reply_with(world,
               "HTTP/1.1 429 Later\r\nRetry-After: 60\r\nConnection: close\r\n\r\n{\"a\":1}");
    ask(world, "ls");
    wait_for(world, 1);
    assert_int_equal(world->opinion.status, OPINION_MODEL_ERROR);
    ask(world, "ls -l");
    assert_int_equal(world->answers, 2);
    assert_int_equal(world->opinion.status, OPINION_MODEL_ERROR);
    assert_int_equal(http_fixture_requests(world->server), 1);
}

/* ---- what is asked, and how often ------------------------------------------------------------ */

static void answers_are_kept(void **state)
{
    struct world *world = *state;
    start(world, MODEL_CHAT, 60000);
    reply_with(world, CHAT(GOOD));
    ask(world, "make");
    wait_for(world, 1);
    ask(world, "make");
    assert_int_equal(world->answers, 2);
    assert_int_equal(world->opinion.status, OPINION_SUCCESS);
    assert_int_equal(http_fixture_requests(world->server), 1);
    ask(world, "make all");
    wait_for(world, 3);
    assert_int_equal(http_fixture_requests(world->server), 2);
}

static void failures_are_not_kept(void **state)
{
    struct world *world = *state;
    start(world, MODEL_CHAT, 60000);
    reply_with(world, OK "{}");
    ask(world, "make");
    wait_for(world, 1);
    reply_with(world, CHAT(GOOD));
    ask(world, "make");
    wait_for(world, 2);
    assert_int_equal(world->opinion.status, OPINION_SUCCESS);
}

static void only_so_many_at_a_time(void **state)
{
    struct world *world = *state;
    start(world, MODEL_CHAT, 60000);
    reply_with(world, CHAT(GOOD));
    ask(world, "a");
    ask(world, "b");
    ask(world, "c");
    wait_for(world, 3);
    assert_int_equal(http_fixture_requests(world->server), 3);
    assert_int_equal(http_fixture_most_open(world->server), 1);
}

static void too_many_questions_are_turned_away(void **state)
{
    struct world *world = *state;
    struct http_fixture_reply silence = {.manner = HTTP_FIXTURE_SILENCE};
    char line[32];
    start(world, MODEL_CHAT, 60000);
    http_fixture_script(world->server, &silence, 1);
    for (int i = 0; i < 100; i++) {
        snprintf(line, sizeof(line), "echo %d", i);
        ask(world, line);
    }
    assert_int_equal(world->answers, 36);
    assert_int_equal(world->opinion.status, OPINION_MODEL_ERROR);
}

static void addresses_of_others_need_tls(void **state)
{
    static const char *const urls[] = {"http://x.example/v1",
                                       "ftp://localhost/",
                                       "localhost",
                                       "http://localhost.x.example/v1",
                                       "http://127.0.0.1@x.example/v1",
                                       "file:///etc/passwd"};
    struct world *world = *state;
    for (size_t i = 0; i < COUNT(urls); i++) {
        struct error error = ERROR_INIT;
        const struct model_options options = {.url = urls[i], .name = "x"};
        struct model *model = model_new(world->loop, &options, &error);
        assert_null(model);
        assert_string_not_equal(error.message, "");
    }
}

/* ---- the key --------------------------------------------------------------------------------- */

static void write_key(const char *path, const char *text, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(fchmod(fd, mode), 0);
    close(fd);
}

static void key_files_are_private(void **state)
{
    char directory[] = "/tmp/assent-key-XXXXXX";
    struct error error = ERROR_INIT;
    (void)state;
    assert_non_null(mkdtemp(directory));
    cleanup_free char *path = xasprintf("%s/key", directory);
    write_key(path, "abc123\n", 0600);
    cleanup_free char *key = model_read_key(NULL, path, &error);
    assert_string_equal(key, "abc123");
    write_key(path, "abc123\n", 0640);
    assert_null(model_read_key(NULL, path, &error));
    assert_non_null(strstr(error.message, "chmod 600"));
    write_key(path,
              "abc\x01"
              "123\n",
              0600);
    assert_null(model_read_key(NULL, path, &error));
    unlink(path);
    error = (struct error)ERROR_INIT;
    assert_null(model_read_key(NULL, path, &error));
    assert_string_not_equal(error.message, "");
    rmdir(directory);
}

static void a_variable_holds_the_key(void **state)
{
    struct error error = ERROR_INIT;
    (void)state;
    setenv("ASSENT_TEST_KEY", "k-1", 1);
    cleanup_free char *key = model_read_key("ASSENT_TEST_KEY", NULL, &error);
    assert_string_equal(key, "k-1");
    setenv("ASSENT_TEST_KEY", "k\r\nX-Evil: 1", 1);
    assert_null(model_read_key("ASSENT_TEST_KEY", NULL, &error));
    assert_null(strstr(error.message, "Evil"));
    unsetenv("ASSENT_TEST_KEY");
    error = (struct error)ERROR_INIT;
    assert_null(model_read_key("ASSENT_TEST_KEY", NULL, &error));
    assert_string_equal(error.message, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_dialect_is_understood),
        TEST(the_request_is_what_the_dialect_wants),
        TEST(secrets_stay_here),
        TEST(misbehaviour_is_named),
        TEST(too_long_a_description_is_refused),
        TEST(a_flood_is_cut_off),
        TEST(silence_is_a_timeout),
        TEST(a_reset_is_tried_once_more),
        TEST(a_server_that_asks_to_wait_is_left_alone),
        TEST(answers_are_kept),
        TEST(failures_are_not_kept),
        TEST(only_so_many_at_a_time),
        TEST(too_many_questions_are_turned_away),
        TEST(addresses_of_others_need_tls),
        cmocka_unit_test(key_files_are_private),
        cmocka_unit_test(a_variable_holds_the_key),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
