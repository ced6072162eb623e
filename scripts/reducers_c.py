"""The C side of reducers.py: findings of C compilers, and C-Vise 2.7 as the peer.

C-Vise comes from Debian, unpacked into target/peers/cvise; root is not needed.
A crash has to stay one on a program that gcc accepts; wrong code has to end with
the status that the references have, and the references have to agree and to be
silent, so every step is free of undefined behaviour as far as these can tell.
"""

import os
import pathlib
import re
import shlex
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CVISE = ROOT / "target" / "peers" / "cvise"

VALID = ["gcc:check"]
DEFINED = ["gcc:strict", "gcc:sanitize", "clang:memory-sanitize"]

# Who is hunted, by which strategy and settings, over which of our seeds, who
# vouches for the programs, and for how many cases.
ALL = ["tcc", "pcc", "pcc:O", "chibicc"]
OBJECTS = ["tcc:object", "pcc:object", "pcc:object-O", "chibicc:object"]
HUNTS = [
    (ALL, "files", "", ["c"], DEFINED, 65),
    (["tcc"], "skeleton", "classes=strict", ["c/widen.c"], DEFINED, 40),
    (["pcc", "pcc:O", "chibicc"], "skeleton", "classes=strict", ["c"], DEFINED, 60),
    (OBJECTS, "skeleton", "", ["c"], VALID, 150),
    (OBJECTS, "spec", "spec=c", [], VALID, 60),
    (["sdcc:mcs51", "sdcc:z80", "sdcc:stm8", "sdcc:hc08"], "skeleton", "", ["c"], VALID, 150),
    (["sdcc:mcs51", "sdcc:mcs51-large", "sdcc:z80", "sdcc:stm8"], "spec", "spec=c", [], VALID, 100),
    (["sdcc:hc08", "sdcc:sm83", "sdcc:pdk14"], "spec", "spec=c", [], VALID, 60),
]


def corpus(lydite, folder, hunts):
    """Hunts one after the other; one that was done before goes on."""
    for targets, strategy, settings, seeds, references, cases in HUNTS[:hunts]:
        words = f"{targets[0]} {strategy} {settings} {' '.join(seeds)}"
        place = folder / "-".join(["c", *re.findall(r"[\w.]+", words)])
        command = [lydite, "hunt", "--strategy", strategy, "--install", "-o", place]
        command += [word for target in targets for word in ("-t", target)]
        command += [word for name in references for word in ("--reference", name)]
        command += [word for name in seeds for word in ("--seeds", ROOT / "seeds" / name)]
        command += [word for setting in settings.split() for word in ("--set", setting)]
        command += ["--oracles", "crash,wrong-code", "--timeout", "10s", "--cases", str(cases)]
        began = time.monotonic()
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        found = len(list(place.glob("findings/*/finding.json")))
        print(f"{place.name:40} {found:3} findings, {time.monotonic() - began:4.0f} s", flush=True)


def body_of(finding, plan):
    """The lines of a test that end with `exit 42` if $1 shows the bug; None
    for what they cannot tell."""
    targets = {target["name"]: target["description"] for target in plan["targets"]}
    if finding["kind"] == "crash":
        return crash_body(finding, targets[finding["target"]])
    if finding["kind"] != "wrong-output":
        return None
    references = [target["description"] for target in plan["targets"] if target["reference"]]
    return wrong_body(targets[finding["target"]], references)


def command(target, step, out):
    """A step of a target as words of a shell."""
    setting = " ".join(f"{name}={shlex.quote(value)}" for name, value in target["env"].items())
    words = shlex.join(word.replace("{file}", "FILE").replace("{out}", "OUT/" + out) for word in step)
    return f"env {setting} timeout 5 {words}".replace("FILE", '"$1"').replace("OUT/", '"$d"/')


