"""A command line for bitwuzla's Python module: runs one SMT-LIB file.

Options: --NAME=VALUE or --NAME, by bitwuzla's names; like bitwuzla, this stops
at the first error with status 1.
"""

import os
import sys

import bitwuzla


def main():
    if "--version" in sys.argv:
        print("bitwuzla", bitwuzla.version())
        return 0
    options = bitwuzla.Options()
    file = None
    for word in sys.argv[1:]:
        if word.startswith("--"):
            options.set_args(word)
        else:
            file = word
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(file)
    return 0


try:
    status = main()
except bitwuzla.BitwuzlaException as error:
    sys.stdout.flush()
    print('(error "%s")' % str(error).replace('"', '""'), flush=True)
    status = 1
sys.stdout.flush()
# The module's own tear-down is not under test.
os._exit(status)
