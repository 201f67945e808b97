# shellcheck shell=bash
# Sourced by the house checks: house_files ROOT prints the project's files, one a line, relative
# to ROOT: what git tracks or would track, or every file outside build and results without git.
house_files() {
  if git -C "$1" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -C "$1" ls-files --cached --others --exclude-standard | while IFS= read -r file; do
      if [ -e "$1/$file" ]; then printf '%s\n' "$file"; fi
    done
  else
    (cd "$1" && find . \( -path ./build -o -path ./results -o -path ./.git \) -prune -o \
      -type f -print | sed 's|^\./||')
  fi
}
