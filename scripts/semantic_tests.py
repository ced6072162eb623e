#!/usr/bin/env python3
"""Holds the interpreter of Solidity to the semantic tests of solc.

Gets the crate solang-parser 0.2.1, which ships them, into a temporary folder by
`cargo vendor`, and runs `crates/solidity/examples/semantic_tests.rs` on them.
Further arguments go there: `wrong` shows what is wrong. Ends with 1 if any call
is.
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFEST = """[package]
name = "tests-of-others"
version = "0.0.0"
edition = "2021"
[dependencies]
solang-parser = "=0.2.1"
"""
TESTS = "vendor/solang-parser/testdata/solidity/test/libsolidity/semanticTests"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "src").mkdir()
        (folder / "src/lib.rs").write_text("")
        (folder / "Cargo.toml").write_text(MANIFEST)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["cargo", "vendor", "--quiet", "vendor"], cwd=folder, check=True, **quiet)
        run = ["cargo", "run", "--quiet", "-p", "lydite-solidity", "--example", "semantic_tests", "--"]
        done = subprocess.run([*run, str(folder / TESTS), *sys.argv[1:]], cwd=ROOT, check=False)
    sys.exit(done.returncode)


main()
