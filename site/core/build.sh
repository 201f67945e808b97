#!/usr/bin/env bash
# The program compiled to WebAssembly: see --help.
set -euo pipefail
if [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
  cat <<'EOT'
usage: site/core/build.sh [DIR]

Compiles exact, simulate, verify and list to WebAssembly (by Emscripten, in about ten minutes of one
core) and makes the npm package DIR/npm (default build/wasm): the same words, the same answers. Its
folder core/ is what the pages of the zoo run. Installs missing Debian or Ubuntu packages (as root
or with sudo; of Emscripten about 500 MB), unless SPECLAB_SETUP=off. Exit code 77 without Emscripten.
EOT
  exit 0
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-$root/build/wasm}
# shellcheck source=../../experiments/setup.sh
. "$root/experiments/setup.sh"
setup build core || true
command -v em++ >/dev/null || { echo "core: no Emscripten (emscripten)" >&2; exit 77; }
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
emcmake cmake -S "$root/site/core" -B "$build" -G Ninja >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 1; }
cmake --build "$build" -j "${SPECLAB_JOBS:-$(nproc)}" >"$build.log" 2>&1 || { tail -n 30 "$build.log" >&2; exit 1; }
rm -rf "$build/npm" && mkdir -p "$build/npm/core"
cp "$root"/site/npm/* "$root/LICENSE" "$build/npm/"
version=$(sed -n 's/^project(speclab VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
sed -i "s/\"version\": \"[^\"]*\"/\"version\": \"$version\"/" "$build/npm/package.json"
cat "$build/speclab.js" "$root/site/core/run.js" >"$build/npm/core/speclab.js"
cp "$build/speclab.wasm" "$build/npm/core/"
echo "$build/npm: $(wc -c <"$build/speclab.wasm") bytes, compressed $(gzip -9c "$build/speclab.wasm" | wc -c)"
