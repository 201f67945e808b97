#!/usr/bin/env bash
# From a bare machine to the first results: see --help.
set -euo pipefail
usage() {
  cat <<'EOF'
usage: experiments/quickstart.sh [TEXT]

Installs missing Debian or Ubuntu packages (as root or with sudo), builds speclab in
build/release and runs it twice:
  1. exact: token, block and greedy block verification on two tokens, as fractions;
  2. simulate: the same three on an n-gram pair learned from TEXT, any UTF-8 text file
     (default: the GPL-3 text that Debian installs, or this project's README).
A second run builds nothing. SPECLAB_SETUP=off skips the look for packages.
EOF
}
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -*) echo "quickstart: unknown option $1 (see --help)" >&2; exit 2 ;;
esac
[ $# -le 1 ] || { echo "quickstart: at most one TEXT (see --help)" >&2; exit 2; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
text=${1:-/usr/share/common-licenses/GPL-3}
if [ $# -eq 0 ] && [ ! -r "$text" ]; then text=$root/README.md; fi
[ -r "$text" ] || { echo "quickstart: cannot read $text" >&2; exit 3; }
text=$(realpath "$text")

# shellcheck source=experiments/setup.sh
. "$root/experiments/setup.sh"
setup build || exit 1
setup_compiler

cd "$root"
echo "quickstart: building (build/release)"
mkdir -p build
# One compiler a core: more of them at a time are slower, by a third on two cores.
if ! { cmake --preset release &&
       cmake --build --preset release --target speclab -j "${SPECLAB_JOBS:-$(nproc)}"; } \
    >build/quickstart.log 2>&1; then
  tail -n 30 build/quickstart.log >&2
  echo "quickstart: the build failed; full log in build/quickstart.log" >&2
  exit 1
fi

verifiers=(--verifier token --verifier block --verifier greedy-block)
# Shows a command as one would type it, then runs it.
run() {
  local word line=
  for word in "$@"; do
    case $word in *[!A-Za-z0-9_./:=-]*) word=${word@Q} ;; esac
    line+=" $word"
  done
  printf '\n$%s\n' "$line"
  "$@"
}
speclab=build/release/speclab
run "$speclab" exact --pair 'bernoulli(draft=2/3,target=1/3)' "${verifiers[@]}" \
  --gamma 2 --iterations 4 --horizon 4 --arithmetic rational
quoted=${text//\\/\\\\}
quoted=${quoted//\"/\\\"}
case $quoted in
  *[\"\\,\(\)\[\]\ ]*) quoted="\"$quoted\"" ;;
esac
run "$speclab" simulate --pair "ngram(text=$quoted,draft=1,target=3)" "${verifiers[@]}" \
  --gamma 8 --horizon 128 --trials 20000
echo
echo "quickstart: done; $speclab --help says what else it can do"
