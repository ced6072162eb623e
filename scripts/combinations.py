#!/usr/bin/env python3
"""Whether strategy template enumerates exactly what solc accepts.

    scripts/combinations.py [-n 30] [--most 100] [--first 0] [--set KEY=VALUE]... [--keep DIR] VERSION...

For each version, all combinations of the qualifiers of N small templates, valid or not, are
compiled; a template is small if it has at most MOST of them. Programs are those of the example
template_combinations. A combination that is enumerated and not accepted is `only ours`, one that
is accepted and not enumerated is `only solc's`; the table has both by template, and the messages
of the first. With --keep one program of each template and side is kept.
"""

import argparse
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from solidity import ROOT, Server, cache_folder, classify

# Small, so that there are few combinations, and with all that has qualifiers.
SIZES = ["contracts=1", "functions=1", "variables=1", "statements=2", "depth=1", "parameters=1", "widths=1"]


def combinations(args, version):
    words = ["cargo", "run", "-q", "--release", "-p", "lydite-solidity", "--example", "template_combinations", "--"]
    if args.program:
        words = [args.program]
    words += [version, str(args.first), str(args.n), str(args.most), *SIZES, *args.set]
    lines = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout.splitlines()
    return [json.loads(line) for line in lines]


def examine(args, version):
    subprocess.run([args.lydite, "targets", "install", "-q", f"solc@{version}"], check=True, stdout=subprocess.DEVNULL)
    soljson = cache_folder() / "targets" / "solc" / version / "root" / "package" / "soljson.js"
    counts, sides = collections.Counter(), collections.Counter()
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
            kind, message = ("accepted", "") if status == 0 else classify(said)
            # A limit or failure of the compiler says nothing about validity.
            counts["templates", template] += 1
            if kind not in ("accepted", "refused"):
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
    return counts, sides


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="+", metavar="VERSION")
    parser.add_argument("-n", type=int, default=30, help="templates")
    parser.add_argument("--most", type=int, default=100, help="combinations of a template, at most")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    parser.add_argument("--program", help="the example, built already")
    args = parser.parse_args()
    different = 0
    for version in args.versions:
        counts, sides = examine(args, version)
        templates = sum(1 for key in counts if isinstance(key, tuple))
        total = sum(count for key, count in counts.items() if isinstance(key, tuple))
        print(
            f"solc {version}: {templates} templates, {total} combinations, {counts['accepted']} accepted,"
            f" {counts['refused']} refused, {counts['not judged']} not judged, {sum(sides.values())} different",
            flush=True,
        )
        for (side, template, message), count in sides.most_common():
            print(f"  {count:6}  {side}, template {template}: {message}", flush=True)
        different += sum(sides.values())
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
