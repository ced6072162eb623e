#!/usr/bin/env python3
"""What databases do with constructs that their target files say they lack: refuse them, or take
them and mean something else. The second belongs in `differs` of the target file: such a construct
is never put to that database beside others.

    scripts/dialects.py [-n SCRIPTS] [--height H] [--seed S] [--word WORD]... [--lydite PATH] TARGET...

For each word, scripts have what the database has, and the word; another database that has all of it
says what they should print. Those in which the database fails, not with a refusal, or prints other rows are told. A
line `-` is for scripts without any further word: what differs there is no matter of dialect.
"""

import argparse
import glob
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location("accept", os.path.join(HERE, "accept.py"))
accept = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(accept)

# Who is asked what a script should print: the first that has its constructs.
REFERENCES = ["pglite", "duckdb", "apsw", "mariadb:innodb"]


def scripts(options, lacks, folder):
    argv = [options.lydite, "generate", "spec", "-q", "-n", str(options.n), "--seed", str(options.seed), "-o", folder]
    argv += ["--set", "spec=sql", "--set", "texts=none", "--set", "height=%d" % options.height]
    subprocess.run([*argv, "--set", "lacks=" + ",".join(sorted(lacks))], check=True)
    paths = sorted(glob.glob(os.path.join(folder, "*.sql")))
    return {number: open(path, encoding="utf-8").read() for number, path in enumerate(paths)}


REFUSED, FAILED = "refused", "failed"


def refusals(target):
    """What the target file takes for a refusal; Rust's names of groups are not Python's."""
    rules = accept.target_file(target)["read"]
    return [re.compile(rule.replace("(?<", "(?P<")) for rule in rules["unsupported"] + rules["rejected"]]


def said(target, processor, programs, folder):
    """What each script printed, or how it ended."""
    rules, answers, left = refusals(target), {}, sorted(programs)
    while left:
        stdout, _ = processor.say([(number, programs[number]) for number in left], folder)
        for number, lines in accept.parts(stdout).items():
            told = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
            parts = [part for line in told for part in [line, *line.split(" / ")]]
            refused = any(rule.search(part) for rule in rules for part in parts)
            answers[number] = (REFUSED if refused else FAILED) if told else lines
        left = [number for number in left if number not in answers]
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("target", nargs="+")
    parser.add_argument("-n", type=int, default=30)
    parser.add_argument("--height", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--word", action="append")
    parser.add_argument("--lydite", default="target/release/lydite")
    options = parser.parse_args()
    processors = {}

    def processor(name):
        if name not in processors:
            processors[name] = accept.Served(options.lydite, name)
        return processors[name]

    for target in options.target:
        lacks = set(accept.lacking(target))
        for word in ["-", *(options.word or sorted(lacks))]:
            known = [one for one in REFERENCES if word not in accept.lacking(one) and one != target]
            if not known:
                print("%-16s %-18s no other database has it" % (target, word))
                continue
            with tempfile.TemporaryDirectory() as folder:
                made = scripts(options, lacks - {word} | set(accept.lacking(known[0])), os.path.join(folder, "made"))
                ours = said(target, processor(target), made, folder)
                theirs = said(known[0], processor(known[0]), made, folder)
            fine = [number for number in made if isinstance(theirs[number], list) and ours[number] != REFUSED]
            failed = [number for number in fine if ours[number] == FAILED]
            other = [number for number in fine if ours[number] not in (FAILED, theirs[number])]
            refused = sum(answer == REFUSED for answer in ours.values())
            same = len(fine) - len(failed) - len(other)
            print("%-16s %-18s %-16s refused %3d, the same %3d, failed %3d, other rows %3d %s" % (
                target, word, known[0], refused, same, len(failed), len(other), (failed + other)[:6]))
            sys.stdout.flush()


main()
