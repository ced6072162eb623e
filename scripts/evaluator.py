#!/usr/bin/env python3
"""Our evaluator against the solvers' own checks of their models.

    scripts/evaluator.py --seeds DIR... [-n N] [--seed S] [-j JOBS] [--lydite PATH] [-o DIR]

The seeds and their mutants (strategies operators, typed and fusion, alike many
of each) are put to z3 and cvc5 and, with their own check of models, to
z3:model-validate and cvc5:check-models, until N of them were satisfiable: some solver
said `sat`. For each `sat` the table says what our evaluator makes of the model and what
the solver itself makes of it. Where one says right and the other wrong, the script is
kept in DIR (evaluator-out) and named, to be explained. All that is run is `lydite
generate` and `lydite check`; a run that was cut short goes on where it was.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import pathlib
import shutil
import subprocess

CHECKED = {"z3": "z3:model-validate", "cvc5": "cvc5:check-models"}
MUTATIONS = ["operators", "typed", "fusion"]


def family(target):
    return target.split("@")[0].split(":")[0]


def variant(target):
    return target.partition(":")[2]


def ours(what):
    """What a remark says of a model: by our evaluator, or by what another solver said."""
    if what in ("model right", "model right for some of what it leaves out"):
        return "right"
    if what == "model wrong":
        return "wrong"
    if what == "model right by another solver":
        return "right (asked)"
    if what == "model wrong by itself and another":
        return "wrong (asked)"
    if what == "model contested" or what == "model not confirmed":
        return "contested"
    if what.startswith("model open: ") or what in ("no model", "output not read", "script not read"):
        return "open"
    raise SystemExit(f"a remark that this script does not know: {what}")


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
        words = [word for word, _ in remarks]
        # The worst of them stands for the script.
        order = ["wrong", "wrong (asked)", "contested", "open", "right (asked)", "right"]
        word = min(words, key=order.index)
        rows.append((name, word, outcomes.get(name, "no answer"), remarks[words.index(word)][1]))
    return rows


def mutants(lydite, seeds, each, seed, folder):
    """So many mutants of each kind, in an order of their own."""
    made = []
    for strategy in MUTATIONS:
        out = folder / f"{strategy}-{seed}"
        if not out.is_dir():
            named = [argument for one in seeds for argument in ("--seeds", one)]
            command = [lydite, "generate", strategy, *named, "-n", str(each), "--seed", str(seed)]
            subprocess.run([*command, "-o", str(out), "-q"], check=True, stdout=subprocess.DEVNULL)
        made.append(sorted(out.rglob("*.smt2")))
    return [path for group in itertools.zip_longest(*made) for path in group if path]


def programs(lydite, seeds, seed, folder):
    """The seeds, then mutants without end."""
    every = (path for one in seeds for path in pathlib.Path(one).rglob("*.smt2"))
    yield from sorted(every)
    while True:
        yield from mutants(lydite, seeds, 400, seed, folder)
        seed += 1


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
    kept.mkdir(parents=True, exist_ok=True)
    journal = kept / "seen.jsonl"
    lines = journal.read_text().splitlines() if journal.exists() else []
    before = dict(json.loads(line) for line in lines)
    counts = collections.Counter()
    disagree = []
    examined = satisfiable = 0
    more = programs(args.lydite, args.seeds, args.seed, kept)

    def look(path):
        return before[str(path)] if str(path) in before else examine(args.lydite, path)

    with concurrent.futures.ThreadPoolExecutor(args.j) as pool, journal.open("a") as log:
        while satisfiable < args.n:
            paths = list(itertools.islice(more, 8 * args.j))
            for path, rows in zip(paths, pool.map(look, paths)):
                if str(path) not in before:
                    print(json.dumps([str(path), rows]), file=log, flush=True)
                examined += 1
                satisfiable += bool(rows)
                for name, we, they, what in rows:
                    counts[name, we, they] += 1
                    if {we.split()[0], they} == {"right", "wrong"}:
                        copy = kept / f"{len(disagree)}-{name}.smt2"
                        shutil.copy(path, copy)
                        disagree.append((copy, name, we, they, what))
    print(f"{examined} scripts, {satisfiable} of them satisfiable")
    print(f"{'solver':8}{'we say':16}{'it says':12}{'models':>8}")
    for (name, we, they), count in sorted(counts.items()):
        print(f"{name:8}{we:16}{they:12}{count:8}")
    for copy, name, we, they, what in disagree:
        print(f"{copy}: {name}: we say {we} ({what}), it says {they}")


main()
