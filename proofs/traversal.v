(** Traversal verification (weng2025): block verification of a tree, from the leaves up. Here of K i.i.d. drafts, each
    counted, and of a tree drawn without replacement. *)
From proofs Require Import prelude program model valid block several siblings transport slots.
Local Open Scope ring_scope.

Local Arguments coin {O V} tokens d t w c : simpl never.

Section Rule.
Variables (O : ops) (V : Type) (same : V -> V -> bool) (tokens : seq V) (d t : program.model O V).

(** A node of the weight a, with the law that is left of the target there: it is accepted with probability a. *)
Definition node_end (a : num O) (left : V -> num O) : dist O (option (seq V * V)) :=
  let! accepted := flip a in
  if accepted then
    let! y := draw tokens left in
    ret O (Some ([::], y))
  else ret O None.

(** The drafts xs at a node in turn. [sub j w x]: the subtree of the child x, to which j drafts come, from the weight w;
    it is verified where x is new. Each draft that is refused costs one step: a := s / (s + 1 - a), s the sum of
    [a t - d]+, to which the target becomes proportional. *)
Variable sub : nat -> num O -> V -> dist O (option (seq V * V)).
Fixpoint visit c (seen : seq V) (a : num O) (left : V -> num O) (xs : seq V) : dist O (option (seq V * V)) :=
  if xs is x :: rest then
    let law := fun _ : seq V => left in
    let on := visit c (x :: seen) (coin tokens d law a c) (residual tokens d law a c) rest in
    if has (same x) seen then on
    else
      let! deeper := sub (count (same x) xs) (weight d law a c x) x in
      if deeper is Some o then ret O (Some (x :: o.1, o.2)) else on
  else node_end a left.

(** The same where equal drafts count once and the children are read as drawn without replacement from p, the draft's
    law without the tokens seen. *)
Fixpoint visit_merged (p : V -> num O) (seen : seq V) (a : num O) (left : V -> num O) (xs : seq V) :
    dist O (option (seq V * V)) :=
  if xs is x :: rest then
    if has (same x) seen then visit_merged p seen a left rest
    else
      let draft := fun _ : seq V => p in
      let law := fun _ : seq V => left in
      let! deeper := sub (count (same x) xs) (weight draft law a [::] x) x in
      if deeper is Some o then ret O (Some (x :: o.1, o.2))
      else visit_merged (without same tokens p x) (x :: seen) (coin tokens draft law a [::])
        (residual tokens draft law a [::]) rest
  else node_end a left.

(** A tree without replacement: at most k children from the law p, one after another. *)
Variable sub_without : num O -> V -> dist O (option (seq V * V)).
Fixpoint visit_without (k : nat) (p : V -> num O) (a : num O) (left : V -> num O) : dist O (option (seq V * V)) :=
  if k is j.+1 then
    let draft := fun _ : seq V => p in
    let law := fun _ : seq V => left in
    let! more := flip (div (total tokens p) (total tokens p)) in
    if more then
      let! x := draw tokens p in
      let! deeper := sub_without (weight draft law a [::] x) x in
      if deeper is Some o then ret O (Some (x :: o.1, o.2))
      else visit_without j (without same tokens p x) (coin tokens draft law a [::]) (residual tokens draft law a [::])
    else node_end a left
  else node_end a left.
End Rule.

Section Trees.
Variables (O : ops) (V : Type) (same : V -> V -> bool) (tokens : seq V) (d t : program.model O V).

(** n drafts to go at a node of the weight a, to which k drafts come. *)
Fixpoint traverse (n k : nat) (a : num O) c : dist O (option (seq V * V)) :=
  if n is m.+1 then
    let! xs := draws tokens (d c) k in
    visit same tokens d (fun j w x => traverse m j w (rcons c x)) c [::] a (t c) xs
  else node_end tokens a (t c).

