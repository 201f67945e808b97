#!/usr/bin/env bash
# The manual as a site: see --help.
set -euo pipefail
usage() {
  cat <<'EOT'
usage: docs/build.sh [--output DIR]

Installs missing Debian or Ubuntu packages (Sphinx and MyST, as root or with sudo) and turns the
pages under docs/ into a site: DIR/index.html (default build/docs). A warning, such as a link that
leads nowhere, is an error. With furo and python3-sphinx-copybutton (optional) the site has the theme
Furo and copy buttons; what is not installed is left out with a word. SPECLAB_SETUP=off skips the look for packages; where they are missing the
exit code is then 77.
EOT
}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
output=$root/build/docs
while [ $# -gt 0 ]; do
  case $1 in
    --output) output=${2:?--output takes a folder}; shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "build: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
  shift
done
# shellcheck source=experiments/setup.sh
. "$root/experiments/setup.sh"
setup docs || exit 1
python=$(setup_python sphinx myst_parser) ||
  { echo "build: no Python with Sphinx and MyST (python3-sphinx, python3-myst-parser)" >&2; exit 77; }
SPECLAB_VERSION=$(sed -n 's/^project(speclab VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
export SPECLAB_VERSION
mkdir -p "$output"
"$python" -m sphinx -q -W --keep-going -b html -d "$output/.doctrees" "$root/docs" "$output"
echo "$output/index.html"
