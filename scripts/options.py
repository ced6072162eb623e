#!/usr/bin/env python3
"""Rows for `option` in targets/z3.toml and targets/cvc5.toml, from what the programs print.

    scripts/options.py z3 Z3 SEEDS          every switch of `z3 -pd`, turned over, and every
                                            other value that a choice has
    scripts/options.py z3-numbers Z3 SEEDS  every number of `z3 -pd`, as small as can be
    scripts/options.py cvc5 ROOT DRIVER SEEDS
                                            every switch and mode of cvc5's API, turned over
    scripts/options.py cvc5-numbers ROOT DRIVER SEEDS
                                            every number of cvc5's API, as small as can be
    scripts/options.py since z3 Z3...       since which of these releases there is each row of
    scripts/options.py since cvc5 ROOT...   the target's file, and the weight of what is new

A row is kept if the program takes it on every seed below SEEDS (files with one
`:status`), answers what it answers without it, or does not answer, and prints no
error. Rows that the target's file has are left out. Left out beforehand: what only changes output, limits or files, what changes
the meaning, and what is known to be for one build or developer.

`since` asks releases for what they have and rewrites the rows: `versions` of those that only say
the release that was asked last, and `weight` of what is new (NEW). Weights only grow, so that what was
weighed by hand stays: 16 and more for what checks the solver itself, whose `versions` stay
too, and less than 4 for what few scripts reach.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

LIMIT = 4
ROOT = pathlib.Path(__file__).resolve().parent.parent

# Output, limits, files, seeds that are numbers; what changes what a script means.
Z3_LEFT_OUT = re.compile(
    r"""(^|\.)(timeout|rlimit|ctrl_c|dump_models|debug_ref_count|encoding|memory.*|model|stats|
    suppress_platform_verbose|trace|trace_file_name|type_check|verbose|warning|well_sorted_check|
    smtlib2_compliant|proof|unsat_core|auto_config|.*console|pp\..*|priority|dimacs.*|.*dbg.*|
    ignore_int|enable_int2bv|arith\.solver|ignore_solver1|proof\..*|clause_proof|solver\.slice|.*file.*|.*log.*|.*print.*|.*display.*|
    .*dump.*|.*max_memory.*|.*max_steps.*|threads|enable|hi_fp_unspecified|hi_div0|
    bv_hi_div0|extensional|.*drat.*|.*trail.*|.*profile.*|.*stats.*|.*trace.*|completion|
    compact|array_as_stores|v1|v2|user_functions|inline_def|partial|core\.validate)$""",
    re.VERBOSE,
)
# Numbers of which only the process knows anything.
Z3_NO_NUMBER = re.compile(r"(seed|threads|timeout|rlimit|conflicts|max_restarts|budget|bytes)$")
Z3_MODULES = {
    "smt", "sat", "rewriter", "nlsat", "solver", "tactic", "combined_solver", "nnf", "rcf",
    "polynomial", "algebraic", "ackermannization", "opt", "lp", "sls", "model_evaluator",
}  # fmt: skip

CVC5_LEFT_OUT = re.compile(
    r"""^(.*print.*|.*dump.*|.*verbos.*|.*limit.*|.*stats.*|.*trace.*|.*output.*|help.*|version.*|
    interactive.*|incremental|produce-.*|lang|input-language|parse-.*|strict-parsing|filename|
    .*-file.*|seed|sat-random-seed|early-exit|segv-spin|stdin.*|show-.*|copyright|
    force-logic|global-declarations|fresh-.*|lib-.*|preprocess-only|safe-mode|safe-options|
    check-(abducts|interpolants|synth-sol)|semantic-checks|type-checking|wf-checking|
    .*sygus.*|proof-.*|prop-proof.*|plugin.*|oracle.*|quiet|tlimit.*|rlimit.*|fp-exp|
    check-proofs-complete|debug-check-models|wf-.*|use-portfolio|portfolio.*|
    model-var-elim-uneval|simple-.*|.*cores-mode|err|diagnostic.*|regular.*)$""",
    re.VERBOSE,
)


def seeds(folder):
    found = []
    for path in sorted(pathlib.Path(folder).rglob("*.smt2")):
        stated = re.findall(r":status (\w+)", path.read_text())
        if len(stated) == 1:
            found.append((str(path), stated[0]))
    return found


def run(argv):
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return "timeout"
    out = (done.stdout + done.stderr).strip()
    first = out.partition("\n")[0]
    plain = first in ("sat", "unsat", "unknown") and "error" not in out.lower()
    return first if plain else f"? {out[:200]}"


def kept(command, row, files):
    for path, stated in files:
        seen = run([*command, *row, path])
        if seen.startswith("?"):
            return f"{pathlib.Path(path).name}: {seen}"
        if {seen, stated} == {"sat", "unsat"}:
            return f"WRONG {pathlib.Path(path).name}: {seen}"
    return None


def z3_rows(binary, numbers):
    listing = subprocess.run([binary, "-pd"], capture_output=True, text=True).stdout
    module = ""
    for line in listing.splitlines():
        if found := re.match(r"\[module\] (\w+)", line):
            module = found[1]
        if found := re.match(r"    (\S+) \((.+?)\) (.*)\(default: (\S+)\)", line):
            name, kind, about, default = found.groups()
            full = f"{module}.{name}" if module else name
            if not Z3_LEFT_OUT.search(full) and (not module or module in Z3_MODULES):
                for value in z3_values(full, kind, about, default, numbers):
                    yield [f"{full}={value}"], "regular"


def z3_values(name, kind, about, default, numbers):
    """The values that a switch or a choice has beside its own, or a number as small as can be."""
    choices = re.findall(r"(?<![\w.])(\d+) ?(?:-|for) ", about)
    if kind == "bool":
        values = [] if numbers else ["true", "false"]
    elif kind == "symbol":
        # What stands in brackets is no choice, nor what stands before the colon.
        listed = re.sub(r"\(.*?\)", "", about).partition(":")[2]
        quoted = re.findall(r"'([\w-]+)'", about)
        values = quoted or re.findall(r"[a-z][\w-]+", listed)
        values = [word for word in values if word not in ("or", "and")] if not numbers else []
    elif choices:
        values = [] if numbers else choices
    else:
        is_number = numbers and kind in ("unsigned int", "double")
        values = ends("0", default) if is_number and not Z3_NO_NUMBER.search(name) else []
    return [value for value in dict.fromkeys(values) if value != default]


def ends(lowest, default):
    """The least that a number may be, and one more; of a fraction, ten times what it is."""
    if "." in default or "e" in default:
        return [lowest, f"{float(default) * 10:.10g}"]
    return [lowest, str(int(lowest) + 1)]


def cvc5_rows(root, numbers):
    sys.path.insert(0, root)
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    for name in sorted(solver.getOptionNames()):
        info = solver.getOptionInfo(name)
        category = info["category"].name.lower()
        if CVC5_LEFT_OUT.search(name) or category == "undocumented":
            continue
        if info["type"] in (int, float) and numbers:
            least = str(info["minimum"] or 0)
            for value in ends(least, str(info["default"])):
                if value != str(info["default"]):
                    yield [f"--{name}={value}"], category
        elif numbers:
            continue
        elif info["type"] is bool:
            yield [f"--no-{name}" if info["default"] else f"--{name}"], category
        elif info["type"] == "mode":
            for mode in info["modes"]:
                if mode not in (info["default"], "help"):
                    yield [f"--{name}={mode}"], category


# What is new: what came with this release or later has at least this weight.
NEW = {
    "z3": [((5, 0, 0), 12), ((4, 15, 0), 8)],
    "cvc5": [((1, 4, 0), 12), ((1, 3, 0), 8)],
}
# Only scripts of one theory come to these, and there are many of them.
OF_ONE_THEORY = re.compile(r"^smt\.ff\.")
BY_HAND = 16
USUAL = 4

ASK_CVC5 = """
import cvc5, json
solver = cvc5.Solver(cvc5.TermManager()) if hasattr(cvc5, "TermManager") else cvc5.Solver()
had = {}
for name in solver.getOptionNames():
    info = solver.getOptionInfo(name)
    had[name] = list(info["modes"]) if info["type"] == "mode" else []
