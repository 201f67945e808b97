(** Several drafts, position by position: K drafts that are drawn independently, of which those that agree with what
    was accepted stay in play. *)
From proofs Require Import prelude program model valid.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (same : V -> V -> bool) (tokens : seq V).
Notation model := (program.model O V).

(** k tokens, drawn independently. *)
Fixpoint draws (law : V -> num O) (k : nat) : dist O (seq V) :=
  if k is j.+1 then
    let! x := draw tokens law in
    let! xs := draws law j in
    ret O (x :: xs)
  else ret O [::].

(** The drafts that stay in play where y is emitted; none: y is a correction. *)
Definition in_play (xs : seq V) y : option nat := let k := count (same y) xs in if k is 0 then None else Some k.

(** One position: the token that is emitted, and how many drafts stay in play where it is accepted. [node k c] is the
    rule of a position where k drafts are in play; n drafts to go. What is not looked at need not be drawn yet. *)
Variable node : nat -> seq V -> dist O (V * option nat).
Variable t : model.
Fixpoint positions (n k : nat) c : dist O (seq V * V) :=
  if n is m.+1 then
    let! a := node k c in
    if a.2 is Some j then
      let! o := positions m j (rcons c a.1) in
      ret O (a.1 :: o.1, o.2)
    else ret O ([::], a.1)
  else
    let! y := draw tokens (t c) in
    ret O ([::], y).
End Rule.

(** The rules of one position. *)
Section Nodes.
Variables (O : ops) (V : Type) (same : V -> V -> bool) (tokens : seq V) (d t : program.model O V).

(** target-only (K = 1: sample-match): draw from the target; it is accepted where a draft is equal. *)
Definition target_only_node k c : dist O (V * option nat) :=
  let! xs := draws tokens (d c) k in
  let! y := draw tokens (t c) in
  ret O (y, in_play same xs y).

