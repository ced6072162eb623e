#!/usr/bin/env python3
"""One word per concept: a part of `make lint`.

Fails if a type name, public or private, is defined twice among the crates that
share the workbench's words, if a word of the glossary in ARCHITECTURE.md is no longer a
word of the code, if a function that one of its walks names is gone or a walk has another
number of stations than it says, and if a file that "Where do I add" names is not there.
"""

import collections
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# These share their words; a language's crate may call its constructs what the
# language calls them.
SHARED = ["core", "process", "target", "store", "lab", "studies", "cluster", "serve", "cli"]

# Types of traits and impls (an indented `type`) belong to these.
TYPE = re.compile(
    r"^(?:[ \t]*(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait)|(?:pub(?:\([^)]*\))? )?type) ([A-Z]\w*)",
    re.M,
)


def sources(crate):
    """The code of a crate, tests and comments left out, by file."""
    for path in sorted((ROOT / "crates" / crate / "src").rglob("*.rs")):
        text = path.read_text().split("#[cfg(test)]")[0]
        yield path.relative_to(ROOT), re.sub(r"//.*", "", text)


def repeated(crates):
    """Names of types that are defined in several places of these crates."""
    places = collections.defaultdict(list)
    for crate in crates:
        for path, text in sources(crate):
            for name in TYPE.findall(text):
                places[name].append(str(path))
    return {name: where for name, where in places.items() if len(where) > 1}


def identifier_words(crates):
    """Every identifier of these crates as `a_b_c`, whatever its case."""
    found = set()
    for crate in crates:
        for _, text in sources(crate):
            for name in set(re.findall(r"\b[A-Za-z_]\w*\b", text)):
                snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
                found.add("_" + snake + "_")
    return found


def glossary():
    """The words of the glossary's first column."""
    text = (ROOT / "ARCHITECTURE.md").read_text().split("## Glossary")[1]
    for row in re.findall(r"^\| (.+?) \|", text, re.M):
        if row not in ("word",) and not row.startswith("-"):
            yield from (word.strip() for word in row.split(","))


def walk_text():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    return text.split("## Three walks")[1].split("\n## ")[0]


def walks():
    """The files of ARCHITECTURE's walks, and the functions that they are said to have: in a
    row of code spans, `file: function` is followed by others of the same file."""
    for cell in re.findall(r"[^|\n]+", walk_text()):
        path = None
        for span in re.findall(r"`([^`]+)`", cell):
            named = re.fullmatch(r"([\w/]+\.rs): (?:\w+::)?(\w+)", span)
            if named:
                path = named[1]
                yield named.groups()
            elif re.fullmatch(r"[\w/]+\.rs", span):
                yield span, None
            elif re.fullmatch(r"(?:\w+::)?[a-z]\w*", span) and path:
                yield path, span.split("::")[-1]
            elif re.fullmatch(r"\w+::\w+", span):
                yield "", span.split("::")[-1]


def wrong_counts():
    """Walks whose rows are not as many as is said, or not numbered in order."""
    for said, rows in re.findall(r"passes (\d+) stations.*?\n\n((?:\|.*\n)+)", walk_text()):
        numbers = re.findall(r"^\| (\d+) \|", rows, re.M)
        if numbers != [str(number + 1) for number in range(int(said))]:
            yield f"a walk of ARCHITECTURE.md passes {len(numbers)} stations, and it says {said}"


def missing_places():
    """Files and folders of "Where do I add …" that are not there, with their rows."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    text = text.split("## Where do I add …")[1].split("\n## ")[0]
    files = [path.relative_to(ROOT) for path in (ROOT / "crates").rglob("*")]
    for what, where in re.findall(r"^\| (.+?) \| (.+?) \|$", text, re.M):
        for place in re.findall(r"`([\w/*.-]+(?:\.\w+|/))`", where):
            # A name in capitals stands for that of what is added.
            place = re.sub(r"[A-Z]{3,}(\.\w+)$", "", place).rstrip("/")
            named = (ROOT / "crates" / place, ROOT / place)
            below = ["/" + str(file) for file in files]
            if not any(path.exists() for path in named) and not any(
                fnmatch.fnmatch(path, "*/" + place) for path in below
            ):
                yield what, place


def main():
    crates = sorted(path.name for path in (ROOT / "crates").iterdir())
    complaints = []
    for name, places in sorted(repeated(SHARED).items()):
        complaints.append(f"{name} is defined {len(places)} times: {', '.join(places)}")
    identifiers = " ".join(identifier_words(crates))
    for word, count in collections.Counter(glossary()).items():
        if count > 1:
            complaints.append(f"`{word}` is {count} times in the glossary of ARCHITECTURE.md")
    for word in glossary():
        if "_" + word.replace(" ", "_").replace("-", "_").lower() not in identifiers:
            complaints.append(f"`{word}` is in the glossary of ARCHITECTURE.md and not in the code")
    files = [path for path in (ROOT / "crates").rglob("*.rs") if "src" in path.parts]
    complaints.extend(wrong_counts())
    for path, name in walks():
        named = [file for file in files if str(file).endswith("/" + path) or not path]
        wanted = rf"\bfn {name}\b" if name else ""
        if not any(re.search(wanted, file.read_text()) for file in named):
            place = f"{path}: {name}" if path and name else path or name
            complaints.append(f"`{place}` is in a walk of ARCHITECTURE.md and not in the code")
    for what, place in missing_places():
        complaints.append(f"`{place}`, where ARCHITECTURE.md says to add {what}, is not there")
    for complaint in complaints:
        print(f"words: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
