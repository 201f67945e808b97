#!/usr/bin/env bash
# paths.sh ROOT: no file of the project names a folder of one particular machine.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/files.sh"
pattern='(^|[^[:alnum:]_.}/-])/(wor[k]|roo[t]|hom[e]/[[:alnum:]]+|Use[r]s/[[:alnum:]]+|tm[p]/build)(/|-|$)'
cd "$1"
found=$(house_files . | tr '\n' '\0' | xargs -0 grep -nIE "$pattern" /dev/null || true)
if [ -n "$found" ]; then
  printf 'machine paths:\n%s\n' "$found" >&2
  exit 1
fi
