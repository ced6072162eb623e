"""What drivers of analysers in Python share: how they stay and answer requests, and
the solc that lies beside them, which npm publishes as JavaScript.

    DRIVER SOLJSON [OPTION]... FILE            analyses FILE
    DRIVER SOLJSON [OPTION]... FILE --serve
    DRIVER SOLJSON --version

FILE is compiled before the analyser asks for it. An error that the analyser does not
catch is told by `Broken: FILE FUNCTION ERROR`, behind the usual traceback: the last
place that is its own.

With --serve each line `MARK FOLDER` on standard input is a run in that folder,
whose end is told by `MARK STATUS` on both outputs. Each run is a child of a
process that has the analyser loaded, and the compiler is one process that stays.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import traceback

# What the compiler makes, in the working folder.
MADE = "solc.made"


class Compiler:
    """solc, by way of its driver beside this file; `form` says what it makes."""

    def __init__(self, soljson, form):
        driver = pathlib.Path(__file__).parent / "run-solc.js"
        self.words = ["node", "--no-warnings", "--stack-size=7000", str(driver), soljson, form, "-o", MADE]
        package = pathlib.Path(soljson).parent / "package.json"
        self.version = re.match(r"[0-9.]+", json.loads(package.read_text())["version"])[0]
        self.process = None

    def compile(self, file, mark=None, folder=None):
        """Compiles in the working folder: the status, and what was said. With a mark, by
        the process that stays; if that breaks down, once more by another."""
        status = None
        if mark is not None:
            said, status = self.ask(file, mark, folder)
        if status is None:
            done = subprocess.run([*self.words, file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            said, status = done.stdout, done.returncode
        pathlib.Path(MADE).touch()
        return status, said.decode(errors="replace")

    def ask(self, file, mark, folder):
        if self.process is None:
            self.process = subprocess.Popen([*self.words, file, "--serve"], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            self.process.stdin.write(f"{mark} {folder}\n".encode())
            self.process.stdin.flush()
            said, status = self.answer(mark.encode())
        except BrokenPipeError:
            said, status = b"", None
        if status is None:
            self.process.wait()
            self.process = None
        return said, status

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
                return said, int(words[1])
        return said, None


def broken(error, package, passing=()):
    """Tells of an error that came out of a package; gives the status. Files of `passing` only
    pass on what others ask of them."""
    root = str(pathlib.Path(package.__file__).parents[1]) + os.sep
    traceback.print_exc()
    frames = traceback.extract_tb(error.__traceback__)
    places = [(frame.filename.removeprefix(root), frame.name) for frame in frames if frame.filename.startswith(root)]
    name = package.__name__.split(".")[0]
    own = [place for place in places if place[0].startswith(name) and place[0] not in passing]
    print("Broken:", *(own[-1] if own else ()), type(error).__name__, file=sys.stderr)
    return 1


def refused(said):
    """Tells that there is nothing to analyse; gives the status."""
    print("Refused:", " ".join(str(said).split("\n")), file=sys.stderr)
    return 1


def run_in_child(run):
    child = os.fork()
    if child == 0:
        status = run()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status & 255)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def serve(compiler, words, analyse):
    for line in sys.stdin:
        mark, folder = line.rstrip("\n").split(" ", 1)
        os.chdir(folder)
        made = compiler.compile(words[-1], mark, folder)
        status = run_in_child(lambda: analyse(words, compiler, *made))
        if status < 0:
            # It died by a signal, and so does this.
            os.kill(os.getpid(), -status)
        for output in (sys.stdout, sys.stderr):
            print(mark, status, file=output, flush=True)


def main(form, analyse, print_version):
    """One run of `analyse(words, compiler, status, said)`, or as many as are asked for. `form`
    is the option of solc's driver for what the analyser reads."""
    soljson, *words = sys.argv[1:]
    if words == ["--version"]:
        print_version()
        return
    compiler = Compiler(soljson, form)
    if words[-1] == "--serve":
        serve(compiler, words[:-1], analyse)
        return
    sys.exit(analyse(words, compiler, *compiler.compile(words[-1])))
