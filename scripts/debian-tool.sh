#!/usr/bin/env bash
# Prints the path of a program that the tests need and that Debian packages:
#   scripts/debian-tool.sh nats-server usr/sbin/nats-server
#   scripts/debian-tool.sh chromium usr/lib/chromium/chromium
# Takes the one on the PATH; else gets the package, and those it depends on
# and the system lacks, into target/debian/PACKAGE. Needs no root.
set -euo pipefail
package=$1 program=$2
if found=$(command -v "$(basename "$program")"); then
    echo "$found"
    exit
fi
# Debian has servers where only root's PATH leads.
if [ -x "/$program" ]; then
    echo "/$program"
    exit
fi
root="$(cd "$(dirname "$0")/.." && pwd)"
place="${CARGO_TARGET_DIR:-$root/target}/debian/$package"
mkdir -p "$(dirname "$place")"
exec 9>"$place.lock"
flock 9
if [ ! -e "$place/done" ]; then
    rm -rf "$place"
    mkdir -p "$place/state/lists/partial" "$place/cache/archives/partial" "$place/log" "$place/deb"
    # apt with folders of its own: nothing of the system is locked or changed.
    apt=(-o Dir::State="$place/state" -o Dir::Cache="$place/cache" -o Dir::Log="$place/log"
        -o Dir::State::status=/var/lib/dpkg/status -o APT::Sandbox::User=
        -o Debug::NoLocking=1 -o Acquire::Languages=none -q)
    apt-get "${apt[@]}" update >&2
    wanted=$(LC_ALL=C apt-get "${apt[@]}" -s -y --no-install-recommends install "$package" |
        sed -n 's/^Inst \([^ ]*\) .*/\1/p')
    # shellcheck disable=SC2086 # a list of names
    (cd "$place/deb" && apt-get "${apt[@]}" download ${wanted:-$package} >&2)
    for archive in "$place"/deb/*.deb; do
        dpkg -x "$archive" "$place"
    done
    rm -rf "$place/deb" "$place/state" "$place/cache" "$place/log"
    touch "$place/done"
fi
own="$place/$program"
[ -x "$own" ] || { echo "$package: has no $program" >&2; exit 1; }
# Libraries that came along are found by a small script.
libraries=$(find "$place" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
if [ -n "$libraries" ]; then
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%q exec %q "$@"\n' "$libraries" "$own" >"$place/run.new"
    chmod +x "$place/run.new"
    mv "$place/run.new" "$place/run"
    own="$place/run"
fi
echo "$own"
