#!/usr/bin/env bash
# installed.sh BUILD ROOT: what `cmake --install` gives of the speclab built in BUILD: every part is there,
# works where it is moved to, and no file holds a path of ROOT or BUILD; and these checks bite.
# Exit code 77 where there is no pkg-config.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/paths.sh"
build=$(cd "$1" && pwd) root=$(cd "$2" && pwd)
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config (apt-get install pkg-config)"; exit 77; }
unset SPECLAB_EXPERIMENTS SPECLAB_PLUGINS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { echo "installed: $1"; exit 1; }

cmake --install "$build" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/moved"
prefix=$work/moved

parts() {
  local part
  for part in bin/speclab include/speclab/answer/plugin.h 'lib*/**/speclabConfig.cmake' \
    'lib*/**/speclabConfigVersion.cmake' 'lib*/**/speclab.pc' share/man/man1/speclab.1 \
    share/man/man1/speclab-exact.1 share/bash-completion/completions/speclab \
    share/zsh/site-functions/_speclab share/speclab/experiments/sun2025-fig3.toml \
    share/speclab/plots/lab.py share/doc/speclab/README.md share/doc/speclab/LICENSE \
    share/doc/speclab/docs/tutorial.md share/doc/speclab/docs/plugin/cautious.h; do
    (shopt -s globstar; compgen -G "$prefix/$part" >/dev/null) || { echo "not installed: $part"; return 1; }
  done
}
parts || exit 1
mv "$prefix/share/man/man1/speclab.1" "$work/kept"
! parts >/dev/null || say "a page that is missing is not found"
mv "$work/kept" "$prefix/share/man/man1/speclab.1"

# No path of the machine that it was built on.
if names_path "$prefix" "$root" "$build" "$work/first"; then say "the files above hold a path of the build"; fi
cp "$prefix/bin/speclab" "$work/kept"
printf '%s/experiments' "$root" >>"$prefix/bin/speclab"
names_path "$prefix" "$root" >/dev/null || say "a path in the program is not found"
mv "$work/kept" "$prefix/bin/speclab"

# The program finds its experiments beside itself and nowhere else.
speclab=$prefix/bin/speclab
count() { "$speclab" list experiments --format csv | sed 1d | wc -l; }
[ "$(count)" -eq "$(ls "$prefix"/share/speclab/experiments/*.toml | wc -l)" ] || say "experiments are missing"
ln -s "$speclab" "$work/link"
[ "$("$work/link" list experiments)" = "$("$speclab" list experiments)" ] || say "a link to it finds others"
mv "$prefix/share/speclab/experiments" "$work/kept"
[ "$(count)" -eq 0 ] || say "experiments come from elsewhere"
mv "$work/kept" "$prefix/share/speclab/experiments"

# The version is the project's, with the commit that the build looked up.
version=$("$speclab" --version)
number=$(sed -n 's/^project(speclab VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
commit=$(sed -n 's/^#define SPECLAB_COMMIT "\(..*\)"$/\1/p' "$build/commit/speclab_commit.h")
[ "$version" = "speclab $number (commit ${commit:?})" ] || say "the version is '$version'"

# A plugin by pkg-config, from the installed example.
example=$prefix/share/doc/speclab/docs/plugin
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name speclab.pc)")
[ "$("$(pkg-config --variable=program speclab)" --version)" = "$version" ] || say "speclab.pc has no program"
[ -r "$(pkg-config --variable=experiments speclab)/sun2025-fig3.toml" ] || say "speclab.pc has no experiments"
cat >"$work/mine.cc" <<'EOS'
#include "answer/plugin.h"
#include "cautious.h"
using namespace speclab;
SPECLAB_PLUGIN(Cautious);
EOS
# shellcheck disable=SC2046
g++ -shared -fPIC $(pkg-config --cflags speclab) -O0 \
  -I"$example" "$work/mine.cc" -o "$work/mine.so" $(pkg-config --libs speclab)
"$speclab" exact --plugin "$work/mine.so" --pair 'bernoulli(draft=2/3,target=1/3)' \
  --verifier 'cautious(c=1/2)' --gamma 2 --format csv | grep -q 'expected_accepted,.*,4/9,' ||
  say "the plugin that pkg-config made gives another number"

# CMake finds the package where it is now.
cmake -S "$example" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 ||
  { cat "$work/log"; say "find_package(speclab) fails"; }
grep -q "speclab_DIR:PATH=$prefix/" "$work/cmake/CMakeCache.txt" || say "CMake finds another speclab"
