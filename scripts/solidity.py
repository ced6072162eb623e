#!/usr/bin/env python3
"""How many programs of strategy template each version of solc accepts, and why not the rest.

    scripts/solidity.py [-n 1000] [--seed S] [--set KEY=VALUE]... [--options '--optimize']
                        [--examples DIR] VERSION...

For each version, N programs are made for that version and compiled by one warm process of it.
The table has a row for every class of message: names, numbers and positions are taken out.
With --examples, the first program of each class is kept there.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DRIVER = ROOT / "targets" / "drivers" / "run-solc.js"
NODE = ["node", "--no-warnings", "--stack-size=7000"]

# What a message is about stays, what it names goes.
BLANKS = [
    (re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`"), "…"),
    (re.compile(r"\b(?:struct|contract|enum|library|function|type|event|error|modifier) [\w.$]+"), "NAME"),
    (re.compile(r"\b(?:u?int|bytes)\d+\b"), "TYPE"),
    (re.compile(r"/\S*/"), ""),
    (re.compile(r"0x[0-9a-fA-F]+|\d+"), "N"),
    (re.compile(r"(?:\[N?\])+"), "[]"),
]


class Server:
    """One process of the driver that compiles many programs."""

    def __init__(self, soljson, options, log):
        words = NODE + [str(DRIVER), str(soljson), *options, "case.sol", "--serve"]
        self.log = log
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)

    def compile(self, folder):
        """Status and messages; None if the process broke down."""
        self.log.seek(0)
        self.log.truncate()
        self.process.stdin.write(f"mark {folder}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        self.log.seek(0)
        said = self.log.read().removesuffix("\n")
        if not line:
            return None, said
        return int(line.split()[1]), "\n".join(said.splitlines()[:-1])

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def classify(said):
    text = said.split("\n  at ")[0].strip() or "nothing said"
    first = " ".join(text.splitlines()[:2])
    for pattern, blank in BLANKS:
        first = pattern.sub(blank, first)
    return first[:140]


def generate(lydite, version, args, folder):
    words = [lydite, "generate", "template", "-n", str(args.n), "--seed", str(args.seed), "-o", str(folder), "-q"]
    for setting in [f"solc={version}", *args.set]:
        words += ["--set", setting]
    subprocess.run(words, check=True)
    programs = collections.defaultdict(dict)
    for path in sorted(folder.glob("*.sol")):
        stem, _, rest = path.name.partition(".")
        programs[stem]["case.sol" if rest == "sol" else rest] = path
    return programs


def examine(version, lydite, cache, args):
    subprocess.run([lydite, "targets", "install", "-q", f"solc@{version}"], check=True, stdout=subprocess.DEVNULL)
    soljson = cache / "targets" / "solc" / version / "root" / "package" / "soljson.js"
    classes = collections.Counter()
    with tempfile.TemporaryDirectory() as work, open(pathlib.Path(work) / "log", "w+") as log:
        work = pathlib.Path(work)
        (work / "made").mkdir()
        programs = generate(lydite, version, args, work / "made")
        server = None
        started = time.monotonic()
        for stem, files in programs.items():
            run = work / "run"
            shutil.rmtree(run, ignore_errors=True)
            run.mkdir()
            for name, path in files.items():
                shutil.copy(path, run / name)
            server = server or Server(soljson, args.options.split(), log)
            status, said = server.compile(run)
            if status is None:
                server.close()
                server = None
            kind = "accepted" if status == 0 else classify(said)
            classes[kind] += 1
            if args.examples and status != 0 and classes[kind] == 1:
                keep(args.examples, version, stem, files, said)
        if server:
            server.close()
        return classes, len(programs), time.monotonic() - started


def keep(folder, version, stem, files, said):
    into = pathlib.Path(folder) / f"{version}-{stem}"
    into.mkdir(parents=True, exist_ok=True)
    for name, path in files.items():
        shutil.copy(path, into / name)
    (into / "said.txt").write_text(said + "\n")


def cache_folder():
    own = os.environ.get("LYDITE_CACHE")
    if own:
        return pathlib.Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "lydite"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="+", metavar="VERSION")
    parser.add_argument("-n", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--options", default="", help="further words for the compiler")
    parser.add_argument("--examples", metavar="DIR")
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    parser.add_argument("--json", action="store_true", help="one object per version")
    args = parser.parse_args()
    worst = 1.0
    for version in args.versions:
        classes, total, wall = examine(version, args.lydite, cache_folder(), args)
        accepted = classes.pop("accepted", 0)
        worst = min(worst, accepted / max(total, 1))
        if args.json:
            print(json.dumps({"version": version, "programs": total, "accepted": accepted, "classes": dict(classes)}))
            continue
        print(f"solc {version}: {accepted} of {total} accepted ({100 * accepted / max(total, 1):.2f} %), {wall:.0f} s")
        for kind, count in classes.most_common():
            print(f"  {count:6}  {kind}")
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{cpu.ru_utime + cpu.ru_stime:.0f} s of CPU time", file=sys.stderr)
    return 0 if worst >= 0.99 else 1


if __name__ == "__main__":
    sys.exit(main())
