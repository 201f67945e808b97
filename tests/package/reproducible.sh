#!/usr/bin/env bash
# reproducible.sh BUILD ROOT [--whole]: the same sources in a folder of another name give the same bytes:
# a few objects of BUILD, and the program linked from the same archives; --whole: the whole program, which
# takes as long as a build. And the check bites.
# Exit code 77 where BUILD was not made by Ninja.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/paths.sh"
. "$here/../house/files.sh"
build=$(cd "$1" && pwd) root=$(cd "$2" && pwd) whole=${3:-}
[ -f "$build/build.ninja" ] || { echo "skipped: $build is no build of Ninja"; exit 77; }
export CCACHE_DISABLE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { echo "reproducible: $1"; exit 1; }

copy="$work/a folder of another name"
mkdir -p "$copy"
house_files "$root" | (cd "$root" && tar -cf - -T -) | tar -xf - -C "$copy"
commit=$(sed -n 's/.*"\(.*\)"/\1/p' "$build/commit/speclab_commit.h")
mapfile -t options < <(sed -nE 's/^((CMAKE_(BUILD_TYPE|CXX_COMPILER|CXX_FLAGS[A-Z_]*)|SPECLAB_[A-Z0-9_]*):[A-Z]*=.*)$/-D\1/p' \
  "$build/CMakeCache.txt")
configure() {
  cmake -S "$copy" -B "$copy/build" -G Ninja "${options[@]}" "-DSPECLAB_COMMIT=$commit" -DBUILD_TESTING=OFF \
    -DSPECLAB_PYTHON=OFF >"$work/log" 2>&1 || { tail -n 20 "$work/log"; say "the copy is not configured"; }
}
make() { ninja -C "$copy/build" "$@" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; say "the copy is not built"; }; }
configure

# The first is of a room alone, the others know the share folder and the commit.
objects=(CMakeFiles/speclab_draft.dir/src/draft/source.cc.o
  CMakeFiles/speclab_experiment.dir/src/experiment/folder.cc.o
  CMakeFiles/speclab_apps.dir/apps/version.cc.o)
make "${objects[@]}"
for object in "${objects[@]}"; do
  cmp "$build/$object" "$copy/build/$object" || say "two folders give two objects"
done

# The name of a source, as an assertion knows it, makes them differ.
echo 'extern const char* planted; const char* planted = __FILE__;' >>"$copy/src/draft/source.cc"
make "${objects[0]}"
names_path "$copy/build/${objects[0]%/*}" "$copy" >/dev/null || say "a path in an object is not found"
! cmp -s "$build/${objects[0]}" "$copy/build/${objects[0]}" || say "an object that differs is not found"

# The link, of the same archives in another folder.
link=$(ninja -C "$build" -t commands speclab | grep -E -e ' -o speclab ' | tail -n 1)
mkdir "$work/link"
for part in "$build"/*.a "$build/CMakeFiles" "$build/listed"; do ln -s "$part" "$work/link/"; done
(cd "$work/link" && bash -c "${link//"$build"/"$work/link"}")
cmp "$build/speclab" "$work/link/speclab" || say "two folders link two programs"

if [ "$whole" = --whole ]; then
  (cd "$root" && cat src/draft/source.cc) >"$copy/src/draft/source.cc"
  make speclab
  cmp "$build/speclab" "$copy/build/speclab" || say "two folders give two programs"
fi
