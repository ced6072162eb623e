#!/usr/bin/env python3
"""The benchmark of historical bugs of solc: which can be read, and which are found from scratch?

    scripts/solidity_benchmark.py COPY [--lydite PATH] [--version V]...
    scripts/solidity_benchmark.py COPY --keep DIR --hunt SECONDS [--lydite PATH] [--version V]...
    scripts/solidity_benchmark.py COPY --keep DIR --table [--peers COPY]

COPY is your checkout of github.com/haoyang9804/ISSTA24-Solidity-Study (the bugs of *Ma, Tan, et
al.: Understanding Solidity Compiler Bugs*); nothing of it comes with lydite. Its programs lie
in benchmark/VERSION/NUMBER.sol, its README tells the root cause of each.

Without --hunt each program is put to its version of npm's solc: as it is, with the optimizer,
by way of Yul, with model checkers. The table says what came of it.

With --hunt every version is hunted until SECONDS of CPU time were spent on it, in the ways of
`WAYS`, one after another; nothing of the benchmark goes into the programs. DIR/VERSION.json has
what was spent and, of every message that was seen, how and when it was first, DIR/VERSION/ the
programs. A hunt that is stopped goes on where it was, and one that is done goes on with more SECONDS.

A bug is found where a program of ours gets the message that its own program gets on that version:
the same words and, of a failed assertion, the same file and line of the compiler; what is named,
and numbers, may differ. `BARE` messages name no place: they count apart. A refusal counts if the
program of ours claims to be valid.

--table prints a row for every bug. PEERS is a checkout of github.com/haoyang9804/Erwin, whose
experiments/test_programs/*.csv say what ERWIN, ERWIN without exhaustion, ACF and Fuzzol found.
"""

import argparse
import collections
import json
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile

from solc_errors import children_cpu, process_cpu
from solidity import NODE, DRIVER, ROOT, cache_folder, classify

VARIANTS = ["", ":optimize", ":ir", ":ir-optimize", ":smt-all"]
# What tells most about a program, if its runs differ.
GRAVEST = ["crashed", "out-of-memory", "timed-out", "rejected", "unsupported", "answered"]
VERSION = re.compile(r"^\d+\.\d+\.\d+$")

# The words for the compiler with which a program is looked at until one shows something.
OPTIONS = ["", "--ir", "--optimize", "--all-outputs=1", "--model-checker-engine=all"]
# Programs of one call of `lydite generate`.
BATCH = 20
# CPU seconds that a program may take: model checkers may never end.
LONGEST = 6
# By name: words for the compiler, strategy, settings. Those with `seeds` change what the first
# way made.
SMALL = ["contracts=1", "functions=2", "statements=4", "depth=2", "variables=2", "weights=swarm,parentheses:20"]
# The encoder alone, with a solver that knows nothing: from this version on it can be asked for.
ENCODER = "--model-checker-engine=all --model-checker-solvers=none"
ENCODER_SINCE = [0, 8, 7]
CHECKED = "features=none,smt,arrays,structs,mappings,bytes,modifiers,growth,external"
WAYS = {
    "template": ("", "template", ["max=1", "features=swarm", "weights=swarm", "sizes=3"]),
    "template, encoder": (ENCODER, "template", ["max=1", "features=all,-constants,-smt", *SMALL]),
    "template, SMT": ("", "template", ["max=1", *SMALL, CHECKED]),
    "template, SMT, few": ("", "template", ["max=5", *SMALL, "features=none,smt,arrays,growth"]),
    "template, Yul": ("--ir", "template", ["max=1", "features=swarm", "weights=swarm", "sizes=3"]),
    "complete": ("", "complete", ["weights=swarm"]),
    "retype": ("", "retype", None),
    "splice": ("", "splice", None),
}
PEERS = {"ERWIN": "erwin_bugs", "without exhaustion": "erwin_trivial_bugs", "ACF": "acf_bugs", "Fuzzol": "fuzzol_bugs"}
# Messages of an internal error without a place.
BARE = re.compile(
    r"^(?:\w+: )*(?:Unknown exception during compilation|RuntimeError|Breakdown|SMT logic exception)\W*"
    r"(?:std::bad_cast|vector|maximum call.*|memory access.*|null function.*|unreachable|abort.*)?\W*$",
    re.IGNORECASE,
)


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


# ---- what lydite reads ----


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


