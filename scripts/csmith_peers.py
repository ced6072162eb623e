#!/usr/bin/env python3
"""Csmith beside lydite's specs and skeletons: distinct bugs of small C compilers.

    scripts/csmith_peers.py --out FOLDER [--targets T,..] [--tools TOOL,..] [--cpu SECONDS] [--trials N]
    scripts/csmith_peers.py --out FOLDER --table

A cell is a tool, a target and a trial (a seed of the random streams). It ends after so many CPU
seconds of everything that the tool needs: making programs, compiling and running them, references and
judging. Cells are kept in FOLDER, and a stopped table goes on.

Csmith's programs are put to lydite's strategy `files`, some at a time, so that the same
oracles judge them, and bugs are told apart by the same signatures. What counts are crashes
of the compiler and wrong output; that a program is refused does not, since nothing claims that Csmith's
are valid. Of a signature the features of the program are left out, so nearly all wrong outputs of a compiler
count as one: they are told apart only when they are reduced.

Csmith's headers are those of its package. What they take from the C library are a few
declarations of ours, since not all of these compilers read glibc's headers.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

from peers import spent

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTED = ("crash", "wrong-output")

# What Csmith's runtime asks of the C library.
HEADERS = {
    "stdio.h": "int printf(const char *, ...);\n",
    "string.h": "int strcmp(const char *, const char *);\n"
                "void *memset(void *, int, unsigned long);\nvoid *memcpy(void *, const void *, unsigned long);\n",
    "stdlib.h": "void abort(void);\n",
    "assert.h": "#define assert(x)\n",
    "math.h": "double fabs(double);\nfloat fabsf(float);\n",
    "float.h": "#define FLT_MAX 0x1.fffffep+127f\n#define DBL_MAX 0x1.fffffffffffffp+1023\n",
    "limits.h": "#define CHAR_BIT 8\n#define SCHAR_MIN (-128)\n#define SCHAR_MAX 127\n#define UCHAR_MAX 255\n"
                "#define SHRT_MIN (-32768)\n#define SHRT_MAX 32767\n#define USHRT_MAX 65535\n"
                "#define INT_MIN (-2147483647-1)\n#define INT_MAX 2147483647\n#define UINT_MAX 4294967295U\n"
                "#define LONG_MIN (-9223372036854775807L-1)\n#define LONG_MAX 9223372036854775807L\n"
                "#define ULONG_MAX 18446744073709551615UL\n",
    "stdint.h": "typedef signed char int8_t;\ntypedef short int16_t;\ntypedef int int32_t;\ntypedef long int64_t;\n"
                "typedef unsigned char uint8_t;\ntypedef unsigned short uint16_t;\ntypedef unsigned int uint32_t;\n"
                "typedef unsigned long uint64_t;\n#define INT8_MIN (-128)\n#define INT8_MAX 127\n"
                "#define UINT8_MAX 255\n#define INT16_MIN (-32768)\n#define INT16_MAX 32767\n"
                "#define UINT16_MAX 65535\n#define INT32_MIN (-2147483647-1)\n#define INT32_MAX 2147483647\n"
                "#define UINT32_MAX 4294967295U\n#define INT64_MIN (-9223372036854775807L-1)\n"
                "#define INT64_MAX 9223372036854775807L\n#define UINT64_MAX 18446744073709551615UL\n",
    "inttypes.h": "#include <stdint.h>\n",
}

# How many programs of Csmith's are judged by one hunt.
AT_ONCE = 10

# Of each tool the references, the oracles, and the strategies with their settings. The gates of
# skeletons are those of preset c-wrong-code: they alone know which patterns have defined behaviour.
GATES = ["c-meaning:check", "gcc:strict", "clang:strict", "gcc:sanitize", "clang:memory-sanitize", "clang:type-sanitize"]
TOOLS = {
    "csmith": (["gcc:O0"], ["crash", "wrong-code"], None),
    "c-known": ([], ["crash", "answer"], [
        '[[strategy]]\nname = "spec"\nset = { spec = "c-known", height = "6-9" }',
        '[[strategy]]\nname = "spec"\nset = { spec = "c-known", height = 8, knobs = "rounds=1000,steps=1,functions=1" }']),
    "c-safe": (["gcc:O0"], ["crash", "wrong-code"], ['[[strategy]]\nname = "spec"\nset = { spec = "c-safe" }']),
    "skeleton": (GATES, ["crash", "wrong-code"], [
        '[[strategy]]\nname = "skeleton"\nseeds = ["%s"]\nset = { classes = "strict" }' % (ROOT / "seeds" / "c")]),
}


def package(work):
    """Csmith and its headers, from the PATH or from Debian's packages."""
    found = shutil.which("csmith")
    if found and pathlib.Path("/usr/include/csmith").is_dir():
        return found, pathlib.Path("/usr/include/csmith")
    for name in ("csmith", "libcsmith-dev"):
        subprocess.run(["apt-get", "-qq", "download", name], cwd=work, check=True, stderr=subprocess.DEVNULL)
    for archive in work.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", archive, work / "root"], check=True)
    return work / "root/usr/bin/csmith", work / "root/usr/include/csmith"


def plan(tool, target, seed, work, strategies):
    references, oracles, _ = TOOLS[tool]
    path = work / "plan.toml"
    path.write_text("\n".join([
        f"targets = {json.dumps([target])}", f"references = {json.dumps(references)}",
        f"oracles = {json.dumps(oracles)}", f"seed = {seed}",
        "[limits]", 'timeout = "20s"', *strategies]) + "\n")
    return path


