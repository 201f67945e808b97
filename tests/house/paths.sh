#!/usr/bin/env bash
# paths.sh ROOT: no file of the project names a folder of one particular machine, and no comment and
# no page names a source or a page that does not exist.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/files.sh"
pattern='(^|[^[:alnum:]_.}/-])/(wor[k]|roo[t]|hom[e]/[[:alnum:]]+|Use[r]s/[[:alnum:]]+|tm[p]/build)(/|-|$)'
cd "$1"
found=$(house_files . | tr '\n' '\0' | xargs -0 grep -nIE "$pattern" /dev/null || true)
if [ -n "$found" ]; then
  printf 'machine paths:\n%s\n' "$found" >&2
  exit 1
fi
rooms=$(cd src && printf '%s\n' */ | tr -d / | paste -sd'|')
named="(^|[^[:alnum:]_./>-])((src|apps|docs|tests)/[a-z0-9_/.-]+|($rooms)/[a-z0-9_/]+)\.(h|cc|md|sh|txt)\b"
missing=$(house_files . | grep -E '^(src|apps|docs)/|^tests/.*\.(h|cc)$|^README\.md$' | tr '\n' '\0' |
  xargs -0 grep -hIoE "$named" /dev/null | sed -E 's/^[^a-z]//' | sort -u | while read -r file; do
    [ -e "$file" ] || [ -e "src/$file" ] || [ -e "tests/$file" ] || echo "$file"
  done)
if [ -n "$missing" ]; then
  printf 'named, but missing:\n%s\n' "$missing" >&2
  exit 1
fi
