#!/usr/bin/env python3
"""Links between the documents: a part of `make lint`.

Fails if a link of a page leads to a file or a heading that is not there, if a page of
docs/ cannot be reached from the README, and if a page or a script names a script or an
example program that is gone. Also if docs/found/README.md or the README count other bugs or
processors than the index has.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

LINK = re.compile(r"\]\(([^)\s]+)\)")


def pages():
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))


def prose(page):
    """The text of a page without its blocks and spans of code."""
    text = re.sub(r"^(`{3,}).*?^\1", "", page.read_text(), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda span: "`" if "](" in span[0] else span[0], text)


def anchors(page):
    """What the headings of a page are called in links."""
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        yield re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def gone():
    """Scripts and example programs that are named somewhere and are not there."""
    files = [*pages(), ROOT / "Makefile", *sorted((ROOT / "scripts").glob("*.*"))]
    for file in files:
        text = file.read_text()
        # What was true once may stand in the history of changes.
        if file.name == "CHANGELOG.md":
            continue
        for script in set(re.findall(r"\bscripts/[\w-]+\.(?:py|sh|c)\b", text)):
            if not (ROOT / script).exists():
                yield f"{file.relative_to(ROOT)}: `{script}` is not there"
        for example in set(re.findall(r"(?:/release/examples/|bin/examples/|--example )([a-z]\w*)", text)):
            if not any(ROOT.glob(f"crates/*/examples/{example}*")):
                yield f"{file.relative_to(ROOT)}: no example program `{example}`"


def miscounted():
    """Pages whose numbers of bugs and processors are not those of the index."""
    index = ROOT / "docs" / "found" / "README.md"
    bugs, processors = 0, set()
    for row in re.findall(r"^\| (?!processor )([^|]*\|[^|]*\|[^|]*)", index.read_text(), re.M):
        processor, _, what = (cell.strip() for cell in row.split("|"))
        many = re.match(r"(\d+) of ", what)
        bugs += int(many[1]) if many else 1
        processors.add(re.split(r" [\dv]", processor)[0])
    for page in [index, ROOT / "README.md"]:
        for found in re.findall(r"(\d+) bugs that (?:it|lydite) has shown in[^.]*? (\d+) processors", page.read_text()):
            if found != (str(bugs), str(len(processors))):
                yield f"{page.relative_to(ROOT)}: {found[0]} bugs in {found[1]}, but the index has {bugs} in {len(processors)}"


def main():
    complaints = [*gone(), *miscounted()]
    links = {}
    for page in pages():
        links[page] = set()
        for target in LINK.findall(prose(page)):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            name = page.relative_to(ROOT)
            if not file.exists():
                complaints.append(f"{name}: `{target}` is not there")
            elif anchor and anchor not in anchors(file):
                complaints.append(f"{name}: `{target}`: no such heading")
            links[page].add(file)
    reached, new = set(), {ROOT / "README.md"}
    while new:
        reached |= new
        new = {file for page in new for file in links[page] if file in links} - reached
    for page in sorted(set(links) - reached):
        complaints.append(f"{page.relative_to(ROOT)}: no page leads here from README.md")
    for complaint in complaints:
        print(f"links: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
