#!/usr/bin/env bash
# What Csmith makes per CPU second, in the columns of bench_spec as far as it has
# them: csmith.sh [SECONDS]. The package is unpacked into a folder of its own.
set -euo pipefail
seconds=${1:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
csmith=$(command -v csmith || true)
if [ -z "$csmith" ]; then
    (cd "$work" && apt-get -qq download csmith 2>/dev/null && dpkg-deb -x csmith_*.deb root) || {
        echo "csmith: not there, and apt does not have it" >&2
        exit 1
    }
    csmith=$work/root/usr/bin/csmith
fi
# It leaves a platform.info where it runs.
cd "$work"
python3 - "$csmith" "$seconds" <<'END'
import resource, statistics, subprocess, sys

csmith, seconds = sys.argv[1], float(sys.argv[2])


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


sizes, seed = [], 0
while cpu() < seconds:
    made = subprocess.run([csmith, "--seed", str(seed)], capture_output=True)
    seed += 1
    if made.returncode == 0:
        sizes.append(len(made.stdout))
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(
    "csmith               %10.1f %6.0f %9s %9.0f %9.0f %10d   (most memory: %d KB)"
    % (
        len(sizes) / cpu(),
        sum(sizes) / 1000 / cpu(),
        "",
        statistics.median(sizes),
        statistics.mean(sizes),
        max(sizes),
        memory,
    )
)
END