def read(options, found, cause):
    table = collections.defaultdict(collections.Counter)
    for version, paths in found.items():
        targets = has_variants(options.lydite, version)
        if not targets:
            print(f"solc@{version}: not on npm", flush=True)
            continue
        for path in paths:
            outcome, said = examine(options.lydite, path, targets)
            row = table[cause.get(number_of(path), "unknown")]
            row["programs"] += 1
            row[outcome] += 1
            print(f"{version:8} {path.stem:8} {outcome:12} {said[:100]!r}", flush=True)
    columns = ["programs", *GRAVEST]
    print("| root cause | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    total = collections.Counter()
    for name, row in sorted(table.items()):
        total.update(row)
        print(f"| {name} | " + " | ".join(str(row[column]) for column in columns) + " |")
    print("| all | " + " | ".join(str(total[column]) for column in columns) + " |")


def number_of(path):
    return re.match(r"\d*", path.stem).group()


# ---- what is found from scratch ----


class Compiler:
    """One version with some options: a process for many programs, which ends one that takes long."""

    def __init__(self, soljson, options, folder):
        self.words = NODE + [str(DRIVER), str(soljson), *options.split(), "case.sol", "--serve"]
        self.log = folder / "log"
        self.process = None

    def start(self):
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)

    def compile(self, files, run):
        """True if it is accepted, and what was said; None if it took too long."""
        shutil.rmtree(run, ignore_errors=True)
        run.mkdir()
        for name, path in files.items():
            shutil.copy(path, run / name)
        if not self.process:
            self.start()
        from_here = self.log.stat().st_size
        before = process_cpu(self.process.pid)
        self.process.stdin.write(f"mark {run}\n".encode())
        self.process.stdin.flush()
        while not select.select([self.process.stdout], [], [], 0.2)[0]:
            if process_cpu(self.process.pid) - before > LONGEST:
                self.close()
                return None, ""
        line = self.process.stdout.readline().decode()
        # Some versions print more there.
        while line and not re.match(r"mark \d+$", line):
            line = self.process.stdout.readline().decode()
        if not line:
            self.close()
        said = self.log.read_bytes()[from_here:].decode(errors="replace")
        # The end of this run, and of the one before, is told there too.
        said = re.sub(r"^(?:mark )?\d+\n", "", said, flags=re.MULTILINE)
        return bool(line) and line.split()[1] == "0", said

    def close(self):
        if self.process:
            self.process.kill()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
            self.process = None


PLACE = re.compile(r"\((?:\S*/)?(\w+\.(?:cpp|h))[:(](\d+)\)")


def message(said):
    """What makes two messages the same: words, and file and line of a failed assertion."""
    kind, words = classify(said)
    where = PLACE.search(said) if kind in ("internal", "unimplemented", "breakdown") else None
    words = re.sub(r"\(\S*\.(?:cpp|h)[:(]\w+\)+:?|Warning: .*", "", words)
    return f"{kind}: {' '.join(words.split())}" + (f" ({where[1]}:{where[2]})" if where else "")


def is_bare(text):
    return not re.search(r"\(\w+\.(?:cpp|h):\d+\)$", text) and bool(BARE.match(text))


class Hunt:
    """A version, with what is known of it in DIR/VERSION.json."""

    def __init__(self, options, version):
        self.lydite, self.version = options.lydite, version
        self.folder = options.keep / version
        self.file = options.keep / f"{version}.json"
        self.soljson = cache_folder() / "targets" / "solc" / version / "root" / "package" / "soljson.js"
        self.known = {"cpu": 0.0, "batches": {}, "programs": {}, "seen": {}, "bugs": {}}
        if self.file.exists():
            self.known = json.loads(self.file.read_text())

    def save(self):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        whole = self.file.with_suffix(".new")
        whole.write_text(json.dumps(self.known, indent=1) + "\n")
        whole.replace(self.file)

    def show(self, paths):
        """What the programs of the benchmark show: options and message of the first that shows something."""
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            for path in paths:
                if path.stem in self.known["bugs"]:
                    continue
                shown = None
                for options in OPTIONS:
                    compiler = Compiler(self.soljson, options, work)
                    accepted, said = compiler.compile({"case.sol": path}, work / "run")
                    compiler.close()
                    told = "hang: no end" if accepted is None else "" if accepted else message(said)
                    # What was never there says nothing of a program that did not ask for it.
                    if options and told.startswith("unimplemented"):
                        continue
                    if told and (not shown or shown[1].startswith(("refused", "unimpl")) and told.startswith(("internal", "breakdown"))):
                        shown = (options, told)
                    if shown and not shown[1].startswith(("refused", "unimpl", "hang")):
                        break
                self.known["bugs"][path.stem] = shown
                self.save()

    def make(self, way, folder):
        """A batch of programs of a way."""
        _, strategy, settings = WAYS[way]
        number = self.known["batches"].get(way, 0)
        words = [self.lydite, "generate", strategy, "-q", "--sample", "-n", str(BATCH), "--seed", str(number), "-o", str(folder)]
        if settings is None:
            made = folder.with_name("seeds")
            usual = ["max=1", "features=swarm", "weights=swarm", "sizes=3", f"solc={self.version}", "files=1"]
            seeds = [self.lydite, "generate", "template", "-q", "--sample", "-n", str(BATCH), "--seed", str(number), "-o", str(made)]
            if subprocess.run(seeds + [word for one in usual for word in ("--set", one)], capture_output=True).returncode:
                return None
            words += ["--seeds", str(made)]
        for setting in [*(settings or []), *([f"solc={self.version}"] if settings is not None else [])]:
            words += ["--set", setting]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            return None
        found = collections.defaultdict(dict)
        for path in sorted(folder.glob("*.sol")):
            stem, _, rest = path.name.partition(".")
            found[stem]["case.sol" if rest == "sol" else rest] = path
        return list(found.values())

    def batch(self, way):
        """A batch of a way: what is new of it goes into the file. False if the way cannot be gone."""
        options, strategy, _ = WAYS[way]
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            before = children_cpu()
            made = self.make(way, work / "made")
            compiler = Compiler(self.soljson, options, work)
            for files in made or []:
                self.known["programs"][way] = self.known["programs"].get(way, 0) + 1
                accepted, said = compiler.compile(files, work / "run")
                told = "hang: no end" if accepted is None else "" if accepted else message(said)
                # Programs that were changed make no claim: to refuse them is right.
                is_news = told and (strategy in ("template", "complete") or not told.startswith("refused"))
                if is_news and told not in self.known["seen"]:
                    kept = self.folder / f"{len(self.known['seen'])}"
                    shutil.copytree(work / "run", kept, dirs_exist_ok=True)
                    (kept / "said.txt").write_text(said)
                    self.known["seen"][told] = {"way": way, "program": self.known["programs"][way], "kept": kept.name}
            compiler.close()
            self.known["cpu"] += children_cpu() - before
        self.known["batches"][way] = self.known["batches"].get(way, 0) + 1
        self.save()
        return made is not None

    def run(self, seconds):
        since = {"--ir": [0, 5, 5], ENCODER: ENCODER_SINCE}
        open_ways = [way for way in WAYS if key(self.version) >= since.get(WAYS[way][0], [])]
        while self.known["cpu"] < seconds and open_ways:
            way = min(open_ways, key=lambda name: (self.known["batches"].get(name, 0), open_ways.index(name)))
            if not self.batch(way):
                open_ways.remove(way)


