#!/usr/bin/env python3
"""How many programs of strategy template each version of solc accepts, and why not the rest.

    scripts/solidity.py [-n 1000] [--seed S] [--random] [--set KEY=VALUE]... [--options '--optimize']
                        [--keep DIR] VERSION...

For each version, N programs, each of a new template, are made for that version and compiled by
one warm process of it. With --random every 25 programs have settings of their own: sizes, widths,
files, and which features they use. --set goes before both.

The table has a row for every class of message: names, numbers and positions are taken out. What
is the compiler's own limit or failure is told apart from what it refuses: `stack` (too deep for
the EVM), `unimplemented`, `internal` (its own error), `breakdown` (the process ended) and
`refused`, which is a wrong rule of ours or a bug of the compiler. With --set broken=1 programs must
be refused: those that are accepted are the ones to explain. With --keep every program that
is not accepted (of broken ones: that is) is kept in DIR/VERSION/KIND/, with what the compiler said. Progress goes to
standard error, a line every half minute.
"""

import argparse
import collections
import json
import os
import pathlib
import random
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
BATCH = 25
PROGRESS_S = 30

# What a message is about stays, what it names goes.
BLANKS = [
    (re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`"), "…"),
    (re.compile(r"\b(?:struct|contract|enum|library|function|type|event|error|modifier) [\w.$]+"), "NAME"),
    (re.compile(r"\b(?:u?int|bytes)\d+\b"), "TYPE"),
    (re.compile(r"/\S*/"), ""),
    (re.compile(r"0x[0-9a-fA-F]+|\d+"), "N"),
    (re.compile(r"(?:\[N?\])+"), "[]"),
]

# Kinds of what is not accepted; the first that matches.
KINDS = [
    ("stack", re.compile(r"[Ss]tack too deep|too deep (?:inside|in) the stack")),
    ("unimplemented", re.compile(r"UnimplementedFeatureError|Unimplemented feature")),
    ("breakdown", re.compile(r"^Breakdown: ")),
    ("internal", re.compile(r"Internal ?[Cc]ompiler ?[Ee]rror|^(?:Exception|FatalError|YulException|SMTLogicException): |Exception during compilation|Assembly exception")),
]

# Settings that --random draws from.
SIZES = {
    "contracts": range(1, 4),
    "functions": range(0, 5),
    "variables": range(0, 6),
    "statements": range(0, 13),
    "depth": range(0, 6),
    "parameters": range(0, 5),
    "slots": range(0, 11),
    "widths": [1, 3, 6, 20, 32],
    "files": range(1, 5),
}
FEATURES = [
    "modifiers", "events", "errors", "structs", "mappings", "arrays", "enums", "inheritance", "libraries", "growth",
    "value-types", "encoding", "try", "assembly", "unchecked", "constants", "file-functions", "files", "receive",
    "external", "comments", "bytes", "function-types", "intrinsics", "call-options", "bases", "open-libraries",
    "stored-functions", "slices", "notations", "anonymous", "operators", "modules", "require-errors", "type-facts",
]


def random_settings(draw):
    """Sizes at random; features: all, all but some, or the paper's and some."""
    settings = [f"{key}={draw.choice(values)}" for key, values in SIZES.items()]
    some = draw.sample(FEATURES, draw.randint(1, 6))
    features = [["all"], ["all", *(f"-{name}" for name in some)], ["paper", *some]]
    return [*settings, "features=" + ",".join(draw.choice(features))]


class Server:
    """One process of the driver that compiles many programs."""

    def __init__(self, soljson, options, log):
        words = NODE + [str(DRIVER), str(soljson), *options, "case.sol", "--serve"]
        self.log = log
        # Opened anew and for appending: with our own place in the file it would write where we read.
        with open(log.name, "a") as said:
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True)

    def compile(self, folder):
        """Status and messages; None if the process broke down."""
        self.log.seek(0)
        self.log.truncate()
        self.process.stdin.write(f"mark {folder}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        while True:
            self.log.seek(0)
            said = self.log.read()
            if not line:
                return None, said
            # The end is told on both outputs; what was said is complete when it is there.
            if said.endswith(line):
                return int(line.split()[1]), said.removesuffix(line)
            time.sleep(0.001)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def classify(said):
    text = said.split("\n  at ")[0].strip() or "nothing said"
    first = " ".join(text.splitlines()[:2])
    for pattern, blank in BLANKS:
        first = pattern.sub(blank, first)
    kind = next((kind for kind, pattern in KINDS if pattern.search(said)), "refused")
    return kind, first[:140]


def generate(lydite, count, seed, settings, folder):
    words = [lydite, "generate", "template", "--sample", "-n", str(count), "--seed", str(seed), "-o", str(folder), "-q"]
    for setting in settings:
        words += ["--set", setting]
    subprocess.run(words, check=True)
    programs = collections.defaultdict(dict)
    for path in sorted(folder.glob("*.sol")):
        stem, _, rest = path.name.partition(".")
        programs[stem]["case.sol" if rest == "sol" else rest] = path
    return programs


def batches(args, version):
    """Settings, seed and size of one batch after another."""
    for number, start in enumerate(range(0, args.n, BATCH)):
        seed = args.seed * 1_000_003 + number
        drawn = random_settings(random.Random(seed)) if args.random else []
        given = {setting.partition("=")[0] for setting in args.set}
        drawn = [setting for setting in drawn if setting.partition("=")[0] not in given]
        yield [f"solc={version}", *drawn, *args.set], seed, min(BATCH, args.n - start)


class Progress:
    """A line every half minute."""

    def __init__(self, version, total):
        self.version, self.total = version, total
        self.started = self.last = time.monotonic()

    def show(self, classes):
        now = time.monotonic()
        if now - self.last < PROGRESS_S:
            return
        self.last = now
        done = sum(classes.values())
        left = (now - self.started) / done * (self.total - done)
        kinds = collections.Counter()
        for (kind, _), count in classes.items():
            kinds[kind] += count
        said = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        print(f"solc {self.version}: {done} of {self.total}, {said}; {left:.0f} s left", file=sys.stderr, flush=True)


def examine(version, lydite, cache, args):
    subprocess.run([lydite, "targets", "install", "-q", f"solc@{version}"], check=True, stdout=subprocess.DEVNULL)
    soljson = cache / "targets" / "solc" / version / "root" / "package" / "soljson.js"
    classes = collections.Counter()
    progress = Progress(version, args.n)
    with tempfile.TemporaryDirectory() as work, open(pathlib.Path(work) / "log", "w+") as log:
        made, run = pathlib.Path(work) / "made", pathlib.Path(work) / "run"
        server = None
        for settings, seed, count in batches(args, version):
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir()
            for stem, files in generate(lydite, count, seed, settings, made).items():
                shutil.rmtree(run, ignore_errors=True)
                run.mkdir()
                for name, path in files.items():
                    shutil.copy(path, run / name)
                server = server or Server(soljson, args.options.split(), log)
                status, said = server.compile(run)
                if status is None:
                    server.close()
                    server = None
                kind = ("accepted", "") if status == 0 else classify(said)
                classes[kind] += 1
                if args.keep and (status != 0) != ("broken=1" in args.set):
                    into = pathlib.Path(args.keep) / version / kind[0] / f"{seed}-{stem}"
                    keep(into, files, said, settings)
                progress.show(classes)
        if server:
            server.close()
    return classes, time.monotonic() - progress.started


def keep(into, files, said, settings):
    into.mkdir(parents=True, exist_ok=True)
    for name, path in files.items():
        shutil.copy(path, into / name)
    (into / "said.txt").write_text(said + "\n")
    (into / "settings.txt").write_text("\n".join(settings) + "\n")


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
    parser.add_argument("--random", action="store_true", help="settings at random, new ones every 25 programs")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--options", default="", help="further words for the compiler")
    parser.add_argument("--keep", metavar="DIR", help="keep what is not accepted")
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    parser.add_argument("--json", action="store_true", help="one object per version")
    args = parser.parse_args()
    worst = 1.0
    for version in args.versions:
        classes, wall = examine(version, args.lydite, cache_folder(), args)
        total = sum(classes.values())
        accepted = classes.pop(("accepted", ""), 0)
        worst = min(worst, accepted / max(total, 1))
        rows = [(kind, message, count) for (kind, message), count in classes.most_common()]
        if args.json:
            print(json.dumps({"version": version, "programs": total, "accepted": accepted, "classes": rows}), flush=True)
            continue
        share = 100 * accepted / max(total, 1)
        print(f"solc {version}: {accepted} of {total} accepted ({share:.2f} %), {wall:.0f} s", flush=True)
        for kind, message, count in rows:
            print(f"  {count:6}  {kind}: {message}", flush=True)
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{cpu.ru_utime + cpu.ru_stime:.0f} s of CPU time", file=sys.stderr)
    return 0 if worst >= 0.99 else 1


if __name__ == "__main__":
    sys.exit(main())