print(json.dumps(had))
"""


def z3_had(binary):
    """The version of a release and the names of its options."""
    said = subprocess.run([binary, "-version"], capture_output=True, text=True).stdout
    listing = subprocess.run([binary, "-pd"], capture_output=True, text=True).stdout
    names, module = {}, ""
    for line in listing.splitlines():
        if found := re.match(r"\[module\] (\w+)", line):
            module = found[1] + "."
        if found := re.match(r"    (\S+) \((.+?)\)(.*)", line):
            name, kind, about = module + found[1], found[2], found[3]
            is_choice = kind in ("symbol", "unsigned int")
            names[name] = z3_values(name, kind, about, None, False) if is_choice else []
    return re.search(r"\d+\.\d+\.\d+", said)[0], names


def cvc5_had(root):
    package = next(pathlib.Path(root).glob("cvc5-*.dist-info"))
    env = {**os.environ, "PYTHONPATH": root}
    asked = subprocess.run([sys.executable, "-c", ASK_CVC5], capture_output=True, text=True,
                           env=env)
    return package.name.split("-")[1].removesuffix(".dist"), json.loads(asked.stdout)


def number(version):
    return tuple(int(part) for part in version.split("."))


def has(names, arg):
    """True if a release has what an argument sets, and the mode."""
    name, _, value = arg.partition("=")
    if not name.startswith("--"):
        return name in names and (not names[name] or value in names[name])
    name = name[2:]
    if name not in names and name.startswith("no-"):
        name = name[3:]
    return name in names and (not value or not names[name] or value in names[name])


def row_since(line, releases):
    """A row of a target's file as it should be."""
    args = re.findall(r'"([^"]*)"', re.search(r"args = \[(.*?)\]", line)[1])
    weight = int((re.search(r"weight = (\d+)", line) or ["", USUAL])[1])
    since = None
    for version, names in reversed(releases):
        if not all(has(names, arg) for arg in args):
            break
        since = version
    if since is None or weight >= BY_HAND:
        return line
    newest = releases[-1][0]
    line = line.replace(f'versions = ">={newest}"', f'versions = ">={since}"')
    family = "cvc5" if args[0].startswith("-") else "z3"
    raised = next((more for first, more in NEW[family] if number(since) >= first), 0)
    if OF_ONE_THEORY.match(args[0]):
        raised //= 2
    if raised <= weight:
        return line
    line = re.sub(r", weight = \d+", "", line)
    # Behind the versions, which every new option has.
    return re.sub(r'(versions = "[^"]*")', rf"\1, weight = {raised}", line)


