#!/usr/bin/env python3
"""Links between the documents: a part of `make lint`.

Fails if a link of a page leads to a file or a heading that is not there, and if a page of
docs/ cannot be reached from the README.
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


def main():
    complaints = []
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
