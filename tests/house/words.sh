#!/usr/bin/env bash
# words.sh ROOT: no text in src names an option of the command line (`--horizon`): only apps/ knows
# it. A comment may; an #include line, and a `--` that no letter follows, are no text of that kind.
set -euo pipefail
cd "$1"
find src \( -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.inc' \) | sort | xargs -r awk '
  # texts(line): the string literals of a line, joined; `within` is a block comment, and `raw` the
  # end of a raw string, that are still open.
  function texts(line, text, i, c, quoted, end) {
    text = ""
    i = 1
    while (i <= length(line)) {
      if (raw != "") {
        end = index(substr(line, i), raw)
        if (!end) return text " " substr(line, i)
        text = text " " substr(line, i, end - 1)
        i += end - 1 + length(raw)
        raw = ""
        continue
      }
      if (within) {
        end = index(substr(line, i), "*/")
        if (!end) return text
        i += end + 1
        within = 0
        continue
      }
      c = substr(line, i, 1)
      if (quoted) {
        if (c == "\\") { text = text substr(line, i, 2); i += 2; continue }
        if (c == "\"") { quoted = 0; text = text " " } else text = text c
      } else if (substr(line, i, 2) == "//") {
        return text
      } else if (substr(line, i, 2) == "/*") {
        within = 1
        ++i
      } else if (match(substr(line, i), /^R"[^(]*\(/)) {
        raw = ")" substr(line, i + 2, RLENGTH - 3) "\""
        i += RLENGTH
        continue
      } else if (c == "\"") {
        quoted = 1
      } else if (c == "\047" && match(substr(line, i), /^\047(\\.|[^\\])[^\047]*\047/)) {
        i += RLENGTH - 1  # a character
      }
      ++i
    }
    return text
  }
  FNR == 1 { within = 0; raw = "" }
  {
    text = texts($0)
    if (text ~ /(^|[^-])--[a-z{]/) { print FILENAME ":" FNR ": names an option: " $0; bad = 1 }
  }
  END { exit bad }' >&2
