#!/usr/bin/env python3
"""Published code-generation bugs of solc: is each caught on a version that has it?

    scripts/known_bugs.py [--lydite PATH] [NAME]...

Every program in crates/cli/tests/solidity-bugs begins with lines that name a target with the
bug and one without it. Both run the program; `lydite check` has to tell that they differ (or
that one of them takes what the other refuses), and to say nothing where the one without the
bug runs it with and without its optimizer.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "crates" / "cli" / "tests" / "solidity-bugs"
PAIR = re.compile(r"^// bad (\S+) good (\S+)$", re.M)
ORACLE = re.compile(r"^// oracle (\S+)$", re.M)


def check(lydite, program, targets, oracle):
    words = [lydite, "check", str(program), "--oracles", f"crash,{oracle}", "--timeout", "300s", "--json"]
    if program.with_suffix(".tx").exists():
        words += ["--with", str(program.with_suffix(".tx"))]
    for target in targets:
        words += ["-t", target]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 10):
        return None, done.stderr.strip()
    said = json.loads(done.stdout)
    kinds = [symptom["kind"] for symptom in said["symptoms"]]
    seen = [f"{one['target']}: {one['outcome']} {one.get('answer') or ''}" for one in said["observations"]]
    return kinds, "\n    ".join(seen)


def other(target):
    """The same version with another setting, or nothing where only acceptance is asked."""
    version, _, variant = target.partition(":")
    return f"{version}:evm" if variant not in ("evm", "") else f"{version}:evm-optimize"


def examine(lydite, program):
    text = program.read_text()
    named = ORACLE.search(text)
    oracle = named.group(1) if named else "differential"
    good_so_far = True
    for bad, good in PAIR.findall(text):
        versions = sorted({target.partition(":")[0] for target in (bad, good)})
        subprocess.run([lydite, "targets", "install", "-q", *versions], check=True, stdout=subprocess.DEVNULL)
        kinds, seen = check(lydite, program, [bad, good], oracle)
        caught = bool(kinds)
        quiet, heard = (True, "") if oracle == "acceptance" else check(lydite, program, [good, other(good)], oracle)
        is_quiet = quiet is True or quiet == []
        word = "caught" if caught and is_quiet else "MISSED" if not caught else "NOISY"
        print(f"{word:7} {program.stem} on {bad}, not on {good}", flush=True)
        if word != "caught":
            print(f"    {seen}\n    {heard}")
            good_so_far = False
    return good_so_far


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    args = parser.parse_args()
    missed = 0
    for program in sorted(PROGRAMS.glob("*.sol")):
        if not args.names or program.stem in args.names:
            missed += not examine(args.lydite, program)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
