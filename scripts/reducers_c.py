"""The C side of reducers.py: findings of C compilers, and C-Vise 2.7 as the peer.

C-Vise comes from Debian, unpacked into target/peers/cvise; root is not needed.
A crash has to stay one on a program that gcc accepts; wrong code is told by
`lydite check` with its references, so every step is free of undefined
behaviour as far as these can tell.
"""

import os
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
CVISE = ROOT / "target" / "peers" / "cvise"

VALID = ["gcc:check"]
DEFINED = ["gcc:strict", "gcc:sanitize", "clang:memory-sanitize"]

# Who is hunted, by which strategy and settings, over which of our seeds, and
# who vouches for the programs.
HUNTS = [
    (["pcc:object", "pcc:object-O", "tcc:object", "chibicc:object"], "spec", "spec=c", (), VALID),
    (["sdcc:mcs51", "sdcc:mcs51-large", "sdcc:z80", "sdcc:stm8"], "spec", "spec=c", (), VALID),
    (["sdcc:mcs51", "sdcc:z80", "sdcc:stm8", "sdcc:hc08"], "skeleton", "", ("c",), VALID),
    (["pcc:object", "pcc:object-O", "tcc:object", "chibicc:object"], "skeleton", "", ("c",), VALID),
    (["tcc", "pcc", "pcc:O", "chibicc"], "spec", "spec=c-safe", (), DEFINED),
    (["tcc", "pcc", "pcc:O", "chibicc"], "skeleton", "classes=strict", ("c",), DEFINED),
]
MOST_SECONDS = 180


def corpus(lydite, folder):
    """Hunts one after the other."""
    for targets, strategy, settings, seeds, references in HUNTS:
        words = f"{targets[0]} {strategy} {settings} {' '.join(references)}"
        place = folder / "-".join(["c", *re.findall(r"[\w.]+", words)])
        command = [lydite, "hunt", "--strategy", strategy, "--install", "-o", place]
        command += [word for target in targets for word in ("-t", target)]
        command += [word for name in references for word in ("--reference", name)]
        command += [word for name in seeds for word in ("--seeds", ROOT / "seeds" / name)]
        command += [word for setting in settings.split() for word in ("--set", setting)]
        command += ["--oracles", "crash,wrong-code", "--timeout", "5s", "--for", f"{MOST_SECONDS}s"]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        print(place.name, len(list(place.glob("findings/*/finding.json"))), "findings", flush=True)


def body_of(finding, target, references, lydite):
    """The lines of a test that end with `exit 42` if $1 shows the bug; None
    for what they cannot tell. `target` is its description in the plan."""
    if finding["kind"] == "crash":
        return crash_body(finding, target)
    if finding["kind"] != "wrong-output":
        return None
    words = [lydite, "check", "-t", finding["target"], "--oracles", "wrong-code", "--timeout", "5s"]
    words += [word for name in references for word in ("--reference", name)]
    check = shlex.join(str(word) for word in words)
    return f'{check} "$1" 2>/dev/null | grep -q "^wrong-output" && exit 42\n'


SIGNALS = {"SIGSEGV": 139, "SIGABRT": 134, "SIGFPE": 136, "SIGILL": 132}


def crash_body(finding, target):
    site = re.search(r'site="((?:[^"\\]|\\.)*)"', finding["signature"])
    site = re.sub(r"\\(.)", r"\1", site.group(1)) if site else ""
    setting = " ".join(f"{name}={shlex.quote(value)}" for name, value in target["env"].items())
    argv = shlex.join(target["argv"][0]).replace("'{file}'", '"$1"')
    argv = argv.replace("'{out}.o'", "/dev/null").replace("'{out}.asm'", "/dev/null")
    body = 'gcc -w -fsyntax-only "$1" 2>/dev/null || exit 0\n'
    body += f"out=$(env {setting} timeout 5 {argv} 2>&1); code=$?\n"
    if site in SIGNALS:
        return body + f"[ $code = {SIGNALS[site]} ] && exit 42\n"
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
    place.mkdir()
    out = place / task.case.name
    # It runs the test in a folder that holds the file, without arguments, and
    # takes 0 for yes; it changes the file in place.
    test = place / "yes.sh"
    test.write_text(f'#!/bin/sh\n{task.test} {task.case.name}\n[ $? = 42 ]\n')
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
