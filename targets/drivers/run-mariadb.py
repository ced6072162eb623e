"""Runs a script of SQL statements on MariaDB and prints rows as sqlite3 does.

A server of its own is started in the current folder, without network, grants
and InnoDB, talked to through the client, and ended. Columns are separated by
`|`. Stops at the first error with status 1; the error stands on
standard error as `ERROR NUMBER (SQLSTATE) at line N: message`.

Usage: run-mariadb.py MARIADBD [--version | [--OPTION]... SCRIPT]
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

# As the standard has it, so that one script serves all databases.
MODE = "ANSI,ONLY_FULL_GROUP_BY,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_UNSIGNED_SUBTRACTION"
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


def run(server_path, options, script, folder):
    root = server_path[: server_path.rindex("/usr/")]
    os.mkdir(os.path.join(folder, "data"))
    os.mkdir(os.path.join(folder, "data", "test"))
    socket = os.path.join(folder, "s")
    server = start(server_path, root, folder, options)
    wait_for(server, socket)
    client = os.path.join(root, "usr/bin/mariadb")
    argv = [client, "--no-defaults", "--socket=" + socket, "--batch", "--skip-column-names"]
    # Literals are compared as columns are.
    names = "set names utf8mb4 collate utf8mb4_nopad_bin"
    argv += ["--default-character-set=utf8mb4", "--init-command=" + names, "test"]
    with open(script, "rb") as file:
        ended = subprocess.run(argv, stdin=file, capture_output=True)
    died = server.poll()
    if died is None and b"ERROR 20" in ended.stderr:
        # The connection is lost: the server is on its way down.
        died = server.wait()
    if died is None:
        server.kill()
        server.wait()
    text = ended.stdout.decode("utf-8", "backslashreplace")
    for line in text.split("\n")[:-1]:
        print(shown(line))
    sys.stdout.flush()
    said = ended.stderr.decode("utf-8", "backslashreplace")
    if died is not None:
        with open(os.path.join(folder, "log"), encoding="utf-8", errors="backslashreplace") as log:
            said += log.read()
        if died < 0:
            said += "mariadbd: killed by %s\n" % signal.Signals(-died).name
    sys.stderr.write(said)
    return 1 if died is not None else ended.returncode


def main():
    server, *words = sys.argv[1:]
    if words == ["--version"]:
        return subprocess.run([server, "--no-defaults", "--version"]).returncode
    # Paths of sockets are short, those of scratch folders need not be.
    with tempfile.TemporaryDirectory(prefix="m") as folder:
        return run(server, words[:-1], words[-1], folder)


sys.exit(main())
