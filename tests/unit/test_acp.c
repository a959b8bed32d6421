/* SPDX-License-Identifier: MIT */
/* acp: messages as the specification's pages show them (agentclientprotocol.com, version 1). */
#include "config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "agents/drive/acp.h"
#include "base/alloc.h"
#include "drive_fixture.h"

#define SESSION "\"sessionId\":\"sess_abc123def456\""
#define RESULT(id, result) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":" result "}"
#define FAILURE(id, code, message)                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":" code ",\"message\":\"" message "\"}" \
    "}"
#define REQUEST(id, method, params)                                                                \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"" method "\",\"params\":{" SESSION params "}" \
    "}"
#define UPDATE(update)                                                                             \
    "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{" SESSION                      \
    ",\"update\":" update "}}"
#define INITIALIZED                                                                                \
    "{\"protocolVersion\":1,\"agentCapabilities\":{\"loadSession\":true,\"promptCapabilities\":"   \
    "{\"image\":true,\"audio\":true,\"embeddedContext\":true},\"mcpCapabilities\":{\"http\":true," \
    "\"sse\":true}},\"agentInfo\":{\"name\":\"my-agent\",\"title\":\"My Agent\",\"version\":"      \
    "\"1.0.0\"},\"authMethods\":[]}"
#define MODES                                                                                      \
    "{" SESSION ",\"modes\":{\"currentModeId\":\"ask\",\"availableModes\":[{\"id\":\"ask\","       \
    "\"name\":\"Ask\",\"description\":\"Request permission before making any changes\"},"          \
    "{\"id\":\"code\",\"name\":\"Code\"}]}}"
#define OPTIONS                                                                                    \
    ",\"options\":[{\"optionId\":\"always\",\"name\":\"Reject\",\"kind\":\"allow_always\"},"       \
    "{\"optionId\":\"allow-once\",\"name\":\"Allow once\",\"kind\":\"allow_once\"},"               \
    "{\"optionId\":\"reject-once\",\"name\":\"Reject\",\"kind\":\"reject_once\"}]"
#define ASK(id, tool)                                                                              \
    REQUEST(id, "session/request_permission",                                                      \
            ",\"toolCall\":{\"toolCallId\":\"call_001\"" tool "}" OPTIONS)

/* A session that takes prompts; what was said until then is forgotten. */
static struct drive *ready(void **state)
{
    struct drive *drive = *state;
    drive_begin(drive, acp_new, NULL);
    drive_say(drive, RESULT("1", INITIALIZED));
    drive_say(drive, RESULT("2", MODES));
    drive_told(drive);
    return drive;
}

static struct drive *prompted(void **state)
{
    struct drive *drive = ready(state);
    agent_session_prompt(drive->session, "do it");
    drive_hear(drive);
    drive_told(drive);
    return drive;
}

/* ---- the session ---------------------------------------------------------------------------- */

static void a_session_begins(void **state)
{
    struct drive *drive = *state;
    drive_begin(drive, acp_new, NULL);
    const char *first = drive_hear(drive);
    drive_expect(
        first,
        "\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1,"
        "\"clientCapabilities\":{\"fs\":{\"readTextFile\":true,"
        "\"writeTextFile\":true},\"terminal\":true,\"elicitation\":{\"form\":{},\"url\":{}}},"
        "\"clientInfo\":{\"name\":"
        "\"assent\"");
    cleanup_free char *new =
        xasprintf("\"method\":\"session/new\",\"params\":{\"cwd\":\"%s\",\"mcpServers\":[{\"name\":"
                  "\"assent\",\"command\":\"/opt/assent\",\"args\":[\"mcp\"],\"env\":[{\"name\":"
                  "\"ASSENT_SOCKET\",\"value\":\"/run/x=y.sock\"}]}]}",
                  drive->directory);
    drive_expect(drive_say(drive, RESULT("1", INITIALIZED)), new);
    drive_say(drive, RESULT("2", MODES));
    assert_string_equal(drive_told(drive), "mode Ask\nready My Agent 1.0.0 sess_abc123def456\n");
    agent_session_prompt(drive->session, "Can you analyze this code?");
    drive_expect(drive_hear(drive),
                 "\"method\":\"session/prompt\",\"params\":{" SESSION ",\"prompt\":[{\"type\":"
                 "\"text\",\"text\":\"Can you analyze this code?\"}]}");
    drive_say(drive, RESULT("3", "{\"stopReason\":\"end_turn\"}"));
    assert_string_equal(drive_told(drive),
                        "operator: Can you analyze this code?\nturn ended well\n");
}

