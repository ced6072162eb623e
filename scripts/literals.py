#!/usr/bin/env python3
"""How often texts of literal classes come up in programs of the specs.

    scripts/literals.py [-n N] [--seed S] [--lydite PATH]

N programs of each spec with its own height; what is counted are texts in the
programs, not draws.
"""

import argparse
import glob
import os
import re
import subprocess
import tempfile

# Spec, what all are, what is looked for: the name and a regular expression for
# each; the text that is matched is the first group.
ROWS = [
    ("c-safe", "constants", r"_t\)(0x[0-9a-f]+|[0-9]+)ULL\)", [
        ("below 10", r"[0-9]"),
        ("of 2 to 4 decimal digits", r"[1-9][0-9]{1,3}"),
        ("at a boundary (0x7f…, 0x80…, 0xff…)", r"0x(7f+|80+|f+)"),
        ("with bit 63", r"0x[89a-f][0-9a-f]{15}"),
        ("others", r"0x.*"),
    ]),
    ("c", "float constants", r"(?<![\w.])([0-9]\.[0-9]+f?|1e[1-9]|0x1p-[1-9])(?![\w.])", [
        ("with an exponent", r"1e[1-9]"),
        ("hexadecimal", r"0x.*"),
        ("with f", r".*f"),
        ("others", r".*"),
    ]),
    ("c", "character constants, by program", r"('[a-z]')", [("all", r".*")]),
    ("smtlib-floats", "mantissas", r"\(fp #b[01] #b[01]+ #b([01]+)\)", [
        ("all zeros", r"0+"),
        ("all ones", r"1+"),
        ("three digits, then zeros", r"[01]{3}0{2,}"),
        ("others", r".*"),
    ]),
    ("smtlib-floats", "exponents", r"\(fp #b[01] #b([01]+) #b[01]+\)", [
        ("all zeros", r"0+"),
        ("0, then ones", r"01+"),
        ("1, then zeros", r"10+[01]"),
        ("others", r".*"),
    ]),
    ("smtlib-strings", "strings", r'"([^"]*)"', [
        ("with an escape", r".*\\u.*"),
        ("of a, b, c", r"[a-c]{0,3}"),
        ("numbers", r"-?[0-9]{1,2}"),
        ("others", r".*"),
    ]),
    ("sql", "texts", r"'([a-zA-Z]*)'", [
        ("of a to d, at most 3", r"[a-d]{0,3}"),
        ("others", r".*"),
    ]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--lydite", default="target/release/lydite")
    args = parser.parse_args()
    print("| spec | what | of | how many |")
    print("|---|---|---|---|")
    made = {}
    for spec, what, pattern, kinds in ROWS:
        if spec not in made:
            made[spec] = programs(args, spec)
        texts = [found for text in made[spec] for found in re.findall(pattern, text)]
        left = texts
        for name, kind in kinds:
            hits = [text for text in left if re.fullmatch(kind, text)]
            left = [text for text in left if not re.fullmatch(kind, text)]
            print(f"| `{spec}` | {what}, {name} | {len(texts):,} | {len(hits):,} |")


def programs(args, spec):
    with tempfile.TemporaryDirectory() as folder:
        command = [args.lydite, "generate", "spec", "--set", f"spec={spec}"]
        command += ["-n", str(args.n), "--seed", args.seed, "-o", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        files = sorted(glob.glob(os.path.join(folder, "**", "*.*"), recursive=True))
        return [open(file).read() for file in files if os.path.isfile(file)]


if __name__ == "__main__":
    main()
