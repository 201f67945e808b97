#!/usr/bin/env bash
# names.sh ROOT: a type's name has one meaning. No two headers of src define a type of one name,
# since all rooms share a namespace and the linker would take the functions of one type for both. No
# source outside a namespace of its own defines a type of a header's name or of another such source
# of its room: a room is compiled in a few pieces, and which sources share one changes with any.
set -euo pipefail
cd "$1"
{ find src -name '*.h' | sort; find src -name '*.cc' | sort; } | xargs -r awk '
  FNR == 1 {
    split(FILENAME, folders, "/")
    source = FILENAME ~ /\.cc$/
    scope = source ? folders[2] : ""
  }
  # A namespace inside that of the project, and names that are found in it.
  /^namespace [a-z_0-9]+ \{/ && $2 != "speclab" { if (source) scope = FILENAME }
  # At the left margin: inside of no other type. A forward declaration or a specialisation is none.
  /^(struct|class|enum class|enum) [A-Za-z_0-9]+( final)?( :|$| \{)/ {
    name = $2 == "class" ? $3 : $2
    other = where[scope, name]
    if (source && scope != FILENAME && !other) other = where["", name]
    if (other && other != FILENAME) {
      print FILENAME ":" FNR ": " name " is a type of " other " too"
      bad = 1
    }
    where[scope, name] = FILENAME
  }
  END { exit bad }' >&2
