"""slither with the solc that lies beside it: see analysers.py.

slither wants a command `solc`: a script of that name, which tells what solc made, is
put into the working folder. A program that solc does not take is told by `Refused: MESSAGE`.
"""

import os
import pathlib
import sys

import analysers
import slither.__main__ as slither
from crytic_compile.platform.exceptions import InvalidCompilation

SAID = "solc.said"
SOLC = """#!/bin/sh
case "$*" in *--version*) echo "Version: {version}"; exit;; esac
cat {said} >&2; cat {made}; exit {status}
"""


def place(compiler, status, said):
    """Puts the command into the working folder."""
    pathlib.Path(SAID).write_text(said)
    text = SOLC.format(version=compiler.version, status=status, said=SAID, made=analysers.MADE)
    pathlib.Path("solc").write_text(text)
    os.chmod("solc", 0o755)


def analyse(words, compiler, status, said):
    """Runs slither to its end; gives its status."""
    place(compiler, status, said)
    # Findings are no error.
    sys.argv = ["slither", "--solc", "./solc", "--no-fail-pedantic", "--disable-color", *words]
    try:
        slither.main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    except InvalidCompilation as error:
        return analysers.refused(error)
    except Exception as error:
        return analysers.broken(error, slither)
    return 0


def print_version():
    sys.argv = ["slither", "--version"]
    slither.main()


analysers.main("--combined-json", analyse, print_version)
