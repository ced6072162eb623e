#!/usr/bin/env python3
"""How long the list of findings takes to answer with very many of them.

    scripts/pages.py --bin target/release --findings 100000

Hunts in the zoo for a real campaign, adds made-up symptoms to its store, serves
it and asks for pages. Prints one JSON object: for each page the median of 20
requests in milliseconds, each over a new connection, and the server's CPU
milliseconds per request.
"""

import argparse
import json
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ["crash", "disagreement", "invalid-model", "refutation-unsound"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--bin", default=ROOT / "target/release", type=pathlib.Path)
    parser.add_argument("--findings", type=int, default=100_000)
    args = parser.parse_args()
    place = pathlib.Path(tempfile.mkdtemp(prefix="lydite-pages-"))
    env = dict(os.environ, PATH=f"{args.bin.resolve()}:{os.environ['PATH']}")
    try:
        (place / "seeds").mkdir()
        (place / "seeds/a.smt2").write_text("(declare-const p Bool)(assert p)(check-sat)\n")
        subprocess.run(["lydite", "hunt", "-t", "zoo-solver", "--seeds", "seeds", "--target-files",
                        ROOT / "crates/zoo/targets", "-o", "out", "-q"], cwd=place, env=env,
                       stdout=subprocess.DEVNULL, check=True)
        fill(place / "out/campaign.sqlite", args.findings)
        serve = subprocess.Popen(["lydite", "serve", "out", "--listen", "127.0.0.1:0"], cwd=place,
                                 env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 text=True)
        try:
            url = serve.stdout.readline().strip()
            pages = {
                "first": "c/out/findings",
                "last": f"c/out/findings?page={args.findings // 50}",
                "kind": "c/out/findings?kind=crash&page=100",
                "text": "c/out/findings?q=site+99",
                "count": "c/out/findings?order=count",
                "latest": "c/out/findings?order=latest&page=500",
                "api": "api/campaigns/out/findings?page=1000",
                "campaign": "c/out",
                "campaigns": "",
            }
            print(json.dumps({"findings": args.findings} |
                             {name: measure(url + path, serve.pid) for name, path in pages.items()}))
        finally:
            serve.terminate()
            serve.wait()
    finally:
        shutil.rmtree(place)


def fill(path, count):
    store = sqlite3.connect(path)
    with store:
        for number in range(1, count + 1):
            kind = KINDS[number % len(KINDS)]
            store.execute("INSERT INTO cases VALUES (?, 0, ?, NULL, 0, x'')", (number, number % 997))
            # Every tenth finding has a second case.
            for case in [number] + ([number - 1] if number % 10 == 0 else []):
                store.execute(
                    "INSERT INTO symptoms VALUES (?, ?, ?, ?, ?, '', 0, ?, ?, NULL, 3, 3)",
                    (case, number - case, f'v1 {kind} zoo-solver site="site {number}"', kind,
                     "zoo-solver@0.1.0", f"made up number {number}", number % 997))
    store.close()


def measure(url, server):
    times, before = [], cpu_ms(server)
    for _ in range(20):
        began = time.perf_counter()
        with urllib.request.urlopen(url) as answer:
            answer.read()
        times.append(1000 * (time.perf_counter() - began))
    return {"ms": round(statistics.median(times), 1),
            "cpu_ms": round((cpu_ms(server) - before) / 20, 1)}


def cpu_ms(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
