(** sun2025 Theorem 2 as printed is false for i >= 2, in the law of N(i): the smallest counterexample found by
    enumeration (two tokens, gamma = 2, i = 2, three contexts, probabilities 0, 1/2 and 1). A valid verifier emits at
    least 5 tokens in two iterations more often than block verification. *)
From mathcomp Require Import all_ssreflect all_algebra.
From proofs Require Import model valid token block refuted.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** The contexts are three states; false is token 0. In state 2 the two models share no token. *)
Definition next3 (s : nat) (x : bool) : nat :=
  match s, x with 0, false => 1 | 0, true => 2 | 1, false => 1 | 1, true => 0 | _, _ => 1 end%N.
Definition state3 (c : seq bool) : nat := foldl next3 0%N c.
Definition draft3 (c : seq bool) : bool -> rat := coin2 (match state3 c with 0 => 0 | 1 => half | _ => 0 end).
Definition target3 (c : seq bool) : bool -> rat := coin2 (match state3 c with 0 => half | 1 => 1 | _ => 1 end).

Notation drafted3 n := (@block.block (reals [realFieldType of rat]) bool (enum bool_finType) draft3 target3 n).

(** How many drafts the other verifier looks at: one fewer where the target is sure of the first token. *)
Definition looks3 (c : seq bool) : nat := match state3 c with 0 => 2 | _ => 1 end%N.
Definition fewer3 c := drafted3 (looks3 c) c.

Lemma draft3_lawful : lawful draft3.
Proof. by move=> c; apply: coin2_law; case: (state3 c) => [|[|n]]. Qed.

Lemma target3_lawful : lawful target3.
Proof. by move=> c; apply: coin2_law; case: (state3 c) => [|[|n]]. Qed.

Lemma fewer3_valid c : valid draft3 target3 2 c (fewer3 c).
Proof.
have := block_valid draft3_lawful target3_lawful (looks3 c) c; case=> pos short drafts goal; split=> // q hq.
by apply: leq_trans (short q hq) _; rewrite /looks3; case: (state3 c) => [|n].
Qed.

(** P(N(i) >= n). *)
Definition at_least (rule : seq bool -> program.dist (reals [realFieldType of rat]) (seq bool * bool)) i n c : rat :=
  E (chain rule i c) (fun s => (n <= size s)%:R).

Eval vm_compute in foldr (fun q s => (q.1 : rat) * ((5 <= size q.2)%N)%:R + s) 0 (@chain (reals [realFieldType of rat]) bool (fun c => @block.block (reals [realFieldType of rat]) bool [:: true; false] draft3 target3 2 c) 2 [::]).
Eval vm_compute in foldr (fun q s => (q.1 : rat) * ((5 <= size q.2)%N)%:R + s) 0 (@chain (reals [realFieldType of rat]) bool (fun c => @block.block (reals [realFieldType of rat]) bool [:: true; false] draft3 target3 (looks3 c) c) 2 [::]).
