(** Greedy block verification (sun2025 Algorithms 4, 5 and 6; sun2024): the most accepted tokens of one iteration that
    any coupling allows, paid for by a changed target in the next one. *)
From proofs Require Import prelude program model valid carry.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (tokens : seq V) (d : program.model O V).

(** [d - r t]+, and the coin of a path of the ratio r that has drafts to go: min(1, S/S'), S the sum of [r t - d]+ and
    S' the sum of [d - r t]+; the form S / max(S, S') divides by 0 only where both are 0. *)
Definition lack (t : program.model O V) (r : num O) c x : num O := max (sub (d c x) (mul r (t c x))) (zero O).
Definition greedy_coin t (r : num O) c : num O :=
  let s := excess_sum tokens d t r c in div s (max s (total tokens (lack t r c))).

(** n drafts to go after the path c of the ratio r = T/D. Of the coins from here on the last that accepts counts. *)
Fixpoint greedy_below t (n : nat) (r : num O) c : dist O (option (seq V * V)) :=
  if n is m.+1 then
    let! x := draw tokens (d c) in
    let! deeper := greedy_below t m (div (mul r (t c x)) (d c x)) (rcons c x) in
    if deeper is Some o then ret O (Some (x :: o.1, o.2))
    else
      let! accepted := flip (greedy_coin t r c) in
      if accepted then
        let! y := draw tokens (residual tokens d t r c) in
        ret O (Some ([::], y))
      else ret O None
  else
    let! accepted := flip (min (one O) r) in
    if accepted then
      let! y := draw tokens (t c) in
      ret O (Some ([::], y))
    else ret O None.

(** [T(p x) - D(p x)]+, to which the changed target is proportional (Algorithm 5). *)
Definition surplus (t : program.model O V) c (p : seq V) x : num O :=
  max (sub (joint t c (rcons p x)) (joint d c (rcons p x))) (zero O).

(** An iteration of n drafts with the target t, and the target that it leaves. *)
Definition greedy_block (n : nat) t c : dist O ((seq V * V) * program.model O V) :=
  let! found := greedy_below t n (one O) c in
  let left := changed tokens (surplus t c) t n c in
  if found is Some o then ret O (o, left)
  else
    let! y := draw tokens (residual tokens d t (one O) c) in
    ret O (([::], y), left).
End Rule.
Arguments greedy_coin {O V} tokens d t r c : simpl never.

Section Greedy.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation greedy_below := (@greedy_below (reals R) V (enum V) d t).
Notation greedy_block n := (@greedy_block (reals R) V (enum V) d n t).
Notation excess := (@excess (reals R) V d t).
Notation excesses := (excesses d t).
Notation lack := (@lack (reals R) V d t).
Notation surplus := (@surplus (reals R) V d t).
Notation left_by n c := (@changed (reals R) V (enum V) (surplus c) t n c).

Definition lacks (r : R) c : R := \sum_x lack r c x.

Lemma coinE (r : R) c : @greedy_coin (reals R) V (enum V) d t r c = excesses r c / Num.max (excesses r c) (lacks r c).
Proof. by rewrite /greedy_coin excess_sumE totalE. Qed.

Lemma lack_ge0 (r : R) c x : 0 <= (lack r c x : R). Proof. by rewrite /lack /= le_max lexx orbT. Qed.

Lemma lacks_ge0 (r : R) c : 0 <= lacks r c.
Proof. by apply: sumr_ge0 => x _; apply: lack_ge0. Qed.