Fixpoint traverse_merged (n k : nat) (a : num O) c : dist O (option (seq V * V)) :=
  if n is m.+1 then
    let! xs := draws tokens (d c) k in
    visit_merged same tokens (fun j w x => traverse_merged m j w (rcons c x)) (d c) [::] a (t c) xs
  else node_end tokens a (t c).

(** A node at the depth i has at most [children i] children. *)
Variable children : nat -> nat.
Fixpoint traverse_without (n i : nat) (a : num O) c : dist O (option (seq V * V)) :=
  if n is m.+1 then
    visit_without same tokens (fun w x => traverse_without m i.+1 w (rcons c x)) (children i) (d c) a (t c)
  else node_end tokens a (t c).

(** The root has the weight 1, so that something is accepted: the last draw has probability 0. *)
Definition from_root c (found : dist O (option (seq V * V))) : dist O (seq V * V) :=
  let! o := found in
  if o is Some q then ret O q
  else
    let! y := draw tokens (t c) in
    ret O ([::], y).
Definition traversal (K n : nat) c := from_root c (traverse n K (one O) c).
Definition traversal_merged (K n : nat) c := from_root c (traverse_merged n K (one O) c).
Definition traversal_without (n : nat) c := from_root c (traverse_without n 0 (one O) c).
End Trees.

(** One draft x of the law p at a node, where mu is the weight a times what is left of the target. *)
Section Step.
Variables (R : realFieldType) (V : finType) (p left : V -> R) (a : R).
Hypotheses (p_law : law p) (a01 : 0 <= a <= 1) (left0 : forall y, 0 <= left y) (mu_sum : \sum_y a * left y = a).
Notation draft := (fun _ : seq V => p).
Notation law := (fun _ : seq V => left).
Variable c : seq V.
Notation w := (@weight (reals R) V draft law a c).
Notation next := (@coin (reals R) V (enum V) draft law a c : R).
Notation rest := (@residual (reals R) V (enum V) draft law a c).
Let mu y : R := a * left y.
Let both y : R := Num.min (p y) (mu y).
Let exc y : R := mu y - both y.

Lemma mu_ge0 y : 0 <= mu y. Proof. by case/andP: a01 => a0 _; rewrite mulr_ge0. Qed.

Lemma exc_ge0 y : 0 <= exc y. Proof. by rewrite subr_ge0 ge_min lexx orbT. Qed.

Lemma step_weight x : 0 <= (w x : R) <= 1.
Proof.
case: p_law => p0 _; rewrite /weight /= le_min ler01 divr_ge0 ?mu_ge0 //=.
by rewrite ge_min lexx.
Qed.

Lemma p_weight x : p x * w x = both x.
Proof.
case: p_law => p0 _; rewrite /weight /both /=; have [z|z] := eqVneq (p x) 0; first by rewrite z mul0r min_l ?mu_ge0.
by rewrite minr_pMr // mulr1 mulrC divfK.
Qed.

Lemma excessE y : (@excess (reals R) V draft law a c y : R) = exc y.
Proof. by rewrite /excess /= max_min. Qed.

Lemma excesses_left : excesses draft law a c = a - \sum_y both y.
Proof. by rewrite /excesses; under eq_bigr do rewrite excessE; rewrite sumrB mu_sum. Qed.

Let s : R := excesses draft law a c.

Lemma excess_sum0 : \sum_y exc y = s.
Proof. by rewrite /s excesses_left sumrB mu_sum. Qed.

Lemma s_ge0 : 0 <= s. Proof. exact: excesses_ge0. Qed.

Lemma left_over : 1 - \sum_y both y = s + 1 - a. Proof. by rewrite /s excesses_left; ring. Qed.

Lemma nextE : next = s / (s + 1 - a). Proof. by rewrite /coin excess_sumE. Qed.

Lemma restE y : (rest y : R) = exc y / s.
Proof. by rewrite /residual excess_sumE /= excessE. Qed.

Lemma settled : (s + 1 - a) * next = s.
Proof.
rewrite nextE; have [z|z] := eqVneq (s + 1 - a) 0; last by rewrite mulrC divfK.
rewrite z mul0r; apply/esym/eqP; rewrite eq_le s_ge0 andbT; case/andP: a01 => _ a1.
by rewrite -z -addrA lerDl subr_ge0.
Qed.

