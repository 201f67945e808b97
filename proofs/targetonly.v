(** target-only and sample-match: how many drafts are accepted along a text of the target, in closed form. *)
From proofs Require Import prelude program model valid text several.
Local Open Scope ring_scope.

Section TargetOnly.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation dist := (dist (reals R)).
Notation draws := (@draws (reals R) V (enum V)).
Notation positions := (@positions (reals R) V (enum V)).
Notation target_only_node := (@target_only_node (reals R) V eq_op (enum V) d t).

(** A rule that goes position by position accepts z s where it accepts z and then, with what stays in play, s. *)
Lemma positions_accepts (node : nat -> seq V -> dist (V * option nat)) n k c z s :
  accepts (positions node t n.+1 k c) (z :: s) =
  E (node k c) (fun a => if a.2 is Some j then (a.1 == z)%:R * accepts (positions node t n j (rcons c a.1)) s else 0).
Proof.
rewrite /accepts /= E_bind; apply: eq_E => -[y [j|]] /=; last by rewrite E_ret begins_cons.
by rewrite E_map -E_mulr; apply: eq_E => o; rewrite begins_cons.
Qed.

(** The number of k drafts that are z. *)
Lemma draws_count (p : V -> R) k z a : \sum_x p x = 1 ->
  E (draws p k) (fun xs => a ^+ count (eq_op z) xs) = (1 - p z * (1 - a)) ^+ k.
Proof.
move=> h; elim: k => [|k IH]; first by rewrite /= E_ret !expr0.
rewrite drawsS exprS -IH.
transitivity (\sum_x (p x - p x * (x == z)%:R * (1 - a)) * E (draws p k) (fun xs => a ^+ count (eq_op z) xs)).
  apply: eq_bigr => x _ /=; rewrite (eq_sym z) (eq_E _ (fun xs => exprD a (x == z) (count (eq_op z) xs))) E_mulr.
  move: (E _ _) => e; case: (x == z) => /=; rewrite ?expr1 ?expr0; ring.
by rewrite -mulr_suml sumrB h -mulr_suml sum_eq.
Qed.

(** P(tau >= |x|, X = x) = T(x) (1 - (1 - D(x))^K). *)
Theorem target_only_accepts n k c x : (0 < k)%N -> (size x <= n)%N ->
  accepts (positions target_only_node t n k c) x = text t c x * (1 - (1 - text d c x) ^+ k).
Proof.
elim: x n k c => [|z s IH] n k c k0 hn.
  rewrite /= subrr expr0n eqn0Ngt k0 subr0 mulr1 -[RHS](lossless_one (target_only_lossless d_law t_law n k c)).
  by apply: eq_E => o; rewrite begins_nil.
case: n hn => // n hn; rewrite positions_accepts /target_only_node E_bind.
transitivity (E (draws (d c) k) (fun xs => text t c (z :: s) * (1 - (1 - text d (rcons c z) s) ^+ count (eq_op z) xs))).
  apply: eq_E => xs; rewrite E_map E_draw /= /in_play.
  rewrite (eq_bigr (fun y => t c y * ((y == z)%:R * (if count (eq_op y) xs is j.+1
    then accepts (positions target_only_node t n j.+1 (rcons c y)) s else 0)))) => [|y _].
    rewrite sum_eq_mul -mulrA; congr (_ * _); case: (count _ xs) => [|j]; first by rewrite expr0 subrr mulr0.
    exact: IH.
  by case: (count _ xs) => [|j] //; rewrite !mulr0.
rewrite E_mulr E_sub draws_one ?d_sum // draws_count ?d_sum // subKr //.
Qed.

(** Along a text of the target: 1 - (1 - D(x))^K, D(x) the product of the draft's probabilities. *)
Theorem text_identity_target_only n k c x s : (0 < k)%N -> (size x <= n)%N ->
  accepted_along t (positions target_only_node t n k c) c x s = text t c (x ++ s) * (1 - (1 - text d c x) ^+ k).
Proof.
move=> k0 hn; rewrite text_identity; last exact: target_only_lossless.
by rewrite target_only_accepts // text_cat; ring.
Qed.

(** sample-match, K = 1: the product of the draft's probabilities. *)
Corollary text_identity_match n c x s : (size x <= n)%N ->
  accepted_along t (positions target_only_node t n 1 c) c x s = text t c (x ++ s) * text d c x.
Proof. by move=> hn; rewrite text_identity_target_only // expr1 subKr. Qed.
End TargetOnly.
