"""What the drivers of databases in Python have in common.

A driver calls `main` with how its database is opened. A session has
`execute(statement)`, which gives rows or None, and `close()`. A line `-- reopen` between
statements calls `reopen()` of a session that has it: what is stored stays, all else is
forgotten. Rows are printed as
sqlite3 prints them: columns are separated by `|`, truth values are 1 and 0, a
missing value is NULL, floats have 15 digits. The first error ends a script with
status 1 and one line `ERROR-CLASS: message` on standard error.

With `--serve` behind the script's name each line `MARK FOLDER` on standard
input is a run in that folder, in a session of its own; `MARK STATUS` on both
outputs is its end. A session that cannot put away what an earlier script has left
raises `UsedUp`: the process ends without that line, and the script belongs to another one.

Usage of a driver: --version | [SETTING]... SCRIPT [--serve]
"""

import faulthandler
import glob
import math
import os
import re
import sys

TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/|;|[^;'\"/-]+|.", re.DOTALL)
QUERY = re.compile(r"\s*\(*\s*(select|with|values|execute)\b|.*\breturning\b", re.IGNORECASE | re.DOTALL)
TRIGGER = re.compile(r"\s*create\s+(?:or\s+replace\s+)?(?:temp\w*\s+)?trigger\b", re.IGNORECASE)
OPENING = re.compile(r"\b(?:begin|case)\b", re.IGNORECASE)
CLOSING = re.compile(r"\bend\b", re.IGNORECASE)
REOPEN = "-- reopen"
# What is gone with the schema of its script, or with `s1`, the second one of the spec.
INSIDE = re.compile(
    r"\s*\(*\s*(?:(?:select|with|values|insert|update|delete|explain|analyze|begin|commit|rollback|savepoint|release)\b"
    r"|(?:create|drop|alter|truncate)\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:table|view|index)\s+"
    r"(?:if\s+(?:not\s+)?exists\s+)?(?:s1\.)?\w+(?!\s*\.)\b|create\s+schema\s+s1$"
    r"|create\s+trigger\s+(?:s1\.)?\w+\s+before\s+insert\s+on\s+(?:s1\.)?\w+\s+for\s+each\s+row\s+set\s+new\.)",
    re.IGNORECASE,
)


def is_whole(statement):
    """False within the statements of a trigger."""
    if not TRIGGER.match(statement):
        return True
    return len(OPENING.findall(statement)) <= len(CLOSING.findall(statement))


def statements(text):
    """The script's statements, without their semicolons."""
    statement = ""
    for token in TOKEN.finditer(text):
        if token[0] == REOPEN and not statement.strip():
            yield REOPEN
        elif token[0] == ";" and not is_whole(statement):
            statement += ";"
        elif token[0] == ";":
            if statement.strip():
                yield statement.strip()
            statement = ""
        elif not token[0].startswith(("--", "/*")):
            statement += token[0]
    if statement.strip():
        yield statement.strip()


def is_query(statement):
    return QUERY.match(statement) is not None


def stays_inside(statement):
    """False if it may leave something outside of the schema of its script: settings, other schemas, roles."""
    return INSIDE.match(statement) is not None


def shown(value):
    if value is None:
        return "NULL"
    if value is True:
        return "1"
    if value is False:
        return "0"
    if isinstance(value, float):
        if math.isinf(value):
            return "Inf" if value > 0 else "-Inf"
        text = "%.15g" % value
        return text if any(c in text for c in ".en") else text + ".0"
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "backslashreplace")
    return str(value)


class UsedUp(Exception):
    """A script has left something that would be seen by the next one."""


class Stored:
    """A session of a database that lies in memory, or, if it is to be reopened, in a file of
    the current folder. Its class has `open()`, which sets `database` from `place`."""

    FILE = "database"

    def __init__(self, settings, reopens=False):
        self.place = self.FILE if reopens else ":memory:"
        self.settings = settings
        for path in glob.glob(self.FILE + "*"):
            os.remove(path)
        self.open()

    def reopen(self):
        self.close()
        self.open()

    def close(self):
        self.database.close()


def run(open_session, settings, script):
    try:
        with open(script, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        reopens = REOPEN in text.split("\n")
        session = open_session(settings, reopens) if reopens else open_session(settings)
        try:
            for statement in statements(text):
                if statement == REOPEN:
                    session.reopen()
                    continue
                rows = session.execute(statement)
                for row in rows or ():
                    print("|".join(map(shown, row)))
        finally:
            session.close()
    except MemoryError:
        print("MemoryError: no memory", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, SystemExit, UsedUp):
        raise
    except BaseException as error:  # A panic of Rust is no Exception.
        sys.stdout.flush()
        kind = "InternalPanic" if not isinstance(error, Exception) else type(error).__name__
        print("%s: %s" % (kind, error), file=sys.stderr)
        return 1
    return 0


def serve(open_session, settings, script):
    for line in sys.stdin:
        mark, folder = line.rstrip("\n").split(" ", 1)
        os.chdir(folder)
        try:
            end = "%s %d\n" % (mark, run(open_session, settings, script))
        except UsedUp:
            return
        for stream in (sys.stdout, sys.stderr):
            stream.write(end)
            stream.flush()


def main(version, open_session):
    faulthandler.enable()
    words = sys.argv[1:]
    status = 0
    if "--version" in words:
        print(version)
    elif words[-1] == "--serve":
        serve(open_session, words[:-2], words[-2])
    else:
        status = run(open_session, words[:-1], words[-1])
    sys.stdout.flush()
    sys.stderr.flush()
    # A module's own tear-down is not under test.
    os._exit(status)
