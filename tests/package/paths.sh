# shellcheck shell=bash
# Sourced: names_path FOLDER PATH... prints the files under FOLDER that hold one of the PATHs, binary ones
# too, and fails where there are none. A path counts as itself and as the folder of another, not as a part
# of a longer name.
names_path() {
  local folder=$1 path pattern=''
  shift
  for path in "$@"; do
    pattern+=${pattern:+|}$(sed 's/[][().*+?{}^$|\\]/\\&/g' <<<"$path")
  done
  grep -rlaE "($pattern)(/|[^[:alnum:]_.-]|\$)" "$folder"
}