static void a_session_goes_on(void **state)
{
    struct drive *drive = *state;
    drive_begin(drive, acp_new, "sess_abc123def456");
    drive_expect(drive_say(drive, RESULT("1", INITIALIZED)), "\"method\":\"session/load\"");
    drive_say(drive, UPDATE("{\"sessionUpdate\":\"user_message_chunk\",\"content\":{\"type\":"
                            "\"text\",\"text\":\"What's the capital of France?\"}}"));
    drive_say(drive, UPDATE("{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":"
                            "\"text\",\"text\":\"The capital of France is Paris.\"}}"));
    drive_say(drive, RESULT("2", "null"));
    assert_string_equal(drive_told(drive),
                        "operator: What's the capital of France?\nagent: The capital of France is "
                        "Paris.\nready My Agent 1.0.0 sess_abc123def456\n");
}

static void what_cannot_go_on_says_so(void **state)
{
    struct drive *drive = *state;
    drive_begin(drive, acp_new, "old");
    drive_say(drive, RESULT("1", "{\"protocolVersion\":1}"));
    assert_string_equal(drive_told(drive),
                        "ended: this agent cannot go on with an earlier session\n");
}

static void another_version_is_refused(void **state)
{
    struct drive *drive = *state;
    drive_begin(drive, acp_new, NULL);
    drive_say(drive, RESULT("1", "{\"protocolVersion\":2}"));
    drive_expect(drive_told(drive), "ended: the agent speaks another version");
}

static void the_operator_logs_in(void **state)
{
    struct drive *drive = *state;
    drive_begin(drive, acp_new, NULL);
    drive_say(drive, RESULT("1", "{\"protocolVersion\":1,\"authMethods\":[{\"id\":\"agent-login\","
                                 "\"name\":\"Agent login\",\"description\":null}]}"));
    drive_say(drive, FAILURE("2", "-32000", "Authentication required"));
    drive_expect(drive_told(drive), "/auth agent-login   Agent login\n");
    assert_false(agent_session_authenticate(drive->session, "other"));
    assert_true(agent_session_authenticate(drive->session, "agent-login"));
    drive_expect(drive_hear(drive),
                 "\"method\":\"authenticate\",\"params\":{\"methodId\":\"agent-login\"}");
    drive_expect(drive_say(drive, RESULT("3", "{}")), "\"method\":\"session/new\"");
}

static void modes_change(void **state)
{
    struct drive *drive = ready(state);
    assert_false(agent_session_set_mode(drive->session, "none"));
    assert_true(agent_session_set_mode(drive->session, "Code"));
    drive_expect(drive_hear(drive),
                 "\"method\":\"session/set_mode\",\"params\":{" SESSION ",\"modeId\":\"code\"}");
    drive_say(drive,
              UPDATE("{\"sessionUpdate\":\"current_mode_update\",\"currentModeId\":\"ask\"}"));
    assert_string_equal(drive_told(drive), "mode Code\nmode Ask\n");
}

static void every_kind_of_update_is_shown(void **state)
{
    struct drive *drive = prompted(state);
    static const char *const updates[] = {
        UPDATE("{\"sessionUpdate\":\"agent_thought_chunk\",\"content\":{\"type\":\"text\",\"text\":"
               "\"hm\"}}"),
        UPDATE("{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"resource_link\","
               "\"uri\":\"file:///a\",\"name\":\"a\"}}"),
        UPDATE("{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"image\","
               "\"mimeType\":\"image/png\",\"data\":\"iVBO\"}}"),
        UPDATE("{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"call_001\",\"title\":"
               "\"Reading configuration file\",\"kind\":\"read\",\"status\":\"pending\"}"),
        UPDATE(
            "{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"call_001\",\"content\":[]}"),
        UPDATE("{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"call_001\",\"status\":"
               "\"completed\"}"),
        UPDATE(
            "{\"sessionUpdate\":\"plan\",\"entries\":[{\"content\":\"Check syntax\",\"priority\":"
            "\"high\",\"status\":\"completed\"},{\"content\":\"Fix it\",\"priority\":\"medium\","
            "\"status\":\"in_progress\"}]}"),
        UPDATE("{\"sessionUpdate\":\"available_commands_update\",\"availableCommands\":[]}"),
        UPDATE("{\"sessionUpdate\":\"of_a_later_version\",\"x\":1}"),
        UPDATE("{\"sessionUpdate\":7}"),
        UPDATE("null"),
        "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"another\","
        "\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\","
        "\"text\":\"not ours\"}}}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"_vendor/thing\",\"params\":{}}",
    };
    for (size_t i = 0; i < sizeof(updates) / sizeof(updates[0]); i++)
        assert_string_equal(drive_say(drive, updates[i]), "");
    assert_string_equal(drive_told(drive),
                        "thought: hm\nagent: [file:///a]\nagent: [image]\ntool pending: Reading "
                        "configuration file\ntool completed: Reading configuration file\nstep x "
                        "Check syntax\nstep > Fix it\n");
}

