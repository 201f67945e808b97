#!/usr/bin/env bash
# battery.sh PROGRAM ROOT BATTERY [--write]: every file of a battery has the bytes on record
# (tests/data/vectors.sha256), is small enough, and names its licence. --write records them: for a battery
# that is new, never for a released one.
set -euo pipefail
export LC_ALL=C
program=$1 root=$2 battery=${3%% *}
record=$root/tests/data/vectors.sha256
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { echo "battery: $1" >&2; exit 1; }
(cd "$work" && "$program" vectors --battery "$battery" --output "v1/$battery" >/dev/null && sha256sum v1/*/*.json >sums)
if [ "${4:-}" = --write ]; then
  { grep -v "  v1/$battery/" "$record" 2>/dev/null || true; cat "$work/sums"; } | sort -k 2 >"$work/all"
  cp "$work/all" "$record"
fi
most=1000000
[ "$battery" != small ] || most=100000
for file in "$work/v1/$battery"/*.json; do
  grep -q '"licence": "Apache-2.0"' "$file" || say "${file##*/} names no licence"
  case $file in *.controls.json) continue ;; esac
  [ "$(wc -c <"$file")" -le $most ] || say "${file##*/} has more than $most bytes"
done
[ "$(ls "$work/v1/$battery" | wc -l)" -ge 100 ] || say "rules are missing"
diff <(grep "  v1/$battery/" "$record") "$work/sums" >"$work/differ" || say "these changed: $(grep -o 'v1/.*' "$work/differ" | sort -u | head -n 5 | tr '\n' ' ')"
echo passed
