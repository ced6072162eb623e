#!/usr/bin/env python3
"""lydite reduce beside the reducer of a language, on real findings, with the same test.

    scripts/reducers.py corpus [-o DIR] [--hunts N] [--language smtlib|c] [--seeds DIR]...
                                                 hunts old releases for findings to reduce
    scripts/reducers.py compare DIR... [--limit N] [--for SECONDS] [--threads N] [--alone] [--cores]
                                                 DIR holds campaigns, as `corpus` makes them

The peer for SMT-LIB is ddSMT 2.0.6, installed with pip into target/peers, for C
C-Vise 2.7 (reducers_c.py). Both
tools get the case of a finding and one shell script that tells whether a file
still shows the bug: the crash at its place, the wrong answer that a newer solver
contradicts, or the model that `lydite check` refutes. What is compared is the size
of the results and the CPU time of the tests (measured.py: to the microsecond, with
tests that were killed); beside it stands that of the whole run, the reducer's own
included. With --cores lydite reduces once more with two threads, to see how much
faster it is.
"""

import argparse
import contextlib
import dataclasses
import itertools
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time

import measured
import reducers_c

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ROOT / "target" / "peers"
LYDITE = pathlib.Path(os.environ.get("LYDITE", ROOT / "target" / "release" / "lydite"))
DDSMT = "2.0.6"

# Who is hunted, by which strategy and settings, over which of the seeds that
# come with lydite. Each hunt ends after so many cases or seconds.
ALL = ("sat", "unsat", "regress")
HUNTS = [
    ("z3@4.8.5", "files", "", ALL),
    ("z3@4.5.1", "files", "", ALL),
    ("z3@4.8.9", "files", "", ALL),
    ("z3@4.8.10", "files", "", ALL),
    ("z3@4.8.12", "files", "", ALL),
    ("cvc4@1.8", "files", "", ALL),
    ("zoo-solver:all", "enumerate", "grammar=core", ()),
    ("z3@4.5.1", "operators", "", ALL),
    ("z3@4.8.5", "operators", "", ALL),
    ("z3@4.8.14", "operators", "", ALL),
    ("cvc4@1.8", "operators", "", ALL),
    ("cvc5@1.0.3", "operators", "", ALL),
    ("z3@4.5.1", "typed", "", ALL),
    ("z3@4.8.6", "typed", "", ALL),
    ("z3@4.8.7", "weaken", "", ALL),
    ("z3@4.8.5", "fusion", "", ("sat", "unsat")),
    ("z3@4.8.9", "fusion", "", ("sat", "unsat")),
    ("z3@4.5.1", "enumerate", "grammar=strings", ()),
]
MOST_CASES, MOST_SECONDS = 1000, 45
REFERENCES = ["z3@5.4.0", "cvc5@1.4.2"]
ZOO = ROOT / "crates" / "zoo" / "targets"


def corpus(folder, hunts, more_seeds):
    """Hunts; a hunt that was done before goes on."""
    environment = {**os.environ, "PATH": f"{LYDITE.parent}:{os.environ['PATH']}"}
    ids = set()
    for target, strategy, settings, seeds in HUNTS[:hunts]:
        place = folder / "-".join(re.findall(r"[\w.]+", f"{target} {strategy} {settings}"))
        command = [LYDITE, "hunt", "-t", target, "--strategy", strategy, "--install", "-o", place]
        for reference in ["zoo-solver"] if target.startswith("zoo") else REFERENCES:
            command += ["--reference", reference]
        for name in seeds:
            command += ["--seeds", ROOT / "seeds" / "smtlib" / name]
        if seeds and more_seeds:
            command += [word for path in more_seeds for word in ("--seeds", path)]
        for setting in settings.split():
            command += ["--set", setting]
        command += ["--cases", str(MOST_CASES), "--for", f"{MOST_SECONDS}s"]
        command += ["--oracles", "crash,answer,model,differential", "--timeout", "3s",
                    "--target-files", ZOO]
        began = time.monotonic()
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, env=environment)
        found = {path.parent.name for path in place.glob("findings/*/finding.json")}
        print(f"{place.name:40} {len(found):3} findings, {len(found - ids):3} new, "
              f"{time.monotonic() - began:4.0f} s", flush=True)
        ids |= found
    print(len(ids), "findings")


