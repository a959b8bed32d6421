#!/bin/sh
# SPDX-License-Identifier: MIT
# assent mcp install and uninstall: the settings of clients are shown, written, and put back.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
e2e_begin

home=$e2e_dir/home
clients='codex claude gemini qwen opencode copilot goose'

# Where each has its settings; opencode and goose follow XDG_CONFIG_HOME.
settings() {
    case $1 in
    codex) echo "$home/.codex/config.toml" ;;
    claude) echo "$home/.claude.json" ;;
    gemini | qwen) echo "$home/.$1/settings.json" ;;
    opencode) echo "$e2e_dir/conf/opencode/opencode.json" ;;
    copilot) echo "$home/.copilot/mcp-config.json" ;;
    goose) echo "$e2e_dir/conf/goose/config.yaml" ;;
    esac
}

what_was_not_there_is_gone_again() {
    for name in $clients; do
        assent mcp install "$name" >"$e2e_dir/out"
        grep -qF -e "+++ $(settings "$name")" "$e2e_dir/out"
        grep -q assent "$(settings "$name")"
        assent mcp uninstall "$name" >"$e2e_dir/out"
        grep -qF -e "--- $(settings "$name")" "$e2e_dir/out"
        test ! -e "$(settings "$name")"
        assent mcp uninstall "$name" 2>"$e2e_dir/message" && test_fail 'installed for ever'
        grep -q "nothing of ours is installed for" "$e2e_dir/message"
    done
    test -z "$(ls "$e2e_dir/state/assent/installed")"
}

# Where each has its hooks, and the event that they are for.
hooks_come_and_go() {
    while read -r name file event; do
        assent hook install "$name" >"$e2e_dir/out"
        grep -qF -e "+++ $home/$file" "$e2e_dir/out"
        grep -q "\"$event\"" "$home/$file"
        grep -q 'assent hook --config-dir ' "$home/$file"
        assent hook uninstall "$name" >/dev/null
        test ! -e "$home/$file"
    done <<END
claude .claude/settings.json PreToolUse
codex .codex/hooks.json PermissionRequest
gemini .gemini/settings.json BeforeTool
copilot .copilot/hooks/assent.json preToolUse
END
}

write_settings() {
    for name in $clients; do
        mkdir -p "$(dirname "$(settings "$name")")"
        case $name in
        codex) printf 'model = "x" # mine\n\n[features]\nshell_tool = true\n\n[mcp_servers.b]\ncommand = "b"\n' ;;
        goose) printf '# mine\nextensions:\n  developer:\n    enabled: true\n    type: builtin\nGOOSE_MODEL: x\n' ;;
        opencode) printf '{\n\t// mine\n\t"permission": {"bash": {"*": "ask"}},\n\t"mcp": {},\n}\n' ;;
        *) printf '{"z": [1,2],\n "mcpServers": { "b" : {"command": "b"} }, "tools": {"exclude": ["x"]}}' ;;
        esac >"$(settings "$name")"
    done
}

what_was_there_is_as_it_was() {
    write_settings
    for name in $clients; do
        cp "$(settings "$name")" "$e2e_dir/before"
        chmod 640 "$(settings "$name")"
        assent mcp install --yes "$name" >/dev/null
        # Once more is no more; another form takes the first one's place.
        cp "$(settings "$name")" "$e2e_dir/installed"
        assent mcp install "$name" --yes | grep -q 'Nothing changes'
        assent mcp install "$name" --keep-shell >/dev/null
        assent mcp install "$name" >/dev/null
        cmp "$e2e_dir/installed" "$(settings "$name")"
        test "$(stat -c %a "$(settings "$name")")" = 640
        assent mcp uninstall "$name" --dry-run | grep -q '^-.*mcp'
        cmp "$e2e_dir/installed" "$(settings "$name")"
        assent mcp uninstall "$name" >/dev/null
        cmp "$e2e_dir/before" "$(settings "$name")"
        rm "$(settings "$name")"
    done
}

later_changes_stay() {
    assent mcp install gemini >/dev/null
    file=$(settings gemini)
    sed -i 's/^{$/{\n  "ui": {"theme": "x"},/; s/"run_shell_command"/"other", "run_shell_command", "more"/' "$file"
    assent mcp uninstall gemini >/dev/null
    tr -d ' \n' <"$file" >"$e2e_dir/left"
    test "$(cat "$e2e_dir/left")" = '{"ui":{"theme":"x"},"tools":{"exclude":["other","more"]}}'
    rm "$file"
}

what_is_not_ours_is_not_touched() {
    file=$(settings claude)
    echo '{"mcpServers": {"assent": {"command": "another"}}}' >"$file"
    cp "$file" "$e2e_dir/before"
    if assent mcp install claude 2>"$e2e_dir/message"; then
        test_fail 'it wrote'
    fi
    grep -q 'has an entry mcpServers.assent already' "$e2e_dir/message"
    cmp "$e2e_dir/before" "$file"
    test ! -e "$home/.claude/settings.json"
    echo 'not JSON' >"$file"
    if assent mcp install claude 2>"$e2e_dir/message"; then
        test_fail 'it wrote'
    fi
    grep -q 'not JSON that can be edited' "$e2e_dir/message"
    rm "$file"
}

# On a terminal it asks; a link stays one.
the_operator_may_say_no() {
    mkdir -p "$home/dots"
    echo '{}' >"$home/dots/gemini.json"
    ln -s "$home/dots/gemini.json" "$(settings gemini)"
    terminal_start no 80x40 "$e2e_build/assent" mcp install gemini
    wait_screen no 'Write this? [y/N]'
    keys no n Enter
    test "$(console_status no)" = 1
    test "$(cat "$home/dots/gemini.json")" = '{}'
    terminal_start yes 80x40 "$e2e_build/assent" mcp install gemini
    wait_screen yes 'Write this? [y/N]'
    keys yes y Enter
    test "$(console_status yes)" = 0
    test -L "$(settings gemini)"
    grep -q assent "$home/dots/gemini.json"
    assent mcp uninstall gemini >/dev/null
    test "$(cat "$home/dots/gemini.json")" = '{}'
}

test_case what_was_not_there_is_gone_again
test_case hooks_come_and_go
test_case what_was_there_is_as_it_was
test_case later_changes_stay
test_case what_is_not_ours_is_not_touched
test_case the_operator_may_say_no
e2e_end
