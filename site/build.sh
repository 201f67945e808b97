#!/usr/bin/env bash
# The zoo as a site: see --help.
set -euo pipefail
usage() {
  cat <<'EOT'
usage: site/build.sh [--output DIR] [--program FILE] [--core DIR] [--url URL] [--issues URL]
                     [--serve [PORT]]

Makes the zoo of speculative decoding: DIR/index.html (default build/site), static pages of what
`speclab list` prints. Installs missing Debian or Ubuntu packages (as root or with sudo) and builds
the program where it is not built (build/release).

  --program FILE   the built program to ask
  --core DIR       the folder of the program compiled to WebAssembly, for "run it here" (default: what
                   site/core/build.sh makes, which is called where Emscripten is installed; none: pages
                   without it)
  --url URL        where the site will be, for citations
  --issues URL     where issues are opened: "dispute this" then has a link
  --serve [PORT]   serve it on 127.0.0.1 (default 8000) when it is made
SPECLAB_SETUP=off skips the look for packages; where Jinja2 or Graphviz is missing the exit code is
then 77.
EOT
}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
output=$root/build/site program=$root/build/release/speclab core="" port="" more=()
while [ $# -gt 0 ]; do
  case $1 in
    --output) output=${2:?--output takes a folder}; shift ;;
    --program)
      program=${2:?--program takes a file}
      [ -x "$program" ] || { echo "build: $program is no program; build it, or leave --program out" >&2; exit 3; }
      shift ;;
    --core) core=${2:?--core takes a folder, or none}; shift ;;
    --url | --issues) more+=("$1" "${2:?$1 takes an address}"); shift ;;
    --serve) port=8000; if [[ ${2:-} =~ ^[0-9]+$ ]]; then port=$2; shift; fi ;;
    -h | --help) usage; exit 0 ;;
    *) echo "build: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
  shift
done
# shellcheck source=../experiments/setup.sh
. "$root/experiments/setup.sh"
setup site || exit 1
python=$(setup_python jinja2) || { echo "build: no Python with Jinja2 (python3-jinja2)" >&2; exit 77; }
command -v dot >/dev/null || { echo "build: no Graphviz (graphviz)" >&2; exit 77; }
if [ ! -x "$program" ]; then
  setup build || exit 1
  setup_compiler
  (cd "$root" && cmake --preset release && cmake --build --preset release --target speclab)
  program=$root/build/release/speclab
fi
if [ -z "$core" ] && command -v em++ >/dev/null; then
  "$root/site/core/build.sh"
  core=$root/build/wasm/npm/core
elif [ -z "$core" ]; then
  echo "build: no Emscripten: pages without \"run it here\" (site/core/build.sh installs it)" >&2
fi
if [ -n "$core" ] && [ "$core" != none ]; then more+=(--core "$core"); fi
"$python" "$root/site/zoo.py" --program "$program" --output "$output" "${more[@]}"
if [ -n "$port" ]; then
  echo "http://127.0.0.1:$port/"
  exec "$python" -m http.server --bind 127.0.0.1 --directory "$output" "$port"
fi