def hunt(options, found):
    for version, paths in found.items():
        target = f"solc@{version}"
        if subprocess.run([options.lydite, "targets", "install", "-q", target], capture_output=True).returncode:
            print(f"{target}: not on npm", flush=True)
            continue
        one = Hunt(options, version)
        one.show(paths)
        one.run(options.hunt)
        found_here = [name for name, shown in one.known["bugs"].items() if shown and shown[1] in one.known["seen"]]
        made = sum(one.known["programs"].values())
        print(f"{version}: {made} programs, {one.known['cpu']:.0f} s, {len(one.known['seen'])} messages, found {found_here}", flush=True)


# ---- the table ----


def peers(copy):
    """By name of a peer: the numbers of the bugs that it found."""
    found = {}
    for name, file in PEERS.items():
        path = copy / "experiments" / "test_programs" / f"{file}.csv"
        found[name] = set(re.findall(r"^Bug (\d+)", path.read_text(), re.MULTILINE))
    return found


def table(options, found, cause):
    others = peers(options.peers) if options.peers else {}
    print("| bug | version | root cause | shown by npm's build | " + "".join(f"{name} | " for name in others) + "lydite |")
    print("|---|---|---|---|" + "---|" * (len(others) + 1))
    totals = collections.Counter()
    for version, paths in found.items():
        path = options.keep / f"{version}.json"
        known = json.loads(path.read_text()) if path.exists() else None
        for program in paths:
            number = number_of(program)
            shown = (known or {"bugs": {}})["bugs"].get(program.stem)
            seen = known["seen"].get(shown[1]) if shown else None
            own = f"{seen['way']}, program {seen['program']}" if seen else ""
            if seen and is_bare(shown[1]):
                own += " (a bare message)"
                totals["bare"] += 1
            elif seen:
                totals["lydite"] += 1
            totals["shown"] += bool(shown)
            totals["programs"] += 1
            row = []
            for name, numbers in others.items():
                row.append("yes" if number in numbers else "")
                totals[name] += number in numbers
            said = f"{shown[0] and '`' + shown[0] + '` '}{shown[1]}".replace("|", "\\|")[:110] if shown else "no" if known else "not looked at"
            print(f"| {number} | {version} | {cause.get(number, '')} | {said} | " + "".join(f"{cell} | " for cell in row) + f"{own} |")
    print(dict(totals), file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("copy", type=pathlib.Path)
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    parser.add_argument("--version", action="append", help="this version alone")
    parser.add_argument("--hunt", type=int, metavar="SECONDS")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--peers", type=pathlib.Path, metavar="COPY")
    options = parser.parse_args()
    found = programs(options.copy)
    if not found:
        sys.exit(f"{options.copy}: no benchmark/VERSION/NUMBER.sol: is it a checkout of the benchmark?")
    if (options.hunt or options.table) and not options.keep:
        sys.exit("--hunt and --table need --keep DIR")
    found = {version: paths for version, paths in found.items() if not options.version or version in options.version}
    if options.hunt:
        hunt(options, found)
    if options.table:
        table(options, found, causes(options.copy))
    if not options.hunt and not options.table:
        read(options, found, causes(options.copy))


if __name__ == "__main__":
    main()
