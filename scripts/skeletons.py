#!/usr/bin/env python3
"""How many files of a folder have a skeleton, and how many variants compile.

    scripts/skeletons.py FOLDER [--cc 'gcc -w -S -o /dev/null'] [--variants 3] [--every K]
                         [--language c] [--failures N]

Variants are drawn uniformly. Only variants of files that the same compiler
accepts as they are count. Every file's own pattern is also checked to give
back the file, byte for byte.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "target" / "release" / "examples" / "skeleton_variants"
ENDINGS = {"c": ".c", "cpp": ".C", "solidity": ".sol", "lua": ".lua", "javascript": ".js", "rust": ".rs"}


def sample(folder, ending, every, into):
    """Every so-manieth file of the folder, under a name of its own."""
    files = sorted(path for path in pathlib.Path(folder).rglob("*" + ending) if path.is_file())
    chosen = files[::every]
    for number, path in enumerate(chosen):
        shutil.copy(path, into / f"{number:06}{ending}")
    return chosen


def compiles(cc, path, folder):
    try:
        run = subprocess.run(cc.split() + ["-I", str(folder), str(path)], capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return False, "timeout"
    return run.returncode == 0, run.stderr.decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--cc", default="gcc -w -S -o /dev/null")
    parser.add_argument("--language", default="c", choices=sorted(ENDINGS))
    parser.add_argument("--variants", type=int, default=3)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--failures", type=int, default=10, help="how many to show")
    args = parser.parse_args()
    ending = ENDINGS[args.language]
    if not EXAMPLE.exists():
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "lydite-skeleton", "--examples"],
                       cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "in").mkdir()
        chosen = sample(args.folder, ending, args.every, work / "in")
        made = subprocess.run([EXAMPLE, args.language, work / "in", work / "out", str(args.variants)],
                              capture_output=True, text=True)
        if made.returncode != 0:
            sys.exit(made.stderr)
        lines = [json.loads(line) for line in made.stdout.splitlines()]
        refused = [line for line in lines if "refused" in line]
        skeletons = [line for line in lines if "refused" not in line]
        accepted, variants, good, shown = 0, 0, 0, 0
        with_choice = 0
        for line in skeletons:
            original = chosen[line["number"]]
            if not compiles(args.cc, original, original.parent)[0]:
                continue
            accepted += 1
            if line["exact"] == "1":
                continue
            with_choice += 1
            for variant in range(args.variants):
                path = work / "out" / f"{line['number']}-{variant}{ending}"
                ok, message = compiles(args.cc, path, original.parent)
                variants += 1
                good += ok
                if not ok and shown < args.failures:
                    shown += 1
                    errors = [text for text in message.splitlines() if "error" in text]
                    print(f"  {original}: {(errors or ['?'])[0].split(':', 1)[-1]}", file=sys.stderr)
        for line in refused[: args.failures]:
            print(f"  {chosen[line['number']]}: {line['refused']}", file=sys.stderr)
        holes = [line["holes"] for line in skeletons]
        small = [line for line in skeletons if len(line["exact"]) <= 4 or line["exact"] == "10000"]
        print(f"files {len(lines)}, with a skeleton {len(skeletons)} ({100 * len(skeletons) / max(1, len(lines)):.1f} %)")
        print(f"holes: mean {sum(holes) / max(1, len(holes)):.1f}, median {sorted(holes)[len(holes) // 2] if holes else 0};"
              f" at most 10,000 patterns: {100 * len(small) / max(1, len(skeletons)):.1f} %;"
              f" slowest {max((line['ms'] for line in skeletons), default=0)} ms")
        functions, unread = (sum(line[key] for line in skeletons) for key in ("functions", "unread"))
        print(f"functions {functions}, left alone since they cannot be read {unread}")
        if args.failures:
            for line in [line for line in skeletons if line["unread"]][: args.failures]:
                print(f"  {chosen[line['number']]}: {line['unread']} functions left alone", file=sys.stderr)
        print(f"accepted as they are {accepted}, of these with a choice {with_choice}")
        print(f"variants {variants}, accepted {good} ({100 * good / max(1, variants):.2f} %)")


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    main()
