"""Runs a JavaScript program by the Python module of QuickJS.

The program has `print` and `console.log`. An uncaught exception is told on
standard error, with status 1.

Usage: run-quickjs.py SCRIPT
"""

import faulthandler
import sys

import quickjs

faulthandler.enable()


def main(script):
    context = quickjs.Context()
    lines = []

    def show(*words):
        lines.append(" ".join(str(word) for word in words))

    context.add_callable("print", show)
    with open(script, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    status = 0
    try:
        context.eval(text)
        while context.execute_pending_job():
            pass
    except quickjs.JSException as error:
        print(error, file=sys.stderr)
        status = 1
    sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass"))
    sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[-1]))
