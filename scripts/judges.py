#!/usr/bin/env python3
"""What each strategy finds in old releases in equal CPU time, beside the older strategies.

    scripts/judges.py --out FOLDER [--cpu SECONDS] [--targets T,..] [--seeds DIR,..]
                      [--strategies S,..] [--dedup SECONDS] [--lydite PROGRAM]
                      [--turn SECONDS] [--close] [--table]

One cell is a release and a strategy: a hunt that is ended after so many seconds of CPU time
of it and all that it started, and whose findings are told apart by signature. Cells are kept
in FOLDER as they are done, and their campaigns in FOLDER/campaigns, so that a run that was
stopped goes on where it was (`--turn` stops it after so many seconds by the clock), and
more releases or strategies can be added later. `--close` ends cells that are not done
with the CPU time that they had. `--table` prints the table of what is there and does
nothing else; it says how much CPU time each cell had.

Strategies that are joined by `+` share a cell: one hunt with all of them.

The newest z3 and cvc5 that are installed are asked beside each release (they answer what
follows from a case, such as whether something is better than an optimum). Bugs of theirs are
not counted. With `--references ""` the release is alone, so that only what is known of a
case, models and contradictions can convict it. With `--dedup SECONDS` findings are reduced for so long each, looked at in all
installed versions, and merged first (`lydite dedup`), which takes much longer than the
hunts. Without it a strategy that puts scopes or quantifiers around a script would have a
signature of its own for each of them. So findings count as one bug if they are of one
seed, and crashes or no crashes both; those of one internal error, and lists that name
what was not assumed, wherever they come from. A finding of several seeds counts as the
bug of one of them, if some strategy showed a bug of the same sort of that seed alone. "New" is what no older strategy (fusion,
operators, typed, weaken, incremental, files) showed in the same release; of several seeds
none may have shown it.
"""

import argparse
import collections
import json
import os
import pathlib
import resource
import sqlite3
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
OLDER = ["fusion", "operators", "typed", "weaken", "incremental", "files"]
NEWER = ["witness", "equals", "partition", "history", "objectives"]
TARGETS = ["z3@4.8.5", "z3@4.8.9", "z3@4.8.17", "z3@4.12.2", "cvc5@1.0.3", "cvc5@1.2.0"]
REFERENCES = ["z3@5.4.0", "cvc5@1.4.2"]
ORACLES = ["crash", "answer", "model", "core", "objective", "differential"]


