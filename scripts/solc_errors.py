#!/usr/bin/env python3
"""Which internal errors of old versions of solc the programs of templates show, and with what bound.

    scripts/solc_errors.py [-n 250] [--set KEY=VALUE]... [--keep DIR] TARGET...

A target is a version, and after a colon words for the compiler: `0.7.1:--ir`. N programs are made
for it in each of three ways and compiled by one warm process: ten programs of each template; one
of each, drawn uniformly; and one of each, the first solution, which is ERWIN's gen 1. The table
has a row for every place in the compiler where an error was raised, and how many programs of each
way raised it. The same number of programs is compared, so a template with one program stands
against a tenth of a template. With --keep the first program of each place and way is kept.
"""

import argparse
import collections
import pathlib
import re
import resource
import shutil
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


def examine(args, target, way):
    version, _, options = target.partition(":")
    subprocess.run([args.lydite, "targets", "install", "-q", f"solc@{version}"], check=True, stdout=subprocess.DEVNULL)
    soljson = cache_folder() / "targets" / "solc" / version / "root" / "package" / "soljson.js"
    errors = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as work, open(pathlib.Path(work) / "log", "w+") as log:
        made, run = pathlib.Path(work) / "made", pathlib.Path(work) / "run"
        server = None
        for stem, files in programs(args, version, WAYS[way], made).items():
            shutil.rmtree(run, ignore_errors=True)
            run.mkdir()
            for name, path in files.items():
                shutil.copy(path, run / name)
            server = server or Server(soljson, options.split(), log)
            status, said = server.compile(run)
            if status is None:
                server.close()
                server = None
            if status == 0 or classify(said)[0] not in ("internal", "breakdown"):
                continue
            found = place(said)
            errors[found].append(int(stem))
            if args.keep and len(errors[found]) == 1:
                name = re.sub(r"\W+", "-", f"{target}-{way}-{found}")
                shutil.copytree(run, pathlib.Path(args.keep) / name, dirs_exist_ok=True)
        if server:
            server.close()
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    parser.add_argument("-n", type=int, default=250, help="programs of each way")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    args = parser.parse_args()
    for target in args.targets:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = {way: examine(args, target, way) for way in WAYS}
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"solc {target}: {args.n} programs of each way, {cpu:.0f} s of CPU time", flush=True)
        places = collections.Counter()
        for errors in found.values():
            places.update({error: len(stems) for error, stems in errors.items()})
        print("  " + "".join(f"{way:>9}" for way in WAYS) + "  place", flush=True)
        for error, _ in places.most_common():
            print("  " + "".join(f"{len(found[way].get(error, [])):>9}" for way in WAYS) + f"  {error}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
