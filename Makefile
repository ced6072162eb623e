# Everything here works on a fresh Debian machine with cargo, python3 with pip
# and node with npm, as root or not.

.PHONY: demo test bench lint man

# Builds lydite, gets two old releases of z3, the newest z3 and cvc5, hunts, and
# ends with findings and a report. Exit code 10 of lydite means that something
# was found; the old releases have bugs, so anything else is a failure.
demo:
	@echo "demo 1/2: building lydite (the first time about four minutes on two cores)"
	cargo build --release --package lydite
	@echo "demo 2/2: getting four solvers (the first time, about 150 MB; seconds), hunting (about a minute; the first"
	@echo "          finding after some seconds), then making what was found small (two to three minutes)"
	target/release/lydite hunt --preset smt-old; code=$$?; \
	  [ $$code -eq 10 ] || { echo "demo: lydite ended with $$code, not with findings (10)"; exit 1; }

# Programs that only tests need (nats-server, chromium) are taken from the PATH,
# or from Debian's packages into target/debian, without root
# (scripts/debian-tool.sh).
# The tests install the real targets that they need into the cache of
# `lydite targets` ($$LYDITE_CACHE, $$XDG_CACHE_HOME/lydite or ~/.cache/lydite).
# Those of the whole program (crates/cli/tests/it) take two thirds of the time, so they run
# beside all others, whose output comes at the end: cargo runs one test program after the
# other, and the last test of each would leave cores idle. Some tests wait for processes, so
# one more runs than there are cores. Their files are on a RAM disk, if there is one.
test:
	@[ "$$(echo crates/*/tests/i*)" = crates/cli/tests/it ] || \
	  { echo "make test: by their names, only crates/cli/tests/it may begin with an i (see below)"; exit 1; }
	cargo test --workspace --lib --bins --tests --no-run
	@export TMPDIR=$$(scripts/scratch-folder.sh); log=$$TMPDIR/others; trap 'rm -rf "$$TMPDIR"' EXIT; \
	  RUST_TEST_THREADS=$$(nproc) cargo test --workspace --no-fail-fast --lib --bins --test '[!i]*' >$$log 2>&1 & others=$$!; \
	  RUST_TEST_THREADS=$$(($$(nproc) + 1)) cargo test --workspace --test it; whole=$$?; \
	  wait $$others; others=$$?; cat $$log; \
	  [ $$whole -eq 0 ] || echo "make test: tests of the whole program failed (see above the others)"; \
	  [ $$others -eq 0 ] || echo "make test: other tests failed"; \
	  [ $$whole -eq 0 ] && [ $$others -eq 0 ]

lint:
	scripts/words.py
	scripts/links.py
	scripts/sizes.py
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --quiet

bench:
	scripts/bench.sh

# Manual pages, into target/man.
man:
	cargo run --release --quiet --package lydite -- man target/man
