#!/usr/bin/env python3
"""What a store of very many cases and findings takes (docs/scale.md).

Makes one with crates/lab/examples/large_store.rs, then opens it as a hunt that goes
on, a report, a page of the server and a list of all findings do, each in a process of
its own, and prints the seconds by the clock, the CPU seconds and the most memory of
each. Give --keep DIR to use a store that is there.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOOKS = ["open", "resume", "report", "page", "findings"]


def measured(command):
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        raise SystemExit(f"{command}: status {status}")
    wall = time.monotonic() - began
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10**7)
    parser.add_argument("--findings", type=int, default=10**5)
    parser.add_argument("--bin", help="a built large_store; otherwise it is built")
    parser.add_argument("--keep", help="where the store is, or is made")
    args = parser.parse_args()
    binary = args.bin
    if binary is None:
        build = ["cargo", "build", "--release", "-p", "lydite-lab", "--example", "large_store"]
        subprocess.run(build, cwd=ROOT, check=True)
        binary = ROOT / "target/release/examples/large_store"
    place = args.keep or tempfile.mkdtemp(prefix="large-store-") + "/store"
    rows = []
    if not os.path.exists(place):
        command = [binary, "make", place, str(args.cases), str(args.findings)]
        rows.append(("make", *measured(command)))
    rows += [(look, *measured([binary, look, place])) for look in LOOKS]
    store = os.path.getsize(os.path.join(place, "campaign.sqlite"))
    print("| | s | CPU s | MB |\n|---|---|---|---|")
    for name, wall, cpu, memory in rows:
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {memory:.0f} |")
    print(f"\nstore: {store / 1e6:.0f} MB, {store / args.cases:.1f} bytes per case")
    if args.keep is None:
        shutil.rmtree(os.path.dirname(place))


if __name__ == "__main__":
    main()
