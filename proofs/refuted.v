(** sun2025 Theorem 2 as printed is false for i >= 2: a pair of two tokens and two drafts on which a valid verifier emits
    more tokens in three iterations than block verification. Both models take the first two tokens with probability 1,
    then they differ; to draft one token fewer in the first iterations meets the difference with a fresh iteration. *)
From mathcomp Require Import all_ssreflect all_algebra.
From proofs Require Import model valid token block.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** The contexts are states, seven of them: the state after the tokens c; false is token 0. *)
Definition next (s : nat) (x : bool) : nat :=
  match s, x with
  | 0, _ => 1 | 1, _ => 2 | 2, false => 5 | 2, true => 3 | 3, false => 5 | 3, true => 4
  | 4, false => 5 | 4, true => 6 | 5, _ => 5 | _, _ => 6
  end%N.
Definition state (c : seq bool) : nat := foldl next 0%N c.

(** A law of two tokens, by the probability of token 1. *)
Definition coin2 (p : rat) (x : bool) : rat := if x then p else 1 - p.
Definition half : rat := 1 / 2%:R.
Definition draft (c : seq bool) : bool -> rat :=
  coin2 (match state c with 0 => 0 | 1 => 0 | 2 => 1 | 3 => half | 4 => 0 | 5 => 1 | _ => half end).
Definition target (c : seq bool) : bool -> rat :=
  coin2 (match state c with 0 => 0 | 1 => 0 | 2 => half | 3 => 1 | 4 => 1 | 5 => 0 | _ => half end).

(** How many drafts the other verifier looks at. *)
Definition looks (c : seq bool) : nat := match state c with 2 => 2 | 6 => 2 | _ => 1 end%N.

Notation drafted n := (@block.block (reals [realFieldType of rat]) bool (enum bool_finType) draft target n).
Definition fewer c := drafted (looks c) c.

Lemma coin2_law p : 0 <= p <= 1 -> law (coin2 p).
Proof.
case/andP=> p0 p1; split=> [[]|]; rewrite /coin2 ?subr_ge0 //.
by rewrite big_bool /= addrC subrK.
Qed.

Lemma draft_lawful : lawful draft.
Proof. by move=> c; apply: coin2_law; case: (state c) => [|[|[|[|[|[|n]]]]]]. Qed.

Lemma target_lawful : lawful target.
Proof. by move=> c; apply: coin2_law; case: (state c) => [|[|[|[|[|[|n]]]]]]. Qed.

Lemma fewer_valid c : valid draft target 2 c (fewer c).
Proof.
have := block_valid draft_lawful target_lawful (looks c) c; case=> pos short drafts goal; split=> // q hq.
by apply: leq_trans (short q hq) _; rewrite /looks; case: (state c) => [|[|[|[|[|[|[|n]]]]]]].
Qed.

(** Expectations that run. *)
Lemma E_foldr A (m : dist (reals [realFieldType of rat]) A) f : E m f = foldr (fun q s => (q.1 : rat) * f q.2 + s) 0 m.
Proof. by rewrite /E unlock. Qed.

Lemma bools : enum bool_finType = [:: true; false].
Proof. by rewrite enumT unlock. Qed.

Theorem theorem2_refuted :
  lawful draft /\ lawful target /\ (forall c, valid draft target 2 c (fewer c)) /\
  tokens_after (drafted 2) 3 [::] < tokens_after fewer 3 [::].
Proof.
split; [exact: draft_lawful | split; [exact: target_lawful | split; [exact: fewer_valid |]]].
rewrite /tokens_after /fewer !E_foldr bools.
vm_cast_no_check isT.
Qed.