Lemma next_bounds : 0 <= next <= 1.
Proof.
case/andP: a01 => a0 a1; rewrite nextE; have p0 : 0 <= s + 1 - a by rewrite -addrA addr_ge0 ?s_ge0 ?subr_ge0.
rewrite divr_ge0 ?s_ge0 //=; have [z|z] := eqVneq (s + 1 - a) 0; first by rewrite z invr0 mulr0 ler01.
by rewrite ler_pdivrMr ?lt_def ?z // mul1r -addrA lerDl subr_ge0.
Qed.

Lemma rest_ge0 y : 0 <= (rest y : R). Proof. by rewrite restE divr_ge0 ?exc_ge0 ?s_ge0. Qed.

Lemma next_rest y : (s + 1 - a) * (next * rest y) = exc y.
Proof. by rewrite mulrA settled restE -excess_sum0 share //; exact: exc_ge0. Qed.

Lemma next_sum : \sum_y next * rest y = next.
Proof.
rewrite -mulr_sumr; under eq_bigr do rewrite restE; rewrite -mulr_suml excess_sum0.
have [z|z] := eqVneq s 0; last by rewrite mulfV // mulr1.
by rewrite nextE z !mul0r.
Qed.

(** A draft with an excess is accepted. *)
Lemma certain x : exc x != 0 -> p x * (1 - w x) = 0.
Proof.
rewrite mulrBr mulr1 p_weight /exc /both; case: (leP (p x) (mu x)) => h; first by rewrite subrr.
by rewrite subrr eqxx.
Qed.

Lemma next_rest0 x : exc x = 0 -> next * rest x = 0. Proof. by move=> e; rewrite restE e mul0r mulr0. Qed.

Lemma exc_of0 x : mu x = 0 -> exc x = 0 /\ p x * w x = 0.
Proof.
case: p_law => p0 _ z; rewrite p_weight /exc /both z; have -> : Num.min (p x) 0 = 0 by rewrite min_r.
by rewrite subrr.
Qed.

(** What the draft gives, and what is left after it: all that there was. *)
Lemma step_total (g : V -> R) b :
  \sum_x (p x * w x * g x + (p x - p x * w x) * (\sum_y next * rest y * g y + (1 - next) * b)) =
  \sum_y a * left y * g y + (1 - a) * b.
Proof.
rewrite big_split /= -mulr_suml sumrB; case: p_law => _ ->; under eq_bigr do rewrite p_weight.
under [X in _ + (1 - X) * _]eq_bigr do rewrite p_weight.
rewrite left_over mulrDr mulr_sumr addrA -big_split mulrA; congr (_ + _ * _).
  by apply: eq_bigr => y _ /=; rewrite mulrA next_rest -mulrDl /exc addrC subrK.
by rewrite mulrBr mulr1 settled; ring.
Qed.
End Step.

Section Traversal.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation draws := (@draws (reals R) V (enum V)).
Notation node_end := (@node_end (reals R) V (enum V)).
Notation traverse := (@traverse (reals R) V eq_op (enum V) d t).
Notation traverse_merged := (@traverse_merged (reals R) V eq_op (enum V) d t).
Notation traversal_merged := (@traversal_merged (reals R) V eq_op (enum V) d t).
Notation traverse_without := (@traverse_without (reals R) V eq_op (enum V) d t).
Notation traversal := (@traversal (reals R) V eq_op (enum V) d t).
Notation traversal_without := (@traversal_without (reals R) V eq_op (enum V) d t).
Notation from_root := (@from_root (reals R) V (enum V) t).

(** What is emitted begins with xs, where something is accepted; b where nothing is. *)
Definition then_ c xs b (o : option (seq V * V)) : R := if o is Some q then follows (text t) c (output q) xs else b.

(** Of one token y, and then the target. *)
Definition goes c xs y : R := hit R xs y * text t (rcons c y) (behead xs).