/* ---- permission ----------------------------------------------------------------------------- */

static void permission_is_the_consoles(void **state)
{
    struct drive *drive = prompted(state);
    const char *said = drive_say(drive, ASK("\"uuid-5\"", ",\"title\":\"Create it\",\"kind\":"
                                                          "\"execute\",\"rawInput\":{\"command\":"
                                                          "\"make it\",\"description\":\"why\"}"));
    assert_string_equal(said, "");
    assert_int_equal(drive->asker.count, 1);
    drive_expect(drive->asker.asked[0].params,
                 "\"justification\":\"why (answers offered: Reject, Allow once, Reject)\"");
    drive_expect(drive->asker.asked[0].params, "\"script\":\"make it\"");
    drive_expect(drive->asker.asked[0].params, "\"agent_tool\":\"execute\"");
    fake_asker_finish(&drive->asker, 0, "allowed", 0, "approved", NULL);
    /* By the option's kind, whatever its name, and never one that lasts. */
    drive_expect(drive_hear(drive), "\"id\":\"uuid-5\",\"result\":{\"outcome\":{\"outcome\":"
                                    "\"selected\",\"optionId\":\"allow-once\"}}");
    drive_say(drive, ASK("6", ",\"kind\":\"execute\""));
    fake_asker_finish(&drive->asker, 1, "refused", 77, "denied", NULL);
    drive_expect(drive_hear(drive), "\"id\":6,\"result\":{\"outcome\":{\"outcome\":\"selected\","
                                    "\"optionId\":\"reject-once\"}}");
}

/* What lasts, and what nobody knows, is there by its name, and is taken when the operator picked
 * it. */
static void an_option_is_picked_by_its_name(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK("5", ",\"kind\":\"execute\""));
    drive_expect(drive->asker.asked[0].params,
                 "\"offers\":[{\"kind\":\"allow_always\",\"name\":\"Reject\"}]");
    fake_asker_pick(&drive->asker, 0, "approved", 0);
    drive_expect(drive_hear(drive), "\"id\":5,\"result\":{\"outcome\":{\"outcome\":\"selected\","
                                    "\"optionId\":\"always\"}}");
    /* What the console does not know of is none. */
    drive_say(drive, ASK("6", ",\"kind\":\"execute\""));
    fake_asker_pick(&drive->asker, 1, "approved", 1);
    drive_expect(drive_hear(drive), "\"optionId\":\"allow-once\"");
    drive_say(drive, ASK("7", ",\"kind\":\"execute\""));
    fake_asker_pick(&drive->asker, 2, "denied", -1);
    drive_expect(drive_hear(drive), "\"optionId\":\"reject-once\"");

    /* Kinds repeat, are unknown or missing; names are missing, or too long for anybody to read. */
    char name[300];
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    cleanup_free char *line = xasprintf(
        "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"session/request_permission\","
        "\"params\":{" SESSION ",\"toolCall\":{\"toolCallId\":\"x\",\"kind\":\"execute\"},"
        "\"options\":[{\"optionId\":\"a\",\"name\":\"A\",\"kind\":\"allow_once\"},"
        "{\"optionId\":\"b\",\"name\":\"B\",\"kind\":\"allow_once\"},"
        "{\"optionId\":\"c\",\"kind\":\"allow_forever\"},{\"optionId\":\"d\",\"name\":\"%s\"},"
        "{\"name\":\"no id\",\"kind\":\"allow_always\"}]}}",
        name);
    drive_say(drive, line);
    drive_expect(drive->asker.asked[3].params,
                 "\"offers\":[{\"kind\":\"allow_once\",\"name\":\"B\"},"
                 "{\"kind\":\"allow_forever\",\"name\":\"c\"},{\"name\":\"nnn");
    fake_asker_pick(&drive->asker, 3, "approved", 2);
    drive_expect(drive_hear(drive), "\"optionId\":\"d\"");
}

