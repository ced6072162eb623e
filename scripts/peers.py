#!/usr/bin/env python3
"""Lydite beside yinyang (fusion, opfuzz, typefuzz), on the same seeds.

    scripts/peers.py speed [--seeds DIR] [--for SECONDS]    mutants per CPU second of the tool
    scripts/peers.py power [--seeds DIR] [--target T] [--for SECONDS]
                                                            distinct bugs in an old release
    scripts/peers.py useful [--seeds DIR] [--target T] [--for SECONDS] [--cpu SECONDS]
                                                            answered runs per CPU second
    scripts/peers.py bugs [--seeds DIR] [--targets T,..] [--for SECONDS] [--cpu SECONDS]
                                                            distinct bugs by release and tool

`useful` and `bugs` end a tool after so many seconds of the clock, or of CPU time of it and
all that it started. `bugs` does a cell of its table at a time (a release, a tool, a seed of
the random streams), and keeps it in docs/measured/bugs, so that several days add up: what is
there is not measured again. `--show` measures nothing.

yinyang is installed with pip into target/peers. DIR holds folders `sat` and
`unsat` somewhere below it; without it the seeds of the project are used. `--corpus cvc4`
takes those of a corpus.
What is compared is one process of each tool on one core.
"""

import argparse
import hashlib
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
import time

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
RELEASES = ["z3@4.8.5", "z3@4.8.9", "z3@4.8.10", "z3@4.13.0", "cvc5@1.0.9", "cvc5@1.1.2",
            "cvc4@1.8"]
ORACLES = "crash,answer,model,differential"

# A run of a case in the store: its outcome's number and its CPU time
# (crates/store/src/record/case.rs).
RUN = struct.Struct("<HHBBII")
ANSWERED, TIMED_OUT = 0, 6


def useful(options):
    """Answered runs per CPU second of everything, and the share of time-outs."""
    print(f"{options.target} beside {options.reference}, {limits(options)} each, one core, "
          f"limit {options.timeout} s, {len(scripts(options.seeds))} seeds")
    print(f"{'':22} {'runs':>7} {'answered':>9} {'CPU s':>7} {'per CPU s':>10} {'cut off':>8} "
          f"{'later':>6} {'bugs':>5}")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        for tool in options.tools.split(","):
            folder = work / tool
            folder.mkdir()
            if tool in PEERS_BY_NAME:
                runs, answered, cpu, found = theirs(tool, options.target, options, folder)
                line(tool, runs, answered, cpu, None, None, len(found))
            else:
                strategy, _, schedule = tool.partition(":")
                ours([strategy], schedule or "learn", options, folder)


def limits(options):
    """How long each tool runs, in words."""
    spans = [(options.seconds, "s"), (options.cpu, "CPU s")]
    return " or ".join(f"{span} {unit}" for span, unit in spans if span)


PEERS_BY_NAME = {program: (strategy, arguments, answer)
                 for strategy, program, arguments, answer in PAIRS}


def ours(strategies, schedule, options, folder):
    """A hunt of lydite's, as a line of the table."""
    cpu, out = hunt(strategies, schedule, options.target, options, folder)
    runs = []
    with sqlite3.connect(next(out.glob("*.sqlite"))) as store:
        for (blob,) in store.execute("SELECT runs FROM cases ORDER BY idx"):
            runs += RUN.iter_unpack(blob)
    answered = sum(run[2] == ANSWERED for run in runs)
    late, passed = [], 0
    for run in runs:
        passed += run[5] / 1e6
        if passed > options.after:
            late.append(run)
    line(f"lydite {'+'.join(strategies)} {schedule}", len(runs), answered, cpu, cut_off(runs),
         cut_off(late), len(distinct(out)))


def hunt(strategies, schedule, target, options, folder):
    """Hunts; returns the CPU time of all, and the campaign."""
    out = folder / "out"
    plan = [f'targets = ["{target}", "{options.reference}"]', f"seed = {options.seed}",
            f'schedule = "{schedule}"', f"oracles = {json.dumps(ORACLES.split(','))}",
            f"warm = {options.warm}", "[limits]", f'timeout = "{options.timeout}s"']
    for strategy in strategies:
        plan += ["[[strategy]]", f'name = "{strategy}"', f'seeds = ["{options.seeds}"]']
    (folder / "plan.toml").write_text("\n".join(plan) + "\n")
    words = [LYDITE, "hunt", folder / "plan.toml", "-q", "-j1", "-o", out]
    # A target whose processes can stay needs a newer recipe than an older lydite left.
    subprocess.run([LYDITE, "targets", "install", "-q", target, options.reference], check=True,
                   stdout=subprocess.DEVNULL)
    if options.seconds:
        words += ["--for", f"{options.seconds}s"]
    return spent(words, None, options.cpu), out


