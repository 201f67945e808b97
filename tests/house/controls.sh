#!/usr/bin/env bash
# controls.sh: every check of this folder, and that of the generated sections, rejects a fault
# planted for it and passes without it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# tree: a fresh small project at $root that passes every check.
tree() {
  root=$scratch/project
  rm -rf "$root"
  mkdir -p "$root"/{src/base,src/model,apps,build,tests/house}
  : >"$root/tests/house/arrows.txt"
  echo '#include "base/a.h"' >"$root/src/model/m.h"
  echo '#include <vector>' >"$root/src/base/a.h"
  echo '#include "model/m.h"' >"$root/apps/main.cc"
  printf '%s\n\n%s\n\n%s\n' '<!-- begin: one (made by: speclab say one) -->' 'said: say one' \
    '<!-- end: one -->' >"$root/README.md"
  cat >"$root/build/speclab" <<'EOS'
#!/bin/sh
case "$1 $2 $3 $4" in
  "list commands --format csv") printf 'command,option\nsay,\nsay,--help\n' ;;
  "list commands --command say") echo "says" ;;
  say*) echo "said: $*" ;;
  *) exit 1 ;;
esac
EOS
  chmod +x "$root/build/speclab"
}
# expect pass|fail NAME COMMAND...
expect() {
  local want=$1 name=$2 got=pass
  shift 2
  "$@" >"$scratch/out" 2>&1 || got=fail
  if [ "$got" != "$want" ]; then
    echo "$name: expected to $want, did not:"
    cat "$scratch/out"
    failures=$((failures + 1))
  fi
}
readme() { "$here/../readme.sh" --root "$root" --build "$root/build" "$@"; }

tree
for check in toplevel paths arrows names words language lengths; do expect pass "$check" "$here/$check.sh" "$root"; done
expect pass readme readme

tree; echo note >"$root/NOTES.txt"
expect fail "a stray file at the top" "$here/toplevel.sh" "$root"
tree; echo "see /wor""k/main for it" >>"$root/README.md"
expect fail "a machine path" "$here/paths.sh" "$root"
tree; echo '// See base/a.h, src/base/a.h and m.h; another program has lib/base/b.h.' >>"$root/src/model/m.h"
expect pass "names of sources" "$here/paths.sh" "$root"
tree; echo '// See base/b.h.' >>"$root/src/model/m.h"
expect fail "the name of a missing source" "$here/paths.sh" "$root"
tree; echo 'See [more](docs/more.md).' >>"$root/README.md"
expect fail "the name of a missing page" "$here/paths.sh" "$root"
tree; echo '#include "model/m.h"' >>"$root/src/base/a.h"
expect fail "base includes model" "$here/arrows.sh" "$root"
tree; echo '  #  include "apps/x.h"' >>"$root/src/model/m.h"
expect fail "model includes apps" "$here/arrows.sh" "$root"
tree
echo 'struct A {};' >>"$root/src/base/a.h"
echo 'enum class A { one };' >>"$root/src/model/m.h"
expect fail "one name for two types" "$here/names.sh" "$root"
tree
echo 'struct A {};' >>"$root/src/base/a.h"
printf '%s\n' 'namespace speclab {' 'namespace {' 'class A {' >>"$root/src/model/m.cc"
expect fail "a source's type of a header's name" "$here/names.sh" "$root"
sed -i '1a namespace inner {' "$root/src/model/m.cc"
expect pass "the same in a namespace of its own" "$here/names.sh" "$root"
tree
echo 'struct A {};' | tee "$root/src/model/m.cc" "$root/src/base/n.cc" >/dev/null
expect pass "one name in sources of two rooms" "$here/names.sh" "$root"
cp "$root/src/base/n.cc" "$root/src/base/o.cc"
expect fail "one name in two sources of a room" "$here/names.sh" "$root"
# browser APPS: a small project whose program for a browser has these sources of apps.
browser() {
  tree
  mkdir -p "$root/site/core"
  printf '%s\n' 'core_room(base 1)' 'core_room(model 1)' "foreach(name arguments $1)" \
    >"$root/site/core/CMakeLists.txt"
  printf '%s\n' '#include "other.h"' '#include "guards.h"' >"$root/apps/main.cc"
  touch "$root"/apps/{other,guards}.cc
  echo '#include "guards.h"' >"$root/site/core/without.cc"
}
browser 'main other'
expect pass "a program for a browser" "$here/browser.sh" "$root"
browser main
expect fail "a source of apps that it lacks" "$here/browser.sh" "$root"
browser 'main other'
mkdir "$root/src/run"
expect fail "a room that it lacks" "$here/browser.sh" "$root"
# arrows ARROW...: a small project with these arrows listed.
arrows() {
  tree
  printf '%s\n' "$@" >"$root/tests/house/arrows.txt"
}
# plant ROOM HEADER: a file of the room that includes the header, which is there.
plant() {
  mkdir -p "$root/src/$1" "$root/src/${2%/*}"
  touch "$root/src/$2"
  echo "#include \"$2\"" >>"$root/src/$1/planted.h"
}
arrows; plant exact answer/a.h
expect fail "an arrow that is not listed" "$here/arrows.sh" "$root"
arrows 'answer -> exact'; plant answer exact/e.h
expect pass "an arrow that is listed" "$here/arrows.sh" "$root"
arrows 'answer -> exact'; plant exact answer/a.h
expect fail "an arrow turned round" "$here/arrows.sh" "$root"
arrows 'answer -> exact'
expect fail "an arrow that nothing uses" "$here/arrows.sh" "$root"
arrows 'answer exact'
expect fail "a line that is no arrow" "$here/arrows.sh" "$root"
arrows; plant answer base/a.h; plant answer model/m.h; plant model system/s.h; plant system base/a.h
expect pass "the ground" "$here/arrows.sh" "$root"
arrows; plant system model/m.h
expect fail "system includes model" "$here/arrows.sh" "$root"
arrows; echo '#include "a.h"' >>"$root/src/model/m.h"
expect fail "a header without its room" "$here/arrows.sh" "$root"
# most ROOMS: each of the rooms includes the one before it.
most() {
  arrows
  for ((i = 1; i <= $1; ++i)); do
    plant "r$i" "r$((i - 1))/h$i.h"
    echo "r$i -> r$((i - 1))" >>"$root/tests/house/arrows.txt"
  done
}
most 34
expect pass "34 arrows" "$here/arrows.sh" "$root"
most 35
expect fail "35 arrows" "$here/arrows.sh" "$root"
# pairs N: a folder of N pairs.
pairs() { arrows; for ((i = 0; i < $1; ++i)); do echo | tee "$root/src/base/p$i.h" >"$root/src/base/p$i.cc"; done; }
pairs 30
expect pass "30 pairs in a folder" "$here/arrows.sh" "$root"
pairs 31
expect fail "31 pairs in a folder" "$here/arrows.sh" "$root"

