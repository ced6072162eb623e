"""Runs a script of SQL statements on PostgreSQL and prints rows as sqlite3 does.

PostgreSQL runs by itself in a data directory of its own, without a server, as
`postgres --single`; the directory is copied from one that is made once and
lies beside this file. Columns are separated by `|`, truth values are 1
and 0. Stops at the first error with status 1; the error stands on
standard error as `SQLSTATE SEVERITY:  message`.

Usage: run-postgres.py POSTGRES [--prepare | --version | [NAME=VALUE]... SCRIPT]
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TEMPLATE = os.path.join(HERE, "template")
COLUMN = re.compile(r'^\t ?(\d+): (.*)\t\(typeid = (\d+), len = .*\)$', re.DOTALL)
BOOLEAN = "16"
TRUTH = {"t": "1", "f": "0"}


def unprivileged(argv):
    """PostgreSQL refuses to run as root: then in a namespace without users."""
    return ["unshare", "--user", *argv] if os.geteuid() == 0 else argv


def single(postgres, data, settings, script, **options):
    words = ["-c", "exit_on_error=on", "-c", "log_min_messages=error", "-c", "timezone=GMT"]
    words += ["-c", "log_line_prefix=%e ", "-c", "shared_buffers=1MB", "-c", "log_checkpoints=off"]
    # Tables without statistics look large: it would compile every query, which is
    # nine tenths of the time of a run. Variant `jit` does.
    words += ["-c", "jit=off"]
    for setting in settings:
        words += ["-c", setting]
    argv = [postgres, "--single", "-j", "-F", "-D", data, *words, "template1"]
    return subprocess.run(unprivileged(argv), input=script, stdout=subprocess.PIPE, **options)


def prepare(postgres):
    """Makes the directory that all runs copy; whoever is first puts it there."""
    if os.path.isdir(TEMPLATE):
        return
    work = tempfile.mkdtemp(dir=HERE)
    data = os.path.join(work, "data")
    initdb = os.path.join(os.path.dirname(postgres), "initdb")
    argv = [initdb, "-D", data, "--wal-segsize=1", "-U", "lydite", "--locale=C", "-E", "UTF8"]
    made = subprocess.run(unprivileged([*argv, "-A", "trust", "-N"]), capture_output=True, text=True)
    if made.returncode != 0:
        shutil.rmtree(work)
        sys.exit("58000 FATAL:  initdb: " + made.stderr.strip())
    # Two of three databases are not used: a copy has a third of the bytes.
    for statement in (
        "update pg_database set datistemplate = false, datallowconn = true",
        "drop database template0",
        "drop database postgres",
    ):
        single(postgres, data, [], statement.encode() + b";\n\n", check=True)
    try:
        os.rename(data, TEMPLATE)
    except OSError:
        if not os.path.isdir(TEMPLATE):
            raise
    shutil.rmtree(work)


def statements(text):
    """The script with an empty line behind each statement and in none."""
    parts = re.split(r";[ \t]*(?:\n|$)", text)
    lines = [re.sub(r"\n\s*\n", "\n", part).strip() for part in parts]
    return "".join(line + ";\n\n" for line in lines if line)


def rows(text):
    """The rows that `postgres --single` shows column by column."""
    width, shown, row = 0, False, {}
    for line in re.sub(r"(?m)^(?:backend> )+", "", text).split("\n"):
        column = COLUMN.match(line)
        if line == "\t----":
            if shown:
                yield "|".join(row.get(number, "NULL") for number in range(1, width + 1))
            shown, row = True, {}
        elif column:
            number, said, kind = int(column[1]), column[2], column[3]
            value = re.search(r' = "(.*)"$', said, re.DOTALL)
            if value is None:
                # The head of a result: names without values.
                width, shown = number, False
            else:
                row[number] = TRUTH[value[1]] if kind == BOOLEAN else value[1]


def main():
    postgres, *words = sys.argv[1:]
    if words == ["--version"]:
        return subprocess.run([postgres, "--version"]).returncode
    prepare(postgres)
    if words == ["--prepare"]:
        return 0
    shutil.copytree(TEMPLATE, "data")
    with open(words[-1], encoding="utf-8", errors="surrogateescape") as file:
        script = statements(file.read()).encode("utf-8", "surrogateescape")
    ended = single(postgres, "data", words[:-1], script)
    for row in rows(ended.stdout.decode("utf-8", "backslashreplace")):
        print(row)
    sys.stdout.flush()
    if ended.returncode < 0:
        print("XX000 PANIC:  killed by signal %d" % -ended.returncode, file=sys.stderr)
    return min(abs(ended.returncode), 1)


sys.exit(main())
