"""wake with the solc that lies beside it: see analysers.py.

wake gets compilers for itself and compiles what lies below the working folder: here it
is told of one compiler, and given what that made of the program. Asked for no printers
(--print=NAME,NAME), it runs all of its detectors. A program that solc does not take, or
that wake leaves out, is told by `Refused: MESSAGE`.
"""

import importlib.metadata
import logging
import os
import pathlib
import sys
import types

import analysers
import rich


# What it keeps goes into the working folder.
for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
    os.environ[name] = "wake.home"


class Unused(types.ModuleType):
    """A package that is asked for at once, and used only where wake watches files or writes
    reports for others."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


for name in ("watchdog", "watchdog.events", "watchdog.observers", "sarif_om", "jschema_to_python",
             "jschema_to_python.to_json"):
    sys.modules[name] = Unused(name)
# There is no wheel of it, and nothing has to come late.
sys.modules["lazy_import"] = types.ModuleType("lazy_import")
sys.modules["lazy_import"].lazy_module = lambda name: None


class Versions:
    """Stands for wake's own store of compilers, in place of its module, which fetches them."""

    version = None

    def __init__(self, config):
        pass

    def installed(self, version):
        return True

    def list_all(self, force):
        return (self.version,)


sys.modules["wake.svm"] = types.ModuleType("wake.svm")
sys.modules["wake.svm"].SolcVersionManager = Versions

import wake
import wake.cli.detect as detect
import wake.cli.print as printing
import wake.compiler.compiler
from wake.compiler.solc_frontend.output_data_model import SolcOutput
from wake.compiler.solc_frontend.solc_runner import SolcFrontend
from wake.core.solidity_version import SolidityVersion

# Whether wake has asked for what was compiled.
asked = []


async def answer(frontend, version, question):
    asked.append(question)
    return SolcOutput.model_validate_json(pathlib.Path(analysers.MADE).read_bytes())


SolcFrontend._SolcFrontend__run_solc = answer


def load():
    """Loads detectors and printers, which wake does when it is asked for the first one."""
    for group in (detect.run_detect, printing.run_print):
        group._load_plugins(frozenset(), False)
        group._plugins_loaded = True
        for module, error in [*group._failed_plugin_entry_points, *group._failed_plugin_paths]:
            raise RuntimeError(f"{module} cannot be loaded") from error


def run(group, *words):
    """Runs a command of wake to its end; gives its status."""
    state = {"debug": False, "local_config_path": None}
    try:
        group.main(args=list(words), prog_name="wake", obj=state, standalone_mode=False)
    except SystemExit as end:
        return end.code or 0
    return 0


def analyse(words, compiler, status, said):
    """Runs wake to its end; gives its status."""
    if status != 0:
        return analysers.refused(said)
    Versions.version = SolidityVersion.fromstring(compiler.version)
    printers = [name for word in words if word.startswith("--print=") for name in word[len("--print="):].split(",")]
    try:
        if not printers:
            # 3: something was found, which is no error.
            ended = run(detect.run_detect, "--no-artifacts", "all") in (0, 3)
        for name in printers:
            ended = run(printing.run_print, "--no-artifacts", name) == 0
    except Exception as error:
        return analysers.broken(error, wake, PASSING)
    return 0 if ended and asked else analysers.refused("wake has left the program out")


# Where most errors end, whoever made them.
PASSING = ("wake/ir/reference_resolver.py", "wake/core/visitor.py")


def print_version():
    print("wake", importlib.metadata.version("eth-wake"))


# What it prints means nothing here, and there are times in it. A printer asks how wide the terminal is,
# and fails where there is none.
os.get_terminal_size = lambda *_: os.terminal_size((80, 24))
rich.get_console().file = open(os.devnull, "w")
logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
load()
analysers.main("--answer", analyse, print_version)
