#!/usr/bin/env python3
"""Our evaluator against the solvers' own checks of their models.

    scripts/evaluator.py --seeds DIR... [-n N] [--seed S] [-j JOBS] [--lydite PATH] [-o DIR]

The seeds and their mutants (strategies operators, typed and fusion, alike many
of each), N in all, are put to z3 and cvc5 and, with their own check of models, to
z3:model-validate and cvc5:check-models. For each `sat` the table says what our
evaluator makes of the model and what the solver itself makes of it. Where one says
right and the other wrong, the script is kept in DIR (evaluator-out) and named, to be
explained. All that is run is `lydite generate` and `lydite check`.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import tempfile

CHECKED = {"z3": "z3:model-validate", "cvc5": "cvc5:check-models"}
MUTATIONS = ["operators", "typed", "fusion"]


def family(target):
    return target.split("@")[0].split(":")[0]


def variant(target):
    return target.partition(":")[2]


def ours(what):
    if what.startswith("model right"):
        return "right"
    return "wrong" if what == "model wrong" else "open"


def theirs(outcome):
    return {"answered": "right", "self-refuted": "wrong"}.get(outcome, "no answer")


def examine(lydite, path):
    """For each family with a `sat`: what we say, what it says, and why."""
    command = [lydite, "check", str(path), "--json", "--oracles", "model", "--timeout", "1s"]
    for target, checked in CHECKED.items():
        command += ["-t", target, "-t", checked]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        seen = json.loads(done.stdout)
    except json.JSONDecodeError:
        return []
    outcomes = {
        family(o["target"]): theirs(o["outcome"]) for o in seen["observations"] if variant(o["target"])
    }
    # One `sat` of a script: the solver's own check does not say of which question it is.
    said = collections.defaultdict(list)
    for remark in seen["remarks"]:
        if not variant(remark["target"]):
            said[family(remark["target"])].append((ours(remark["what"]), remark["what"]))
    rows = []
    for name, remarks in said.items():
        word = "wrong" if any(ours == "wrong" for ours, _ in remarks) else None
        word = word or ("open" if any(ours == "open" for ours, _ in remarks) else "right")
        rows.append((name, word, outcomes.get(name, "no answer"), remarks[0][1]))
    return rows


def programs(lydite, seeds, count, seed, folder):
    """The seeds, then mutants until there are `count`."""
    every = (path for one in seeds for path in pathlib.Path(one).rglob("*.smt2"))
    made = sorted(every)[:count]
    each = -(-max(count - len(made), 0) // len(MUTATIONS))
    for strategy in MUTATIONS if each else []:
        out = folder / strategy
        named = [argument for one in seeds for argument in ("--seeds", one)]
        command = [lydite, "generate", strategy, *named, "-n", str(each), "--seed", str(seed)]
        subprocess.run([*command, "-o", str(out), "-q"], check=True, stdout=subprocess.DEVNULL)
        made += sorted(out.rglob("*.smt2"))
    return made[:count]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", nargs="+", required=True)
    parser.add_argument("-n", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--lydite", default="lydite")
    parser.add_argument("-o", default="evaluator-out")
    args = parser.parse_args()
    kept = pathlib.Path(args.o)
    counts = collections.Counter()
    disagree = []
    with tempfile.TemporaryDirectory() as folder:
        paths = programs(args.lydite, args.seeds, args.n, args.seed, pathlib.Path(folder))
        with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
            examined = pool.map(lambda path: examine(args.lydite, path), paths)
            for path, rows in zip(paths, examined):
                for name, we, they, what in rows:
                    counts[name, we, they] += 1
                    if {we, they} == {"right", "wrong"}:
                        kept.mkdir(parents=True, exist_ok=True)
                        copy = kept / f"{len(disagree)}-{name}.smt2"
                        shutil.copy(path, copy)
                        disagree.append((copy, name, we, they, what))
    print(f"{len(paths)} scripts")
    print(f"{'solver':8}{'we say':10}{'it says':12}{'models':>8}")
    for (name, we, they), count in sorted(counts.items()):
        print(f"{name:8}{we:10}{they:12}{count:8}")
    for copy, name, we, they, what in disagree:
        print(f"{copy}: {name}: we say {we} ({what}), it says {they}")


main()
