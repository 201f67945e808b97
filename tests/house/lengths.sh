#!/usr/bin/env bash
# lengths.sh ROOT [FOLDER ...]: README.md has at most 160 lines, no C++ file more than 350, and no
# function more than 60, from the first line of its declaration to the one that closes its body.
# FOLDERs: src, apps, docs and tests by default.
#
# The code is as clang-format leaves it: a body opens at the end of a line. It is a function's where
# what stands before it, since the last statement, holds a parameter list and is no type, no
# namespace, no list of values and none of if, for, while, switch. A lambda of several lines and a
# test case count too.
set -euo pipefail
cd "$1"
shift
[ $# -gt 0 ] || set -- src apps docs tests
if [ "$(wc -l <README.md)" -gt 160 ]; then
  echo "README.md: $(wc -l <README.md) lines; at most 160: the manual is in docs" >&2
  exit 1
fi
folders=()
for folder in "$@"; do [ ! -d "$folder" ] || folders+=("$folder"); done
find "${folders[@]}" \( -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.inc' \) | sort |
  xargs -r awk -v most_lines=350 -v longest=60 '
  function close_file() {
    if (file != "" && lines > most_lines) {
      print file ": " lines " lines; at most " most_lines
      bad = 1
    }
  }
  # code(line): the line without strings, characters and comments.
  function code(line) {
    gsub(/\\./, "", line)
    gsub(/"[^"]*"/, "\"\"", line)
    gsub(/\047[^\047]*\047/, "", line)
    sub(/\/\/.*/, "", line)
    return line
  }
  FNR == 1 { close_file(); file = FILENAME; depth = 0; statement = ""; raw = ""; directive = 0 }
  { lines = FNR }
  raw != "" {
    if ((at = index($0, raw)) > 0) {
      if (substr($0, at + length(raw)) ~ /;$/) statement = ""
      raw = ""
    }
    next
  }
  match($0, /R"[a-z]*\(/) {
    raw = ")" substr($0, RSTART + 2, RLENGTH - 3) "\""
    if (index(substr($0, RSTART + RLENGTH), raw)) raw = ""
  }
  # A directive goes on where its line ends in a backslash.
  directive || /^ *#/ { directive = /\\$/; next }
  {
    line = code($0)
    if (line ~ /^ *$/) next
    if (statement == "") begun = FNR
    statement = statement " " line
    for (i = 1; i <= length(line); ++i) {
      c = substr(line, i, 1)
      if (c == "{") {
        name[++depth] = ""
        if (substr(line, i + 1) ~ /^ *$/ && is_function(statement)) {
          name[depth] = statement
          from[depth] = begun
        }
      } else if (c == "}" && depth > 0) {
        size = FNR - from[depth] + 1
        if (name[depth] != "" && size > longest) {
          text = name[depth]
          sub(/^ */, "", text)
          print file ":" from[depth] ": " size " lines, at most " longest ": " substr(text, 1, 70)
          bad = 1
        }
        --depth
      }
    }
    if (line ~ /[;{}:]$/ || line ~ /^ *[})]/) statement = ""
  }
  # A head such as "int f(int x) const {": a name, a parameter list, and no type, value or control.
  function is_function(head) {
    if (head !~ /\(/) return 0
    if (head ~ /^ *(} *)?(else|if|for|while|switch|do|catch|try)[ ({]/) return 0
    if (head ~ /^ *(namespace|enum|union|#)/) return 0
    if (head ~ /^ *(template *<[^{]*> *)?(struct|class) [^(]*{$/) return 0
    if (head ~ /= *{$/) return 0
    return 1
  }
  END { close_file(); exit bad }' >&2
