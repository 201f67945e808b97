(** The text identity: how many drafts an iteration accepts along a text that the target wrote. The text begins where
    the iteration does; x is its first i tokens, s is what comes after them. *)
From proofs Require Import prelude program model valid token block.
Local Open Scope ring_scope.

Section Text.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation token := (@token.token (reals R) V (enum V) d t).
Notation block := (@block.block (reals R) V (enum V) d t).

(** P(tau >= |x|, O = x s) where O is what an iteration emits, continued by the target. *)
Definition accepted_along (m : dist (reals R) (seq V * V)) c x s : R :=
  E m (fun o => (size x <= size o.1)%:R * follows (text t) c (output o) (x ++ s)).

(** P(tau >= |x|, O = x s) = P(X^i = x, tau >= i) T(s | x), of every lossless rule. *)
Theorem text_identity c m x s : lossless_at t c m ->
  accepted_along m c x s = accepts m x * text t (c ++ x) s.
Proof.
move=> h; rewrite -accepted_follows //; apply: eq_E => o; rewrite /output.
elim: x o.1 c {h} => [|a x IH] [|b p] c //=; rewrite ?begins_cons ?mul0r //.
by rewrite ltnS; case: (eqVneq b a) => [->|_]; rewrite ?mul0r ?mulr0 // !mul1r IH.
Qed.

(** Token: given the text, each draft is accepted by itself with min(1, d/t). *)
Fixpoint ratios c (x : seq V) : R := if x is y :: s then Num.min 1 (d c y / t c y) * ratios (rcons c y) s else 1.

Lemma overlap_ratios c x : overlap d t c x = text t c x * ratios c x.
Proof.
elim: x c => [|y x IH] c /=; first by rewrite mulr1.
have -> : shared (d c) (t c) y = t c y * Num.min 1 (d c y / t c y).
  rewrite /shared; have [->|tn] := eqVneq (t c y) 0; first by rewrite mul0r min_r // d_ge0.
  have tp : 0 < t c y by rewrite lt_def tn t_ge0.
  by rewrite minr_pMr ?t_ge0 // mulr1 [t c y * _]mulrC divfK // minC.
by rewrite IH; ring.
Qed.

Theorem text_identity_token n c x s : (size x <= n)%N ->
  accepted_along (token n c) c x s = text t c (x ++ s) * ratios c x.
Proof.
move=> hn; rewrite text_identity ?token_accepts ?overlap_ratios //; last exact: token_lossless.
by rewrite text_cat; ring.
Qed.

(** Block: with the least ratio D/T over the prefixes of x. *)
Definition ratio c x := text d c x / text t c x.
Fixpoint lowest_to (i : nat) c x : R := if i is j.+1 then Num.min (lowest_to j c x) (ratio c (take i x)) else 1.
Definition lowest c x := lowest_to (size x) c x.

Lemma lowest_rcons c x y : lowest c (rcons x y) = Num.min (lowest c x) (ratio c (rcons x y)).
Proof.
rewrite /lowest size_rcons /= -[X in take X _](size_rcons x y) take_size; congr Num.min.
elim: {-2}(size x) (leqnn (size x)) => [|i IH] hi //=.
by rewrite IH ?(ltnW hi) // -cats1 (takel_cat _ hi).
Qed.

Lemma weights_lowest c x : 0 < text t c x -> text d c x * weights d t 1 c x = text t c x * lowest c x.
Proof.
elim/last_ind: x => [|x y IH].
  by rewrite /lowest /= !mulr1.
rewrite text_rcons => h; have tx : 0 < text t c x.
  by rewrite lt_def text_ge0 // andbT; apply/eqP => z; move: h; rewrite z mul0r ltxx.
have r : text t c x * t (c ++ x) y * ratio c (rcons x y) = text d c x * d (c ++ x) y.
  by rewrite /ratio !text_rcons mulrC divfK // gt_eqF.
have w0 : 0 <= weights d t 1 c x.
  have one : 0 <= (1 : R) <= 1 by rewrite lexx ler01.
  by case/andP: (weights_bounds d_law t_law c x one).
rewrite weights_rcons lowest_rcons text_rcons -mulrA d_weight // /excess /= max_min subKr.
rewrite [RHS]minr_pMr ?(ltW h) // r minr_pMr ?text_ge0 // mulrA (IH tx) minC mulrAC //.
Qed.

Theorem text_identity_block n c x s : (size x <= n)%N -> 0 < text t c x ->
  accepted_along (block n c) c x s = text t c (x ++ s) * lowest c x.
Proof.
move=> hn h; rewrite text_identity ?lemma3 ?weights_lowest //; last exact: block_lossless.
by rewrite text_cat; ring.
Qed.

(** No valid verifier accepts more of a text than block verification. *)
Theorem text_identity_most n c m x : valid d t n c m -> 0 < text t c x ->
  accepts m x <= text t c x * lowest c x.
Proof. by move=> v h; rewrite -weights_lowest //; apply: lemma4 v. Qed.
End Text.
