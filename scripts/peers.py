#!/usr/bin/env python3
"""Lydite beside yinyang (fusion, opfuzz, typefuzz), on the same seeds.

    scripts/peers.py speed [--seeds DIR] [--for SECONDS]    mutants per CPU second of the tool
    scripts/peers.py power [--seeds DIR] [--target T] [--for SECONDS]
                                                            distinct bugs in an old release
    scripts/peers.py useful [--seeds DIR] [--target T] [--for SECONDS]
                                                            answered runs per CPU second

yinyang is installed with pip into target/peers. DIR holds folders `sat` and
`unsat` somewhere below it; without it the seeds of the project are used.
What is compared is one process of each tool on one core.
"""

import argparse
import json
import os
import pathlib
import random
import re
import resource
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ROOT / "target" / "peers"
LYDITE = ROOT / "target" / "release" / "lydite"

# Runs a tool in this very process and tells its own CPU time, without that of
# the solvers it starts.
METER = """
import atexit, resource, runpy, sys
report = sys.argv.pop(1)
def tell():
    own = resource.getrusage(resource.RUSAGE_SELF)
    with open(report, "w") as out:
        out.write("%f %d" % (own.ru_utime + own.ru_stime, own.ru_maxrss))
atexit.register(tell)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""

# (lydite's strategy, the peer's program, how it is told the answer of the seeds)
PAIRS = [
    ("fusion", "yinyang", ["-o", "sat"], "sat"),
    ("operators", "opfuzz", [], None),
    ("typed", "typefuzz", [], None),
]


def install():
    if not (PEERS / "bin" / "yinyang").exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
        subprocess.run([PEERS / "bin" / "pip", "install", "-q", "yinyang==0.3.0"], check=True)


# typefuzz ends with an error on seeds of other theories than its own.
TYPEFUZZ_LOGIC = re.compile(rb"\(set-logic (QF_)?(S|SLIA|SNIA|LIA|LRA|LIRA|NIA|NRA|NIRA)\)")


def scripts(folder, answer=None, program=None):
    """The seeds below a folder: of one answer, or those that a peer can read."""
    found = sorted(pathlib.Path(folder).rglob("*.smt2"))
    if answer:
        found = [path for path in found if path.parent.name == answer]
    if program == "typefuzz":
        found = [path for path in found if TYPEFUZZ_LOGIC.search(path.read_bytes())]
    return found


def peer(program, arguments, solvers, seeds, work, seconds=None):
    """Runs a peer; returns (CPU seconds of its own, peak KiB, its output)."""
    report = work / "report"
    report.unlink(missing_ok=True)
    (work / "meter.py").write_text(METER)
    command = [PEERS / "bin" / "python", work / "meter.py", report, PEERS / "bin" / program]
    command += ["-l", work / "logs", "-b", work / "bugs", "-s", work / "scratch"]
    command += [*arguments, solvers, *seeds]
    for folder in ("logs", "bugs", "scratch"):
        (work / folder).mkdir(exist_ok=True)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               cwd=work, text=True)
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(2)
        output, _ = process.communicate()
    if not report.exists():
        sys.exit(f"{program} did not end well:\n{output}")
    cpu, peak = report.read_text().split()
    return float(cpu), int(peak), output


def speed(options):
    """Mutants per CPU second of the tool, with a solver that answers at once."""
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        stub, count = work / "stub", work / "count"
        stub.write_text(f"#!/bin/sh\nprintf x >>{count}\necho sat\n")
        stub.chmod(0o755)
        print(f"{'':10} {'lydite':>12} {'peer':>10} {'its peak':>9} {'ratio':>8}")
        for strategy, program, arguments, answer in PAIRS:
            seeds = scripts(options.seeds, answer, program)
            random.Random(1).shuffle(seeds)
            chosen = work / "seeds"
            shutil.rmtree(chosen, ignore_errors=True)
            chosen.mkdir()
            for i, path in enumerate(seeds[:40]):
                # The folder's name says the answer, for lydite too.
                folder = chosen / path.parent.name
                folder.mkdir(exist_ok=True)
                shutil.copy(path, folder / f"{i}.smt2")
            count.write_text("")
            solvers = str(stub) if strategy == "fusion" else f"{stub};{stub}"
            files = scripts(chosen)
            cpu, peak, _ = peer(program, arguments, solvers, files, work, options.seconds)
            calls = len(count.read_text()) / (1 if strategy == "fusion" else 2)
            theirs = calls / cpu
            told = subprocess.run(
                [LYDITE, "generate", strategy, "--seeds", chosen, "-n", "200000", "--stats"],
                check=True, capture_output=True, text=True)
            stats = json.loads(told.stdout.splitlines()[-1])
            ours = stats["cases"] / stats["cpu_s"]
            print(f"{strategy:10} {ours:10.0f}/s {theirs:8.0f}/s {peak // 1024:6} MB "
                  f"{ours / theirs:7.0f}x")


STRATEGIES = ["operators", "typed", "fusion", "weaken"]

# A run of a case in the store: its outcome's number and its CPU time
# (crates/store/src/record/case.rs).
RUN = struct.Struct("<HHBBII")
ANSWERED, TIMED_OUT = 0, 6


def useful(options):
    """Answered runs per CPU second of everything, and the share of time-outs."""
    print(f"{options.target} beside {options.reference}, {options.seconds} s each, one core, "
          f"limit {options.timeout} s, {len(scripts(options.seeds))} seeds")
    print(f"{'':22} {'runs':>7} {'answered':>9} {'CPU s':>7} {'per CPU s':>10} {'cut off':>8} "
          f"{'later':>6} {'bugs':>5}")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        for strategy in options.strategies.split(","):
            for schedule in ("learn", "fixed") if options.both else ("learn",):
                ours(strategy, schedule, options, work / f"{strategy}-{schedule}")
        for strategy, program, arguments, answer in PAIRS:
            theirs(program, arguments, answer, options, work / program)


def ours(strategy, schedule, options, out):
    """A hunt of lydite's."""
    cpu = spent([LYDITE, "hunt", "-q", "-j1", "--timeout", f"{options.timeout}s",
                 "--for", f"{options.seconds}s", "-t", options.target, "-t", options.reference,
                 "--strategy", strategy, "--seeds", options.seeds, "--schedule", schedule,
                 "--seed", str(options.seed), "--oracles", "crash,answer,model,differential",
                 *(["--warm", str(options.warm)] if options.warm else []), "-o", out])
    runs = []
    with sqlite3.connect(next(out.glob("*.sqlite"))) as store:
        for (blob,) in store.execute("SELECT runs FROM cases ORDER BY idx"):
            runs += RUN.iter_unpack(blob)
    answered = sum(run[2] == ANSWERED for run in runs)
    late, passed = [], 0
    for run in runs:
        passed += run[5] / 1e6
        if passed > 120:
            late.append(run)
    subprocess.run([LYDITE, "dedup", out], capture_output=True, check=False)
    listed = subprocess.run([LYDITE, "findings", "--json", out],
                            check=False, capture_output=True, text=True)
    bugs = len([line for line in listed.stdout.splitlines() if line.strip()])
    line(f"lydite {strategy} {schedule}", len(runs), answered, cpu, cut_off(runs), cut_off(late),
         bugs)


