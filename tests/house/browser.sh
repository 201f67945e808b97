#!/usr/bin/env bash
# browser.sh ROOT: the program that site/core compiles for a browser is whole. Each room of src is in
# it, but those named here, and of the sources of apps each whose header one of them includes, or one
# beside it that stands for it.
set -euo pipefail
core=$1/site/core
left_out="audit experiment train"
status=0
complain() {
  echo "site/core/CMakeLists.txt: $1" >&2
  status=1
}
for folder in "$1"/src/*/; do
  room=$(basename "$folder")
  case " $left_out " in *" $room "*) continue ;; esac
  grep -q "^core_room($room " "$core/CMakeLists.txt" || complain "the room $room is not compiled"
done
names=$(sed -n '/^foreach(name arguments/,/)$/p' "$core/CMakeLists.txt" | tr -d ')' | cut -d' ' -f2- | tr '\n' ' ')
stands=$(grep -ho '^#include "[a-z_]*\.h"' "$core"/*.cc | sed 's/.*"\(.*\)\.h"/\1/')
for name in $names; do
  for file in "$1/apps/$name.cc" "$1/apps/$name.h"; do
    [ -f "$file" ] || continue
    for header in $(grep -o '^#include "[a-z_]*\.h"' "$file" | sed 's/.*"\(.*\)\.h"/\1/'); do
      [ -f "$1/apps/$header.cc" ] || continue
      grep -qxF "$header" <(printf '%s\n' $names $stands) ||
        complain "apps/$header.cc, which $name includes, is not compiled"
    done
  done
done
exit "$status"
