(** spectr-coupled is lossless and attains equation (5) of lin2026, for every number K of drafts and draft length.
    The rate at which drafts stop at a node or below, over the marks, has the integral T g(min(1, D/T)), g(z) = 1 -
    (1 - z)^K, by the density of the least mark; what a node lends moves to earlier marks, so that it is at most D. *)
From proofs Require Import prelude program model valid carry several transport best marks.
Local Open Scope ring_scope.

Section Tree.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R) (K : nat).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Variable marks : seq R.
Hypothesis marks_span : spans marks.
Notation node := (node (reals R)).
Notation once := (@once (reals R) K).
Notation cover := (@cover (reals R)).
Notation cells := (@cells (reals R) marks).
Notation held := (@held (reals R) marks).
Notation density := (density marks).
Notation claim := (@claim (reals R) marks).
Notation own := (@own (reals R) V (enum V) d t marks).
Notation room := (@room (reals R) V (enum V) d K t).
Notation share_on := (@share_on (reals R) V (enum V) d K t).
Notation child := (@child (reals R) V (enum V) d K t marks).
Notation drafted_on := (@drafted_on (reals R) V d).
Notation wanted_on := (@wanted_on (reals R) V t).
Notation cover_on := (@cover_on (reals R) V d t).
Notation reach_on := (@reach_on (reals R) V d t).
Notation drafted := (@drafted (reals R)).
Notation wanted := (@wanted (reals R)).
Notation reach := (@reach (reals R)).
Notation lent := (@lent (reals R)).

Lemma onceE (z : R) : once z = 1 - (1 - z) ^+ K.
Proof. by rewrite /once powerE. Qed.

(** g is concave: it lies below its tangents. It grows. *)
Definition slope (z : R) : R := K%:R * (1 - z) ^+ K.-1.

Lemma slope_ge0 z : z <= 1 -> 0 <= slope z.
Proof. by move=> h; rewrite mulr_ge0 ?ler0n ?exprn_ge0 ?subr_ge0. Qed.

Lemma once_tangent (a b : R) : a <= 1 -> b <= 1 -> (once b : R) - once a <= slope a * (b - a).
Proof.
move=> a1 b1; have := @tangent _ K (1 - b) (1 - a); rewrite !subr_ge0 => /(_ b1 a1).
rewrite -/(slope a) -subr_ge0 !onceE -(subr_ge0 _ (slope a * _)).
move: (slope a) ((1 - b) ^+ K) ((1 - a) ^+ K) => k B A.
by have -> : B - (A + k * (1 - b - (1 - a))) = k * (b - a) - (1 - B - (1 - A)) by ring.
Qed.

Lemma once_mono (a b : R) : a <= b -> b <= 1 -> (once a : R) <= once b.
Proof.
move=> ab b1; rewrite !onceE lerD2l lerN2; apply: lerXn2r; rewrite ?nnegrE ?subr_ge0 ?(le_trans ab) //.
by rewrite lerD2l lerN2.
Qed.

Lemma cover_bounds (D T : R) : 0 <= D -> 0 <= T -> 0 <= (cover D T : R) <= 1.
Proof. by move=> D0 T0; rewrite /cover /= le_min ler01 divr_ge0 //= ge_min lexx. Qed.

Lemma cover_mass (D T : R) : 0 <= D -> 0 <= T -> T * cover D T = Num.min T D.
Proof.
move=> D0 T0; rewrite /cover /=; have [->|z] := eqVneq T 0; first by rewrite mul0r min_l.
by rewrite minr_pMr // mulr1 mulrC divfK.
Qed.

