#!/usr/bin/env python3
"""Two workers against two threads, with targets that take 10 ms.

    scripts/efficiency.py --bin target/release --cases 1000 --rounds 3

Does the same campaign by `hunt -j2` and by a hunt with two workers of one hand
each, in turn, and prints one JSON object with cases per second. Needs a machine
with little else to do.
"""

import argparse
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = """family = "nap"
language = "smtlib"
about = "takes 10 ms"
[[get]]
from = "system"
commands = ["sleep"]
[run]
file = "case.smt2"
[[run.step]]
argv = ["{bin}", "0.01"]
[read]
kind = "accepted"
[version]
argv = ["{bin}", "--version"]
pattern = '\\) (\\S+)'
[smoke]
program = "(check-sat)"
expect = "accepted"
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--bin", default=ROOT / "target/release", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    place = pathlib.Path(tempfile.mkdtemp(prefix="lydite-efficiency-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (place / "seeds").mkdir()
    (place / "seeds/a.smt2").write_text("(check-sat)\n")
    (place / "nap.toml").write_text(TARGET)
    (place / "plan.toml").write_text(
        f'targets = ["nap"]\ntarget-files = ["nap.toml"]\ncases = {args.cases}\nmode = "sample"\n'
        '[[strategy]]\nname = "files"\nseeds = ["seeds"]\n')
    (place / "nats.conf").write_text(
        f'listen: "127.0.0.1:{port}"\njetstream {{ store_dir: "{place}/jetstream" }}\n')
    env = dict(os.environ, PATH=f"{args.bin.resolve()}:{os.environ['PATH']}")
    url = f"nats://127.0.0.1:{port}"
    server = subprocess.check_output(
        [ROOT / "scripts/debian-tool.sh", "nats-server", "usr/sbin/nats-server"], text=True)

    def start(*words):
        return subprocess.Popen(words, cwd=place, env=env, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    others = [start(server.strip(), "-c", "nats.conf")]
    others += [start("lydite", "worker", url, "-j", "1") for _ in range(2)]
    rates = {"threads": [], "workers": []}
    try:
        for number in range(args.rounds):
            for who, more in [("threads", ["-j", "2"]), ("workers", ["--cluster", url])]:
                out = f"{who}-{number}"
                ran = subprocess.run(["lydite", "hunt", "plan.toml", "-o", out, "-q", *more],
                                     cwd=place, env=env, stdout=subprocess.DEVNULL)
                assert ran.returncode == 0, who
                # From the first stored case to the last: what is done before
                # and after does not grow with the campaign.
                report = json.loads(subprocess.check_output(
                    ["lydite", "report", out, "--json"], cwd=place, env=env))
                assert report["totals"]["cases"] == args.cases
                rates[who].append(args.cases / span(report["pace"]))
        result = {"cases": args.cases}
        for who, seen in rates.items():
            result[f"{who}_per_s"] = round(statistics.median(seen), 1)
        result["efficiency"] = round(result["workers_per_s"] / result["threads_per_s"], 3)
        print(json.dumps(result))
    finally:
        for process in others:
            process.kill()
            process.wait()
        shutil.rmtree(place)


def span(pace):
    """Seconds from the beginning of the first process to the end of the last."""
    begun = min(session["started_ms"] for session in pace)
    ended = max(session["started_ms"] + 1000 * session["wall_s"] for session in pace)
    return (ended - begun) / 1000


if __name__ == "__main__":
    main()
