#!/usr/bin/env python3
"""What programs of the specs are made of, as a table in Markdown.

    scripts/usage.py [-n N] [--lydite PATH] [SPEC ...]

N programs of each spec with its own height, made by `lydite spec check --stats`. A row has the
spec's productions, how many of them were used, how many in less than one program of a hundred, and
the rarest ones with the share of programs that have them.
"""

import argparse
import json
import subprocess

SPECS = """c c-safe c-known c-wide lua sql sql-known smtlib smtlib-floats smtlib-strings smtlib-wide
javascript javascript-calls awk jq sh assignments assignments-guarded""".split()
RAREST = 3


def row(lydite, spec, programs):
    argv = [lydite, "spec", "check", spec, "--stats", "--json", "-n", str(programs)]
    said = json.loads(subprocess.run(argv, stdout=subprocess.PIPE, check=True, text=True).stdout)
    productions = said["usage"]["productions"]
    alternatives = said["usage"]["alternatives"]
    used = sum(one["used"] > 0 for one in productions)
    rare = sum(one["programs"] * 100 < programs for one in productions)
    least = sorted(productions, key=lambda one: one["programs"])[:RAREST]
    names = ["%s.%s %.0f %%" % (one["class"], one["production"], 100 * one["programs"] / programs) for one in least]
    return [
        "`%s`" % spec,
        "%d of %d" % (used, len(productions)),
        str(rare),
        "%d of %d" % (sum(one["used"] > 0 for one in alternatives), len(alternatives)),
        "%.2f" % (said["alternatives"] / max(1, said["nodes"])),
        ", ".join(names),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("specs", nargs="*", default=SPECS)
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("--lydite", default="target/release/lydite")
    options = parser.parse_args()
    print("| spec | productions used | in less than 1 % of the programs | alternatives used | tried again, by node | the rarest |")
    print("|---|---|---|---|---|---|")
    for spec in options.specs:
        print("| %s |" % " | ".join(row(options.lydite, spec, options.n)), flush=True)


main()
