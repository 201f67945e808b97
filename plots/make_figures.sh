#!/usr/bin/env bash
# Every figure and the report, from nothing: see --help.
set -euo pipefail
usage() {
  cat <<'EOF'
usage: plots/make_figures.sh [--quick] [--build DIR] [--output DIR] [--text FILE] [NAME ...]

Installs missing Debian or Ubuntu packages (as root or with sudo), builds speclab, runs the
experiments (default: all), draws them and writes one report:
  DIR/*.csv, results.sqlite, manifest.json   the results, resumed where they are there already
  DIR/figures/NAME.svg and NAME.png          the figures
  DIR/report.html                            claims, figures, losslessness, manifest: one page

  --quick       fewer trials
  --build DIR   a built speclab is there (default: build it in build/release)
  --output DIR  default results; with --quick results/quick
  --text FILE   the text of n-gram pairs (default: that of speclab run)
SPECLAB_SETUP=off skips the look for packages.
EOF
}
quick=() build='' output='' text=() names=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=(--quick) ;;
    --build) build=${2:?--build takes a folder}; shift ;;
    --output) output=${2:?--output takes a folder}; shift ;;
    --text) text=(--text "$(realpath "${2:?--text takes a file}")"); shift ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "make_figures: unknown option $1 (see --help)" >&2; exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ -z "$build" ] || build=$(cd "$build" && pwd)
[ -n "$output" ] || output=$root/results${quick:+/quick}
mkdir -p "$output"
output=$(cd "$output" && pwd)
cd "$root"
if [ ${#names[@]} -eq 0 ]; then
  for file in experiments/*.toml; do
    names+=("$(basename "$file" .toml)")
  done
fi
for name in "${names[@]}"; do
  [ -r "experiments/$name.toml" ] ||
    { echo "make_figures: there is no experiments/$name.toml" >&2; exit 2; }
done

# shellcheck source=experiments/setup.sh
. experiments/setup.sh
groups=(plots)
[ -n "$build" ] || groups+=(build)
setup "${groups[@]}" || exit 1
python=$(setup_python numpy matplotlib tomllib jinja2) ||
  { echo "make_figures: needs Python 3.11 or newer with NumPy, matplotlib and Jinja2" >&2; exit 1; }
export PYTHONDONTWRITEBYTECODE=1

if [ -z "$build" ]; then
  setup_compiler
  echo "make_figures: building (build/release)"
  mkdir -p build
  if ! { cmake --preset release && cmake --build --preset release --target speclab; } \
      >build/figures.log 2>&1; then
    tail -n 30 build/figures.log >&2
    echo "make_figures: the build failed; full log in build/figures.log" >&2
    exit 1
  fi
  build=$root/build/release
fi
speclab=$build/speclab
[ -x "$speclab" ] || { echo "make_figures: no speclab in $build" >&2; exit 2; }

# Exit code 1 says that a verdict or a printed value differs: it is drawn, reported and passed on.
status=0
attempt() {
  local code=0
  "$@" || code=$?
  [ "$code" -le 1 ] || exit "$code"
  [ "$code" -eq 0 ] || status=1
}
files=("${names[@]/#/experiments/}")
attempt "$speclab" run "${files[@]/%/.toml}" --results "$output" \
  ${quick[@]+"${quick[@]}"} ${text[@]+"${text[@]}"}

"$python" plots/draw.py --results "$output" --output "$output/figures" "${names[@]}"

attempt "$speclab" verify ${quick[@]+"${quick[@]}"} --format json --output "$output/claims.json"
"$speclab" exact --pair 'bernoulli(draft=1/3,target=2/3)' --verifier all --gamma 2 --horizon 4 \
  --format json --output "$output/lossless.json"
"$python" plots/report.py --results "$output" --figures "$output/figures" \
  --experiments experiments --claims "$output/claims.json" --lossless "$output/lossless.json" \
  --output "$output/report.html"
exit "$status"