Lemma node_end_law c xs b (a : R) (left : V -> R) :
  E (node_end a left) (then_ c xs b) = \sum_y a * left y * goes c xs y + (1 - a) * b.
Proof.
rewrite /traversal.node_end E_bind E_flip /= E_map E_draw E_ret mulr_sumr; congr (_ + _); apply: eq_bigr => y _.
by rewrite /output /= follows_hit follows_text mulrA.
Qed.

(** The subtree of a child accepts with its weight, however many drafts reach it. *)
Definition fair c xs (sub : R -> V -> dist (reals R) (option (seq V * V))) := forall (w : R) x b, 0 <= w <= 1 ->
  E (sub w x) (fun o => if o is Some q then follows (text t) c (x :: output q) xs else b) = w * goes c xs x + (1 - w) * b.

Lemma visit_law sub c xs b k seen (a : R) left : (forall j, fair c xs (sub j)) -> 0 <= a <= 1 ->
  (forall y, 0 <= left y) -> \sum_y a * left y = a -> (forall y, y \in seen -> a * left y = 0) ->
  E (draws (d c) k) (fun ys => E (@visit (reals R) V eq_op (enum V) d sub c seen a left ys) (then_ c xs b)) =
  \sum_y a * left y * goes c xs y + (1 - a) * b.
Proof.
move=> sub_fair; elim: k seen a left => [|k IH] seen a left a01 left0 sum zero; first by rewrite /= E_ret /= node_end_law.
rewrite drawsS -(step_total (d_law c) a01 left0 sum c).
have hw := step_weight (d_law c) a01 left0 c; have ex0 := exc_of0 (d_law c).
set law := (fun _ : seq V => left) in hw *.
pose w x : R := @weight (reals R) V (fun _ => d c) law a c x.
pose on x ys : R := E (@visit (reals R) V eq_op (enum V) d sub c (x :: seen)
  (@coin (reals R) V (enum V) d law a c) (@residual (reals R) V (enum V) d law a c) ys) (then_ c xs b).
have step x ys : E (@visit (reals R) V eq_op (enum V) d sub c seen a left (x :: ys)) (then_ c xs b) =
    if x \in seen then on x ys else w x * goes c xs x + (1 - w x) * on x ys.
  rewrite /= -has_pred1 (eq_has (a2 := pred1 x)) => [|y]; last by rewrite /= eq_sym.
  case: (has _ seen) => //; rewrite E_bind -(sub_fair (1 + count (eq_op x) ys)%N) ?hw //.
  rewrite /= eqxx; apply: eq_E => -[q|] //; by rewrite E_ret.
apply: eq_bigr => x _; under eq_E do rewrite step.
set NEXT := \sum_y _ + _; have next : a * left x - Num.min (d c x) (a * left x) = 0 ->
    E (draws (d c) k) (on x) = NEXT.
  move=> e; apply: IH; [exact: next_bounds | by move=> y; apply: rest_ge0 | exact: next_sum |].
  move=> y; rewrite inE => /orP[/eqP ->|/zero z]; first exact: next_rest0.
  by apply: next_rest0; case: (ex0 left a a01 left0 c y z).
rewrite -/(w x); case: (boolP (x \in seen)) => [/zero z|_].
  have [e pw] := ex0 left a a01 left0 c x z; rewrite next // (_ : d c x * w x = 0) ?mul0r ?add0r ?subr0 //.
rewrite E_add E_const draws_one ?d_sum // mulr1 E_mulr mulrDr !mulrA; congr (_ + _).
have [e|e] := eqVneq (a * left x - Num.min (d c x) (a * left x)) 0; first by rewrite next // mulrBr mulr1.
have z := certain (d_law c) a01 left0 c e; rewrite -/(w x) in z; rewrite z mul0r.
by rewrite mulrBr mulr1 in z; rewrite z mul0r.
Qed.

