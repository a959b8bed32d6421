/* SPDX-License-Identifier: MIT */
/* appserver: messages as the schema of `codex app-server` (0.169.0) has them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "agents/drive/appserver.h"
#include "base/alloc.h"
#include "drive_fixture.h"

#define RESULT(id, result) "{\"id\":" id ",\"result\":" result "}"
#define NOTIFY(method, params)                                                                     \
    "{\"method\":\"" method "\",\"params\":{\"threadId\":\"t1\",\"turnId\":\"u1\"," params         \
    "},\"emittedAtMs\":1}"
#define ASK(id, method, params)                                                                    \
    "{\"id\":" id ",\"method\":\"" method                                                          \
    "\",\"params\":{\"threadId\":\"t1\",\"turnId\":\"u1\",\"startedAtMs\":1," params "}}"
#define ASK_COMMAND(id, params)                                                                    \
    ASK(id, "item/commandExecution/requestApproval",                                               \
        "\"kind\":\"command\",\"itemId\":\"call_0\",\"environmentId\":\"local\"," params)
#define COMMAND "\"command\":\"/bin/bash -lc 'touch /x && echo y'\",\"cwd\":\"/w\""

static struct drive *ready(void **state)
{
    struct drive *drive = *state;
    drive_begin(drive, appserver_new, NULL);
    drive_say(drive,
              RESULT("1", "{\"userAgent\":\"assent/0.169.0 (Debian)\",\"codexHome\":\"/h\"}"));
    drive_say(drive, RESULT("2", "{\"thread\":{\"id\":\"t1\",\"turns\":[]}}"));
    drive_told(drive);
    return drive;
}

static struct drive *prompted(void **state)
{
    struct drive *drive = ready(state);
    agent_session_prompt(drive->session, "go");
    drive_hear(drive);
    drive_say(drive,
              RESULT("3", "{\"turn\":{\"id\":\"u1\",\"items\":[],\"status\":\"inProgress\"}}"));
    drive_told(drive);
    return drive;
}

static void a_thread_begins(void **state)
{
    struct drive *drive = *state;
    drive_begin(drive, appserver_new, NULL);
    const char *first = drive_hear(drive);
    drive_expect(first, "{\"id\":1,\"method\":\"initialize\",\"params\":{\"clientInfo\":{\"name\":"
                        "\"assent\"");
    assert_null(strstr(first, "jsonrpc"));
    const char *said = drive_say(drive, RESULT("1", "{\"userAgent\":\"assent/0.169.0 (Debian)\"}"));
    drive_expect(said, "{\"method\":\"initialized\"");
    drive_expect(said, "\"method\":\"thread/start\"");
    drive_expect(said,
                 "\"mcp_servers\":{\"assent\":{\"command\":\"/opt/assent\",\"args\":[\"mcp\"],"
                 "\"env\":{\"ASSENT_SOCKET\":\"/run/x=y.sock\"}");
    drive_say(drive, RESULT("2", "{\"thread\":{\"id\":\"t1\"}}"));
    assert_string_equal(drive_told(drive), "ready Codex 0.169.0 t1\n");
    agent_session_prompt(drive->session, "go");
    drive_expect(drive_hear(drive), "\"method\":\"turn/start\",\"params\":{\"threadId\":\"t1\","
                                    "\"input\":[{\"type\":\"text\",\"text\":\"go\"}]}");
    drive_say(drive, NOTIFY("turn/started", "\"turn\":{\"id\":\"u1\"}"));
    drive_say(drive, NOTIFY("turn/completed", "\"turn\":{\"id\":\"u1\",\"status\":\"completed\"}"));
    assert_string_equal(drive_told(drive), "operator: go\nturn ended well\n");
}

static void a_thread_goes_on(void **state)
{
    struct drive *drive = *state;
    drive_begin(drive, appserver_new, "t1");
    const char *said = drive_say(drive, RESULT("1", "{}"));
    drive_expect(said, "\"method\":\"thread/resume\"");
    drive_expect(said, "\"threadId\":\"t1\"");
    drive_say(drive, "{\"id\":2,\"error\":{\"code\":-32600,\"message\":\"no rollout found\"}}");
    drive_expect(drive_told(drive), "ended: Codex gives no thread: no rollout found");
}

static void items_are_shown(void **state)
{
    struct drive *drive = prompted(state);
    static const char *const messages[] = {
        NOTIFY("item/started", "\"item\":{\"type\":\"userMessage\",\"id\":\"1\",\"content\":[]}"),
        NOTIFY("item/reasoning/summaryTextDelta", "\"itemId\":\"2\",\"delta\":\"hm\""),
        NOTIFY("item/agentMessage/delta", "\"itemId\":\"3\",\"delta\":\"in \""),
        NOTIFY("item/agentMessage/delta", "\"itemId\":\"3\",\"delta\":\"pieces\""),
        NOTIFY("item/completed",
               "\"item\":{\"type\":\"agentMessage\",\"id\":\"3\",\"text\":\"in pieces\"}"),
        NOTIFY("item/completed",
               "\"item\":{\"type\":\"agentMessage\",\"id\":\"4\",\"text\":\"whole\"}"),
        NOTIFY("item/started",
               "\"item\":{\"type\":\"commandExecution\",\"id\":\"5\",\"command\":\"ls\","
               "\"status\":\"inProgress\"}"),
        NOTIFY("item/completed", "\"item\":{\"type\":\"mcpToolCall\",\"id\":\"6\",\"server\":\"s\","
                                 "\"tool\":\"t\",\"status\":\"failed\"}"),
        NOTIFY("turn/plan/updated", "\"plan\":[{\"step\":\"a\",\"status\":\"completed\"},{\"step\":"
                                    "\"b\",\"status\":\"inProgress\"}]"),
        NOTIFY("warning", "\"message\":\"careful\""),
        NOTIFY("error", "\"error\":{\"message\":\"stream lost\"},\"willRetry\":true"),
        NOTIFY("of/a/later/version", "\"x\":1"),
        "{\"method\":\"item/agentMessage/delta\",\"params\":{\"threadId\":\"sub\",\"turnId\":\"v\","
        "\"itemId\":\"9\",\"delta\":\"a sub-agent's\"}}",
        NOTIFY("turn/completed",
               "\"turn\":{\"id\":\"u1\",\"status\":\"failed\",\"error\":{\"message\":"
               "\"quota\"}}"),
    };
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
        assert_string_equal(drive_say(drive, messages[i]), "");
    assert_string_equal(
        drive_told(drive),
        "thought: hm\nagent: in \nagent: pieces\nagent: whole\ntool inProgress: ls\n"
        "tool failed: s/t\nstep x a\nstep > b\nnote careful\nnote stream lost\n"
        "turn ended quota\n");
}

/* Nothing left out that the schema wants. */
#define THREAD                                                                                     \
    "{\"id\":\"t1\",\"sessionId\":\"t1\",\"preview\":\"\",\"ephemeral\":false,\"modelProvider\":"  \
    "\"p\","                                                                                       \
    "\"createdAt\":1,\"updatedAt\":1,\"status\":{\"type\":\"idle\"},\"cwd\":\"/"                   \
    "w\",\"cliVersion\":"                                                                          \
    "\"0.169.0\",\"source\":\"vscode\",\"historyMode\":\"paginated\",\"originator\":\"assent\","   \
    "\"projectId\":null,"                                                                          \
    "\"turns\":[]}"
