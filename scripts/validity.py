#!/usr/bin/env python3
"""How many programs of the specs that come with lydite processors accept.

    scripts/validity.py [-n N] [--height H] [--seed S] [--lydite PATH] [ROW]...

Each row makes N programs of a spec and hunts with them: whoever refuses one,
crashes, or prints something else than the majority is counted and named. All
that is run is `lydite hunt`, which tells how far it is, so what is found here can
be replayed and reduced (the campaigns stay in validity-out/).
"""

import argparse
import json
import subprocess
import sys

# Row: spec, knobs, targets, oracles, further options.
RUN = "crash,answer,vote"
ACCEPT = "crash,answer"
ROWS = {
    "c": ("c", "", ["gcc:object-O0", "clang:object-O0"], ACCEPT, []),
    "c-safe": (
        "c-safe",
        "",
        ["gcc:O0", "gcc:O2", "clang:O0", "clang:O2", "gcc:sanitize", "clang:memory-sanitize"],
        RUN,
        [],
    ),
    "lua": (
        "lua",
        "",
        ["lua@5.1", "lua@5.2", "lua@5.3", "lua@5.4", "luajit", "luajit:interpreter", "luajit:eager"],
        RUN,
        [],
    ),
    "sql": ("sql", "", ["sqlite", "duckdb", "postgres", "mariadb"], RUN, []),
    "sql-wrappers": ("sql", "wrappers=true", ["sqlite", "duckdb", "postgres", "mariadb"], RUN, []),
    "smtlib": ("smtlib", "", ["z3", "cvc5", "bitwuzla"], RUN, ["--warm", "50"]),
    "smtlib-floats": ("smtlib-floats", "", ["z3", "cvc5", "bitwuzla"], RUN, ["--warm", "50"]),
    "smtlib-strings": ("smtlib-strings", "", ["z3", "cvc5"], RUN, ["--warm", "50"]),
}


def measure(row, options):
    spec, knobs, targets, oracles, further = ROWS[row]
    argv = [options.lydite, "hunt", "--json", "--strategy", "spec"]
    argv += ["--seed", str(options.seed), "--set", "spec=" + spec, "--oracles", oracles, "--cases", str(options.n)]
    argv += ["--timeout", options.timeout, "-j", str(options.jobs), "-o", "validity-out/" + row]
    if knobs:
        argv += ["--set", "knobs=" + knobs]
    if options.height:
        argv += ["--set", "height=%d" % options.height]
    for target in targets:
        argv += ["-t", target]
    ended = subprocess.run([*argv, *further], stdout=subprocess.PIPE, text=True)
    if ended.returncode not in (0, 10):
        sys.exit("%s: lydite ended with %d" % (row, ended.returncode))
    summary = json.loads(ended.stdout.strip().split("\n")[-1])
    print(
        "%s: %d programs, %.0f B on average, %d findings, %.0f s"
        % (
            row,
            summary["cases"],
            summary["bytes"] / max(1, summary["cases"]),
            summary["findings"],
            summary["wall_s"],
        )
    )
    said = {}
    for count in summary["outcomes"]:
        said.setdefault(count["target"], []).append("%d %s" % (count["runs"], count["outcome"]))
    for target, counts in said.items():
        print("  %-28s %s" % (target, ", ".join(counts)))
    for problem, count in summary["own_failures"].items():
        print("  not judged: %s (%s)" % (problem, count))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("-n", type=int, default=10_000, help="programs of each row")
    parser.add_argument("-j", dest="jobs", type=int, default=1, help="worker threads")
    parser.add_argument("--height", type=int, help="of the programs, in place of the spec's")
    parser.add_argument("--seed", type=int, default=0, help="other programs for another seed")
    parser.add_argument("--timeout", default="10s", help="of one run")
    parser.add_argument("--lydite", default="target/release/lydite")
    options = parser.parse_args()
    unknown = [row for row in options.rows if row not in ROWS]
    if unknown:
        sys.exit("no such row: %s (there are: %s)" % (", ".join(unknown), ", ".join(ROWS)))
    for row in options.rows or ROWS:
        measure(row, options)


main()
