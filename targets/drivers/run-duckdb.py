"""Runs a script of SQL statements on DuckDB and prints rows as sqlite3 does.

Columns are separated by `|`, truth values are 1 and 0, floats have 15 digits.
Stops at the first error with status 1 and one line
`ERROR-CLASS: message` on standard error.
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


def main():
    if "--version" in sys.argv:
        print("duckdb", duckdb.__version__)
        return 0
    database = duckdb.connect(":memory:", config={"threads": "1"})
    with open(sys.argv[-1], encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    for word in sys.argv[1:-1]:
        database.execute(word)
    for statement in database.extract_statements(text):
        result = database.execute(statement)
        if statement.type != duckdb.StatementType.SELECT:
            continue
        while rows := result.fetchmany(1000):
            for row in rows:
                print("|".join(map(shown, row)))
    return 0


try:
    status = main()
except (duckdb.Error, UnicodeError) as error:
    sys.stdout.flush()
    print("%s: %s" % (type(error).__name__, error), file=sys.stderr)
    status = 1
except MemoryError:
    print("OutOfMemoryException: MemoryError", file=sys.stderr)
    status = 1
sys.stdout.flush()
sys.stderr.flush()
# The module's own tear-down is not under test.
os._exit(status)