#define OPENED(id)                                                                                 \
    RESULT(                                                                                        \
        id,                                                                                        \
        "{\"thread\":" THREAD ",\"model\":\"m\",\"modelProvider\":\"p\",\"cwd\":\"/w\","           \
        "\"approvalPolicy\":\"on-request\",\"approvalsReviewer\":\"user\",\"sandbox\":{\"type\":"  \
        "\"readOnly\",\"networkAccess\":false}}")
#define TURN(status, error)                                                                        \
    "{\"id\":\"u1\",\"rootTurnId\":\"u1\",\"items\":[],\"status\":\"" status "\",\"error\":" error \
    "}"
#define ITEM(members) "\"startedAtMs\":1,\"completedAtMs\":1,\"item\":{" members "}"
#define LS                                                                                         \
    "\"type\":\"commandExecution\",\"id\":\"5\",\"command\":\"ls\",\"cwd\":\"/"                    \
    "w\",\"commandActions\":[{"                                                                    \
    "\"type\":\"listFiles\",\"command\":\"ls\",\"path\":null}],\"source\":\"agent\",\"status\":"
#define CHANGE                                                                                     \
    "\"type\":\"fileChange\",\"id\":\"6\",\"changes\":[{\"path\":\"/w/"                            \
    "a\",\"kind\":{\"type\":\"add\"},"                                                             \
    "\"diff\":\"hello\\n\"}],\"status\":\"inProgress\""

