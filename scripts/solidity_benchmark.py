#!/usr/bin/env python3
"""The benchmark of historical bugs of solc: which does lydite read as crashes, and which does it find?

    scripts/solidity_benchmark.py COPY [--lydite PATH] [--version V]...
    scripts/solidity_benchmark.py COPY --hunt SECONDS [--lydite PATH] [--version V]...

COPY is your checkout of github.com/haoyang9804/ISSTA24-Solidity-Study (the bugs of *Ma, Tan, et
al.: Understanding Solidity Compiler Bugs*); nothing of it comes with lydite. Its programs lie
in benchmark/VERSION/NUMBER.sol, its README tells the root cause of each.

Without --hunt each program is put to its version of npm's solc: as it is, with the optimizer and
by way of Yul. The table says what came of it. With --hunt every version is hunted for so many seconds
with strategy `template`, and a bug counts as found where a finding has the site of its crash.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

VARIANTS = ["", ":optimize", ":ir", ":ir-optimize", ":smt-all"]
# What tells most about a program, if its runs differ.
GRAVEST = ["crashed", "out-of-memory", "timed-out", "rejected", "unsupported", "answered"]
VERSION = re.compile(r"^\d+\.\d+\.\d+$")


def key(version):
    return [int(part) for part in version.split(".")]


def programs(copy):
    """By version: the programs of the copy."""
    found = collections.defaultdict(list)
    for place in ("benchmark", "bugs"):
        for path in sorted((copy / place).glob("*/*.sol")):
            if VERSION.match(path.parent.name):
                found[path.parent.name].append(path)
    return dict(sorted(found.items(), key=lambda item: key(item[0])))


def causes(copy):
    """By number of a bug: its root cause, as the tables of the README have it."""
    cause = {}
    readme = copy / "README.md"
    for line in readme.read_text().splitlines() if readme.exists() else []:
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        numbers = re.findall(r"\d+", cells[1]) if len(cells) == 3 else []
        cause.update((number, cells[0]) for number in numbers)
    return cause


def has_variants(lydite, version):
    """The targets of a version that can be installed."""
    targets = []
    for variant in VARIANTS:
        name = f"solc@{version}{variant}"
        done = subprocess.run([lydite, "targets", "install", "-q", name], capture_output=True, text=True)
        if done.returncode == 0:
            targets.append(name)
    return targets


def examine(lydite, path, targets):
    """The gravest outcome of a program, and what was said."""
    words = [lydite, "check", str(path), "--oracles", "crash", "--timeout", "60s", "--json"]
    for target in targets:
        words += ["-t", target]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 10):
        return "error", done.stderr.strip()
    seen = {one["outcome"]: one.get("message") or "" for one in json.loads(done.stdout)["observations"]}
    outcome = next((name for name in GRAVEST if name in seen), "other")
    return outcome, seen.get(outcome, "")


def plain(site):
    """A message without what differs between programs."""
    return re.sub(r"\d+|\s+|\"[^\"]*\"|`[^`]*`", "", site or "")


def hunt(lydite, version, seconds):
    """The sites of the crashes that a hunt found."""
    with tempfile.TemporaryDirectory() as folder:
        words = [lydite, "hunt", "-t", f"solc@{version}", "-t", f"solc@{version}:optimize", "--strategy", "template"]
        words += ["--set", f"solc={version}", "--oracles", "crash", "--warm", "50", "--for", f"{seconds}s"]
        subprocess.run(words + ["-o", f"{folder}/out", "-q"], capture_output=True, text=True)
        done = subprocess.run([lydite, "findings", f"{folder}/out", "--json"], capture_output=True, text=True)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return [line.get("signature", "") for line in lines if line.get("kind") == "crash"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("copy", type=pathlib.Path)
    parser.add_argument("--lydite", default="target/release/lydite")
    parser.add_argument("--version", action="append", help="this version alone")
    parser.add_argument("--hunt", type=int, metavar="SECONDS")
    options = parser.parse_args()
    found = programs(options.copy)
    if not found:
        sys.exit(f"{options.copy}: no benchmark/VERSION/NUMBER.sol: is it a checkout of the benchmark?")
    cause = causes(options.copy)
    table = collections.defaultdict(collections.Counter)
    for version, paths in found.items():
        if options.version and version not in options.version:
            continue
        targets = has_variants(options.lydite, version)
        if not targets:
            print(f"solc@{version}: not on npm", flush=True)
            continue
        hunted = hunt(options.lydite, version, options.hunt) if options.hunt else []
        for path in paths:
            number = path.stem
            outcome, said = examine(options.lydite, path, targets)
            is_found = outcome == "crashed" and any(plain(said)[:60] in plain(site) for site in hunted)
            row = table[cause.get(re.match(r"\d*", number).group(), "unknown")]
            row["programs"] += 1
            row[outcome] += 1
            row["found"] += is_found
            print(f"{version:8} {number:8} {outcome:12} {'FOUND ' if is_found else ''}{said[:100]!r}", flush=True)
    columns = ["programs", *GRAVEST, *(["found"] if options.hunt else [])]
    print("| root cause | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    total = collections.Counter()
    for name, row in sorted(table.items()):
        total.update(row)
        print(f"| {name} | " + " | ".join(str(row[column]) for column in columns) + " |")
    print("| all | " + " | ".join(str(total[column]) for column in columns) + " |")


if __name__ == "__main__":
    main()
