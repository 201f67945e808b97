#!/usr/bin/env bash
# command.sh BUILD WORK: `speclab plot` of every kind of file, and what it says of wrong ones. SPECLAB_PYTHON names a Python
# with matplotlib.
set -euo pipefail
speclab=$1/speclab work=$2/command
mkdir -p "$work"
cd "$work"
pair='bernoulli(draft=2/3,target=1/3)'
"$speclab" simulate --pair "$pair" --verifier token --verifier block --gamma 1:3 --horizon 8 --trials 500 --format csv >results.csv
"$speclab" exact --pair "$pair" --verifier token --verifier block --gamma 3 --format csv >law.csv
"$speclab" advise --pair "$pair" --latency draft=0.1,target=1+0.02n --gamma 1:3 --horizon 8 --trials 256 --format csv >advice.csv
"$speclab" advise --pair "$pair" --latency draft=0.1,target=1+0.02n --gamma 1:3 --horizon 8 --trials 256 --format json >advice.json
"$speclab" simulate --pair "$pair" --compare block,token --gamma 1:3 --trials 500 --format csv >compare.csv
printf '{"rule": "token", "verdict": "fail", "trials": 500, "cases": [{}], "findings": [{"case": "case 1", "decision":
  "bonus at accepted length 1", "tv": 0.25, "p_value": 1e-20}]}' >audit.json
printf '{"verifier": "block", "property": "lossless", "vocabulary": 2, "gamma": 1, "models": "iid", "ordered": true,
  "parameters": ["draft[0]", "target[0]"], "pending": [], "undecided": [], "by": {"identity": 1},
  "cells": [{"conditions": ["draft[0] - target[0] < 0"], "sample": ["1/4", "1/2"]}]}' >cells.json

# draws OUTPUT ARGUMENTS: a picture of the kind that the name says.
draws() {
  local output=$1
  shift
  "$speclab" plot "$@" --output "$output" >said
  [ "$(cat said)" = "$output" ] || { echo "plot $*: it says $(cat said)"; exit 1; }
  case $output in
    *.svg) grep -q '</svg>' "$output" ;;
    *.pdf) [ "$(head -c 5 "$output")" = %PDF- ] ;;
    *.png) [ "$(head -c 4 "$output" | tail -c 3)" = PNG ] ;;
  esac || { echo "plot $*: $output is no picture"; exit 1; }
}
draws lengths.svg results.csv --x gamma --y acceptance_length --by verifier
draws again.svg results.csv --x gamma --y decode.acceptance_length --by verifier
cmp lengths.svg again.svg
draws paper.pdf results.csv --x gamma --y acceptance_length --by verifier --paper-style --log xy --errors band
draws facets.png results.csv --x index --y tail --by verifier --facet gamma --where verifier=block
draws words.svg results.csv --x verifier --y acceptance_length --by gamma --errors none
draws law.svg law.csv --y accepted_law
draws advice.svg advice.csv
draws advice-json.svg advice.json
draws speedup.svg advice.csv --x gamma --y speedup --by verifier
draws compare.svg compare.csv --x gamma --y difference
draws audit.svg audit.json
draws cells.svg cells.json
"$speclab" plot results.csv --x gamma --y acceptance_length >said
[ "$(cat said)" = results.svg ] && [ -s results.svg ]
"$speclab" plot - --x gamma --y acceptance_length --output stdin.svg <results.csv >said
cmp stdin.svg lengths.svg
# 300 dots an inch.
"$SPECLAB_PYTHON" - <<'EOF'
import struct
data = open("facets.png", "rb").read()
place = data.index(b"pHYs")
assert struct.unpack(">I", data[place + 4:place + 8])[0] == 11811, "not 300 dots an inch"
EOF

