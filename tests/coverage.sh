#!/usr/bin/env bash
# Which lines and branches of src/ and apps/ the tests run: see --help.
set -euo pipefail
if [ $# -gt 0 ]; then
  cat <<'EOF'
usage: tests/coverage.sh

Builds the preset coverage, runs the tests of the rooms and the claims at quick effort, and prints
lines and branches run, a row a room, with gcovr. build/coverage/coverage.csv has a row a file.
Branches that only an exception takes are left out. Takes about an hour on two cores.
EOF
  case $1 in -h | --help) exit 0 ;; *) echo "coverage.sh: unknown option $1" >&2; exit 2 ;; esac
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=experiments/setup.sh
. experiments/setup.sh
setup build coverage
jobs=${SPECLAB_JOBS:-$(nproc)}
cmake --preset coverage
cmake --build --preset coverage -j "$jobs"
find build/coverage -name '*.gcda' -delete
# Tests that fail for want of speed or memory, as unoptimised programs do, are named by ctest and do
# not end this: what they ran is counted.
ctest --preset coverage -j "$jobs" -LE 'house|package|plots|python' || true
gcovr --root . --object-directory build/coverage --filter src/ --filter apps/ \
  --exclude-throw-branches --exclude-unreachable-branches \
  -j "$jobs" --csv build/coverage/coverage.csv
awk -F, '
  NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
  {
    room = $at["filename"]
    sub(/\/[^\/]*$/, "", room)
    lines[room] += $at["line_total"]; hit[room] += $at["line_covered"]
    branches[room] += $at["branch_total"]; taken[room] += $at["branch_covered"]
  }
  function row(name, lines, hit, branches, taken) {
    printf "| %s | %d | %.1f%% | %d | %.1f%% |\n", name, lines, lines ? 100 * hit / lines : 100,
           branches, branches ? 100 * taken / branches : 100
  }
  END {
    print "| room | lines | run | branches | taken |\n|---|--:|--:|--:|--:|"
    command = "sort"
    for (room in lines) {
      row(room, lines[room], hit[room], branches[room], taken[room]) | command
      all_lines += lines[room]; all_hit += hit[room]
      all_branches += branches[room]; all_taken += taken[room]
    }
    close(command)
    row("all", all_lines, all_hit, all_branches, all_taken)
  }' build/coverage/coverage.csv
