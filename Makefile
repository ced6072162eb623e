# Everything here works on a fresh Debian machine with cargo, python3 with pip
# and node with npm, as root or not.

.PHONY: demo test bench lint

# Gets an old z3, the newest z3 and cvc5, hunts, and ends with a report.
# Exit code 10 means that something was found.
demo:
	cargo run --release --package lydite -- hunt --preset smt-old || [ $$? -eq 10 ]

# Programs that only tests need (nats-server, chromium) are taken from the PATH,
# or from Debian's packages into target/debian, without root
# (scripts/debian-tool.sh).
# The tests install the real targets that they need into the cache of
# `lydite targets` ($$LYDITE_CACHE, $$XDG_CACHE_HOME/lydite or ~/.cache/lydite).
test:
	cargo test --workspace

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --quiet

bench:
	scripts/bench.sh
