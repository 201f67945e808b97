#!/usr/bin/env bash
# report.sh CHECK ROOT FOLDER: one check of the report on golden/; exit code 77 where what it needs is not installed.
#   report     the figures and the report are made in FOLDER, where the other checks take them from
#   html       it is valid HTML, names and numbers are no tags, it is replaced as a whole or not at all, and its opening
#              counts what golden/*.expected.csv say
#   browser    a browser shows it at three widths, in the light and in the dark: no console error, every image on a light
#              plate, nothing wider than the screen
set -euo pipefail
check=$1 root=$2 folder=$3
here=$root/tests/plots
. "$root/experiments/setup.sh"
skip() { echo "skipped: $1"; exit 77; }
python=$(setup_python numpy matplotlib tomllib jinja2) ||
  skip "no Python 3.11 with NumPy, matplotlib and Jinja2 (apt-get install python3-matplotlib python3-jinja2)"
export PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# make [NAME VALUE ...]: writes the report of golden/, options of report.py behind.
make() {
  "$python" "$root/plots/report.py" --results "$here/golden" --figures "$work/figures" --experiments "$root/experiments" \
    --claims "$here/golden/claims.json" --lossless "$here/golden/lossless.json" --output "$work/report.html" "$@" >/dev/null
}

# The figures and the report that the check named report has made; the page shows the figures by their contents.
report() { cp -r "$folder/." "$work/"; }

# The numbers that the page opens with, one a line.
opening() { grep -o '<li><b>[^<]*</b>' "$1" | sed 's/<[^>]*>//g'; }

case $check in
  report)
    "$python" "$root/plots/draw.py" --results "$here/golden" --output "$work/figures" >/dev/null
    make
    rm -rf "$folder"
    cp -r "$work" "$folder"
    ;;
  html)
    command -v tidy >/dev/null || skip "no tidy (apt-get install tidy)"
    report
    tidy -q -e --show-warnings yes "$work/report.html" 2>"$work/said" || { cat "$work/said"; exit 1; }
    # The check bites: the same page with an image whose text is taken away is refused.
    sed 's/<img class="\([a-z]*\)" alt="[^"]*"/<img class="\1"/' "$work/report.html" >"$work/worse.html"
    ! tidy -q -e "$work/worse.html" 2>/dev/null || { echo "tidy does not notice a missing alt"; exit 1; }
    # The opening follows the verdicts: one value more that is missed, one claim more that failed.
    opening "$work/report.html" >"$work/before"
    cp -r "$here/golden" "$work/planted"
    sed -i '/,value$/s/,reproduced,/,not reproduced,/' "$work/planted/sun2025-fig3.expected.csv"
    sed -i '0,/claim$/s/,reproduced,/,not reproduced,/' "$work/planted/yin2024-fig5.expected.csv"
    make --results "$work/planted"
    opening "$work/report.html" >"$work/after"
    paste -d: "$work/before" "$work/after" | head -n 3 | "$python" -c '
