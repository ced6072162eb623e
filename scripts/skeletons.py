#!/usr/bin/env python3
"""How many files of a folder have a skeleton, and how many variants compile.

    scripts/skeletons.py FOLDER [--cc 'gcc -w -S -o /dev/null'] [--variants 3] [--every K]
                         [--language c] [--ending .cpp] [--failures N]
    scripts/skeletons.py FOLDER --tables [--lydite PATH] [--threshold 10000]
    scripts/skeletons.py FOLDER --coverage 100 [--lydite PATH] [--target tcc:coverage]

Variants are drawn uniformly. Only variants of files that the same compiler
accepts as they are count. Every file's own pattern is also checked to give
back the file, byte for byte.

With --tables it prints tables 1 and 2 and figure 8 of the SPE paper for the
files of the folder (`lydite count skeleton FOLDER --json`). With --coverage N
it prints figure 9: what N files reach of a compiler's source, and what
strategies skeleton and delete add with equally many programs (`lydite profile`,
`lydite coverage`).
"""

import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

# A file of gcc's may have a number of variants of seven thousand digits.
sys.set_int_max_str_digits(0)

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "target" / "release" / "examples" / "skeleton_variants"
ENDINGS = {"c": ".c", "cpp": ".C", "solidity": ".sol", "lua": ".lua", "javascript": ".js", "rust": ".rs", "scala": ".scala"}


def sample(folder, found, ending, every, into):
    """Every so-manieth file of the folder whose name ends in `found`, under a name of its own."""
    files = sorted(path for path in pathlib.Path(folder).rglob("*" + found) if path.is_file())
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


def parts_of(lydite, folder):
    """What lydite counts of every file that has a skeleton."""
    said = subprocess.run([lydite, "count", "skeleton", "-q", "--json", str(folder)], capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(said.stderr)
    parts = json.loads(said.stdout)["parts"]
    numbers = ("candidates", "exact", "functions", "holes", "naive", "paper", "scopes", "types")
    return [{key: int(part[key]) for key in numbers} for part in parts if part.get("exact") not in (None, "", "0")], len(parts)


def short(number):
    """Whole as long as one can read it, then as a power of ten."""
    text = str(int(number))
    return f"{int(number):,}" if len(text) <= 15 else f"{text[0]}.{text[1:3]}e{len(text) - 1}"


def decade(number):
    return len(str(number)) - 1


def print_rows(title, heads, rows):
    print(f"\n{title}\n")
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")


def print_tables(lydite, folder, threshold):
    """Tables 1 and 2 and figure 8 of the paper."""
    parts, files = parts_of(lydite, folder)
    kept = [part for part in parts if part["exact"] <= threshold]
    print(f"{files} files, {len(parts)} with a skeleton, {len(kept)} with at most {threshold:,} patterns")
    rows = []
    for name, key in (("naive", "naive"), ("exact", "exact"), ("algorithm 1", "paper")):
        row = [name]
        for suite in (parts, kept):
            total = sum(part[key] for part in suite)
            row += [short(total), short(total // max(1, len(suite))), len(suite)]
        rows.append(row)
    heads = ["approach", "total", "average", "files", f"total, at most {threshold:,}", "average", "files"]
    print_rows("Table 1: sizes", heads, rows)
    for name, suite in (("all", parts), ("the others left out", kept)):
        naive, exact = (sum(part[key] for part in suite) for key in ("naive", "exact"))
        print(f"{name}: {decade(naive) - decade(exact)} orders of magnitude")
    rows = []
    top = 6
    count = {key: collections.Counter(min(decade(part[key]), top) for part in parts) for key in ("naive", "exact")}
    gone = collections.defaultdict(list)
    for part in parts:
        gone[min(decade(part["naive"]), top)].append(1 - part["exact"] / part["naive"])
    for at in range(top + 1):
        span = f"[10^{at}, 10^{at + 1})" if at < top else f"from 10^{at}"
        shares = [f"{100 * count[key][at] / len(parts):.1f} %" for key in ("naive", "exact")]
        mean = f"{100 * sum(gone[at]) / len(gone[at]):.1f} %" if gone[at] else ""
        rows.append([span, *shares, mean])
    heads = ["variants", "files (naive)", "files (exact)", "variants saved, of naive's in this range"]
    print_rows("Figure 8: distribution of the numbers of variants, and of what is saved", heads, rows)
    rows = []
    for name, suite in (("original", parts), ("enumerated", kept)):
        mean = lambda key: sum(part[key] for part in suite) / max(1, len(suite))
        per_hole = [part["candidates"] / part["holes"] for part in suite if part["holes"]]
        figures = [mean(key) for key in ("holes", "scopes", "functions", "types")]
        figures.append(sum(per_hole) / max(1, len(per_hole)))
        rows.append([name, *(f"{figure:.2f}" for figure in figures)])
    print_rows("Table 2: means of a file", ["suite", "holes", "scopes", "functions", "types", "variables per hole"], rows)


PLAN = """
targets = ["{target}"]
oracles = ["crash"]
[limits]
timeout = "20s"
[[strategy]]
name = "skeleton"
seeds = ["{seeds}"]
[[strategy]]
name = "delete"
seeds = ["{profiled}"]
"""


def print_coverage(lydite, folder, target, count, ending):
    """Figure 9: the same number of programs of each strategy, over the same files."""
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        files = sorted(str(path) for path in pathlib.Path(folder).rglob("*" + ending))
        random.Random(0).shuffle(files)
        (work / "seeds").mkdir()
        profiled = work / "profiled"
        # Only files of which something can be taken out: both strategies get the same ones.
        for at in range(0, len(files), 50):
            part = files[at:at + 50]
            subprocess.run([lydite, "profile", "-q", "-o", str(profiled), *part], capture_output=True)
            if profiled.is_dir() and len(list(profiled.iterdir())) >= count:
                break
        chosen = sorted(profiled.iterdir())[:count]
        for path in sorted(profiled.iterdir())[count:]:
            path.unlink()
        for path in chosen:
            source = next(file for file in files if pathlib.Path(file).name == path.name)
            shutil.copy(source, work / "seeds" / path.name)
        plan = work / "plan.toml"
        plan.write_text(PLAN.format(target=target, seeds=work / "seeds", profiled=profiled))
        subprocess.run([lydite, "coverage", str(plan), "-t", target, "-n", str(count), "-o", str(work / "out")], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--cc", default="gcc -w -S -o /dev/null")
    parser.add_argument("--language", default="c", choices=sorted(ENDINGS))
    parser.add_argument("--variants", type=int, default=3)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--ending", help="what names of files end with, where it is not the usual one")
    parser.add_argument("--failures", type=int, default=10, help="how many to show")
    parser.add_argument("--tables", action="store_true", help="tables 1 and 2 and figure 8 of the paper")
    parser.add_argument("--coverage", type=int, metavar="N", help="figure 9, with N files and N programs of each strategy")
    parser.add_argument("--threshold", type=int, default=10_000)
    parser.add_argument("--target", default="tcc:coverage")
    parser.add_argument("--lydite", default="lydite")
    args = parser.parse_args()
    ending = ENDINGS[args.language]
    if args.tables:
        return print_tables(args.lydite, args.folder, args.threshold)
    if args.coverage:
        return print_coverage(args.lydite, args.folder, args.target, args.coverage, ending)
    if not EXAMPLE.exists():
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "lydite-skeleton", "--examples"],
                       cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "in").mkdir()
        chosen = sample(args.folder, args.ending or ending, ending, args.every, work / "in")
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
