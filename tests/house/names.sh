#!/usr/bin/env bash
# names.sh ROOT: no two headers of src define a type of one name. All rooms share a namespace, and
# the linker would take the functions of one type for both.
set -euo pipefail
cd "$1"
find src -name '*.h' | sort | xargs -r awk '
  # At the left margin: inside of no other type. A forward declaration or a specialisation is none.
  /^(struct|class|enum class|enum) [A-Za-z_0-9]+( final)?( :|$| \{)/ {
    name = $2 == "class" ? $3 : $2
    if (name in where && where[name] != FILENAME) {
      print FILENAME ":" FNR ": " name " is a type of " where[name] " too"
      bad = 1
    }
    where[name] = FILENAME
  }
  END { exit bad }' >&2