/* The command, wherever an agent puts it. */
static void the_command_is_found(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK("5", ",\"rawInput\":{\"command\":[\"/bin/bash\",\"-lc\",\"ls -la\"],"
                              "\"cwd\":\"/x\"}"));
    drive_expect(drive->asker.asked[0].params,
                 "\"argv\":[\"/bin/bash\",\"-lc\",\"ls -la\"],\"cwd\":\"/x\"");
    drive_say(drive, ASK("6", ",\"rawInput\":{\"cmd\":\"ls\"},\"_meta\":{\"claudeCode\":"
                              "{\"toolName\":\"Bash\"}}"));
    drive_expect(drive->asker.asked[1].params, "\"agent_tool\":\"Bash\"");
    drive_say(drive,
              "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"session/request_permission\","
              "\"params\":{" SESSION ",\"toolCall\":{\"toolCallId\":\"title_only\",\"title\":"
              "\"rm x [in /w]\",\"kind\":\"execute\"}" OPTIONS "}}");
    drive_expect(drive->asker.asked[2].params, "\"agent_input\":{\"command\":\"rm x [in /w]\"}");
}

static void a_change_of_files_shows_what_it_changes(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK("5", ",\"kind\":\"edit\",\"title\":\"Edit config\",\"content\":[{\"type\":"
                              "\"diff\",\"path\":\"/home/u/config.json\",\"oldText\":\"a\","
                              "\"newText\":\"b\"}],\"rawInput\":{\"command\":\"create\"}"));
    drive_expect(drive->asker.asked[0].params,
                 "\"agent_input\":{\"newText\":\"b\",\"oldText\":\"a\",\"path\":"
                 "\"/home/u/config.json\",\"title\":\"Edit config\"},\"agent_tool\":\"edit\"");
}

static void our_own_tools_are_not_asked_about_twice(void **state)
{
    struct drive *drive = prompted(state);
    static const char *const ours[] = {
        ASK("5", ",\"title\":\"mcp__assent__shell\",\"kind\":\"other\",\"rawInput\":{\"command\":"
                 "\"x\"}"),
        ASK("5", ",\"rawInput\":{\"server_name\":\"assent\"}"),
        ASK("5", ",\"title\":\"assent_shell\",\"kind\":\"other\",\"rawInput\":{}"),
    };
    static const char *const others[] = {
        REQUEST(
            "5", "session/request_permission",
            ",\"toolCall\":{\"toolCallId\":\"c1\",\"kind\":\"execute\",\"title\":"
            "\"mcp__assent__shell\",\"rawInput\":{\"command\":\"mcp__assent__shell\"}}" OPTIONS),
        REQUEST("5", "session/request_permission",
                ",\"toolCall\":{\"toolCallId\":\"c2\",\"title\":\"assent_shell\",\"rawInput\":"
                "{\"server\":\"other\"}}" OPTIONS),
        REQUEST("5", "session/request_permission",
                ",\"toolCall\":{\"toolCallId\":\"c3\",\"title\":\"assent_other\"}" OPTIONS),
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_string_equal(drive_say(drive, others[i]), "");
    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        drive_expect(drive_say(drive, ours[i]), "\"optionId\":\"allow-once\"");
    assert_int_equal(drive->asker.count, 3);
}

static void a_lasting_yes_is_never_given(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive,
              REQUEST("5", "session/request_permission",
                      ",\"toolCall\":{\"toolCallId\":\"c\"},\"options\":[{\"optionId\":\"a\","
                      "\"name\":\"Yes\",\"kind\":\"allow_always\"},{\"optionId\":\"b\","
                      "\"name\":\"Yes\",\"kind\":\"of_a_later_version\"}]"));
    fake_asker_finish(&drive->asker, 0, "allowed", 0, "approved", NULL);
    drive_expect(drive_hear(drive), "{\"outcome\":{\"outcome\":\"cancelled\"}}");
    drive_expect(drive_told(drive), "no way to allow this once");
}

