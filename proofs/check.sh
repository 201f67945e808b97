#!/usr/bin/env bash
# Compiles the proofs, checks that every theorem of src/claims/papers/theorems.txt rests on no axiom, and compares the
# extracted rules with the program. proofs/check.sh --help
set -uo pipefail
usage() {
  cat <<'END'
usage: proofs/check.sh [PROGRAM] [--folder FOLDER] [--work FOLDER]

PROGRAM   the speclab that is compared with the extracted rules (default: build/release/speclab; where it
          is not there the comparison is left out, as the last line reports)
--folder  the proofs, with a theorems.txt (default: this folder, and src/claims/papers/theorems.txt)
--work    where they are compiled (default: build/proofs)

Installs what is missing (as experiments/setup.sh does). Exit code 0 when all is proved, 1 when not, 77
where Coq cannot be had.
END
}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$root/proofs list=$root/src/claims/papers/theorems.txt work=$root/build/proofs program=$root/build/release/speclab
while [ $# -gt 0 ]; do
  case $1 in
    --folder) folder=$2 list=$2/theorems.txt; shift 2 ;;
    --work) work=$2; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "check.sh: unknown option $1 (see --help)" >&2; exit 2 ;;
    *) program=$(realpath -m "$1"); shift ;;
  esac
done
fail() { echo "check.sh: $1" >&2; exit 1; }
# shellcheck source=../experiments/setup.sh
. "$root/experiments/setup.sh"
if ! setup proofs || ! command -v coqc >/dev/null 2>&1; then
  echo "skipped: Coq with MathComp is not installed (package coq and libcoq-mathcomp-*)"
  exit 77
fi