def rewrite_since(family, places):
    had = z3_had if family == "z3" else cvc5_had
    releases = sorted((had(place) for place in places), key=lambda one: number(one[0]))
    path = ROOT / "targets" / f"{family}.toml"
    lines = path.read_text().splitlines(keepends=True)
    is_row = lambda line: line.startswith("    { args = ")
    path.write_text("".join(row_since(line, releases) if is_row(line) else line
                            for line in lines))


def main():
    family, *rest = sys.argv[1:]
    if family == "since":
        rewrite_since(rest[0], rest[1:])
        return
    family, _, of = family.partition("-")
    if family == "z3":
        binary, folder = rest
        command, rows = [binary], z3_rows(binary, of == "numbers")
    else:
        root, driver, folder = rest
        command, rows = [driver], cvc5_rows(root, of == "numbers")
    files = seeds(folder)
    had = (ROOT / "targets" / f"{family}.toml").read_text()
    for row, category in rows:
        if f'"{row[0]}"' in had:
            continue
        why = kept(command, row, files)
        if why:
            print(f"# {' '.join(row)}: {why}", file=sys.stderr)
            continue
        expert = ", expert = true" if category == "expert" else ""
        words = ", ".join(f'"{word}"' for word in row)
        print(f"    {{ args = [{words}]{expert} }},", flush=True)


if __name__ == "__main__":
    main()
