#!/usr/bin/env python3
"""Kills workers, the coordinator and the NATS server at random while they do a
campaign over the zoo, then compares the result with that of one process that
nobody disturbed.

    cargo build -p lydite -p lydite-zoo
    scripts/chaos.py --seconds 600 --cases 20000 --seed 1

The same seed gives the same campaign and the same plan of kills; when each
kill hits is up to the machine. Ends with 0 if both results are the same.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = ["a", "b", "c", "d", "e", "f"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=ROOT / "target/debug", type=pathlib.Path,
                        help="where lydite and the zoo are")
    parser.add_argument("--seconds", type=float, default=600, help="how long things are killed")
    parser.add_argument("--cases", type=int, default=20000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lease", default="3s")
    args = parser.parse_args()
    place = pathlib.Path(tempfile.mkdtemp(prefix="lydite-chaos-"))
    scene = Scene(args, place)
    try:
        scene.write_seeds()
        scene.disturbed()
        scene.undisturbed()
        same = scene.compare()
    finally:
        scene.end_all()
    if same:
        shutil.rmtree(place)
    else:
        print(f"kept for a look: {place}")
    sys.exit(0 if same else 1)


class Scene:
    def __init__(self, args, place):
        self.args = args
        self.place = place
        self.random = random.Random(args.seed)
        self.running = {}
        self.kills = {}
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.env = dict(os.environ, PATH=f"{pathlib.Path(args.bin).resolve()}:{os.environ['PATH']}",
                        XDG_CONFIG_HOME=str(place / "config"))
        tool = ROOT / "scripts/debian-tool.sh"
        self.nats = subprocess.check_output(
            [tool, "nats-server", "usr/sbin/nats-server"], text=True).strip()
        config = f'listen: "127.0.0.1:{self.port}"\njetstream {{ store_dir: "{place}/jetstream" }}\n'
        (place / "nats.conf").write_text(config)

    def write_seeds(self):
        """Formulas over Bool in which every operator of the zoo occurs."""
        folder = self.place / "seeds"
        folder.mkdir()
        for number in range(60):
            lines = ["(set-logic QF_UF)"] + [f"(declare-const {n} Bool)" for n in NAMES]
            for _ in range(self.random.randint(1, 4)):
                lines.append(f"(assert {self.term(self.random.randint(1, 4))})")
            (folder / f"{number:03}.smt2").write_text("\n".join(lines + ["(check-sat)", ""]))

    def term(self, depth):
        if depth == 0 or self.random.random() < 1 / 7:
            return self.random.choice(NAMES + ["true"])
        operator = self.random.choice(["not", "xor", "and", "or", "=>", "ite", "=", "distinct"])
        count = {"not": 1, "ite": 3}.get(operator, 2)
        return f"({operator} {' '.join(self.term(depth - 1) for _ in range(count))})"

    def hunt(self, output, more):
        return ["lydite", "hunt", "-t", "zoo-solver:all", "-t", "zoo-solver",
                "--strategy", "operators", "--schedule", "fixed", "--seeds", "seeds", "--cases", str(self.args.cases),
                "--target-files", str(ROOT / "crates/zoo/targets"), "-o", output, *more]

    def command(self, who):
        url = f"nats://127.0.0.1:{self.port}"
        if who == "nats":
            return [self.nats, "-c", "nats.conf"]
        if who == "coordinator":
            return self.hunt("cluster", ["--cluster", url, "--lease", self.args.lease])
        return ["lydite", "worker", url, "-j", "1", "--name", who]

    def start(self, who):
        log = open(self.place / f"{who}.log", "ab")
        self.running[who] = subprocess.Popen(
            self.command(who), cwd=self.place, env=self.env, stdin=subprocess.DEVNULL,
            stdout=log, stderr=log)

    def disturbed(self):
        workers = [f"worker-{number}" for number in range(self.args.workers)]
        for who in ["nats", "coordinator", *workers]:
            self.start(who)
        began = time.monotonic()
        while self.running["coordinator"].poll() is None:
            if time.monotonic() - began < self.args.seconds:
                who = self.random.choices(
                    ["worker", "coordinator", "nats"], weights=[6, 2, 2])[0]
                if who == "worker":
                    who = self.random.choice(workers)
                pause, away = self.random.uniform(0.2, 2), self.random.uniform(0, 1.5)
                if self.waited(pause):
                    break
                self.kill(who)
                time.sleep(away)
                self.start(who)
            elif self.waited(5):
                break
        code = self.running["coordinator"].returncode
        took = time.monotonic() - began
        kills = ", ".join(f"{who} {count}" for who, count in sorted(self.kills.items()))
        print(f"disturbed: {took:.0f} s, exit {code}, killed: {kills}", flush=True)
        if code not in (0, 10):
            print((self.place / "coordinator.log").read_text()[-4000:])
        self.end_all()

    def waited(self, seconds):
        """True if the campaign ended meanwhile."""
        try:
            self.running["coordinator"].wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def kill(self, who):
        process = self.running[who]
        process.send_signal(signal.SIGKILL)
        process.wait()
        kind = who.split("-")[0]
        self.kills[kind] = self.kills.get(kind, 0) + 1

    def undisturbed(self):
        began = time.monotonic()
        with open(self.place / "alone.log", "wb") as log:
            ran = subprocess.run(self.hunt("alone", []), cwd=self.place, env=self.env,
                                 stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        print(f"undisturbed: {time.monotonic() - began:.0f} s, exit {ran.returncode}", flush=True)

    def essence(self, output):
        """All that must not depend on how a campaign was run."""
        report = json.loads(subprocess.check_output(
            ["lydite", "report", output, "--json"], cwd=self.place, env=self.env))
        report["totals"].pop("times")
        kept = {key: report[key] for key in ["totals", "findings", "discovery"]}
        folder = self.place / output / "findings"
        files = {str(path.relative_to(folder)): path.read_bytes()
                 for path in sorted(folder.rglob("*")) if path.is_file()}
        return kept, files

    def compare(self):
        cluster, alone = self.essence("cluster"), self.essence("alone")
        totals = cluster[0]["totals"]
        print(f"{totals['cases']} cases, {totals['runs']} runs, "
              f"{len(cluster[0]['findings'])} findings, {len(cluster[1])} files of findings")
        for key in ["totals", "findings", "discovery"]:
            if cluster[0][key] != alone[0][key]:
                print(f"{key} differ")
        for path in sorted(set(cluster[1]) | set(alone[1])):
            if cluster[1].get(path) != alone[1].get(path):
                print(f"{path} differs")
        same = cluster == alone and totals["cases"] == self.args.cases
        print("the same result" if same else "NOT the same result")
        return same

    def end_all(self):
        for who, process in self.running.items():
            if process.poll() is None:
                process.kill()
                process.wait()
        self.running = {}


if __name__ == "__main__":
    main()
