#!/usr/bin/env bash
# Makes the pictures of docs/tutorial.md and README.md in docs/pictures, with the
# real program: what a hunt prints at its end, its report, and its live page.
#   scripts/pictures.sh [LYDITE]      (default: target/release/lydite)
# Needs the targets of the preset smt-old (they are installed) and a Chromium
# (scripts/debian-tool.sh gets one).
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
lydite="$(realpath "${1:-$root/target/release/lydite}")"
pictures="$root/docs/pictures"
browser="$("$root/scripts/debian-tool.sh" chromium usr/lib/chromium/chromium)"
work="$(mktemp -d)"
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
mkdir -p "$pictures"
cd "$work"

# Standard output as text in an SVG, a line each.
terminal() {
    python3 -c '
import sys, html
lines = sys.stdin.read().rstrip("\n").split("\n")
width = 8 * max(map(len, lines)) + 32
height = 18 * len(lines) + 28
print(f"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" "
      f"viewBox=\"0 0 {width} {height}\"><rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#16191d\"/>"
      "<g font-family=\"monospace\" font-size=\"13.3\" fill=\"#d7dce2\">")
for number, line in enumerate(lines):
    if line.strip():
        shown = html.escape(line).replace(" ", "\u00a0")
        print(f"<text x=\"16\" y=\"{28 + 18 * number}\" textLength=\"{8 * len(line)}\">{shown}</text>")
print("</g></svg>")'
}

# A page as it is 1000 pixels wide, its first so many pixels.
page() {
    "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --hide-scrollbars --lang=en --user-data-dir="$work/profile" \
        --force-device-scale-factor=0.8 --window-size="1000,$3" --screenshot="$2" "$1" >"$work/browser.log" 2>&1
    [ -s "$2" ] || { cat "$work/browser.log" >&2; exit 1; }
}

arguments=(--preset smt-old --cases 24 --oracles "crash,answer,model,differential" --reduce 0s -o demo)
code=0
COLUMNS=110 "$lydite" hunt "${arguments[@]}" >hunt.txt 2>hunt.log || code=$?
[ "$code" -eq 10 ] || { cat hunt.log >&2; exit 1; }
{ echo "\$ lydite hunt ${arguments[*]}"; cat hunt.txt; } | terminal >"$pictures/hunt.svg"
# A frame scrolls to the finding; a screenshot begins at the top of its page.
echo '<body style="margin:0"><iframe src="demo/report.html#z3-solution-unsound-cf76f93aae2882fb"' \
    'style="border:0;width:1000px;height:760px"></iframe>' >frame.html
page "file://$work/frame.html" "$pictures/report.png" 760

"$lydite" serve demo --listen 127.0.0.1:0 >address 2>serve.log &
server=$!
until [ -s address ]; do kill -0 "$server"; done
page "$(cat address)c/demo" "$pictures/live.png" 760
ls -l "$pictures"
