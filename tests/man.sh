#!/usr/bin/env bash
# man.sh BUILD ROOT: the man pages that src/man.sh makes of the speclab in BUILD: one for the program and
# one for each command, with every option, its exit codes and examples; and groff finds no fault in them.
# Exit code 77 where there is no groff.
set -euo pipefail
program=$1/speclab root=$2
command -v groff >/dev/null || { echo "skipped: no groff (apt-get install groff-base)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check FOLDER: says what is wrong with the pages there.
check() {
  local rows command page parts wanted missing bad=0
  rows=$("$program" list commands --format csv | sed 1d | cut -d, -f1,2)
  # Rows of the list without a line ".B OPTION" in their command's page.
  missing=$(comm -23 <(grep -v ',$' <<<"$rows" | sort -u) <(awk '
    FNR == 1 { page = FILENAME; sub(/.*speclab-/, "", page); sub(/\.1$/, "", page) }
    /^\.B / { gsub(/\\-/, "-"); print page "," $2 }' "$1"/speclab-*.1 | sort -u))
  [ -z "$missing" ] || { echo "missing: $missing"; bad=1; }
  for command in $(cut -d, -f1 <<<"$rows" | sort -u); do
    [ -s "$1/speclab-$command.1" ] || { echo "no page of the command $command"; bad=1; }
    grep -qxF -e ".B $command" "$1/speclab.1" || { echo "speclab.1: $command is missing"; bad=1; }
  done
  for page in "$1"/*.1; do
    parts=$(sed -n 's/^\.SH //p' "$page" | paste -sd,)
    case ${page##*/} in
      speclab.1) wanted='NAME,SYNOPSIS,COMMANDS,EXAMPLES,EXIT CODES,SEE ALSO' ;;
      *) wanted='NAME,SYNOPSIS,OPTIONS,EXAMPLES,SEE ALSO' ;;
    esac
    [ "$parts" = "$wanted" ] || { echo "${page##*/}: its parts are $parts"; bad=1; }
    groff -man -ww -z -Tutf8 "$page" >"$work/said" 2>&1 || true
    if [ -s "$work/said" ]; then cat "$work/said"; bad=1; fi
  done
  return $bad
}

bash "$root/src/man.sh" "$program" "$work/pages"
check "$work/pages"
# The check bites.
plant() {
  rm -rf "$work/planted"
  cp -r "$work/pages" "$work/planted"
  sed -i "$2" "$work/planted/$1"
  if check "$work/planted" >/dev/null; then echo "not found: $2 in $1"; exit 1; fi
}
plant speclab-exact.1 '/^\.B \\-\\-horizon/d'
plant speclab.1 '/^\.B simulate$/d'
plant speclab.1 's/^\.SH EXIT CODES$/.PP/'
plant speclab-list.1 's/^\.TP$/.NO/'
plant speclab-run.1 d
plant speclab-exact.1 '2i .SH WHAT THERE IS'
