#!/usr/bin/env bash
# site.sh ROOT PROGRAM FOLDER: makes the zoo in FOLDER and checks it and, where Node is, the numbers that its
# script writes; then that the check bites. Exit code 77 where Jinja2 or Graphviz is not installed.
set -euo pipefail
root=$1 program=$2 folder=$3
core=$root/build/wasm/npm/core  # where it is made: it takes ten minutes (core.sh)
[ -f "$core/speclab.wasm" ] || core=none
SPECLAB_SETUP=off "$root/site/build.sh" --program "$program" --output "$folder" --core "$core"
check() { python3 "$root/tests/site/links.py" "$1" "${2:-$root/site/permalinks.txt}"; }
check "$folder"
# shellcheck source=../../experiments/setup.sh
. "$root/experiments/setup.sh"
if command -v node >/dev/null; then "$(setup_python jinja2)" -B "$root/tests/site/written.py" "$root"; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# bites NAME REPORT COMMAND...: the command plants a fault in a copy, and the check reports it.
bites() {
  local name=$1 report=$2 said
  shift 2
  rm -rf "$work/site" && cp -r "$folder" "$work/site" && cp "$root/site/permalinks.txt" "$work/"
  (cd "$work" && "$@")
  ! said=$(check "$work/site" "$work/permalinks.txt") || { echo "$name is not noticed"; exit 1; }
  grep -q "$report" <<<"$said" || { echo "$name is not what is reported: $said"; exit 1; }
}
bites "a page that is gone" "leads nowhere" rm site/verifier/block.html
bites "a published page that is gone" "was published and is gone" sh -c 'echo claim/gone.html >>permalinks.txt'
bites "a place that is not there" "has no such place" sed -i 's|href="#main"|href="#mian"|' site/verifier/token.html
bites "an element left open" "is not closed\|closes" sed -i 's|</blockquote>||' site/claim/sun2025.theorem2.html
bites "an entry that the front page lacks" "entries of" sed -i '0,/ data-kind="refuted"/s///' site/index.html
bites "a front page that is too large" "at most" sh -c 'head -c 200000 /dev/zero | tr "\0" " " >>site/index.html'