def ran(target, out):
    """Lines that compile and run: the status in a variable, what it prints in
    files. A target of one step only has to accept."""
    *steps, last = target["argv"] if len(target["argv"]) > 1 else [*target["argv"], None]
    lines = [f"{command(target, step, out)} >/dev/null 2>&1 || exit 0" for step in steps]
    if last:
        lines.append(f'{command(target, last, out)} >"$d"/{out}.said 2>"$d"/{out}.err; {out}=$?')
    return lines


def wrong_body(target, references):
    lines = ['d=$(mktemp -d) || exit 0; trap \'rm -rf "$d"\' EXIT', *ran(target, "it")]
    runs = 0
    for reference in references:
        lines += ran(reference, f"r{runs}")
        if len(reference["argv"]) < 2:
            continue
        lines.append(f"[ $it = $r{runs} ] || exit 0")
        lines.append(f'[ -s "$d"/r{runs}.err ] && exit 0')
        lines.append(f'cmp -s "$d"/r{runs}.said "$d"/' + ("r0.said || exit 0" if runs else "it.said && exit 0"))
        runs += 1
    return "\n".join([*lines, "exit 42\n"])


SIGNALS = {"SIGSEGV": 139, "SIGABRT": 134, "SIGFPE": 136, "SIGILL": 132}


def crash_body(finding, target):
    site = re.search(r'site="((?:[^"\\]|\\.)*)"', finding["signature"])
    site = re.sub(r"\\(.)", r"\1", site.group(1)) if site else ""
    argv = command(target, target["argv"][0], "")
    argv = argv.replace('"$d"/.o', "/dev/null").replace('"$d"/.asm', "/dev/null")
    body = 'gcc -w -fsyntax-only "$1" 2>/dev/null || exit 0\n'
    body += f"out=$({argv} 2>&1); code=$?\n"
    if site in SIGNALS:
        # Some catch the signal and say so.
        told = f'case "$out" in *{site}*) exit 42;; esac\n'
        return body + f"[ $code = {SIGNALS[site]} ] && exit 42\n" + told
    # Parts of a site may come from several places of the message, and numbers
    # differ; the longest word tells.
    part = max(re.split(r"\bN\b|\s", site), key=len)
    return body + f'case "$out" in *{shlex.quote(part)}*) exit 42;; esac\n'


def install():
    if (CVISE / "usr").exists():
        return
    CVISE.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run(["apt-get", "install", "-s", "--no-install-recommends", "cvise"],
                            check=True, capture_output=True, text=True).stdout
    packages = re.findall(r"^Inst (\S+)", listed, re.MULTILINE)
    subprocess.run(["apt-get", "-q", "download", *packages], cwd=CVISE, check=True)
    for package in CVISE.glob("*.deb"):
        subprocess.run(["dpkg", "-x", package, CVISE], check=True)


def cvise(task, seconds, threads):
    """Runs C-Vise on a task of reducers.py."""
    place = task.work / "cvise"
    place.mkdir(exist_ok=True)
    out = place / task.case.name
    # It runs the test in a folder that holds the file, without arguments, and
    # takes 0 for yes; it changes the file in place.
    test = place / "yes.sh"
    test.write_text(f'#!/bin/sh\n{task.ask} {task.case.name}\n[ $? = 42 ]\n')
    test.chmod(0o755)
    libraries = ":".join(str(CVISE / "usr" / "lib" / name) for name in ("x86_64-linux-gnu", "llvm-15/lib"))
    words = {
        "DESTDIR": CVISE, "PYTHONPATH": CVISE / "usr/lib/python3/dist-packages",
        "LD_LIBRARY_PATH": libraries, "PATH": f"{CVISE}/usr/bin:{os.environ['PATH']}",
    }
    command = ["env", *(f"{name}={value}" for name, value in words.items()), "/usr/bin/python3",
               CVISE / "usr/bin/cvise", "--n", str(threads), "--timeout", "20", test, out.name]
    start = f"cp {shlex.quote(str(task.case))} {out.name} && exec {shlex.join(map(str, command))}"
    return task.run(["/bin/sh", "-c", f"cd {shlex.quote(str(place))} && {start}"], out, seconds)
