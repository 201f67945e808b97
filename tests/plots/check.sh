#!/usr/bin/env bash
# check.sh CHECK ROOT [BUILD]: one check of the plots; exit code 77 where what it needs is not installed.
#   registry   every experiment has its figure
#   golden     the scripts draw golden/*.csv, to the same bytes each time, and nothing that no file holds
#   texts      no text of a figure lies on another, on a page and on a phone, and quick runs are marked
#   gallery    plots/gallery holds every figure, of a full run of its experiment as it is now
#   live       the scripts and `speclab plot` draw what the speclab in BUILD writes now, and faults are reported
set -euo pipefail
check=$1 root=$2 build=${3:-}
here=$root/tests/plots
. "$root/experiments/setup.sh"
skip() { echo "skipped: $1"; exit 77; }
python=$(setup_python numpy matplotlib tomllib) || skip "no Python 3.11 with NumPy and matplotlib (apt-get install python3-matplotlib)"
export PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $check in
  registry | golden | texts | gallery) "$python" "$here/figures.py" "$check" "$root" "$work" ;;
  live)
    "$build/speclab" run "$root/experiments/sun2025-fig3.toml" "$root/experiments/lin2026-audit.toml" --quick --trials 64 \
      --results "$work" >/dev/null || [ $? -eq 1 ]
    "$python" "$root/plots/draw.py" --results "$work" --output "$work/figures" sun2025-fig3 lin2026-audit
    "$build/speclab" advise --pair 'bernoulli(draft=2/3,target=1/3)' --pair 'iid(draft=[1/2,1/2],target=[1/4,3/4])' \
      --latency draft=0.1,target=1 --gamma 1:3 --horizon 8 --trials 256 --format csv >"$work/advice.csv"
    "$python" "$here/figures.py" advice "$root" "$work/advice.csv"
    SPECLAB_PYTHON=$python bash "$here/command.sh" "$build" "$work"
    ;;
  *) echo "unknown check $check" >&2; exit 2 ;;
esac
