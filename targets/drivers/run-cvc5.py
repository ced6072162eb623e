"""A command line for cvc5 releases that are published as a Python module only.

Reads one SMT-LIB file, runs its commands, prints what they print. Options are
those of cvc5's own command line; like it, this stops at the first error with
status 1, unless it is only that there is no model, core or proof to get.

With `--serve` each line `MARK FOLDER` on standard input is a run in that folder, by a
copy of this process that has seen no other; `MARK STATUS MICROSECONDS` is its end.
"""

import faulthandler
import os
import sys

import cvc5


def set_option(solver, option):
    name, equals, value = option[2:].partition("=")
    if name == "tlimit":
        # A signal handler would wait until the solver returns.
        faulthandler.dump_traceback_later(int(value) / 1000, exit=True)
    elif name in ("lang", "quiet"):
        pass
    elif equals:
        solver.setOption(name, value)
    elif name.startswith("no-"):
        solver.setOption(name[3:], "false")
    else:
        solver.setOption(name, "true")


def run(solver, file):
    symbols = cvc5.SymbolManager(solver)
    parser = cvc5.InputParser(solver, symbols)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, file)
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return 0
        said = command.invoke(solver, symbols)
        sys.stdout.write(said)
        sys.stdout.flush()
        if said.startswith("(error") and said[9:18] != "annot get":
            return 1


def guarded(action, *arguments):
    """The status of an action; whatever the module raises is what a script says."""
    try:
        status = action(*arguments)
    except RuntimeError as error:
        print('(error "%s")' % str(error).replace('"', '""'), flush=True)
        status = 1
    sys.stdout.flush()
    return status


def serve(solver, file):
    for line in sys.stdin:
        mark, _, folder = line.rstrip("\n").partition(" ")
        copy = os.fork()
        if copy == 0:
            os.chdir(folder)
            os._exit(guarded(run, solver, file))
        _, status, used = os.wait4(copy, 0)
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
        micros = int((used.ru_utime + used.ru_stime) * 1e6)
        print(mark, code, micros, flush=True)
        print(mark, code, file=sys.stderr, flush=True)
    return 0


def main():
    solver = cvc5.Solver()
    if "--version" in sys.argv:
        version = solver.getVersion()
        print("This is cvc5 version", version.decode() if isinstance(version, bytes) else version)
        return 0
    file, action = None, run
    for word in sys.argv[1:]:
        if word == "--serve":
            action = serve
        elif word.startswith("--"):
            set_option(solver, word)
        else:
            file = word
    return action(solver, file)


# The module's own tear-down is not under test.
os._exit(guarded(main))