# words LINE: a line of code in src.
words() { tree; printf '%s\n' "$1" >"$root/src/base/planted.cc"; }
refused=(
  'throw InputError("add --horizon to see it");'
  'const char* kHelp = "a" "--trials";  // a'
  'fmt::format("--{} takes a number", option);'
  'f("a \" b", /* c */ "--law");'
  "if (c == '\"') f(\"--law\");"
  'text = R"(add --horizon)";'
  "$(printf 'text = R"x(add\n --horizon)x";')"
)
for line in "${refused[@]}"; do
  words "$line"
  expect fail "an option in: $line" "$here/words.sh" "$root"
done
accepted=(
  '// add --horizon'
  'f("a");  // the --horizon of the "command"'
  '/* --horizon "of */ --count; f("a -- b", "---a");'
  "$(printf '/* the\n "--horizon" of */ f();')"
)
for line in "${accepted[@]}"; do
  words "$line"
  expect pass "no option in: $line" "$here/words.sh" "$root"
done
tree; echo 'f("--horizon");' >"$root/apps/x.cc"
expect pass "an option in apps" "$here/words.sh" "$root"

tree; echo "// Names the place and the me""nd." >>"$root/src/base/a.h"
expect fail "a phrase of words.txt in a comment" "$here/language.sh" "$root"
tree; echo 'f("the sum Comes ""to 3");' | sed 's/""//' >"$root/src/base/x.cc"
expect fail "a phrase of words.txt in a text" "$here/language.sh" "$root"
tree; echo 'const int recommend = 1, behold_all = 2;' >"$root/src/base/x.cc"
expect pass "words that contain a phrase" "$here/language.sh" "$root"

