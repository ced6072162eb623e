#!/usr/bin/env python3
"""Tests of a reducer, run where their CPU time can be told to the microsecond.

    scripts/measured.py SOCKET TEST      runs TEST for whoever asks (ask.c), until told to stop

Reducers kill tests that take too long, and then nobody knows what these cost. So
tests are children of this process, and so are the orphans of a test that was
killed: whoever asked is gone, and the test is killed here. What all of them used
together is then what the system says of all children of this process. At the end
of its standard input it prints that, how many tests there were, and how many
seconds they lasted.
"""

import contextlib
import ctypes
import json
import os
import pathlib
import resource
import selectors
import signal
import socket
import subprocess
import sys
import time

SCRIPTS = pathlib.Path(__file__).resolve().parent
PR_SET_CHILD_SUBREAPER = 36


class Server:
    """Runs tests, as many at a time as ask."""

    def __init__(self, place, test):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.test, self.tests, self.busy = test, 0, 0.0
        self.running = {}       # process: who asked, since when
        self.selector = selectors.DefaultSelector()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(place)
        self.listener.listen(16)
        self.selector.register(self.listener, selectors.EVENT_READ, self.accept)
        self.selector.register(sys.stdin, selectors.EVENT_READ, self.stop)
        self.stopped = False

    def accept(self):
        asker, _ = self.listener.accept()
        with asker.makefile() as request:
            folder, file = request.readline().rstrip("\n"), request.readline().rstrip("\n")
        try:
            process = subprocess.Popen([self.test, file], cwd=folder, start_new_session=True,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except FileNotFoundError:
            # Who asked has gone away, and its folder with it.
            asker.close()
            return
        self.tests += 1
        self.running[process.pid] = asker, time.monotonic()
        self.selector.register(asker, selectors.EVENT_READ, lambda: self.kill(process.pid))
        ended = os.pidfd_open(process.pid)
        self.selector.register(ended, selectors.EVENT_READ, lambda: self.reap(ended))

    def kill(self, process):
        """Who asked has gone away; the test may have ended at the same time."""
        if process not in self.running:
            return
        self.selector.unregister(self.running[process][0])
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)

    def reap(self, ended=None):
        """Takes in whoever has ended, orphans of tests among them."""
        if ended is not None:
            self.selector.unregister(ended)
            os.close(ended)
        with contextlib.suppress(ChildProcessError):
            while (process := os.waitpid(-1, os.WNOHANG))[0]:
                asker, began = self.running.pop(process[0], (None, 0))
                if asker is None:
                    continue
                self.busy += time.monotonic() - began
                with contextlib.suppress(KeyError):
                    self.selector.unregister(asker)
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    asker.send(bytes([os.waitstatus_to_exitcode(process[1]) & 255]))
                asker.close()

    def stop(self):
        self.stopped = True

    def serve(self):
        print("ready", flush=True)
        while not self.stopped:
            for key, _ in self.selector.select():
                key.data()
        for process in list(self.running):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(json.dumps({"tests": self.tests, "cpu": used.ru_utime + used.ru_stime, "busy": self.busy}))


def build_asker(folder):
    """The command that asks, compiled."""
    asker = folder / "ask"
    if not asker.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["gcc", "-O2", "-o", asker, SCRIPTS / "ask.c"], check=True)
    return asker


@contextlib.contextmanager
def measured(test, place, spent):
    """Runs a server at `place` while something reduces; puts into `spent` what tests took."""
    place.unlink(missing_ok=True)
    words = [sys.executable, __file__, place, test]
    server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    server.stdout.readline()
    try:
        yield
    finally:
        said, _ = server.communicate()
        spent.update(json.loads(said))


if __name__ == "__main__":
    Server(sys.argv[1], sys.argv[2]).serve()
