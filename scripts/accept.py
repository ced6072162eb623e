#!/usr/bin/env python3
"""How many scripts of the SQL and SMT-LIB specs processors accept, many scripts
in one process: where starting a process costs more than reading a script.

    scripts/accept.py [-n N] [--height H] [--knobs K] [--lydite PATH] SPEC

Solvers read and type every script and solve none. Databases run every script
in a schema of its own, and what they print is compared. `validity.py` does the
same one by one, with answers.
"""

import argparse
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

SOLVERS = ["z3", "cvc5", "bitwuzla"]
# A fresh start, and what ends it.
DATABASES = {
    "sqlite": (".open :memory:\n", ""),
    "duckdb": ("create schema s{n};\nset schema = 's{n}';\n", "drop schema s{n} cascade;\n"),
    "postgres": ("create schema s{n};\nset search_path to s{n};\n", "drop schema s{n} cascade;\n"),
    "mariadb": ("create database s{n};\nuse s{n};\n", "drop database s{n};\n"),
}
MARK = "lydite-case-"
CHUNK = 250


def command(lydite, target):
    """What runs a target, as `lydite` has it installed."""
    said = subprocess.run(
        [lydite, "targets", "doctor", target, "--json"], stdout=subprocess.PIPE, text=True
    )
    binary = json.loads(said.stdout.split("\n")[0])["binary"]
    root = binary[: binary.rindex("/root/") + len("/root")] if "/root/" in binary else ""
    drivers = glob.glob(os.path.join(root, "lydite", "run-*.py")) if root else []
    env = dict(os.environ)
    if target in ("postgres", "mariadb"):
        env["LD_LIBRARY_PATH"] = os.path.join(root, "usr/lib/x86_64-linux-gnu")
        return ["python3", drivers[0], binary], env
    if drivers:
        env["PYTHONPATH"] = root
        return ["python3", "-S", drivers[0]], env
    options = ["-batch", "-bail", "-nullvalue", "NULL"] if target == "sqlite" else []
    return [binary, *options], env


def run(target, argv, env, text, folder):
    path = os.path.join(folder, "batch.sql" if target in DATABASES else "batch.smt2")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    words = [*argv, path]
    stdin = None
    if target == "sqlite":
        words, stdin = argv, open(path, "rb")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        ended = subprocess.run(words, stdin=stdin, cwd=scratch, env=env, capture_output=True)
    return ended.stdout.decode("utf-8", "replace"), ended.stderr.decode("utf-8", "replace")


def parts(text):
    """What was printed for each script, by its number."""
    said, number = {}, None
    for line in text.split("\n"):
        # Some solvers print an echo as it stands.
        if line.strip('"').startswith(MARK):
            line = line.strip('"')
            number = int(line[len(MARK) :])
            said[number] = []
        elif number is not None and line:
            said[number].append(line)
    return said


def wrapped(target, number, script):
    if target in DATABASES:
        before, after = (part.format(n=number) for part in DATABASES[target])
        return "%sselect '%s%d';\n%s%s" % (before, MARK, number, script, after)
    script = script.replace("(check-sat)\n", "")
    return '(echo "%s%d")\n%s(reset)\n' % (MARK, number, script)


def answers(target, scripts, lydite, folder):
    """What each script printed; None if it was not accepted."""
    argv, env = command(lydite, target)
    said, at = {}, 0
    while at < len(scripts):
        chunk = range(at, min(at + CHUNK, len(scripts)))
        text = "".join(wrapped(target, number, scripts[number]) for number in chunk)
        stdout, stderr = run(target, argv, env, text, folder)
        printed = parts(stdout)
        said.update(printed)
        last = max(printed, default=at)
        wrong = [n for n, lines in printed.items() if any("error" in line for line in lines)]
        if target in DATABASES and (stderr.strip() or last != chunk[-1]):
            wrong = [last]
        for number in wrong:
            said[number] = None
            print("  %s refuses %d: %s" % (target, number, (stderr or stdout).strip()[-300:]))
        # A database stops at what it refuses.
        at = last + 1 if target in DATABASES else chunk[-1] + 1
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("spec")
    parser.add_argument("-n", type=int, default=10_000)
    parser.add_argument("--height", type=int)
    parser.add_argument("--knobs")
    parser.add_argument("--target", action="append", help="in place of all of the language")
    parser.add_argument("--lydite", default="target/release/lydite")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "made")
        argv = [options.lydite, "generate", "spec", "-q", "-n", str(options.n), "-o", made]
        argv += ["--set", "spec=" + options.spec]
        argv += ["--set", "height=%d" % options.height] if options.height else []
        argv += ["--set", "knobs=" + options.knobs] if options.knobs else []
        subprocess.run(argv, check=True)
        paths = sorted(glob.glob(os.path.join(made, "*.sql")) + glob.glob(os.path.join(made, "*.smt2")))
        scripts = [open(path, encoding="utf-8").read() for path in paths]
        size = sum(map(len, scripts)) / max(1, len(scripts))
        print("%s: %d scripts, %.0f B on average" % (options.spec, len(scripts), size))
        targets = options.target or (list(DATABASES) if paths[0].endswith("sql") else SOLVERS)
        all_said = {}
        for target in targets:
            said = all_said[target] = answers(target, scripts, options.lydite, folder)
            accepted = sum(said.get(number) is not None for number in range(len(scripts)))
            print("  %-10s accepts %d of %d" % (target, accepted, len(scripts)))
            sys.stdout.flush()
        if targets[0] in DATABASES:
            differ = []
            for number in range(len(scripts)):
                votes = collections.Counter(str(said.get(number)) for said in all_said.values())
                if len(votes) > 1:
                    differ.append(number)
            print("  rows differ in %d scripts %s" % (len(differ), differ[:20]))


main()