(** rrs: the drafts are tried in their order, each against what the ones before it left of the target. *)
Fixpoint rounds (law : V -> num O) c (xs : seq V) : dist O (V * bool) :=
  if xs is x :: rest then
    let t' := fun (_ : seq V) => law in
    let! accepted := flip (weight d t' (one O) c x) in
    if accepted then ret O (x, true)
    else rounds (residual tokens d t' (one O) c) c rest
  else
    let! y := draw tokens law in
    ret O (y, false).

Definition rrs_node k c : dist O (V * option nat) :=
  let! xs := draws tokens (d c) k in
  let! a := rounds (t c) c xs in
  ret O (a.1, if a.2 then in_play same xs a.1 else None).
End Nodes.

Section Several.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation dist := (dist (reals R)).
Notation draws := (@draws (reals R) V (enum V)).
Notation target_only_node := (@target_only_node (reals R) V eq_op (enum V) d t).
Notation rrs_node := (@rrs_node (reals R) V eq_op (enum V) d t).
Notation rounds := (@rounds (reals R) V (enum V) d).
Notation positions := (@positions (reals R) V (enum V)).

Lemma drawsS (p : V -> R) k f : E (draws p k.+1) f = \sum_x p x * E (draws p k) (fun xs => f (x :: xs)).
Proof. by rewrite /= E_bind E_draw; apply: eq_bigr => x _; rewrite E_map. Qed.

Lemma draws_one (p : V -> R) k : \sum_x p x = 1 -> E (draws p k) (fun=> 1) = 1.
Proof.
move=> h; elim: k => [|k IH]; first by rewrite /= E_ret.
by rewrite drawsS; under eq_bigr do rewrite IH mulr1.
Qed.

(** A rule that goes position by position is lossless where each position emits a token of the target's law, however
    many drafts are in play. *)
Theorem positions_lossless (node : nat -> seq V -> dist (V * option nat)) :
  (forall k c f, E (node k c) (fun a => f a.1) = \sum_y t c y * f y) ->
  forall n k, lossless t (positions node t n k).
Proof.
move=> h n; elim: n => [|n IH] k c xs /=.
  rewrite E_map E_draw; case: xs => [|z s] /=; first by under eq_bigr do rewrite mulr1; rewrite t_sum.
  by under eq_bigr do rewrite follows_text; rewrite (sum_eq_mul _ (fun y => text t (rcons c y) s)).
rewrite E_bind; transitivity (E (node k c) (fun a =>
    if xs is z :: s then (a.1 == z)%:R * text t (rcons c a.1) s else 1)).
  apply: eq_E => -[y [j|]] /=; last by rewrite E_ret; case: xs => [|z s] //=; rewrite follows_text.
  rewrite E_map; case: xs => [|z s] /=.
    by rewrite -[RHS](lossless_one (IH j (rcons c y))).
  by rewrite E_mulr IH.
rewrite (h k c (fun y => if xs is z :: s then (y == z)%:R * text t (rcons c y) s else 1)).
case: xs => [|z s]; first by under eq_bigr do rewrite mulr1; rewrite t_sum.
by rewrite (sum_eq_mul _ (fun y => text t (rcons c y) s)).
Qed.

(** target-only and sample-match are lossless, for every K and V. *)
Theorem target_only_lossless n k : lossless t (positions target_only_node t n k).
Proof.
apply: positions_lossless => j c f; rewrite E_bind.
transitivity (E (draws (d c) j) (fun=> \sum_y t c y * f y * 1)).
  by apply: eq_E => xs; rewrite E_map E_draw; apply: eq_bigr => y _; rewrite mulr1.
by under eq_E do rewrite -mulr_suml; rewrite E_mulr draws_one ?mulr1 // d_sum.
Qed.

(** Rounds of rejection emit the law that they begin with, for every number of drafts (SpecInfer). *)
Lemma rounds_law (p : V -> R) c k f : law p ->
  E (draws (d c) k) (fun xs => E (rounds p c xs) (fun a => f a.1)) = \sum_y p y * f y.
Proof.
elim: k p => [|k IH] p hp; first by rewrite /= E_ret /= E_map E_draw.
pose t' := fun _ : seq V => p; have tl : lawful t' by [].
rewrite drawsS.
have step x xs : E (rounds p c (x :: xs)) (fun a => f a.1) =
    @weight (reals R) V d t' 1 c x * f x
    + (1 - @weight (reals R) V d t' 1 c x) * E (rounds (@residual (reals R) V (enum V) d t' 1 c) c xs) (fun a => f a.1).
  by rewrite /= E_bind E_flip /= E_ret.
pose r : V -> R := @residual (reals R) V (enum V) d t' 1 c.
pose left := E (draws (d c) k) (fun xs => E (rounds r c xs) (fun a => f a.1)).
have left_mass : excesses d t' 1 c * left = \sum_y (@excess (reals R) V d t' 1 c y : R) * f y.
  under eq_bigr do rewrite -(excesses_residual d t') -mulrA; rewrite -mulr_sumr.
  have [z|z] := eqVneq (excesses d t' 1 c) 0; first by rewrite z !mul0r.
  congr (_ * _); apply: IH; split=> [y|]; first exact: residual_ge0.
  apply: (mulfI z); rewrite mulr1 mulr_sumr; apply: eq_bigr => y _; exact: excesses_residual.
transitivity (\sum_x (d c x * @weight (reals R) V d t' 1 c x * f x + (d c x - d c x * @weight (reals R) V d t' 1 c x) * left)).
  apply: eq_bigr => x _; under eq_E do rewrite step; rewrite E_add E_const draws_one ?d_sum // mulr1.
  rewrite [E _ (fun a => (1 - _) * _)]E_mulr -/left.
  by move: (@weight (reals R) V d t' 1 c x : R) => w; ring.
rewrite big_split -mulr_suml sumrB d_sum // deeper ?ler01 //= opprB addrCA subrr addr0 left_mass -big_split.
apply: eq_bigr => x _ /=; rewrite d_weight ?ler01 // -mulrDl mul1r subrK //.
Qed.

(** rrs (recursive rejection sampling, SpecInfer's multi-round rule) is lossless, for every K and V. *)
Theorem rrs_lossless n k : lossless t (positions rrs_node t n k).
Proof.
apply: positions_lossless => j c f; rewrite -(@rounds_law (t c) c j f) // E_bind.
by apply: eq_E => xs; rewrite E_map.
Qed.
End Several.
