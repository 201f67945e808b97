#!/usr/bin/env bash
# core.sh ROOT PROGRAM BUILD: compiles the program to WebAssembly and compares it with the native one (core.mjs). Exit code
# 77 without Emscripten or Node.
set -euo pipefail
root=$1 program=$2 build=$3
command -v node >/dev/null || { echo "skipped: no Node"; exit 77; }
SPECLAB_SETUP=off "$root/site/core/build.sh" "$build"
node "$root/tests/site/core.mjs" "$build/npm" "$program"
node "$root/tests/site/core.mjs" "$build/npm" "$program" --controls
