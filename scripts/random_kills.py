#!/usr/bin/env python3
"""Kills each command that writes with SIGKILL at random instants, does it again, and
compares what is there then with what a run gives that nobody disturbed: counts,
findings, every byte of their folders, and that nothing is left over.

    cargo build -p lydite -p lydite-zoo
    scripts/random_kills.py --rounds 20 --seed 1

The kill suite (`crates/cli/tests/it/kills.rs`) does the same at every step that we
know of; this looks for those that we do not. Ends with 0 if nothing was lost.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ZOO = str(ROOT / "crates/zoo/targets")
SEEDS = [
    "(declare-const a Bool)(declare-const b Bool)(assert (distinct a b a))(check-sat)",
    "(declare-const a Bool)(assert (let ((a (not a))) (and a (xor a a))))(check-sat)",
    "(declare-const a Bool)(declare-const b Bool)(assert (=> a b a))(assert (ite a b a))(check-sat)",
    "(declare-const a Bool)(declare-const b Bool)(assert (= a b (not a)))(check-sat)",
]
HUNT = ["hunt", "-t", "zoo-solver:all", "-t", "zoo-solver", "--seeds", "seeds",
        "--target-files", ZOO, "-j", "2", "-q", "-o", "out"]
# A command, and the folder that it begins with.
COMMANDS = [
    (HUNT, None),
    (HUNT + ["--reduce", "1m"], None),
    (["reduce", "out", "--target-files", ZOO, "-j", "2", "-q"], "begun"),
    (["bisect", "out", "--target-files", ZOO, "-q"], "begun"),
    (["dedup", "out", "--target-files", ZOO, "-q"], "begun"),
    (["report", "out", "-q"], "begun"),
    (["merge", "begun", "begun", "-o", "out", "-q"], None),
    (["evolve", "--target-files", ZOO, "-o", "out", "-q", "--targets", "zoo-solver@*",
      "--seeds", "seeds", "-j", "1"], None),
]


class Scene:
    def __init__(self, args):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="lydite-kills-"))
        self.lydite = args.bin / "lydite"
        self.env = dict(os.environ, PATH=f"{args.bin}:{os.environ['PATH']}",
                        XDG_CONFIG_HOME=str(self.place / "config"))
        (self.place / "seeds").mkdir()
        for number in range(args.cases):
            text = SEEDS[number % len(SEEDS)]
            (self.place / f"seeds/{number:04}.smt2").write_text(f"{text}\n; {number}\n")

    def prepare(self, begun):
        shutil.rmtree(self.place / "out", ignore_errors=True)
        if begun:
            shutil.copytree(self.place / begun, self.place / "out")

    def start(self, args):
        return subprocess.Popen([self.lydite, *args], cwd=self.place, env=self.env,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE)

    def finish(self, args):
        child = self.start(args)
        errors = child.communicate()[1].decode()
        if child.returncode not in (0, 10):
            return f"{args[0]} ends with {child.returncode}: {errors.strip()[-500:]}"
        return None

    def left(self):
        """All names, and what does not depend on the clock."""
        out, files = self.place / "out", {}
        for path in sorted(out.rglob("*")):
            name = str(path.relative_to(out))
            inside = name.startswith(("findings/", "contested/", "triggers/"))
            files[name] = path.read_bytes() if path.is_file() and inside else b""
        report = out / "report.json"
        if report.exists():
            facts = json.loads(report.read_text())
            facts["totals"].pop("times")
            for key in ("when", "pace"):
                facts.pop(key, None)
            files["report.json"] = json.dumps(facts, sort_keys=True).encode()
        return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=ROOT / "target/debug", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=20, help="kills of each command")
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    dice, scene, wrong = random.Random(args.seed), Scene(args), 0
    scene.prepare(None)
    trouble = scene.finish(HUNT)
    if trouble:
        sys.exit(trouble)
    (scene.place / "out").rename(scene.place / "begun")
    for command, begun in COMMANDS:
        scene.prepare(begun)
        began = time.monotonic()
        trouble = scene.finish(command)
        if trouble:
            sys.exit(trouble)
        took, calm, killed = time.monotonic() - began, scene.left(), 0
        for _ in range(args.rounds):
            scene.prepare(begun)
            # Up to three kills, one after the other.
            for _ in range(dice.randint(1, 3)):
                child = scene.start(command)
                time.sleep(dice.random() * took)
                child.kill()
                child.communicate()
                killed += child.returncode < 0
            trouble = scene.finish(command)
            left = scene.left()
            if trouble is None and left != calm:
                names = [n for n in sorted({*left, *calm}) if left.get(n) != calm.get(n)]
                trouble = f"{command[0]} left something else in {names[:5]}"
            if trouble:
                wrong += 1
                print(trouble)
        words = " ".join(command[:1] + [w for w in command if w == "--reduce"])
        print(f"{words}: {args.rounds} rounds, {killed} kills, {took:.1f} s undisturbed")
    if wrong == 0:
        shutil.rmtree(scene.place)
    else:
        print(f"kept for a look: {scene.place}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