(** What must hold at a node: the rate that its parent lends is at marks below its reach, as g's slope sees it. *)
Record sound (v : node) := Sound {
  sound_drafted : 0 <= drafted v;
  sound_wanted : 0 <= wanted v;
  sound_reach : 0 <= reach v;
  sound_cover : reach v <= cover (drafted v) (wanted v);
  sound_lent : forall i, i \in cells -> 0 <= (lent v i : R);
  sound_slope : slope (reach v) * (\sum_(i <- cells) lent v i) <= \sum_(i <- cells) density K i * lent v i;
  sound_density : \sum_(i <- cells) density K i * lent v i = wanted v * (once (cover (drafted v) (wanted v)) - once (reach v));
  sound_mass : \sum_(i <- cells) lent v i <= wanted v * (cover (drafted v) (wanted v) - reach v)
}.

Section Node.
Variables (v : node) (c : seq V).
Hypotheses (ok : sound v) (on : reach v \in marks) (child_on : forall x, (reach_on v c x : R) \in marks).
Let D : R := drafted v.
Let T : R := wanted v.
Let s : R := reach v.
Let u : R := cover D T.

Lemma D0 : 0 <= D. Proof. by case: ok. Qed.
Lemma T0 : 0 <= T. Proof. by case: ok. Qed.
Lemma u01 : 0 <= u <= 1. Proof. exact: (cover_bounds D0 T0). Qed.
Lemma s01 : 0 <= s <= 1.
Proof. by case: ok => _ _ -> /= h _ _ _ _; apply: le_trans h _; case/andP: u01. Qed.

Lemma Dx0 x : 0 <= (drafted_on v c x : R). Proof. by rewrite mulr_ge0 ?D0 ?d_ge0. Qed.
Lemma Tx0 x : 0 <= (wanted_on v c x : R). Proof. by rewrite mulr_ge0 ?T0 ?t_ge0. Qed.
Lemma ux01 x : 0 <= (cover_on v c x : R) <= 1. Proof. exact: (cover_bounds (Dx0 x) (Tx0 x)). Qed.
Lemma sx01 x : 0 <= (reach_on v c x : R) <= 1.
Proof.
case/andP: (ux01 x) => a b; case/andP: s01 => e f.
by rewrite /reach_on /= le_min a e /= ge_min b.
Qed.
Lemma sx_le x : (reach_on v c x : R) <= s. Proof. by rewrite /reach_on /= ge_min lexx orbT. Qed.
Lemma T_sum : \sum_x (wanted_on v c x : R) = T.
Proof. by rewrite -mulr_sumr t_sum // mulr1. Qed.
Lemma D_sum : \sum_x (drafted_on v c x : R) = D.
Proof. by rewrite -mulr_sumr d_sum // mulr1. Qed.

Lemma claim_mass : \sum_(i <- cells) (claim v i : R) = T * s + \sum_(i <- cells) lent v i.
Proof. by rewrite big_split /= -mulr_sumr (held_sum marks_span s01). Qed.

Lemma claim_density : \sum_(i <- cells) density K i * (claim v i : R) = T * once u.
Proof.
under eq_bigr do rewrite /claim /= mulrDr mulrCA.
rewrite big_split /= -mulr_sumr (density_sum marks_span _ s01 on) -onceE (sound_density ok) -mulrDr.
by rewrite addrC subrK.
Qed.

Lemma claim_ge0 i : i \in cells -> 0 <= (claim v i : R).
Proof.
move=> hi; apply: addr_ge0; last exact: (sound_lent ok).
by apply: mulr_ge0; [exact: T0 | exact: (held_ge0 marks_span)].
Qed.

(** A draft comes as far as v at least as often as it stops there or below. *)
Lemma claim_most : \sum_(i <- cells) (claim v i : R) <= Num.min T D.
Proof. by rewrite claim_mass -(cover_mass D0 T0) -lerBrDl -mulrBr; apply: (sound_mass ok). Qed.

Lemma ownE i : (own v c i : R) = \sum_x (wanted_on v c x : R) * (held i s - held i (reach_on v c x)) + lent v i.
Proof.
rewrite /own totalE /claim /= addrAC -/T -/s -{1}T_sum mulr_suml -sumrB; congr (_ + _).
by apply: eq_bigr => x _; rewrite [RHS]mulrBr.
Qed.

Lemma own_ge0 i : i \in cells -> 0 <= (own v c i : R).
Proof.
move=> hi; rewrite ownE addr_ge0 ?(sound_lent ok) // sumr_ge0 // => x _.
by rewrite mulr_ge0 ?Tx0 // subr_ge0; apply: (held_mono marks_span) => //; apply: sx_le.
Qed.

Lemma roomE : (room v c : R) = T * once u - \sum_x (wanted_on v c x : R) * once (reach_on v c x).
Proof. by rewrite /room totalE. Qed.

Lemma own_density : \sum_(i <- cells) density K i * (own v c i : R) = room v c.
Proof.
under eq_bigr do rewrite /own totalE /= mulrBr mulr_sumr.
rewrite sumrB claim_density roomE; congr (_ - _); rewrite exchange_big; apply: eq_bigr => x _ /=.
by under eq_bigr do rewrite mulrCA; rewrite -mulr_sumr (density_sum marks_span _ (sx01 x) (child_on x)) -onceE.
Qed.

Lemma own_slope : slope s * (\sum_(i <- cells) (own v c i : R)) <= room v c.
Proof.
have one : \sum_(i <- cells) (own v c i : R) = \sum_x (wanted_on v c x : R) * (s - reach_on v c x) + \sum_(i <- cells) lent v i.
  under eq_bigr do rewrite ownE.
  rewrite big_split exchange_big /=; congr (_ + _); apply: eq_bigr => x _.
  by rewrite -mulr_sumr sumrB (held_sum marks_span s01) (held_sum marks_span (sx01 x)).
have two : (room v c : R) = \sum_x (wanted_on v c x : R) * (once s - once (reach_on v c x)) + \sum_(i <- cells) density K i * lent v i.
  rewrite roomE (sound_density ok) -/T -/D -/u -/s; under [in RHS]eq_bigr do rewrite mulrBr.
  by rewrite sumrB -mulr_suml T_sum [T * (_ - once s)]mulrBr [RHS]addrC addrA subrK.
rewrite one two mulrDr; apply: lerD; last exact: (sound_slope ok).
rewrite mulr_sumr; apply: ler_sum => x _; rewrite mulrCA; apply: ler_wpM2l; first exact: Tx0.
have := @once_tangent s (reach_on v c x); case/andP: s01 => _ s1; case/andP: (sx01 x) => _ sx1.
move/(_ s1 sx1); move: (reach_on v c x : R) (once s : R) (once (reach_on v c x) : R) (slope s) => z a b k h.
by rewrite -subr_ge0 (_ : a - b - k * (s - z) = k * (z - s) - (b - a)) ?subr_ge0 //; ring.
Qed.

(** T g(min(1, D/T)) of the children is at most that of their parent. *)
Lemma once_children : \sum_x (wanted_on v c x : R) * once (cover_on v c x) <= T * once u.
Proof.
case/andP: u01 => u0 u1.
apply: (@le_trans _ _ (\sum_x (wanted_on v c x : R) * (once u + slope u * (cover_on v c x - u)))).
  apply: ler_sum => x _; apply: ler_wpM2l; first exact: Tx0.
  by rewrite -lerBlDl; apply: once_tangent => //; case/andP: (ux01 x).
have -> : \sum_x (wanted_on v c x : R) * (once u + slope u * (cover_on v c x - u)) =
    T * once u + slope u * (\sum_x (wanted_on v c x : R) * cover_on v c x - T * u).
  rewrite -[in RHS]T_sum !mulr_suml -sumrB mulr_sumr -big_split; apply: eq_bigr => x _ /=.
  by move: (wanted_on v c x : R) (once u : R) (cover_on v c x : R) => *; ring.
rewrite gerDl mulr_ge0_le0 ?slope_ge0 // subr_le0.
rewrite (cover_mass D0 T0) le_min -{1}T_sum -D_sum; apply/andP; split; apply: ler_sum => x _.
  by rewrite (cover_mass (Dx0 x) (Tx0 x)) ge_min lexx.
by rewrite (cover_mass (Dx0 x) (Tx0 x)) ge_min lexx orbT.
Qed.

Definition asked x : R := (wanted_on v c x : R) * Num.max (once (cover_on v c x) - once s) 0.

Lemma asked_ge0 x : 0 <= asked x.
Proof. by rewrite mulr_ge0 ?Tx0 // le_max lexx orbT. Qed.

Lemma askedE x : asked x = (wanted_on v c x : R) * (once (cover_on v c x) - once (reach_on v c x)).
Proof.
case/andP: s01 => _ s1; case/andP: (ux01 x) => _ ux1.
rewrite /asked /reach_on /=; congr (_ * _); case: (leP (cover_on v c x : R) s) => h.
  by rewrite max_r ?subrr // subr_le0 once_mono.
by rewrite max_l // subr_ge0 once_mono // ltW.
Qed.

Lemma asked_sum : \sum_x asked x <= room v c.
Proof.
under eq_bigr do rewrite askedE mulrBr.
by rewrite sumrB roomE lerD2r once_children.
Qed.

Lemma room_ge0 : 0 <= (room v c : R).
Proof. by apply: le_trans asked_sum; apply: sumr_ge0 => x _; apply: asked_ge0. Qed.

Lemma shareE x : (share_on v c x : R) = asked x / room v c. Proof. by []. Qed.

Lemma share_room x : (share_on v c x : R) * room v c = asked x.
Proof.
rewrite shareE; have [z|z] := eqVneq (room v c : R) 0; last by rewrite divfK.
rewrite z mulr0; apply/esym/eqP; rewrite eq_le asked_ge0 andbT -z; apply: le_trans asked_sum.
by rewrite (bigD1 x) // lerDl; apply: sumr_ge0 => y _; apply: asked_ge0.
Qed.

Lemma share_ge0 x : 0 <= (share_on v c x : R).
Proof. by rewrite shareE divr_ge0 ?asked_ge0 ?room_ge0. Qed.

Lemma share_sum : \sum_x (share_on v c x : R) <= 1.
Proof.
rewrite -mulr_suml; have [->|z] := eqVneq (room v c : R) 0; first by rewrite invr0 mulr0 ler01.
by rewrite ler_pdivrMr ?mul1r ?asked_sum // lt_def z room_ge0.
Qed.

Lemma child_sound x : sound (child v c x).
Proof.
case/andP: s01 => s0 s1; case/andP: (ux01 x) => ux0 ux1; case/andP: (sx01 x) => sx0 sx1.
have mass : \sum_(i <- cells) (share_on v c x : R) * own v c i = share_on v c x * \sum_(i <- cells) own v c i.
  by rewrite mulr_sumr.
have dens : \sum_(i <- cells) density K i * ((share_on v c x : R) * own v c i) = asked x.
  by under eq_bigr do rewrite mulrCA; rewrite -mulr_sumr own_density share_room.
have le_cover : (reach_on v c x : R) <= cover_on v c x by rewrite /reach_on /= ge_min lexx.
(* What lends nothing, and what lends: then the reach is the parent's. *)
have [none|more] : (share_on v c x : R) = 0 \/ (reach_on v c x : R) = s.
  rewrite /reach_on /=; case: (leP (cover_on v c x : R) s) => h; last by right.
  by left; rewrite shareE /asked max_r ?mulr0 ?mul0r // subr_le0 once_mono.
  split=> //=; try by [exact: Dx0 | exact: Tx0 | exact: le_cover].
  - by move=> i hi; rewrite none mul0r.
  - by rewrite mass dens none mul0r mulr0 asked_ge0.
  - by rewrite dens askedE.
  - by rewrite mass none mul0r mulr_ge0 ?Tx0 // subr_ge0.
split=> //=; try by [exact: Dx0 | exact: Tx0 | exact: le_cover].
- by move=> i hi; rewrite mulr_ge0 ?share_ge0 ?own_ge0.
- by rewrite mass dens more mulrCA -share_room; apply: ler_wpM2l; [exact: share_ge0 | exact: own_slope].
- by rewrite dens askedE.
rewrite mass more; have [z|z] := eqVneq (room v c : R) 0.
  by rewrite shareE z invr0 mulr0 mul0r mulr_ge0 ?Tx0 // subr_ge0 -more.
have rp : 0 < (room v c : R) by rewrite lt_def z room_ge0.
have us : s <= cover_on v c x by rewrite -more.
rewrite shareE mulrAC ler_pdivrMr //.
have own0 : 0 <= \sum_(i <- cells) (own v c i : R).
  by rewrite big_seq; apply: sumr_ge0 => i hi; apply: own_ge0.
apply: (@le_trans _ _ ((wanted_on v c x : R) * (slope s * (cover_on v c x - s)) * \sum_(i <- cells) own v c i)).
  apply: ler_wpM2r => //; rewrite askedE more; apply: ler_wpM2l; first exact: Tx0.
  exact: once_tangent.
have W0 := Tx0 x; have below := own_slope; rewrite -subr_ge0 in us.
move: (wanted_on v c x : R) W0 (slope s) (cover_on v c x - s) us (\sum_(i <- cells) _) (room v c : R) below => {own0 rp z} W W0 k z z0 S r below.
have -> : W * (k * z) * S = W * z * (k * S) by ring.
by apply: ler_wpM2l; [exact: mulr_ge0 | ].
Qed.

Lemma claim_child x i : (claim (child v c x) i : R) =
  (wanted_on v c x : R) * held i (reach_on v c x) + (share_on v c x : R) * own v c i.
Proof. by []. Qed.

Lemma claim_children i :
  (claim v i : R) - \sum_x (claim (child v c x) i : R) = (1 - \sum_x (share_on v c x : R)) * own v c i.
Proof.
under eq_bigr do rewrite claim_child; rewrite big_split /= -mulr_suml.
rewrite [in RHS]mulrBl mul1r {2}/own totalE /=.
by move: (\sum_x _) (\sum_x _) (own v c i : R) => a b o; ring.
Qed.
End Node.

(** A draw of a cell, made with the probability of all of them. *)
Lemma share_cells (f g : nat -> R) : (forall i, i \in cells -> 0 <= f i) ->
  (\sum_(i <- cells) f i) * (\sum_(i <- cells) f i / (\sum_(l <- cells) f l) * g i) = \sum_(i <- cells) f i * g i.
Proof.
move=> f0; set S := \sum_(i <- cells) f i; have [z|z] := eqVneq S 0; last first.
  by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mulrA mulrCA mulfV // mulr1.
rewrite z mul0r big_seq big1 // => i hi; suff -> : f i = 0 by rewrite mul0r.
apply/eqP; rewrite eq_le f0 // andbT -z /S (bigD1_seq i) ?iota_uniq //= lerDl big_seq_cond.
by apply: sumr_ge0 => l /andP[hl _]; apply: f0.
Qed.

Notation stop := (@stop (reals R) V marks).
Notation walk := (@walk (reals R) V (enum V) d K t marks).

Lemma stopE (p : R) (f : nat -> R) (g : seq V -> nat -> R) b :
  E (stop p f) (fun o => if o is Some a then g a.1 a.2 else b) =
  p * (\sum_(i <- cells) f i / (\sum_(l <- cells) f l) * g [::] i) + (1 - p) * b.
Proof.
rewrite /stop E_bind E_flip /= E_map E_ret; congr (_ * _ + _); rewrite /E /draw big_map.
have -> : @all_cells (reals R) marks f = \sum_(l <- cells) f l; last by [].
by rewrite /all_cells /total; elim: (cells) => [|i l IH]; rewrite ?big_nil //= big_cons IH.
Qed.

(** The mean of f over the stops at v or below whose marks lie in the cell i. *)
Fixpoint stops n (v : node) c i (f : seq V -> R) : R :=
  if n is m.+1 then
    ((claim v i : R) - \sum_x (claim (child v c x) i : R)) * f [::]
    + \sum_x stops m (child v c x) (rcons c x) i (fun p => f (x :: p))
  else claim v i * f [::].

Lemma stops_eq n v c i f g : f =1 g -> stops n v c i f = stops n v c i g.
Proof.
elim: n v c f g => [|n IH] v c f g h /=; rewrite h //; congr (_ + _).
by apply: eq_bigr => x _; apply: IH => p; apply: h.
Qed.

Lemma stops_line n v c i f a b : stops n v c i (fun p => f p * a + b) = stops n v c i f * a + b * claim v i.
Proof.
elim: n v c f => [|n IH] v c f /=; first by move: (claim v i : R) => *; ring.
rewrite (eq_bigr _ (fun x _ => IH (child v c x) (rcons c x) (fun p => f (x :: p)))) [X in _ + X = _]big_split /=.
rewrite -[X in _ + (X + _)]mulr_suml -[X in _ + (_ + X)]mulr_sumr.
by move: (claim v i : R) (\sum_x _) (\sum_x _) => *; ring.
Qed.

(** The reaches below v are marks. *)
Notation reaches := (@reaches (reals R) V (enum V) d t).

Lemma reaches_eq n v w c : drafted v = drafted w -> wanted v = wanted w -> reach v = reach w -> reaches n v c = reaches n w c.
Proof.
elim: n v w c => [|n IH] v w c hd hw hr /=; first by rewrite hr.
rewrite hr; congr (_ :: flatten _); apply: eq_map => x; apply: IH => /=.
- by rewrite /drafted_on hd.
- by rewrite /wanted_on hw.
by rewrite /reach_on /cover_on /drafted_on /wanted_on hd hw hr.
Qed.

Lemma reaches_reach n v c : reach v \in reaches n v c.
Proof. by case: n => [|n]; rewrite /= inE eqxx. Qed.

Lemma reaches_child n v c x : {subset reaches n (child v c x) (rcons c x) <= reaches n.+1 v c}.
Proof.
move=> z hz; rewrite /= inE; apply/orP; right; apply/flatten_mapP; exists x; first by rewrite mem_enum.
by rewrite -(@reaches_eq n (child v c x)).
Qed.

(** How far a draft comes that goes through v: D(v) times the law of its walk back to v. *)
Lemma walk_law n v c f b : sound v -> {subset reaches n v c <= marks} ->
  drafted v * E (walk n v c) (fun o => if o is Some a then f a.1 a.2 else b) =
  \sum_(i <- cells) stops n v c i (f^~ i) + b * (drafted v - \sum_(i <- cells) (claim v i : R)).
Proof.
have all_cellsE (g : nat -> R) : @all_cells (reals R) marks g = \sum_(i <- cells) g i.
  by rewrite /all_cells /total; elim: (cells) => [|i l IH]; rewrite ?big_nil //= big_cons IH.
have quotient (a e : R) : 0 <= a -> a <= e -> e * (a / e) = a.
  move=> a0 ae; have [z|z] := eqVneq e 0; last by rewrite mulrC divfK.
  by rewrite z mul0r; apply/eqP; rewrite eq_le a0 -z ae.
have nonneg_sum (g : nat -> R) : (forall i, i \in cells -> 0 <= g i) -> 0 <= \sum_(i <- cells) g i.
  by move=> h; rewrite big_seq; apply: sumr_ge0.
elim: n v c f b => [|n IH] v c f b ok sub.
  have on : reach v \in marks by apply: sub; apply: reaches_reach.
  rewrite [walk _ _ _]/= stopE all_cellsE; set m := \sum_(i <- cells) (claim v i : R).
  have m0 : 0 <= m by apply: nonneg_sum => i; apply: claim_ge0.
  have mD : m <= drafted v by apply: le_trans (claim_most ok) _; rewrite ge_min lexx orbT.
  rewrite mulrDr mulrA quotient // (share_cells (fun i => f [::] i)) => [|i hi]; last exact: claim_ge0.
  by rewrite mulrA mulrBr mulr1 quotient // mulrC.
have on : reach v \in marks by apply: sub; apply: reaches_reach.
have con x : (reach_on v c x : R) \in marks by apply: sub; apply: reaches_child; apply: (reaches_reach n (child v c x)).
have okx x : sound (child v c x) by apply: child_sound.
have subx x : {subset reaches n (child v c x) (rcons c x) <= marks} by move=> z hz; apply: sub; apply: reaches_child hz.
rewrite [walk _ _ _]/= E_bind E_draw mulr_sumr !all_cellsE.
set m := \sum_(i <- cells) (claim v i : R); set P := \sum_(i <- cells) (own v c i : R).
have belowE : @below (reals R) V (enum V) d K t marks v c = \sum_x \sum_(i <- cells) (claim (child v c x) i : R).
  by rewrite /below totalE; apply: eq_bigr => x _; rewrite all_cellsE.
rewrite belowE; set M := \sum_x \sum_(i <- cells) _.
have mM : m - M = (1 - \sum_x (share_on v c x : R)) * P.
  by rewrite /m /M exchange_big /= -sumrB mulr_sumr; apply: eq_bigr => i _; apply: claim_children.
have P0 : 0 <= P by apply: nonneg_sum => i; apply: own_ge0.
have mM0 : 0 <= m - M by rewrite mM mulr_ge0 // subr_ge0 share_sum.
have mD : m - M <= drafted v - M.
  by rewrite lerD2r; apply: le_trans (claim_most ok) _; rewrite ge_min lexx orbT.
pose q := (m - M) / (drafted v - M).
pose fallen := q * (\sum_(i <- cells) (own v c i : R) / P * f [::] i) + (1 - q) * b.
transitivity (\sum_x (\sum_(i <- cells) stops n (child v c x) (rcons c x) i (fun p => f (x :: p) i)
    + fallen * (drafted_on v c x - \sum_(i <- cells) (claim (child v c x) i : R)))).
  apply: eq_bigr => x _; rewrite mulrA -(IH (child v c x) (rcons c x) (fun p => f (x :: p)) fallen (okx x) (subx x)).
  rewrite E_bind; congr (_ * _); apply: eq_E => -[a|]; first by rewrite E_ret.
  by rewrite stopE.
rewrite big_split /= -mulr_sumr sumrB (D_sum v c) exchange_big /= big_split /=.
rewrite [X in _ = X + _]addrC -[RHS]addrA; congr (_ + _); rewrite -/M.
have -> : fallen * (drafted v - M) = (m - M) * (\sum_(i <- cells) (own v c i : R) / P * f [::] i) + b * (drafted v - m).
  have hq : (drafted v - M) * q = m - M by apply: quotient.
  transitivity ((drafted v - M) * q * (\sum_(i <- cells) (own v c i : R) / P * f [::] i)
      + b * (drafted v - M - (drafted v - M) * q)); last by rewrite hq opprB addrA subrK.
  by rewrite /fallen; move: (\sum_(i <- cells) _) (drafted v - M) => *; ring.
congr (_ + _); rewrite mM -mulrA (share_cells (fun i => f [::] i)) => [|i hi]; last exact: own_ge0.
by rewrite mulr_sumr; apply: eq_bigr => i _; rewrite claim_children mulrA.
Qed.

(** The law of the accepted path: it begins with x with probability T(x) g(min(1, D/T)). *)
Fixpoint accepted n (D T : R) c (f : seq V -> R) : R :=
  if n is m.+1 then
    (T * once (cover D T) - \sum_x T * t c x * once (cover (D * d c x) (T * t c x))) * f [::]
    + \sum_x accepted m (D * d c x) (T * t c x) (rcons c x) (fun p => f (x :: p))
  else T * once (cover D T) * f [::].

Lemma stops_accepted n v c f : sound v -> {subset reaches n v c <= marks} ->
  \sum_(i <- cells) density K i * stops n v c i f = accepted n (drafted v) (wanted v) c f.
Proof.
elim: n v c f => [|n IH] v c f ok sub.
  have on : reach v \in marks by apply: sub; apply: reaches_reach.
  by rewrite /= -(claim_density ok on) mulr_suml; apply: eq_bigr => i _; rewrite mulrA.
have on : reach v \in marks by apply: sub; apply: reaches_reach.
have con x : (reach_on v c x : R) \in marks by apply: sub; apply: reaches_child; apply: (reaches_reach n (child v c x)).
have okx x : sound (child v c x) by apply: child_sound.
have subx x : {subset reaches n (child v c x) (rcons c x) <= marks} by move=> z hz; apply: sub; apply: reaches_child hz.
rewrite /=; under eq_bigr do rewrite mulrDr mulrA mulr_sumr.
rewrite big_split exchange_big /=; congr (_ + _); last by apply: eq_bigr => x _; apply: IH.
rewrite -mulr_suml; congr (_ * _); under eq_bigr do rewrite mulrBr mulr_sumr.
rewrite sumrB (claim_density ok on) exchange_big /=; congr (_ - _); apply: eq_bigr => x _.
exact: (claim_density (okx x) (con x)).
Qed.

Lemma acceptedE n D T c f g : f =1 g -> accepted n D T c f = accepted n D T c g.
Proof.
elim: n D T c f g => [|n IH] D T c f g h /=; rewrite h //; congr (_ + _).
by apply: eq_bigr => x _; apply: IH => p; apply: h.
Qed.

Lemma accepted_mulr n D T c f a : accepted n D T c (fun p => a * f p) = a * accepted n D T c f.
Proof.
elim: n D T c f => [|n IH] D T c f /=; first by rewrite mulrCA.
rewrite [RHS]mulrDr mulrCA [X in _ = _ + X]mulr_sumr; congr (_ + _).
by apply: eq_bigr => x _; rewrite (IH _ _ _ (fun p => f (x :: p))).
Qed.

Lemma accepted_one n D T c : accepted n D T c (fun=> 1) = T * once (cover D T).
Proof.
elim: n D T c => [|n IH] D T c /=; rewrite mulr1 //.
by rewrite (eq_bigr _ (fun x _ => IH _ _ _)) subrK.
Qed.

Lemma accepted_begins n D T c x : (size x <= n)%N ->
  accepted n D T c (begins R x) = T * text t c x * once (cover (D * text d c x) (T * text t c x)).
Proof.
elim: x n D T c => [|z x IH] n D T c.
  by move=> _; rewrite /= !mulr1 -(accepted_one n D T c); apply: acceptedE => p; rewrite begins_nil.
case: n => // n hn; rewrite /= begins_cons mulr0 add0r !mulrA -(IH n) //.
rewrite -(sum_eq (fun y => accepted n (D * d c y) (T * t c y) (rcons c y) (begins R x)) z).
apply: eq_bigr => y _; rewrite [RHS]mulrC -accepted_mulr; apply: acceptedE => p; exact: begins_cons.
Qed.
End Tree.

(** A draw of the model m's next token and then m: this is m. *)
Lemma follows_draw (R : realFieldType) (V : finType) (m : seq V -> V -> R) c p xs : lawful m ->
  \sum_y m (c ++ p) y * follows (text m) c (rcons p y) xs = follows (text m) c p xs.
Proof.
move=> ml; elim: p c xs => [|a p IH] c [|z xs] /=; rewrite ?cats0.
- by under eq_bigr do rewrite mulr1; case: (ml c).
- by rewrite -(sum_eq_mul _ (fun y => text m (rcons c y) xs)); apply: eq_bigr => y _; rewrite follows_text.
- by under eq_bigr do rewrite mulr1; case: (ml (c ++ a :: p)).
by under eq_bigr do rewrite mulrCA -cat_rcons; rewrite -mulr_sumr IH.
Qed.

Section Coupled.
Variables (R : realFieldType) (V : finType) (d : seq V -> V -> R) (K n : nat).
Hypotheses (d_law : lawful d) (K0 : (0 < K)%N).
Notation spectr_coupled := (@spectr_coupled (reals R) V (enum V) d K n).
Notation once := (@once (reals R) K).
Notation cover := (@cover (reals R)).
Notation left_over := (@left_over (reals R) V d K).

Section Target.
Variables (t : seq V -> V -> R) (c : seq V).
Hypothesis t_law : lawful t.
Notation root := (root (reals R)).
Notation grid := (@grid (reals R) V (enum V) d t n c).
Notation left := (@changed (reals R) V (enum V) (left_over t c) t n c).

Lemma root_sound (marks : seq R) : sound K marks root.
Proof.
have u : (cover 1 1 : R) = 1 by rewrite /cover /= divr1 minxx.
split=> //=; rewrite ?ler01 ?u ?lexx ?subrr ?mulr0 //.
- by rewrite big1 // mulr0 big1 // => i _; rewrite mulr0.
- by rewrite big1 // => i _; rewrite mulr0.
by rewrite big1.
Qed.

Lemma grid_spans : spans grid.
Proof.
have bounds m (v : node (reals R)) c' : 0 <= drafted v -> 0 <= wanted v -> 0 <= (reach v : R) <= 1 ->
    all (fun x : R => 0 <= x <= 1) (@reaches (reals R) V (enum V) d t m v c').
  elim: m v c' => [|m IH] v c' D0 T0 s01 /=; rewrite s01 //=.
  apply/allP => z /flatten_mapP[x _]; apply: (allP (IH _ _ _ _ _)) => /=.
  - by rewrite mulr_ge0 ?d_ge0.
  - by rewrite mulr_ge0 ?t_ge0.
  have /andP[u0 u1] : 0 <= (cover (@drafted_on (reals R) V d v c' x) (@wanted_on (reals R) V t v c' x) : R) <= 1.
    by apply: cover_bounds; rewrite mulr_ge0 ?d_ge0 ?t_ge0.
  by case/andP: s01 => s0 s1; rewrite /reach_on /= le_min u0 s0 ge_min u1.
have all01 : all (fun x : R => 0 <= x <= 1) (@reaches (reals R) V (enum V) d t n root c).
  by apply: bounds; rewrite /= ?ler01 ?lexx.
split=> //.
- by apply: sorted_path; apply/allP => x /(allP all01) /andP[].
- have h : (1 : R) \in @reaches (reals R) V (enum V) d t n root c by apply: (reaches_reach d t n root c).
  by rewrite inE sorted_mem h orbT.
by rewrite /= ler01; apply/allP => x; rewrite sorted_mem => /(allP all01) /andP[].
Qed.

(** The law of the accepted path. *)
Lemma accepted_law f :
  E (least_mark (@one_draft (reals R) V (enum V) d K t grid n c) K.-1) (fun a => f a.1) = accepted d t K n 1 1 c f.
Proof.
have ok := root_sound grid; have sp := grid_spans.
have sub : {subset @reaches (reals R) V (enum V) d t n root c <= grid}.
  by move=> z hz; rewrite inE sorted_mem hz orbT.
pose mu i f := stops d t K grid n root c i f.
have law g : E (@one_draft (reals R) V (enum V) d K t grid n c) (fun a => g a.1 a.2) =
    \sum_(i <- @cells (reals R) grid) mu i (g^~ i).
  have := walk_law d_law t_law sp g 0 ok sub; rewrite /= mul1r mul0r addr0 => <-.
  by rewrite /one_draft E_bind; apply: eq_E => -[a|]; rewrite ?E_ret // /E big_nil.
rewrite (least_mark_law sp law _ _ K.-1 (fun p _ => f p)) => [|i g h|i g a b hi].
- by rewrite prednK // -(stops_accepted d_law t_law sp f ok sub).
- exact: stops_eq.
rewrite /mu stops_line /claim /= mul1r addr0; case: (low_high sp hi) => _ /andP[lh h1].
by rewrite /held /= !min_l // (le_trans lh).
Qed.

Definition kept p : R := text t c p * (1 - cover (text d c p) (text t c p)) ^+ K.

Lemma left_overE p x : left_over t c p x = kept (rcons p x).
Proof. by rewrite /left_over /kept powerE !jointE. Qed.

Lemma kept_ge0 p : 0 <= kept p.
Proof.
rewrite mulr_ge0 ?text_ge0 // exprn_ge0 // subr_ge0.
by case/andP: (cover_bounds (text_ge0 c p d_law) (text_ge0 c p t_law)).
Qed.

Lemma keptE p : kept p = text t c p - text t c p * once (cover (text d c p) (text t c p)).
Proof. by rewrite onceE mulrBr mulr1 opprB addrC subrK. Qed.

Lemma left_lawful : lawful left.
Proof. by apply: changed_lawful => // p y; rewrite left_overE kept_ge0. Qed.

(** What is accepted from the path p on and what was accepted before it: all that the target has. *)
Lemma accepted_left m p xs : (m + size p = n)%N ->
  accepted d t K m (text d c p) (text t c p) (c ++ p) (fun s => follows (text left) (c ++ p) s xs)
    + kept p * text left (c ++ p) xs = text t c p * text t (c ++ p) xs.
Proof.
elim: m p xs => [|m IH] p xs hn.
  have hp : (n <= size p)%N by rewrite -hn.
  by rewrite /= follows_text text_changed // -mulrDl keptE addrC subrK.
case: xs => [|z xs].
  rewrite (@acceptedE _ _ d t K _ _ _ _ _ (fun=> 1)) => [|s]; last by rewrite follows_nil.
  by rewrite accepted_one /= !mulr1 keptE addrC subrK.
have hp : (size p < n)%N by rewrite -hn addSn ltnS leq_addl.
rewrite /=.
have nz y : 0 <= (left_over t c p y : R) by rewrite left_overE kept_ge0.
have total : \sum_y (left_over t c p y : R) = text t c p * once (cover (text d c p) (text t c p))
    - \sum_x text t c p * t (c ++ p) x * once (cover (text d c p * d (c ++ p) x) (text t c p * t (c ++ p) x)) + kept p.
  under eq_bigr do rewrite left_overE keptE !text_rcons.
  by rewrite sumrB -mulr_sumr t_sum // mulr1 keptE [RHS]addrC addrA subrK.
have step : (\sum_y (left_over t c p y : R)) * (left (c ++ p) z : R) = kept (rcons p z).
  by rewrite changed_before // (@mass_proportional _ _ (left_over t c) t c p z nz) left_overE.
rewrite (_ : \sum_x accepted d t K m _ _ _ _ = accepted d t K m (text d c (rcons p z)) (text t c (rcons p z)) (c ++ rcons p z)
    (fun s => follows (text left) (c ++ rcons p z) s xs)); last first.
  rewrite -rcons_cat !text_rcons -(sum_eq (fun x => accepted d t K m (text d c p * d (c ++ p) x) (text t c p * t (c ++ p) x)
    (rcons (c ++ p) x) (fun s => follows (text left) (rcons (c ++ p) x) s xs))).
  by apply: eq_bigr => x _; rewrite [RHS]mulrC -accepted_mulr; apply: acceptedE.
rewrite addrAC -mulrDl -total [X in X + _]mulrA step [RHS]mulrA -text_rcons rcons_cat addrC.
by apply: IH; rewrite size_rcons addnS -addSn.
Qed.

Lemma coupledE f : E (spectr_coupled t c) f =
  accepted d t K n 1 1 c (fun p => \sum_y left (c ++ p) y * f ((p, y), left)).
Proof.
rewrite -accepted_law /marks.spectr_coupled E_bind; apply: eq_E => a.
by rewrite E_map E_draw.
Qed.
End Target.

(** What an iteration accepts begins with the path x with probability T(x) (1 - (1 - min(1, D/T))^K): what lin2026
    Lemma A.1 says of SpecTr-GBV. *)
Theorem coupled_accepts t c x : lawful t -> (size x <= n)%N -> E (spectr_coupled t c) (fun o => begins R x o.1.1) =
  text t c x * (1 - (1 - Num.min 1 (text d c x / text t c x)) ^+ K).
Proof.
move=> tl hn; rewrite coupledE // -onceE.
rewrite (@acceptedE _ _ d t K _ _ _ _ _ (begins R x)) => [|p]; first by rewrite accepted_begins // !mul1r.
by rewrite -mulr_suml; case: (left_lawful c tl (c ++ p)) => _ ->; rewrite mul1r.
Qed.

(** spectr-coupled is lossless: an iteration, continued by the target that it leaves, has the law of the target. *)
Theorem coupled_lossless : lossless_carry spectr_coupled.
Proof.
move=> t c tl; split=> [q|xs].
  apply: (outcomes_bind (Q := fun o => lawful o.2)) => a r.
  by apply: (outcomes_bind (Q := fun o => lawful o.2)) => y r' [] // <-; apply: left_lawful.
rewrite coupledE //=; have := @accepted_left t c tl n [::] xs (addn0 n).
rewrite /= cats0 !mul1r /kept /= /marks.cover /= divr1 minxx subrr expr0n gtn_eqF // mulr0 mul0r addr0 => <-.
by apply: acceptedE => p; apply: follows_draw; apply: left_lawful.
Qed.

(** Whole decodes, the changes of the target nested. *)
Corollary coupled_decodes k t c xs : lawful t -> size xs = k ->
  E (chain_carry spectr_coupled k t c) (fun o => begins R xs o.1) = text t c xs.
Proof. by move=> tl hk; apply: chain_carry_decodes => //; apply: coupled_lossless. Qed.

Lemma coupled_short t c : every (fun o => size o.1.1 <= n)%N (spectr_coupled t c).
Proof.
set marks := @grid (reals R) V (enum V) d t n c.
have walks m (v : node (reals R)) c' :
    every (fun o => if o is Some a then size a.1 <= m else true)%N (@walk (reals R) V (enum V) d K t marks m v c').
  have stops m' p f : every (fun o => if o is Some a then size a.1 <= m' else true)%N (@stop (reals R) V marks p f).
    apply: (every_bind (@every_true _ _ _)) => -[] _; last exact: every_ret.
    by apply: (every_bind (@every_true _ _ _)) => i _; apply: every_ret.
  elim: m v c' => [|m IH] v c'; first exact: stops.
  apply: (every_bind (@every_true _ _ _)) => x _; apply: (every_bind (IH _ _)) => -[a|] ha; last exact: stops.
  exact: every_ret.
have one : every (fun a => size a.1 <= n)%N (@one_draft (reals R) V (enum V) d K t marks n c).
  by apply: (every_bind (walks n _ c)) => -[a|] ha //; apply: every_ret.
apply: (every_bind (P := fun a => size a.1 <= n)%N) => [|a ha]; last first.
  by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
elim: K.-1 => [|j IH] //=; apply: (every_bind one) => a ha; apply: (every_bind IH) => b hb.
by apply: every_ret; case: ifP.
Qed.

(** It attains lin2026's equation (5): E[tau] is the sum over the paths x of 1 to n tokens of
    T(x) (1 - (1 - min(1, D/T))^K). *)
Theorem coupled_mean t c : lawful t -> E (spectr_coupled t c) (fun o => (size o.1.1)%:R) =
  \sum_(i < n) sum_texts i.+1 (fun x => text t c x * (1 - (1 - Num.min 1 (text d c x / text t c x)) ^+ K)).
Proof.
move=> tl; rewrite (mean_size (p := fun o => o.1.1) (@coupled_short t c)); apply: eq_bigr => i _.
by apply: eq_sum_texts => x hx; apply: coupled_accepts => //; rewrite hx.
Qed.
End Coupled.