static void the_operators_words_are_the_next_prompt(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK("5", ",\"rawInput\":{\"command\":\"x\"}"));
    fake_asker_finish(&drive->asker, 0, "refused", 77, "denied", "use make");
    drive_expect(drive_hear(drive), "\"optionId\":\"reject-once\"");
    drive_expect(drive_say(drive, RESULT("3", "{\"stopReason\":\"cancelled\"}")),
                 "\"method\":\"session/prompt\",\"params\":{" SESSION
                 ",\"prompt\":[{\"type\":\"text\",\"text\":\"use make\"}]}");
}

/* "The client MUST respond to all pending session/request_permission requests with cancelled." */
static void cancelling_answers_every_question(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK("5", ",\"rawInput\":{\"command\":\"x\"}"));
    agent_session_cancel(drive->session);
    const char *said = drive_hear(drive);
    drive_expect(said, "\"method\":\"session/cancel\",\"params\":{" SESSION "}");
    drive_expect(said, "\"id\":5,\"result\":{\"outcome\":{\"outcome\":\"cancelled\"}}");
    assert_true(drive->asker.asked[0].dropped);
    drive_say(drive, RESULT("3", "{\"stopReason\":\"cancelled\"}"));
    drive_expect(drive_told(drive), "turn ended cancelled");
}

/* The examples of the specification's page "Elicitation". */
static void forms_are_filled_in_by_the_operator(void **state)
{
    struct drive *drive = prompted(state);
    static const char ask[] =
        REQUEST("43", "elicitation/create",
                ",\"mode\":\"form\",\"message\":\"How would you like me to approach this "
                "refactoring?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{"
                "\"strategy\":{\"type\":\"string\",\"title\":\"Refactoring Strategy\",\"oneOf\":[{"
                "\"const\":\"conservative\",\"title\":\"Conservative\"},{\"const\":\"balanced\","
                "\"title\":\"Balanced\"}],\"default\":\"balanced\"}},\"required\":[\"strategy\"]}");
    assert_string_equal(drive_say(drive, ask), "");
    drive_expect(drive->asker.asked[0].params, "\"wants_words\":true");
    drive_expect(drive->asker.asked[0].params,
                 "refactoring?\\nRefactoring Strategy\\n  1  Conservative\\n  2  Balanced\\n  an "
                 "empty line: balanced");
    fake_asker_finish(&drive->asker, 0, "allowed", 0, "approved", "1");
    drive_expect(drive_hear(drive), "\"id\":43,\"result\":{\"action\":\"accept\",\"content\":{"
                                    "\"strategy\":\"conservative\"}}");
    drive_say(drive, ask);
    fake_asker_finish(&drive->asker, 1, "refused", 77, "denied", NULL);
    drive_expect(drive_hear(drive), "\"id\":43,\"result\":{\"action\":\"decline\"}");
    drive_say(drive, ask);
    agent_session_cancel(drive->session);
    drive_expect(drive_hear(drive), "\"id\":43,\"result\":{\"action\":\"cancel\"}");
    assert_true(drive->asker.asked[2].dropped);
    /* What is no form, and what has no session yet. */
    drive_expect(drive_say(drive, REQUEST("44", "elicitation/create",
                                          ",\"mode\":\"_other\",\"message\":\"m\"")),
                 "\"id\":44,\"result\":{\"action\":\"decline\"}");
    drive_say(drive, "{\"jsonrpc\":\"2.0\",\"id\":45,\"method\":\"elicitation/create\",\"params\":{"
                     "\"requestId\":12,\"mode\":\"url\",\"message\":\"Please authorize\",\"url\":"
                     "\"https://example.org/\",\"elicitationId\":\"github-oauth-001\"}}");
    drive_expect(drive->asker.asked[3].params, "\"url\":\"https://example.org/\"");
    drive_expect(drive->asker.asked[3].params, "\"in_person\":true");
    fake_asker_finish(&drive->asker, 3, "allowed", 0, "approved", NULL);
    drive_expect(drive_hear(drive), "\"id\":45,\"result\":{\"action\":\"accept\"}");
}

