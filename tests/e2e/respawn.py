# SPDX-License-Identifier: MIT
"""An agent that ends its MCP server and asks a new one for the same: respawn.py NAME CALL….

NAME is what it calls itself. Each CALL is the arguments of the tool shell as JSON; the server is
ended and started anew before each but the first. Before a CALL that begins with "@FILE " it waits
for that file. Prints the text of the last answer; the file $MARK gets a byte for each call that was sent.
"""
import json
import os
import subprocess
import sys
import time


def start(name):
    server = subprocess.Popen(
        [os.environ["ASSENT_PROGRAM"], "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    info = {"name": name, "version": "1"}
    send(server, 0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})
    receive(server, 0)
    return server


def send(server, number, method, params):
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()


def receive(server, number):
    for line in server.stdout:
        message = json.loads(line)
        if message.get("id") == number and "method" not in message:
            return message
    sys.exit("the server has ended")


def main():
    server = None
    for word in sys.argv[2:]:
        if word.startswith("@"):
            path, word = word[1:].split(" ", 1)
            while not os.path.exists(path):
                time.sleep(0.05)
        if server:
            server.terminate()
            server.wait()
        server = start(sys.argv[1])
        send(server, 1, "tools/call", {"name": "shell", "arguments": json.loads(word)})
        with open(os.environ["MARK"], "a", encoding="ascii") as mark:
            mark.write(".")
    answer = receive(server, 1)
    print(answer["result"]["content"][0]["text"], end="")


main()
