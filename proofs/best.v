(** The most that any rule accepts at one position of k i.i.d. drafts, alpha*(k) = 1 + min over sets H of tokens of
    t(H) - d(H)^k (sun2023, hu2025): no coupling accepts more, one accepts as much, and the sets that matter are those of
    the tokens with t < l d. *)
From proofs Require Import prelude program model several transport.
Local Open Scope ring_scope.

Section Powers.
Variable R : realFieldType.

(** z^k is above its tangent at s. *)
Lemma tangent k (z s : R) : 0 <= z -> 0 <= s -> s ^+ k + k%:R * s ^+ k.-1 * (z - s) <= z ^+ k.
Proof.
move=> z0 s0; elim: k => [|k IH]; first by rewrite !expr0 !mul0r addr0.
rewrite [X in _ <= X]exprS; apply: le_trans (ler_wpM2l z0 IH); rewrite -subr_ge0.
case: k {IH} => [|k] /=; first by rewrite expr1 expr0 !mul0r addr0 !mul1r mulr1 [s + _]addrC subrK subrr.
have -> : z * (s ^+ k.+1 + k.+1%:R * s ^+ k * (z - s)) - (s ^+ k.+2 + k.+2%:R * s ^+ k.+1 * (z - s)) =
    k.+1%:R * s ^+ k * ((z - s) * (z - s)).
  by rewrite [s ^+ k.+2]exprS [s ^+ k.+1]exprS -[k.+2%:R]/(k.+1.+1%:R) mulrS; move: (k.+1%:R : R) (s ^+ k) => n a; ring.
have sq : 0 <= (z - s) * (z - s) by rewrite -expr2 sqr_ge0.
by apply: mulr_ge0 => //; rewrite mulr_ge0 ?ler0n ?exprn_ge0.
Qed.
End Powers.

Section Best.
Variables (R : realFieldType) (V : finType) (p q : V -> R) (k : nat).
Hypotheses (p_law : law p) (q_law : law q).
Notation dist := (dist (reals R)).
Notation draws := (@draws (reals R) V (enum V) p).

(** t(H) - d(H)^k. *)
Definition deficit (H : pred V) : R := mass q H - mass p H ^+ k.

Definition likelihood (xs : seq V) : R := \prod_(x <- xs) p x.

Lemma draws_tuple f : E (draws k) f = \sum_(x : k.-tuple V) likelihood x * f x.
Proof.
rewrite -(sum_texts_tuple k (fun x => likelihood x * f x)); elim: k f => [|j IH] f.
  by rewrite /= E_ret /likelihood big_nil mul1r.
rewrite drawsS; apply: eq_bigr => x _; rewrite IH -sum_texts_mulr; apply: eq_sum_texts => s _.
by rewrite /likelihood big_cons mulrA.
Qed.

Lemma likelihood_ge0 xs : 0 <= likelihood xs.
Proof. by apply: prodr_ge0 => x _; case: p_law. Qed.

Lemma draws_all (H : pred V) : E (draws k) (fun xs => (all H xs)%:R) = mass p H ^+ k.
Proof.
elim: k => [|j IH]; first by rewrite /= E_ret expr0.
rewrite drawsS exprS -IH mulr_suml; apply: eq_bigr => x _ /=.
by case: (H x); rewrite /= ?mul1r // E_0 !mul0r mulr0.
Qed.

(** No coupling of k i.i.d. drafts and a token of the target's law accepts more: P(Y in X) <= 1 + t(H) - d(H)^k for
    every set H of tokens. *)
Theorem coupling_most (m : dist (seq V * V)) (H : pred V) : nonneg m ->
  (forall f, E m (fun o => f o.2) = \sum_y q y * f y) -> (forall f, E m (fun o => f o.1) = E (draws k) f) ->
  E m (fun o => (o.2 \in o.1)%:R) <= 1 + deficit H.