/* $/cancel_request: the agent does not want the answer any more. */
static void questions_are_taken_back_one_by_one(void **state)
{
    struct drive *drive = prompted(state);
#define TAKE_BACK(id)                                                                              \
    "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":" id "}}"
    drive_say(drive, ASK("\"5\"", ",\"rawInput\":{\"command\":\"x\"}"));
    drive_say(drive, REQUEST("6", "elicitation/create",
                             ",\"mode\":\"form\",\"message\":\"m\",\"requestedSchema\":{"
                             "\"properties\":{\"a\":{\"type\":\"string\"}}}"));
    assert_string_equal(drive_say(drive, TAKE_BACK("5")), "");
    drive_expect(drive_say(drive, TAKE_BACK("\"5\"")), "\"id\":\"5\",\"error\":{\"code\":-32800");
    assert_true(drive->asker.asked[0].dropped);
    drive_expect(drive_say(drive, TAKE_BACK("6")), "\"id\":6,\"error\":{\"code\":-32800");
    assert_true(drive->asker.asked[1].dropped);
    assert_string_equal(drive_say(drive, TAKE_BACK("6")), "");
}

static void stopping_the_work_ends_the_turn(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK("5", ",\"rawInput\":{\"command\":\"x\"}"));
    fake_asker_finish(&drive->asker, 0, "refused", 77, "abort", NULL);
    const char *said = drive_hear(drive);
    drive_expect(said, "\"optionId\":\"reject-once\"");
    drive_expect(said, "\"method\":\"session/cancel\"");
}

/* ---- files ---------------------------------------------------------------------------------- */

static char *make_file(struct drive *drive, const char *name, const char *content)
{
    char *path = xasprintf("%s/%s", drive->directory, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, content, strlen(content)), strlen(content));
    close(fd);
    return path;
}

static void files_are_read_confined(void **state)
{
    struct drive *drive = ready(state);
    cleanup_free char *path = make_file(drive, "main.py", "");
    cleanup_free char *request = xasprintf(
        REQUEST("5", "fs/read_text_file", ",\"path\":\"%s\",\"line\":2,\"limit\":2"), path);
    assert_string_equal(drive_say(drive, request), "");
    cleanup_free char *command = xasprintf("\"argv\":[\"cat\",\"--\",\"%s\"]", path);
    drive_expect(drive->asker.asked[0].params, command);
    fake_asker_print(&drive->asker, 0, "1\n2\n");
    fake_asker_print(&drive->asker, 0, "3\n4\n");
    fake_asker_finish(&drive->asker, 0, "exited", 0, "none", NULL);
    drive_expect(drive_hear(drive), "\"id\":5,\"result\":{\"content\":\"2\\n3\\n\"}");
    drive_say(drive, request);
    fake_asker_finish(&drive->asker, 1, "refused", 77, "denied", NULL);
    drive_expect(drive_hear(drive), "\"error\":{\"code\":-32603,\"message\":\"refused by the");
    unlink(path);
    drive_expect(drive_say(drive, request),
                 "\"error\":{\"code\":-32002,\"message\":\"Resource not");
}

static void files_outside_are_not_read(void **state)
{
    struct drive *drive = ready(state);
    cleanup_free char *link = xasprintf("%s/link", drive->directory);
    assert_int_equal(symlink("/etc/passwd", link), 0);
    cleanup_free char *through =
        xasprintf(REQUEST("5", "fs/read_text_file", ",\"path\":\"%s\""), link);
    drive_expect(drive_say(drive, through), "outside the workspace");
    drive_expect(drive_say(drive, REQUEST("5", "fs/read_text_file", ",\"path\":\"/etc/passwd\"")),
                 "outside the workspace");
    drive_expect(drive_say(drive, REQUEST("5", "fs/read_text_file", ",\"path\":\"passwd\"")),
                 "\"code\":-32602");
    drive_expect(drive_say(drive, REQUEST("5", "fs/read_text_file", "")), "\"code\":-32602");
    assert_int_equal(drive->asker.count, 0);
    unlink(link);
}

