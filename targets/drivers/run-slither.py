"""slither with the solc that lies beside it, which npm publishes as JavaScript.

    run-slither.py SOLJSON [OPTION]... FILE            analyses FILE
    run-slither.py SOLJSON [OPTION]... FILE --serve
    run-slither.py SOLJSON --version

slither wants a command `solc`: a script of that name is put into the working
folder. A program that solc does not take is told by `Refused: MESSAGE`, an error
that slither does not catch by `Broken: FILE FUNCTION ERROR`, behind the usual
traceback: the last place that is slither's.

With --serve each line `MARK FOLDER` on standard input is a run in that folder,
whose end is told by `MARK STATUS` on both outputs. Each run is a child of a
process that has slither loaded, and the compiler is one process that stays: it
compiles before slither asks.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import traceback

import slither.__main__ as slither
from crytic_compile.platform.exceptions import InvalidCompilation

# What solc said of this program, if it was compiled before it was asked.
STATUS, SAID, MADE = "solc.status", "solc.said", "solc.made"

SOLC = """#!/bin/sh
case "$*" in *--version*) echo "Version: {version}"; exit;; esac
if [ -f {status} ]; then cat {said} >&2; cat {made}; exit "$(cat {status})"; fi
file=$1; shift
exec {node} --combined-json "$file"
"""


class Compiler:
    """solc, by way of the driver beside this one."""

    def __init__(self, soljson):
        driver = pathlib.Path(__file__).parent / "run-solc.js"
        self.node = ["node", "--no-warnings", "--stack-size=7000", str(driver), soljson]
        package = pathlib.Path(soljson).parent / "package.json"
        self.version = re.match(r"[0-9.]+", json.loads(package.read_text())["version"])[0]
        self.process = None

    def place(self):
        """Puts the command into the working folder."""
        text = SOLC.format(version=self.version, status=STATUS, said=SAID, made=MADE, node=shlex.join(self.node))
        pathlib.Path("solc").write_text(text)
        os.chmod("solc", 0o755)

    def compile(self, file, mark, folder):
        """Compiles ahead; whatever goes wrong is left to the command."""
        if self.process is None:
            words = [*self.node, "--combined-json", "-o", MADE, file, "--serve"]
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT)
        try:
            self.process.stdin.write(f"{mark} {folder}\n".encode())
            self.process.stdin.flush()
            said, status = self.answer(mark.encode())
        except BrokenPipeError:
            status = None
        if status is None:
            self.process.wait()
            self.process = None
            return
        pathlib.Path(MADE).touch()
        pathlib.Path(SAID).write_bytes(said)
        pathlib.Path(STATUS).write_bytes(status)

    def answer(self, mark):
        """What it says until both of its outputs have ended, and the status."""
        said, ended = b"", 0
        for line in self.process.stdout:
            words = line.split()
            if words[:1] != [mark]:
                said += line
                continue
            ended += 1
            if ended == 2:
                return said, words[1]
        return said, None


def analyse(words):
    """Runs slither to its end; gives its status."""
    # Findings are no error.
    sys.argv = ["slither", "--solc", "./solc", "--no-fail-pedantic", "--disable-color", *words]
    try:
        slither.main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    except InvalidCompilation as refused:
        print(f"Refused: {refused}", file=sys.stderr)
        return 1
    except Exception as error:
        traceback.print_exc()
        print("Broken:", *place_of(error), type(error).__name__, file=sys.stderr)
        return 1
    return 0


def place_of(error):
    """The file and function in which slither was last."""
    root = str(pathlib.Path(slither.__file__).parents[1]) + os.sep
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(root) and frame.filename != __file__]
    return (own[-1].filename.removeprefix(root), own[-1].name) if own else ()


def run_in_child(words):
    child = os.fork()
    if child == 0:
        status = analyse(words)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status & 255)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def serve(compiler, words):
    for line in sys.stdin:
        mark, folder = line.rstrip("\n").split(" ", 1)
        os.chdir(folder)
        compiler.place()
        compiler.compile(words[-1], mark, folder)
        status = run_in_child(words)
        if status < 0:
            # It died by a signal, and so does this.
            os.kill(os.getpid(), -status)
        for output in (sys.stdout, sys.stderr):
            print(mark, status, file=output, flush=True)


def main():
    soljson, *words = sys.argv[1:]
    if words == ["--version"]:
        sys.argv = ["slither", *words]
        slither.main()
        return
    compiler = Compiler(soljson)
    if words[-1] == "--serve":
        serve(compiler, words[:-1])
        return
    compiler.place()
    sys.exit(analyse(words))


main()
