(** kseq (SpecTr, sun2023): the k drafts of a position in turn, each against the same law t/rho. *)
From proofs Require Import prelude program model valid several.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (same : V -> V -> bool) (tokens : seq V) (d t : program.model O V).

(** w = 1/rho, which may depend on the number of drafts in play and on the context. *)
Variable w : nat -> seq V -> num O.

(** min(d, t/rho), its sum beta, and the probability that one of k drafts is accepted, 1 - (1 - beta)^k. *)
Definition accepted_mass u c x := mul (d c x) (weight d t u c x).
Definition beta u c := total tokens (accepted_mass u c).
Definition any_accepted u k c := sub (one O) (power (sub (one O) (beta u c)) k).

(** t - min(d, t/rho) P_acc/beta. *)
Definition kseq_left u k c x := sub (t c x) (mul (accepted_mass u c x) (div (any_accepted u k c) (beta u c))).
Definition kseq_residual u k c x := div (kseq_left u k c x) (total tokens (kseq_left u k c)).

Fixpoint in_turn (u : num O) (residual : V -> num O) c (xs : seq V) : dist O (V * bool) :=
  if xs is x :: rest then
    let! accepted := flip (weight d t u c x) in
    if accepted then ret O (x, true) else in_turn u residual c rest
  else
    let! y := draw tokens residual in
    ret O (y, false).

Definition kseq_node k c : dist O (V * option nat) :=
  let! xs := draws tokens (d c) k in
  let! a := in_turn (w k c) (kseq_residual (w k c) k c) c xs in
  ret O (a.1, if a.2 then in_play same xs a.1 else None).
End Rule.

Section Kseq.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation draws := (@draws (reals R) V (enum V)).
Notation positions := (@positions (reals R) V (enum V)).
Notation in_turn := (@in_turn (reals R) V (enum V) d t).
Notation weight := (@weight (reals R) V d t).

(** min(d, t/rho) and its sum. *)
Definition mass (u : R) c x : R := d c x * weight u c x.
Definition masses (u : R) c : R := \sum_x mass u c x.

Lemma betaE u c : @beta (reals R) V (enum V) d t u c = masses u c.
Proof. exact: totalE. Qed.

Lemma mass_ge0 (u : R) c x : 0 <= u -> 0 <= mass u c x.
Proof. by move=> u0; apply: mulr_ge0; [exact: d_ge0 | case/andP: (weight_bounds d_law t_law c x u0)]. Qed.

Lemma in_turn_law (u : R) (r : V -> R) c k f :
  E (draws (d c) k) (fun xs => E (in_turn u r c xs) (fun a => f a.1)) =
  (\sum_x mass u c x * f x) * (\sum_(i < k) (1 - masses u c) ^+ i) + (1 - masses u c) ^+ k * \sum_y r y * f y.
Proof.
elim: k => [|k IH]; first by rewrite /= E_ret /= E_map E_draw big_ord0 mulr0 add0r expr0 mul1r.
rewrite drawsS; set left := E (draws (d c) k) _ in IH.
transitivity (\sum_x (mass u c x * f x + (d c x - mass u c x) * left)).
  apply: eq_bigr => x _.
  have step xs : E (in_turn u r c (x :: xs)) (fun a => f a.1) =
      weight u c x * f x + (1 - weight u c x) * E (in_turn u r c xs) (fun a => f a.1).
    by rewrite /= E_bind E_flip /= E_ret.
  under eq_E do rewrite step; rewrite E_add E_const draws_one ?d_sum // mulr1.
  rewrite [E _ (fun a => (1 - _) * _)]E_mulr -/left /mass.
  by move: (weight u c x : R) => a; ring.
have shift : \sum_(i < k.+1) (1 - masses u c) ^+ i = 1 + (1 - masses u c) * \sum_(i < k) (1 - masses u c) ^+ i.
  by rewrite big_ord_recl expr0 mulr_sumr; congr (_ + _); apply: eq_bigr => i _; rewrite -exprS.
