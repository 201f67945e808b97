#!/usr/bin/env bash
# commit.sh BUILD ROOT: the commit that src/commit.cmake writes: git's, marked where files differ from it,
# and unknown where the sources are no repository of their own; the header stays as it is where the commit
# does, so that nothing is compiled again.
set -euo pipefail
root=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
header=$work/made/commit.h
say() { echo "commit: $1"; exit 1; }
commit() {
  cmake -DSOURCE="$1" -DCOMMIT="${2:-}" -DOUTPUT="$header" -P "$root/src/commit.cmake"
  sed -n 's/^#define SPECLAB_COMMIT "\(.*\)"$/\1/p' "$header"
}
of() { env GIT_CONFIG_GLOBAL=/dev/null git -C "$work/a b" -c user.name=a -c user.email=a@b -c tag.gpgSign=false "$@"; }

mkdir -p "$work/a b/within"
[ "$(commit "$work/a b")" = unknown ] || say "a folder without a repository has a commit"
of init -q
echo one >"$work/a b/file"
echo one >"$work/a b/within/file"
of add .
of commit -qm one
first=$(of rev-parse --short=12 HEAD)
[ "$(commit "$work/a b")" = "$first" ] || say "the commit is another"
touch -d '2001-01-01' "$header"
commit "$work/a b" >/dev/null
[ "$(stat -c %Y "$header")" = "$(date -d '2001-01-01' +%s)" ] || say "the same commit is written again"
of tag v9
[ "$(commit "$work/a b")" = "$first" ] || say "a tag is taken for the commit"
[ "$(commit "$work/a b/within")" = unknown ] || say "sources within another repository have its commit"
[ "$(commit "$work/a b" 1.0-3)" = 1.0-3 ] || say "the commit that is given is not taken"
echo two >"$work/a b/file"
[ "$(commit "$work/a b")" = "$first-dirty" ] || say "files that differ from the commit are not told"
of commit -qam two
[ "$(commit "$work/a b")" = "$(of rev-parse --short=12 HEAD)" ] || say "the commit before is kept"
[ "$first" != "$(of rev-parse --short=12 HEAD)" ] || say "two commits are one"