def main():
    options = read_options()
    options.out.mkdir(parents=True, exist_ok=True)
    if not options.table:
        install(options)
        end = time.monotonic() + options.turn
        cells = [(target, name) for target in options.targets for name in options.strategies]
        # Those that had least come first, so that turns are shared out.
        for target, strategy in sorted(cells, key=lambda cell: spent_before(options, *cell)):
            fill(target, strategy, options, end)
    print_table(options)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    listed = lambda text: [word for word in text.split(",") if word]
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--cpu", type=int, default=600, help="CPU seconds of a cell [600]")
    parser.add_argument("--targets", type=listed, default=TARGETS)
    parser.add_argument("--references", type=listed, default=REFERENCES)
    parser.add_argument("--strategies", type=listed, default=OLDER + NEWER)
    parser.add_argument("--seeds", type=listed, default=[str(ROOT / "seeds" / "smtlib")])
    parser.add_argument("--timeout", type=int, default=1, help="seconds of a run [1]")
    parser.add_argument("--lydite", type=pathlib.Path,
                        default=ROOT / "target" / "release" / "lydite")
    parser.add_argument("--dedup", type=int, default=0, metavar="SECONDS",
                        help="reduce and merge findings, so long each [0: signatures alone]")
    parser.add_argument("--turn", type=float, default=float("inf"), metavar="SECONDS",
                        help="stop after so long by the clock; the same command goes on")
    parser.add_argument("--close", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    options.seeds = [str(pathlib.Path(name).resolve()) for name in options.seeds]
    if not options.lydite.is_file():
        sys.exit(f"{options.lydite} is not there: build it (make build), or name it (--lydite)")
    return options


def install(options):
    words = [options.lydite, "targets", "install", "-q", *options.targets, *options.references]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def cell_of(options, target, strategy):
    return options.out / f"{target}-{strategy}.json"


def campaign_of(options, target, strategy):
    return options.out / "campaigns" / f"{target}-{strategy}"


def spent_before(options, target, strategy):
    """CPU seconds that a cell which is not done had so far."""
    note = campaign_of(options, target, strategy) / "cpu.json"
    return json.loads(note.read_text()) if note.exists() else 0


def fill(target, strategy, options, end):
    """Hunts, and keeps what was found, whole or not at all."""
    cell = cell_of(options, target, strategy)
    if cell.exists():
        return
    work = campaign_of(options, target, strategy)
    work.mkdir(parents=True, exist_ok=True)
    cpu = spent_before(options, target, strategy)
    left = end - time.monotonic()
    if cpu < options.cpu and left > 0 and not options.close:
        more, is_over = hunt(work, target, strategy, options, options.cpu - cpu, left)
        cpu += more
        (work / "cpu.json").write_text(json.dumps(cpu))
    else:
        is_over = options.close and cpu > 0
    if cpu < options.cpu and not is_over:
        return
    found = distinct(work / "out", target, options)
    made = {"target": target, "strategy": strategy, "cpu": round(cpu, 1),
            "cases": found.pop("cases"), "bugs": found.pop("bugs")}
    new = cell.with_suffix(".new")
    new.write_text(json.dumps(made, indent=1) + "\n")
    new.rename(cell)
    print(f"{target} {strategy}: {len(made['bugs'])} bugs in {made['cases']} cases, "
          f"{made['cpu']} CPU s", flush=True)


def hunt(work, target, strategy, options, cpu, left):
    if (work / "out").exists():
        words = [options.lydite, "hunt", "-q", "-j1", "-o", work / "out", "--for", "24h"]
        return spent(words, cpu, left)
    family = target.partition("@")[0]
    # What is asked beside it: of the other family first.
    others = sorted(options.references, key=lambda name: name.startswith(family + "@"))
    plan = [f"targets = {json.dumps([target, *others])}", f"oracles = {json.dumps(ORACLES)}",
            "seed = 1", "[limits]", f'timeout = "{options.timeout}s"',
            *(line for name in strategy.split("+")
              for line in ("[[strategy]]", f'name = "{name}"', f"seeds = {json.dumps(options.seeds)}"))]
    (work / "plan.toml").write_text("\n".join(plan) + "\n")
    words = [options.lydite, "hunt", work / "plan.toml", "-q", "-j1", "-o", work / "out"]
    return spent(words, cpu, left)


def spent(words, cpu, left):
    """Runs a command to its end, for so much CPU time, or so long by the clock; the CPU time of
    all that ran, and whether it came to its end."""
    end = time.monotonic() + left
    stopped = False
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.STDOUT)
    try:
        while process.poll() is None:
            time.sleep(0.25)
            if used(process.pid) > cpu or time.monotonic() > end:
                stopped = True
                process.send_signal(2)
                process.wait()
    except KeyboardInterrupt:
        process.send_signal(2)
        process.wait()
        sys.exit("stopped; the same command goes on")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, not stopped