static void a_turn_is_as_the_schema_has_it(void **state)
{
    struct drive *drive = *state;
    static const char *const messages[] = {
        NOTIFY("turn/started", "\"turn\":" TURN("inProgress", "null")),
        NOTIFY("item/started", ITEM("\"type\":\"userMessage\",\"id\":\"1\",\"content\":[{\"type\":"
                                    "\"text\",\"text\":\"go\",\"text_elements\":[]}]")),
        NOTIFY("item/reasoning/summaryTextDelta",
               "\"itemId\":\"2\",\"delta\":\"hm\",\"summaryIndex\":0"),
        NOTIFY("item/reasoning/textDelta", "\"itemId\":\"2\",\"delta\":\"so\",\"contentIndex\":0"),
        NOTIFY("item/agentMessage/delta", "\"itemId\":\"3\",\"delta\":\"done\""),
        NOTIFY("item/completed", ITEM("\"type\":\"agentMessage\",\"id\":\"3\",\"text\":\"done\"")),
        NOTIFY("item/started", ITEM(LS "\"inProgress\"")),
        NOTIFY("item/completed", ITEM(LS "\"completed\"")),
        NOTIFY("item/started", ITEM(CHANGE)),
        NOTIFY("turn/completed", "\"turn\":" TURN("completed", "null")),
    };
    drive_begin(drive, appserver_new, NULL);
    drive_say(drive, RESULT("1", "{\"userAgent\":\"assent/0.169.0 (Debian)\",\"codexHome\":\"/h\","
                                 "\"platformFamily\":\"unix\",\"platformOs\":\"linux\"}"));
    drive_say(drive, OPENED("2"));
    assert_string_equal(drive_told(drive), "ready Codex 0.169.0 t1\n");
    agent_session_prompt(drive->session, "go");
    drive_hear(drive);
    drive_say(drive, RESULT("3", "{\"turn\":" TURN("inProgress", "null") "}"));
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
        assert_string_equal(drive_say(drive, messages[i]), "");
    assert_string_equal(drive_told(drive),
                        "operator: go\nthought: hm\nthought: so\nagent: done\ntool inProgress: ls\n"
                        "tool completed: ls\ntool inProgress: Change /w/a\nturn ended well\n");
    static const char earlier[] =
        "{\"id\":\"e\",\"method\":\"execCommandApproval\",\"params\":{\"conversationId\":\"t1\","
        "\"callId\":\"c\",\"approvalId\":null,\"command\":[\"ls\"],\"cwd\":\"/w\",\"reason\":null,"
        "\"parsedCmd\":[{\"type\":\"list_files\",\"cmd\":\"ls\",\"path\":null}]}}";
    drive_say(drive, earlier);
    drive_expect(drive->asker.asked[0].params, "\"agent_tool\":\"list_files\"");
    fake_asker_pick(&drive->asker, 0, "approved", 0);
    drive_expect(drive_hear(drive),
                 "{\"id\":\"e\",\"result\":{\"decision\":\"approved_for_session\"}}");
}

/* ---- questions ------------------------------------------------------------------------------ */

