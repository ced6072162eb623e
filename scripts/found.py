#!/usr/bin/env python3
"""The bugs of docs/found: which are still there, and since which version?

    scripts/found.py [--install] [NAME]...     on the newest release that is installed
    scripts/found.py --since [NAME]...         search the releases that the registries offer by halves
    scripts/found.py --commands                does lydite still take the hunts on the pages?
    scripts/found.py --strategies              which strategy showed how many first?

docs/found/programs has one program for each bug, and programs.toml what each shows. A NAME is a
part of a file's name: `z3` means all programs whose names have it. Each program is run by
`lydite check` on its processor alone, so nothing here depends on another one's answer.

Of each program one line is printed: `still there`, `gone` (it does what is right), `other` (it
does neither, and what is shown). With --since, versions are installed as they are needed; the
oldest and the newest are always looked at, and the versions between them by halves, so a bug
that came and went twice would not be seen.
"""

import argparse
import collections
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "docs" / "found" / "programs"
STILL, GONE, OTHER = "still there", "gone", "other"


class Lydite:
    def __init__(self, path, target_files, programs):
        self.path = path
        own = dict.fromkeys(PROGRAMS / program["target_file"] for program in programs if "target_file" in program)
        target_files = [*target_files, *own]
        self.further = [word for path in target_files for word in ("--target-files", path)]

    def run(self, *words):
        return subprocess.run([self.path, *words, *self.further], capture_output=True, text=True, cwd=ROOT)

    def install(self, target):
        """An error's text, or nothing."""
        done = self.run("targets", "install", "-q", target)
        return done.stderr.strip() if done.returncode else None

    def offered(self, family):
        """The versions that registries offer, oldest first."""
        done = self.run("targets", "list", "--available", "--json", family)
        if done.returncode:
            sys.exit(f"found.py: {done.stderr.strip()}")
        listed = json.loads(done.stdout.splitlines()[0])
        return listed["available"]

    def check(self, program, version=None):
        """What is read of a program, and on which target."""
        family, colon, variant = program["target"].partition(":")
        target = (f"{family.partition('@')[0]}@{version}" if version else family) + colon + variant
        oracles = ",".join(["crash", *filter(None, [program.get("oracle")])])
        done = self.run("check", str(PROGRAMS / program["file"]), "-t", target, "--oracles", oracles,
                        "--timeout", "60s", "--json")
        if done.returncode not in (0, 10):
            return target, OTHER, done.stderr.strip().splitlines()[-1]
        said = json.loads(done.stdout)
        seen = said["observations"]
        read = ", then ".join(one["answer"] or " ".join(filter(None, [one["outcome"], one["message"]])) for one in seen)
        symptoms = [symptom["kind"] for symptom in said["symptoms"] if program.get("oracle")]
        return seen[0]["target"], *judge(program, " ".join([read, *symptoms]), read)


def judge(program, text, read):
    if program["shows"] in text:
        return STILL, read
    outcomes = {right: read == right or read.startswith(right + " ") for right in program["right"]}
    return (GONE if any(outcomes.values()) else OTHER), read


def family(program):
    return re.split("[@:]", program["target"])[0]


def search(lydite, program, versions):
    """The first of these versions that shows the bug, and what the one before it says."""
    known = {}

    def shows(at):
        if at not in known:
            failed = lydite.install(f"{family(program)}@{versions[at]}")
            known[at] = (OTHER, failed) if failed else lydite.check(program, versions[at])[1:]
            print(f"    {versions[at]:10} {known[at][0]:11} {' '.join(known[at][1].split())[:90]}", flush=True)
        return known[at][0] == STILL

    if not shows(len(versions) - 1):
        return f"not in the newest, {versions[-1]}"
    if shows(0):
        return f"since {versions[0]} or before, the oldest that is offered"
    good, bad = 0, len(versions) - 1
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (good, middle) if shows(middle) else (middle, bad)
    word = {GONE: "is right", OTHER: "cannot run it"}[known[good][0]]
    return f"since {versions[bad]} ({versions[good]} {word})"


