(** Rules that accept a draft with some probability and else draw from some law (yin2024 Algorithm 2, in iterations of n
    drafts): what they emit, for every such pair. lenient, biased, relaxed and token verification are instances. *)
From proofs Require Import prelude program model valid token bias.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (tokens : seq V) (d : program.model O V).

(** A draft x is accepted with probability b(x|c), the first that is not is replaced by a draw from P(.|c); after n of
    them one more token is drawn from last(.|c). *)
Variables b P last : program.model O V.
Fixpoint rejection (n : nat) c : dist O (seq V * V) :=
  if n is m.+1 then
    let! x := draw tokens (d c) in
    let! accepted := flip (b c x) in
    if accepted then
      let! o := rejection m (rcons c x) in
      ret O (x :: o.1, o.2)
    else
      let! y := draw tokens (P c) in
      ret O ([::], y)
  else
    let! y := draw tokens (last c) in
    ret O ([::], y).
End Rule.

(** The rules' choices of b and P. *)
Section Choices.
Variables (O : ops) (V : Type) (tokens : seq V) (d t : program.model O V).

(** [t - b d]+, normalised. *)
Definition left_over (b : program.model O V) c x := max (sub (t c x) (mul (b c x) (d c x))) (zero O).
Definition corrected b c x := div (left_over b c x) (total tokens (left_over b c)).

(** lenient, leviathan2023 A.5: min(1, t/(l d)). *)
Definition lenience (l : num O) c x := min (one O) (div (t c x) (mul l (d c x))).
(** biased, yin2024 equation (2): min(1, (t + eps)/d). *)
Definition slack (eps : num O) c x := min (one O) (div (add (t c x) eps) (d c x)).
(** A share of what token verification accepts. *)
Definition part (share : num O) c x := mul share (weight d t (one O) c x).
End Choices.

Section Rejection.
Variables (R : realFieldType) (V : finType) (d b P last pi : seq V -> V -> R).
Hypotheses (d_law : lawful d) (last_law : lawful last).
(** What a position emits; P adds up to 1 where something is rejected. *)
Hypotheses (pi_emitted : forall c x, pi c x = emits (d c) (b c) (P c) x)
  (P_one : forall c, rejects (d c) (b c) * (\sum_x P c x) = rejects (d c) (b c)).
Notation rejection := (@rejection (reals R) V (enum V) d b P last).

Lemma rejectionS n c f : E (rejection n.+1 c) f =
  \sum_x b c x * d c x * E (rejection n (rcons c x)) (fun o => f (x :: o.1, o.2))
  + rejects (d c) (b c) * \sum_y P c y * f ([::], y).
Proof.
rewrite [rejection _ _]/= E_bind E_draw /rejects mulr_suml -big_split; apply: eq_bigr => x _.
rewrite E_bind E_flip /= !E_map E_draw /=; move: (E _ _) (\sum_y _) => e s; ring.
Qed.

(** The n tokens of an iteration, continued by pi, have the law pi; all tokens where the last is drawn from pi too. *)
Theorem rejection_law n c xs : (size xs <= n)%N \/ last =2 pi ->
  E (rejection n c) (fun o => follows (text pi) c (output o) xs) = text pi c xs.
Proof.
elim: n c xs => [|n IH] c xs h.
  rewrite /= E_map E_draw; case: xs h => [|z s] /=.
    by under eq_bigr do rewrite mulr1; case: (last_law c).
  case=> // e; rewrite -e -(sum_eq_mul (last c) (fun y => text pi (rcons c y) s)).
  by apply: eq_bigr => y _; rewrite follows_text.
rewrite rejectionS; case: xs h => [|z s] h /=.
  have one x : E (rejection n (rcons c x)) (fun=> 1) = 1.
    rewrite -[RHS](IH (rcons c x) [::]); last by left.
    by apply: eq_E => o; rewrite follows_nil.
  under eq_bigr do rewrite one mulr1.
  under [X in _ + _ * X]eq_bigr do rewrite mulr1.
  rewrite P_one /rejects -big_split; transitivity (\sum_x d c x); last by case: (d_law c).
  by apply: eq_bigr => x _ /=; ring.
have hs : (size s <= n)%N \/ last =2 pi by case: h => h; [left | right].
under eq_bigr do rewrite E_mulr (IH _ s hs).
under [X in _ + _ * X]eq_bigr do rewrite follows_text.
rewrite (sum_eq_mul _ (fun x => text pi (rcons c x) s)) (sum_eq_mul _ (fun x => text pi (rcons c x) s)).
rewrite pi_emitted /emits /=; ring.
Qed.

(** A draft is accepted with probability sum b d. *)
Theorem rejection_accepts n c : (0 < n)%N ->
  E (rejection n c) (fun o => (1 <= size o.1)%:R) = \sum_x b c x * d c x.
Proof.
case: n => // n _; rewrite rejectionS [X in _ + _ * X]big1 ?mulr0 ?addr0 => [|y _]; last by rewrite mulr0.
apply: eq_bigr => x _; rewrite -[RHS]mulr1; congr (_ * _).
transitivity (text pi (rcons c x) [::]) => //; rewrite -(@rejection_law n); last by left.
by apply: eq_E => o; rewrite follows_nil.
Qed.
End Rejection.

Section Instances.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation rejection := (@rejection (reals R) V (enum V) d).
Notation weight := (@weight (reals R) V d t 1).
Notation residual := (@residual (reals R) V (enum V) d t 1).
Notation lenience := (@lenience (reals R) V d t).
Notation slack := (@slack (reals R) V d t).
Notation part := (@part (reals R) V d t).
Notation corrected := (@corrected (reals R) V (enum V) d t).
Notation left_over := (@left_over (reals R) V d t).

(** Token verification is the instance of min(1, t/d) and [t - d]+. *)
Theorem token_rejection n c f : E (@token.token (reals R) V (enum V) d t n c) f = E (rejection weight residual t n c) f.
Proof.
by elim: n c f => [|n IH] c f //=; rewrite !E_bind; apply: eq_E => x; rewrite !E_bind; apply: eq_E => -[].
Qed.

Lemma rejects_sum (b : seq V -> V -> R) c : rejects (d c) (b c) = 1 - \sum_x b c x * d c x.
Proof. by rewrite /rejects; under eq_bigr do rewrite mulrBl mul1r; rewrite sumrB d_sum. Qed.

Section Bounds.
Variable b : seq V -> V -> R.
Hypothesis b1 : forall c x, b c x <= 1.

Lemma rejects_ge0 c : 0 <= rejects (d c) (b c).
Proof. by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?subr_ge0 ?d_ge0. Qed.

(** A law by division adds up to 1 where there is something to divide by. *)
Lemma normal_one (f : V -> R) (r : R) : 0 <= r -> r <= \sum_x f x -> r * (\sum_x f x / \sum_y f y) = r.
Proof.
move=> r0 h; have [z|z] := eqVneq (\sum_x f x) 0; last by rewrite -mulr_suml mulfV // mulr1.
have -> : r = 0 by apply/eqP; rewrite eq_le r0 andbT -z.
by rewrite mul0r.
Qed.

(** The correction of token verification, where b is at least min(1, t/d). *)
Lemma standard_one c : (forall c x, shared (d c) (t c) x <= b c x * d c x) ->
  rejects (d c) (b c) * (\sum_x residual c x) = rejects (d c) (b c).
Proof.
move=> h; rewrite /program.residual excess_sumE; apply: normal_one; first exact: rejects_ge0.
rewrite -/(excesses d t 1 c) tv_excesses tv_shared ?t_sum // rejects_sum lerD2l lerN2; exact: ler_sum.
Qed.

(** The optimal correction, [t - b d]+. *)
Lemma over_rejects c : rejects (d c) (b c) <= \sum_x (left_over b c x : R).
Proof.
rewrite rejects_sum -(t_sum t_law c) -sumrB; apply: ler_sum => x _; by rewrite /rejection.left_over /= le_max lexx.
Qed.

Lemma corrected_one c : rejects (d c) (b c) * (\sum_x (corrected b c x : R)) = rejects (d c) (b c).
Proof. rewrite /rejection.corrected totalE; apply: normal_one; [exact: rejects_ge0 | exact: over_rejects]. Qed.

(** yin2024 Corollary 1 over whole iterations: lossless where b d <= t, whatever b is. *)
Theorem unbiased_lossless n : (forall c x, b c x * d c x <= t c x) -> lossless t (rejection b (corrected b) t n).
Proof.
move=> h c xs; apply: rejection_law => //; [|exact: corrected_one|by right] => {}c x.
have e y : left_over b c y = t c y - b c y * d c y by rewrite /rejection.left_over /= max_l // subr_ge0.
have s : \sum_y (left_over b c y : R) = rejects (d c) (b c).
  by rewrite rejects_sum -(t_sum t_law c) -sumrB; apply: eq_bigr => y _; apply: e.
rewrite /emits /rejection.corrected totalE s e /=; have [z|z] := eqVneq (rejects (d c) (b c)) 0; last first.
  by rewrite divfK // addrC subrK.
rewrite z mulr0 addr0; apply/eqP; rewrite -subr_eq0 -e; apply/eqP.
have pos y : true -> 0 <= (left_over b c y : R) by rewrite /rejection.left_over /= le_max lexx orbT.
by apply: (psumr_eq0P pos) => //; rewrite s.
Qed.
End Bounds.

Lemma min_mass (a x : R) : 0 <= a -> 0 <= x -> Num.min 1 (a / x) * x = Num.min x a.
Proof.
move=> a0 x0; have [->|z] := eqVneq x 0; first by rewrite mulr0 min_l.
by rewrite mulrC minr_pMr // mulr1 [x * _]mulrC divfK.
Qed.

(** rule(share=): lossless, at any share of the acceptance of token verification. *)
Theorem part_lossless (share : R) n : 0 <= share <= 1 -> lossless t (rejection (part share) (corrected (part share)) t n).
Proof.
case/andP=> s0 s1; apply: unbiased_lossless => c x; rewrite /rejection.part /=.
  by case/andP: (weight_bounds d_law t_law c x ler01) => w0 w1; apply: mulr_ile1.
rewrite -mulrA [_ * d c x]mulrC d_weight_one // -[t c x]mul1r; apply: ler_pM => //.
  by rewrite /shared le_min d_ge0 // t_ge0.
by rewrite /shared ge_min lexx orbT.
Qed.

(** leviathan2023 A.5: the n tokens of lenient's iteration have the law min(d, t/l) + P(reject) [t - d]+, normalised;
    the one after n accepted drafts has the target's. *)
Definition lenient_law (l : R) c := emits (d c) (lenience l c) (residual c).

Lemma lenience_mass (l : R) c x : 0 < l -> lenience l c x * d c x = Num.min (d c x) (t c x / l).
Proof.
move=> l0; have q : 0 <= t c x / l by rewrite divr_ge0 ?t_ge0 ?ltW.
by rewrite -min_mass ?d_ge0 // /rejection.lenience /= invfM mulrA.
Qed.

Lemma lenience_one l c : 0 < l <= 1 -> rejects (d c) (lenience l c) * (\sum_x residual c x) = rejects (d c) (lenience l c).
Proof.
case/andP=> l0 l1; apply: standard_one => [{}c x|{}c x]; first by rewrite /rejection.lenience /= ge_min lexx.
rewrite lenience_mass // le_min /shared !ge_min lexx /=; apply/orP; right.
by rewrite -[X in X <= _]mulr1; apply: ler_wpM2l; [exact: t_ge0 | rewrite invf_ge1].
Qed.

Theorem lenient_emits l n c xs : 0 < l <= 1 -> (size xs <= n)%N ->
  E (rejection (lenience l) residual t n c) (fun o => follows (text (lenient_law l)) c (output o) xs) = text (lenient_law l) c xs.
Proof. by move=> hl hn; apply: rejection_law => // [{}c|]; [exact: lenience_one | left]. Qed.

Theorem lenient_accepts l n c : 0 < l <= 1 -> (0 < n)%N ->
  E (rejection (lenience l) residual t n c) (fun o => (1 <= size o.1)%:R) = \sum_x Num.min (d c x) (t c x / l).
Proof.
move=> hl n0; rewrite (rejection_accepts (pi := lenient_law l)) // => [|{}c]; last exact: lenience_one.
by apply: eq_bigr => x _; apply: lenience_mass; case/andP: hl.
Qed.

(** yin2024 section 4: biased's iteration, for each of its corrections. *)
Inductive correction (b : seq V -> V -> R) : (seq V -> V -> R) -> Prop :=
  | Optimal : correction b (corrected b)
  | Target : correction b t
  | Draft : correction b d
  | Standard : correction b residual.

Lemma slack_mass (eps : R) c x : 0 <= eps -> slack eps c x * d c x = Num.min (d c x) (t c x + eps).
Proof. by move=> e0; rewrite /rejection.slack /= min_mass ?d_ge0 // addr_ge0 ?t_ge0. Qed.

Lemma slack_one (eps : R) P c : 0 <= eps -> correction (slack eps) P ->
  rejects (d c) (slack eps c) * (\sum_x P c x) = rejects (d c) (slack eps c).
Proof.
have le1 c' x : (slack eps c' x : R) <= 1 by rewrite /rejection.slack /= ge_min lexx.
move=> e0; case; [exact: corrected_one | by rewrite t_sum // mulr1 | by rewrite d_sum // mulr1 |].
apply: standard_one => // {}c x; rewrite slack_mass // le_min /shared !ge_min lexx /=; apply/orP; right.
by rewrite lerDl.
Qed.

Theorem biased_emits (eps : R) P n c xs (pi := fun c => emits (d c) (slack eps c) (P c)) :
  0 <= eps -> correction (slack eps) P -> (size xs <= n)%N ->
  E (rejection (slack eps) P t n c) (fun o => follows (text pi) c (output o) xs) = text pi c xs.
Proof. by move=> e0 hP hn; apply: rejection_law => // [{}c|]; [exact: slack_one | left]. Qed.

Theorem biased_accepts (eps : R) P n c : 0 <= eps -> correction (slack eps) P -> (0 < n)%N ->
  E (rejection (slack eps) P t n c) (fun o => (1 <= size o.1)%:R) = \sum_x Num.min (d c x) (t c x + eps).
Proof.
move=> e0 hP n0; rewrite (rejection_accepts (pi := fun c => emits (d c) (slack eps c) (P c))) // => [|{}c]; last exact: slack_one.
by apply: eq_bigr => x _; apply: slack_mass.
Qed.
End Instances.
