"""Runs a jq program without input by the Python module of jq, and prints what it
gives as `jq -r` does. An error is told on standard error, with status 5.

Usage: run-jq.py SCRIPT
"""

import faulthandler
import json
import sys

import jq

faulthandler.enable()


def shown(value):
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def main(script):
    with open(script, encoding="utf-8") as file:
        text = file.read()
    try:
        program = jq.compile(text)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 3
    try:
        for value in program.input_value(None):
            sys.stdout.write(shown(value) + "\n")
    except ValueError as error:
        sys.stdout.flush()
        print(f"jq: error (at <unknown>): {error}", file=sys.stderr)
        return 5
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[-1]))
