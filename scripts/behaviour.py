#!/usr/bin/env python3
"""Contracts of known behaviour compiled, deployed and exercised per CPU second, and who uses it.

    scripts/behaviour.py [--lydite PATH] [-n 60] [--solc 0.8.37]

Each strategy hunts twice over the same cases: once up to the bytecode, once with the EVM. The
difference is the EVM (with the start of its process); what neither compiler nor EVM use is ours.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STRATEGIES = [("complete", []), ("assigned", []), ("copies", []), ("expressions", ["functions=15", "calls=40"])]


def hunt(args, strategy, settings, target, folder):
    words = [args.lydite, "hunt", "--strategy", strategy, "-t", target, "--cases", str(args.n), "--warm", "50"]
    words += ["--timeout", "300s", "-j", "1", "-o", str(folder), "-q", "--json"]
    for setting in [f"solc={args.solc}", *settings]:
        words += ["--set", setting]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 10):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    parser.add_argument("-n", type=int, default=60)
    parser.add_argument("--solc", default="0.8.37")
    args = parser.parse_args()
    target = f"solc@{args.solc}"
    subprocess.run([args.lydite, "targets", "install", "-q", target], check=True, stdout=subprocess.DEVNULL)
    for strategy, settings in STRATEGIES:
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            full = hunt(args, strategy, settings, f"{target}:evm", work / "full")
            bare = hunt(args, strategy, settings, target, work / "bare")
        cpu = full["cpu_s"]
        ours = 1 - full["share"]["run"]
        solc = bare["cpu_s"] * bare["share"]["run"] / cpu
        evm = max(0.0, full["share"]["run"] - solc)
        print(
            f"{strategy:12} {full['cases'] / cpu:6.1f} contracts per CPU second; "
            f"solc {100 * solc:.0f} %, EVM {100 * evm:.0f} %, ours {100 * ours:.1f} %; "
            f"{full['findings']} findings",
            flush=True,
        )


if __name__ == "__main__":
    main()
