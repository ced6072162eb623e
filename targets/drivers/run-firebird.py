"""Runs a script of SQL statements on Firebird's engine, inside its shell, and prints rows
as sqlite3 does.

The first word is the path of `isql-fb`. The engine is loaded from where the packages are
unpacked: with FIREBIRD_BOOT_BUILD it looks for its files below FIREBIRD, not where Debian
has them. Each script has a copy of one empty database, which whoever is first makes beside
this file. A change is committed at once. The first error ends a script with status 1 and a
line `SQLSTATE: message` on standard error.

With `--serve` behind the script's name each line `MARK FOLDER` on standard input is a run
in that folder; `MARK STATUS` on both outputs is its end. The shell that ends by a signal
ends it without.

Usage: run-firebird.py ISQL [--version | [STATEMENT]... SCRIPT [--serve]]
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import sql_session

HERE = os.path.dirname(os.path.abspath(__file__))
TEMPLATE = os.path.join(HERE, "template.fdb")
# A line of `set list on`: a name, blanks up to column 32, a value.
VALUE_AT = 32
FAILED = re.compile(r"Statement failed, SQLSTATE = (\w+)")
# Lines that say the same of every statement, or where it is.
EMPTY_WORDS = ("Dynamic SQL", "SQL error code", "At line", "After line")
SHOWN = {"<null>": "NULL", "<true>": "1", "<false>": "0"}


def environment(isql, folder):
    root = isql[: isql.rindex("/usr/")]
    libraries = [os.path.join(root, "usr/lib", name) for name in sorted(os.listdir(os.path.join(root, "usr/lib")))]
    home = next(path for path in (os.path.join(lib, "firebird/3.0") for lib in libraries) if os.path.isdir(path))
    places = {"FIREBIRD": home, "FIREBIRD_MSG": home, "FIREBIRD_LOCK": folder, "FIREBIRD_TMP": folder}
    return {**os.environ, **places, "FIREBIRD_BOOT_BUILD": "1", "LD_LIBRARY_PATH": ":".join(libraries)}


def shell(isql, folder, words, text):
    argv = [isql, "-quiet", "-bail", "-pagelength", "1000000", *words]
    return subprocess.run(
        argv, input=text.encode("utf-8", "surrogateescape"), cwd=folder, env=environment(isql, folder), capture_output=True
    )


def prepare(isql):
    if os.path.exists(TEMPLATE):
        return
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        made = shell(isql, folder, [], "create database 'made.fdb' page_size 4096;\n")
        path = os.path.join(folder, "made.fdb")
        if not os.path.exists(path):
            sys.exit("08001: no database: " + made.stderr.decode("utf-8", "replace").strip())
        # What is gone after a script need not be on the disk before the next statement.
        gfix = os.path.join(os.path.dirname(isql), "gfix")
        subprocess.run([gfix, "-write", "async", path], env=environment(isql, folder), check=True)
        os.rename(path, TEMPLATE)


def script_of(text):
    """What the shell is told: a change is committed before the next statement."""
    said = "set list on;\n"
    for statement in sql_session.statements(text):
        said += statement + ";\n"
        if not re.match(r"\s*(?:select|with|commit|rollback|savepoint|create|drop|alter)\b", statement, re.IGNORECASE):
            said += "commit;\n"
    return said


def rows(text):
    row = []
    for line in [*text.split("\n"), ""]:
        if line.strip():
            value = line[VALUE_AT:].rstrip()
            row.append(SHOWN.get(value, value))
        elif row:
            yield "|".join(row)
            row = []


def run(isql, settings, script):
    """The script's status; None if the shell died."""
    with open(script, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    with tempfile.TemporaryDirectory(prefix="f") as folder:
        shutil.copyfile(TEMPLATE, os.path.join(folder, "run.fdb"))
        ended = shell(isql, folder, ["run.fdb"], "".join(s + ";\n" for s in settings) + script_of(text))
    for row in rows(ended.stdout.decode("utf-8", "backslashreplace")):
        print(row)
    sys.stdout.flush()
    said = ended.stderr.decode("utf-8", "backslashreplace")
    if ended.returncode < 0:
        sys.stderr.write("%sisql-fb: killed by signal %d\n" % (said, -ended.returncode))
        return None
    failures = FAILED.split(said)
    if len(failures) > 1:
        words = [line.lstrip("-") for line in failures[2].split("\n")]
        told = "; ".join(line for line in words if line and not line.startswith(EMPTY_WORDS))
        sys.stderr.write("%s: %s\n" % (failures[1], told))
        return 1
    sys.stderr.write(said)
    return 1 if said.strip() else 0


def main():
    isql, *words = sys.argv[1:]
    if words == ["--version"]:
        said = subprocess.run([isql, "-z", "-q"], input=b"", env=environment(isql, "/tmp"), capture_output=True)
        print((said.stdout + said.stderr).decode("utf-8", "replace").strip())
        return 0
    prepare(isql)
    if words[-1] != "--serve":
        return 1 if run(isql, words[:-1], words[-1]) != 0 else 0
    for line in sys.stdin:
        mark, folder = line.rstrip("\n").split(" ", 1)
        os.chdir(folder)
        status = run(isql, words[:-2], words[-2])
        if status is None:
            return 1
        for stream in (sys.stdout, sys.stderr):
            stream.write("%s %d\n" % (mark, status))
            stream.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
