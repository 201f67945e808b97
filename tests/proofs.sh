#!/usr/bin/env bash
# tests/proofs.sh [PROGRAM]: the proofs (proofs/check.sh), and that check.sh refuses a proof that is left out
# and a theorem that rests on an axiom. Exit code 77 where Coq cannot be had.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
proofs/check.sh "$@" || exit
toy=$(mktemp -d)
trap 'rm -rf "$toy"' EXIT

# ends CODE NAME TEXT: check.sh ends with CODE on a folder whose theorem `holds` has this text.
ends() {
  mkdir -p "$toy/$2"
  printf '%s\n' "$3" >"$toy/$2/toy.v"
  echo 'toy holds :: :: a toy' >"$toy/$2/theorems.txt"
  proofs/check.sh --folder "$toy/$2" --work "$toy/$2/work" >"$toy/$2.log" 2>&1
  local code=$?
  if [ "$code" -ne "$1" ]; then
    cat "$toy/$2.log"
    echo "proofs.sh: check.sh ends with $code on a proof that is $2" >&2
    exit 1
  fi
}
ends 0 proved 'Theorem holds : True. Proof. exact I. Qed.'
ends 1 admitted 'Theorem holds : False.
Admitted.'
ends 1 admitted_beside 'Lemma other (n : nat) : n = 1. Admitted.
Theorem holds : True. Proof. exact I. Qed.'
ends 1 axiomatic 'From Coq Require Import Classical.
Theorem holds : forall P : Prop, P \/ ~ P. Proof. exact classic. Qed.'
ends 1 missing 'Theorem other : True. Proof. exact I. Qed.'
ends 1 wrong 'Theorem holds : False. Proof. exact I. Qed.'
echo "check.sh refuses 5 proofs that are none"
