#!/usr/bin/env bash
# browser.sh ROOT SITE WORK: the zoo in headless Chromium (browser.mjs), driven by puppeteer-core, with axe-core; both come
# from npm into WORK. Exit code 77 where Node, Chromium or npm's packages are not there.
set -euo pipefail
root=$1 site=$2 work=$3
skip() { echo "skipped: $1"; exit 77; }
command -v node >/dev/null && command -v npm >/dev/null || skip "no Node with npm (apt-get install nodejs npm)"
SPECLAB_BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "no chromium (apt-get install chromium)"
export SPECLAB_BROWSER
[ -f "$site/index.html" ] || skip "the zoo was not made ($site)"
mkdir -p "$work"
cp "$root"/tests/site/package.json "$root"/tests/site/package-lock.json "$root"/tests/site/browser.mjs "$work/"
if ! cmp -s "$work/package-lock.json" "$work/installed.json"; then
  npm ci --prefix "$work" --ignore-scripts --no-audit --no-fund >"$work/npm.log" 2>&1 ||
    skip "npm gives no puppeteer-core and axe-core here ($work/npm.log)"
  cp "$work/package-lock.json" "$work/installed.json"
fi
node "$work/browser.mjs" "$site"
node "$work/browser.mjs" "$site" --controls