static void commands_are_the_consoles(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive,
              ASK_COMMAND("0", COMMAND
                          ",\"reason\":\"outside\",\"commandActions\":[{\"type\":\"unknown\","
                          "\"command\":\"touch /x\"}],\"availableDecisions\":[\"accept\","
                          "\"cancel\"]"));
    drive_expect(
        drive->asker.asked[0].params,
        "{\"agent_tool\":\"shell\",\"argv\":[\"/bin/bash\",\"-lc\",\"touch /x && echo y\"],"
        "\"cwd\":\"/w\",\"justification\":\"outside\"}");
    fake_asker_finish(&drive->asker, 0, "allowed", 0, "approved_for_session", NULL);
    /* Only ever once: what lasts is remembered by the console. */
    drive_expect(drive_hear(drive), "{\"id\":0,\"result\":{\"decision\":\"accept\"}}");
    drive_say(drive,
              ASK_COMMAND("1", "\"command\":\"echo $(date) > x\",\"commandActions\":[{\"type\":"
                               "\"read\",\"command\":\"cat\"}]"));
    drive_expect(drive->asker.asked[1].params, "\"agent_tool\":\"read\"");
    drive_expect(drive->asker.asked[1].params, "\"script\":\"echo $(date) > x\"");
    fake_asker_finish(&drive->asker, 1, "refused", 77, "denied", "use make");
    drive_expect(drive_hear(drive), "{\"id\":1,\"result\":{\"decision\":\"decline\"}}");
    drive_say(drive, ASK_COMMAND("2", COMMAND));
    fake_asker_finish(&drive->asker, 2, "refused", 77, "abort", NULL);
    drive_expect(drive_hear(drive), "{\"id\":2,\"result\":{\"decision\":\"cancel\"}}");
    drive_say(drive,
              NOTIFY("turn/completed", "\"turn\":{\"id\":\"u1\",\"status\":\"interrupted\"}"));
    drive_expect(drive_told(drive), "turn ended interrupted\noperator: use make\n");
}

static void what_comes_with_a_question_is_shown(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive,
              ASK_COMMAND("0", COMMAND ",\"additionalPermissions\":{\"network\":{\"enabled\":"
                                       "true}},\"risk\":\"high\""));
    drive_expect(drive->asker.asked[0].params,
                 "\"justification\":\"the agent calls it: high; it wants more rights: "
                 "{\\\"network\\\":{\\\"enabled\\\":true}}\"");
    drive_say(drive, ASK_COMMAND("1", "\"networkApprovalContext\":{\"host\":\"example.org\","
                                      "\"protocol\":\"https\"}"));
    drive_expect(drive->asker.asked[1].params, "\"agent_tool\":\"network\"");
    drive_expect(drive->asker.asked[1].params, "example.org");
}

static void changes_of_files_are_shown(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, NOTIFY("item/started", "\"item\":{\"type\":\"fileChange\",\"id\":\"call_0\","
                                            "\"changes\":[{\"path\":\"/w/a\",\"kind\":{\"type\":"
                                            "\"add\"},\"diff\":\"hello\\n\"}],\"status\":"
                                            "\"inProgress\"}"));
    drive_say(drive,
              ASK("0", "item/fileChange/requestApproval",
                  "\"itemId\":\"call_0\",\"reason\":\"retry without sandbox?\",\"grantRoot\":"
                  "\"/w\""));
    drive_expect(drive->asker.asked[0].params,
                 "\"agent_input\":{\"add /w/a\":\"hello\\n\"},\"agent_tool\":\"apply_patch\"");
    drive_expect(drive->asker.asked[0].params, "it wants to write below: /w");
    fake_asker_finish(&drive->asker, 0, "allowed", 0, "approved", NULL);
    drive_expect(drive_hear(drive), "{\"id\":0,\"result\":{\"decision\":\"accept\"}}");
    /* What was not announced cannot be judged. */
    drive_expect(drive_say(drive, ASK("1", "item/fileChange/requestApproval", "\"itemId\":\"x\"")),
                 "\"error\":{\"code\":-32602");
}