Lemma text_goes (a : R) c xs : a * text t c xs = \sum_y a * t c y * goes c xs y.
Proof. by rewrite text_hit // mulr_sumr; apply: eq_bigr => y _; rewrite mulrA. Qed.

(** A subtree that accepts with the weight a after every context, for every text, is fair. *)
Lemma fairly (m : R -> V -> dist (reals R) (option (seq V * V))) c xs :
  (forall (w : R) x zs b, 0 <= w <= 1 -> E (m w x) (then_ (rcons c x) zs b) = w * text t (rcons c x) zs + (1 - w) * b) ->
  fair c xs m.
Proof.
move=> h w x b w01; pose found := E (m w x) (then_ (rcons c x) (behead xs) 0).
have missed : E (m w x) (fun o => if o is Some q then 0 else b) = (1 - w) * b.
  have := h w x [::] b w01; have := h w x [::] 0 w01; rewrite mulr0 addr0 /= mulr1 => e0 e1.
  have -> : (1 - w) * b = E (m w x) (then_ (rcons c x) [::] b) - E (m w x) (then_ (rcons c x) [::] 0).
    by rewrite e0 e1 [w + _]addrC addrK.
  by rewrite -E_sub; apply: eq_E => -[q|] /=; rewrite ?subrr ?subr0.
transitivity (hit R xs x * found + (1 - w) * b).
  rewrite -missed /found -E_mulr -E_add; apply: eq_E => -[q|] /=; last by rewrite mulr0 add0r.
  by rewrite addr0 follows_hit.
by rewrite /found h // mulr0 addr0 /goes mulrCA.
Qed.

(** From the weight a on, a subtree accepts with probability a, and gives what the target has. *)
Lemma traverse_law n k (a : R) c xs b : 0 <= a <= 1 ->
  E (traverse n k a c) (then_ c xs b) = a * text t c xs + (1 - a) * b.
Proof.
rewrite text_goes; elim: n k a c xs b => [|n IH] k a c xs b a01; first by rewrite /= node_end_law.
rewrite /= E_bind visit_law // => [j|y|]; [|exact: t_ge0|by rewrite -mulr_sumr t_sum // mulr1].
by apply: fairly => w x zs b' w01; rewrite IH // text_goes.
Qed.

Lemma from_root_lossless c m : (forall xs b, E m (then_ c xs b) = text t c xs + 0 * b) -> lossless_at t c (from_root c m).
Proof.
move=> h xs; rewrite /traversal.from_root E_bind -[RHS]addr0 -(mul0r (text t c xs)) -h; apply: eq_E => -[q|] /=.
  by rewrite E_ret.
by rewrite E_map E_draw text_hit //; apply: eq_bigr => y _; rewrite /output /= follows_hit follows_text.
Qed.

(** Traversal verification of K i.i.d. drafts, each counted, is lossless, for every K, draft length and vocabulary. *)
Theorem traversal_lossless K n : lossless t (traversal K n).
Proof.
move=> c; apply: from_root_lossless => xs b; rewrite traverse_law ?ler01 ?lexx //.
by rewrite mul1r subrr.
Qed.

