#!/usr/bin/env bash
# deb.sh BUILD ROOT [--chroot]: the Debian package of the speclab built in BUILD: it depends on the
# libraries that the program is linked with, holds no path of the build, and its program runs. --chroot:
# it is installed with what it depends on, and runs, on a bare Debian 12, which debootstrap makes here.
# Exit code 77, with a word, where dpkg's tools, root, debootstrap or a mirror is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/paths.sh"
. "$here/bare.sh"
build=$(cd "$1" && pwd) root=$(cd "$2" && pwd) chroot=${3:-}
skip() { echo "skipped: $1"; exit 77; }
say() { echo "deb: $1"; exit 1; }
for tool in dpkg-deb dpkg-shlibdeps fakeroot; do
  command -v "$tool" >/dev/null || skip "no $tool (apt-get install dpkg-dev fakeroot)"
done
unset SPECLAB_EXPERIMENTS SPECLAB_PLUGINS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$work" && fakeroot cpack --config "$build/CPackConfig.cmake" -B "$work") >"$work/log" 2>&1 ||
  { cat "$work/log"; say "cpack fails"; }
package=$(find "$work" -maxdepth 1 -name 'speclab_*.deb')
[ -n "$package" ] || say "cpack made no package"

# missing DEPENDS: the libraries that the program needs and that no package of DEPENDS has.
missing() {
  local library
  objdump -p "$work/x/usr/bin/speclab" | sed -n 's/^ *NEEDED *//p' | while read -r library; do
    dpkg -S "*/$library" 2>/dev/null | sed 's/[,:].*//' | sort -u |
      grep -qxFf <(tr ',|' '\n\n' <<<"$1" | sed 's/^ *//; s/[ (].*//') || echo "$library"
  done
}
dpkg-deb -x "$package" "$work/x"
depends=$(dpkg-deb -f "$package" Depends)
[ -z "$(missing "$depends")" ] || say "it does not depend on the packages of $(missing "$depends")"
[ "$(missing "${depends//libgmp10/none}")" = libgmp.so.10 ] || say "a dependency that is missing is not found"
if names_path "$work/x" "$root" "$build" "$work"; then say "the files above hold a path of the build"; fi
[ "$("$work/x/usr/bin/speclab" --version)" = "$("$build/speclab" --version)" ] || say "it is another version"
[ "$(dpkg-deb -c "$package" | awk '$2 != "root/root"' | wc -l)" -eq 0 ] || say "its files are not root's"
[ "$chroot" = --chroot ] || exit 0

bare=$work/debian
bare "$bare" bookworm "$work/log"
cp "$package" "$bare/opt/speclab.deb"
cat >"$bare/opt/try" <<'EOS'
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
apt-get -qq update
apt-get -qq -y install --no-install-recommends /opt/speclab.deb >/opt/log 2>&1 || { cat /opt/log; exit 1; }
cd /tmp
speclab --version
speclab exact --pair 'bernoulli(draft=2/3,target=1/3)' --verifier block --gamma 2 --format csv
speclab simulate --pair 'bernoulli(draft=2/3,target=1/3)' --verifier token --gamma 2 --trials 1000 >/dev/null
speclab prove --verifier token --vocabulary 2 --gamma 1 --models iid >/dev/null
speclab list experiments --format csv | sed 1d | wc -l
speclab run sun2025-fig3 --quick --trials 100 --results /tmp/results >/dev/null 2>&1 || [ $? -eq 1 ]
test -s /tmp/results/sun2025-fig3.csv
dpkg -V speclab
EOS
enter "$bare" sh /opt/try >"$work/said" 2>&1 ||
  { cat "$work/said"; say "it does not install or run on a bare Debian 12"; }
grep -qF "$("$build/speclab" --version)" "$work/said" || { cat "$work/said"; say "another version runs there"; }
grep -q 'expected_accepted,.*,11/9,' "$work/said" || { cat "$work/said"; say "another number is found there"; }