static void permissions_are_given_for_a_turn(void **state)
{
    struct drive *drive = prompted(state);
    static const char ask[] =
        ASK("0", "item/permissions/requestApproval",
            "\"itemId\":\"i\",\"environmentId\":null,\"cwd\":\"/w\",\"reason\":\"build\","
            "\"permissions\":{\"network\":{\"enabled\":true}}");
    drive_say(drive, ask);
    drive_expect(drive->asker.asked[0].params,
                 "{\"agent_input\":{\"network\":{\"enabled\":true}},\"agent_tool\":"
                 "\"request_permissions\",\"cwd\":\"/w\",\"justification\":\"build\",\"offers\":[{"
                 "\"kind\":\"allow_always\",\"name\":\"scope: session\"}]}");
    fake_asker_finish(&drive->asker, 0, "allowed", 0, "approved", NULL);
    drive_expect(drive_hear(drive), "{\"permissions\":{\"network\":{\"enabled\":true}},\"scope\":"
                                    "\"turn\"}");
    drive_say(drive, ask);
    fake_asker_finish(&drive->asker, 1, "refused", 77, "denied", NULL);
    drive_expect(drive_hear(drive), "{\"permissions\":{},\"scope\":\"turn\"}");
    drive_say(drive, ask);
    fake_asker_pick(&drive->asker, 2, "approved", 0);
    drive_expect(drive_hear(drive), "{\"permissions\":{\"network\":{\"enabled\":true}},\"scope\":"
                                    "\"session\"}");
}

/* What it names is offered by that name, and sent back as it came; what is too long to be read is
 * not offered. */
static void answers_that_last_are_picked_by_name(void **state)
{
    struct drive *drive = prompted(state);
    static const char amendment[] =
        "{\"acceptWithExecpolicyAmendment\":{\"execpolicy_amendment\":[\"touch\",\"/a b\"]}}";
    static const char deny[] = "{\"applyNetworkPolicyAmendment\":{\"network_policy_amendment\":{"
                               "\"action\":\"deny\",\"host\":\"example.org\"}}}";
    char words[300];
    memset(words, 'w', sizeof(words) - 1);
    words[sizeof(words) - 1] = '\0';
    cleanup_free char *line =
        xasprintf(ASK_COMMAND("0", COMMAND ",\"availableDecisions\":[\"accept\",\"%s\",%s,%s,"
                                           "\"acceptForSession\",\"acceptForever\",\"cancel\"]"),
                  words, amendment, deny);
    drive_say(drive, line);
    drive_expect(drive->asker.asked[0].params,
                 "\"offers\":[{\"kind\":\"allow_always\",\"name\":\"acceptWithExecpolicyAmendment "
                 "[\\\"touch\\\",\\\"/a b\\\"]\"},{\"kind\":\"reject_always\",\"name\":"
                 "\"applyNetworkPolicyAmendment {\\\"action\\\":\\\"deny\\\",\\\"host\\\":"
                 "\\\"example.org\\\"}\"},{\"kind\":\"allow_always\",\"name\":"
                 "\"acceptForSession\"},{\"name\":\"acceptForever\"}]");
    fake_asker_pick(&drive->asker, 0, "approved", 0);
    drive_expect(drive_hear(drive), "{\"id\":0,\"result\":{\"decision\":{"
                                    "\"acceptWithExecpolicyAmendment\":{\"execpolicy_amendment\":["
                                    "\"touch\",\"/a b\"]}}}}");
    drive_say(drive, line);
    fake_asker_pick(&drive->asker, 1, "denied", 1);
    drive_expect(drive_hear(drive), deny);
    drive_say(drive, line);
    fake_asker_pick(&drive->asker, 2, "approved", 2);
    drive_expect(drive_hear(drive), "{\"id\":0,\"result\":{\"decision\":\"acceptForSession\"}}");
    /* There is no such one. */
    drive_say(drive, line);
    fake_asker_pick(&drive->asker, 3, "approved", 4);
    drive_expect(drive_hear(drive), "{\"id\":0,\"result\":{\"decision\":\"accept\"}}");
}

