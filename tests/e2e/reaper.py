# SPDX-License-Identifier: MIT
"""A subreaper, as systemd is one for a user: reaper.py FIFO [PROGRAM…].

For each line of FIFO it runs the script of that name, as an orphan whose session has no leader any
more: the script becomes a child of this process, which did not start it. Runs PROGRAM meanwhile, or
ends with its terminal.
"""
import ctypes
import os
import signal
import subprocess
import sys
import threading

PR_SET_CHILD_SUBREAPER = 36


def adopt(fifo):
    # With a writer of its own the end never comes.
    with os.fdopen(os.open(fifo, os.O_RDWR), encoding="utf-8") as lines:
        for line in lines:
            subprocess.run(["setsid", "sh", "-c", 'sh "$0" &', line.rstrip("\n")], check=True)


def main():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    threading.Thread(target=adopt, args=sys.argv[1:2], daemon=True).start()
    if sys.argv[2:]:
        sys.exit(subprocess.call(sys.argv[2:]))
    signal.pause()


main()
