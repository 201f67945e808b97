#!/usr/bin/env bash
# toplevel.sh ROOT: the top level holds only what it may hold.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/files.sh"
strays=$(house_files "$1" | cut -d/ -f1 | sort -u | grep -vE '^\.' | grep -vxE \
  'CMakeLists\.txt|CMakePresets\.json|pyproject\.toml|src|apps|docs|experiments|python|tests|plots|proofs|conformance|site|action\.yml|Dockerfile|README\.md|LICENSE|CITATION\.cff' || true)
if [ -n "$strays" ]; then
  echo "not allowed at the top level:" $strays >&2
  exit 1
fi