def distinct(campaign):
    """The findings of a campaign, one for each bug."""
    subprocess.run([LYDITE, "dedup", "-q", campaign], capture_output=True, check=False)
    listed = subprocess.run([LYDITE, "findings", "--json", campaign],
                            check=False, capture_output=True, text=True)
    return [json.loads(row) for row in listed.stdout.splitlines() if row.strip()]


def cut_off(runs):
    """The share of the runs' CPU time that went into time-outs."""
    total = sum(run[5] for run in runs)
    return sum(run[5] for run in runs if run[2] == TIMED_OUT) / total if total else None


def theirs(program, target, options, work):
    """Runs a peer; returns its solver calls, those of them that did not fail by what it says
    itself, the CPU time of all, and its bugs as lydite judges them."""
    _, arguments, answer = PEERS_BY_NAME[program]
    count = work / "count"
    count.write_text("")
    solvers = []
    for solver in (target, options.reference):
        words, env = command(solver, work)
        wrapper = work / solver.replace("@", "-")
        settings = "".join(f"export {name}='{value}'\n" for name, value in env.items())
        wrapper.write_text(f"#!/bin/sh\n{settings}printf x >>{count}\nexec {words} \"$@\"\n")
        wrapper.chmod(0o755)
        solvers.append(str(wrapper))
    seeds = scripts(options.seeds, answer, program)
    random.Random(options.seed).shuffle(seeds)
    for folder in ("logs", "bugs", "scratch"):
        (work / folder).mkdir()
    told = work / "told"
    with told.open("w") as output:
        cpu = spent([PEERS / "bin" / "python", PEERS / "bin" / program, "-l", work / "logs",
                     "-b", work / "bugs", "-s", work / "scratch", "-t", str(options.timeout),
                     *arguments, ";".join(solvers), *seeds], options.seconds, options.cpu, work,
                    output)
    shares = re.findall(r"eff: ([0-9.]+)%", told.read_text())
    runs = len(count.read_text())
    found = judged(work / "bugs", "files", options, work / "judged", [], target)
    return runs, int(runs * float(shares[-1]) / 100) if shares else None, cpu, found


def command(target, work):
    """How an installed target is started, as words of a shell, and its environment: what
    the plan of a hunt says."""
    tiny, out = work / "tiny", work / f"plan-{target}"
    tiny.mkdir(exist_ok=True)
    (tiny / "a.smt2").write_text("(set-logic QF_LIA)\n(check-sat)\n")
    subprocess.run([LYDITE, "hunt", "-q", "-j1", "-t", target, "--strategy", "files", "--seeds",
                    tiny, "--cases", "1", "--install", "-o", out], capture_output=True, check=False)
    try:
        told = json.loads((out / "plan.json").read_text())["targets"][0]["description"]
    except OSError:
        sys.exit(f"{target} cannot be run: lydite targets install {target}")
    words = [word for word in told["argv"][0] if word != "{file}"]
    return " ".join(f"'{word}'" for word in words), told["env"]


def spent(words, seconds=None, cpu=None, folder=None, output=subprocess.DEVNULL):
    """Runs a command to its end, or for so many seconds of the clock or of the CPU; returns
    the CPU time of it and all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen([str(word) for word in words], cwd=folder, stdout=output,
                               stderr=subprocess.STDOUT)
    begun = time.monotonic()
    while process.poll() is None:
        time.sleep(0.25)
        if (seconds and time.monotonic() - begun > seconds) or (cpu and used(process.pid) > cpu):
            process.send_signal(2)
            process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def used(pid):
    """CPU seconds of a process, its children, and those that they waited for."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        below = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    return sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(used, below))


def bugs(options):
    """Distinct bugs, a cell at a time: the tools beside each other on old releases."""
    seeds, tools, targets = digest(options.seeds), options.tools.split(","), options.targets.split(",")
    for seed in range(1, options.streams + 1):
        for target in targets:
            for tool in tools:
                name = f"{target}-{tool}-{seed}-{limits(options)}-{seeds}".replace(" ", "")
                cell = options.out / f"{name.replace(':', '-')}.json"
                if not cell.exists() and not options.show:
                    options.seed = seed
                    measured = bug_cell(tool, target, options) | {"seeds": seeds}
                    options.out.mkdir(parents=True, exist_ok=True)
                    cell.write_text(json.dumps(measured, indent=1) + "\n")
                    print(f"{cell.stem}: {measured['bugs']}", flush=True)
    cells = [json.loads(path.read_text()) for path in sorted(options.out.glob("*.json"))]
    cells = [cell for cell in cells if (cell["seeds"], cell["limit"]) == (seeds, limits(options))]
    print(f"| {'release':10} | " + " | ".join(tools) + " |")
    print("|---" * (len(tools) + 1) + "|")
    for target in targets:
        row = [[cell for cell in cells if (cell["target"], cell["tool"]) == (target, tool)]
               for tool in tools]
        words = [", ".join(str(cell["bugs"]) for cell in each) or "not run" for each in row]
        print(f"| {target:10} | " + " | ".join(words) + " |")


