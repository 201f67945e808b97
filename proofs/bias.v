(** Rejection against bias (yin2024, section 4): Theorem 4, Theorem 5; and that no unbiased algorithm of the
    rejection-based class has fewer rejections than token verification (Theorem 2). *)
From proofs Require Import prelude program model valid.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (tokens : seq V) (d : program.model O V).

(** yin2024 Algorithm 2: n tokens and the number of rejections. A draft x is accepted with probability b(x|c), else the
    token is drawn from P(.|c). *)
Variables b P : seq V -> V -> num O.
Fixpoint rejecting (n : nat) c : dist O (seq V * nat) :=
  if n is m.+1 then
    let! x := draw tokens (d c) in
    let! accepted := flip (b c x) in
    if accepted then
      let! o := rejecting m (rcons c x) in
      ret O (x :: o.1, o.2)
    else
      let! y := draw tokens (P c) in
      let! o := rejecting m (rcons c y) in
      ret O (y :: o.1, o.2.+1)
  else ret O ([::], 0%N).
End Rule.

(** One token: d the draft's law, t the target's, b the probability of accepting. *)
Section OneToken.
Variables (R : realFieldType) (V : finType) (d t b : V -> R).
Hypotheses (d_law : law d) (t_law : law t) (b01 : forall x, 0 <= b x <= 1).

(** P(reject), and what is emitted with the correction drawn from P. *)
Definition rejects : R := \sum_x (1 - b x) * d x.
Definition emits (P : V -> R) x : R := b x * d x + P x * rejects.