(** S - S' = r - 1. *)
Lemma balance (r : R) c : excesses r c = r - 1 + lacks r c.
Proof.
have -> : r - 1 = \sum_x (r * t c x - d c x) by rewrite sumrB -mulr_sumr t_sum // d_sum // mulr1.
rewrite -big_split; apply: eq_bigr => x _ /=.
by rewrite /excess /lack /= !max_min (minC (r * t c x)) addrA subrK.
Qed.

(** What draft and path share. *)
Lemma d_ratio (r : R) c x : 0 <= r -> d c x * Num.min 1 (r * t c x / d c x) = d c x - lack r c x.
Proof.
move=> r0; rewrite /lack /= max_min subKr; have [->|dn] := eqVneq (d c x) 0.
  by rewrite mul0r min_r // mulr_ge0 // t_ge0.
have dp : 0 < d c x by rewrite lt_def dn d_ge0.
by rewrite minr_pMr ?d_ge0 // mulr1 [d c x * _]mulrC divfK // minC.
Qed.

Lemma ratio_ge0 (r : R) c x : 0 <= r -> 0 <= r * t c x / d c x.
Proof. by move=> r0; rewrite divr_ge0 ?mulr_ge0 ?d_ge0 ?t_ge0. Qed.

Definition found n (r : R) c f : R := E (greedy_below n r c) (fun o => if o is Some q then f q else 0).
Definition missed n (r : R) c : R := E (greedy_below n r c) (fun o => if o is Some q then 0 else 1).

Lemma below_split n r c f b :
  E (greedy_below n r c) (fun o => if o is Some q then f q else b) = found n r c f + b * missed n r c.
Proof.
rewrite /found /missed -E_mulr -E_add; apply: eq_E => -[q|]; first by rewrite mulr0 addr0.
by rewrite add0r mulr1.
Qed.

Lemma below0 (r : R) c g :
  E (greedy_below 0 r c) g = Num.min 1 r * (\sum_y t c y * g (Some ([::], y))) + (1 - Num.min 1 r) * g None.
Proof. by rewrite /= E_bind E_flip /= E_map E_draw E_ret. Qed.

(** The mass with which a path ends in the token y. *)
Definition ending (r : R) c y : R := lacks r c * (excesses r c / Num.max (excesses r c) (lacks r c)) * (excess r c y / excesses r c).

Lemma belowS n (r : R) c g : 0 <= r -> (forall r c, 0 <= r -> missed n r c = 1 - Num.min 1 r) ->
  E (greedy_below n.+1 r c) g =
    \sum_x d c x * found n (r * t c x / d c x) (rcons c x) (fun o => g (Some (x :: o.1, o.2)))
    + \sum_y ending r c y * g (Some ([::], y))
    + lacks r c * (1 - excesses r c / Num.max (excesses r c) (lacks r c)) * g None.
Proof.
move=> r0 IH; pose coin := excesses r c / Num.max (excesses r c) (lacks r c).
pose fallen := coin * (\sum_y (excess r c y / excesses r c) * g (Some ([::], y))) + (1 - coin) * g None.
rewrite [greedy_below _ _ _]/= E_bind E_draw.
transitivity (\sum_x (d c x * found n (r * t c x / d c x) (rcons c x) (fun o => g (Some (x :: o.1, o.2)))
    + lack r c x * fallen)).
  apply: eq_bigr => x _; rewrite E_bind.
  rewrite (@eq_E _ _ _ _ (fun o => if o is Some q then g (Some (x :: q.1, q.2)) else fallen)); last first.
    case=> [q|]; first by rewrite E_ret.
    rewrite E_bind E_flip coinE /= E_map E_draw E_ret /fallen; congr (_ * _ + _).
    by apply: eq_bigr => y _; rewrite /residual excess_sumE.
  rewrite below_split IH ?ratio_ge0 // mulrDr; congr (_ + _).
  have e := d_ratio c x r0; have -> : (lack r c x : R) = d c x * (1 - Num.min 1 (r * t c x / d c x)).
    by rewrite mulrBr mulr1 e subKr.
  by rewrite [fallen * _]mulrC mulrA.
rewrite big_split /= -mulr_suml -/(lacks r c) -addrA; congr (_ + _).
rewrite /fallen mulrDr; congr (_ + _); last by rewrite mulrA.
by rewrite mulrA mulr_sumr; apply: eq_bigr => y _; rewrite /ending -/coin !mulrA.
Qed.

Lemma coin_lacks (r : R) c : 0 <= r ->
  lacks r c * (1 - excesses r c / Num.max (excesses r c) (lacks r c)) = 1 - Num.min 1 r.
Proof.
move=> r0; have b := balance r c; have := lacks_ge0 r c; have := excesses_ge0 d t r c.
move: b; move: (excesses r c) (lacks r c) => s l b s0 l0; case: (leP s l) => h.
  have r1 : r <= 1 by rewrite -subr_le0 -(lerD2r l) -b add0r.
  rewrite min_r // mulrBr mulr1; have [z|z] := eqVneq l 0.
    have sz : s = 0 by apply/eqP; rewrite eq_le s0 -z h.
    move: b; rewrite z sz !mul0r addr0 => /eqP; rewrite eq_sym subr_eq0 => /eqP ->; by rewrite !subrr.
  by rewrite mulrC divfK // b; ring.
have r1 : 1 <= r by rewrite -subr_ge0 -(lerD2r l) -b add0r ltW.
by rewrite min_l // mulfV ?subrr ?mulr0 // gt_eqF // (le_lt_trans l0).
Qed.

Lemma missedE n (r : R) c : 0 <= r -> missed n r c = 1 - Num.min 1 r.
Proof.
elim: n r c => [|n IH] r c r0; rewrite /missed.
  by rewrite below0 big1 ?mulr0 ?add0r ?mulr1 // => y _; rewrite mulr0.
rewrite belowS // coin_lacks // mulr1 [X in _ + X + _]big1 ?addr0 => [|y _]; last by rewrite mulr0.
by rewrite big1 ?add0r // => x _; rewrite /found (@eq_E _ _ _ _ (fun=> 0)) ?E_0 ?mulr0 // => -[].
Qed.

Lemma found0 (r : R) c f : found 0 r c f = Num.min 1 r * \sum_y t c y * f ([::], y).
Proof. by rewrite /found below0 mulr0 addr0. Qed.

Lemma foundS n (r : R) c f : 0 <= r -> found n.+1 r c f =
  \sum_x d c x * found n (r * t c x / d c x) (rcons c x) (fun o => f (x :: o.1, o.2)) + \sum_y ending r c y * f ([::], y).
Proof. by move=> r0; rewrite {1}/found belowS // => [|*]; rewrite ?missedE // mulr0 addr0. Qed.

Lemma ending_sum (r : R) c : 0 <= r -> \sum_y ending r c y = lacks r c - (1 - Num.min 1 r).
Proof.
move=> r0; rewrite -(coin_lacks c r0) mulrBr mulr1 subKr -mulr_sumr -mulr_suml -/(excesses r c).
have [z|z] := eqVneq (excesses r c) 0; first by rewrite z !mul0r !mulr0.
by rewrite mulfV // mulr1.
Qed.

Lemma found_one n (r : R) c : 0 <= r -> found n r c (fun=> 1) = Num.min 1 r.
Proof.
elim: n r c => [|n IH] r c r0.
  by rewrite found0; under eq_bigr do rewrite mulr1; rewrite t_sum // mulr1.
rewrite foundS //; under [X in _ + X]eq_bigr do rewrite mulr1; rewrite ending_sum //.
rewrite (eq_bigr (fun x => d c x - lack r c x)) => [|x _]; last by rewrite IH ?ratio_ge0 // d_ratio.
by rewrite sumrB d_sum // -/(lacks r c); ring.
Qed.

(** Lemma 9 (sun2025), from the path p on, of the joint probabilities D and T. *)
Lemma found_begins n (r D T : R) c x : 0 <= r -> 0 <= D -> 0 <= T -> D = 0 \/ D * r = T -> (size x <= n)%N ->
  D * found n r c (fun o => begins R x o.1) = Num.min (D * text d c x) (T * text t c x).
Proof.
elim: x n r D T c => [|z x IH] n r D T c r0 D0 T0 inv hn.
  rewrite /= !mulr1 (_ : found n r c _ = Num.min 1 r); last first.
    by rewrite -(found_one n c r0); apply: eq_E => -[q|] //; rewrite begins_nil.
  case: inv => [->|<-]; first by rewrite mul0r min_l.
  by rewrite minr_pMr // mulr1.
case: n hn => // n hn; rewrite foundS // [X in _ + X]big1 ?addr0 => [|y _]; last by rewrite begins_cons mulr0.
rewrite /= !mulrA -(IH n (r * t c z / d c z)) ?ratio_ge0 ?mulr_ge0 ?d_ge0 ?t_ge0 //; last first.
  case: inv => [->|<-]; first by left; rewrite mul0r.
  have [z0|z0] := eqVneq (d c z) 0; first by left; rewrite z0 mulr0.
  by right; rewrite -mulrA [r * _ / _]mulrC (mulrA (d c z)) mulfV // mul1r mulrA.
rewrite -mulrA -(sum_eq_mul _ (fun y => found n (r * t c y / d c y) (rcons c y) (fun o => begins R x o.1))).
congr (_ * _); apply: eq_bigr => y _; congr (_ * _); rewrite /found -E_mulr; apply: eq_E => -[q|]; last by rewrite mulr0.
by rewrite begins_cons.
Qed.

Definition over c (p : seq V) : R := Num.max (text t c p - text d c p) 0.

Lemma surplusE c p x : surplus c p x = over c (rcons p x).
Proof. by rewrite /surplus /over !jointE. Qed.

Lemma surplus_ge0 c p x : 0 <= (surplus c p x : R). Proof. by rewrite surplusE /over le_max lexx orbT. Qed.

(** A path of draft probability 0 and all that begins with it stay the target's. *)
Lemma left_undrafted n c p xs : text d c p = 0 ->
  text t c p * text (left_by n c) (c ++ p) xs = text t c p * text t (c ++ p) xs.
Proof.
elim: xs p => [|z s IH] p hp //=; have [t0|t0] := eqVneq (text t c p) 0; first by rewrite t0 !mul0r.
have hz : text d c (rcons p z) = 0 by rewrite text_rcons hp mul0r.
have -> : left_by n c (c ++ p) z = t (c ++ p) z; last first.
  by rewrite !mulrA -text_rcons !rcons_cat IH.
case: (ltnP (size p) n) => hn; last by rewrite changed_after.
have m x : (surplus c p x : R) = text t c p * t (c ++ p) x.
  by rewrite surplusE /over !text_rcons hp mul0r subr0 max_l // mulr_ge0 ?text_ge0 // t_ge0.
rewrite changed_before // proportionalE; under eq_bigr do rewrite m; rewrite -mulr_sumr t_sum // mulr1 m.
by rewrite mulfV // subrr mul0r addr0 mulrAC mulfV // mul1r.
Qed.

(** One token of the changed target after the path p of the ratio r, and one that ends it, give what the target has
    there beyond the draft. *)
Lemma left_step n c p r z : (size p < n)%N -> 0 <= r -> text d c p != 0 -> text d c p * r = text t c p ->
  over c p * left_by n c (c ++ p) z + text d c p * ending r (c ++ p) z = over c (rcons p z).
Proof.
move=> hn r0 dn inv; have dp : 0 < text d c p by rewrite lt_def dn text_ge0.
have m x : (surplus c p x : R) = text d c p * excess r (c ++ p) x.
  rewrite surplusE /over !text_rcons -inv /excess /= maxr_pMr ?(ltW dp) // mulr0 mulrBr mulrA //.
rewrite -surplusE m changed_before // proportionalE m; under eq_bigr do rewrite m.
rewrite -mulr_sumr -/(excesses r (c ++ p)) /ending.
have -> : over c p = text d c p * Num.max (excesses r (c ++ p) - lacks r (c ++ p)) 0.
  by rewrite /over -inv balance addrK maxr_pMr ?(ltW dp) // mulr0 mulrBr mulr1.
have e0 := excess_ge0 d t r (c ++ p) z; have s0 := excesses_ge0 d t r (c ++ p); have l0 := lacks_ge0 r (c ++ p).
have [sz|sz] := eqVneq (excesses r (c ++ p)) 0.
  have -> : excess r (c ++ p) z = 0.
    apply/eqP; rewrite eq_le e0 andbT -sz /excesses (bigD1 z) //= lerDl; apply: sumr_ge0 => y _; exact: excess_ge0.
  by rewrite sz sub0r max_r ?oppr_le0 // !mul0r !mulr0 mul0r addr0.
have sp : 0 < excesses r (c ++ p) by rewrite lt_def sz.
move: (excess r (c ++ p) z : R) (excesses r (c ++ p)) (lacks r (c ++ p)) (text d c p) (t (c ++ p) z) sz sp l0 dn {e0 s0 m inv dp}.
move=> e s l D tz sz sp l0 dn; rewrite mulfV ?mulf_neq0 // subrr mul0r addr0.
case: (leP s l) => h.
  by rewrite max_r ?subr_le0 // mulr0 mul0r add0r; have ln : l != 0 by [rewrite gt_eqF // (lt_le_trans sp)]; field; rewrite sz ln.
rewrite max_l ?subr_ge0 ?(ltW h) // mulfV // mulr1; field; by rewrite sz dn.
Qed.

(** What is emitted from the path p on and what was emitted before it: all that the target has. *)
Lemma found_left m (r : R) c p n xs : (m + size p = n)%N -> 0 <= r -> text d c p = 0 \/ text d c p * r = text t c p ->
  text d c p * found m r (c ++ p) (fun o => follows (text (left_by n c)) (c ++ p) (output o) xs)
    + over c p * text (left_by n c) (c ++ p) xs = text t c p * text t (c ++ p) xs.
Proof.
have [d0 _ _ _|dn] := eqVneq (text d c p) 0.
  rewrite d0 mul0r add0r /over d0 subr0 max_l ?text_ge0 //; exact: left_undrafted.
elim: m r p xs dn => [|m IH] r p xs dn hn r0 [h|inv]; try by rewrite h eqxx in dn.
  have hp : (n <= size p)%N by rewrite -hn.
  rewrite text_changed // found0 (_ : \sum_y _ = text t (c ++ p) xs); last first.
    case: xs => [|z s] /=; first by under eq_bigr do rewrite mulr1; rewrite t_sum.
    rewrite -(sum_eq_mul _ (fun y => text t (rcons (c ++ p) y) s)); apply: eq_bigr => y _.
    by rewrite follows_text !rcons_cat text_changed // size_rcons; apply: leqW.
  by rewrite mulrA -mulrDl minr_pMr ?text_ge0 // mulr1 inv /over max_min addrC subrK.
have hp : (size p < n)%N by rewrite -hn addSn ltnS leq_addl.
case: xs => [|z s].
  rewrite (_ : found _ _ _ _ = Num.min 1 r); last first.
    by rewrite -(found_one m.+1 (c ++ p) r0); apply: eq_E => -[q|] //; rewrite follows_nil.
  by rewrite /= !mulr1 minr_pMr ?text_ge0 // mulr1 inv /over max_min addrC subrK.
have tz : text t c p * text t (c ++ p) (z :: s) = text t c (rcons p z) * text t (c ++ rcons p z) s.
  by rewrite /= text_rcons rcons_cat mulrA.
rewrite tz foundS //.
rewrite (_ : \sum_x d _ x * _ = d (c ++ p) z * found m (r * t (c ++ p) z / d (c ++ p) z) (c ++ rcons p z)
    (fun o => follows (text (left_by n c)) (c ++ rcons p z) (output o) s)); last first.
  rewrite -rcons_cat -(sum_eq_mul _ (fun y => found m (r * t (c ++ p) y / d (c ++ p) y) (rcons (c ++ p) y)
    (fun o => follows (text (left_by n c)) (rcons (c ++ p) y) (output o) s))); apply: eq_bigr => y _; congr (_ * _).
  by rewrite /found -E_mulr; apply: eq_E => -[q|]; rewrite ?mulr0.
rewrite (_ : \sum_y ending _ _ y * _ = ending r (c ++ p) z * text (left_by n c) (c ++ rcons p z) s); last first.
  rewrite -rcons_cat -(sum_eq_mul _ (fun y => text (left_by n c) (rcons (c ++ p) y) s)); apply: eq_bigr => y _.
  by rewrite /= follows_text.
rewrite mulrDr -addrA mulrA -text_rcons.
set X := text (left_by n c) (c ++ rcons p z) s.
have -> : text d c p * (ending r (c ++ p) z * X) + over c p * text (left_by n c) (c ++ p) (z :: s) = over c (rcons p z) * X.
  by rewrite -(left_step _ hp r0 dn inv) mulrDl addrC /= rcons_cat !mulrA.
rewrite {}/X.
have [dz|dz] := eqVneq (text d c (rcons p z)) 0.
  rewrite dz mul0r add0r /over dz subr0 max_l ?text_ge0 //; exact: left_undrafted.
apply: IH => //; first by rewrite size_rcons addnS -addSn.
  exact: ratio_ge0.
right; have dzn : d (c ++ p) z != 0 by move: dz; rewrite text_rcons mulf_eq0 negb_or => /andP[].
by rewrite !text_rcons -inv; field.
Qed.
End Greedy.

Section Lossless.
Variables (R : realFieldType) (V : finType) (d : seq V -> V -> R).
Hypothesis d_law : lawful d.
Notation greedy_block := (@greedy_block (reals R) V (enum V) d).

Lemma greedyE n t c f : lawful t -> E (greedy_block n t c) f =
  found d t n 1 c (fun o => f (o, @changed (reals R) V (enum V) (@surplus (reals R) V d t c) t n c)).
Proof.
move=> tl; rewrite /greedy_block E_bind.
rewrite (@eq_E _ _ _ _ (fun o => if o is Some q
  then f (q, @changed (reals R) V (enum V) (@surplus (reals R) V d t c) t n c)
  else \sum_y (@residual (reals R) V (enum V) d t 1 c y : R) *
    f (([::], y), @changed (reals R) V (enum V) (@surplus (reals R) V d t c) t n c))).
  by rewrite below_split missedE ?ler01 // minxx subrr mulr0 addr0.
by case=> [q|]; rewrite ?E_ret // E_map E_draw.
Qed.

(** sun2025 Lemma 9: P(X^i = x, tau >= i) = min(D(x), T(x)). *)
Theorem lemma9 n t c x : lawful t -> (size x <= n)%N ->
  E (greedy_block n t c) (fun o => begins R x o.1.1) = Num.min (text d c x) (text t c x).
Proof.
move=> tl hn; have := @found_begins _ _ d t d_law tl n 1 1 1 c x ler01 ler01 ler01 _ hn.
by rewrite !mul1r => <-; [rewrite greedyE | right].
Qed.

(** sun2025 Lemma 8 and Algorithm 6: an iteration, continued by the target that it leaves, has the law of the target. *)
Theorem greedy_lossless n : lossless_carry (greedy_block n).
Proof.
move=> t c tl; split=> [q|xs].
  have left : lawful (@changed (reals R) V (enum V) (@surplus (reals R) V d t c) t n c).
    by apply: changed_lawful => // p y; apply: surplus_ge0.
  apply: (outcomes_bind (Q := fun o => lawful o.2)) => -[o|] r; first by case=> // <-.
  by apply: (outcomes_bind (Q := fun o => lawful o.2)) => y r' [] // <-.
rewrite greedyE //; have := @found_left _ _ d t d_law tl n 1 c [::] n xs (addn0 n) ler01.
rewrite /= cats0 !mul1r /over /= subrr maxxx mul0r addr0 => -> //; by right.
Qed.

(** Whole decodes: iterations one after another, each with the target that the ones before it left, the changes nested. *)
Corollary greedy_decodes n k t c xs : lawful t -> size xs = k ->
  E (chain_carry (greedy_block n) k t c) (fun o => begins R xs o.1) = text t c xs.
Proof. by move=> tl hk; apply: chain_carry_decodes => //; apply: greedy_lossless. Qed.
End Lossless.
