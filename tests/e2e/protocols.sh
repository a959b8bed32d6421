#!/bin/sh
# SPDX-License-Identifier: MIT
# All that we say in the protocols of agents, held against their own schemas, as the registry has
# them: what the unit tests have heard, message by message. Beside it stands what we serve and send, and
# of each the tests must have one that is as the schema says.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
# shellcheck source=tests/e2e/npm.sh
. "${srcdir:-.}/tests/e2e/npm.sh"
e2e_begin

npm_fetch @openai/codex 0.169.0
codex=$npm_directory/node_modules/.bin/codex
npm_fetch @agentclientprotocol/sdk 2.4.0
acp=$npm_directory/node_modules/@agentclientprotocol/sdk/schema/v1/schema.json
npm_fetch @modelcontextprotocol/sdk 1.32.2
# Modules are looked for beside the file that imports them.
check=$npm_directory/protocols-$$.mjs
cp "$srcdir/tests/e2e/protocols.mjs" "$check"
trap 'rm -f "$check"; e2e_cleanup' EXIT
mkdir "$e2e_dir/kept"

# said PROTOCOL SCHEMA TEST…, the kinds of messages that there must be as input.
said() {
    protocol=$1
    schema=$2
    shift 2
    for test; do
        KEPT_MESSAGES=$e2e_dir/kept "$e2e_build/tests/unit/$test" >"$e2e_dir/$test.log" 2>&1
    done
    LC_ALL=C sort >"$e2e_dir/$protocol.expected"
    e2e_run node "$check" "$protocol" "$schema" "$e2e_dir"/kept/* >"$e2e_dir/$protocol.heard" || {
        cat "$e2e_dir/$protocol.heard" >&2
        return 1
    }
    LC_ALL=C sort "$e2e_dir/$protocol.heard" | LC_ALL=C comm -13 - "$e2e_dir/$protocol.expected" \
        >"$e2e_dir/$protocol.missing"
    rm -f "$e2e_dir"/kept/*
    if grep . "$e2e_dir/$protocol.missing" >&2; then
        return 1
    fi
}

mcp_is_as_its_types_are() {
    said mcp '' test_mcp test_mcp_elicit <<'END'
they notification notifications/cancelled
they notification notifications/initialized
they request initialize
they request ping
they request tools/call
they request tools/list
they result elicitation/create
we notification notifications/cancelled
we notification notifications/progress
we request elicitation/create
we result initialize
we result ping
we result tools/call
we result tools/list
END
}

acp_is_as_its_schema_says() {
    said acp "$acp" test_acp <<'END'
they notification $/cancel_request
they notification session/update agent_message_chunk
they notification session/update agent_thought_chunk
they notification session/update available_commands_update
they notification session/update current_mode_update
they notification session/update plan
they notification session/update tool_call
they notification session/update tool_call_update
they notification session/update user_message_chunk
they request elicitation/create
they request fs/read_text_file
they request fs/write_text_file
they request session/request_permission
they request terminal/create
they request terminal/kill
they request terminal/output
they request terminal/release
they request terminal/wait_for_exit
they result authenticate
they result initialize
they result session/new
they result session/prompt
we notification session/cancel
we request authenticate
we request initialize
we request session/load
we request session/new
we request session/prompt
we request session/set_mode
we result elicitation/create
we result fs/read_text_file
we result fs/write_text_file
we result session/request_permission
we result terminal/create
we result terminal/kill
we result terminal/output
we result terminal/release
we result terminal/wait_for_exit
END
}

app_server_is_as_its_schema_says() {
    e2e_run "$codex" app-server generate-json-schema --out "$e2e_dir/schema"
    said appserver "$e2e_dir/schema" test_appserver <<'END'
they notification error
they notification item/agentMessage/delta
they notification item/completed agentMessage
they notification item/completed commandExecution
they notification item/reasoning/summaryTextDelta
they notification item/reasoning/textDelta
they notification item/started commandExecution
they notification item/started fileChange
they notification item/started userMessage
they notification serverRequest/resolved
they notification turn/completed
they notification turn/plan/updated
they notification turn/started
they notification warning
they request applyPatchApproval
they request execCommandApproval
they request item/commandExecution/requestApproval
they request item/fileChange/requestApproval
they request item/permissions/requestApproval
they request item/tool/requestUserInput
they request mcpServer/elicitation/request
they result initialize
they result thread/start
they result turn/start
we notification initialized
we request initialize
we request thread/resume
we request thread/start
we request turn/interrupt
we request turn/start
we result applyPatchApproval
we result execCommandApproval
we result item/commandExecution/requestApproval
we result item/fileChange/requestApproval
we result item/permissions/requestApproval
we result item/tool/requestUserInput
we result mcpServer/elicitation/request
END
}

# A schema that lets everything pass would be none.
what_is_wrong_is_found() {
    printf '%s\n' '{"ours": false, "bytes": "{\"id\":1,\"method\":\"execCommandApproval\"}\n"}' \
        '{"ours": true, "bytes": "{\"id\":1,\"result\":{\"decision\":\"accept\"}}\n"}' >"$e2e_dir/kept/wrong"
    if said appserver "$e2e_dir/schema" 2>"$e2e_dir/wrong.log" </dev/null; then
        return 1
    fi
    grep -q 'we result execCommandApproval: /decision' "$e2e_dir/wrong.log"
}

test_case mcp_is_as_its_types_are
test_case acp_is_as_its_schema_says
test_case app_server_is_as_its_schema_says
test_case what_is_wrong_is_found
e2e_end
