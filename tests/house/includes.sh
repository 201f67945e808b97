#!/usr/bin/env bash
# includes.sh ROOT: a room of src includes only from itself and the rooms above it:
# base < system < document < model < draft < train < theory < optimum < verifiers < run < recorded < exact < simulate < prove < answer < claims < audit < experiment
# < report < apps.
# Closed forms share nothing with the verifiers, and exact and simulate are siblings: neither of
# such a pair includes the other.
set -euo pipefail
cd "$1"
folders=(src)
[ ! -d apps ] || folders+=(apps)
find "${folders[@]}" -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.inc' | sort | xargs -r awk '
  BEGIN {
    n = split("base system document model draft train theory optimum verifiers run recorded exact simulate prove answer claims audit experiment report apps", rooms, " ")
    for (i = 1; i <= n; ++i) rank[rooms[i]] = i
    apart["simulate", "exact"] = apart["verifiers", "theory"] = apart["prove", "simulate"] = apart["prove", "exact"] = 1
  }
  FNR == 1 {
    split(FILENAME, part, "/")
    room = part[1] == "apps" ? "apps" : part[2]
    if (!(room in rank)) { print FILENAME ": " room " is no room of the house"; bad = 1 }
  }
  /^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    if (split(quoted[2], part, "/") < 2) {
      if (room != "apps") {
        print FILENAME ":" FNR ": \"" quoted[2] "\" does not name its room"
        bad = 1
      }
      next
    }
    if (!(part[1] in rank)) {
      print FILENAME ":" FNR ": \"" quoted[2] "\" is in no room"
      bad = 1
    } else if (rank[part[1]] > rank[room] || (room, part[1]) in apart) {
      print FILENAME ":" FNR ": " room " may not include \"" quoted[2] "\""
      bad = 1
    }
  }
  END { exit bad }' >&2
