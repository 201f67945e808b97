#!/usr/bin/env bash
# controls.sh: every check of this folder, and the README check, rejects a fault planted for it
# and passes without it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# tree: a fresh small project at $root that passes every check.
tree() {
  root=$scratch/project
  rm -rf "$root"
  mkdir -p "$root"/{src/base,src/model,apps,build}
  echo '#include "base/a.h"' >"$root/src/model/m.h"
  echo '#include <vector>' >"$root/src/base/a.h"
  echo '#include "model/m.h"' >"$root/apps/main.cc"
  printf '%s\n\n%s\n\n%s\n' '<!-- begin: one (made by: speclab say one) -->' 'told: say one' \
    '<!-- end: one -->' >"$root/README.md"
  printf '#!/bin/sh\n[ "$1" = say ] && echo "told: $*"\n' >"$root/build/speclab"
  chmod +x "$root/build/speclab"
}
# expect pass|fail NAME COMMAND...
expect() {
  local want=$1 name=$2 got=pass
  shift 2
  "$@" >"$scratch/out" 2>&1 || got=fail
  if [ "$got" != "$want" ]; then
    echo "$name: expected to $want, did not:"
    cat "$scratch/out"
    failures=$((failures + 1))
  fi
}
readme() { "$here/../readme.sh" --root "$root" --build "$root/build" "$@"; }

tree
for check in toplevel paths includes; do expect pass "$check" "$here/$check.sh" "$root"; done
expect pass readme readme

tree; echo note >"$root/NOTES.txt"
expect fail "a stray file at the top" "$here/toplevel.sh" "$root"
tree; echo "see /wor""k/main for it" >>"$root/README.md"
expect fail "a machine path" "$here/paths.sh" "$root"
tree; echo '#include "model/m.h"' >>"$root/src/base/a.h"
expect fail "base includes model" "$here/includes.sh" "$root"
tree; echo '  #  include "apps/x.h"' >>"$root/src/model/m.h"
expect fail "model includes apps" "$here/includes.sh" "$root"
# plant ROOM HEADER: a file of the room that includes the header, which is there.
plant() {
  mkdir -p "$root/src/$1" "$root/src/${2%/*}"
  touch "$root/src/$2"
  echo "#include \"$2\"" >"$root/src/$1/planted.h"
}
tree; plant simulate exact/e.h
expect fail "simulate includes exact" "$here/includes.sh" "$root"
tree; plant exact simulate/s.h
expect fail "exact includes simulate" "$here/includes.sh" "$root"
tree; plant verifiers theory/t.h
expect fail "verifiers includes theory" "$here/includes.sh" "$root"
tree; plant theory verifiers/v.h
expect fail "theory includes verifiers" "$here/includes.sh" "$root"
tree; plant exact answer/a.h
expect fail "exact includes answer" "$here/includes.sh" "$root"
tree; plant answer exact/e.h
expect pass "answer includes exact" "$here/includes.sh" "$root"
tree; mkdir "$root/src/attic"; touch "$root/src/attic/a.h"; echo 1 >"$root/src/attic/a.h"
expect fail "an unknown room" "$here/includes.sh" "$root"

tree; sed -i 's/told: say one/stale/' "$root/README.md"
expect fail "a stale section" readme
expect pass "mending it" readme --write
expect pass "the mended section" readme
tree; sed -i 's/(made by/(text made by/' "$root/README.md"
expect fail "a section of text that lacks its block" readme
expect pass "making the block" readme --write
expect pass "the block shows the command" grep -qxF '$ speclab say one' "$root/README.md"
expect pass "the section of text" readme
tree; sed -i 's/speclab say/speclab refuse/' "$root/README.md"
cp "$root/README.md" "$scratch/before"
expect fail "a section whose command fails" readme --write
expect pass "which leaves the file alone" cmp "$root/README.md" "$scratch/before"
tree; sed -i '/end: one/d' "$root/README.md"
expect fail "a section without an end" readme --write
tree; sed -i '/begin: one/d' "$root/README.md"
expect fail "an end without a section" readme
tree; echo 'no sections' >"$root/README.md"
expect fail "no section at all" readme
exit $((failures > 0))
