# shellcheck shell=bash
# bare FOLDER SUITE MIRROR LOG: debootstrap makes a bare Debian or Ubuntu of this suite, which has the
# network of this machine. enter FOLDER COMMAND...: runs there; its mounts are its own, and go away with
# it. Sourced; skip() of the caller ends where something is missing.
bare() {
  local script=/usr/share/debootstrap/scripts/$2
  local -a options=(--variant=minbase)
  [ "$(id -u)" -eq 0 ] || skip "a bare $2: not root"
  command -v debootstrap >/dev/null || skip "a bare $2: no debootstrap"
  if ! unshare -m true 2>/dev/null; then skip "a bare $2: no mounts may be made"; fi
  if [[ $3 == *ubuntu* ]]; then
    # An older debootstrap lacks the names of later suites; all of Ubuntu's are made as one of 2007. Without
    # the keys of Ubuntu's archive it is the mirror that is trusted.
    [ -e "$script" ] || script=/usr/share/debootstrap/scripts/gutsy
    options+=("--components=main,universe")
    [ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || options+=(--no-check-gpg)
  fi
  unshare -m debootstrap "${options[@]}" "$2" "$1" "$3" "$script" >"$4" 2>&1 ||
    { tail -n 3 "$4"; skip "a bare $2: debootstrap finds none at $3"; }
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  # Certificates come with a package of the suite; apt checks what it loads by the suite's own keys.
  sed -i 's|https://|http://|' "$1/etc/apt/sources.list"
}

enter() {
  unshare -m bash -c 'bare=$1; shift
    mount -t proc proc "$bare/proc" 2>/dev/null; mount --rbind /dev "$bare/dev"; mount --rbind /sys "$bare/sys"
    exec chroot "$bare" env -i HOME=/root PATH="$PATH" LC_ALL=C.UTF-8 "$@"' _ "$@"
}
