#!/usr/bin/env python3
"""Files and functions that can be held in the head: a part of `make lint`.

Fails on a Rust file of more than 600 lines and on a function of more than 60, from its
`fn` to its last brace. A test may be a table of any length, since its rows are read one by
one; its file counts as any other. EXCEPTIONS is what is known to be too long: a row that is
not true any more fails too, so that the list only gets shorter.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

MAX_FILE = 600
MAX_FUNCTION = 60

# `crates/….rs` for a file, `crates/….rs: function` for a function.
EXCEPTIONS = [
    "crates/solidity/src/ast/expressions.rs: expression",
    "crates/solidity/src/typing/expressions.rs: typing",
]

# What a brace or the word `fn` means nothing in.
SILENT = re.compile(
    r"""//[^\n]*
      | b?r(?P<hashes>\#*)".*?"(?P=hashes)
      | b?"(?:\\.|[^"\\])*"
      | b?'(?:\\.[^']*|[^'\\])'""",
    re.S | re.X,
)


def bare(text):
    """The text without comments and literals, line by line as before."""
    return SILENT.sub(lambda found: "\n" * found[0].count("\n"), text)


def end_of(text, at):
    """Where the body of the function at `at` ends; none if it has none."""
    depth = 0
    for brace in re.finditer(r"[()\[\]{};]", text[at:]):
        if brace[0] in "([{":
            depth += 1
        elif brace[0] in ")]}":
            depth -= 1
            if brace[0] == "}" and depth == 0:
                return at + brace.start()
        elif depth == 0:
            return None
    return None


def functions(text):
    """The functions of a file that are no tests, with their lines."""
    text = bare(text)
    tests = [found.end() for found in re.finditer(r"#\[test\]\s*(?:#\[[^\]]*\]\s*)*", text)]
    for found in re.finditer(r"\bfn (\w+)", text):
        end = end_of(text, found.end())
        if end is not None and found.start() not in tests:
            yield found[1], text.count("\n", found.start(), end) + 1


def too_long():
    """The names of files and functions that are too long, with their lines."""
    for path in sorted((ROOT / "crates").rglob("*.rs")):
        text = path.read_text()
        name = str(path.relative_to(ROOT))
        lines = text.count("\n")
        if lines > MAX_FILE:
            yield name, lines
        for function, lines in functions(text):
            if lines > MAX_FUNCTION:
                yield f"{name}: {function}", lines


def main():
    found = dict(too_long())
    wrong = [
        f"{name}: {lines} lines: divide it along its meaning"
        for name, lines in found.items()
        if name not in EXCEPTIONS
    ]
    wrong += [
        f"scripts/sizes.py: {name} is no longer too long: take it out of EXCEPTIONS"
        for name in EXCEPTIONS
        if name not in found
    ]
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