def cut_off(runs):
    """The share of the runs' CPU time that went into time-outs."""
    total = sum(run[5] for run in runs)
    return sum(run[5] for run in runs if run[2] == TIMED_OUT) / total if total else None


def theirs(program, arguments, answer, options, work):
    """A peer's runs: how many of them were answered it does not tell."""
    work.mkdir()
    count = work / "count"
    count.write_text("")
    solvers = []
    for target in (options.target, options.reference):
        wrapper = work / target.replace("@", "-")
        wrapper.write_text(f"#!/bin/sh\nprintf x >>{count}\nexec {executable(target)} \"$@\"\n")
        wrapper.chmod(0o755)
        solvers.append(str(wrapper))
    seeds = scripts(options.seeds, answer, program)
    random.Random(options.seed).shuffle(seeds)
    for folder in ("logs", "bugs", "scratch"):
        (work / folder).mkdir()
    cpu = spent([PEERS / "bin" / "python", PEERS / "bin" / program, "-l", work / "logs",
                 "-b", work / "bugs", "-s", work / "scratch", "-t", str(options.timeout),
                 *arguments, ";".join(solvers), *seeds], options.seconds, work)
    found = judged(work / "bugs", "files", options, work / "judged", [])
    line(f"{program}", len(count.read_text()), None, cpu, None, None, len(found))


