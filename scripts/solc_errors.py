#!/usr/bin/env python3
"""Which internal errors of old versions of solc the programs of templates show, and with what bound.

    scripts/solc_errors.py [-n 250] [--seeds 5] [--set KEY=VALUE]... [--keep DIR] TARGET...

A target is a version, and after a colon words for the compiler: `0.7.1:--ir`. N programs are made
for it in each of three ways and compiled by one warm process: ten programs of each template; one
of each, drawn uniformly; and one of each, the first solution, which is ERWIN's gen 1. That is done
with as many seeds as are asked for. The table has a row for every place in the compiler where an
error was raised, and for each way: how many programs raised it in all seeds together, in how many
seeds it was found, and the median over the seeds of the programs and of the CPU seconds until it
was (making included; a seed that did not find it counts as more than all). The same number of
programs is compared, so a template with one program stands against a tenth of a template. With
--keep the first program of each place and way is kept.
"""

import argparse
import collections
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

from solidity import ROOT, Server, cache_folder, classify

WAYS = {
    "10": ["max=10"],
    "1 drawn": ["max=1"],
    "1 first": ["max=1", "begin=first"],
}

SITE = re.compile(r"(?:[Ii]nternal compiler error|Exception|assertion)[^(]*\((?:\S*/)?(\w+\.cpp):(\d+)\):?(.{0,60})")


def place(said):
    """File, line and message of an internal error."""
    found = SITE.search(said)
    if not found:
        return said.strip().splitlines()[0][:90]
    return f"{found[1]}:{found[2]} {found[3].strip()}".strip()


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def process_cpu(pid):
    """CPU seconds of a process that still runs."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def programs(args, version, settings, folder):
    words = [args.lydite, "generate", "template", "-q", "-n", str(args.n), "-o", str(folder)]
    for setting in [f"solc={version}", *args.set, *settings]:
        words += ["--set", setting]
    subprocess.run(words, check=True)
    made = collections.defaultdict(dict)
    for path in sorted(folder.glob("*.sol")):
        stem, _, rest = path.name.partition(".")
        made[stem]["case.sol" if rest == "sol" else rest] = path
    return made


def examine(args, target, way, stream):
    """By place: how many programs raised it, and programs and CPU seconds until the first."""
    version, _, options = target.partition(":")
    subprocess.run([args.lydite, "targets", "install", "-q", f"solc@{version}"], check=True, stdout=subprocess.DEVNULL)
    soljson = cache_folder() / "targets" / "solc" / version / "root" / "package" / "soljson.js"
    many, first = collections.Counter(), {}
    with tempfile.TemporaryDirectory() as work, open(pathlib.Path(work) / "log", "w+") as log:
        made, run = pathlib.Path(work) / "made", pathlib.Path(work) / "run"
        before = children_cpu()
        cases = programs(args, version, [*WAYS[way], f"stream={stream}"], made)
        making = (children_cpu() - before) / max(len(cases), 1)
        server, ended = None, 0.0
        for number, files in enumerate(cases.values(), 1):
            shutil.rmtree(run, ignore_errors=True)
            run.mkdir()
            for name, path in files.items():
                shutil.copy(path, run / name)
            server = server or Server(soljson, options.split(), log)
            status, said = server.compile(run)
            spent = ended + making * number
            if status is None:
                before = children_cpu()
                server.close()
                server = None
                ended += children_cpu() - before
                spent = ended + making * number
            else:
                spent += process_cpu(server.process.pid)
            if status == 0 or classify(said)[0] not in ("internal", "breakdown"):
                continue
            found = place(said)
            many[found] += 1
            if found not in first:
                first[found] = (number, spent)
                if args.keep:
                    name = re.sub(r"\W+", "-", f"{target}-{way}-{found}")
                    shutil.copytree(run, pathlib.Path(args.keep) / name, dirs_exist_ok=True)
        if server:
            server.close()
    return many, first


def cell(runs, error):
    """Programs, seeds, and medians until the first, of one way."""
    firsts = [first.get(error) for _, first in runs]
    seeds = sum(1 for first in firsts if first)
    programs = statistics.median_low([first[0] if first else sys.maxsize for first in firsts])
    seconds = statistics.median_low([first[1] if first else float("inf") for first in firsts])
    until = "-" if programs == sys.maxsize else f"{programs}, {seconds:.0f} s"
    return f"{sum(many[error] for many, _ in runs)} ({seeds}) {until}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    parser.add_argument("-n", type=int, default=250, help="programs of each way and seed")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    args = parser.parse_args()
    for target in args.targets:
        before = children_cpu()
        found = {way: [examine(args, target, way, stream) for stream in range(args.seeds)] for way in WAYS}
        cpu = children_cpu() - before
        print(f"solc {target}: {args.n} programs of each way and of {args.seeds} seeds, {cpu:.0f} s of CPU time", flush=True)
        places = collections.Counter()
        for runs in found.values():
            for many, _ in runs:
                places.update(many)
        print("  " + "".join(f"{way:>22}" for way in WAYS) + "  place", flush=True)
        for error, _ in places.most_common():
            print("  " + "".join(f"{cell(found[way], error):>22}" for way in WAYS) + f"  {error}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
