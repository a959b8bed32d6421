#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many agents that ask at once: crowd.py SOCKET WORKSPACE DIRECTORY AGENTS REQUESTS

Each agent is a process of its own with a session of its own. It asks for `touch shared-0` and so
on, all at once, and heeds that of each it hears once, and of no other's, how it ended: every
fourth is allowed, the others are denied. It writes DIRECTORY/N.asked then. When DIRECTORY/own is
there the first asks for `touch own` twice, which is allowed for its session with the first; when
DIRECTORY/others is there, the others ask for the same and are denied. Then DIRECTORY/N.done is
written. What is not so is told in DIRECTORY/N.failed.
"""
import json
import os
import socket
import sys
import time
import traceback

DEADLINE = 300


class Agent:
    def __init__(self, path, work, number):
        self.work = work
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)  # waits while the queue is full
        self.socket.settimeout(DEADLINE)
        self.stream = self.socket.makefile("r", encoding="utf-8")
        self.calls = {}  # number of the call: what was asked
        self.ended = {}  # what was asked: its result
        self.send("introduced", "initialize",
                  {"protocol": 1, "client": {"name": "crowd", "version": "1"}, "cwd": work,
                   "session": "agent-%d" % number, "own_session": True})
        while self.receive().get("id") != "introduced":
            pass

    def send(self, number, method, params):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def receive(self):
        line = self.stream.readline()
        if not line:
            raise EOFError("the console is gone")
        message = json.loads(line)
        if "error" in message:
            raise ValueError(line)
        return message

    def ask(self, names):
        """Results by name; everything that is heard meanwhile is about these calls."""
        for name in names:
            self.send(name, "call/start", {"argv": ["touch", name], "cwd": self.work})
        results = {}
        while len(results) < len(names):
            message = self.receive()
            if "id" in message:
                call = message["result"]["call"]
                if message["id"] not in names or call in self.calls:
                    raise ValueError("answered twice: %s" % message)
                self.calls[call] = message["id"]
                continue
            name = self.calls.get(message["params"]["call"])
            if name is None:
                raise ValueError("of another's call: %s" % message)
            if message["method"] != "call/finished":
                continue
            if name in results or name not in names:
                raise ValueError("ended twice: %s" % message)
            results[name] = message["params"]["result"]
        return results


def expect(result, outcome, kind, source):
    decision = result["decision"]
    if (result["outcome"], decision["kind"], decision["source"]) != (outcome, kind, source):
        raise ValueError("not %s, %s, %s: %s" % (outcome, kind, source, json.dumps(result)))


def wait_for(path):
    end = time.monotonic() + DEADLINE
    while not os.path.exists(path):
        if time.monotonic() > end:
            raise TimeoutError(path)
        time.sleep(0.05)


def run(path, work, directory, number, requests):
    agent = Agent(path, work, number)
    results = agent.ask(["shared-%d" % i for i in range(requests)])
    for i in range(requests):
        if i % 4 == 0:
            expect(results["shared-%d" % i], "exited", "approved", "user")
        else:
            expect(results["shared-%d" % i], "refused", "denied", "user")
    open("%s/%d.asked" % (directory, number), "w").close()
    agent.calls.clear()
    if number == 0:
        wait_for(directory + "/own")
        expect(agent.ask(["own"])["own"], "exited", "approved_for_session", "user")
        expect(agent.ask(["own"])["own"], "exited", "approved_for_session", "cache")
    else:
        wait_for(directory + "/others")
        expect(agent.ask(["own"])["own"], "refused", "denied", "user")
    open("%s/%d.done" % (directory, number), "w").close()


def main():
    path, work, directory = sys.argv[1:4]
    agents, requests = int(sys.argv[4]), int(sys.argv[5])
    for number in range(agents):
        if os.fork() != 0:
            continue
        try:
            run(path, work, directory, number, requests)
        except Exception:  # whatever it is, the test is told
            with open("%s/%d.failed" % (directory, number), "w") as file:
                traceback.print_exc(file=file)
        os._exit(0)
    for _ in range(agents):
        os.wait()


main()
