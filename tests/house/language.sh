#!/usr/bin/env bash
# language.sh ROOT: no source, script, test or page contains a phrase of words.txt, which has a better one.
# Recorded inputs and outputs are not checked.
set -euo pipefail
table=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/words.txt
cd "$1"
places=()
for place in src apps python docs experiments plots conformance site proofs tests README.md; do
  if [ -e "$place" ]; then places+=("$place"); fi
done
bad=0
while IFS=$'\t' read -r pattern instead; do
  case $pattern in '' | \#*) continue ;; esac
  if found=$(LC_ALL=C.UTF-8 grep -rPinI --exclude={words.txt,measured.sh,sanitizer.h,commit.sh} \
      --exclude-dir={fuzz,data,golden} -- "$pattern" "${places[@]}"); then
    printf '%s\n' "$found" | sed 's/^/language: /'
    echo "  write instead: $instead"
    bad=1
  fi
done <"$table" >&2
exit "$bad"
