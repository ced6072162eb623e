#!/usr/bin/env python3
"""Other people's contracts: can they be profiled, varied and compared?

Installs packages from npm into a folder, profiles every file that has a
contract which is not abstract, makes variants, and prints a table: how many
contracts compile, how many work, and why the others do not.

  scripts/contracts.py --lydite target/release/lydite --folder /tmp/contracts
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

PACKAGES = [
    "@openzeppelin/contracts@4.9.6",
    "@uniswap/v2-core@1.0.1",
    "solady@0.1.26",
    "solmate@6.8.0",
    "openzeppelin-5@npm:@openzeppelin/contracts@5.7.0",
]

# Versions that a package insists on; the newest is there anyway.
COMPILERS = ["solc@0.5.16"]

CONCRETE = re.compile(r"^\s*contract\s+(\w+)", re.M)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lydite", default="lydite")
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--variants", type=int, default=3)
    parser.add_argument("--count", type=int, default=40, help="transactions of a contract")
    parser.add_argument("--only", help="packages whose name has this in it")
    return parser.parse_args()


def install(folder, packages):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')
    command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", *packages]
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)


def name_of(package):
    name = package.split("@npm:")[0]
    return name[: name.rindex("@")] if "@" in name[1:] else name


def profile(options, package):
    """The rows that `lydite profile` prints, one per file, and all names of contracts by file."""
    root = options.folder / "node_modules" / name_of(package)
    names = {}
    for path in sorted(root.rglob("*.sol")):
        found = CONCRETE.findall(path.read_text(errors="replace"))
        if found and not path.is_symlink():
            names[str(path)] = found
    seeds = options.folder / "seeds" / name_of(package).replace("/", "-")
    command = [options.lydite, "profile", "-q", "--json", "-o", str(seeds)]
    command += ["--variants", str(options.variants), "--count", str(options.count), *names]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return rows, names


def reason(row):
    """Why a file does not work; nothing if it does."""
    if "error" in row:
        return row["error"].split("\n")[0][:110]
    if row["different"]:
        return f"a variant differs: {row['said']}"
    if not row["equal"]:
        return f"no variant could be compared: {row['said'] or 'stack or gas'}"
    return None


def compiles(row):
    said = row.get("error", "")
    return not ("compile" in said or "solc takes it" in said or "not found" in said)


def main():
    options = arguments()
    packages = [package for package in PACKAGES if not options.only or options.only in package]
    install(options.folder, packages)
    subprocess.run([options.lydite, "targets", "install", "-q", "solc", *COMPILERS], check=True)
    print("| package | contracts | compile | work | statements | reached | variants equal | not comparable |")
    print("|---|---|---|---|---|---|---|---|")
    reasons = collections.Counter()
    total = collections.Counter()
    for package in packages:
        rows, names = profile(options, package)
        sums = collections.Counter()
        for row in rows:
            count = len(row.get("contracts") or names[row["file"]])
            why = reason(row)
            sums["contracts"] += count
            sums["compile"] += count * compiles(row)
            sums["work"] += count * (why is None)
            for key in ["points", "reached", "equal", "unsupported", "refused", "different"]:
                sums[key] += row.get(key, 0)
            if why:
                reasons[(name_of(package), pathlib.Path(row["file"]).name, why)] += 1
        void = sums["unsupported"] + sums["refused"]
        print(
            f"| {package.split('npm:')[-1]} | {sums['contracts']} | {sums['compile']} | {sums['work']} "
            f"| {sums['points']} | {sums['reached']} | {sums['equal']} | {void} |",
            flush=True,
        )
        total.update(sums)
    share = 100 * total["work"] / max(total["compile"], 1)
    print(f"\n{total['work']} of {total['compile']} contracts that compile work: {share:.0f} %")
    print(f"{total['different']} variants differ\n")
    for (package, file, why), _ in sorted(reasons.items()):
        print(f"- {package} {file}: {why}")
    sys.exit(10 if total["different"] else 0)


if __name__ == "__main__":
    main()
