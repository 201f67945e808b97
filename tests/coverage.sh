#!/usr/bin/env bash
# Which lines and branches of src/ and apps/ the tests run: see --help.
set -euo pipefail
usage() {
  cat <<'EOF'
usage: tests/coverage.sh [-R PATTERN]

Builds the preset coverage (clang), runs the tests, but for those of packages, of Python and of claims
as tests of their own, and prints lines and branches run, a row a room. build/coverage/coverage.csv
has a row a file, build/coverage/missed.txt what was not run, build/coverage/pages/index.html shows it.
Takes about 40 minutes on two cores.

  -R PATTERN  runs the tests of that name alone (ctest's -R), and counts them with what ran before
EOF
}
case ${1-} in
  -h | --help) usage; exit 0 ;;
  -R) [ $# -eq 2 ] || { usage >&2; exit 2; } ;;
  *) [ $# -eq 0 ] || { echo "coverage.sh: unknown option $1" >&2; usage >&2; exit 2; } ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=experiments/setup.sh
. experiments/setup.sh
setup build clang coverage
jobs=${SPECLAB_JOBS:-$(nproc)}
here=build/coverage
cmake --preset coverage
cmake --preset coverage  # where another compiler was here the first time forgets what it says
cmake --build --preset coverage -j "$jobs"
[ $# -gt 0 ] || rm -rf "$here/profiles"
mkdir -p "$here/profiles"
chmod 777 "$here/profiles"
# Tests that end otherwise because counts are written too, or because clang's OpenMP ends a program in
# its own way, are named by ctest and do not end this: what they ran is counted. Some tests run the
# program as another user, who writes counts as well.
(
  umask 0
  LLVM_PROFILE_FILE=$PWD/$here/profiles/%4m.profraw \
    ctest --preset coverage -j "$jobs" -LE 'package|python|claims' "$@"
) || true
llvm-profdata merge --failure-mode=all -o "$here/profile" "$here"/profiles/*.profraw
programs=()
for program in "$here"/tests/test_*; do
  [ -x "$program" ] && [ -f "$program" ] && programs+=(--object "$program")
done
version=$(cd "$here/profiles" && gcovr --json | sed -nE 's/.*format_version": "([0-9.]+)".*/\1/p')
llvm-cov export --skip-functions --skip-expansions --instr-profile "$here/profile" \
  "$here/speclab" "${programs[@]}" | python3 tests/coverage.py . "$here" "$version"
rm -rf "$here/pages"
mkdir "$here/pages"
gcovr --root . --add-tracefile "$here/coverage.json" --csv "$here/coverage.csv" \
  --html-details "$here/pages/index.html"
awk -F, '
  NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
  {
    room = $at["filename"]
    sub(/^src\//, "", room)
    sub(/\/[^\/]*$/, "", room)
    lines[room] += $at["line_total"]; hit[room] += $at["line_covered"]
    branches[room] += $at["branch_total"]; taken[room] += $at["branch_covered"]
  }
  function row(name, lines, hit, branches, taken) {
    return sprintf("| %s | %d | %.1f%% | %d | %.1f%% |", name, lines, lines ? 100 * hit / lines : 100,
                   branches, branches ? 100 * taken / branches : 100)
  }
  END {
    print "| room | lines | run | branches | taken |\n|---|--:|--:|--:|--:|"
    sorted = "sort"
    for (room in lines) {
      print row(room, lines[room], hit[room], branches[room], taken[room]) | sorted
      all_lines += lines[room]; all_hit += hit[room]
      all_branches += branches[room]; all_taken += taken[room]
    }
    close(sorted)
    print row("all", all_lines, all_hit, all_branches, all_taken)
  }' build/coverage/coverage.csv
