#!/usr/bin/env bash
# The generated sections of README.md, docs/ and src/claims/engine/measured.inc: see --help.
set -euo pipefail
usage() {
  cat <<'EOF'
usage: tests/readme.sh [--write] [--build DIR] [--root DIR] [PAGE ...]

Checks that every section of README.md and of the Markdown files under docs/ (or of the PAGEs named)
between
    <!-- begin: NAME (made by: COMMAND) -->
    <!-- end: NAME -->
is what COMMAND prints, and shows the difference where it is not; `(text made by: COMMAND)` puts it
into a block of code below the command itself. COMMAND runs in the project's root with the built
speclab of DIR (default build/release) first on PATH, and without a terminal.

Without a PAGE it also checks that every command of speclab has its page, docs/commands/NAME.md, with
a section made by `speclab list commands --command NAME --format markdown`; --write begins a page that
is not there, and somebody has to say on it what the command is good for.

With --write the sections are made anew, and before them that of src/claims/engine/measured.inc, which the
program holds: where it has changed, speclab is built again. Its marks are comments of C++; what it
says is checked claim by claim (tests/measured.sh --check), not here.
EOF
}
write=false build='' root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) pages=()
while [ $# -gt 0 ]; do
  case $1 in
    --write) write=true ;;
    --build) build=${2:?--build takes a folder}; shift ;;
    --root) root=${2:?--root takes a folder}; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "readme: unknown option $1 (see --help)" >&2; exit 2 ;;
    *) pages+=("$1") ;;
  esac
  shift
done
build=$(cd "${build:-$root/build/release}" 2>/dev/null && pwd) ||
  { echo "readme: no built speclab; name its folder with --build" >&2; exit 2; }
[ -x "$build/speclab" ] || { echo "readme: no speclab in $build" >&2; exit 2; }
export PATH=$build:$PATH
cd "$root"
whole=false
if [ ${#pages[@]} -eq 0 ]; then
  whole=true pages=(README.md)
  if $write && [ -f src/claims/engine/measured.inc ]; then pages=(src/claims/engine/measured.inc README.md); fi
  if [ -d docs ]; then mapfile -t -O "${#pages[@]}" pages < <(find docs -name '*.md' | sort); fi
fi

# command_pages: each command has its page, with the section that its options make.
command_pages() {
  local name page line names
  names=$(speclab list commands --format csv | sed 1d | cut -d, -f1 | uniq)
  [ -n "$names" ] || { echo "speclab lists no command" >&2; return 1; }
  for name in $names; do
    page=docs/commands/$name.md
    line="<!-- begin: $name (made by: speclab list commands --command $name --format markdown) -->"
    if [ ! -e "$page" ] && $write; then
      printf '# speclab %s\n\n%s\n\n%s\n' "$name" "$line" "<!-- end: $name -->" >"$page"
      pages+=("$page")
      echo "$page: begun; say on it what the command is good for"
    elif ! grep -qxF -e "$line" "$page" 2>/dev/null; then
      echo "$page: the command has no page with the section \`$line\`" >&2
      return 1
    fi
  done
}
if $whole && [ -d docs/commands ]; then command_pages; fi

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
begin='^(<!--|//) begin: ([A-Za-z0-9_-]+) \((text )?made by: (.+)\)( -->)?$'
end='^(<!--|//) end: ([A-Za-z0-9_-]+)( -->)?$'

# remake PAGE: writes it to $fresh with every section made anew; `sections` counts them.
remake() {
  local page=$1 open='' number=0 line name text command output
  sections=0
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    if [[ $line =~ $begin ]]; then
      name=${BASH_REMATCH[2]} text=${BASH_REMATCH[3]} command=${BASH_REMATCH[4]}
      [ -z "$open" ] || { echo "$page:$number: section $open has no end" >&2; exit 1; }
      if ! output=$(bash -o pipefail -c "$command" </dev/null); then
        echo "$page:$number: section $name: \`$command\` failed" >&2
        exit 1
      fi
      [ -n "$output" ] || { echo "$page:$number: \`$command\` printed nothing" >&2; exit 1; }
      [ -z "$text" ] || output=$(printf '```text\n$ %s\n%s\n```' "$command" "$output")
      open=$name sections=$((sections + 1))
      printf '%s\n\n%s\n\n' "$line" "$output"
    elif [[ $line =~ $end ]]; then
      [ "$open" = "${BASH_REMATCH[2]}" ] ||
        { echo "$page:$number: end of ${BASH_REMATCH[2]}, which is not open" >&2; exit 1; }
      open=''
      printf '%s\n' "$line"
    elif [ -z "$open" ]; then
      printf '%s\n' "$line"
    fi
  done <"$page" >"$fresh"
  [ -z "$open" ] || { echo "$page: section $open has no end" >&2; exit 1; }
}

all=0 stale=false
for page in "${pages[@]}"; do
  remake "$page"
  all=$((all + sections))
  if cmp -s "$page" "$fresh"; then
    continue
  elif $write; then
    cat "$fresh" >"$page"
    echo "$page: made its $sections generated sections anew"
    if [ "$page" = src/claims/engine/measured.inc ]; then
      cmake --build "$build" --target speclab >/dev/null ||
        { echo "readme: speclab does not build with $page" >&2; exit 1; }
    fi
  else
    diff -u --label "$page" --label "$page as it should be" "$page" "$fresh" >&2 || true
    echo "$page is stale: run tests/readme.sh --write" >&2
    stale=true
  fi
done
[ "$all" -gt 0 ] || { echo "${pages[*]}: no generated section found" >&2; exit 1; }
! $stale