static void files_are_written_as_patches(void **state)
{
    struct drive *drive = ready(state);
    cleanup_free char *path = make_file(drive, "config.json", "a\nb\n");
    cleanup_free char *request = xasprintf(
        REQUEST("5", "fs/write_text_file", ",\"path\":\"%s\",\"content\":\"a\\nc\\n\""), path);
    assert_string_equal(drive_say(drive, request), "");
    cleanup_free char *patch = xasprintf(
        "\"patch\":\"*** Begin Patch\\n*** Update File: %s\\n a\\n-b\\n+c\\n*** End of File\\n",
        path);
    drive_expect(drive->asker.asked[0].params, patch);
    fake_asker_finish(&drive->asker, 0, "exited", 0, "none", NULL);
    drive_expect(drive_hear(drive), "\"id\":5,\"result\":{}");
    drive_say(drive, request);
    fake_asker_finish(&drive->asker, 1, "exited", 1, "none", NULL);
    drive_expect(drive_hear(drive), "\"message\":\"it went wrong\"");
    unlink(path);
    drive_say(drive, request);
    drive_expect(drive->asker.asked[2].params, "*** Add File: ");
    drive_expect(drive_say(drive, REQUEST("6", "fs/write_text_file", ",\"path\":\"x\"")),
                 "\"code\":-32602");
}

/* ---- terminals ------------------------------------------------------------------------------ */

static void terminals_run_commands(void **state)
{
    struct drive *drive = ready(state);
    const char *said =
        drive_say(drive, REQUEST("5", "terminal/create",
                                 ",\"command\":\"npm\",\"args\":[\"test\",\"--coverage\"],\"env\":"
                                 "[{\"name\":\"NODE_ENV\",\"value\":\"test\"}],\"cwd\":"
                                 "\"/home/user/project\",\"outputByteLimit\":8"));
    drive_expect(said, "\"id\":5,\"result\":{\"terminalId\":\"terminal-1\"}");
    drive_expect(drive->asker.asked[0].params,
                 "{\"argv\":[\"npm\",\"test\",\"--coverage\"],\"cwd\":\"/home/user/project\","
                 "\"env\":{\"NODE_ENV\":\"test\"}}");
#define OF_ONE ",\"terminalId\":\"terminal-1\""
    fake_asker_print(&drive->asker, 0, "x\xc3\xa4\xc3\xa4\xc3\xa4.ok");
    drive_expect(drive_say(drive, REQUEST("6", "terminal/output", OF_ONE)),
                 "{\"output\":\"\xc3\xa4\xc3\xa4.ok\",\"truncated\":true,\"exitStatus\":null}");
    assert_string_equal(drive_say(drive, REQUEST("7", "terminal/wait_for_exit", OF_ONE)), "");
    fake_asker_finish(&drive->asker, 0, "exited", 3, "none", NULL);
    drive_expect(drive_hear(drive), "\"id\":7,\"result\":{\"exitCode\":3,\"signal\":null}");
    drive_expect(drive_say(drive, REQUEST("8", "terminal/wait_for_exit", OF_ONE)),
                 "\"id\":8,\"result\":{\"exitCode\":3");
    drive_expect(drive_say(drive, REQUEST("9", "terminal/kill", OF_ONE)), "\"result\":{}");
    drive_expect(drive_say(drive, REQUEST("10", "terminal/release", OF_ONE)), "\"result\":{}");
    drive_expect(drive_say(drive, REQUEST("11", "terminal/output", OF_ONE)), "\"code\":-32602");
    drive_expect(drive_say(drive, REQUEST("12", "terminal/new_thing", OF_ONE)), "\"code\":-32601");
}

static void a_whole_line_is_a_script(void **state)
{
    struct drive *drive = ready(state);
    drive_say(drive, REQUEST("5", "terminal/create", ",\"command\":\"echo x > f && ls\""));
    drive_expect(drive->asker.asked[0].params, "\"script\":\"echo x > f && ls\"}");
    drive_say(drive, REQUEST("6", "terminal/kill", OF_ONE));
    assert_true(drive->asker.asked[0].cancelled && !drive->asker.asked[0].dropped);
    fake_asker_finish(&drive->asker, 0, "refused", 77, "denied", "no");
    drive_expect(drive_say(drive, REQUEST("7", "terminal/output", OF_ONE)),
                 "{\"output\":\"[refused by the operator: no]\\n\",\"truncated\":false,"
                 "\"exitStatus\":{\"exitCode\":77,\"signal\":null}}");
}