rewrite big_split -mulr_suml sumrB d_sum //= -/(masses u c) IH shift exprS.
move: ((1 - masses u c) ^+ k) (\sum_(i < k) (1 - masses u c) ^+ i) (\sum_y r y * f y) (\sum_i mass u c i * f i) (masses u c) => *; ring.
Qed.

Lemma geometric (a : R) k : a * (\sum_(i < k) (1 - a) ^+ i) = 1 - (1 - a) ^+ k.
Proof.
elim: k => [|k IH]; first by rewrite big_ord0 expr0 subrr mulr0.
by rewrite big_ord_recr /= mulrDr IH exprS; move: (_ ^+ k) => p; ring.
Qed.

(** kseq is lossless for every rho >= 1 with 1 - (1 - beta)^k <= rho beta, that is for every rho >= rho*, which may
    differ from position to position. With w = 1/rho: w (1 - (1 - beta)^k) <= beta. *)
Theorem kseq_lossless (w : nat -> seq V -> R) n k :
  (forall j c, 0 < w j c <= 1) -> (forall j c, w j c * (1 - (1 - masses (w j c) c) ^+ j) <= masses (w j c) c) ->
  lossless t (positions (@kseq_node (reals R) V eq_op (enum V) d t w) t n k).
Proof.
move=> w01 rho; apply: positions_lossless => // j c f; case/andP: (w01 j c) => w0 w1.
rewrite /kseq_node E_bind; under eq_E do rewrite E_map.
rewrite (in_turn_law (w j c) (@kseq_residual (reals R) V (enum V) d t (w j c) j c)).
have b0 x := mass_ge0 c x (ltW w0).
set b := masses (w j c) c; set p := 1 - (1 - b) ^+ j.
have left y : @kseq_left (reals R) V (enum V) d t (w j c) j c y = t c y - mass (w j c) c y * (p / b).
  by rewrite /kseq_left /any_accepted betaE /= powerE.
have zero : b = 0 -> forall x, mass (w j c) c x = 0.
  by move/eqP; rewrite psumr_eq0 // => /allP h x; apply/eqP; apply: h; rewrite mem_index_enum.
have sum_left : \sum_y (@kseq_left (reals R) V (enum V) d t (w j c) j c y : R) = (1 - b) ^+ j.
  under eq_bigr do rewrite left; rewrite sumrB t_sum // -mulr_suml -[\sum_y mass _ _ _]/b.
  have [z|z] := eqVneq b 0; first by rewrite z mul0r !subr0 expr1n.
  by rewrite mulrC divfK // /p opprB addrCA subrr addr0.
have left_ge0 y : 0 <= (@kseq_left (reals R) V (enum V) d t (w j c) j c y : R).
  rewrite left subr_ge0; have [z|z] := eqVneq b 0; first by rewrite zero // mul0r; apply: t_ge0.
  have bp : 0 < b by rewrite lt_def z sumr_ge0.
  rewrite mulrA ler_pdivrMr //; have := rho j c; rewrite -/b -/p => hr.
  have p0 : 0 <= p.
    rewrite /p -geometric mulr_ge0 ?(ltW bp) //; apply: sumr_ge0 => i _; apply: exprn_ge0.
    rewrite subr_ge0 /b /masses deeper ?(ltW w0) //; apply: le_trans w1; rewrite lerBlDr lerDl.
    exact: excesses_ge0.
  apply: (@le_trans _ _ (w j c * t c y * p)).
    apply: ler_wpM2r => //; rewrite /mass d_weight ?(ltW w0) // lerBlDr lerDl; exact: excess_ge0.
  by rewrite mulrAC mulrC; apply: ler_wpM2l => //; apply: t_ge0.