/* Versions that do not say which answers there are propose amendments. */
static void what_is_proposed_can_be_picked(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK_COMMAND("0", COMMAND ",\"proposedExecpolicyAmendment\":[\"touch\"],"
                                              "\"proposedNetworkPolicyAmendments\":[{\"host\":"
                                              "\"example.org\",\"action\":\"allow\"}]"));
    fake_asker_pick(&drive->asker, 0, "approved", 2);
    drive_expect(drive_hear(drive),
                 "{\"decision\":{\"applyNetworkPolicyAmendment\":{\"network_policy_amendment\":{"
                 "\"host\":\"example.org\",\"action\":\"allow\"}}}}");
    drive_say(drive, ASK_COMMAND("1", COMMAND ",\"proposedExecpolicyAmendment\":[\"touch\"]"));
    fake_asker_pick(&drive->asker, 1, "approved", 1);
    drive_expect(drive_hear(drive), "{\"decision\":{\"acceptWithExecpolicyAmendment\":{"
                                    "\"execpolicy_amendment\":[\"touch\"]}}}");
    drive_say(drive, ASK_COMMAND("2", COMMAND));
    fake_asker_pick(&drive->asker, 2, "approved", 0);
    drive_expect(drive_hear(drive), "{\"decision\":\"acceptForSession\"}");
}

#define ASK_TOOL(id, server)                                                                       \
    ASK(id, "mcpServer/elicitation/request",                                                       \
        "\"serverName\":\"" server "\",\"mode\":\"form\",\"_meta\":{\"codex_approval_kind\":"      \
        "\"mcp_tool_call\",\"persist\":[\"session\"],\"tool_name\":\"put\",\"tool_params\":"       \
        "{\"a\":1}},\"message\":\"Allow?\",\"requestedSchema\":{\"type\":\"object\","              \
        "\"properties\":{}}")

static void tools_of_servers_are_asked_about(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK_TOOL("0", "files"));
    drive_expect(drive->asker.asked[0].params,
                 "\"agent_input\":{\"a\":1},\"agent_tool\":\"mcp__files__put\"");
    fake_asker_finish(&drive->asker, 0, "allowed", 0, "approved", NULL);
    drive_expect(drive_hear(drive), "{\"id\":0,\"result\":{\"action\":\"accept\",\"content\":{}}}");
    drive_expect(drive_say(drive, ASK_TOOL("1", "assent")), "\"action\":\"accept\"");
    assert_int_equal(drive->asker.count, 1);
    drive_say(drive, ASK_TOOL("2", "files"));
    drive_expect(drive->asker.asked[1].params, "\"name\":\"persist: session\"");
    fake_asker_pick(&drive->asker, 1, "approved", 0);
    drive_expect(drive_hear(drive), "{\"id\":2,\"result\":{\"action\":\"accept\",\"content\":{},"
                                    "\"_meta\":{\"persist\":\"session\"}}}");
}

/* The operator's words, as the console hands them on. */
static void answer(struct drive *drive, const char *words)
{
    fake_asker_finish(&drive->asker, drive->asker.count - 1, "allowed", 0, "approved", words);
}

static const char *asked_last(const struct drive *drive)
{
    return drive->asker.asked[drive->asker.count - 1].params;
}

/* An elicitation of a tool server, as MCP's specification has it. */
static void a_form_is_filled_in_by_the_operator(void **state)
{
    struct drive *drive = prompted(state);
    static const char ask[] = ASK(
        "0", "mcpServer/elicitation/request",
        "\"serverName\":\"files\",\"mode\":\"form\",\"_meta\":null,\"message\":\"Your details\","
        "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\","
        "\"description\":\"Your full name\"},\"age\":{\"type\":\"integer\"},\"ok\":{\"type\":"
        "\"boolean\",\"title\":\"Fine?\"},\"colour\":{\"type\":\"string\",\"enum\":[\"r\",\"g\"],"
        "\"enumNames\":[\"Red\",\"Green\"]}},\"required\":[\"name\"]}");
    assert_string_equal(drive_say(drive, ask), "");
    drive_expect(asked_last(drive), "\"agent_tool\":\"elicitation\"");
    drive_expect(asked_last(drive), "\"wants_words\":true");
    drive_expect(asked_last(drive), "files asks: Your details\\n1 of 4: Your full name\"");
    answer(drive, "Ada");
    drive_expect(asked_last(drive), "\"2 of 4: age\\n  an empty line leaves it out\"");
    answer(drive, "old"); /* which is no number */
    drive_expect(asked_last(drive), "\"(That did not fit.)\\n2 of 4: age");
    answer(drive, "36");
    answer(drive, "yes");
    answer(drive, "3");
    drive_expect(asked_last(drive), "4 of 4: colour\\n  1  Red\\n  2  Green");
    answer(drive, "2");
    drive_expect(drive_hear(drive),
                 "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\",\"age\":36,"
                 "\"ok\":true,\"colour\":\"g\"}}");
    assert_int_equal(drive->asker.count, 6);
    drive_say(drive, ask);
    fake_asker_finish(&drive->asker, 6, "refused", 77, "denied", NULL);
    drive_expect(drive_hear(drive), "{\"action\":\"decline\",\"content\":null}");
    drive_say(drive, ask);
    fake_asker_finish(&drive->asker, 7, "refused", 77, "abort", NULL);
    drive_expect(drive_hear(drive), "{\"action\":\"cancel\",\"content\":null}");
}

