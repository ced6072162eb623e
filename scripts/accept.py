#!/usr/bin/env python3
"""How many programs of a spec processors accept, many programs in one process:
where starting a process costs more than reading a program.

    scripts/accept.py [-n N] [--from M] [--height H] [--seed S] [--knobs K] [--lydite PATH] SPEC

Solvers read and type every script and solve none. Databases run every script
in a schema of its own (scripts have what all of them have, by `lacks` of their target
files), Lua every program as a function of its own, shells in a subshell of its own, engines of JavaScript
as a function that is called. C is compiled,
many programs as one source; those of `c-safe` and `c-known` are run, with sanitizers too. What programs print is compared. `validity.py` does the same one by one,
with answers.
"""

import argparse
import collections
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import tomllib

MARK = "lydite-case-"
# Seconds that a database may take for a script.
PATIENCE = 60
# A fresh start for a script, and what ends it.
DATABASES = {
    "sqlite": (".open :memory:\n", ""),
    "duckdb": ("create schema s{n};\nset schema = 's{n}';\n", "drop schema s{n} cascade;\n"),
    "postgres": ("create schema s{n};\nset search_path to s{n};\n", "drop schema s{n} cascade;\n"),
    "mariadb": ("create database s{n};\nuse s{n};\n", "drop database s{n};\n"),
}
# Databases whose drivers stay and answer requests.
SERVED = ["apsw", "sqljs", "turso", "datafusion", "chdb", "polars", "pglite", "alasql", "stoolap", "firebird", "h2", "databend"]
TARGETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "targets")
SOLVERS = ["z3", "cvc5", "bitwuzla"]
# Interpreters and compilers with what makes them run in this way.
LUAS = {
    "lua@5.1": [],
    "lua@5.2": [],
    "lua@5.3": [],
    "lua@5.4": [],
    "luajit": [],
    "luajit:interpreter": ["-joff"],
    "luajit:eager": ["-Ohotloop=1", "-Ohotexit=1"],
}
SHELLS = ["dash", "bash", "mksh", "yash", "ksh", "busybox-sh"]
ENGINES = ["mujs", "duktape", "hermes", "quickjs-ng", "jsc", "node"]
COMPILERS = {"gcc": ["-O0"], "clang": ["-O0"]}
UNDEFINED = ["-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]
RUN_COMPILERS = {
    "gcc:O0": ["-O0"],
    "gcc:O2": ["-O2"],
    "clang:O0": ["-O0"],
    "clang:O2": ["-O2"],
    "gcc:sanitize": UNDEFINED,
    "clang:memory-sanitize": ["-O0", "-fno-builtin", "-fsanitize=memory"],
}
# With `--target`: the same, compiled in half of the time.
FASTER = {"gcc:sanitize-O0": ["-O0", *UNDEFINED[1:]]}


def installed(lydite, target):
    """What runs a target, as `lydite` has it: the program, its folder."""
    said = subprocess.run(
        [lydite, "targets", "doctor", target.split(":")[0], "--json"], stdout=subprocess.PIPE, text=True
    )
    binary = json.loads(said.stdout.split("\n")[0])["binary"]
    root = binary[: binary.rindex("/root/") + len("/root")] if "/root/" in binary else ""
    env = dict(os.environ)
    if root:
        folders = ["usr/lib/x86_64-linux-gnu", *glob.glob("usr/lib/llvm-*/lib", root_dir=root)]
        env["LD_LIBRARY_PATH"] = ":".join(os.path.join(root, folder) for folder in folders)
    return binary, root, env


def run(words, env, folder, stdin=None):
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        ended = subprocess.run(words, stdin=stdin, cwd=scratch, env=env, capture_output=True)
    return ended.stdout.decode("utf-8", "replace"), ended.stderr.decode("utf-8", "replace")


def written(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


class Scripts:
    """Databases and solvers: many scripts as one."""

    def __init__(self, lydite, target):
        self.target = target
        binary, root, self.env = installed(lydite, target)
        drivers = glob.glob(os.path.join(root, "lydite", "run-*.py")) if root else []
        self.argv = [binary]
        if target == "sqlite":
            self.argv += ["-batch", "-bail", "-nullvalue", "NULL"]
        elif target in ("postgres", "mariadb"):
            self.argv = ["python3", drivers[0], binary]
        elif drivers:
            self.env["PYTHONPATH"] = root
            self.argv = ["python3", "-S", drivers[0]]

    def wrapped(self, number, script):
        if self.target in DATABASES:
            before, after = (part.format(n=number) for part in DATABASES[self.target])
            return "%sselect '%s%d';\n%s%s" % (before, MARK, number, script, after)
        script = script.replace("(check-sat)\n", "")
        return '(echo "%s%d")\n%s(reset)\n' % (MARK, number, script)

    def say(self, programs, folder):
        path = written(folder, "batch", "".join(self.wrapped(*program) for program in programs))
        if self.target == "sqlite":
            with open(path, "rb") as stdin:
                return run(self.argv, self.env, folder, stdin)
        return run([*self.argv, path], self.env, folder)


class Served:
    """Databases whose drivers stay: a request for every script, one after the other."""

    def __init__(self, lydite, target):
        binary, root, env = installed(lydite, target)
        get = target_file(target)["get"][0]
        known = {
            "python": "python3",
            "driver": sorted(glob.glob(os.path.join(root, "lydite", get["driver"])))[0],
            "path": os.path.join(root, get.get("bin", "")),
            "root": root,
            "lib": env.get("LD_LIBRARY_PATH", ""),
        }
        options = variant(target).get("options", [])
        self.argv = [word.format(**known) for word in get["launch"]] + [*options, "case.sql", "--serve"]
        self.env = {**env, **{name: value.format(**known) for name, value in get.get("env", {}).items()}}

    def start(self, scratch):
        with open(os.path.join(scratch, "errors"), "wb") as errors:
            pipe = subprocess.PIPE
            argv, env = self.argv, self.env
            return subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=errors, env=env, cwd=scratch, start_new_session=True)

    @staticmethod
    def end(process):
        """With the servers that it has started."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def say(self, programs, folder):
        """Ends at a script that ends the process, or is not done in time."""
        said = []
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            process, served = self.start(scratch), 0
            for number, script in programs:
                rows, why = self.ask(process, number, script, scratch)
                if rows is None and served > 0:
                    # The script before may have used the process up.
                    self.end(process)
                    process, served = self.start(scratch), 0
                    rows, why = self.ask(process, number, script, scratch)
                served += 1
                if rows is None:
                    why = "the process has ended, or was not done in %d s: %s" % (PATIENCE, why)
                said += [MARK + str(number), *(rows or []), *(["error: " + why[:3000]] if why else [])]
                if rows is None:
                    break
            self.end(process)
        return "\n".join(said) + "\n", ""

    @staticmethod
    def ask(process, number, script, scratch):
        """What it printed, None if no end of it came; why it failed."""
        place = os.path.join(scratch, str(number))
        os.makedirs(place, exist_ok=True)
        written(place, "case.sql", script)
        errors = os.path.join(scratch, "errors")
        before = os.path.getsize(errors)
        late = threading.Timer(PATIENCE, process.kill)
        late.start()
        rows, status = [], None
        try:
            process.stdin.write(b"%s%d %s\n" % (MARK.encode(), number, place.encode()))
            process.stdin.flush()
            while status is None and (line := process.stdout.readline().decode("utf-8", "replace")):
                if line.startswith(MARK):
                    status = line.split()[1]
                else:
                    rows.append(line.rstrip("\n"))
        except BrokenPipeError:
            pass
        finally:
            late.cancel()
        with open(errors, "rb") as file:
            file.seek(before)
            told = file.read().decode("utf-8", "replace").split("\n")
        why = " / ".join(line for line in told if line and not line.startswith(MARK))
        shutil.rmtree(place, ignore_errors=True)
        return (None if status is None else rows), ("" if status == "0" else why or "failed" if status else why)


class Luas:
    """Every program is a chunk of its own."""

    def __init__(self, lydite, target):
        binary, _, self.env = installed(lydite, target)
        self.argv = [binary, *LUAS[target]]

    def say(self, programs, folder):
        calls = []
        for number, program in programs:
            path = written(folder, "%d.lua" % number, program)
            calls.append("print('%s%d')\n" % (MARK, number))
            calls.append("ok, why = pcall(dofile, '%s')\n" % path)
            calls.append("if not ok then print('error: ' .. tostring(why)) end\n")
        return run([*self.argv, written(folder, "batch.lua", "".join(calls))], self.env, folder)


class Interpreters:
    """Every program beside the others, as its target file says it is run."""

    def __init__(self, lydite, target):
        binary, root, env = installed(lydite, target)
        file = target_file(target)
        get, options = file["get"][0], variant(target).get("options", [])
        words = {"root": root, "python": "python3", "lib": env.get("LD_LIBRARY_PATH", "")}
        start = [binary]
        if "launch" in get:
            words["driver"] = sorted(glob.glob(os.path.join(root, "lydite", get["driver"])))[0]
            start = [word.format(**words) for word in get["launch"]]
        self.argv = []
        for word in file["run"]["step"][-1]["argv"][:-1]:
            self.argv += {"{bin}": start, "{options}": options}.get(word, [word])
        self.env = {**env, **file["run"].get("env", {})}
        self.env.update({name: value.format(**words) for name, value in get.get("env", {}).items()})

    def run(self, text, folder):
        return run([*self.argv, written(folder, "batch", text)], self.env, folder)


class Shells(Interpreters):
    """A subshell for each: what one sets, no other sees. One that ends without its fuel and with a status that is
    not 0 is refused."""

    def say(self, programs, folder):
        calls = []
        for number, program in programs:
            path = written(folder, "%d.sh" % number, program)
            calls.append("echo %s%d\n( . %s )\necho \"status $?\"\n" % (MARK, number, path))
        stdout, stderr = self.run("".join(calls), folder)
        lines = stdout.split("\n")
        for at in range(1, len(lines)):
            if lines[at].startswith("status ") and not (lines[at] == "status 0" or lines[at - 1 : at + 1] == ["fuel", "status 3"]):
                lines[at] = "error: " + lines[at]
        return "\n".join(lines), stderr


class Engines(Interpreters):
    """A function for each; one by one if all as one source are refused."""

    def say(self, programs, folder):
        show = 'var lydite = typeof print === "function" ? print : function (s) { console.log(s); };\n'
        calls = []
        for number, program in programs:
            caught = 'catch (e) { lydite("error: " + e); }'
            calls.append('lydite("%s%d");\ntry { (function () {\n%s})(); } %s\n' % (MARK, number, program, caught))
        stdout, stderr = self.run(show + "".join(calls), folder)
        if MARK in stdout:
            return stdout, stderr
        if len(programs) == 1:
            return "%s%d\nerror: %s\n" % (MARK, programs[0][0], stderr.strip()[:300]), stderr
        return "".join(self.say([program], folder)[0] for program in programs), ""


class Compilers:
    """Many programs as one source, each with names of its own, so that none can
    use another's; one by one if that is refused. With `linked` they are run."""

    # What the specs name at the level of the file: a letter and a number, and these.
    NAMES = re.compile(r"\b(?:[A-Za-z][0-9]+|main|first|mix|checksum)\b")

    def __init__(self, lydite, target, linked):
        binary, _, self.env = installed(lydite, target)
        self.options = (RUN_COMPILERS | FASTER if linked else COMPILERS)[target]
        # Notes on what old versions did would be taken for mistakes.
        self.argv, self.linked = [binary, "-w", "-Wno-psabi"], linked

    def say(self, programs, folder):
        with tempfile.TemporaryDirectory(dir=folder) as made:
            return self.say_in(programs, made)

    def compiled(self, sources, made):
        argv = [*self.argv, *self.options, "-c", *sources]
        ended = subprocess.run(argv, cwd=made, env=self.env, capture_output=True)
        return ended.returncode == 0, ended.stderr.decode("utf-8", "replace")

    def say_in(self, programs, made):
        renamed = {n: self.NAMES.sub(r"\g<0>_%d" % n, program) for n, program in programs}
        written(made, "joined.c", "".join(renamed.values()))
        fine, objects = list(renamed), ["joined.o"]
        accepted, problems = self.compiled(["joined.c"], made)
        if not accepted:
            for number, program in renamed.items():
                written(made, "p%d.c" % number, program)
            _, problems = self.compiled(["p%d.c" % number for number in renamed], made)
            fine = [n for n in renamed if os.path.exists(os.path.join(made, "p%d.o" % n))]
            objects = ["p%d.o" % n for n in fine]
        refused = "".join(
            "%s%d\nerror: not compiled\n" % (MARK, n) for n in renamed if n not in fine
        )
        if not self.linked:
            return refused + "".join("%s%d\n" % (MARK, n) for n in fine), problems
        said, further = self.run(fine, objects, made)
        return refused + said, problems + further

    def run(self, numbers, objects, made):
        declared = "".join("int main_%d(void);\n" % n for n in numbers)
        calls = "".join('puts("%s%d"); fflush(stdout); main_%d();\n' % (MARK, n, n) for n in numbers)
        text = "#include <stdio.h>\n%sint main(void) {\n%sreturn 0;\n}\n" % (declared, calls)
        linking = [*self.argv, *self.options, "-o", "all", written(made, "all.c", text), *objects, "-lm"]
        subprocess.run(linking, cwd=made, env=self.env, check=True)
        env = {**self.env, "ASAN_OPTIONS": "detect_leaks=0"}
        ended = subprocess.run(["./all"], cwd=made, env=env, capture_output=True)
        return ended.stdout.decode("utf-8", "replace"), ended.stderr.decode("utf-8", "replace")


def parts(text):
    """What was printed for each program, by its number."""
    said, number = {}, None
    for line in text.split("\n"):
        # Some solvers print an echo as it stands.
        if line.strip('"').startswith(MARK):
            line = line.strip('"')
            number = int(line[len(MARK) :])
            said[number] = []
        elif number is not None and line:
            said[number].append(line)
    return said


def answers(target, processor, programs, folder, chunk_size, keep=None):
    """What each program printed; None if it was not accepted."""
    said, at = {}, 0
    stops = not isinstance(processor, (Luas, Shells)) and target not in SOLVERS
    while at < len(programs):
        chunk = range(at, min(at + chunk_size, len(programs)))
        stdout, stderr = processor.say([(number, programs[number]) for number in chunk], folder)
        printed = parts(stdout)
        said.update({number: hash("\n".join(lines)) for number, lines in printed.items()})
        if keep:
            with open(os.path.join(keep, target + ".txt"), "a", encoding="utf-8") as kept:
                kept.write(stdout)
        last = max(printed, default=at)
        wrong = [n for n, lines in printed.items() if any("error" in line for line in lines)]
        # Databases and programs in C stop at what goes wrong.
        complains = stderr.strip() and not isinstance(processor, Engines)
        if stops and not wrong and (complains or last != chunk[-1]):
            wrong = [last]
        for number in wrong:
            told = [line for line in printed.get(number, []) if "error" in line] or [(stderr or stdout).strip()]
            print("  %s refuses %d: %s" % (target, number, told[0][-300:]))
            said[number] = None
        at = last + 1 if stops and last in wrong else chunk[-1] + 1
        sys.stderr.write("  %s: %d of %d\n" % (target, at, len(programs)))
    return said


def processors(options, ending):
    linked = "c-safe" in options.spec or "c-known" in options.spec
    known = {
        "sql": DATABASES,
        "smt2": SOLVERS,
        "lua": LUAS,
        "sh": SHELLS,
        "js": ENGINES,
        "c": RUN_COMPILERS if linked else COMPILERS,
    }[ending]
    for target in options.target or known:
        if ending == "lua":
            yield target, Luas(options.lydite, target)
        elif ending in ("sh", "js"):
            yield target, (Shells if ending == "sh" else Engines)(options.lydite, target)
        elif ending == "c":
            yield target, Compilers(options.lydite, target, linked)
        elif target in SERVED:
            yield target, Served(options.lydite, target)
        else:
            yield target, Scripts(options.lydite, target)


def target_file(target):
    with open(os.path.join(TARGETS, target.split(":")[0] + ".toml"), "rb") as file:
        return tomllib.load(file)


def variant(target):
    _, _, name = target.partition(":")
    return target_file(target)["variant"][name] if name else {}


def lacking(target):
    has = variant(target).get("has", [])
    return [word for word in target_file(target).get("lacks", []) if word not in has]


def made(options, folder):
    argv = [options.lydite, "generate", "spec", "-q", "-n", str(options.n), "--claims", "-o", folder]
    argv += ["--seed", str(options.seed), "--from", str(options.first), "--set", "spec=" + options.spec]
    argv += ["--set", "height=%d" % options.height] if options.height else []
    argv += ["--set", "knobs=" + options.knobs] if options.knobs else []
    spec = os.path.basename(options.spec).removesuffix(".spec")
    if spec in ("sql", "sql-known"):
        lacks = {word for target in options.target or DATABASES for word in lacking(target)}
        argv += ["--set", "texts=none"] if spec == "sql" else []
        argv += ["--set", "lacks=" + ",".join(sorted(lacks))]
    subprocess.run(argv, check=True)
    paths = sorted(glob.glob(os.path.join(folder, "[0-9]*")))
    programs = [open(path, encoding="utf-8").read() for path in paths]
    return programs, known(folder, options.first), paths[0].rsplit(".", 1)[1]


def known(folder, first):
    """What programs have to print, where their spec knows it."""
    outputs = {}
    with open(os.path.join(folder, "claims.jsonl"), encoding="utf-8") as claims:
        for line in map(json.loads, claims):
            answer = line["claim"]["answers"] if isinstance(line["claim"], dict) else {}
            if "output" in answer:
                lines = [text for text in answer["output"]["text"].split("\n") if text]
                outputs[int(line["case"]) - first] = hash("\n".join(lines))
    return outputs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("spec")
    parser.add_argument("-n", type=int, default=10_000)
    parser.add_argument("--height", type=int)
    parser.add_argument("--seed", type=int, default=0, help="other programs for another seed")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first one's number")
    parser.add_argument("--knobs")
    parser.add_argument("--target", action="append", help="in place of all of the language")
    parser.add_argument("--chunk", type=int, default=250, help="programs in one process")
    parser.add_argument("--keep", metavar="FOLDER", help="what each target printed, by program")
    parser.add_argument("--lydite", default="target/release/lydite")
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep)
    with tempfile.TemporaryDirectory() as folder:
        programs, outputs, ending = made(options, os.path.join(folder, "made"))
        size = sum(map(len, programs)) / max(1, len(programs))
        print("%s: %d programs, %.0f B on average" % (options.spec, len(programs), size))
        all_said = {}
        for target, processor in processors(options, ending):
            said = all_said[target] = answers(target, processor, programs, folder, options.chunk, options.keep)
            accepted = sum(said.get(number) is not None for number in range(len(programs)))
            print("  %-22s accepts %d of %d" % (target, accepted, len(programs)))
            if outputs:
                as_known = sum(said.get(number) == output for number, output in outputs.items())
                print("  %-22s prints what is known in %d of %d" % (target, as_known, len(outputs)))
            sys.stdout.flush()
        if ending != "smt2":
            differ = []
            for number in range(len(programs)):
                votes = collections.Counter(str(said.get(number)) for said in all_said.values())
                if len(votes) > 1:
                    differ.append(number)
            print("  output differs for %d programs %s" % (len(differ), differ[:20]))


if __name__ == "__main__":
    main()
