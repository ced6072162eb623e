#!/usr/bin/env bash
# Speed, as ratios within one run. Nothing here is a test.
#
# REDUCERS=all compares reducers on the whole corpus of findings (hours), and
# not only on the first hunt's.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release --quiet --workspace --bins --examples
bin=$PWD/target/release

echo "== one run of a 1 ms target through the lab, beside a bare spawn and wait"
"$bin/examples/bench_spawn"

echo
echo "== reading, typing and printing SMT-LIB, beside yaspar"
"$bin/examples/bench_syntax"

echo
echo "== programs of grammars: walking from the smallest on, random access near index 10^300"
"$bin/examples/bench_enumerate"

echo
echo "== programs of specs per CPU second, beside what StarSmith made on such a machine"
"$bin/examples/bench_spec"
scripts/csmith.sh 20

echo
echo "== skeletons: patterns of variable use walked, rendered, counted and drawn"
"$bin/examples/bench_skeleton"

echo
echo "== Solidity templates and their programs, beside what ERWIN made on such a machine"
"$bin/examples/bench_template"

echo
echo "== Solidity contracts of known behaviour: made; compiled, deployed and exercised"
"$bin/examples/bench_behaviour"
scripts/behaviour.py

echo
echo "== the whole loop with an instant target"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/seeds"
for i in $(seq 3000); do
    echo "(declare-const a Bool)(assert a)(check-sat) ; $i" >"$work/seeds/$i.smt2"
done
PATH=$bin:$PATH "$bin/lydite" hunt --quiet --json -t zoo-solver --seeds "$work/seeds" \
    --target-files crates/zoo/targets -o "$work/out" |
    python3 -c 'import json, sys
s = json.load(sys.stdin)
print("%.0f cases/s; share of CPU time: making %.1f %%, targets %.1f %%, judging %.1f %%" % (
    s["cases"] / s["wall_s"], *(100 * s["share"][k] for k in ("make", "run", "judge"))))'

echo
echo "== many programs in one process (small ones, where starting is most of the cost)"
"$bin/lydite" targets install --quiet z3@5.4.0 cvc5@1.4.2
"$bin/lydite" generate enumerate --set grammar=ints -n 200 --from 2000 -o "$work/ints" --quiet
"$bin/examples/bench_warm" "$work/ints" z3@5.4.0 cvc5@1.4.2

echo
echo "== mutants per CPU second of the tool, beside yinyang (installed with pip)"
scripts/peers.py speed --for 20

echo
echo "== findings reduced, beside ddSMT (installed with pip) and C-Vise (unpacked from Debian), with the same tests"
if [ "${REDUCERS:-}" = all ]; then
    scripts/reducers.py corpus
    scripts/reducers.py corpus --language c
    scripts/reducers.py compare target/reducers --cores
    scripts/reducers.py compare target/reducers-c --cores --for 600
else
    scripts/reducers.py corpus --hunts 1 2>/dev/null
    scripts/reducers.py corpus --hunts 1 --language c 2>/dev/null
    scripts/reducers.py compare target/reducers --cores --limit 8 --for 60
    scripts/reducers.py compare target/reducers-c --cores --limit 3 --for 60
fi