/* The operator opens it, or does not; nothing is asked in words. */
static void a_page_to_open_is_asked_about(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK("0", "mcpServer/elicitation/request",
                         "\"serverName\":\"files\",\"mode\":\"url\",\"message\":\"Log in\","
                         "\"url\":\"https://example.org/x\",\"elicitationId\":\"e\""));
    drive_expect(asked_last(drive), "\"agent_input\":{\"message\":\"Log in\",\"url\":"
                                    "\"https://example.org/x\"}");
    drive_expect(asked_last(drive), "\"in_person\":true");
    answer(drive, NULL);
    drive_expect(drive_hear(drive), "\"action\":\"accept\"");
}

static void questions_of_the_agent_are_answered(void **state)
{
    struct drive *drive = prompted(state);
    static const char ask[] =
        ASK("0", "item/tool/requestUserInput",
            "\"itemId\":\"i\",\"isBlocking\":true,\"questions\":[{\"id\":\"q\",\"header\":\"h\","
            "\"question\":\"Which?\",\"options\":[{\"label\":\"A\",\"description\":\"a\"}]}]");
    drive_say(drive, ask);
    drive_expect(asked_last(drive), "\"question\":\"Which?\\n  1  A\"");
    answer(drive, "1");
    drive_expect(drive_hear(drive), "{\"answers\":{\"q\":{\"answers\":[\"A\"]}}}");
    drive_say(drive, ask);
    answer(drive, "something else");
    drive_expect(drive_hear(drive), "{\"answers\":{\"q\":{\"answers\":[\"something else\"]}}}");
    drive_say(drive, ask);
    agent_session_cancel(drive->session);
    drive_expect(drive_hear(drive), "{\"answers\":{}}");
    assert_true(drive->asker.asked[2].dropped);
}

static void requests_of_earlier_versions_are_answered(void **state)
{
    struct drive *drive = prompted(state);
    static const char command[] =
        "{\"id\":0,\"method\":\"execCommandApproval\",\"params\":{\"conversationId\":\"t1\","
        "\"callId\":\"c\",\"command\":[\"cat\",\"f\"],\"cwd\":\"/w\",\"reason\":null,\"parsedCmd\":"
        "[{\"type\":\"read\",\"cmd\":\"cat f\",\"name\":\"f\"}]}}";
    drive_say(drive, command);
    drive_expect(drive->asker.asked[0].params, "{\"agent_tool\":\"read\",\"argv\":[\"cat\",\"f\"]");
    fake_asker_finish(&drive->asker, 0, "allowed", 0, "approved", NULL);
    drive_expect(drive_hear(drive), "{\"decision\":\"approved\"}");
    drive_say(drive, command);
    fake_asker_finish(&drive->asker, 1, "refused", 77, "denied", "no");
    drive_expect(drive_hear(drive),
                 "{\"decision\":{\"denied\":{\"rejection\":\"refused by the operator: no\"}}}");
    drive_say(drive, "{\"id\":1,\"method\":\"applyPatchApproval\",\"params\":{\"conversationId\":"
                     "\"t1\",\"callId\":\"c\",\"fileChanges\":{\"/w/a\":{\"type\":\"add\","
                     "\"content\":\"x\"}}}}");
    drive_expect(drive->asker.asked[2].params, "\"agent_tool\":\"apply_patch\"");
    fake_asker_finish(&drive->asker, 2, "refused", 77, "abort", NULL);
    drive_expect(drive_hear(drive), "{\"decision\":\"abort\"}");
}

