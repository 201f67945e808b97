#!/usr/bin/env bash
# man.sh PROGRAM FOLDER: writes the man pages of a built speclab into FOLDER, speclab.1 and one for each
# command, speclab-COMMAND.1, from what the program's own --help prints.
set -euo pipefail
program=$1 folder=$2
mkdir -p "$folder"
version=$("$program" --version | cut -d' ' -f1,2)

# page NAME PURPOSE SEE: the help on standard input as a page. A paragraph, a `usage:` line, then parts:
# a heading that ends in a colon, or the exit codes. In a part, lines that begin with two spaces are
# entries, and deeper ones go on.
page() {
  awk -v name="$1" -v purpose="$2" -v version="$version" -v others="$3" '
    function roff(text) {
      gsub(/\\/, "\\e", text)
      gsub(/-/, "\\-", text)
      sub(/^[.\047]/, "\\\\\\&&", text)
      return text
    }
    BEGIN {
      printf ".TH %s 1 \"\" \"%s\" \"speclab\"\n", toupper(name), version
      printf ".SH NAME\n%s \\- %s\n", roff(name), roff(purpose)
      part = ""
    }
    /^usage: / {
      synopsis = substr($0, 8)
      next
    }
    synopsis != "" && /^ +[^ ]/ {  # a usage line that is folded
      sub(/^ +/, " ")
      synopsis = synopsis $0
      next
    }
    /^[a-z][a-z ]*:$/ || /^exit codes: / {
      if (synopsis != "") {
        text = roff(synopsis)
        gsub(/\|/, "|\\\\:", text)  # a line may break behind each choice
        printf ".SH SYNOPSIS\n.ad l\n.B %s\n.ad\n", text
        synopsis = ""
      }
      part = $0
      sub(/:.*/, "", part)
      printf ".SH %s\n", toupper(part)
      rest = $0
      sub(/^[a-z][a-z ]*: ?/, "", rest)
      if (rest != "") print roff(rest)
      next
    }
    /^$/ { next }
    part == "" { next }  # the paragraph is the purpose
    part == "examples" { sub(/^ +/, ""); printf ".PP\n.nf\n.B %s\n.fi\n", roff($0); next }
    /^  [^ ]/ {
      text = substr($0, 3)
      if (match(text, /  +/)) {
        printf ".TP\n.B %s\n%s\n", roff(substr(text, 1, RSTART - 1)), roff(substr(text, RSTART + RLENGTH))
      } else {
        printf ".PP\n.B %s\n", roff(text)
      }
      next
    }
    { sub(/^ +/, ""); print roff($0) }
    END { printf ".SH SEE ALSO\n%s\n", others }'
}

commands=$("$program" list commands --format csv | sed 1d | cut -d, -f1 | uniq)
see=$(printf '%s\n' $commands | sed 's/.*/.BR speclab\\-& (1)/')
"$program" --help | page speclab "the theory of speculative decoding, checked" "$see" >"$folder/speclab.1"
for command in $commands; do
  purpose=$("$program" "$command" --help | awk 'NF == 0 { exit } { printf "%s%s", n++ ? " " : "", $0 }')
  "$program" "$command" --help | page "speclab-$command" "$purpose" '.BR speclab (1)' \
    >"$folder/speclab-$command.1"
done