Proof.
move=> pos hy hx; case: (p_law) => _ p1.
have one : E m (fun=> 1) = 1 by rewrite (hx (fun=> 1)) draws_one.
apply: (@le_trans _ _ (E m (fun o => 1 + ((H o.2)%:R - (all H o.1)%:R)))).
  apply: ler_E pos _ => o; case i: (o.2 \in o.1); last first.
    by rewrite addrCA addr_ge0 ?ler0n // subr_ge0; case: (all H o.1); rewrite ?lexx ?ler01.
  case a: (all H o.1); last by rewrite subr0 lerDl ler0n.
  by rewrite (allP a _ i) subrr addr0.
rewrite E_add one E_sub (hx (fun xs => (all H xs)%:R)) draws_all (hy (fun y => (H y)%:R)) /deficit /mass.
by rewrite (eq_bigr _ (fun y _ => mulrC (q y) _)).
Qed.

(** A coupling that accepts 1 + t(H) - d(H)^k for some H: so H has the least t(H) - d(H)^k, and this is alpha*(k). *)
Theorem coupling_attained : exists (m : dist (seq V * V)) (H : pred V), [/\ nonneg m,
  forall f, E m (fun o => f o.2) = \sum_y q y * f y, forall f, E m (fun o => f o.1) = E (draws k) f &
  E m (fun o => (o.2 \in o.1)%:R) = 1 + deficit H].
Proof.
case: (p_law) (q_law) => p0 p1 [q0 q1].
pose def (H : {set V}) := deficit (fun x => x \in H).
have [H fewest] := least set0 def.
have d0 : 0 <= - def H.
  rewrite oppr_ge0; apply: le_trans (fewest set0) _; rewrite /def /deficit /mass.
  rewrite [X in X - _]big1 => [|x _]; last by rewrite in_set0 mul0r.
  by rewrite sub0r oppr_le0 exprn_ge0 // sumr_ge0 // => x _; rewrite mulr_ge0 ?ler0n.
have hall : short_by (fun x : k.-tuple V => likelihood x) q (fun x y => y \in val x) (- def H).
  move=> B; have := fewest (~: B); rewrite /def /deficit => least_B.
  have -> : mass (fun x : k.-tuple V => likelihood x) (near (fun (x : k.-tuple V) y => y \in val x) B) =
      1 - mass p (fun x => x \in ~: B) ^+ k.
    transitivity (E (draws k) (fun xs => 1 - (all (fun x => x \in ~: B) xs)%:R)); last by rewrite E_sub draws_one // draws_all.
    rewrite draws_tuple; apply: eq_bigr => x _; rewrite mulrC /near; congr (_ * _); case: existsP => [[y /andP[yB yx]]|none].
      have -> : all (fun x => x \in ~: B) x = false; last by rewrite subr0.
      by apply/negP => /allP /(_ y yx); rewrite in_setC yB.
    have -> : all (fun x => x \in ~: B) x; last by rewrite subrr.
    by apply/allP => y yx; rewrite in_setC; apply/negP => yB; apply: none; exists y; rewrite yB.
  have -> : mass q (fun j => j \in B) = 1 - mass q (fun x => x \in ~: B).
    by rewrite -q1 -massC; apply: eq_mass => x; rewrite in_setC negbK.
  rewrite addrA lerBlDr -!addrA [_ + mass q _]addrC -lerBlDl.
  move: (mass q _) (mass p _ ^+ k) (_ - _) least_B => a b s h.
  by rewrite opprK lerD2l.
have [|pi [rest [rest0 restd [pi0 along to from]]]] := @transport_short R _ _ _ _ _ _ _ q0 d0 hall.
  by move=> x; apply: likelihood_ge0.
pose left (x : k.-tuple V) := likelihood x - \sum_y pi x y.
have left0 x : 0 <= left x by rewrite subr_ge0.
pose D := \sum_y rest y.
have sum_left : \sum_x left x = D.
  rewrite sumrB exchange_big /=; under [X in _ - X]eq_bigr do rewrite to.
  have -> : \sum_(x : k.-tuple V) likelihood x = 1.
    by rewrite -[RHS](draws_one k p1) draws_tuple; apply: eq_bigr => x _; rewrite mulr1.
  by rewrite sumrB q1 opprB addrCA subrr addr0.
