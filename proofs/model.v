(** Models and their laws: total variation distance, joint laws of a text, what it means to be lossless. *)
From proofs Require Import prelude.
From proofs Require Export program expectation.
Local Open Scope ring_scope.

Section Model.
Variables (R : realFieldType) (V : finType).
Notation dist := (dist (reals R)).
Notation model := (seq V -> V -> R).

Lemma E_draw (p : V -> R) f : E (@draw (reals R) V (enum V) p) f = \sum_x p x * f x.
Proof. by rewrite /E /draw big_map big_enum. Qed.

Lemma totalE (f : V -> R) : @total (reals R) V (enum V) f = \sum_x f x.
Proof.
rewrite -big_enum /total; elim: (enum V) => [|x s IH] /=; first by rewrite big_nil.
by rewrite big_cons IH.
Qed.

(** A law on tokens; a model is a law after every context. *)
Definition law (p : V -> R) := (forall x, 0 <= p x) /\ \sum_x p x = 1.
Definition lawful (m : model) := forall c, law (m c).

(** The total variation distance of the laws p and q, and min(p, q), the mass that they share. *)
Definition tv (p q : V -> R) := \sum_x Num.max (q x - p x) 0.
Definition shared (p q : V -> R) x := Num.min (p x) (q x).

Lemma max_min (a b : R) : Num.max (b - a) 0 = b - Num.min a b.
Proof.
case: (leP a b) => h; first by rewrite max_l ?subr_ge0.
by rewrite max_r ?subrr // subr_le0 ltW.
Qed.

Lemma tv_shared p q : \sum_x q x = 1 -> tv p q = 1 - \sum_x shared p q x.
Proof. by move=> h; rewrite /tv (eq_bigr _ (fun x _ => max_min (p x) (q x))) sumrB h. Qed.

