(** Batch verification (yin2024 Algorithm 4, repaired: all M roots are tried, then the token is drawn from what they
    left of the target). *)
From proofs Require Import prelude program model valid token several.
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

(** The number of rejections in n tokens, where the drafts go on to the end. [root]: an iteration begins, that is at the
    start and after each rejection; elsewhere there is one draft. *)
Definition batch_step (M : nat) c : dist O (V * bool) :=
  let! xs := draws tokens (d c) M in
  rounds tokens d (t c) c xs.
Fixpoint batch_rejections (M n : nat) (root : bool) c : dist O nat :=
  if n is m.+1 then
    let! a := batch_step (if root then M else 1%N) c in
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

Lemma rounds_refused M (p : V -> R) c : law p ->
  E (draws (d c) M) (fun xs => E (rounds p c xs) (fun a => (~~ a.2)%:R)) = distances M p c.
Proof.
elim: M p => [|M IH] p hp.
  by rewrite /= E_ret /= E_map E_draw /=; under eq_bigr do rewrite mulr1; case: hp.
pose t' := fun _ : seq V => p; have tl : lawful t' by [].
pose r : V -> R := @residual (reals R) V (enum V) d t' 1 c.
pose left := E (draws (d c) M) (fun xs => E (rounds r c xs) (fun a => (~~ a.2)%:R)).
rewrite drawsS; transitivity (\sum_x (d c x - shared (d c) p x) * left).
  apply: eq_bigr => x _; rewrite -(d_weight_one d_law tl c x).
  transitivity (d c x * E (draws (d c) M) (fun xs => (1 - @weight (reals R) V d t' 1 c x) * E (rounds r c xs) (fun a => (~~ a.2)%:R))).
    by congr (_ * _); apply: eq_E => xs; rewrite /= E_bind E_flip /= E_ret /= mulr0 add0r.
  rewrite E_mulr -/left; move: (@weight (reals R) V d t' 1 c x : R) => w; ring.
rewrite -mulr_suml sumrB d_sum // -tv_shared ?(proj2 hp) //=.
have [z|z] := eqVneq (tv (d c) p) 0; first by rewrite z !mul0r.
congr (_ * _); apply: IH; have e := tv_excesses d t' c; rewrite -[tv _ _]e in z.
split=> [y|]; first exact: residual_ge0.
apply: (mulfI z); rewrite mulr1 mulr_sumr; apply: eq_bigr => y _; exact: excesses_residual.
Qed.

(** The probabilities that a position emits y, accepted or not. *)
Definition taken M c y : R := E (batch_step M c) (fun a => (a == (y, true))%:R).
Definition refused M c y : R := E (batch_step M c) (fun a => (a == (y, false))%:R).

Lemma stepE M c f : E (batch_step M c) f = \sum_y (taken M c y * f (y, true) + refused M c y * f (y, false)).
Proof.
have e a : f a = \sum_y ((a == (y, true))%:R * f (y, true) + (a == (y, false))%:R * f (y, false)).
  case: a => x b; rewrite -[LHS](sum_eq (fun y => f (y, b)) x); apply: eq_bigr => y _.
  rewrite !xpair_eqE [y == x]eq_sym; case: (x == y); case: b;
    by rewrite /= ?mul1r ?mul0r ?mulr1 ?mulr0 ?addr0 ?add0r.
by rewrite (eq_E _ e) E_sum; apply: eq_bigr => y _; rewrite E_add !E_mull.
Qed.

Lemma step_target M c y : taken M c y + refused M c y = t c y.
Proof.
have := rounds_law d_law c M (fun x => (x == y)%:R) (t_law c); rewrite sum_eq => <-.
rewrite -E_bind -/(batch_step M c) -E_add; apply: eq_E => -[x b] /=.
by rewrite !xpair_eqE; case: (x == y); case: b; rewrite /= ?addr0 ?add0r.
Qed.

Lemma step_refused M c : \sum_y refused M c y = distances M (t c) c.
Proof.
rewrite -(rounds_refused M c (t_law c)) -E_bind -/(batch_step M c) stepE.
by apply: eq_bigr => y _; rewrite mulr0 add0r mulr1.
Qed.

(** yin2024's f, equation (22): the probability that the text xs comes next and its last position is a rejection, where
    w is f of the text so far and W the target's probability of it. *)
Fixpoint rejected_after M (w W : R) c (xs : seq V) : R :=
  if xs is y :: s then
    rejected_after M (w * refused M c y + (W - w) * refused 1 c y) (W * t c y) (rcons c y) s
  else w.

Lemma rejections_one M n root c : E (batch_rejections M n root c) (fun=> 1) = 1.
Proof.
elim: n root c => [|n IH] root c; first by rewrite /= E_ret.
rewrite /= E_bind stepE -[RHS](t_sum t_law c); apply: eq_bigr => y _.
by rewrite !E_map !IH !mulr1 step_target.
Qed.

Lemma rejections_step M n root c : E (batch_rejections M n.+1 root c) (fun r => r%:R) =
  distances (if root then M else 1%N) (t c) c + \sum_y
    (taken (if root then M else 1%N) c y * E (batch_rejections M n false (rcons c y)) (fun r => r%:R) +
     refused (if root then M else 1%N) c y * E (batch_rejections M n true (rcons c y)) (fun r => r%:R)).
Proof.
rewrite /= E_bind stepE -step_refused -big_split; apply: eq_bigr => y _ /=.
rewrite !E_map /= (eq_E _ (fun r => mulrS 1 r)) E_add rejections_one.
by move: (E _ _) (E _ _) => e1 e2; ring.
Qed.

Lemma batch_mean M n (w W : R) c :
  w * E (batch_rejections M n true c) (fun r => r%:R) + (W - w) * E (batch_rejections M n false c) (fun r => r%:R) =
  \sum_(i < n) sum_texts i (fun x => W * text t c x * tv (d (c ++ x)) (t (c ++ x))
    - rejected_after M w W c x * (tv (d (c ++ x)) (t (c ++ x)) - distances M (t (c ++ x)) (c ++ x))).
Proof.
elim: n w W c => [|n IH] w W c; first by rewrite /= !E_ret big_ord0 !mulr0 addr0.
rewrite !rejections_step big_ord_recl /= cats0 mulr1.
rewrite (eq_bigr (fun i : 'I_n => \sum_y sum_texts i (fun x => W * t c y * text t (rcons c y) x * tv (d (rcons c y ++ x)) (t (rcons c y ++ x))
    - rejected_after M (w * refused M c y + (W - w) * refused 1 c y) (W * t c y) (rcons c y) x *
      (tv (d (rcons c y ++ x)) (t (rcons c y ++ x)) - distances M (t (rcons c y ++ x)) (rcons c y ++ x))))) => [|i _]; last first.
  by apply: eq_bigr => y _; apply: eq_sum_texts => x _; rewrite cat_rcons mulrA.
rewrite exchange_big /=.
under [X in _ = _ + X]eq_bigr do rewrite -IH.
rewrite mulr1 !mulrDr !mulr_sumr addrACA; congr (_ + _); first by rewrite -!mulr_sumr; move: (\sum_i _) (distances _ _ _) => s e; ring.
rewrite -big_split; apply: eq_bigr => y _ /=.
rewrite -{1}(step_target M c y).
have -> : taken 1 c y = t c y - refused 1 c y by rewrite -(step_target 1 c y) addrK.
have -> : taken M c y = t c y - refused M c y by rewrite -(step_target M c y) addrK.
by move: (E _ _) (E _ _) (refused _ _ _) (refused _ _ _) => *; ring.
Qed.

(** yin2024 Theorem 3, second part: E[N_rej] = sum_n E_t TV - sum_n E_f [TV - prod_m TV(d, t^m)], with f = 1 for the
    empty text: the first position begins an iteration. *)
Theorem batch_rejections_mean M n c : E (batch_rejections M n true c) (fun r => r%:R) =
  \sum_(i < n) sum_texts i (fun x => text t c x * tv (d (c ++ x)) (t (c ++ x)))
  - \sum_(i < n) sum_texts i (fun x => rejected_after M 1 1 c x *
      (tv (d (c ++ x)) (t (c ++ x)) - distances M (t (c ++ x)) (c ++ x))).
Proof.
have := batch_mean M n 1 1 c; rewrite mul1r subrr mul0r addr0 => ->; rewrite -sumrB; apply: eq_bigr => i _.
rewrite !sum_texts_tuple -sumrB; apply: eq_bigr => x _; by rewrite mul1r.
Qed.
End Batch.
