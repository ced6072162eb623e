#!/usr/bin/env python3
"""A few hundred small contracts of known behaviour on three compilers, in a table.

    scripts/small_contracts.py [--lydite PATH] [-n 60] [--solc 0.5.17,0.7.6,0.8.37] [--seed 1]

Every strategy whose programs come with what they must show makes `n` small contracts for each
version; the interpreter's claims are held against directly generated code, and against code by
way of Yul where the version has it. Ends with 1 if any target contradicts a claim. A test runs a
sample of this (`contracts_do_what_the_interpreter_says`).
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SMALL = ["functions=1", "variables=2", "statements=3"]
STRATEGIES = [
    ("assigned", SMALL),
    ("complete", ["contracts=1", "transactions=6", "effects=40", *SMALL]),
    ("complete", ["contracts=2", "transactions=6", *SMALL]),
    ("copies", ["transactions=10", *SMALL]),
    ("expressions", ["functions=2", "calls=10"]),
]
# Where code by way of Yul is no experiment any more.
BY_YUL = (0, 8, 13)


def hunt(args, strategy, settings, version, variant, folder):
    words = [args.lydite, "hunt", "--strategy", strategy, "-t", f"solc@{version}:{variant}"]
    words += ["--cases", str(args.n), "--seed", str(args.seed), "--warm", "50", "--timeout", "300s"]
    words += ["-j", "1", "-o", str(folder), "-q", "--json"]
    for setting in [f"solc={version}", *settings]:
        words += ["--set", setting]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 10):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    parser.add_argument("-n", type=int, default=60)
    parser.add_argument("--solc", default="0.5.17,0.7.6,0.8.37")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    versions = args.solc.split(",")
    install = [args.lydite, "targets", "install", "-q", *(f"solc@{version}" for version in versions)]
    subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
    print(f"{'strategy':12} {'solc':20} {'runs':>5} {'answered':>8} {'findings':>8}")
    accused = 0
    for strategy, settings in STRATEGIES:
        for version in versions:
            by_yul = tuple(map(int, version.split("."))) >= BY_YUL
            for variant in ["evm", "evm-via-ir"] if by_yul else ["evm"]:
                with tempfile.TemporaryDirectory() as name:
                    summary = hunt(args, strategy, settings, version, variant, pathlib.Path(name) / "out")
                rows = summary["outcomes"]
                answered = sum(row["runs"] for row in rows if row["outcome"] == "answered")
                runs = sum(row["runs"] for row in rows)
                findings = summary["findings"]
                accused += findings
                print(f"{strategy:12} {version + ':' + variant:20} {runs:5} {answered:8} {findings:8}", flush=True)
    sys.exit(1 if accused else 0)


main()