static void what_is_released_is_ended(void **state)
{
    struct drive *drive = ready(state);
    drive_say(drive, REQUEST("5", "terminal/create", ",\"command\":\"sleep 100\""));
    drive_say(drive, REQUEST("6", "terminal/wait_for_exit", OF_ONE));
    const char *said = drive_say(drive, REQUEST("7", "terminal/release", OF_ONE));
    drive_expect(said, "\"id\":6,\"result\":{");
    drive_expect(said, "\"id\":7,\"result\":{}");
    assert_true(drive->asker.asked[0].dropped);
    drive_expect(drive_say(drive, REQUEST("8", "terminal/create", ",\"args\":[\"x\"]")),
                 "\"message\":\"command: expected a string\"");
}

/* ---- agents that misbehave ------------------------------------------------------------------ */

static void unknown_things_are_answered_or_ignored(void **state)
{
    struct drive *drive = ready(state);
    drive_expect(drive_say(drive, REQUEST("5", "craft/drainMidTurnQueue", "")), "\"code\":-32601");
    drive_expect(drive_say(drive, "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"terminal/create\","
                                  "\"params\":{\"sessionId\":\"another\",\"command\":\"x\"}}"),
                 "there is no such session");
    drive_expect(drive_say(drive, REQUEST("7", "session/request_permission", OPTIONS)),
                 "\"code\":-32602");
    /* Answers to what was not asked, and twice to what was. */
    assert_string_equal(drive_say(drive, RESULT("99", "{}")), "");
    assert_string_equal(drive_say(drive, RESULT("2", MODES)), "");
    assert_string_equal(drive_told(drive), "");
    assert_int_equal(drive->asker.count, 0);
}

static void questions_are_bounded(void **state)
{
    struct drive *drive = prompted(state);
    const char *said = "";
    for (int i = 0; i < 65; i++)
        said = drive_say(drive, ASK("5", ",\"rawInput\":{\"command\":\"x\"}"));
    drive_expect(said, "questions are open already");
    assert_int_equal(drive->asker.count, 64);
}

static void stray_lines_are_forgiven_but_not_for_ever(void **state)
{
    struct drive *drive = ready(state);
    drive_say(drive, "Loading model...");
    drive_expect(drive_told(drive), "note The agent sent a line that is no message");
    for (int i = 0; i < 100; i++)
        drive_say(drive, "rubbish {");
    assert_string_equal(drive_told(drive),
                        "ended: the agent does not speak the Agent Client Protocol\n");
}

static void its_death_withdraws_what_it_asked(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK("5", ",\"rawInput\":{\"command\":\"x\"}"));
    drive_say(drive, REQUEST("6", "terminal/create", ",\"command\":\"sleep 100\""));
    assert_int_equal(shutdown(drive->agent, SHUT_WR), 0);
    drive_hear(drive);
    assert_string_equal(drive_told(drive), "ended: the agent has closed the connection\n");
    assert_true(drive->asker.asked[0].dropped && drive->asker.asked[1].dropped);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, drive_set_up, drive_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_session_begins),
        TEST(a_session_goes_on),
        TEST(what_cannot_go_on_says_so),
        TEST(another_version_is_refused),
        TEST(the_operator_logs_in),
        TEST(modes_change),
        TEST(every_kind_of_update_is_shown),
        TEST(permission_is_the_consoles),
        TEST(an_option_is_picked_by_its_name),
        TEST(the_command_is_found),
        TEST(a_change_of_files_shows_what_it_changes),
        TEST(our_own_tools_are_not_asked_about_twice),
        TEST(a_lasting_yes_is_never_given),
        TEST(the_operators_words_are_the_next_prompt),
        TEST(cancelling_answers_every_question),
        TEST(forms_are_filled_in_by_the_operator),
        TEST(questions_are_taken_back_one_by_one),
        TEST(stopping_the_work_ends_the_turn),
        TEST(files_are_read_confined),
        TEST(files_outside_are_not_read),
        TEST(files_are_written_as_patches),
        TEST(terminals_run_commands),
        TEST(a_whole_line_is_a_script),
        TEST(what_is_released_is_ended),
        TEST(unknown_things_are_answered_or_ignored),
        TEST(questions_are_bounded),
        TEST(stray_lines_are_forgiven_but_not_for_ever),
        TEST(its_death_withdraws_what_it_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
