#!/usr/bin/env bash
# arrows.sh ROOT: a room includes only from itself, from the ground (base, system, model: each from
# those before it) and along the arrows that tests/house/arrows.txt lists. Every arrow listed is
# used, at most 34 of them are between rooms of src, and no folder of src has more than 30 pairs of
# header and source.
set -euo pipefail
cd "$1"
list=tests/house/arrows.txt
folders=(src)
[ ! -d apps ] || folders+=(apps)
find "${folders[@]}" -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.inc' | sort | xargs -r awk '
  function fail(text) { print text; bad = 1 }
  BEGIN { split("base system model", ground, " "); for (i in ground) rank[ground[i]] = i }
  FILENAME == list {
    sub(/#.*/, "")
    if (NF == 0) next
    if (NF != 3 || $2 != "->") { fail(list ":" FNR ": write ROOM -> ROOM"); next }
    if (($1, $3) in arrow) fail(list ":" FNR ": " $1 " -> " $3 " is listed twice")
    arrow[$1, $3] = FNR
    if ($1 != "apps" && ++arrows == most + 1) {
      fail(list ":" FNR ": there are more than " most " arrows")
    }
    next
  }
  FNR == 1 {
    split(FILENAME, part, "/")
    room = part[1] == "src" ? part[2] : part[1]
    if (part[1] == "src" && !(room in rooms)) rooms[room]
    stem = FILENAME
    if (sub(/\.(h|cc)$/, "", stem) && ++seen[stem] == 2) {
      folder = stem
      sub(/\/[^\/]*$/, "", folder)
      if (++pairs[folder] == 31) fail(folder ": more than 30 pairs of header and source")
    }
  }
  /^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    if (split(quoted[2], part, "/") < 2) {
      if (room != "apps") fail(FILENAME ":" FNR ": \"" quoted[2] "\" does not name its room")
      next
    }
    to = part[1]
    if (to == room || (to in rank && !(room in rank && rank[room] < rank[to]))) next
    if ((room, to) in arrow) {
      used[room, to]
    } else {
      fail(FILENAME ":" FNR ": " room " may not include \"" quoted[2] "\"")
    }
  }
  END {
    for (pair in arrow) {
      split(pair, part, SUBSEP)
      if (!(pair in used)) fail(list ":" arrow[pair] ": nothing uses " part[1] " -> " part[2])
    }
    exit bad
  }' list=$list most=34 $list >&2
