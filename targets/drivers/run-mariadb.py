"""Runs a script of SQL statements on MariaDB and prints rows as sqlite3 does.

A server of its own is started in the current folder, without network, grants
and InnoDB, talked to through the client, and ended. Columns are separated by
`|`. Stops at the first error with status 1; the error stands on
standard error as `ERROR NUMBER (SQLSTATE) at line N: message`.

With `--serve` behind the script's name each line `MARK FOLDER` on standard
input is a run in that folder, on one server, in a database of its own; `MARK
STATUS` on both outputs is its end. A server that died ends it without. A script that may
leave something outside of its database is the last one of its server.

Usage: run-mariadb.py MARIADBD [--version | [--OPTION]... SCRIPT [--serve]]
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import sql_session

# As the standard has it, so that one script serves all databases.
MODE = "ANSI,ONLY_FULL_GROUP_BY,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_UNSIGNED_SUBTRACTION"
# What a database of its own is told by.
FRESH = "lydite-fresh"
ESCAPES = {"\\n": "\n", "\\t": "\t", "\\0": "\0", "\\\\": "\\"}


def start(server, root, folder, options):
    argv = [server, "--no-defaults", "--basedir=" + os.path.join(root, "usr")]
    argv += ["--datadir=" + os.path.join(folder, "data"), "--tmpdir=" + folder]
    argv += ["--socket=" + os.path.join(folder, "s"), "--pid-file=" + os.path.join(folder, "pid")]
    argv += ["--plugin-dir=" + os.path.join(root, "usr/lib/mysql/plugin")]
    argv += ["--lc-messages-dir=" + os.path.join(root, "usr/share/mysql")]
    argv += ["--skip-grant-tables", "--skip-networking", "--skip-innodb", "--skip-log-bin"]
    argv += ["--default-storage-engine=MyISAM", "--character-set-server=utf8mb4"]
    argv += ["--collation-server=utf8mb4_nopad_bin", "--sql-mode=" + MODE, "--performance-schema=OFF"]
    argv += ["--aria-log-file-size=8M", "--aria-pagecache-buffer-size=1M", "--key-buffer-size=1M"]
    argv += ["--console", "--user=root"] if os.geteuid() == 0 else ["--console"]
    log = open(os.path.join(folder, "log"), "wb")
    return subprocess.Popen([*argv, *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def wait_for(server, socket):
    """Until the server listens; its own end, or the lab's limit, ends that."""
    while server.poll() is None and not os.path.exists(socket):
        time.sleep(0.005)


def shown(line):
    fields = line.split("\t")
    return "|".join(re.sub(r"\\[nt0\\]", lambda m: ESCAPES[m[0]], field) for field in fields)


class Server:
    """A server in a folder, with an empty database `test`."""

    def __init__(self, path, options, folder):
        self.root, self.folder = path[: path.rindex("/usr/")], folder
        os.mkdir(os.path.join(folder, "data"))
        os.mkdir(os.path.join(folder, "data", "test"))
        self.process = start(path, self.root, folder, options)
        wait_for(self.process, os.path.join(folder, "s"))

    def run(self, script, before=b""):
        """Prints the script's rows and errors; its status, None if the server died or what comes before failed."""
        argv = [os.path.join(self.root, "usr/bin/mariadb"), "--no-defaults"]
        argv += ["--socket=" + os.path.join(self.folder, "s"), "--batch", "--skip-column-names"]
        # Literals are compared as columns are.
        names = "set names utf8mb4 collate utf8mb4_nopad_bin"
        argv += ["--default-character-set=utf8mb4", "--init-command=" + names, "test"]
        with open(script, "rb") as file:
            ended = subprocess.run(argv, input=before + file.read(), capture_output=True)
        died = self.process.poll()
        if died is None and b"ERROR 20" in ended.stderr:
            # The connection is lost: the server is on its way down.
            died = self.process.wait()
        text = ended.stdout.decode("utf-8", "backslashreplace")
        begun, _, rest = text.partition("\n")
        if begun == FRESH:
            text = rest
        elif before and died is None:
            return None
        for line in text.split("\n")[:-1]:
            print(shown(line))
        sys.stdout.flush()
        sys.stderr.write(ended.stderr.decode("utf-8", "backslashreplace"))
        return ended.returncode if died is None else None

    def last_words(self):
        path = os.path.join(self.folder, "log")
        with open(path, encoding="utf-8", errors="backslashreplace") as log:
            said = log.read()
        if self.process.returncode < 0:
            said += "mariadbd: killed by %s\n" % signal.Signals(-self.process.returncode).name
        return said

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def serve(server, script):
    # On the script's first line, so that errors are where they are in it.
    # Tables of one database may refer to those of the other.
    fresh = "set foreign_key_checks = 0; drop database if exists s1; drop database test; set foreign_key_checks = 1; "
    fresh = (fresh + "create database test; use test; select '%s'; " % FRESH).encode()
    for line in sys.stdin:
        mark, folder = line.rstrip("\n").split(" ", 1)
        os.chdir(folder)
        status = server.run(script, fresh)
        if status is None:
            return
        for stream in (sys.stdout, sys.stderr):
            stream.write("%s %d\n" % (mark, status))
            stream.flush()
        with open(script, encoding="utf-8", errors="surrogateescape") as file:
            if not all(map(sql_session.stays_inside, sql_session.statements(file.read()))):
                return


def main():
    path, *words = sys.argv[1:]
    if words == ["--version"]:
        return subprocess.run([path, "--no-defaults", "--version"]).returncode
    # Paths of sockets are short, those of scratch folders need not be.
    with tempfile.TemporaryDirectory(prefix="m") as folder:
        stays = words[-1] == "--serve"
        *options, script = words[:-1] if stays else words
        server = Server(path, options, folder)
        try:
            status = serve(server, script) if stays else server.run(script)
            if status is None and not stays:
                sys.stderr.write(server.last_words())
        finally:
            server.end()
    return 1 if status is None else status


sys.exit(main())