import re, sys
before_after = [[list(map(int, re.findall(r"[0-9]+", half))) for half in line.split(":")] for line in sys.stdin]
(values, worse), (other, same), (failed, more) = before_after
assert worse == [values[0] - 3, values[1]] and values[0] >= 3, (values, worse)
assert other == same and other[0] > 100, (other, same)
assert more == [failed[0] + 1, failed[1]], (failed, more)' || { echo "the opening does not follow the verdicts"; exit 1; }
    # No name of a file and no number of JSON or CSV becomes a tag.
    mkdir "$work/hostile" "$work/results"
    printf 'title = "<script>t</script>"\nsource = "<script>s</script>"\n' >"$work/hostile/x\"><script>n<script>.toml"
    sed 's/yin2024/<script>/g; s/decreases/<script>/' "$here/golden/yin2024-fig5.expected.csv" \
      >"$work/results/x\"><script>n<script>.expected.csv"
    sed 's/simulate/<script>/g' "$here/golden/yin2024-fig5.csv" >"$work/results/x\"><script>n<script>.csv"
    cp "$work/figures/yin2024-fig5.svg" "$work/figures/x\"><script>n<script>.svg"
    printf '{"results": [{"pair": "<script>\\u001b[2J\\u009b2J", "verifier": "<script>", "gamma": "<script>", "output": {"horizon": "<script>",
      "tv_to_target": {"value": 0, "exact": "<script>"}}, "iteration": {"undefined_mass": {"value": 0, "exact": "<script>"},
      "expected_accepted": {"value": 0, "exact": "<script>"}}}]}' >"$work/hostile.json"
    hostile() {
      "$python" "$root/plots/report.py" --results "$work/results" --figures "$work/figures" --experiments "$work/hostile" \
        --lossless "$work/hostile.json" --output "$work/hostile.html"
    }
    hostile >/dev/null
    grep -q '&lt;script&gt;n' "$work/hostile.html" || { echo "the hostile experiment is not on the page"; exit 1; }
    grep -q '&lt;script&gt;, Figure 5' "$work/hostile.html" || { echo "the hostile source is not on the page"; exit 1; }
    ! grep '<script' "$work/hostile.html" || { echo "a name or a number became a tag"; exit 1; }
    # Nor does one steer a terminal.
    grep -qF '&lt;script&gt;?[2J?2J' "$work/hostile.html" || { echo "the control characters are not replaced"; exit 1; }
    ! grep -q $'\e\|\302\233' "$work/hostile.html" || { echo "a name steers a terminal"; exit 1; }
    # A page that cannot be made leaves the old one alone.
    printf '{"results": [{}]}' >"$work/hostile.json"
    ! hostile 2>/dev/null || { echo "no failure"; exit 1; }
    grep -q '</html>' "$work/hostile.html" && [ ! -e "$work"/hostile.html.* ] || { echo "the old page is gone"; exit 1; }
    ;;
  browser)
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
      skip "no chromium (apt-get install chromium)"
    report
    looks=0
    # look PAGE WIDTH SCHEME: what the browser saw, or what it complained of. SCHEME: 1 light, 0 dark.
    look() {
      "$python" "$here/probe.py" "$1" "$2" "$work/probe.html"
      looks=$((looks + 1))
      timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --disable-dev-shm-usage \
        --blink-settings=preferredColorScheme="$3" --user-data-dir="$work/profile$looks" --window-size=1400,1000 \
        --virtual-time-budget=20000 --enable-logging=stderr --dump-dom "file://$work/probe.html" >"$work/dom" 2>"$work/log" ||
        { tail -n 5 "$work/log"; return 1; }
      grep -o 'data-seen="[^"]*"' "$work/dom" || { echo "the page did not load"; return 1; }
      ! grep 'CONSOLE' "$work/log"
    }
    wanted='images=([0-9]+) shown=([0-9]+) errors=0 sideways=0 paper=([0-9]+) plate=([0-9]+)'
    for setting in "1280 1" "768 1" "360 1" "360 0"; do
      read -r width scheme <<<"$setting"
      seen=$(look "$work/report.html" "$width" "$scheme") || { echo "$seen"; exit 1; }
      echo "$width, scheme $scheme: $seen"
      [[ $seen =~ $wanted ]] && [ "${BASH_REMATCH[1]}" -ge 15 ] && [ "${BASH_REMATCH[1]}" -eq "${BASH_REMATCH[2]}" ] &&
        [ "${BASH_REMATCH[4]}" -ge 240 ] || exit 1
      if [ "$scheme" = 0 ]; then [ "${BASH_REMATCH[3]}" -le 60 ]; else [ "${BASH_REMATCH[3]}" -ge 240 ]; fi ||
        { echo "the page is not as light as was asked for"; exit 1; }
    done
    # The check bites: a broken image, a failing script, something wide and a dark plate are reported.
    bites() {
      local name=$1 change=$2 wanted=$3 scheme=$4
      sed "$change" "$work/report.html" >"$work/worse.html"
      ! cmp -s "$work/report.html" "$work/worse.html" || { echo "$name: nothing is planted"; exit 1; }
      seen=$(look "$work/worse.html" 360 "$scheme") || true
      [[ $seen =~ $wanted ]] || { echo "$name is not noticed: $seen"; exit 1; }
    }
    bites "a failing script" 's|</head>|<script>missing()</script></head>|' 'errors=[1-9]' 1
    bites "a wide line" 's|</main>|<pre>'"$(printf 'x%.0s' {1..400})"'</pre></main>|' 'sideways=[1-9]' 1
    bites "a dark plate" 's|\.plate { background: #fff;|.plate {|' 'plate=[0-9]{1,2}"' 0
    # The narrow form of the first figure, which a page of 360 pixels shows.
    sed '0,/srcset="data:image\/svg+xml;base64,/s//srcset="data:image\/svg+xml;base64,AAAA/' "$work/report.html" >"$work/worse.html"
    seen=$(look "$work/worse.html" 360 1) || true
    if ! [[ $seen =~ images=([0-9]+)\ shown=([0-9]+) ]] || [ "${BASH_REMATCH[1]}" -eq "${BASH_REMATCH[2]}" ]; then
      echo "a broken image is not noticed: $seen"
      exit 1
    fi
    ;;
  *) echo "unknown check $check" >&2; exit 2 ;;
esac
