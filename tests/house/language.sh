#!/usr/bin/env bash
# language.sh ROOT: no source, script or test contains a phrase of words.txt, which has a better one.
# Recorded inputs and outputs are not checked.
set -euo pipefail
table=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/words.txt
cd "$1"
folders=()
for folder in src apps python tests; do
  if [ -d "$folder" ]; then folders+=("$folder"); fi
done
# Rooms whose words are still to be changed.
later=(--exclude-dir={answer,exact,experiment,report,claims,apps,plots,mutants,perf})
later+=(--exclude={measured.sh,sanitizer.h,commit.sh})
bad=0
while IFS=$'\t' read -r pattern instead; do
  case $pattern in '' | \#*) continue ;; esac
  if found=$(LC_ALL=C.UTF-8 grep -rPinI --exclude=words.txt --exclude-dir=fuzz --exclude-dir=data \
      --exclude-dir=golden "${later[@]}" -- "$pattern" "${folders[@]}"); then
    printf '%s\n' "$found" | sed 's/^/language: /'
    echo "  write instead: $instead"
    bad=1
  fi
done <"$table" >&2
exit "$bad"