def hunt(options, tool, target, seed, work, strategies, cpu):
    """One hunt: the CPU time of all, and the signatures that count."""
    out = work / "out"
    words = [options.lydite, "hunt", plan(tool, target, seed, work, strategies), "-q", "-j1", "-o", out]
    used = spent(words, None, cpu)
    family = target.partition(":")[0]
    listed = [json.loads(row) for row in asked(options, "findings", out).splitlines()]
    signatures = {bug(one["signature"]) for one in listed
                  if one["kind"] in COUNTED and one["target"].partition("@")[0] == family}
    return used, signatures, json.loads(asked(options, "report", out))["totals"]["cases"]


def bug(signature):
    """A signature without the features of its programs: wrong outputs with other features are most often the
    same bug, so this rather counts too few than too many."""
    return re.sub(r' features="[^"]*"', "", signature)


def asked(options, command, out):
    """What a command says of a campaign; its exit code tells whether something was found."""
    words = [options.lydite, command, "--json", out]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def quick(words, folder):
    """The CPU time of a command that is soon done."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def with_csmith(options, csmith, headers, target, trial, work):
    """Csmith's cell: programs are made and judged by turns, until the time is used."""
    total, signatures, programs = 0.0, set(), 0
    for turn in itertools.count():
        seeds = work / f"seeds-{turn}"
        seeds.mkdir()
        for k in range(AT_ONCE):
            made, seed = seeds / f"{k}.full", trial * 1_000_000 + turn * AT_ONCE + k
            total += quick([csmith, "--seed", seed, "-o", made], work)
            total += quick(["gcc", "-E", "-P", "-nostdinc", "-I", options.declarations, "-I", headers,
                            "-x", "c", made, "-o", seeds / f"{k}.c"], work)
            made.unlink()
        folder = work / f"turn-{turn}"
        folder.mkdir()
        left = max(options.cpu - total, 0.1)
        strategies = [f'[[strategy]]\nname = "files"\nseeds = ["{seeds}"]']
        used, new, done = hunt(options, "csmith", target, trial, folder, strategies, left)
        total, signatures, programs = total + used, signatures | new, programs + done
        if total >= options.cpu:
            return total, signatures, programs


def cell(options, tool, target, trial):
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        if tool == "csmith":
            csmith, headers = package(work)
            options.declarations = work / "declarations"
            options.declarations.mkdir()
            for header, text in HEADERS.items():
                (options.declarations / header).write_text(text)
            total, signatures, programs = with_csmith(options, csmith, headers, target, trial, work)
        else:
            total, signatures, programs = hunt(options, tool, target, trial, work, TOOLS[tool][2], options.cpu)
        return {"tool": tool, "target": target, "trial": trial, "cpu": round(total, 1), "programs": programs,
                "bugs": len(signatures), "signatures": sorted(signatures)}


def mann_whitney(left, right):
    """The exact two-sided probability that chance alone parts two samples as far, ties counted as halves."""
    def statistic(ours, theirs):
        return sum((a > b) + (a == b) / 2 for a in ours for b in theirs)

    middle, pool = len(left) * len(right) / 2, [*left, *right]
    seen = abs(statistic(left, right) - middle)
    far = total = 0
    for chosen in itertools.combinations(range(len(pool)), len(left)):
        ours = [pool[at] for at in chosen]
        theirs = [pool[at] for at in range(len(pool)) if at not in chosen]
        far += abs(statistic(ours, theirs) - middle) >= seen - 1e-9
        total += 1
    return far / total


def table(options):
    cells = [json.loads(path.read_text()) for path in sorted(options.out.glob("*.json"))]
    print("| target | tool | trials | programs | bugs in each trial | in all | only it | p, against csmith |")
    print("|---|---|---|---|---|---|---|---|")
    for target in options.targets.split(","):
        of = {tool: [one for one in cells if (one["target"], one["tool"]) == (target, tool)]
              for tool in options.tools.split(",")}
        signs = {tool: {sign for one in each for sign in one["signatures"]} for tool, each in of.items()}
        for tool, each in of.items():
            if not each:
                continue
            others = set().union(*(found for name, found in signs.items() if name != tool))
            counts = [one["bugs"] for one in each]
            theirs = [one["bugs"] for one in of.get("csmith", [])]
            chance = f"{mann_whitney(counts, theirs):.3f}" if tool != "csmith" and theirs else ""
            print(f"| `{target}` | {tool} | {len(each)} | {statistics.median(one['programs'] for one in each):.0f} | "
                  f"{', '.join(map(str, counts))} | {len(signs[tool])} | {len(signs[tool] - others)} | {chance} |")
        for tool, found in signs.items():
            for sign in sorted(found):
                print(f"    {tool:9} {sign}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="where the cells are kept")
    parser.add_argument("--targets", default="chibicc,pcc")
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--cpu", type=float, default=60, help="CPU seconds of each cell")
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--lydite", default=str(ROOT / "target" / "release" / "lydite"))
    parser.add_argument("--table", action="store_true", help="only print the table of the cells that are there")
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    os.environ.pop("PYTHONPATH", None)
    cells = itertools.product(range(1, options.trials + 1), options.targets.split(","), options.tools.split(","))
    for trial, target, tool in () if options.table else cells:
        path = options.out / f"{target.replace(':', '-')}-{tool}-{trial}.json"
        if not path.exists():
            subprocess.run([options.lydite, "targets", "install", "-q", target, *TOOLS[tool][0]], check=True,
                           stdout=subprocess.DEVNULL)
            done = cell(options, tool, target, trial)
            path.write_text(json.dumps(done))
            print(f"{path.stem}: {done['bugs']} in {done['programs']} programs, {done['cpu']} CPU s", flush=True)
    table(options)


if __name__ == "__main__":
    main()