(** Equal drafts merged: outside the tokens seen the draft's law is m p, and a token seen changes nothing. *)
Lemma visit_merged_law sub c xs b k p m seen (a : R) left : (forall j, fair c xs (sub j)) ->
  (law p \/ p =1 fun=> 0) -> (forall y, y \notin seen -> d c y = m * p y) -> (forall y, y \in seen -> p y = 0) ->
  0 <= a <= 1 -> (forall y, 0 <= left y) -> \sum_y a * left y = a ->
  E (draws (d c) k) (fun ys => E (@visit_merged (reals R) V eq_op (enum V) sub p seen a left ys) (then_ c xs b)) =
  \sum_y a * left y * goes c xs y + (1 - a) * b.
Proof.
move=> sub_fair; elim: k p m seen a left => [|k IH] p m seen a left hp out ins a01 left0 sum.
  by rewrite /= E_ret /= node_end_law.
set TOTAL := RHS; rewrite drawsS.
have mem x : has (eq_op x) seen = (x \in seen).
  by rewrite -has_pred1; apply: eq_has => y; rewrite /= eq_sym.
have again x : x \in seen -> E (draws (d c) k) (fun ys =>
    E (@visit_merged (reals R) V eq_op (enum V) sub p seen a left (x :: ys)) (then_ c xs b)) = TOTAL.
  by move=> xs_seen; rewrite /=; under eq_E do rewrite mem xs_seen; apply: (IH p m).
case: hp => [hp|z]; last first.
  rewrite -[RHS]mulr1 -(d_sum d_law c) mulr_sumr; apply: eq_bigr => x _; case: (boolP (x \in seen)) => h.
    by rewrite again // mulrC.
  by rewrite out // z mulr0 mul0r mulr0.
case: (hp) => p0 p1; have hw := step_weight hp a01 left0 [::].
pose w x : R := @weight (reals R) V (fun=> p) (fun=> left) a [::] x.
pose h : R := @coin (reals R) V (enum V) (fun=> p) (fun=> left) a [::].
pose left' y : R := @residual (reals R) V (enum V) (fun=> p) (fun=> left) a [::] y.
set NEXT := \sum_y h * left' y * goes c xs y + (1 - h) * b.
have fresh x : x \notin seen -> d c x * E (draws (d c) k) (fun ys =>
    E (@visit_merged (reals R) V eq_op (enum V) sub p seen a left (x :: ys)) (then_ c xs b)) =
    m * (p x * w x * goes c xs x + (p x - p x * w x) * NEXT).
  move=> nx; pose S := \sum_z (if z == x then 0 else p z).
  have q0 y : 0 <= (if y == x then 0 else p y) by case: ifP.
  pose on ys : R := E (@visit_merged (reals R) V eq_op (enum V) sub (@without (reals R) V eq_op (enum V) p x) (x :: seen) h left' ys) (then_ c xs b).
  have onE : E (draws (d c) k) on = NEXT.
    apply: (IH _ (m * S)); [exact: without_law | | | exact: next_bounds | by move=> y; apply: rest_ge0 | exact: next_sum].
    - move=> y; rewrite inE negb_or => /andP[yx ny]; rewrite /without totalE /= -mulrA share // (negbTE yx); exact: out.
    by move=> y; rewrite inE /without /=; case: eqP => [_ _|_ /ins ->]; rewrite ?if_same mul0r.
  transitivity (d c x * E (draws (d c) k) (fun ys => w x * goes c xs x + (1 - w x) * on ys)).
    congr (_ * _); apply: eq_E => ys; rewrite /= mem (negbTE nx) E_bind -(sub_fair (1 + count (eq_op x) ys)%N) ?hw //.
    rewrite /= eqxx; apply: eq_E => -[q|] //; by rewrite E_ret.
  by rewrite E_add E_const draws_one ?d_sum // mulr1 E_mulr onE out //; ring.
have total := step_total hp a01 left0 sum [::] (goes c xs) b; rewrite -/h -/left' -/NEXT -/TOTAL in total.
have ms : \sum_x (x \in seen)%:R * d c x = 1 - m.
  have -> : 1 - m = \sum_x (d c x - m * p x) by rewrite sumrB d_sum // -mulr_sumr p1 mulr1.
  apply: eq_bigr => x _.
  by case: (boolP (x \in seen)) => hx; [rewrite ins // mulr0 subr0 mul1r | rewrite out // subrr mul0r].
transitivity (\sum_x ((x \in seen)%:R * d c x * TOTAL + m * (p x * w x * goes c xs x + (p x - p x * w x) * NEXT))).
  apply: eq_bigr => x _; case: (boolP (x \in seen)) => hx; last by rewrite mul0r mul0r add0r fresh.
  by rewrite again // ins // !mul0r subrr mul0r addr0 mulr0 addr0 mul1r.
by rewrite big_split /= -mulr_suml ms -mulr_sumr total; ring.
Qed.

Lemma traverse_merged_law n k (a : R) c xs b : 0 <= a <= 1 ->
  E (traverse_merged n k a c) (then_ c xs b) = a * text t c xs + (1 - a) * b.
Proof.
rewrite text_goes; elim: n k a c xs b => [|n IH] k a c xs b a01; first by rewrite /= node_end_law.
rewrite /= E_bind (@visit_merged_law _ _ _ _ _ _ 1) // => [j||y _|y|].
- by apply: fairly => w x zs b' w01; rewrite IH // text_goes.
- by left.
- by rewrite mul1r.
- exact: t_ge0.
by rewrite -mulr_sumr t_sum // mulr1.
Qed.

(** Traversal verification of K i.i.d. drafts, equal ones merged, is lossless. *)
Theorem traversal_merged_lossless K n : lossless t (traversal_merged K n).
Proof.
move=> c; apply: from_root_lossless => xs b; rewrite traverse_merged_law ?ler01 ?lexx //.
by rewrite mul1r subrr.
Qed.

(** The same of a tree drawn without replacement (weng2025): p, the rest of the draft, is a law or all 0. *)
Lemma visit_without_law sub c xs b k p (a : R) left : fair c xs sub -> (law p \/ p =1 fun=> 0) -> 0 <= a <= 1 ->
  (forall y, 0 <= left y) -> \sum_y a * left y = a ->
  E (@visit_without (reals R) V eq_op (enum V) sub k p a left) (then_ c xs b) =
  \sum_y a * left y * goes c xs y + (1 - a) * b.
Proof.
move=> sub_fair; elim: k p a left => [|k IH] p a left hp a01 left0 sum; first exact: node_end_law.
rewrite /= E_bind E_flip /= totalE; case: hp => [hp|z]; last first.
  have -> : \sum_x p x = 0 by apply: big1 => x _; rewrite z.
  by rewrite mul0r mul0r add0r subr0 mul1r node_end_law.
case: (hp) => p0 p1; rewrite p1 divr1 subrr mul0r addr0 mul1r E_bind E_draw.
rewrite -(step_total hp a01 left0 sum [::]); apply: eq_bigr => x _; rewrite E_bind.
set on := visit_without _ _ _ _ _ _ _.
have onE : E on (then_ c xs b) = \sum_y @coin (reals R) V (enum V) (fun=> p) (fun=> left) a [::]
    * @residual (reals R) V (enum V) (fun=> p) (fun=> left) a [::] y * goes c xs y
    + (1 - @coin (reals R) V (enum V) (fun=> p) (fun=> left) a [::]) * b.
  apply: IH; [exact: without_law | exact: next_bounds | by move=> y; apply: rest_ge0 | exact: next_sum].
rewrite -onE; have w01 := step_weight hp a01 left0 [::] x.
rewrite (@eq_E _ _ _ _ (fun o => if o is Some q then follows (text t) c (x :: output q) xs else E on (then_ c xs b))) => [|[q|] //].
  by rewrite sub_fair // mulrDr mulrA [p x * ((1 - _) * _)]mulrA mulrBr mulr1.
by rewrite E_ret.
Qed.

Lemma traverse_without_law children n i (a : R) c xs b : 0 <= a <= 1 ->
  E (traverse_without children n i a c) (then_ c xs b) = a * text t c xs + (1 - a) * b.
Proof.
rewrite text_goes; elim: n i a c xs b => [|n IH] i a c xs b a01; first by rewrite /= node_end_law.
apply: visit_without_law; [|by left|exact: a01|exact: t_ge0|by rewrite -mulr_sumr t_sum // mulr1].
by apply: fairly => w x zs b' w01; rewrite IH // text_goes.
Qed.

(** Traversal verification of a tree drawn without replacement is lossless, for every tree, draft length and V. *)
Theorem traversal_without_lossless children n : lossless t (traversal_without children n).
Proof.
move=> c; apply: from_root_lossless => xs b; rewrite traverse_without_law ?ler01 ?lexx //.
by rewrite mul1r subrr.
Qed.
End Traversal.
