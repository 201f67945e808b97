#!/usr/bin/env bash
# Times of the engine against those of plain programs, one table: see --help.
set -euo pipefail
usage() {
  cat <<'EOT'
usage: tests/perf/compare.sh [--quick] [--build DIR] [--keep DIR]

Installs missing Debian or Ubuntu packages, builds the benchmarks and speclab, runs them and the
NumPy baselines one after another on this machine and prints one Markdown table of times, of their
ratios and of peak memory.

  --quick      fewer and shorter runs; leaves out the slowest enumeration
  --build DIR  build there (default: build/perf)
  --keep DIR   keep what was measured (benchmarks.json, baselines.json, dense.json, memory.json) there

The n-gram text is 1 MB of UTF-8: the licences in /usr/share/common-licenses (on every Debian and
Ubuntu) and this project's README, end to end, as often as it takes.
EOT
}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
quick=() build=$root/build/perf keep=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --quick) quick=(--quick); shift ;;
    --build | --keep)
      [ $# -gt 1 ] || { echo "compare: $1 needs a directory" >&2; exit 2; }
      if [ "$1" = --build ]; then build=$2; else keep=$2; fi
      shift 2 ;;
    *) echo "compare: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
done

# shellcheck source=experiments/setup.sh
. "$root/experiments/setup.sh"
setup build perf >&2 || exit 1
python=$(setup_python numpy) || { echo "compare: no python3 with NumPy" >&2; exit 1; }
setup_ccache
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
results=${keep:-$work}
mkdir -p "$results"

echo "compare: building ($build)" >&2
if ! { cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSPECLAB_BENCHMARKS=ON &&
       cmake --build "$build" -j "${SPECLAB_JOBS:-$(nproc)}" --target speclab_perf speclab; } >"$work/build.log" 2>&1; then
  tail -n 30 "$work/build.log" >&2
  echo "compare: the build failed" >&2
  exit 1
fi

text=$work/text.txt
while [ "$(stat -c %s "$text" 2>/dev/null || echo 0)" -lt 1000000 ]; do
  for file in /usr/share/common-licenses/* "$root/README.md"; do
    # Those that are UTF-8 (one old licence may be Latin-1).
    if [ -r "$file" ]; then iconv -f UTF-8 -t UTF-8 "$file" 2>/dev/null >>"$text" || true; fi
  done
done

if [ ${#quick[@]} -gt 0 ]; then
  timing=(--benchmark_min_time=0.05 --benchmark_repetitions=3 --benchmark_filter=-enumerated/chain/8)
else
  timing=(--benchmark_min_time=0.2 --benchmark_repetitions=3)
fi
echo "compare: NumPy baselines" >&2
"$python" "$root/tests/perf/baseline.py" "${quick[@]}" >"$results/baselines.json"
echo "compare: dense rows in NumPy, and in torch where it is installed" >&2
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$python" "$root/tests/perf/dense.py" "${quick[@]}" >"$results/dense.json"
echo "compare: benchmarks" >&2
# Threads that wait for work elsewhere on the machine must not spin.
if ! OMP_WAIT_POLICY=passive SPECLAB_PERF_TEXT=$text "$build/tests/perf/speclab_perf" "${timing[@]}" \
    --benchmark_enable_random_interleaving=true --benchmark_out="$results/benchmarks.json" \
    --benchmark_out_format=json >"$work/benchmarks.log" 2>&1; then
  tail -n 20 "$work/benchmarks.log" >&2
  exit 1
fi
echo "compare: peak memory" >&2
"$python" "$root/tests/perf/memory.py" "$build/speclab" "$text" >"$results/memory.json"
"$python" "$root/tests/perf/table.py" "$results"