def spent(command, seconds=None, folder=None):
    """Runs a command to its end, or for so long; returns the CPU time of it and
    all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([str(word) for word in command], cwd=folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(2)
        process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def line(name, runs, answered, cpu, cut, late, bugs):
    share = [f"{part:.0%}" if part is not None else "-" for part in (cut, late)]
    useful_runs = runs if answered is None else answered
    print(f"{name:22} {runs:7} {answered if answered is not None else '-':>9} {cpu:7.0f} "
          f"{useful_runs / max(cpu, 1e-9):10.1f} {share[0]:>8} {share[1]:>6} {bugs:5}", flush=True)


def executable(target):
    """The binary of an installed target."""
    told = subprocess.run([LYDITE, "targets", "doctor", "--json", target],
                          capture_output=True, text=True, check=False)
    binary = json.loads(told.stdout.splitlines()[0]).get("binary") if told.stdout else None
    return binary or sys.exit(f"{target} is not installed: lydite targets install {target}")


def power(options):
    """Distinct signatures in the same time, both judged by lydite."""
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        print(f"{options.target} beside {options.reference}, {options.seconds} s each, one core")
        for strategy, program, arguments, answer in PAIRS:
            folder = work / strategy
            folder.mkdir()
            seeds = scripts(options.seeds, answer, program)
            solvers = executable(options.target)
            if strategy != "fusion":
                solvers += ";" + executable(options.reference)
            random.Random(1).shuffle(seeds)
            peer(program, [*arguments, "-t", "2"], solvers, seeds, folder, options.seconds)
            theirs = judged(folder / "bugs", "files", options, folder / "peer", [])
            ours = judged(options.seeds, strategy, options, folder / "ours",
                          ["--for", f"{options.seconds}s"])
            print(f"{strategy:10} lydite {len(ours):3} {summary(ours)}")
            print(f"{program:10} peer   {len(theirs):3} {summary(theirs)}")


def judged(seeds, strategy, options, out, more):
    """The signatures that a hunt of lydite's finds in the old release."""
    if not scripts(seeds):
        return []
    subprocess.run(
        [LYDITE, "hunt", "--quiet", "-j1", "--timeout", "2s", "-t", options.target,
         "--reference", options.reference, "--strategy", strategy, "--seeds", seeds,
         "--oracles", "crash,answer,model,differential", "-o", out, *more],
        capture_output=True, check=False)
    # Its exit code says whether there are any.
    listed = subprocess.run([LYDITE, "findings", "--json", out],
                            check=False, capture_output=True, text=True)
    return [json.loads(line) for line in listed.stdout.splitlines() if line.strip()]


def summary(findings):
    kinds = {}
    for finding in findings:
        kinds[finding["kind"]] = kinds.get(finding["kind"], 0) + 1
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))


def main():
    global LYDITE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["speed", "power", "useful"])
    parser.add_argument("--seeds", default=ROOT / "seeds" / "smtlib", type=pathlib.Path)
    parser.add_argument("--target", default="z3@4.8.5")
    parser.add_argument("--reference", default="cvc5@1.4.2")
    parser.add_argument("--for", dest="seconds", type=int,
                        help="how long each tool runs [default: 30 for speed, 120 for power, 480 for useful]")
    parser.add_argument("--timeout", type=int, default=8, help="seconds of one run, for useful")
    parser.add_argument("--seed", type=int, default=1, help="of the random streams, for useful")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help="of lydite, for useful")
    parser.add_argument("--both", action="store_true", help="lydite also with --schedule fixed")
    parser.add_argument("--warm", type=int, default=0, help="for useful")
    parser.add_argument("--lydite", type=pathlib.Path, help="another build than the release")
    options = parser.parse_args()
    options.seeds = options.seeds.resolve()
    options.seconds = options.seconds or {"speed": 30, "power": 120, "useful": 480}[options.what]
    if options.lydite:
        LYDITE = options.lydite.resolve()
    os.environ.pop("PYTHONPATH", None)
    install()
    {"speed": speed, "power": power, "useful": useful}[options.what](options)


if __name__ == "__main__":
    main()