have res y : (1 - b) ^+ j * @kseq_residual (reals R) V (enum V) d t (w j c) j c y = @kseq_left (reals R) V (enum V) d t (w j c) j c y.
  rewrite /kseq_residual totalE sum_left /=; have [z|z] := eqVneq ((1 - b) ^+ j) 0; last by rewrite mulrC divfK.
  rewrite z mul0r; apply/esym/eqP; move: sum_left; rewrite z => /eqP; rewrite psumr_eq0 // => /allP h.
  by apply: h; rewrite mem_index_enum.
rewrite [X in _ + X = _]mulr_sumr; under [X in _ + X]eq_bigr do rewrite mulrA res left.
rewrite mulr_suml -big_split; apply: eq_bigr => y _ /=.
have e : mass (w j c) c y * (p / b) = mass (w j c) c y * (\sum_(i < j) (1 - b) ^+ i).
  have [z|z] := eqVneq b 0; first by rewrite zero // !mul0r.
  by congr (_ * _); apply: (mulfI z); rewrite geometric mulrC divfK.
by rewrite e; move: (\sum_(i < j) (1 - b) ^+ i) => g; ring.
Qed.

(** At rho*, where it is an equation, the residual is the printed one, t - rho min(d, t/rho) up to its sum. *)
Theorem kseq_printed (u : R) c k x : 0 < u -> u * (1 - (1 - masses u c) ^+ k) = masses u c ->
  @kseq_left (reals R) V (enum V) d t u k c x = t c x - u^-1 * mass u c x.
Proof.
move=> u0 root; rewrite /kseq_left /any_accepted betaE /= powerE -/(mass u c x); congr (_ - _).
have [z|z] := eqVneq (masses u c) 0.
  suff -> : mass u c x = 0 by rewrite mul0r mulr0.
  move/eqP: z; rewrite psumr_eq0 => [/allP h|y _]; last exact: mass_ge0 (ltW u0).
  by apply/eqP; apply: h; rewrite mem_index_enum.
by rewrite mulrC; congr (_ * _); apply: (mulIf z); rewrite mulfVK // -{2}root mulKf // gt_eqF.
Qed.

(** The condition on rho holds for every larger rho, that is for every smaller w = 1/rho: it holds for all rho >= rho*
    where it holds for rho*. *)
Theorem kseq_larger_rho (u u' : R) c k : 0 < u' -> u' <= u -> u <= 1 ->
  u * (1 - (1 - masses u c) ^+ k) <= masses u c -> u' * (1 - (1 - masses u' c) ^+ k) <= masses u' c.
Proof.
move=> u'0 le u1 h; have u0 : 0 < u by apply: lt_le_trans le.
have massE v x : 0 <= v -> mass v c x = Num.min (d c x) (v * t c x).
  by move=> v0; rewrite /mass d_weight // /excess /= max_min subKr.
have mono : masses u' c <= masses u c.
  apply: ler_sum => x _; rewrite !massE ?(ltW u0) ?(ltW u'0) // le_min ge_min lexx /= ge_min.
  by rewrite (ler_wpM2r (t_ge0 t_law c x) le) orbT.
have cross : u' * masses u c <= u * masses u' c.
  rewrite !mulr_sumr; apply: ler_sum => x _; rewrite !massE ?(ltW u0) ?(ltW u'0) // !minr_pMr ?(ltW u0) ?(ltW u'0) //.
  rewrite le_min !ge_min [u' * (u * _)]mulrCA lexx orbT andbT.
  by rewrite (ler_wpM2r (d_ge0 d_law c x) le).
have m1 : masses u c <= 1.
  by rewrite /masses deeper ?(ltW u0) //; apply: le_trans u1; rewrite lerBlDr lerDl excesses_ge0.
rewrite -(ler_pM2l u0) mulrCA; apply: le_trans cross; rewrite ler_pM2l //.
apply: le_trans h; rewrite ler_pM2l // lerD2l lerN2.
by apply: lerXn2r; rewrite ?nnegrE ?subr_ge0 ?lerD2l ?lerN2 // (le_trans mono).
Qed.
End Kseq.
