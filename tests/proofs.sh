#!/usr/bin/env bash
# tests/proofs.sh [PROGRAM]: the proofs (proofs/check.sh), and that check.sh refuses a proof that is left out
# and a theorem that rests on an axiom. Exit code 77 where Coq cannot be had.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
proofs/check.sh "$@" || exit
toy=$(mktemp -d)
trap 'rm -rf "$toy"' EXIT

# refused NAME TEXT: check.sh refuses a folder whose theorem `holds` has this text.
refused() {
  mkdir -p "$toy/$1"
  printf '%s\n' "$2" >"$toy/$1/toy.v"
  echo 'toy holds :: :: a toy' >"$toy/$1/theorems.txt"
  proofs/check.sh --folder "$toy/$1" --work "$toy/$1/work" >"$toy/$1.log" 2>&1
  local code=$?
  if [ "$code" -ne "$3" ]; then
    cat "$toy/$1.log"
    echo "proofs.sh: check.sh ends with $code on a proof that is $1" >&2
    exit 1
  fi
}
refused proved 'Theorem holds : True. Proof. exact I. Qed.' 0
refused admitted 'Theorem holds : False.
Admitted.' 1
refused axiomatic 'From Coq Require Import Classical.
Theorem holds : forall P : Prop, P \/ ~ P. Proof. exact classic. Qed.' 1
refused missing 'Theorem other : True. Proof. exact I. Qed.' 1
refused wrong 'Theorem holds : False. Proof. exact I. Qed.' 1
echo "check.sh refuses 4 proofs that are none"
