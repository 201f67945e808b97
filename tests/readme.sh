#!/usr/bin/env bash
# The README's generated sections: see --help.
set -euo pipefail
usage() {
  cat <<'EOF'
usage: tests/readme.sh [--write] [--build DIR] [--root DIR]

Checks that every section of README.md between
    <!-- begin: NAME (made by: COMMAND) -->
    <!-- end: NAME -->
is what COMMAND prints, and shows the difference where it is not; `(text made by: COMMAND)` puts it
into a block of code below the command itself. With --write the sections are made anew. COMMAND runs in the project's root with the built speclab of DIR (default
build/release) first on PATH, and without a terminal.
EOF
}
write=false build='' root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
while [ $# -gt 0 ]; do
  case $1 in
    --write) write=true ;;
    --build) build=${2:?--build takes a folder}; shift ;;
    --root) root=${2:?--root takes a folder}; shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "readme: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
  shift
done
build=$(cd "${build:-$root/build/release}" 2>/dev/null && pwd) ||
  { echo "readme: no built speclab; name its folder with --build" >&2; exit 2; }
[ -x "$build/speclab" ] || { echo "readme: no speclab in $build" >&2; exit 2; }
export PATH=$build:$PATH
cd "$root"

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
begin='^<!-- begin: ([A-Za-z0-9_-]+) \((text )?made by: (.+)\) -->$'
end='^<!-- end: ([A-Za-z0-9_-]+) -->$'
open='' sections=0 number=0
while IFS= read -r line || [ -n "$line" ]; do
  number=$((number + 1))
  if [[ $line =~ $begin ]]; then
    name=${BASH_REMATCH[1]} text=${BASH_REMATCH[2]} command=${BASH_REMATCH[3]}
    [ -z "$open" ] || { echo "README.md:$number: section $open has no end" >&2; exit 1; }
    if ! output=$(bash -c "$command" </dev/null); then
      echo "README.md:$number: section $name: \`$command\` failed" >&2
      exit 1
    fi
    [ -n "$output" ] || { echo "README.md:$number: \`$command\` printed nothing" >&2; exit 1; }
    [ -z "$text" ] || output=$(printf '```text\n$ %s\n%s\n```' "$command" "$output")
    open=$name sections=$((sections + 1))
    printf '%s\n\n%s\n\n' "$line" "$output"
  elif [[ $line =~ $end ]]; then
    [ "$open" = "${BASH_REMATCH[1]}" ] ||
      { echo "README.md:$number: end of ${BASH_REMATCH[1]}, which is not open" >&2; exit 1; }
    open=''
    printf '%s\n' "$line"
  elif [ -z "$open" ]; then
    printf '%s\n' "$line"
  fi
done <README.md >"$fresh"
[ -z "$open" ] || { echo "README.md: section $open has no end" >&2; exit 1; }
[ "$sections" -gt 0 ] || { echo "README.md: no generated section found" >&2; exit 1; }

cmp -s README.md "$fresh" && exit 0
if $write; then
  cat "$fresh" >README.md
  echo "README.md: made its $sections generated sections anew"
else
  diff -u --label README.md --label "README.md as it should be" README.md "$fresh" >&2 || true
  echo "README.md is stale: run tests/readme.sh --write" >&2
  exit 1
fi
