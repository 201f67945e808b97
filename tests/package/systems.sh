#!/usr/bin/env bash
# systems.sh ROOT [SUITE...]: the README's two commands on bare systems that debootstrap makes here (default:
# noble, Ubuntu 24.04, and trixie, Debian 13): from a checkout with nothing installed quickstart.sh ends
# well, and tests/run.sh with nothing failed. Takes 20 minutes a system on two cores. Exit code 77, with a
# word, where root, debootstrap or a mirror is missing.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/bare.sh"
root=$(cd "$1" && pwd)
shift
failed=0
# What failed before on another system is still a failure.
skip() { echo "skipped: $1"; exit $((failed ? 1 : 77)); }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ $# -gt 0 ] || set -- noble trixie
for suite in "$@"; do
  bare "$work/$suite" "$suite" "$work/log"
  git clone -q "$root" "$work/$suite/root/speclab" || exit 1
  for command in experiments/quickstart.sh tests/run.sh; do
    if enter "$work/$suite" bash -c "cd ~/speclab && ./$command" >"$work/said" 2>&1; then
      echo "$suite: $command: $(grep . "$work/said" | tail -n 1)"
    else
      echo "$suite: $command failed:"
      tail -n 30 "$work/said"
      failed=1
    fi
  done
  rm -rf "${work:?}/$suite"
done
exit $failed
