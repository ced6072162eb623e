"""Runs a script of SQL statements on DuckDB and prints rows as sqlite3 does.

Columns are separated by `|`, truth values are 1 and 0, floats have 15 digits.
Stops at the first error with status 1 and one line
`ERROR-CLASS: message` on standard error.

With `--serve` behind the script's name each line `MARK FOLDER` on standard
input is a run in that folder, in a database of its own; `MARK STATUS` on both
outputs is its end.

Usage: run-duckdb.py --version | [STATEMENT]... SCRIPT [--serve]
"""

import faulthandler
import math
import os
import sys

import duckdb

faulthandler.enable()


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


def execute(database, settings, script):
    with open(script, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    for word in settings:
        database.execute(word)
    for statement in database.extract_statements(text):
        result = database.execute(statement)
        if statement.type != duckdb.StatementType.SELECT:
            continue
        while rows := result.fetchmany(1000):
            for row in rows:
                print("|".join(map(shown, row)))


def run(settings, script):
    status = 0
    try:
        with duckdb.connect(":memory:", config={"threads": "1"}) as database:
            execute(database, settings, script)
    except (duckdb.Error, UnicodeError) as error:
        sys.stdout.flush()
        print("%s: %s" % (type(error).__name__, error), file=sys.stderr)
        status = 1
    except MemoryError:
        print("OutOfMemoryException: MemoryError", file=sys.stderr)
        status = 1
    return status


def serve(settings, script):
    for line in sys.stdin:
        mark, folder = line.rstrip("\n").split(" ", 1)
        os.chdir(folder)
        end = "%s %d\n" % (mark, run(settings, script))
        for stream in (sys.stdout, sys.stderr):
            stream.write(end)
            stream.flush()


def main():
    words = sys.argv[1:]
    if "--version" in words:
        print("duckdb", duckdb.__version__)
        return 0
    if words[-1] == "--serve":
        serve(words[:-2], words[-2])
        return 0
    return run(words[:-1], words[-1])


status = main()
sys.stdout.flush()
sys.stderr.flush()
# The module's own tear-down is not under test.
os._exit(status)
