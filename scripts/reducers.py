#!/usr/bin/env python3
"""lydite reduce beside ddSMT, on real findings, with the same test.

    scripts/reducers.py corpus [-o DIR]          hunt old releases for findings to reduce
    scripts/reducers.py compare DIR... [--limit N] [--for SECONDS] [--jobs N] [--alone]
                                                 DIR holds campaigns, as `corpus` makes them

ddSMT 2.0.6 is installed with pip into target/peers. Both tools get the case
of a finding and one shell script that tells whether a file still shows the bug:
the crash at its place, the wrong answer that a newer solver contradicts, or the
model that `lydite check` refutes. The script writes down the CPU time of each of
its calls: what is compared is the size of the results, and the CPU time spent in
the test.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ROOT / "target" / "peers"
LYDITE = ROOT / "target" / "release" / "lydite"
DDSMT = "2.0.6"

# Who is hunted, by which strategy, over which of the seeds that come with
# lydite, how many cases.
HUNTS = [
    ("z3@4.8.5", "files", None, 0),
    ("z3@4.8.9", "files", None, 0),
    ("z3@4.8.5", "fusion", ("sat", "unsat"), 400),
    ("z3@4.8.9", "fusion", ("sat", "unsat"), 400),
    ("z3@4.8.5", "operators", ("sat", "unsat", "regress"), 400),
    ("z3@4.8.9", "typed", ("sat", "unsat", "regress"), 400),
    ("cvc5@1.0.3", "operators", ("sat", "unsat", "regress"), 400),
    ("cvc4@1.8", "operators", ("sat", "unsat", "regress"), 400),
]
REFERENCES = ["z3@5.4.0", "cvc5@1.4.2"]


def corpus(folder):
    for target, strategy, seeds, cases in HUNTS:
        place = folder / f"{target.replace('@', '-')}-{strategy}"
        names = seeds or ("sat", "unsat", "regress")
        command = [LYDITE, "hunt", "-t", target, "--strategy", strategy, "--install", "-o", place]
        for reference in REFERENCES:
            command += ["--reference", reference]
        for name in names:
            command += ["--seeds", ROOT / "seeds" / "smtlib" / name]
        if cases:
            command += ["--cases", str(cases)]
        command += ["--oracles", "crash,answer,model,differential", "--timeout", "3s"]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        print(place, len(list((place / "findings").glob("*/finding.json"))), "findings", flush=True)


def argv_of(campaign, name):
    """The command of a target, with {file}."""
    for target in json.loads((campaign / "plan.json").read_text())["targets"]:
        if target["name"] == name:
            return shlex.join(target["description"]["argv"][0]).replace("'{file}'", '"$1"')
    return None


TEST = """#!/bin/sh
# Ends with 42 if $1 shows the bug.
trap 'times >> {log}' EXIT
{body}
exit 0
"""


def said(command, number):
    """Puts the first word that a solver says into a variable."""
    return f"said{number}=$(timeout 4 {command} 2>/dev/null | head -n 1)\n"


def test_of(finding, campaign, log):
    """The text of the test; None for what it cannot tell."""
    target = argv_of(campaign, finding["target"])
    if len(finding["programs"]) != 1 or finding["asked"] != 1 or finding.get("options"):
        return None
    kind = finding["kind"]
    site = re.search(r'site="((?:[^"\\]|\\.)*)"', finding["signature"])
    site = site.group(1) if site else ""
    if kind == "crash":
        signals = {"SIGSEGV": 139, "SIGABRT": 134, "SIGFPE": 136, "SIGKILL": 137}
        body = f"out=$(timeout 4 {target} 2>&1); code=$?\n"
        if site in signals:
            body += f"[ $code = {signals[site]} ] && exit 42\n"
        else:
            # Numbers differ from run to run; the longest part between them tells.
            part = max(re.split(r"\bN\b", site.replace('\\"', '"')), key=len).strip()
            body += f"case \"$out\" in *{shlex.quote(part)}*) exit 42;; esac\n"
    elif kind in ("refutation-unsound", "solution-unsound"):
        wrong, right = ("unsat", "sat") if kind.startswith("refutation") else ("sat", "unsat")
        body = said(target, 0) + f'[ "$said0" = {wrong} ] || exit 0\n'
        for number, reference in enumerate(REFERENCES, 1):
            body += said(argv_of(campaign, reference), number)
            body += f'[ "$said{number}" = {right} ] && exit 42\n'
    elif kind == "invalid-model":
        check = f"{LYDITE} check -t {finding['target']} --claim silent --oracles model --timeout 4s"
        body = f'{check} "$1" 2>/dev/null | grep -q invalid-model && exit 42\n'
    else:
        return None
    return TEST.format(log=log, body=body)


def minutes(text):
    whole, seconds = re.fullmatch(r"(\d+)m([\d.]+)s", text).groups()
    return int(whole) * 60 + float(seconds)


class Task:
    """One case with its test, reduced by anybody."""

    def __init__(self, case, test, work):
        self.case, self.work = case, work
        self.log = work / "log"
        self.test = work / "test.sh"
        self.test.write_text(test(self.log))
        self.test.chmod(0o755)

    def shows(self, path):
        return subprocess.run([self.test, path]).returncode == 42

    def run(self, command, out, seconds):
        """(bytes, CPU seconds in the test, calls, wall seconds), or None."""
        self.log.unlink(missing_ok=True)
        out.unlink(missing_ok=True)
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 15)
            process.wait()
        wall = time.monotonic() - began
        lines = self.log.read_text().split() if self.log.exists() else []
        cpu = sum(minutes(word) for word in lines)
        if not out.exists() or not self.shows(out):
            return None
        return out.stat().st_size, cpu, len(lines) // 4, wall

    def lydite(self, seconds, jobs):
        out = self.work / "lydite.smt2"
        # lydite takes 0 for yes.
        yes = f'{self.test} "$1"; [ $? = 42 ]'
        command = [LYDITE, "reduce", self.case, "-o", out, "-j", str(jobs), "-q",
                   "--for", f"{seconds}s", "--timeout", "20s", "--", "/bin/sh", "-c", yes, "sh", "@@"]
        return self.run(command, out, seconds + 10)

    def ddsmt(self, seconds, jobs):
        out = self.work / "ddsmt.smt2"
        command = [PEERS / "bin" / "ddsmt", "-j", str(jobs), "--timeout", "20", "--ignore-output",
                   self.case, out, self.test]
        return self.run(command, out, seconds)


def compare(folders, limit, seconds, jobs, alone):
    if not (PEERS / "bin" / "ddsmt").exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
        subprocess.run([PEERS / "bin" / "pip", "install", "-q", f"ddsmt=={DDSMT}"], check=True)
    found = [path for folder in folders for path in sorted(folder.rglob("finding.json"))]
    rows, skipped = [], 0
    print(f"{'finding':40} {'bytes':>6}  {'lydite':>6} {'tests':>6} {'cpu s':>6}   "
          f"{'ddsmt':>6} {'tests':>6} {'cpu s':>6}", flush=True)
    for path in found:
        if limit and len(rows) == limit:
            break
        finding = json.loads(path.read_text())
        campaign = path.parent.parent.parent
        original = finding["original"] or finding["programs"]
        case = path.parent / original[0][0]
        with tempfile.TemporaryDirectory() as work:
            def test(log):
                return test_of(finding, campaign, log)
            if test("x") is None:
                skipped += 1
                continue
            task = Task(case.resolve(), test, pathlib.Path(work))
            if not task.shows(case):
                skipped += 1
                continue
            ours = task.lydite(seconds, jobs)
            theirs = None if alone else task.ddsmt(seconds, jobs)
        rows.append((ours, theirs))
        def show(result):
            return f"{result[0]:6} {result[2]:6} {result[1]:6.1f}" if result else f"{'-':>6} {'-':>6} {'-':>6}"
        print(f"{finding['id'][:40]:40} {case.stat().st_size:6}  {show(ours)}   {show(theirs)}", flush=True)
    both = [(ours, theirs) for ours, theirs in rows if ours and theirs]
    no_larger = sum(ours[0] <= theirs[0] for ours, theirs in both)
    total = [sum(row[who][what] for row in both) for what in (0, 1, 3) for who in (0, 1)]
    print(f"\n{len(rows)} findings ({skipped} cannot be put as a shell script); both reduced {len(both)}")
    print(f"no larger than ddSMT's: {no_larger} of {len(both)}; bytes {total[0]} to {total[1]}; "
          f"CPU s in the test {total[2]:.0f} to {total[3]:.0f} ({total[2] / max(total[3], 0.01):.2f}); "
          f"wall s {total[4]:.0f} to {total[5]:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("corpus")
    make.add_argument("-o", dest="folder", type=pathlib.Path, default=ROOT / "target" / "reducers")
    run = commands.add_parser("compare")
    run.add_argument("folders", type=pathlib.Path, nargs="+")
    run.add_argument("--limit", type=int, default=0)
    run.add_argument("--for", dest="seconds", type=int, default=120)
    run.add_argument("--jobs", type=int, default=1)
    run.add_argument("--alone", action="store_true", help="without ddSMT")
    arguments = parser.parse_args()
    if arguments.command == "corpus":
        corpus(arguments.folder)
    else:
        compare(arguments.folders, arguments.limit, arguments.seconds, arguments.jobs, arguments.alone)


if __name__ == "__main__":
    main()
