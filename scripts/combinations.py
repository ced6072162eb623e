#!/usr/bin/env python3
"""Whether the programs of templates are exactly those that solc accepts.

    scripts/combinations.py [-n 30] [--most 24] [--first N] [--set KEY=VALUE]... [--keep DIR] VERSION...
    scripts/combinations.py --sketches [--keep DIR] VERSION...

For each version, N templates: every combination of the values of some of their qualifiers, at most
MOST of them, valid or not, is compiled by one warm process of solc; the other qualifiers stay as
they are in one valid program. One that is enumerated and not accepted is `only ours`, one that
is accepted and not enumerated is `only solc's`; the table has both by template, and the messages
of the first, and how many of the templates have each kind of declaration. With --keep one program
of each template and side is kept. With --sketches the templates are those written by hand
(crates/solidity/examples/sketches), and all of their qualifiers vary.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from solidity import ROOT, Server, cache_folder, classify

# Small, so that much is compiled, and with all that has qualifiers.
SIZES = ["contracts=2", "functions=2", "variables=2", "statements=3", "depth=2", "parameters=2", "widths=2"]

# What a template declares, by a pattern of its text.
KINDS = {
    "state variables": r"^    [\w().=> ]+ (public|private|internal) v\d",
    "structs": r"\bstruct S",
    "mappings": r"\bmapping\(",
    "arrays": r"\w\[\d*\]",
    "reference parameters": r"function f\d+\([^)]*(memory|storage|calldata)",
    "modifiers": r"\bmodifier m",
    "events": r"\bevent E",
    "errors": r"\berror R",
    "libraries": r"\blibrary L",
    "using for": r"\busing L",
    "interfaces": r"\binterface I",
    "abstract": r"\babstract contract",
    "override": r"\boverride\b",
    "two bases": r"contract C\d+ is [^{]*,",
    "enums": r"\benum N",
    "value types": r"^type U",
    "function types": r"function \(",
    "constant": r"\bconstant\b",
    "immutable": r"\bimmutable\b",
    "transient": r"\btransient\b",
    "constructors": r"\bconstructor\b",
    "receive, fallback": r"^    (receive|fallback|function )\(",
    "file functions": r"^function f",
    "assembly": r"\bassembly\b",
}


def combinations(args, version):
    example = "template_sketches" if args.sketches else "template_combinations"
    words = ["cargo", "run", "-q", "--release", "-p", "lydite-solidity", "--example", example, "--"]
    if args.program:
        words = [args.program]
    words += [version]
    if not args.sketches:
        words += [str(args.first), str(args.n), str(args.most), *SIZES, *args.set]
    lines = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout.splitlines()
    return [json.loads(line) for line in lines]


def examine(args, version):
    subprocess.run([args.lydite, "targets", "install", "-q", f"solc@{version}"], check=True, stdout=subprocess.DEVNULL)
    soljson = cache_folder() / "targets" / "solc" / version / "root" / "package" / "soljson.js"
    counts, sides, kinds = collections.Counter(), collections.Counter(), collections.defaultdict(set)
    with tempfile.TemporaryDirectory() as work, open(pathlib.Path(work) / "log", "w+") as log:
        run = pathlib.Path(work) / "run"
        server = None
        for case in combinations(args, version):
            shutil.rmtree(run, ignore_errors=True)
            run.mkdir()
            for name, text in case["files"].items():
                (run / name).write_text(text)
            server = server or Server(soljson, [], log)
            status, said = server.compile(run)
            if status is None:
                server.close()
                server = None
            template = case["name"].partition("-")[0]
            text = "\n".join(case["files"].values())
            for name, pattern in KINDS.items():
                if re.search(pattern, text, re.MULTILINE):
                    kinds[name].add(template)
            kind, message = ("accepted", "") if status == 0 else classify(said)
            # A limit or failure of the compiler says nothing about validity; in a sketch
            # there is nothing else that it could be unable to do.
            counts["templates", template] += 1
            judged = ["accepted", "refused"] + ["unimplemented"] * args.sketches
            if kind not in judged:
                counts["not judged"] += 1
                continue
            counts["accepted" if status == 0 else "refused"] += 1
            if (status == 0) != case["expect"]:
                side = "only solc's" if status == 0 else "only ours"
                sides[side, template, message] += 1
                if args.keep and sides[side, template, message] == 1:
                    into = pathlib.Path(args.keep) / version / f"{side.replace(' ', '-')}-{case['name']}"
                    shutil.copytree(run, into, dirs_exist_ok=True)
                    (into / "said.txt").write_text(said)
        if server:
            server.close()
    return counts, sides, kinds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="+", metavar="VERSION")
    parser.add_argument("-n", type=int, default=30, help="templates")
    parser.add_argument("--most", type=int, default=24, help="combinations of a template, at most")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--sketches", action="store_true", help="templates written by hand, all combinations")
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    parser.add_argument("--program", help="the example, built already")
    args = parser.parse_args()
    different = 0
    for version in args.versions:
        counts, sides, kinds = examine(args, version)
        templates = sum(1 for key in counts if isinstance(key, tuple))
        total = sum(count for key, count in counts.items() if isinstance(key, tuple))
        print(
            f"solc {version}: {templates} templates, {total} combinations, {counts['accepted']} accepted,"
            f" {counts['refused']} refused, {counts['not judged']} not judged, {sum(sides.values())} different",
            flush=True,
        )
        print("  templates with " + ", ".join(f"{name} {len(kinds[name])}" for name in KINDS), flush=True)
        for (side, template, message), count in sides.most_common():
            print(f"  {count:6}  {side}, template {template}: {message}", flush=True)
        different += sum(sides.values())
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
