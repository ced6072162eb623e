#!/usr/bin/env python3
"""Whether a solver's own counters (z3 -st) would lead a hunt to more bugs.

    scripts/compass.py --out FOLDER [--target z3@4.8.5] [--cases N] [--group 4]
    scripts/compass.py --out FOLDER --counting mujs:coverage --target mujs:sanitize \
        --reference duktape --strategy splice --seeds seeds/javascript

With `--counting` the branches that gcov counts of a build are what counters are of z3.

A fixed hunt of strategy `operators` runs N cases on an old z3 beside the newest cvc5, so it is
known what each case takes and shows. Each program then runs once more with `-st`, which
prints which parts of z3 were at work. All this is kept in FOLDER. Then hunts over these cases are
played, many times: each draws a group of seeds by Thompson sampling (Gamma-distributed rates of
news per CPU second), takes the next case of it, and learns. What counts as news differs:

    answers     a new signature counts ten, a new set of answers of the group one (what hunts do)
    counters    the same, and one for a case with a counter that no case of the hunt had before
    own         the same, and one for a case with a counter that no case of the group had before
    magnitude   the same, and one for a new power of four of a counter in the hunt
    blind       nothing: all groups are equally likely

What is told is how many signatures each has after a part of the CPU time of all cases, as the mean
over 400 plays, with its standard error. Running with `-st` is taken to cost nothing.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import statistics
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUN = struct.Struct("<HHBBII")
PLAYS = 400
PARTS = [0.05, 0.1, 0.2, 0.4]
# Not counters: what the clock and the memory say.
MEASURES = {"time", "total-time", "memory", "max-memory", "num-allocs", "rlimit-count"}
COUNTER = re.compile(r":([a-z0-9.-]+)\s+([0-9.]+)")


def measure(options):
    """The cases of a fixed hunt: group, CPU time, answers, signatures, counters."""
    out, programs = options.out / "hunt", options.out / "programs"
    common = [options.strategy, "--seeds", options.seeds, "--seed", "1"]
    targets = [options.target, options.reference] + [options.counting] * bool(options.counting)
    oracles = "crash,answer,differential" if options.counting else "crash,answer,model,differential"
    subprocess.run([options.lydite, "hunt", "-q", "-j1",
                    *[word for target in targets for word in ("-t", target)],
                    "--strategy", *common, "--cases", options.cases, "--schedule", "fixed",
                    "--timeout", "1s", "--oracles", oracles,
                    "--confirm", "1", "-o", out], check=False, stdout=subprocess.DEVNULL)
    subprocess.run([options.lydite, "generate", *common, "-q", "-n", options.cases, "-o",
                    programs], check=True, stdout=subprocess.DEVNULL)
    plan = json.loads((out / "plan.json").read_text())["targets"]
    place = 2 if options.counting else 0
    binary = plan[place]["description"]["argv"][0][0]
    cases = []
    with sqlite3.connect(out / "campaign.sqlite") as store:
        shown = {}
        for index, signature in store.execute("SELECT idx, signature FROM symptoms"):
            shown.setdefault(index, []).append(signature)
        for index, arms, runs in store.execute("SELECT idx, arms, runs FROM cases ORDER BY idx"):
            program = next(iter(programs.glob(f"{index:09}.*")), programs / "none")
            seed = re.search(r"seed=(\d+)", arms)
            if not runs or not seed or not program.exists():
                continue
            runs = list(RUN.iter_unpack(runs))
            cases.append({"seed": int(seed[1]), "cpu": sum(run[5] for run in runs) / 1e6,
                          "answers": str([(run[0], run[2], run[3]) for run in runs]),
                          "signatures": shown.get(index, []),
                          "counters": (branches if options.counting else counters)(binary, program)})
    return cases


def branches(binary, program):
    """The branches of a build that counts which a program takes."""
    binary = pathlib.Path(binary)
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run([binary, program], capture_output=True, timeout=5, check=False,
                           env={**os.environ, "GCOV_PREFIX": folder})
        except subprocess.TimeoutExpired:
            return {}
        taken = {}
        for counts in pathlib.Path(folder).rglob("*.gcda"):
            note = next(iter(binary.parent.rglob(f"{counts.stem}.gcno")), None)
            if note is None:
                continue
            shutil.copy(note, counts.with_suffix(".gcno"))
            said = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities",
                                   counts.with_suffix(".gcno")], capture_output=True, text=True,
                                  check=False, cwd=counts.parent).stdout
            for text in filter(None, said.splitlines()):
                for file in json.loads(text)["files"]:
                    for line in file["lines"]:
                        for number, branch in enumerate(line["branches"]):
                            if branch["count"]:
                                name = f"{file['file']}:{line['line_number']}:{number}"
                                taken[name] = branch["count"]
        return taken


def counters(binary, program):
    """The counters that are not zero, with their values."""
    try:
        said = subprocess.run([binary, "-st", program], capture_output=True, text=True, timeout=1,
                              check=False, errors="replace").stdout
    except subprocess.TimeoutExpired:
        return {}
    found = {name: float(value) for name, value in COUNTER.findall(said)}
    return {name: value for name, value in found.items() if value and name not in MEASURES}


def marks(case, news):
    """What may be new in a case, as the way of counting news sees it."""
    if news == "magnitude":
        return {(name, int(value).bit_length() // 2) for name, value in case["counters"].items()}
    return set(case["counters"])


def play(groups, news, total, rng):
    """One hunt; returns how many signatures it has after each part of the time."""
    left = {number: rng.sample(cases, len(cases)) for number, cases in groups.items()}
    gains = {number: [0.0, 0.0] for number in groups}
    answers = {number: set() for number in groups}
    seen = {number: set() for number in groups}
    everywhere, signatures, spent, counts = set(), set(), 0.0, []
    prior = total / sum(len(cases) for cases in groups.values())
    while len(counts) < len(PARTS):
        there = [number for number in left if left[number]]
        if news == "blind":
            number = rng.choice(there)
        else:
            def rate(number):
                gained, cpu = gains[number]
                return rng.gammavariate(gained + 1, 1 / (cpu + prior))
            number = max(there, key=rate)
        case = left[number].pop()
        new = 10 * len(set(case["signatures"]) - signatures)
        new += case["answers"] not in answers[number]
        own = marks(case, news)
        known = seen[number] if news == "own" else everywhere
        if news in ("counters", "own", "magnitude"):
            new += bool(own - known)
        known |= own
        signatures |= set(case["signatures"])
        answers[number].add(case["answers"])
        gains[number][0] += new
        gains[number][1] += case["cpu"]
        spent += case["cpu"]
        while len(counts) < len(PARTS) and spent > PARTS[len(counts)] * total:
            counts.append(len(signatures))
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--target", default="z3@4.8.5")
    parser.add_argument("--reference", default="cvc5")
    parser.add_argument("--counting", help="a build that counts, of the same family")
    parser.add_argument("--strategy", default="operators")
    parser.add_argument("--seeds", default=ROOT / "seeds" / "smtlib", type=pathlib.Path)
    parser.add_argument("--cases", default="1500")
    parser.add_argument("--group", default=4, type=int, help="how many seeds are one group")
    parser.add_argument("--lydite", default=ROOT / "target" / "release" / "lydite")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    kept = options.out / "cases.json"
    if not kept.exists():
        kept.write_text(json.dumps(measure(options)))
    cases = json.loads(kept.read_text())
    groups = {}
    for case in cases:
        groups.setdefault(case["seed"] // options.group, []).append(case)
    total = sum(case["cpu"] for case in cases)
    signatures = {signature for case in cases for signature in case["signatures"]}
    names = {name for case in cases for name in case["counters"]}
    print(f"{options.target}: {len(cases)} cases in {len(groups)} groups, {total:.0f} CPU s, "
          f"{len(signatures)} signatures, {len(names)} counters")
    print("| news | " + " | ".join(f"{part:.0%} of the time" for part in PARTS) + " |")
    print("|---" * (len(PARTS) + 1) + "|")
    for news in ["blind", "answers", "counters", "own", "magnitude"]:
        rng = random.Random(1)
        plays = [play(groups, news, total, rng) for _ in range(PLAYS)]
        cells = []
        for column in zip(*plays):
            error = statistics.stdev(column) / len(column) ** 0.5
            cells.append(f"{statistics.mean(column):.2f} ± {error:.2f}")
        print(f"| {news} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