pose w (o : k.-tuple V * V) := pi o.1 o.2 + left o.1 * (rest o.2 / D).
have D0 : 0 <= D by apply: sumr_ge0.
have w0 o : 0 <= w o by apply: addr_ge0; [exact: pi0 | apply: mulr_ge0; [exact: left0 | exact: divr_ge0]].
pose m : dist (seq V * V) :=
  let! o := @draw (reals R) _ (enum {: k.-tuple V * V}) w in ret (reals R) (val o.1, o.2).
have mE f : E m f = \sum_x \sum_y w (x, y) * f (val x, y).
  by rewrite E_map E_draw pair_big; apply: eq_bigr => -[x y].
have pos : nonneg m by apply: nonneg_bind => [|o]; [apply: nonneg_draw | apply: nonneg_ret].
have by_target f : E m (fun o => f o.2) = \sum_y q y * f y.
  rewrite mE exchange_big /=; apply: eq_bigr => y _; rewrite -mulr_suml; congr (_ * _).
  by rewrite big_split /= to -mulr_suml sum_left share // subrK.
have by_draft f : E m (fun o => f o.1) = E (draws k) f.
  rewrite mE draws_tuple; apply: eq_bigr => x _ /=; rewrite -mulr_suml; congr (_ * _).
  rewrite big_split /= -mulr_sumr -mulr_suml -/D.
  have [z|z] := eqVneq D 0; last by rewrite mulfV // mulr1 addrC subrK.
  have : \sum_x left x == 0 by rewrite sum_left z.
  rewrite psumr_eq0 // => /allP /(_ x (mem_index_enum x)) /eqP lx; rewrite lx mul0r addr0.
  by apply/esym/eqP; rewrite -subr_eq0 -/(left x) lx.
exists m, (fun x => x \in H); split=> //; apply/eqP; rewrite eq_le coupling_most //=.
apply: (@le_trans _ _ (\sum_x \sum_y pi x y)).
  rewrite exchange_big /=; under eq_bigr do rewrite to.
  by rewrite sumrB q1 -/D -(opprK (deficit _)) lerD2l lerN2.
rewrite mE; apply: ler_sum => x _; apply: ler_sum => y _; case i: (y \in val x).
  by rewrite mulr1 lerDl; apply: mulr_ge0; [exact: left0 | exact: divr_ge0].
by rewrite mulr0 along ?i.
Qed.

(** For the least it is enough to look at the sets of the tokens with t < l d. *)
Theorem deficit_threshold (H : pred V) : exists2 l, 0 <= l & deficit (fun x => q x < l * p x) <= deficit H.
Proof.
case: (p_law) (q_law) => p0 p1 [q0 q1].
have pm A : 0 <= mass p A by apply: mass_ge0.
pose l := k%:R * mass p H ^+ k.-1; exists l; first by rewrite mulr_ge0 ?ler0n ?exprn_ge0.
set A := fun x => _; have tan := tangent k (pm A) (pm H).
have less : mass q A - l * mass p A <= mass q H - l * mass p H.
  rewrite /mass !mulr_sumr -!sumrB; apply: ler_sum => x _; rewrite /A.
  case: (ltP (q x) (l * p x)) => h; case: (H x); rewrite !(mul1r, mul0r, mulr0, subr0) ?lexx //.
    by rewrite subr_le0 ltW.
  by rewrite subr_ge0.
rewrite /deficit lerBlDr; apply: le_trans (lerD (lexx _) tan); rewrite -/l.
move: less; rewrite lerBlDr; move=> /le_trans; apply; rewrite le_eqVlt; apply/orP; left; apply/eqP.
move: (mass q H) (mass p H) (mass p A) (mass p H ^+ k) => a b c e; ring.
Qed.
End Best.