Lemma tv_half p q : \sum_x p x = 1 -> \sum_x q x = 1 -> tv p q = (\sum_x `|p x - q x|) / 2.
Proof.
move=> hp hq; have two : (2 : R) != 0 by rewrite pnatr_eq0.
apply: (mulIf two); rewrite mulfVK //.
have e x : `|p x - q x| = p x + q x - shared p q x * 2.
  rewrite /shared mulr_natr mulr2n; case: (leP (p x) (q x)) => h.
    by rewrite ler0_norm ?subr_le0 // opprB opprD addrACA subrr add0r.
  by rewrite gtr0_norm ?subr_gt0 // opprD addrACA subrr addr0.
rewrite (eq_bigr _ (fun x _ => e x)) sumrB big_split /= hp hq -mulr_suml tv_shared //.
by rewrite mulrBl mul1r.
Qed.

(** The joint law of a text after a context. *)
Fixpoint text (m : model) c (xs : seq V) : R := if xs is x :: s then m c x * text m (rcons c x) s else 1.

Lemma text_rcons m c xs y : text m c (rcons xs y) = text m c xs * m (c ++ xs) y.
Proof.
elim: xs c => [|x xs IH] c /=; first by rewrite cats0 mul1r mulr1.
by rewrite IH cat_rcons mulrA.
Qed.

Lemma text_cat m c xs ys : text m c (xs ++ ys) = text m c xs * text m (c ++ xs) ys.
Proof.
elim: xs c => [|x xs IH] c /=; first by rewrite cats0 mul1r.
by rewrite IH cat_rcons mulrA.
Qed.

Lemma text_ge0 m c xs : lawful m -> 0 <= text m c xs.
Proof. by move=> hm; elim: xs c => [|x xs IH] c /=; [exact: ler01 | apply: mulr_ge0 => //; case: (hm c)]. Qed.

(** [follows g c o xs]: the chance that the tokens o, which come after the context c, and then what g says of what
    comes after them begin with xs. *)
Fixpoint follows (g : seq V -> seq V -> R) c (o xs : seq V) : R :=
  match xs, o with
  | [::], _ => 1
  | _, [::] => g c xs
  | z :: s, x :: q => (x == z)%:R * follows g (rcons c x) q s
  end.

(** An iteration of a rule is lossless: what it emits, continued by the target, has the target's law, that is the
    chance that this begins with the text xs is the target's, for every text xs. The empty text says that the
    probabilities of the rule's outcomes add up to 1. *)
Definition lossless_at (t : model) c (m : dist (seq V * V)) :=
  forall xs, E m (fun o => follows (text t) c (output o) xs) = text t c xs.
Definition lossless t (rule : seq V -> dist (seq V * V)) := forall c, lossless_at t c (rule c).

Lemma follows_nil g c o : follows g c o [::] = 1. Proof. by case: o. Qed.

Lemma follows_text t c xs : follows (text t) c [::] xs = text t c xs. Proof. by case: xs. Qed.

Lemma eq_follows g h c o xs : (forall c xs, g c xs = h c xs) -> follows g c o xs = follows h c o xs.
Proof.
by move=> e; elim: o c xs => [|x o IH] c [|z xs] //=; rewrite IH.
Qed.

Lemma follows_cat g c o s xs :
  follows g c (o ++ s) xs = follows (fun c' => follows g c' s) c o xs.
Proof. by elim: o c xs => [|x o IH] c [|z xs] //=; rewrite ?follows_nil ?IH. Qed.

Lemma sum_eq (f : V -> R) z : \sum_x f x * (x == z)%:R = f z.
Proof.
rewrite (bigD1 z) //= eqxx mulr1 big1 ?addr0 // => x nx; by rewrite (negbTE nx) mulr0.
Qed.

Lemma sum_eq_mul (f g : V -> R) z : \sum_x f x * ((x == z)%:R * g x) = f z * g z.
Proof. by rewrite -(sum_eq (fun x => f x * g x)); apply: eq_bigr => x _; rewrite mulrCA mulrC. Qed.

Lemma lossless_one t c m : lossless_at t c m -> E m (fun=> 1) = 1.
Proof. by move=> h; move: (h [::]) => /= e; rewrite -[RHS]e; apply: eq_E => o; rewrite follows_nil. Qed.

(** sun2025 Lemma 2, forward, for every rule: iterations that are lossless each are lossless one after another. *)
Theorem chain_lossless t rule k c xs : lossless t rule ->
  E (chain rule k c) (fun o => follows (text t) c o xs) = text t c xs.
Proof.
move=> h; elim: k c xs => [|k IH] c xs /=; first by rewrite E_ret; case: xs.
rewrite E_bind -[RHS]h; apply: eq_E => o; rewrite E_bind.
move: (output o) => {o} s.
transitivity (E (chain rule k (c ++ s)) (fun q => follows (fun c' => follows (text t) c' q) c s xs)).
  by apply: eq_E => q; rewrite E_ret follows_cat.
have all c' : E (chain rule k c') (fun=> 1) = 1.
  by move: (IH c' [::]) => /= e; rewrite -[RHS]e; apply: eq_E => q; rewrite follows_nil.
elim: s c xs => [|x s IHs] c [|z xs] /=; try exact: all.
  by rewrite cats0; apply: (IH c (z :: xs)).
by rewrite E_mulr -cat_rcons IHs.
Qed.
End Model.
Arguments follows {R V} g c !o !xs : simpl nomatch.

(** The weight of a path and what is left of the target: for every weight w in [0, 1]. *)
Section Weights.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation excess := (@excess (reals R) V d t).
Notation weight := (@weight (reals R) V d t).
Notation residual := (@residual (reals R) V (enum V) d t).

Lemma d_ge0 c x : 0 <= d c x. Proof. by case: (d_law c). Qed.
Lemma t_ge0 c x : 0 <= t c x. Proof. by case: (t_law c). Qed.
Lemma d_sum c : \sum_x d c x = 1. Proof. by case: (d_law c). Qed.
Lemma t_sum c : \sum_x t c x = 1. Proof. by case: (t_law c). Qed.

Lemma excess_ge0 w c x : 0 <= (excess w c x : R). Proof. by rewrite /excess /= le_max lexx orbT. Qed.

Definition excesses (w : R) c : R := \sum_x excess w c x.

Lemma excess_sumE w c : @excess_sum (reals R) V (enum V) d t w c = excesses w c.
Proof. exact: totalE. Qed.

Lemma excesses_ge0 w c : 0 <= excesses w c.
Proof. by apply: sumr_ge0 => x _; apply: excess_ge0. Qed.

Lemma weight_bounds (w : R) c x : 0 <= w -> 0 <= (weight w c x : R) <= 1.
Proof.
move=> w0; rewrite /weight /= ge_min lexx orTb andbT le_min ler01 /=.
by rewrite divr_ge0 ?mulr_ge0 ?d_ge0 ?t_ge0.
Qed.

Lemma d_weight (w : R) c x : 0 <= w -> d c x * weight w c x = w * t c x - excess w c x.
Proof.
move=> w0; rewrite /weight /excess /= max_min subKr.
have [->|dn] := eqVneq (d c x) 0; first by rewrite mul0r min_l // mulr_ge0 // t_ge0.
have dp : 0 < d c x by rewrite lt_def dn d_ge0.
by rewrite minr_pMr ?d_ge0 // mulr1 [d c x * _]mulrC divfK.
Qed.

Lemma d_weight_one c x : d c x * weight 1 c x = shared (d c) (t c) x.
Proof. by rewrite d_weight ?ler01 // /excess /= max_min mul1r subKr. Qed.

Lemma deeper (w : R) c : 0 <= w -> \sum_x d c x * weight w c x = w - excesses w c.
Proof.
by move=> w0; rewrite (eq_bigr _ (fun x _ => d_weight c x w0)) sumrB -mulr_sumr t_sum mulr1.
Qed.

(** A draw from the residual law, made with the probability of its sum, draws x with the excess of x: also where the
    sum is 0. *)
Lemma excesses_residual w c x : excesses w c * residual w c x = excess w c x.
Proof.
rewrite /residual excess_sumE /=; have [z|z] := eqVneq (excesses w c) 0; last by rewrite mulrC divfK.
rewrite z mul0r; apply/esym/eqP; rewrite eq_le excess_ge0 andbT; apply: (@le_trans _ _ (excesses w c)); last by rewrite z.
by rewrite /excesses (bigD1 x) // lerDl; apply: sumr_ge0 => y _; apply: excess_ge0.
Qed.

Lemma residual_ge0 w c x : 0 <= (residual w c x : R).
Proof. by rewrite /residual excess_sumE /= divr_ge0 ?excess_ge0 ?excesses_ge0. Qed.

Lemma tv_excesses c : excesses 1 c = tv (d c) (t c).
Proof. by apply: eq_bigr => x _; rewrite /excess /= mul1r. Qed.
End Weights.

(** Sums over all texts of i tokens, and of what begins with a given text. *)
Section Texts.
Variables (R : realFieldType) (V : finType).

Fixpoint sum_texts (i : nat) (F : seq V -> R) : R :=
  if i is j.+1 then \sum_x sum_texts j (fun s => F (x :: s)) else F [::].

Definition begins (x p : seq V) : R := (prefix x p)%:R.

Lemma eq_sum_texts i F G : (forall x, size x = i -> F x = G x) -> sum_texts i F = sum_texts i G.
Proof.
elim: i F G => [|i IH] F G h /=; first exact: h.
by apply: eq_bigr => x _; apply: IH => s hs; apply: h; rewrite /= hs.
Qed.

Lemma ler_sum_texts i F G : (forall x, size x = i -> F x <= G x) -> sum_texts i F <= sum_texts i G.
Proof.
elim: i F G => [|i IH] F G h /=; first exact: h.
by apply: ler_sum => x _; apply: IH => s hs; apply: h; rewrite /= hs.
Qed.

Lemma sum_texts_mulr i F a : sum_texts i (fun x => a * F x) = a * sum_texts i F.
Proof. by elim: i F => [|i IH] F //=; rewrite mulr_sumr; apply: eq_bigr => x _; rewrite IH. Qed.

Lemma sum_texts_0 i : sum_texts i (fun=> 0) = 0.
Proof. by elim: i => [|i IH] //=; rewrite big1. Qed.

Lemma sum_texts_E i A (m : dist (reals R) A) F :
  sum_texts i (fun x => E m (F x)) = E m (fun a => sum_texts i (fun x => F x a)).
Proof. by elim: i F => [|i IH] F //=; rewrite E_sum; apply: eq_bigr => x _; rewrite IH. Qed.

(** It is the sum over the finite type of tuples. *)
Lemma sum_texts_tuple i F : sum_texts i F = \sum_(x : i.-tuple V) F x.
Proof.
elim: i F => [|i IH] F /=.
  by rewrite (bigD1 [tuple]) //= big1 ?addr0 // => x; rewrite tuple0.
rewrite (eq_bigr _ (fun x _ => IH _)) pair_big /=.
rewrite (reindex (fun q : V * i.-tuple V => [tuple of q.1 :: q.2])) //=.
exists (fun x : i.+1.-tuple V => (thead x, [tuple of behead x])) => [[a b]|x] _ /=.
  by congr pair; apply: val_inj.
by rewrite [RHS]tuple_eta.
Qed.

Lemma begins_cons x s p : begins (x :: s) p = if p is y :: q then (y == x)%:R * begins s q else 0.
Proof. by case: p => [|y q] //=; rewrite /begins /= eq_sym; case: (y == x); rewrite ?mul1r ?mul0r. Qed.

(** At least i tokens: the first i of them are some text of i tokens. *)
Lemma tail_begins i p : (i <= size p)%:R = sum_texts i (fun x => begins x p).
Proof.
elim: i p => [|i IH] [|y p] //=.
  by rewrite big1 // => x _; rewrite (eq_sum_texts (G := fun=> 0)) ?sum_texts_0 // => s _; rewrite begins_cons.
rewrite ltnS IH -[LHS](sum_eq (fun=> sum_texts i (fun s => begins s p)) y).
apply: eq_bigr => x _; rewrite mulrC -sum_texts_mulr; apply: eq_sum_texts => s _.
by rewrite begins_cons eq_sym.
Qed.

Lemma sum_tails n k : (k <= n)%N -> (k%:R : R) = \sum_(i < n) (i.+1 <= k)%:R.
Proof.
elim: n k => [|n IH] [|k] hk; rewrite ?big_ord0 // big_ord_recl; first by rewrite add0r big1.
by rewrite [LHS]mulrS (IH k).
Qed.

(** A mean length is the sum of the probabilities of all texts of 1 to n tokens with which it may begin. *)
Lemma mean_size A (m : dist (reals R) A) (p : A -> seq V) n : every (fun a => size (p a) <= n)%N m ->
  E m (fun a => (size (p a))%:R) = \sum_(i < n) sum_texts i.+1 (fun x => E m (fun a => begins x (p a))).
Proof.
move=> short; rewrite (@eq_E_in _ _ _ _ (fun a => \sum_(i < n) (i.+1 <= size (p a))%:R)) => [|q hq]; last first.
  by apply: sum_tails; apply: (short q hq).
rewrite (E_sum_ord n m (fun i a => (i.+1 <= size (p a))%:R)); apply: eq_bigr => i _.
by rewrite (eq_E _ (fun a => tail_begins i.+1 (p a))) -sum_texts_E.
Qed.
End Texts.