mkdir -p "$work"
rm -f "$work"/*.v && cp "$folder"/*.v "$work"/ || exit 1
cd "$work" || exit 1
# No theorem, on the list or not, is taken for granted. No comment has these words either.
if grep -nE '\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture)\b' ./*.v; then
  fail "a proof is left out"
fi
flags=(-q -w -notation-overridden,-ambiguous-paths -Q . proofs)
rm -f assumptions.v
files=$(coqdep -sort -Q . proofs ./*.v) || fail "coqdep"
# A file is proved by its text and those of all before it, which are what it may use, and by this Coq.
before=$(coqc --version)
for file in $files; do
  began=$(date +%s%N)
  before=$({ echo "$before" && cat "$file"; } | sha256sum)
  if ! [ -f "${file}o" ] || [ "$(cat "$file.proved" 2>/dev/null)" != "$before" ]; then
    coqc "${flags[@]}" "$file" || fail "$(basename "$file") does not compile"
    echo "$before" >"$file.proved"
  fi
  printf '%-14s %4d lines, %5d ms\n' "$(basename "$file")" "$(wc -l <"$file")" \
    $((($(date +%s%N) - began) / 1000000))
done

# What the theorems of the list rest on.
count=0
: >assumptions.v
while read -r file name rest; do
  case $file in 'R"rows('* | '#'* | ')rows"' | '') continue ;; esac
  grep -qE "^(Theorem|Corollary|Lemma) $name\b" "$file.v" || fail "$file.v has no theorem $name"
  echo "From proofs Require $file. Print Assumptions proofs.$file.$name." >>assumptions.v
  count=$((count + 1))
done <"$list"
coqc "${flags[@]}" assumptions.v >assumptions.out
code=$?
rm -f assumptions.v
[ $code -eq 0 ] || fail "a theorem of theorems.txt is not there"
closed=$(grep -c '^Closed under the global context$' assumptions.out)
if [ "$closed" -ne "$count" ] || grep -q '^Axioms:' assumptions.out; then
  cat assumptions.out
  fail "$((count - closed)) of $count theorems rest on axioms"
fi
echo "$count theorems, none rests on an axiom"

# The definitions of which they speak, as a program.
[ -f extract.v ] || exit 0
[ -x "$program" ] || { echo "the extracted rules were not compared: no program $program"; exit 0; }
laws() {
  mkdir -p "$1" && cp "$folder/laws.ml" "$1"/ && cp "${2:-rules.ml}" "$1/rules.ml" &&
    (cd "$1" && rm -f rules.mli && ocamlfind ocamlopt -w -a -package zarith -linkpkg rules.ml laws.ml -o laws)
}
laws right || fail "the extracted rules do not compile"
python3 "$folder/extraction.py" right/laws "$program" 200 || fail "the extracted rules and the program differ"
# The comparison sees a fault of either side: t/d for w t/d, greedy-block without the changed target, sprinter's classes
# and the ensemble's models exchanged, lenient without l.
planted() { # planted FOLDER SED [RULE]: the extracted rules with a fault are compiled, and differ.
  sed "$2" rules.ml >faulty.ml
  if cmp -s rules.ml faulty.ml; then fail "no fault was planted in the extracted rules"; fi
  laws "$1" faulty.ml || fail "the faulty rules do not compile"
  seen "$1/laws" "${3:-}"
}
seen() { # seen LAWS [RULE|VERIFIER]: fails where no law differs.
  python3 "$folder/extraction.py" "$1" "$program" 40 "${2:-}" >faulty.out
  grep -q 'first difference' faulty.out || fail "the planted fault $* was not seen"
  faults=$((faults + 1))
}
faults=0
planted wrong 's/o\.min o\.one (o\.div (o\.mul w (t c x)) (d c x))/o.min o.one (o.div (t c x) (d c x))/' 'block|block'
planted unsorted 's/if le (d c x) (t c x) then tp else fp/if le (d c x) (t c x) then fp else tp/' 'sprinter(fp=1/3,tp=3/4)|sprinter(fp=1/3,tp=3/4)'
planted undivided 's/(o.mul l (d c x))/(d c x)/' 'lenient(l=1/2)|lenient(l=1/2)'
planted unmixed 's/o.add0 (o.mul w (q x)) (o.mul (o.sub0 o.one w) (p x))/o.add0 (o.mul w (p x)) (o.mul (o.sub0 o.one w) (q x))/'   'relaxed(pi=ensemble,weight=1/3)|relaxed(pi=ensemble,weight=1/3)'
planted uncarried 's/let left = changed o tokens (surplus o d t c) t n c in/let left = t in/' 'greedy-block|greedy-block'
while read -r fault; do
  seen right/laws "$fault"
done <<'END'
token|wrong-always-accept
block|wrong-weight-coins
rrs(K=2)|naive-tree(K=2)
naive-tree(K=2)|target-only(K=2)
rrs-without(K=2)|rrs(K=2)
greedy-block|block
batch(M=2)|batch-printed(M=2)
kseq(K=2)|rrs(K=2)
slot-block(K=2)|traversal(K=2)
spectr-coupled(K=2)|slot-block(K=2)
traversal(K=2)|traversal-merged(K=2)
traversal-merged(K=2)|traversal(K=2)
traversal-without(K=2)|traversal-merged(K=2)
sample-match|target-only(K=2)
target-only(K=2)|sample-match
lazy-block|block
spectr-gbv(K=2)|slot-block(K=2)
lenient(l=1/2)|lenient(l=2/3)
biased(eps=1/10)|biased(eps=1/10,residual=target)
biased(eps=1/10,residual=target)|biased(eps=1/10)
biased(eps=1/10,residual=draft)|biased(eps=1/10)
biased(eps=1/10,residual=standard)|lenient(l=1/2)
rule(share=1/2)|token
relaxed(pi=ensemble,weight=1/3)|relaxed(pi=ensemble,weight=1/3,bonus=relaxed)
relaxed(pi=ensemble,weight=1/3,bonus=relaxed)|relaxed(pi=ensemble,weight=1/3)
relaxed(pi=fuzzy,divergence=tv,threshold=2/5)|relaxed(pi=fuzzy,divergence=tv,threshold=1/5)
relaxed(pi=cascade-opt,alpha=1/2)|relaxed(pi=cascade-opt,alpha=0)
relaxed(pi=cascade-top,alpha=1/2)|relaxed(pi=cascade-top,alpha=0)
sprinter(fp=1/3,tp=3/4)|sprinter-printed(fp=1/3,tp=3/4)
END
echo "the extracted rules agree with $program; $faults planted faults are seen"