def hunts():
    """Each `lydite hunt` on the pages, with the page."""
    for page in sorted((ROOT / "docs" / "found").glob("*.md")):
        for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.S):
            for line in block.replace("\\\n", " ").splitlines():
                for command in line.removeprefix("$ ").split("&&"):
                    words = shlex.split(command, comments=True)
                    if words[:2] == ["lydite", "hunt"]:
                        yield page.name, words[2:]


def dry_runs(lydite):
    """Prints the hunts that are refused; nothing is run."""
    refused = 0
    for page, words in hunts():
        done = lydite.run("hunt", *words, "--dry-run")
        if done.returncode:
            refused += 1
            print(f"{page}: lydite hunt {' '.join(words)}\n    {done.stderr.strip().splitlines()[-1]}")
    print(f"{sum(1 for _ in hunts())} hunts, {refused} refused")
    return refused


def by_strategy(programs):
    """A table: strategies, how many bugs they showed, first, and alone, of which processors."""
    first, alone, shown = (collections.defaultdict(collections.Counter) for _ in range(3))
    for program in programs:
        others = program.get("also", [])
        by = program.get("by", "unknown")
        first[by][family(program)] += 1
        for name in [by, *others]:
            shown[name][family(program)] += 1
            alone[name][family(program)] += not others
    print("| strategy | bugs | first | only it | of |\n|---|---|---|---|---|")
    for name, found in sorted(shown.items(), key=lambda row: (-row[1].total(), row[0])):
        of = ", ".join(f"{name} {count}" if count > 1 else name for name, count in found.most_common())
        print(f"| {name} | {found.total()} | {first[name].total()} | {alone[name].total()} | {of} |")
    print(f"| all | {len(programs)} | | | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    parser.add_argument("--target-files", action="append", default=[], metavar="PATH",
                        help="as for lydite, for instance to reach older releases; may be repeated")
    parser.add_argument("--install", action="store_true", help="install the newest releases first")
    parser.add_argument("--since", action="store_true", help="search for the version that brought each")
    parser.add_argument("--strategies", action="store_true", help="count the bugs of each strategy, and run nothing")
    parser.add_argument("--commands", action="store_true", help="check the commands on the pages, and run nothing")
    args = parser.parse_args()
    programs = tomllib.loads((PROGRAMS / "programs.toml").read_text())["program"]
    lydite = Lydite(args.lydite, args.target_files, programs)
    if args.strategies:
        return by_strategy(programs)
    if args.commands:
        sys.exit(1 if dry_runs(lydite) else 0)
    files = {path.name for path in PROGRAMS.iterdir() if path.suffix not in (".toml", ".md")}
    unlisted = files ^ {program["file"] for program in programs}
    if unlisted:
        sys.exit(f"found.py: programs.toml and the folder differ: {', '.join(sorted(unlisted))}")
    chosen = [p for p in programs if not args.names or any(name in p["file"] for name in args.names)]
    if not chosen:
        sys.exit("found.py: no program has such a name")
    families = list(dict.fromkeys(map(family, chosen)))
    if args.install:
        # A variant may be a build of its own.
        for target in dict.fromkeys(program["target"] for program in chosen):
            failed = lydite.install(target)
            if failed:
                print(f"{target}: {failed}", file=sys.stderr)
    offered = {family: lydite.offered(family) for family in families} if args.since else {}
    counts = dict.fromkeys([STILL, GONE, OTHER], 0)
    for program in chosen:
        if args.since:
            print(f"{program['file']}:", flush=True)
            print(f"  {search(lydite, program, offered[family(program)])}", flush=True)
            continue
        target, word, read = lydite.check(program)
        counts[word] += 1
        tail = "" if word == STILL else f": {' '.join(read.split())[:200]}"
        print(f"{word:12}{program['file']} on {target}{tail}", flush=True)
    if not args.since:
        print(", ".join(f"{count} {word}" for word, count in counts.items()))


if __name__ == "__main__":
    main()
