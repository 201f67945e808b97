#!/usr/bin/env bash
# check.sh CHECK ROOT [BUILD]: one check of the plots; exit code 77 where what it needs is not installed.
#   registry   every experiment has its figure
#   golden     the scripts draw golden/*.csv, to the same bytes each time, and nothing that no file holds
#   texts      no text of a figure lies on another, on a page and on a phone, and quick runs are marked
#   live       the scripts and `speclab plot` draw what the speclab in BUILD writes now, and faults are told
#   html       the report is valid HTML
#   browser    a browser shows the report: no console error, every image, no sideways scrolling on a phone
set -euo pipefail
check=$1 root=$2 build=${3:-}
here=$root/tests/plots
. "$root/experiments/setup.sh"
skip() { echo "skipped: $1"; exit 77; }
python=$(setup_python numpy matplotlib tomllib) || skip "no Python 3.11 with NumPy and matplotlib (apt-get install python3-matplotlib)"
export PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

report() {
  for script in "$root"/plots/*.py; do
    case ${script##*/} in lab.py | report.py) continue ;; esac
    "$python" "$script" --results "$here/golden" --output "$work/figures" >/dev/null
  done
  "$python" "$root/plots/report.py" --results "$here/golden" --figures "$work/figures" --experiments "$root/experiments" \
    --claims "$here/golden/claims.json" --lossless "$here/golden/lossless.json" --output "$work/report.html"
}

case $check in
  registry | golden | texts) "$python" "$here/figures.py" "$check" "$root" "$work" ;;
  live)
    "$build/speclab" run "$root/experiments/sun2025-fig3.toml" "$root/experiments/lin2026-audit.toml" --quick --trials 64 \
      --results "$work" >/dev/null || [ $? -eq 1 ]
    "$python" "$root/plots/acceptance.py" --results "$work" --output "$work/figures" sun2025-fig3
    "$python" "$root/plots/drafts.py" --results "$work" --output "$work/figures" lin2026-audit
    "$build/speclab" advise --pair 'bernoulli(draft=2/3,target=1/3)' --pair 'iid(draft=[1/2,1/2],target=[1/4,3/4])' \
      --latency draft=0.1,target=1 --gamma 1:3 --horizon 8 --trials 256 --format csv >"$work/advice.csv"
    "$python" "$here/figures.py" advice "$root" "$work/advice.csv"
    SPECLAB_PYTHON=$python bash "$here/command.sh" "$build" "$work"
    ;;
  html)
    command -v tidy >/dev/null || skip "no tidy (apt-get install tidy)"
    report
    tidy -q -e --show-warnings yes "$work/report.html" 2>"$work/said" || { cat "$work/said"; exit 1; }
    # The check bites: the same page with an image whose text is taken away is refused.
    sed 's/<img class="\([a-z]*\)" alt="[^"]*"/<img class="\1"/' "$work/report.html" >"$work/worse.html"
    ! tidy -q -e "$work/worse.html" 2>/dev/null || { echo "tidy does not notice a missing alt"; exit 1; }
    # No name of a file and no number of JSON becomes a tag.
    mkdir "$work/hostile"
    printf 'title = "<script>t</script>"\nsource = "<script>s</script>"\n' >"$work/hostile/x\"><script>n<script>.toml"
    printf '{"results": [{"pair": "<script>", "verifier": "<script>", "gamma": "<script>", "output": {"horizon": "<script>",
      "tv_to_target": {"value": 0, "exact": "<script>"}}, "iteration": {"undefined_mass": {"value": 0, "exact": "<script>"},
      "expected_accepted": {"value": 0, "exact": "<script>"}}}]}' >"$work/hostile.json"
    "$python" "$root/plots/report.py" --results "$work/none" --figures "$work/figures" --experiments "$work/hostile" \
      --lossless "$work/hostile.json" --output "$work/hostile.html" >/dev/null
    grep -q '&lt;script&gt;n' "$work/hostile.html" || { echo "the hostile experiment is not on the page"; exit 1; }
    ! grep '<script' "$work/hostile.html" || { echo "a name or a number became a tag"; exit 1; }
    # A page that cannot be made leaves the old one alone.
    printf '{"results": [{}]}' >"$work/hostile.json"
    ! "$python" "$root/plots/report.py" --results "$work/none" --figures "$work/figures" --experiments "$work/hostile" \
      --lossless "$work/hostile.json" --output "$work/hostile.html" 2>/dev/null || { echo "no failure"; exit 1; }
    grep -q '</html>' "$work/hostile.html" && [ ! -e "$work"/hostile.html.* ] || { echo "the old page is gone"; exit 1; }
    ;;
  browser)
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
      skip "no chromium (apt-get install chromium)"
    report
    # look PAGE WIDTH: the browser's word on the page, or what it complained of.
    look() {
      "$python" "$here/figures.py" probe "$1" "$work/probe.html"
      timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --disable-dev-shm-usage \
        --user-data-dir="$work/profile$2" --window-size="$2,900" --virtual-time-budget=20000 --enable-logging=stderr \
        --dump-dom "file://$work/probe.html" >"$work/dom" 2>"$work/log" || { tail -n 5 "$work/log"; return 1; }
      grep -o 'data-seen="[^"]*"' "$work/dom" || { echo "the page did not load"; return 1; }
      ! grep 'CONSOLE' "$work/log"
    }
    for width in 1200 500; do
      seen=$(look "$work/report.html" $width) || { echo "$seen"; exit 1; }
      echo "$width: $seen"
      [[ $seen =~ images=([0-9]+)\ shown=([0-9]+)\ errors=0\ sideways=0 ]] && [ "${BASH_REMATCH[1]}" -ge 15 ] &&
        [ "${BASH_REMATCH[1]}" -eq "${BASH_REMATCH[2]}" ] || exit 1
    done
    # The check bites: a page with a broken image and a page with a failing script are told.
    sed '0,/src="data:image\/svg+xml;base64,/s//src="data:image\/svg+xml;base64,AAAA/' "$work/report.html" >"$work/broken.html"
    seen=$(look "$work/broken.html" 1201) || true
    if ! [[ $seen =~ images=([0-9]+)\ shown=([0-9]+) ]] || [ "${BASH_REMATCH[1]}" -eq "${BASH_REMATCH[2]}" ]; then
      echo "a broken image is not noticed: $seen"
      exit 1
    fi
    sed 's|</head>|<script>missing()</script></head>|' "$work/report.html" >"$work/failing.html"
    if seen=$(look "$work/failing.html" 1202); then
      echo "a failing script is not noticed: $seen"; exit 1
    fi
    ;;
  *) echo "unknown check $check" >&2; exit 2 ;;
esac
