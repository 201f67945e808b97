# shellcheck shell=bash
# bare FOLDER SUITE LOG: debootstrap makes a bare Debian or Ubuntu of this suite, which has the network of
# this machine, from the mirror that SPECLAB_MIRROR or SPECLAB_UBUNTU_MIRROR names. enter FOLDER COMMAND...:
# runs there; its mounts are its own, and go away with it. Sourced; skip() of the caller ends where
# something is missing.
bare() {
  local script=/usr/share/debootstrap/scripts/$2 mirror
  local -a options=(--variant=minbase)
  [ "$(id -u)" -eq 0 ] || skip "a bare $2: not root"
  command -v debootstrap >/dev/null || skip "a bare $2: no debootstrap"
  if ! unshare -m true 2>/dev/null; then skip "a bare $2: no mounts may be made"; fi
  case $2 in
    bookworm | trixie | sid) mirror=${SPECLAB_MIRROR:-http://deb.debian.org/debian} ;;
    *)
      # An older debootstrap lacks the names of later suites; all of Ubuntu's are made as one of 2007.
      # Without the keys of Ubuntu's archive it is the mirror that is trusted.
      mirror=${SPECLAB_UBUNTU_MIRROR:-https://archive.ubuntu.com/ubuntu}
      [ -e "$script" ] || script=/usr/share/debootstrap/scripts/gutsy
      options+=("--components=main,universe")
      [ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || options+=(--no-check-gpg)
      ;;
  esac
  unshare -m debootstrap "${options[@]}" "$2" "$1" "$mirror" "$script" >"$3" 2>&1 ||
    { tail -n 3 "$3"; skip "a bare $2: debootstrap finds none at $mirror"; }
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  # Certificates come with a package of the suite; apt checks what it loads by the suite's own keys.
  sed -i 's|https://|http://|' "$1/etc/apt/sources.list"
}

enter() {
  unshare -m bash -c 'bare=$1; shift
    mount -t proc proc "$bare/proc" 2>/dev/null; mount --rbind /dev "$bare/dev"; mount --rbind /sys "$bare/sys"
    exec chroot "$bare" env -i HOME=/root PATH="$PATH" LC_ALL=C.UTF-8 "$@"' _ "$@"
}