def argv_of(campaign, name):
    """The command of a target, with {file}."""
    for target in json.loads((campaign / "plan.json").read_text())["targets"]:
        if target["name"] == name:
            return shlex.join(target["description"]["argv"][0]).replace("'{file}'", '"$1"')
    return None


TEST = """#!/bin/sh
# Ends with 42 if $1 shows the bug.
{body}
exit 0
"""


def said(command, number):
    """Puts the first answer that a solver gives into a variable."""
    return f"said{number}=$(timeout 4 {command} 2>/dev/null | grep -m1 -Ex 'sat|unsat|unknown')\n"


WRONG = {"refutation-unsound": ("unsat", "sat"), "solution-unsound": ("sat", "unsat")}


def tests_of(finding, campaign):
    """Bodies of a test, the simplest first; none for what they cannot tell."""
    plan = json.loads((campaign / "plan.json").read_text())
    references = [target["name"] for target in plan["targets"] if target["reference"]]
    if finding["language"] == "c":
        yield from filter(None, [reducers_c.body_of(finding, plan)])
        return
    target = argv_of(campaign, finding["target"])
    if target is None or finding.get("options"):
        return
    kind = finding["kind"]
    site = re.search(r'site="((?:[^"\\]|\\.)*)"', finding["signature"])
    site = site.group(1).replace('\\"', '"') if site else ""
    check = f"{LYDITE} check -t {finding['target']} --claim silent --timeout 4s --json"
    check += f" --target-files {ZOO} --oracles"
    if kind == "crash":
        signals = {"SIGSEGV": 139, "SIGABRT": 134, "SIGFPE": 136, "SIGKILL": 137}
        body = f"out=$(timeout 4 {target} 2>&1); code=$?\n"
        if site in signals:
            yield body + f"[ $code = {signals[site]} ] && exit 42\n"
        else:
            # Numbers differ from run to run; the longest part between them tells.
            part = max(re.split(r"\bN\b", site), key=len).strip()
            yield body + f"case \"$out\" in *{shlex.quote(part)}*) exit 42;; esac\n"
            yield f'{check} crash "$1" 2>/dev/null | grep -qF {shlex.quote(part)} && exit 42\n'
    elif kind in WRONG:
        wrong, right = WRONG[kind]
        body = said(target, 0) + f'[ "$said0" = {wrong} ] || exit 0\n'
        for number, reference in enumerate(references, 1):
            body += said(argv_of(campaign, reference), number)
            body += f'[ "$said{number}" = {right} ] && exit 42\n'
        yield body
    if kind in WRONG or kind == "disagreement":
        among = " ".join(f"--reference {reference}" for reference in references)
        said_so = f'"kind":"disagreement",.*"target":"{finding["target"]}"'
        yield f"""{check} differential {among} "$1" 2>/dev/null | grep -q '{said_so}' && exit 42\n"""
    elif kind == "invalid-model":
        yield f'{check} model "$1" 2>/dev/null | grep -q invalid-model && exit 42\n'


