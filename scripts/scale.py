#!/usr/bin/env python3
"""What the queue and the coordinator can bear: many fake workers, a real NATS
server, the real coordinator and store (docs/scale.md).

    cargo build --release -p lydite-cluster --example simulate
    scripts/scale.py --workers 1000 --cases 1000000              as fast as it goes
    scripts/scale.py --workers 1000 --cases 500000 --case-us 40000   at a given pace

Prints one JSON object. CPU seconds are what to go by: the cores are shared.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--bin", default=ROOT / "target/release/examples/simulate")
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--case-us", type=int, default=0)
    args = parser.parse_args()
    place = pathlib.Path(tempfile.mkdtemp(prefix="lydite-scale-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (place / "nats.conf").write_text(
        f'listen: "127.0.0.1:{port}"\njetstream {{ store_dir: "{place}/jetstream" }}\n')
    server = subprocess.check_output(
        [ROOT / "scripts/debian-tool.sh", "nats-server", "usr/sbin/nats-server"], text=True)
    nats = subprocess.Popen([server.strip(), "-c", place / "nats.conf"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    workers = []
    try:
        url = f"nats://127.0.0.1:{port}"
        for number in range(args.processes):
            count = args.workers // args.processes + (number < args.workers % args.processes)
            workers.append(subprocess.Popen([args.bin, "work", url, str(count), str(args.case_us)],
                                            stdout=subprocess.DEVNULL))
        result = json.loads(subprocess.check_output(
            [args.bin, "coordinate", url, place / "run", str(args.cases)],
            stderr=subprocess.DEVNULL))
        millions = result["cases"] / 1e6
        result["fake_workers"] = args.workers
        result["case_us"] = args.case_us
        result["cases_per_s"] = round(result["cases"] / result["wall_s"])
        store = place / "run/campaign"
        size = sum(path.stat().st_size for path in store.glob("campaign.sqlite*"))
        result["store_bytes_per_case"] = round(size / result["cases"], 1)
        result["cpu_s_per_million_cases"] = {
            "coordinator": round(result.pop("coordinator_cpu_s") / millions, 2),
            "nats": round(cpu(nats.pid) / millions, 2),
            "workers": round(sum(cpu(worker.pid) for worker in workers) / millions, 2),
        }
        result["nats_peak_mb"] = peak_mb(nats.pid)
        print(json.dumps(result))
    finally:
        for process in [*workers, nats]:
            process.send_signal(signal.SIGKILL)
            process.wait()
        shutil.rmtree(place)


def cpu(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def peak_mb(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) // 1024


if __name__ == "__main__":
    main()