/* ---- ends ----------------------------------------------------------------------------------- */

static void what_is_resolved_elsewhere_is_withdrawn(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK_COMMAND("7", COMMAND));
    assert_string_equal(drive_say(drive, NOTIFY("serverRequest/resolved", "\"requestId\":8")), "");
    assert_false(drive->asker.asked[0].dropped);
    assert_string_equal(drive_say(drive, NOTIFY("serverRequest/resolved", "\"requestId\":7")), "");
    assert_true(drive->asker.asked[0].dropped);
    drive_expect(drive_told(drive), "settled elsewhere");
}

static void cancelling_interrupts_the_turn(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK_COMMAND("0", COMMAND));
    agent_session_cancel(drive->session);
    const char *said = drive_hear(drive);
    drive_expect(said, "{\"id\":0,\"result\":{\"decision\":\"cancel\"}}");
    drive_expect(said, "\"method\":\"turn/interrupt\",\"params\":{\"threadId\":\"t1\",\"turnId\":"
                       "\"u1\"}");
    assert_true(drive->asker.asked[0].dropped);
}

/* The turn's id comes with the answer: before that there is nothing to name. */
static void cancelling_waits_for_the_turn(void **state)
{
    struct drive *drive = ready(state);
    agent_session_prompt(drive->session, "go");
    agent_session_cancel(drive->session);
    assert_null(strstr(drive_hear(drive), "turn/interrupt"));
    drive_expect(drive_say(drive, RESULT("3", "{\"turn\":{\"id\":\"u9\"}}")), "\"turnId\":\"u9\"");
}

static void unknown_and_bad_requests_get_errors(void **state)
{
    struct drive *drive = prompted(state);
    drive_expect(drive_say(drive, ASK("0", "attestation/generate", "\"x\":1")), "-32601");
    drive_expect(drive_say(drive, ASK("1", "item/permissions/requestApproval", "\"x\":1")),
                 "-32602");
    drive_say(drive, "rubbish");
    drive_expect(drive_told(drive), "note Codex sent a line that is no message");
    assert_int_equal(drive->asker.count, 0);
}

static void its_death_withdraws_what_it_asked(void **state)
{
    struct drive *drive = prompted(state);
    drive_say(drive, ASK_COMMAND("0", COMMAND));
    assert_int_equal(shutdown(drive->agent, SHUT_WR), 0);
    drive_hear(drive);
    assert_string_equal(drive_told(drive), "ended: Codex has closed the connection\n");
    assert_true(drive->asker.asked[0].dropped);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, drive_set_up, drive_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_thread_begins),
        TEST(a_thread_goes_on),
        TEST(items_are_shown),
        TEST(a_turn_is_as_the_schema_has_it),
        TEST(commands_are_the_consoles),
        TEST(what_comes_with_a_question_is_shown),
        TEST(changes_of_files_are_shown),
        TEST(permissions_are_given_for_a_turn),
        TEST(answers_that_last_are_picked_by_name),
        TEST(what_is_proposed_can_be_picked),
        TEST(tools_of_servers_are_asked_about),
        TEST(a_form_is_filled_in_by_the_operator),
        TEST(a_page_to_open_is_asked_about),
        TEST(questions_of_the_agent_are_answered),
        TEST(requests_of_earlier_versions_are_answered),
        TEST(what_is_resolved_elsewhere_is_withdrawn),
        TEST(cancelling_interrupts_the_turn),
        TEST(cancelling_waits_for_the_turn),
        TEST(unknown_and_bad_requests_get_errors),
        TEST(its_death_withdraws_what_it_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
