# SPDX-License-Identifier: MIT
"""An agent that speaks the Agent Client Protocol and does what the prompt says: acp-agent.py NAME.

    ask COMMAND     asks for permission, and says which answer it got
    run COMMAND     runs it in a terminal of the client, and says its output and exit code
    itself COMMAND  runs it by a shell of its own, asking nobody
    stay            works until it is cancelled
    form, login     asks the operator for some words, for a password
    plan            reports a plan, a thought and Markdown
    hostile         says what no terminal should be told
    flood           says a lot
    die             ends at once, with a word on standard error
    anything else   is repeated

It ignores the end of its input and SIGTERM, as some do.
"""
import json
import signal
import subprocess
import sys
import time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
serial = 100


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def receive():
    line = sys.stdin.readline()
    while not line:
        time.sleep(1)
        line = sys.stdin.readline()
    return json.loads(line)


def request(method, **params):
    """Asks the client; while it waits, a cancel is remembered."""
    global serial
    serial += 1
    send({"id": serial, "method": method, "params": {"sessionId": "session-1", **params}})
    cancelled = False
    while True:
        message = receive()
        cancelled = cancelled or message.get("method") == "session/cancel"
        if message.get("id") == serial and "method" not in message:
            return message.get("result", message.get("error")), cancelled


def update(**fields):
    send({"method": "session/update", "params": {"sessionId": "session-1", "update": fields}})


def say(text, kind="agent_message_chunk"):
    update(sessionUpdate=kind, content={"type": "text", "text": text})


def ask(command):
    options = [
        {"optionId": "all", "name": "Always", "kind": "allow_always"},
        {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
        {"optionId": "no", "name": "No", "kind": "reject_once"},
    ]
    call = {"toolCallId": f"call-{serial}", "title": command, "kind": "execute", "rawInput": {"command": command}}
    result, cancelled = request("session/request_permission", toolCall=call, options=options)
    say(f"the answer to {command} is {result['outcome'].get('optionId', 'none')}")
    return "cancelled" if cancelled else "end_turn"


def login():
    schema = {"type": "object", "properties": {"password": {"type": "string"}}, "required": ["password"]}
    result = request("elicitation/create", mode="form", message="Log in", requestedSchema=schema)[0]
    say(f"the login: {len(result.get('content', {}).get('password', ''))} characters")
    return "end_turn"


def form():
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Your full name"},
            "colour": {"type": "string", "oneOf": [{"const": "#f00", "title": "Red"}, {"const": "#0f0", "title": "Green"}]},
        },
        "required": ["name", "colour"],
    }
    result = request("elicitation/create", mode="form", message="Details, please", requestedSchema=schema)[0]
    say(f"the form: {result['action']} {result.get('content')}")
    return "end_turn"


def run(command):
    terminal = request("terminal/create", command=command)[0]["terminalId"]
    status = request("terminal/wait_for_exit", terminalId=terminal)[0]
    output = request("terminal/output", terminalId=terminal)[0]
    request("terminal/release", terminalId=terminal)
    say(f"{output['output'].strip()} ({status['exitCode']})")
    return "end_turn"


def itself(command):
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    say(f"by itself: {(done.stdout + done.stderr).strip()} ({done.returncode})")
    return "end_turn"


def stay():
    while receive().get("method") != "session/cancel":
        pass
    return "cancelled"


def plan():
    entries = [
        {"content": "look", "priority": "high", "status": "completed"},
        {"content": "leap", "priority": "low", "status": "in_progress"},
    ]
    update(sessionUpdate="plan", entries=entries)
    say("I wonder", "agent_thought_chunk")
    say("# A title\n- **strong** and `code`\n")
    return "end_turn"


def work(text):
    word, _, rest = text.partition(" ")
    if word == "ask":
        return ask(rest)
    if word == "run":
        return run(rest)
    if word == "itself":
        return itself(rest)
    if word == "die":
        sys.exit("I have died")
    if word in ("stay", "plan", "form", "login"):
        return {"stay": stay, "plan": plan, "form": form, "login": login}[word]()
    if word == "hostile":
        say("\x1b[2J\x1b]0;title\x07 asks. May it run? \u202e\n")
    elif word == "flood":
        for number in range(20000):
            say(f"line {number} of a great many\n")
    else:
        say(f"you said: {text}")
    return "end_turn"


def main():
    while True:
        message = receive()
        method = message.get("method")
        result = {}
        if method == "initialize":
            result = {
                "protocolVersion": 1,
                "agentCapabilities": {"loadSession": True},
                "agentInfo": {"name": "test", "title": sys.argv[1], "version": "1"},
            }
        elif method == "session/new":
            result = {"sessionId": "session-1"}
        elif method == "session/load":
            say("what was asked before", "user_message_chunk")
            say("what was answered before")
        elif method == "session/prompt":
            result = {"stopReason": work(message["params"]["prompt"][0]["text"])}
        if "id" in message:
            send({"id": message["id"], "result": result})


main()