# refuses CODE TEXT ARGUMENTS: one line with this text, this exit code, and no picture.
refuses() {
  local code=$1 text=$2 found=0
  shift 2
  rm -f wrong.svg
  "$speclab" plot "$@" --output wrong.svg >said 2>complaint || found=$?
  if [ $found -ne "$code" ] || [ -s said ] || [ "$(wc -l <complaint)" -ne 1 ] || [ -e wrong.svg ] ||
    ! grep -qF -e "$text" complaint || ! grep -q '^speclab: ' complaint; then
    echo "plot $*: code $found, it says $(cat complaint)"
    exit 1
  fi
}
refuses 2 'name the file to draw'
refuses 2 'name the lines are: pair, verifier, gamma' results.csv --x gama --y acceptance_length
refuses 2 "did you mean 'gamma'" results.csv --x gama --y acceptance_length
refuses 2 "did you mean 'decode.acceptance_length'" results.csv --x gamma --y acceptance_lenght
refuses 2 'iteration.tail' results.csv --x gamma --y nothing
refuses 2 'no column or variable' results.csv --x gamma --y acceptance_length --by color
refuses 2 'no column or variable' results.csv --x gamma --y acceptance_length --facet color
refuses 2 'it has block, token' results.csv --x gamma --y acceptance_length --where verifier=blok
refuses 2 'takes NAME=VALUE' results.csv --x gamma --y acceptance_length --where verifier
refuses 2 'which differ in verifier' results.csv --x gamma --y acceptance_length --by horizon
refuses 2 'bars' results.csv --x gamma --y acceptance_length --errors lines
refuses 2 'positive numbers' results.csv --x gamma --y undefined_mass --log y
refuses 2 'did you mean' results.csv --y acceptance_length --facets gamma
refuses 2 'say with --y which number' results.csv
refuses 3 'No such file' none.csv --x gamma --y tail
: >empty.csv
refuses 3 'is empty' empty.csv --x gamma --y tail
head -n 1 results.csv >heading.csv
refuses 3 'no line under its heading' heading.csv --x gamma --y tail
printf 'a,b\n1,2\n' >other.csv
refuses 3 'no table of speclab' other.csv --x a --y b
head -c 700 results.csv >cut.csv
refuses 3 'not as many fields' cut.csv --x gamma --y tail
printf '{"a": 1}' >other.json
refuses 3 'no JSON that speclab plot knows' other.json
printf '{"a": ' >cut.json
refuses 3 'was it cut' cut.json
printf '{"findings": [{}], "cases": [], "rule": "token"}' >half.json
refuses 3 'is not whole' half.json
"$speclab" exact --pair "$pair" --verifier token --gamma 1 --format json >result.json
refuses 3 'write it with --format csv' result.json
printf 'a\0\377' >binary.csv
refuses 3 'is no text' binary.csv
printf '[%.0s' {1..20000} >deep.json
refuses 3 'nested too deeply' deep.json
# A picture is XML whatever stands in a name.
sed $'s/,token,/,to\e[31mken,/' law.csv >escape.csv
draws escape.svg escape.csv --y accepted_law
if grep -q $'\e' escape.svg; then echo "a control character reached escape.svg"; exit 1; fi
sed 's/draft\[0\] - target\[0\]/__import__("os")/' cells.json >hostile.json
refuses 3 'is no' hostile.json
if "$speclab" plot results.csv --x gamma --y acceptance_length --output wrong.gif 2>complaint; then exit 1; fi
grep -q 'ends in .svg, .pdf or .png' complaint
# Without matplotlib, or Python.
printf '#!/bin/sh\nexec %s -S -I "$@"\n' "$SPECLAB_PYTHON" >bare
chmod +x bare
for python in "$PWD/bare" /nothing/python; do
  code=0
  SPECLAB_PYTHON=$python "$speclab" plot results.csv --x gamma --y acceptance_length 2>complaint || code=$?
  [ $code -eq 3 ] && [ "$(wc -l <complaint)" -eq 1 ] && grep -q matplotlib complaint || { cat complaint; exit 1; }
done
# The two places where options are written have the same.
"$speclab" list commands --command plot --format csv | cut -d, -f2 | grep -oE '^"?--[a-z-]+' | tr -d '"' |
  grep -vxE -e '--(plugin|help)' | sort >rows
"$SPECLAB_PYTHON" -B "${1}/python/speclab/plot" --help | grep -oE '^  (-h, )?--[a-z-]+' | grep -oE -e '--[a-z-]+' |
  grep -vx -e --help | sort -u >parsed
diff rows parsed
