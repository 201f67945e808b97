#!/usr/bin/env bash
# What the checks of the claims find, as rows of src/claims/engine/measured.inc: see --help.
set -euo pipefail
usage() {
  cat <<'EOT'
usage: tests/measured.sh [--check] [--program FILE] [CLAIM ...]

Runs the claims (default: all) at standard effort by the speclab of FILE or PATH and prints a row
each: id, instances, comparisons, simulated tests, least power and, of a claim that does not hold, the
first counterexample. With --check it prints the rows that src/claims/engine/measured.inc does not have, and fails
where there is one or where a verdict is not the recorded one.
EOT
}
check=false program=speclab claims=()
while [ $# -gt 0 ]; do
  case $1 in
    --check) check=true ;;
    --program) program=${2:?--program takes a file}; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "measured: unknown option $1 (see --help)" >&2; exit 2 ;;
    *) claims+=(--claim "$1") ;;
  esac
  shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# Exit code 1 says that a verdict is not the recorded one: rows are what was found all the same.
code=0
"$program" verify ${claims[@]+"${claims[@]}"} --format json --output "$found" || code=$?
[ "$code" -le 1 ] || exit "$code"
rows=$(awk '
  # A key a line; the depth of its indentation says whose it is. A text is written as in C++.
  function value(line) { sub(/^ *"[a-z_]*": /, "", line); sub(/,$/, "", line); return line }
  /^ "controls"/ { exit }
  /^   "id": / { id = value($0); first = 1; counterexample = "" }
  /^   "verdict": / { holds = value($0) == "\"holds\"" }
  /^   "instances": / { numbers = value($0) }
  /^   "(comparisons|tests|least_power)": / { numbers = numbers ", " value($0) }
  /^     "pair": / && first && !holds { counterexample = ", " value($0) }
  /^     "detail": / && first { if (!holds) counterexample = counterexample ", " value($0); first = 0 }
  /^  }/ { print "{" id ", " numbers counterexample "}," }' "$found")
[ -n "$rows" ] || { echo "measured: speclab told of no claim" >&2; exit 1; }
if ! $check; then
  printf '%s\n' "$rows"
  exit 0
fi
new=$(grep -vxF -f src/claims/engine/measured.inc <<<"$rows" || true)
[ -z "$new" ] || printf 'not in src/claims/engine/measured.inc (tests/readme.sh --write):\n%s\n' "$new" >&2
[ -z "$new" ] && [ "$code" -eq 0 ]