# repeat N LINE: the line so many times.
repeat() { for ((i = 0; i < $1; ++i)); do printf '%s\n' "$2"; done; }
# code LINES HEAD: a function of so many lines, declared by HEAD.
code() {
  tree
  { printf '%s\n' "$2"; repeat $(($1 - 2)) '  f("}");'; echo "}${3:-}"; } >"$root/src/base/x.cc"
}
tree; repeat 350 'int x;' >"$root/src/base/x.cc"
expect pass "a file of 350 lines" "$here/lengths.sh" "$root"
tree; repeat 351 'int x;' >"$root/src/base/x.cc"
expect fail "a file of 351 lines" "$here/lengths.sh" "$root"
heads=('int f(int x) {' 'template <class T>
void C<T>::f(const std::vector<int>& a,
             int b) const {' 'C::C() : a_(1), b_{2} {' 'const auto f = [&](int x) {' 'TEST_CASE("a { b") {'
  'static bool operator()(int x) const noexcept {')
for head in "${heads[@]}"; do
  more=$(($(wc -l <<<"$head") - 1))
  code $((60 - more)) "$head"
  expect pass "60 lines of $head" "$here/lengths.sh" "$root"
  code $((61 - more)) "$head"
  expect fail "61 lines of $head" "$here/lengths.sh" "$root"
done
others=('namespace a {' 'struct A {' 'template <class T, class = f(int)>
class A : public B {' 'const int a[] = {' '#define X(f) \
  f(int) {')
for head in "${others[@]}"; do
  code 100 "$head" ';'
  expect pass "100 lines of $head" "$here/lengths.sh" "$root"
done
tree; { echo 'struct A {'; echo '  void f() {'; repeat 59 '    g();'; echo '  }'; echo '};'; } >"$root/src/base/x.h"
expect fail "a long function within a type" "$here/lengths.sh" "$root"
text='const std::string text = R"x(
f() {
)x";'
code 100 "$text
class A {" ';'
expect pass "100 lines of a type below a text" "$here/lengths.sh" "$root"
code 60 "$text
int f() {"
expect pass "60 lines of a function below a text" "$here/lengths.sh" "$root"
code 61 "$text
int f() {"
expect fail "61 lines of a function below a text" "$here/lengths.sh" "$root"
code 61 'int f() {'; mkdir "$root/docs"; mv "$root/src/base/x.cc" "$root/docs/x.h"
expect fail "a long function in docs" "$here/lengths.sh" "$root"
expect pass "which is not asked about" "$here/lengths.sh" "$root" src apps

tree; repeat 155 'text' >>"$root/README.md"
expect pass "a README of 160 lines" "$here/lengths.sh" "$root"
echo text >>"$root/README.md"
expect fail "a README of 161 lines" "$here/lengths.sh" "$root"

tree; sed -i 's/said: say one/stale/' "$root/README.md"
expect fail "a stale section" readme
expect pass "fixing it" readme --write
expect pass "the fixed section" readme
tree; sed -i 's/(made by/(text made by/' "$root/README.md"
expect fail "a section of text that lacks its block" readme
expect pass "making the block" readme --write
expect pass "the block shows the command" grep -qxF '$ speclab say one' "$root/README.md"
expect pass "the section of text" readme
tree; sed -i 's/speclab say/speclab refuse/' "$root/README.md"
cp "$root/README.md" "$scratch/before"
expect fail "a section whose command fails" readme --write
expect pass "which leaves the file alone" cmp "$root/README.md" "$scratch/before"
tree; sed -i '/end: one/d' "$root/README.md"
expect fail "a section without an end" readme --write
tree; sed -i '/begin: one/d' "$root/README.md"
expect fail "an end without a section" readme
tree; echo 'no sections' >"$root/README.md"
expect fail "no section at all" readme
tree; mkdir -p "$root/docs/deep"; cp "$root/README.md" "$root/docs/deep/page.md"
expect pass "a page of docs" readme
sed -i 's/said: say one/stale/' "$root/docs/deep/page.md"
expect fail "a stale section in docs" readme
expect pass "another page alone" readme README.md
expect pass "fixing the page" readme --write
expect pass "the fixed page" cmp "$root/README.md" "$root/docs/deep/page.md"
tree; mkdir "$root/docs"; cp "$root/README.md" "$root/docs/page.md"; sed -i 's/said: say one/stale/' "$root/README.md"
expect fail "a stale README beside a good page" readme
tree; mkdir -p "$root/docs/commands"
expect fail "a command without a page" readme
expect pass "beginning the page" readme --write
expect pass "the page of the command" grep -qxF says "$root/docs/commands/say.md"
expect pass "every command has its page" readme
sed -i '/begin:/,/end:/d' "$root/docs/commands/say.md"; echo text >>"$root/docs/commands/say.md"
expect fail "a page of a command without its section" readme
expect fail "which is not made over" readme --write
tree; printf '%s\n' '// begin: one (made by: speclab say one)' '// end: one' >"$root/src/base/rows.inc"
expect fail "a stale section between comments of C++" readme src/base/rows.inc
expect pass "making it" readme --write src/base/rows.inc
expect pass "what was made" grep -qxF 'said: say one' "$root/src/base/rows.inc"
tree; sed -i 's/speclab say one/speclab say one | grep -v nothing; false | cat/' "$root/README.md"
expect fail "a section made by a pipe that fails" readme
exit $((failures > 0))