def used(pid):
    """CPU seconds of a process, its children, and those that they waited for."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        below = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    return sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(used, below))


def distinct(campaign, target, options):
    """The bugs of one release, and how many cases there were."""
    if options.dedup:
        words = [options.lydite, "dedup", "-q", "-j1", "--for", f"{options.dedup}s", campaign]
        subprocess.run(words, capture_output=True, check=False)
    listed = subprocess.run([options.lydite, "findings", "--json", campaign],
                            capture_output=True, text=True, check=False)
    wanted = [row["id"] for row in rows(listed.stdout) if row.get("target") == target]
    bugs = {}
    for name in wanted:
        folder = campaign / "findings" / name
        finding = json.loads((folder / "finding.json").read_text())
        bug = bug_of(finding, folder / "seeds")
        if finding["merged_into"] is None:
            bugs.setdefault(json.dumps(bug), {"keys": bug, "kind": finding["kind"], "shown": []})
            bugs[json.dumps(bug)]["shown"].append(finding["signature"])
    return {"bugs": [bugs[key] for key in sorted(bugs)], "cases": cases_of(campaign)}


def bug_of(finding, seeds):
    """What tells bugs apart: one key for each seed, or one that no seed matters for."""
    site = finding["signature"].partition('site="')[2].partition('"')[0]
    is_crash = finding["kind"] == "crash"
    if is_crash and not site.startswith("SIG") or site == "not an assumption":
        return [site]
    names = sorted(path.name.partition("-")[2] for path in seeds.iterdir()) if seeds.is_dir() else []
    return [f"{'crash' if is_crash else 'wrong'} {name}" for name in names or ["no seed"]]


def rows(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def cases_of(campaign):
    store = next(campaign.glob("*.sqlite"), None)
    if store is None:
        return 0
    with sqlite3.connect(store) as rows_of:
        return rows_of.execute("SELECT count(*) FROM cases").fetchone()[0]


def print_table(options):
    cells = [json.loads(path.read_text()) for path in sorted(options.out.glob("*.json"))]
    if not cells:
        sys.exit(f"{options.out}: no cells yet")
    targets = [name for name in options.targets if any(c["target"] == name for c in cells)]
    strategies = [name for name in options.strategies if any(c["strategy"] == name for c in cells)]
    cells = [merged(cell, cells) for cell in cells]
    by = {(cell["target"], cell["strategy"]): cell for cell in cells}
    print("\nbugs (those that no older strategy showed in the same release), "
          "and the CPU seconds\n")
    print("| release | " + " | ".join(f"`{name}`" for name in strategies) + " |")
    print("|---" * (len(strategies) + 1) + "|")
    sums = {name: [0, 0] for name in strategies}
    for target in targets:
        older = shown_by_older(by, target)
        words = []
        for name in strategies:
            cell = by.get((target, name))
            if cell is None:
                words.append("-")
                continue
            new = new_bugs(cell, older)
            sums[name][0] += len(cell["bugs"])
            sums[name][1] += len(new)
            is_new = not is_older(name)
            words.append(f"{len(cell['bugs'])}" + (f" ({len(new)})" if is_new else "")
                         + f", {cell['cpu']:.0f} s")
        print(f"| {target} | " + " | ".join(words) + " |")
    totals = [f"{sums[name][0]}" + (f" ({sums[name][1]})" if not is_older(name) else "")
              for name in strategies]
    print("| all | " + " | ".join(totals) + " |")
    print("\nnew:")
    for (target, name), cell in sorted(by.items()):
        for bug in [] if is_older(name) else new_bugs(cell, shown_by_older(by, target)):
            print(f"- `{name}`, {target}: {bug['kind']} of {', '.join(bug['keys'])}")


def merged(cell, cells):
    """The cell with each bug of several seeds as that of one of them, where it is known: the one
    that most strategies showed."""
    of_release = [bug for other in cells if other["target"] == cell["target"]
                  for bug in other["bugs"]]
    alone = collections.Counter(bug["keys"][0] for bug in of_release if len(bug["keys"]) == 1)
    bugs = {}
    for bug in cell["bugs"]:
        known = sorted(alone.keys() & set(bug["keys"]), key=lambda key: (-alone[key], key))
        keys = known[:1] or bug["keys"]
        bugs.setdefault(json.dumps(keys), {**bug, "keys": keys})
    return {**cell, "bugs": list(bugs.values())}


def is_older(name):
    return set(name.split("+")) <= set(OLDER)


def shown_by_older(by, target):
    cells = [cell for (release, name), cell in by.items() if release == target and is_older(name)]
    return {key for cell in cells for bug in cell.get("bugs", []) for key in bug["keys"]}


def new_bugs(cell, older):
    return [bug for bug in cell["bugs"] if older.isdisjoint(bug["keys"])]


if __name__ == "__main__":
    main()
