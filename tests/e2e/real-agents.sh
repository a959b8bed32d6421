# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# Agents that others wrote, Codex and Claude Code, with a script for a model (model.mjs): for scripts
# that have sourced lib.sh and begun. $e2e_dir/script.json is what the model does.
# shellcheck source=tests/e2e/npm.sh
. "$srcdir/tests/e2e/npm.sh"

npm_fetch @openai/codex 0.169.0
codex=$npm_directory/node_modules/.bin/codex
npm_fetch @anthropic-ai/claude-code 2.1.197
# npm fetches one for each C library where it cannot tell which is there.
claude=$(for program in "$npm_directory"/node_modules/@anthropic-ai/claude-code-*/claude; do
    ! e2e_run "$program" --version >/dev/null 2>&1 || echo "$program"
done | head -n 1)

model_start() {
    rm -f "$e2e_dir/port" "$e2e_dir/model.log"
    e2e_run node "$srcdir/tests/e2e/model.mjs" "$e2e_dir/script.json" "$e2e_dir/port" \
        "$e2e_dir/model.log" &
    wait_for 'the model' test -e "$e2e_dir/port"
    url=http://127.0.0.1:$(cat "$e2e_dir/port")
}

set_up_codex() {
    mkdir -p "$e2e_dir/home/.codex"
    cat >"$e2e_dir/home/.codex/config.toml" <<END
model = "gpt-5-codex"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "$url/v1"
wire_api = "responses"
END
    cp "$e2e_dir/home/.codex/config.toml" "$e2e_dir/config.toml"
}

# run_codex [OPTION…], run_claude [OPTION…]: in the workspace, until the model has finished.
run_codex() {
    cd "$e2e_work" || return 1
    e2e_run "$codex" exec --skip-git-repo-check "$@" 'go' </dev/null
}

set_up_claude() {
    echo '{"mcpServers": {"other": {"command": "true"}}}' >"$e2e_dir/home/.claude.json"
}

run_claude() {
    cd "$e2e_work" || return 1
    e2e_run env ANTHROPIC_BASE_URL="$url" ANTHROPIC_API_KEY=sk-ant-none DISABLE_AUTOUPDATER=1 \
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 "$claude" "$@" -p go </dev/null
}

# results TEXT: the model was given it (as JSON holds it).
results() {
    grep -qF -e "$1" "$e2e_dir/model.log" || {
        cat "$e2e_dir/model.log" >&2
        return 1
    }
}

# The model is gone with its agent; what is left of it ends here.
model_stop() {
    # shellcheck disable=SC2046 # process ids
    kill $(e2e_matching model.mjs)
}