def of_corpus(name):
    """The small scripts of a corpus that ask once and state an answer, by answer, in
    target/peers."""
    told = subprocess.run([LYDITE, "seeds", "get", name, "--json"], check=True,
                          capture_output=True, text=True)
    folder = pathlib.Path(json.loads(told.stdout.splitlines()[-1])["folder"])
    chosen = PEERS / "seeds" / name
    shutil.rmtree(chosen, ignore_errors=True)
    for path in sorted(folder.rglob("*.smt2")):
        text = path.read_bytes()
        plain = re.sub(rb";[^\n]*", b"", text)
        answers = re.findall(rb":status\s+(sat|unsat)\b", plain)
        if len(text) > 20 << 10 or plain.count(b"(check-sat)") != 1 or len(answers) != 1:
            continue
        place = chosen / answers[0].decode() / "--".join(path.relative_to(folder).parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)
    return chosen


def digest(folder):
    """Tells sets of seeds apart."""
    whole = hashlib.sha256()
    for path in scripts(folder):
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:8]


def bug_cell(tool, target, options):
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        if tool in PEERS_BY_NAME:
            runs, _, cpu, found = theirs(tool, target, options, work)
        else:
            strategies, _, schedule = tool.partition(":")
            names = STRATEGIES if strategies == "lydite" else [strategies]
            cpu, out = hunt(names, schedule or "learn", target, options, work)
            found, runs = distinct(out), None
        # Bugs of the reference are not what is counted.
        family = target.partition("@")[0]
        found = [one for one in found if one["target"].startswith(family + "@")]
        return {"target": target, "tool": tool, "seed": options.seed, "limit": limits(options),
                "cpu": round(cpu, 1), "runs": runs, "bugs": len(found), "kinds": summary(found),
                "signatures": [one.get("signature") for one in found]}


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


def judged(seeds, strategy, options, out, more, target=None):
    """The bugs that a hunt of lydite's finds in the old release."""
    if not scripts(seeds):
        return []
    # Its exit code says whether there are any.
    subprocess.run(
        [LYDITE, "hunt", "--quiet", "-j1", "--timeout", "2s", "-t", target or options.target,
         "--reference", options.reference, "--strategy", strategy, "--seeds", seeds,
         "--oracles", ORACLES, "-o", out, *more],
        capture_output=True, check=False)
    return distinct(out)


def summary(findings):
    kinds = {}
    for finding in findings:
        kinds[finding["kind"]] = kinds.get(finding["kind"], 0) + 1
    return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))


def main():
    global LYDITE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["speed", "power", "useful", "bugs"])
    parser.add_argument("--seeds", default=ROOT / "seeds" / "smtlib", type=pathlib.Path)
    parser.add_argument("--corpus", metavar="NAME", help="seeds: the small scripts of a corpus (lydite "
                        "seeds list) that ask once and state an answer, instead of --seeds")
    parser.add_argument("--target", default="z3@4.8.5")
    parser.add_argument("--targets", default=",".join(RELEASES), help="for bugs")
    parser.add_argument("--reference", default="cvc5@1.4.2")
    parser.add_argument("--for", dest="seconds", type=int,
                        help="how long each tool runs [default: 30 for speed, 120 for power, "
                             "480 for useful, 600 for bugs, without --cpu]")
    parser.add_argument("--cpu", type=int, help="CPU seconds of each tool, for useful and bugs")
    parser.add_argument("--timeout", type=int, default=8, help="seconds of one run")
    parser.add_argument("--seed", type=int, default=1, help="of the random streams, for useful")
    parser.add_argument("--streams", type=int, default=3, help="how many seeds, for bugs")
    parser.add_argument("--tools", help="of lydite a strategy, or STRATEGY:fixed, or lydite for "
                        "all four; and opfuzz, typefuzz, yinyang")
    parser.add_argument("--after", type=int, default=120,
                        help="`later` is what comes after so many CPU seconds, for useful")
    parser.add_argument("--warm", type=int, default=0, help="for useful and bugs")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "measured" / "bugs",
                        help="where the cells are kept, for bugs")
    parser.add_argument("--show", action="store_true", help="for bugs: the cells that are there")
    parser.add_argument("--lydite", type=pathlib.Path, help="another build than the release")
    options = parser.parse_args()
    usual = {"speed": 30, "power": 120, "useful": 480, "bugs": 600}
    options.seconds = options.seconds or (None if options.cpu else usual[options.what])
    peers = ",".join(PEERS_BY_NAME)
    options.tools = options.tools or {
        "bugs": f"lydite,lydite:fixed,{peers}"}.get(options.what, f"{','.join(STRATEGIES)},{peers}")
    if options.lydite:
        LYDITE = options.lydite.resolve()
    os.environ.pop("PYTHONPATH", None)
    install()
    options.seeds = (of_corpus(options.corpus) if options.corpus else options.seeds).resolve()
    {"speed": speed, "power": power, "useful": useful, "bugs": bugs}[options.what](options)


if __name__ == "__main__":
    main()
