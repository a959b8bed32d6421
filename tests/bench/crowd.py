#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many agents with many waiting requests: how long a key of the operator's takes.

    tests/bench/crowd.py PATH/TO/assent [AGENTS [REQUESTS [DIRECTORIES]]]

Starts the console in a terminal of its own, in a workspace of so many directories that have files to
build with, and agents that ask at once, each a process with a session of its own; then presses keys
and measures milliseconds from a key to the end of what the console draws for it, and the console's
processor time for it. Of a session eight requests are on the list, the others behind them: 32 agents
of 32 show 256 rows, 128 of 8 show 1,024.
"""
import fcntl
import json
import os
import pty
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import termios
import time


def say(connection, message):
    connection.sendall((json.dumps(dict(jsonrpc="2.0", **message)) + "\n").encode())


def agent(path, work, number, requests):
    """Asks for everything at once and reads what comes until the console is gone."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    say(connection, {"id": "i", "method": "initialize",
                     "params": {"protocol": 1, "client": {"name": "crowd", "version": "1"},
                                "cwd": work, "session": "agent-%d" % number,
                                "own_session": True}})
    for i in range(requests):
        say(connection, {"id": i, "method": "call/start",
                         "params": {"script": "touch %d-%d && make check" % (number, i),
                                    "cwd": work}})
    while connection.recv(65536):
        pass


class Console:
    def __init__(self, program, directory, count):
        self.work = os.path.join(directory, "work")
        os.mkdir(self.work)
        for i in range(count):
            os.mkdir("%s/%d" % (self.work, i))
            with open("%s/%d/Makefile" % (self.work, i), "w") as file:
                file.write("check:\n")
        environment = {"PATH": os.environ["PATH"], "HOME": directory, "TERM": "xterm-256color",
                       "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": directory + "/run",
                       "XDG_CONFIG_HOME": directory + "/conf", "XDG_STATE_HOME": directory + "/state"}
        os.mkdir(directory + "/run", 0o700)
        os.mkdir(directory + "/conf", 0o700)
        os.makedirs(directory + "/state/assent", 0o700)
        open(directory + "/state/assent/introduced", "w").close()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(self.work)
            os.execve(program, [program, "--policy", "untrusted", "-c", "guard_time=0"],
                      environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self.path = "%s/run/assent/%d.sock" % (directory, self.pid)

    def read(self, quiet, end=60):
        """What it draws until nothing has come for `quiet` seconds; when the last of it came."""
        text, last, limit = b"", time.monotonic(), time.monotonic() + end
        while time.monotonic() < limit:
            if not select.select([self.terminal], [], [], quiet)[0]:
                break
            text += os.read(self.terminal, 65536)
            last = time.monotonic()
        return text, last

    def processor(self):
        with open("/proc/%d/schedstat" % self.pid) as file:
            return int(file.read().split()[0]) / 1e6

    def memory(self):
        with open("/proc/%d/status" % self.pid) as file:
            return [int(line.split()[1]) for line in file if line.startswith("VmRSS")][0]

    def key(self, what, key, times=10):
        waits, used = [], []
        for _ in range(times):
            before, start = self.processor(), time.monotonic()
            os.write(self.terminal, key)
            text, last = self.read(0.25)
            waits.append(1000 * (last - start) if text else 0)
            used.append(self.processor() - before)
        waits.sort()
        used.sort()
        print("%-28s %7.1f ms median %7.1f ms longest, %7.1f ms processor time"
              % (what, waits[times // 2], waits[-1], used[times // 2]), flush=True)


def main():
    program = os.path.abspath(sys.argv[1])
    agents = int(sys.argv[2]) if len(sys.argv) > 2 else 32
    requests = int(sys.argv[3]) if len(sys.argv) > 3 else 32
    directories = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    directory = tempfile.mkdtemp(dir=os.path.dirname(program))
    console = Console(program, directory, directories)
    children = []
    try:
        text, _ = console.read(1)
        while not os.path.exists(console.path):
            text += console.read(0.1)[0]
            if os.waitpid(console.pid, os.WNOHANG)[0]:
                sys.exit(text)
        print("%d agents, %d requests each; empty: %d KiB" % (agents, requests, console.memory()))
        start, before = time.monotonic(), console.processor()
        for number in range(agents):
            child = os.fork()
            if child == 0:
                try:
                    agent(console.path, console.work, number, requests)
                finally:
                    os._exit(0)
            children.append(child)
        last = console.read(1.5)[1]
        print("all have asked after %.0f ms, %.0f ms processor time; %d KiB"
              % (1000 * (last - start), console.processor() - before, console.memory()))
        before = console.processor()
        console.read(5, 5)
        print("5 s of waiting, request shown: %.1f ms processor time" % (console.processor() - before))
        console.key("F9 (inbox)", b"\x1b[20~", 1)
        before = console.processor()
        console.read(5, 5)
        print("5 s of waiting, inbox: %.1f ms processor time" % (console.processor() - before))
        console.key("Down", b"\x1b[B")
        console.key("Space (mark)", b" ")
        console.key("Space (unmark)", b" ", 1)
        console.key("d (deny)", b"d")
        console.key("y (allow)", b"y")
        console.key("a (for the session)", b"a")
        console.key("p (rule)", b"p")
        console.key("Enter (open)", b"\r", 1)
        console.key("d (deny)", b"d", 3)
        console.key("F9 (inbox)", b"\x1b[20~", 1)
        print("%d KiB" % console.memory())
    finally:
        os.kill(console.pid, signal.SIGKILL)
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.waitpid(console.pid, 0)
        shutil.rmtree(directory, ignore_errors=True)


main()
