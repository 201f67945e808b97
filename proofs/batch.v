(** Batch verification (yin2024 Algorithm 4, repaired: all M roots are tried, then the token is drawn from what they
    left of the target). *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From proofs Require Import program model valid token several.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (tokens : seq V) (d t : program.model O V).

(** n drafts to go: the first tokens of M drafts in turn, each against what the ones before it left of the target; the
    first that is accepted is gone on with alone, by token verification. *)
Definition batch (M n : nat) c : dist O (seq V * V) :=
  if n is m.+1 then
    let! xs := draws tokens (d c) M in
    let! a := rounds tokens d (t c) c xs in
    if a.2 then
      let! o := token.token tokens d t m (rcons c a.1) in
      ret O (a.1 :: o.1, o.2)
    else ret O ([::], a.1)
  else
    let! y := draw tokens (t c) in
    ret O ([::], y).

(** The same, token by token, over n tokens, with the number of rejections: [root] where an iteration begins, that is at
    the start and after each rejection. *)
Definition batch_step (M : nat) (root : bool) c : dist O (V * bool) :=
  if root then
    let! xs := draws tokens (d c) M in
    rounds tokens d (t c) c xs
  else
    let! x := draw tokens (d c) in
    rounds tokens d (t c) c [:: x].
Fixpoint batch_rejections (M n : nat) (root : bool) c : dist O nat :=
  if n is m.+1 then
    let! a := batch_step M root c in
    let! r := batch_rejections M m (~~ a.2) (rcons c a.1) in
    ret O (if a.2 then r else r.+1)
  else ret O 0%N.
End Rule.

Section Batch.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation batch := (@batch (reals R) V (enum V) d t).
Notation draws := (@draws (reals R) V (enum V)).
Notation rounds := (@rounds (reals R) V (enum V) d).

(** yin2024 Theorem 3, first part: batch verification is lossless, for every M. *)
Theorem batch_lossless M n : lossless t (batch M n).
Proof.
move=> c xs; case: n => [|n] /=.
  rewrite E_map E_draw; case: xs => [|z s] /=; first by under eq_bigr do rewrite mulr1; rewrite t_sum.
  by under eq_bigr do rewrite follows_text; rewrite (sum_eq_mul _ (fun y => text t (rcons c y) s)).
pose g y : R := if xs is z :: s then (y == z)%:R * text t (rcons c y) s else 1.
rewrite E_bind; transitivity (E (draws (d c) M) (fun ys => E (rounds (t c) c ys) (fun a => g a.1))).
  apply: eq_E => ys; rewrite E_bind; apply: eq_E => -[y [|]] /=; last first.
    by rewrite E_ret /g; case: (xs) => [|z s] //=; rewrite follows_text.
  rewrite E_map /g; case: (xs) => [|z s] /=; first exact: lossless_one (token_lossless d_law t_law n (rcons c y)).
  by rewrite E_mulr token_lossless.
rewrite rounds_law // /g; case: (xs) => [|z s]; first by under eq_bigr do rewrite mulr1; rewrite t_sum.
by rewrite (sum_eq_mul _ (fun y => text t (rcons c y) s)).
Qed.

Corollary batch_decodes M n k c xs : E (chain (batch M n) k c) (fun o => follows (text t) c o xs) = text t c xs.
Proof. exact/chain_lossless/batch_lossless. Qed.

Notation batch_step := (@batch_step (reals R) V (enum V) d t).
Notation batch_rejections := (@batch_rejections (reals R) V (enum V) d t).

(** t^1 = t, t^{m+1} = [t^m - d]+ normalised: the product of the M distances TV(d, t^m); 0 once one of them is. *)
Fixpoint distances (M : nat) (p : V -> R) c : R :=
  if M is m.+1 then tv (d c) p * distances m (@residual (reals R) V (enum V) d (fun=> p) 1 c) c else 1.

Lemma step1 M : batch_step M false =1 batch_step 1 true.
Proof. by move=> c; rewrite /batch_step /= /bind /= ; admit. Admitted.
End Batch.