(** Loss*, as printed. *)
Definition loss : R := (\sum_x `|t x - b x * d x|) / 2 - rejects / 2.

Lemma rejects_ge0 : 0 <= rejects.
Proof. by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?subr_ge0 //; [case/andP: (b01 x) | case: d_law]. Qed.

Lemma over_sum : \sum_x (t x - b x * d x) = rejects.
Proof.
case: d_law t_law => _ d1 [_ t1]; rewrite sumrB t1 /rejects; under [RHS]eq_bigr do rewrite mulrBl mul1r.
by rewrite sumrB d1.
Qed.

(** Loss* is the sum of [t - b d]+ less P(reject). *)
Lemma lossE : loss = \sum_x Num.max (t x - b x * d x) 0 - rejects.
Proof.
have two : (2 : R) != 0 by rewrite pnatr_eq0.
have e x : `|t x - b x * d x| = Num.max (t x - b x * d x) 0 * 2 - (t x - b x * d x).
  rewrite mulr_natr mulr2n; case: (leP (t x - b x * d x) 0) => h; first by rewrite ler0_norm // addr0 sub0r.
  by rewrite gtr0_norm // addrK.
rewrite /loss (eq_bigr _ (fun x _ => e x)) sumrB over_sum -mulr_suml -mulrBl; move: (\sum_x _) rejects => s r.
by apply: (mulIf two); rewrite mulfVK //; ring.
Qed.

Lemma tokenwise (a p : R) : 0 <= p -> Num.max a 0 - p <= Num.max (a - p) 0.
Proof.
move=> p0; case: (leP a 0) => h; first by rewrite sub0r le_max oppr_le0 p0 orbT.
by rewrite le_max lexx.
Qed.

Lemma tv_emits (P : V -> R) : tv (emits P) t = \sum_x Num.max (t x - b x * d x - P x * rejects) 0.
Proof. by apply: eq_bigr => x _; rewrite /emits opprD addrA. Qed.

Lemma sum_correction (P : V -> R) : law P -> \sum_x P x * rejects = rejects.
Proof. by case=> _ P1; rewrite -mulr_suml P1 mul1r. Qed.

(** yin2024 Theorem 4: no correction brings the law of the token closer to the target's than Loss*. *)
Theorem theorem4_least (P : V -> R) : law P -> loss <= tv (emits P) t.
Proof.
move=> Pl; rewrite lossE -{1}(sum_correction Pl) -sumrB tv_emits; apply: ler_sum => x _.
by apply: tokenwise; rewrite mulr_ge0 ?rejects_ge0 //; case: Pl.
Qed.

(** The set of optima: with A = t - b d (not divided by P(reject)), P is optimal if and only if it is 0 where A < 0 and
    P P(reject) <= A elsewhere; where nothing is rejected every P is. *)
Theorem theorem4_set (P : V -> R) : law P -> (tv (emits P) t = loss) <->
  (forall x, if t x - b x * d x < 0 then P x * rejects = 0 else P x * rejects <= t x - b x * d x).
Proof.
move=> Pl; have pr x : 0 <= P x * rejects by rewrite mulr_ge0 ?rejects_ge0 //; case: Pl.
have step x : (Num.max (t x - b x * d x - P x * rejects) 0 == Num.max (t x - b x * d x) 0 - P x * rejects) =
    if t x - b x * d x < 0 then P x * rejects == 0 else P x * rejects <= t x - b x * d x.
  have := pr x; move: (P x * rejects) (t x - b x * d x) => p a p0; case: ltP => h.
    rewrite max_r ?sub0r ?subr_le0 ?(le_trans (ltW h)) //; by rewrite eq_sym oppr_eq0.
  case: (leP p a) => h2; first by rewrite max_l ?subr_ge0 // eqxx.
  by rewrite max_r ?subr_le0 ?(ltW h2) // eq_sym subr_eq0 lt_eqF.
have zero : (tv (emits P) t = loss) <-> \sum_x (Num.max (t x - b x * d x - P x * rejects) 0 -
    (Num.max (t x - b x * d x) 0 - P x * rejects)) = 0.
  rewrite lossE -{1}(sum_correction Pl) -[\sum_x Num.max _ 0 - _]sumrB tv_emits [X in _ <-> X = 0]sumrB.
  by split=> [->|/eqP]; [rewrite subrr | rewrite subr_eq0 => /eqP].
rewrite zero; split=> [/eqP|h].
  rewrite psumr_eq0 => [/allP h x|x _]; last by rewrite subr_ge0; apply: tokenwise.
  have := h x; rewrite mem_index_enum subr_eq0 step => /(_ isT) /=; by case: ifP => // _ /eqP.
apply: big1 => x _; apply/eqP; rewrite subr_eq0 step; have := h x; by case: ifP => // _ ->.
Qed.

(** An optimum: [A]+, normalised. *)
Definition best x : R := Num.max (t x - b x * d x) 0 / \sum_y Num.max (t y - b y * d y) 0.

Theorem theorem4_attained : 0 < rejects -> law best /\ tv (emits best) t = loss.
Proof.
move=> r0; pose m y := Num.max (t y - b y * d y) 0; have m0 y : 0 <= m y by rewrite le_max lexx orbT.
have rm : rejects <= \sum_y m y by rewrite -over_sum; apply: ler_sum => y _; rewrite /m le_max lexx.
have s0 : 0 < \sum_y m y by apply: lt_le_trans rm.
have bl : law best.
  split=> [x|]; first by apply: divr_ge0; [exact: m0 | exact: ltW s0].
  by rewrite -mulr_suml mulfV // gt_eqF.
split=> //; apply/(theorem4_set bl) => x; rewrite /best -/(m x) mulrAC; case: ltP => h.
  by rewrite /m max_r ?(ltW h) // !mul0r.
rewrite ler_pdivrMr // {1}/m max_l //; exact: ler_wpM2l.
Qed.

(** P(reject) + Loss* is the sum of [t - b d]+. *)
Lemma line : rejects + loss = \sum_x Num.max (t x - b x * d x) 0.
Proof. by rewrite lossE addrC subrK. Qed.

(** yin2024 Theorem 5, the line: P(reject) + Loss* = TV(d, t) where b >= min(1, t/d), here without a division. *)
Theorem theorem5 : (forall x, Num.min (d x) (t x) <= b x * d x) -> rejects + loss = tv d t.
Proof.
move=> h; rewrite line; apply: eq_bigr => x _; case/andP: (b01 x) => b0 b1; have d0 : 0 <= d x by case: d_law.
have bd : b x * d x <= d x by rewrite -[X in _ <= X]mul1r; apply: ler_wpM2r.
have := h x; case: (leP (d x) (t x)) => dt hx.
  by have -> : b x * d x = d x by [apply/eqP; rewrite eq_le bd hx].
by rewrite !max_r // subr_le0 // ltW.
Qed.

(** The front: no b and P fall below the line. *)
Theorem theorem5_front (P : V -> R) : law P -> tv d t <= rejects + tv (emits P) t.
Proof.
move=> Pl; apply: (@le_trans _ _ (rejects + loss)); last by rewrite lerD2l; apply: theorem4_least.
rewrite line; apply: ler_sum => x _; case/andP: (b01 x) => b0 b1; have d0 : 0 <= d x by case: d_law.
rewrite ge_max !le_max lexx orbT andbT lerD2l lerN2 -[X in _ <= X]mul1r ler_wpM2r //=.
Qed.

(** Corollary 1, Theorem 2 for one token: an unbiased pair of b and P rejects at least with probability TV(d, t). *)
Lemma unbiased_rejects (P : V -> R) : (forall x, 0 <= P x) -> emits P =1 t -> tv d t <= rejects.
Proof.
move=> P0 e; rewrite -over_sum; apply: ler_sum => x _; case/andP: (b01 x) => b0 b1; have d0 : 0 <= d x by case: d_law.
have ta : t x - b x * d x = P x * rejects by rewrite -e /emits addrC addKr.
rewrite ge_max {2}ta mulr_ge0 ?rejects_ge0 // andbT lerD2l lerN2 -[X in _ <= X]mul1r; exact: ler_wpM2r.
Qed.

(** Appendix G: the residual of token verification, [t - d]+ normalised, is optimal for every b >= min(1, t/d). *)
Theorem theorem4_standard : (forall x, Num.min (d x) (t x) <= b x * d x) -> 0 < rejects ->
  law (fun x => Num.max (t x - d x) 0 / tv d t) /\ tv (emits (fun x => Num.max (t x - d x) 0 / tv d t)) t = loss.
Proof.
move=> h r0; have rt : rejects <= tv d t.
  case: d_law t_law => _ d1 [_ t1]; rewrite tv_shared // -d1 -sumrB; apply: ler_sum => x _.
  by rewrite mulrBl mul1r lerD2l lerN2; exact: h.
have s0 : 0 < tv d t by apply: lt_le_trans rt.
have Pl : law (fun x => Num.max (t x - d x) 0 / tv d t).
  split=> [x|]; first by rewrite divr_ge0 ?(ltW s0) // le_max lexx orbT.
  by rewrite -mulr_suml -/(tv d t) mulfV // gt_eqF.
split=> //; apply/(theorem4_set Pl) => x; have := h x; case/andP: (b01 x) => b0 b1; have d0 : 0 <= d x by case: d_law.
have bd : b x * d x <= d x by rewrite -[X in _ <= X]mul1r; apply: ler_wpM2r.
case: (leP (d x) (t x)) => dt hx.
  have -> : b x * d x = d x by [apply/eqP; rewrite eq_le bd hx].
  rewrite ltNge subr_ge0 dt /= max_l ?subr_ge0 // mulrAC ler_pdivrMr //.
  by apply: ler_wpM2l; rewrite ?subr_ge0.
rewrite max_r ?subr_le0 ?(ltW dt) // !mul0r; case: ifP => // /negbT; by rewrite -leNgt.
Qed.

(** Corollary 1: some correction makes b unbiased if and only if b d <= t. *)
Theorem corollary1 : (exists P, law P /\ emits P =1 t) <-> (forall x, b x * d x <= t x).
Proof.
split=> [[P [Pl e]] x|h].
  rewrite -e /emits lerDl mulr_ge0 ?rejects_ge0 //; by case: Pl.
have a0 x : 0 <= t x - b x * d x by rewrite subr_ge0.
have [z|z] := eqVneq rejects 0.
  exists t; split=> // x; rewrite /emits z mulr0 addr0.
  move: over_sum; rewrite z => /eqP; rewrite psumr_eq0 // => /allP all0.
  by apply/eqP; rewrite eq_sym -subr_eq0; apply: all0; rewrite mem_index_enum.
exists (fun x => (t x - b x * d x) / rejects); split.
  split=> [x|]; first by rewrite divr_ge0 ?rejects_ge0.
  by rewrite -mulr_suml over_sum mulfV.
by move=> x; rewrite /emits divfK // addrC subrK.
Qed.

(** Theorem 4, case 1: where b d <= t the least distance is 0, and A is a law where something is rejected. *)
Theorem theorem4_unbiased : (forall x, b x * d x <= t x) ->
  loss = 0 /\ (rejects != 0 -> law (fun x => (t x - b x * d x) / rejects)).
Proof.
move=> h; split; first by rewrite lossE -over_sum -sumrB big1 // => x _; rewrite max_l ?subr_ge0 // subrr.
move=> z; split=> [x|]; first by rewrite divr_ge0 ?rejects_ge0 // subr_ge0.
by rewrite -mulr_suml over_sum mulfV.
Qed.
End OneToken.

Section Rejections.
Variables (R : realFieldType) (V : finType) (d t b P : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t) (P_law : lawful P) (b01 : forall c x, 0 <= b c x <= 1).
Notation rejecting := (@rejecting (reals R) V (enum V) d b P).

(** The model that the algorithm emits. *)
Definition emitted c x : R := emits (d c) (b c) (P c) x.
Definition rejected c : R := rejects (d c) (b c).

Lemma rejectingE n c f : E (rejecting n.+1 c) f =
  \sum_x b c x * d c x * E (rejecting n (rcons c x)) (fun o => f (x :: o.1, o.2))
  + rejected c * \sum_y P c y * E (rejecting n (rcons c y)) (fun o => f (y :: o.1, o.2.+1)).
Proof.
rewrite /= E_bind E_draw /rejected /rejects mulr_suml -big_split; apply: eq_bigr => x _ /=.
rewrite E_bind E_flip /= E_map E_bind E_draw.
under [\sum_x0 P c x0 * _]eq_bigr do rewrite E_map.
by move: (E _ _) (\sum_y _) => *; ring.
Qed.

Lemma rejectingE2 n c f g : (forall x o, f (x :: o.1, o.2) = g x o) -> (forall x o, f (x :: o.1, o.2.+1) = g x o) ->
  E (rejecting n.+1 c) f = \sum_x emitted c x * E (rejecting n (rcons c x)) (g x).
Proof.
move=> h1 h2; rewrite rejectingE mulr_sumr -big_split; apply: eq_bigr => x _ /=.
rewrite (eq_E _ (h1 x)) (eq_E _ (h2 x)) /emitted /emits -/(rejected c); ring.
Qed.

Lemma emitted_lawful : lawful emitted.
Proof.
move=> c; case: (P_law c) => P0 P1; split=> [x|].
  apply: addr_ge0; apply: mulr_ge0; [by case/andP: (b01 c x) | exact: d_ge0 | exact: P0 |].
  by apply: rejects_ge0 => // y; apply: b01.
rewrite big_split /= -mulr_suml P1 mul1r /rejects -big_split /= -[RHS](d_sum d_law c).
by apply: eq_bigr => x _; ring.
Qed.

(** It emits the text of this model. *)
Lemma rejecting_text n c xs : size xs = n -> E (rejecting n c) (fun o => begins R xs o.1) = text emitted c xs.
Proof.
elim: n c xs => [|n IH] c [|z xs] //; first by rewrite /= E_ret begins_nil.
case=> hn; rewrite (@rejectingE2 _ _ _ (fun x o => (x == z)%:R * begins R xs o.1)); try by move=> x o; rewrite begins_cons.
under eq_bigr do rewrite E_mulr (IH _ _ hn).
by rewrite (sum_eq_mul _ (fun x => text emitted (rcons c x) xs)).
Qed.

Lemma rejecting_one n c : E (rejecting n c) (fun=> 1) = 1.
Proof.
elim: n c => [|n IH] c; first by rewrite /= E_ret.
rewrite (@rejectingE2 _ _ _ (fun _ _ => 1)) //; under eq_bigr do rewrite IH mulr1.
by case: (emitted_lawful c).
Qed.

(** Its rejections: at each position, along the texts that it emits. *)
Lemma rejecting_mean n c : E (rejecting n c) (fun o => o.2%:R) =
  \sum_(i < n) sum_texts i (fun x => text emitted c x * rejected (c ++ x)).
Proof.
elim: n c => [|n IH] c; first by rewrite /= E_ret big_ord0.
rewrite rejectingE; case: (P_law c) => _ P1.
transitivity (rejected c + \sum_x emitted c x * E (rejecting n (rcons c x)) (fun o => o.2%:R)).
  rewrite [X in _ + rejected c * X = _](_ : _ = 1 + \sum_y P c y * E (rejecting n (rcons c y)) (fun o => o.2%:R)).
    rewrite mulrDr mulr1 addrCA; congr (_ + _); rewrite mulr_sumr -big_split; apply: eq_bigr => x _ /=.
    rewrite /emitted /emits -/(rejected c); ring.
  transitivity (\sum_y P c y + \sum_y P c y * E (rejecting n (rcons c y)) (fun o => o.2%:R)); last by rewrite P1.
  rewrite -big_split; apply: eq_bigr => y _ /=; rewrite (eq_E _ (fun o => mulrS 1 o.2)) E_add rejecting_one; move: (E _ _) => e; ring.
rewrite big_ord_recl /= mul1r cats0; congr (_ + _).
under eq_bigr do rewrite IH mulr_sumr; rewrite exchange_big; apply: eq_bigr => i _.
apply: eq_bigr => x _; rewrite -sum_texts_mulr; apply: eq_sum_texts => s _.
by rewrite /= mulrA cat_rcons.
Qed.

Lemma text_sum (m : seq V -> V -> R) c i x : lawful m -> text m c x = sum_texts i (fun s => text m c (x ++ s)).
Proof.
move=> ml; elim: i x => [|i IH] x; first by rewrite /= cats0.
transitivity (\sum_y text m c (rcons x y)).
  by under eq_bigr do rewrite text_rcons; rewrite -mulr_sumr (proj2 (ml _)) mulr1.
by apply: eq_bigr => y _; rewrite IH; apply: eq_sum_texts => s _; rewrite cat_rcons.
Qed.

(** yin2024 Theorem 2: of the algorithms that accept and correct by the tokens so far and the drafted one (Algorithm 2),
    none that is unbiased has fewer rejections than token verification. *)
Theorem theorem2 n c : (forall xs, size xs = n -> E (rejecting n c) (fun o => begins R xs o.1) = text t c xs) ->
  \sum_(i < n) sum_texts i (fun x => text t c x * tv (d (c ++ x)) (t (c ++ x))) <= E (rejecting n c) (fun o => o.2%:R).
Proof.
move=> unbiased; rewrite rejecting_mean.
have same x : (size x <= n)%N -> text emitted c x = text t c x.
  move=> hx; rewrite (text_sum c (n - size x) x emitted_lawful) (text_sum c (n - size x) x t_law).
  by apply: eq_sum_texts => s hs; rewrite -unbiased ?rejecting_text // size_cat hs subnKC.
apply: ler_sum => i _; apply: ler_sum_texts => x hx.
have hn : (size x < n)%N by rewrite hx.
rewrite same ?(ltnW hn) //; have [z|z] := eqVneq (text t c x) 0; first by rewrite z !mul0r.
apply: ler_wpM2l; first exact: text_ge0.
apply: (@unbiased_rejects _ _ _ _ _ (d_law _) (t_law _) (b01 _) (P (c ++ x))) => [y|y]; first by case: (P_law (c ++ x)).
apply: (mulfI z); rewrite -text_rcons -(same (rcons x y)) ?size_rcons // text_rcons.
by rewrite (same x) ?(ltnW hn).
Qed.
End Rejections.