def cpu_of_children():
    """Of all that have ended, with those that they waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclasses.dataclass
class Result:
    """What a reducer made of one case."""

    bytes: int
    tests: int
    cpu: float      # seconds, in the test
    whole: float    # seconds of CPU time, the reducer's own with those in the test
    wall: float     # seconds
    busy: float     # seconds that tests lasted, all together
    stopped: bool   # whether its time was over


class Task:
    """One case with its test, reduced by anybody."""

    def __init__(self, case, test, work):
        self.case, self.work = case, work
        self.socket = pathlib.Path(tempfile.gettempdir()) / f"reducers-{os.getpid()}"
        self.test = work / "test.sh"
        self.ask = f"{shlex.quote(str(measured.build_asker(PEERS)))} {shlex.quote(str(self.socket))}"
        self.test.write_text(test)
        self.test.chmod(0o755)

    def shows(self, path):
        return subprocess.run([self.test, path]).returncode == 42

    def run(self, command, out, seconds):
        """What came of it; None if that does not show the bug."""
        out.unlink(missing_ok=True)
        spent = {}
        with measured.measured(self.test, self.socket, spent):
            began, before = time.monotonic(), cpu_of_children()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       start_new_session=True)
            stopped = False
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                stopped = True
                os.killpg(process.pid, 15)
                process.wait()
            wall, own = time.monotonic() - began, cpu_of_children() - before
        if not out.exists() or not self.shows(out):
            return None
        return Result(out.stat().st_size, spent["tests"], spent["cpu"], spent["cpu"] + own, wall, spent["busy"],
                      stopped)

    def lydite(self, seconds, threads):
        out = self.work / f"lydite-{threads}{self.case.suffix}"
        # lydite takes 0 for yes.
        yes = f'{self.ask} "$1"; [ $? = 42 ]'
        command = [LYDITE, "reduce", self.case, "-o", out, "-j", str(threads), "-q",
                   "--for", f"{seconds}s", "--timeout", "20s", "--", "/bin/sh", "-c", yes, "sh", "@@"]
        result = self.run(command, out, seconds + 10)
        if result:
            # It stops by itself.
            result.stopped = result.wall >= seconds
        return result

    def ddsmt(self, seconds, threads):
        out = self.work / "ddsmt.smt2"
        command = [PEERS / "bin" / "ddsmt", "-j", str(threads), "--timeout", "20", "--ignore-output",
                   self.case, out, *shlex.split(self.ask)]
        return self.run(command, out, seconds)


def install_ddsmt():
    if not (PEERS / "bin" / "ddsmt").exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
        subprocess.run([PEERS / "bin" / "pip", "install", "-q", f"ddsmt=={DDSMT}"], check=True)


# By language: how the peer is installed, its name, what runs it.
PEER_OF = {
    "smtlib": (install_ddsmt, "ddSMT", Task.ddsmt),
    "c": (reducers_c.install, "C-Vise", reducers_c.cvise),
}


def tasks(folders, work, found):
    """Every finding whose case shows its bug by a script, once."""
    seen = set()
    for path in (path for folder in folders for path in sorted(folder.rglob("finding.json"))):
        finding = json.loads(path.read_text())
        if finding["id"] in seen or finding["language"] not in PEER_OF:
            continue
        seen.add(finding["id"])
        place = work / finding["id"]
        place.mkdir(exist_ok=True)
        found.append(finding["id"])
        programs = finding["original"] or finding["programs"]
        sources = [files[0] for files in programs]
        # Or the same in the words of an old version.
        sources += [run["source"] for run in finding["runs"]
                    if run["target"] == finding["target"] and run["source"]]
        # Of a chain of programs, the first that shows it alone.
        for body, source in itertools.product(tests_of(finding, path.parents[2]), sources):
            task = Task((path.parent / source).resolve(), TEST.format(body=body), place)
            if task.shows(task.case):
                yield finding, task
                break


def kept(path, make):
    """A result that is there already, or else a new one: the peer does not change."""
    if path.exists():
        result = json.loads(path.read_text())
        return result and Result(**result)
    result = make()
    path.write_text(json.dumps(result and dataclasses.asdict(result)))
    return result


def column(result):
    if result is None:
        return f"{'-':>6} {'-':>6} {'-':>6}"
    return f"{result.bytes:5}{'*' if result.stopped else ' '} {result.tests:6} {result.cpu:6.1f}"


def ratio(one, other):
    return one / max(other, 0.01)


def compare(folders, limit, seconds, threads, alone, cores, work):
    rows, found = [], []
    print(f"{'finding':40} {'bytes':>6}  {'lydite':>6} {'tests':>6} {'cpu s':>6}   "
          f"{'peer':>6} {'tests':>6} {'cpu s':>6}" + "   two cores" * cores, flush=True)
    for finding, task in itertools.islice(tasks(folders, work, found), limit or None):
        install, _, peer = PEER_OF[finding["language"]]
        ours = task.lydite(seconds, threads)
        twice = task.lydite(seconds, 2) if cores else None
        theirs = None
        if not alone:
            install()
            theirs = kept(task.work / "peer.json", lambda: peer(task, seconds, threads))
        rows.append((finding["language"], ours, theirs, twice))
        line = f"{finding['id'][:40]:40} {task.case.stat().st_size:6}  {column(ours)}   {column(theirs)}"
        if ours and twice:
            line += f"   {speed_up([ours], [twice])}"
        print(line, flush=True)
    print(f"\n{len(rows)} findings of {len(found)}; the others cannot be put as a shell script; *: stopped after {seconds} s")
    for language, (_, name, _) in PEER_OF.items():
        both = [(ours, theirs) for of, ours, theirs, _ in rows if of == language and ours and theirs]
        if both:
            summary(name, both)
    both = [(ours, twice) for _, ours, _, twice in rows if ours and twice]
    if both:
        print("two cores:", speed_up(*([pair[who] for pair in both] for who in (0, 1))))


def speed_up(one, two):
    """How much faster two threads were: by the clock, which other load disturbs;
    and as if every test of the one thread had lasted as long as those of the two."""
    wall = sum(r.wall for r in one)
    alike = sum(a.wall - a.busy + a.tests * ratio(b.busy, b.tests) for a, b in zip(one, two))
    by = sum(b.wall for b in two)
    return f"{ratio(wall, by):.2f}x by the clock, {ratio(alike, by):.2f}x with tests of equal length"


def summary(name, both):
    no_larger = sum(ours.bytes <= theirs.bytes for ours, theirs in both)
    total = {what: [sum(getattr(pair[who], what) for pair in both) for who in (0, 1)]
             for what in ("bytes", "cpu", "whole", "wall")}
    print(f"beside {name}, {len(both)} reduced by both: no larger {no_larger} of {len(both)}; "
          f"bytes {total['bytes'][0]} to {total['bytes'][1]}; "
          f"CPU s in the test {total['cpu'][0]:.0f} to {total['cpu'][1]:.0f} ({ratio(*total['cpu']):.2f}), "
          f"of the whole {total['whole'][0]:.0f} to {total['whole'][1]:.0f}; "
          f"wall s {total['wall'][0]:.0f} to {total['wall'][1]:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("corpus")
    make.add_argument("-o", dest="folder", type=pathlib.Path, help="target/reducers, or for C target/reducers-c")
    make.add_argument("--hunts", type=int, help="only so many of them")
    make.add_argument("--language", choices=["smtlib", "c"], default="smtlib")
    make.add_argument("--seeds", type=pathlib.Path, action="append", help="besides those of lydite")
    run = commands.add_parser("compare")
    run.add_argument("folders", type=pathlib.Path, nargs="+")
    run.add_argument("--limit", type=int, default=0)
    run.add_argument("--for", dest="seconds", type=int, default=120)
    run.add_argument("--threads", type=int, default=1)
    run.add_argument("--alone", action="store_true", help="without the peer")
    run.add_argument("--cores", action="store_true", help="once more with two threads")
    run.add_argument("--keep", type=pathlib.Path, help="where results are left, and those of the peer are found again")
    arguments = parser.parse_args()
    if arguments.command == "corpus" and arguments.language == "c":
        folder = arguments.folder or ROOT / "target" / "reducers-c"
        reducers_c.corpus(LYDITE, folder, arguments.hunts)
        return
    if arguments.command == "corpus":
        corpus(arguments.folder or ROOT / "target" / "reducers", arguments.hunts, arguments.seeds)
        return
    with contextlib.ExitStack() as stack:
        work = arguments.keep or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        work.mkdir(parents=True, exist_ok=True)
        compare(arguments.folders, arguments.limit, arguments.seconds, arguments.threads,
                arguments.alone, arguments.cores, work.resolve())


if __name__ == "__main__":
    main()
