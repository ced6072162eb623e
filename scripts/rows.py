#!/usr/bin/env python3
"""How many rows the queries of spec `sql` have, on the SQLite of Python's own module.

    scripts/rows.py [-n SCRIPTS] [--height H] [--seed S] [--lydite PATH]
"""

import argparse
import glob
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "targets", "drivers"))
sys.dont_write_bytecode = True
import sql_session  # noqa: E402

# What is shown of every table at the end, and of a row that was changed, is no query.
SHOWN = re.compile(r"SELECT c0\b.* FROM \S+ ORDER BY c0$|.*\bRETURNING\b", re.DOTALL)
# A script of which a statement takes longer is left at that.
MOST_STEPS = 300_000_000


def numbers_of_rows(script):
    database = sqlite3.connect(":memory:", isolation_level=None)
    steps = iter(range(MOST_STEPS // 100_000))
    database.set_progress_handler(lambda: next(steps, None) is None, 100_000)
    try:
        for statement in sql_session.statements(script):
            if statement == sql_session.REOPEN:
                continue
            rows = database.execute(statement).fetchall()
            if sql_session.is_query(statement) and not SHOWN.match(statement):
                yield len(rows)
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
    finally:
        database.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--height", type=int, default=5)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--lydite", default="target/release/lydite")
    options = parser.parse_args()
    with open(os.path.join(HERE, "..", "targets", "sqlite.toml"), "rb") as file:
        lacks = tomllib.load(file)["lacks"]
    with tempfile.TemporaryDirectory() as folder:
        argv = [options.lydite, "generate", "spec", "-q", "-n", str(options.n), "-o", folder, "--set", "spec=sql"]
        argv += ["--set", "height=%d" % options.height, "--seed", str(options.seed)]
        subprocess.run([*argv, "--set", "texts=none", "--set", "lacks=" + ",".join(lacks)], check=True)
        scripts = [open(path, encoding="utf-8").read() for path in sorted(glob.glob(folder + "/*.sql"))]
    rows = [number for script in scripts for number in numbers_of_rows(script)]
    share = lambda chosen: 100 * len(chosen) / len(rows)  # noqa: E731
    print("%d scripts, %d queries" % (len(scripts), len(rows)))
    print("without a row: %.1f %%" % share([n for n in rows if n == 0]))
    print("with one:      %.1f %%" % share([n for n in rows if n == 1]))
    print("over a hundred: %.1f %%" % share([n for n in rows if n > 100]))


main()
