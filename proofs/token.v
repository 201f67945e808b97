(** Token verification (leviathan2023; sun2025 Algorithm 1). *)
From proofs Require Import prelude program model valid.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (tokens : seq V) (d t : program.model O V).

(** n drafts to go after the context c: a draft x is accepted with probability min(1, t/d); the first that is not
    is replaced by a draw from [t - d]+, normalised; after n of them one more token is drawn from t. *)
Fixpoint token (n : nat) c : dist O (seq V * V) :=
  if n is m.+1 then
    let! x := draw tokens (d c) in
    let! accepted := flip (weight d t (one O) c x) in
    if accepted then
      let! o := token m (rcons c x) in
      ret O (x :: o.1, o.2)
    else
      let! y := draw tokens (residual tokens d t (one O) c) in
      ret O ([::], y)
  else
    let! y := draw tokens (t c) in
    ret O ([::], y).
End Rule.

Section Token.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation token := (@token (reals R) V (enum V) d t).
Notation excess := (@excess (reals R) V d t).

Lemma token0 c f : E (token 0 c) f = \sum_y t c y * f ([::], y).
Proof. by rewrite /= E_map E_draw. Qed.

(** An accepted draft takes the mass min(d, t), a correction [t - d]+. *)
Lemma tokenS n c f : E (token n.+1 c) f =
  \sum_x shared (d c) (t c) x * E (token n (rcons c x)) (fun o => f (x :: o.1, o.2))
  + \sum_y excess 1 c y * f ([::], y).
Proof.
rewrite [token _ _]/= E_bind E_draw.
pose corrected := \sum_y (@residual (reals R) V (enum V) d t 1 c y : R) * f ([::], y).
rewrite [LHS](eq_bigr (fun x => shared (d c) (t c) x * E (token n (rcons c x)) (fun o => f (x :: o.1, o.2))
  + (d c x - shared (d c) (t c) x) * corrected)); last first.
  move=> x _ /=; rewrite E_bind E_flip /= !E_map E_draw -d_weight_one // -/corrected.
  move: (E _ _) (@weight (reals R) V d t 1 c x : R) => A w; by ring.
rewrite big_split -mulr_suml sumrB d_sum //= -tv_shared ?t_sum // -tv_excesses.
congr (_ + _); rewrite mulr_sumr; apply: eq_bigr => y _.
by rewrite mulrA excesses_residual.
Qed.

(** leviathan2023, Appendix A.1, and yin2024 Theorem 1 (unbiased): token verification is lossless for every
    vocabulary, draft and target of any context, and number of drafts. *)
Theorem token_lossless n : lossless t (token n).
Proof.
elim: n => [|n IH] c xs.
  rewrite token0; case: xs => [|z s] /=; first by under eq_bigr do rewrite mulr1; rewrite t_sum.
  by under eq_bigr do rewrite follows_text; rewrite (sum_eq_mul _ (fun y => text t (rcons c y) s)).
rewrite tokenS; case: xs => [|z s] /=.
  under eq_bigr do rewrite (lossless_one (IH _)) mulr1.
  under [X in _ + X]eq_bigr do rewrite mulr1.
  by rewrite -/(excesses d t 1 c) tv_excesses tv_shared ?t_sum // addrC subrK.
under eq_bigr do rewrite E_mulr IH.
under [X in _ + X]eq_bigr do rewrite follows_text.
rewrite (sum_eq_mul _ (fun x => text t (rcons c x) s)) (sum_eq_mul _ (fun x => text t (rcons c x) s)) -mulrDl.
by rewrite /excess /= mul1r max_min addrC subrK.
Qed.

(** Whole decodes: iterations one after another (sun2025 Lemma 2). *)
Corollary token_decodes n k c xs : E (chain (token n) k c) (fun o => follows (text t) c o xs) = text t c xs.
Proof. exact/chain_lossless/token_lossless. Qed.

Lemma token_short n c : every (fun o => size o.1 <= n)%N (token n c).
Proof.
elim: n c => [|n IH] c; first by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
apply: (every_bind (@every_true _ _ _)) => x _; apply: (every_bind (@every_true _ _ _)) => -[] _.
  by apply: (every_bind (IH _)) => o ho; apply: every_ret.
by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
Qed.

(** The mass that draft and target share along a path. *)
Fixpoint overlap c (x : seq V) : R := if x is y :: s then shared (d c) (t c) y * overlap (rcons c y) s else 1.

Lemma total_one n c : E (token n c) (fun=> 1) = 1.
Proof. exact: lossless_one (token_lossless n c). Qed.

Lemma token_accepts n c x : (size x <= n)%N -> accepts (token n c) x = overlap c x.
Proof.
rewrite /accepts; elim: x n c => [|z x IH] n c hn /=.
  by rewrite -[RHS](total_one n c); apply: eq_E => o; rewrite begins_nil.
case: n hn => // n hn; rewrite tokenS [X in _ + X]big1 => [|y _]; last by rewrite begins_cons mulr0.
rewrite addr0 -(IH n) // -(sum_eq_mul _ (fun y => E (token n (rcons c y)) (fun o => begins R x o.1))).
by apply: eq_bigr => y _; congr (_ * _); rewrite -E_mulr; apply: eq_E => o; rewrite begins_cons.
Qed.

(** sun2024 Theorem 2: P(tau >= i), the sum over all paths of i tokens of the mass that draft and target share. *)
Theorem token_tail n c i : (i <= n)%N ->
  E (token n c) (fun o => (i <= size o.1)%:R) = sum_texts i (overlap c).
Proof.
move=> hi; rewrite (eq_E _ (fun o => tail_begins R i o.1)) -sum_texts_E.
by apply: eq_sum_texts => x hx; apply: token_accepts; rewrite hx.
Qed.

(** sun2024 Theorem 2, equation (7). *)
Theorem token_mean n c :
  E (token n c) (fun o => (size o.1)%:R) = \sum_(i < n) sum_texts i.+1 (overlap c).
Proof.
rewrite (mean_size (p := fun o => o.1) (@token_short n c)); apply: eq_bigr => i _; apply: eq_sum_texts => x hx.
by apply: token_accepts; rewrite hx.
Qed.

(** Without context it is (1 - TV)^i (leviathan2023, the geometric law). *)
Corollary token_tail_iid n c i p q : (forall c, d c = p) -> (forall c, t c = q) -> (i <= n)%N ->
  E (token n c) (fun o => (i <= size o.1)%:R) = (1 - tv p q) ^+ i.
Proof.
move=> hd ht hi; rewrite token_tail // {hi}; elim: i c => [|i IH] c //=.
under eq_bigr do rewrite sum_texts_mulr IH.
rewrite -mulr_suml exprS; congr (_ * _); rewrite tv_shared; last by rewrite -(ht c) t_sum.
by rewrite opprB addrCA subrr addr0 hd ht.
Qed.

Lemma shared_ge0 c x : 0 <= shared (d c) (t c) x. Proof. by rewrite /shared le_min d_ge0 // t_ge0. Qed.

Lemma overlap_ge0 c x : 0 <= overlap c x.
Proof.
elim: x c => [|y x IH] c /=; first exact: ler01.
by rewrite mulr_ge0 // /shared le_min d_ge0 // t_ge0.
Qed.

Lemma token_nonneg n c : nonneg (token n c).
Proof.
elim: n c => [|n IH] c.
  by apply: nonneg_bind => [|y]; [apply: nonneg_draw; case: (t_law c) | exact: nonneg_ret].
apply: nonneg_bind => [|x]; first by apply: nonneg_draw; case: (d_law c).
apply: nonneg_bind => [|[]].
- by apply: nonneg_flip; apply: weight_bounds; rewrite ?ler01.
- by apply: nonneg_bind => [|o]; [exact: IH | exact: nonneg_ret].
by apply: nonneg_bind => [|y]; [apply: nonneg_draw => x'; apply: residual_ge0 | exact: nonneg_ret].
Qed.

Lemma token_valid n c : valid d t n c (token n c).
Proof.
split; [exact: token_nonneg | exact: token_short | | exact: token_lossless].
move=> x; case: (leqP (size x) n) => hx.
  rewrite token_accepts //; elim: x c {hx} => [|y x IH] c /=; first exact: lexx.
  apply: ler_pM; [exact: shared_ge0 | exact: overlap_ge0 | by rewrite /shared ge_min lexx | exact: IH].
rewrite /accepts (@eq_E_in _ _ _ _ (fun=> 0)) ?E_0 ?text_ge0 // => q hq.
rewrite /begins; case e: prefix => //; case/prefixP: e => s e; have := token_short hq; rewrite e size_cat => h.
by move: (leq_trans hx (leq_trans (leq_addr _ _) h)); rewrite ltnn.
Qed.

(** The worth of an iteration where h is the worth of the context after it. *)
Definition worth n (h : seq V -> R) c : R := E (token n c) (fun o => (size (output o))%:R + h (c ++ output o)).

Lemma worth0 h c : worth 0 h c = \sum_y t c y * (1 + h (rcons c y)).
Proof. by rewrite /worth token0; apply: eq_bigr => y _; rewrite /= cats1. Qed.

Lemma worthS n h c : worth n.+1 h c =
  \sum_x shared (d c) (t c) x * (1 + worth n h (rcons c x)) + \sum_y excess 1 c y * (1 + h (rcons c y)).
Proof.
rewrite /worth tokenS; congr (_ + _); apply: eq_bigr => x _; last by rewrite /= cats1.
congr (_ * _); transitivity (E (token n (rcons c x)) (fun o => 1 + ((size (output o))%:R + h (rcons c x ++ output o)))).
  by apply: eq_E => o; rewrite /output /= mulrS -addrA cat_rcons.
by rewrite E_add total_one.
Qed.

(** A draft that is accepted or a correction: the next token is the target's. *)
Lemma shared_excess c (f : V -> R) :
  \sum_x shared (d c) (t c) x * f x + \sum_y excess 1 c y * f y = \sum_x t c x * f x.
Proof.
rewrite -big_split; apply: eq_bigr => x _ /=; rewrite -mulrDl; congr (_ * _).
by rewrite /excess /= mul1r max_min addrC subrK.
Qed.

Lemma worth_more n h c : (forall c, 0 <= gain t h c) -> worth n h c <= worth n.+1 h c /\ h c <= worth n h c.
Proof.
move=> g; have w0 b : h b <= worth 0 h b.
  have := g b; rewrite /gain subr_ge0 worth0 => hb; apply: (le_trans hb).
  by under [X in _ <= X]eq_bigr do rewrite mulrDr mulr1; rewrite big_split /= t_sum.
elim: n c => [|n IH] c.
  split; last exact: w0.
  rewrite worthS worth0 -(shared_excess c (fun x => 1 + h (rcons c x))) lerD2r.
  by apply: ler_sum => x _; apply: ler_wpM2l; [exact: shared_ge0 | rewrite lerD2l].
case: (IH c) => up hw; split; last exact: le_trans hw up.
rewrite (worthS n) (worthS n.+1) lerD2r.
by apply: ler_sum => x _; apply: ler_wpM2l; [exact: shared_ge0 | rewrite lerD2l; case: (IH (rcons c x))].
Qed.

(** Where one more token loses nothing it loses nothing one iteration of token verification earlier. *)
Lemma worth_gain n h c : (forall c, 0 <= gain t h c) -> 0 <= gain t (worth n h) c.
Proof.
move=> g; rewrite /gain subr_ge0.
have -> : 1 + \sum_y t c y * worth n h (rcons c y) = \sum_y t c y * (1 + worth n h (rcons c y)).
  by under [RHS]eq_bigr do rewrite mulrDr mulr1; rewrite big_split /= t_sum.
case: n => [|n].
  rewrite {1}worth0; apply: ler_sum => y _; apply: ler_wpM2l; first exact: t_ge0.
  by rewrite lerD2l; case: (worth_more 0 (rcons c y) g).
rewrite {1}worthS -(shared_excess c (fun y => 1 + worth n.+1 h (rcons c y))); apply: lerD; apply: ler_sum => y _.
  apply: ler_wpM2l; first exact: shared_ge0.
  by rewrite lerD2l; case: (worth_more n (rcons c y) g).
apply: ler_wpM2l; first exact: excess_ge0.
by rewrite lerD2l; case: (worth_more n.+1 (rcons c y) g).
Qed.
End Token.

(** A decode of T tokens, where each iteration drafts up to the horizon: the number of corrections. What is drawn
    after the horizon is reached is not emitted. k bounds the iterations: each emits a token, so k = T is enough. *)
Section Rejections.
Variables (O : ops) (V : Type) (tokens : seq V) (d t : program.model O V).
Fixpoint rejections (k T : nat) c : dist O nat :=
  if k is j.+1 then
    let! o := token tokens d t T c in
    if size o.1 == T then ret O 0%N
    else
      let! r := rejections j (T - (size o.1).+1) (c ++ output o) in
      ret O r.+1
  else ret O 0%N.
End Rejections.

Section Rejected.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation token := (@token (reals R) V (enum V) d t).
Notation rejections := (@rejections (reals R) V (enum V) d t).

(** E_{x~t} TV(d(.|x), t(.|x)), x of i tokens. *)
Definition mean_tv i c : R := sum_texts i (fun x => text t c x * tv (d (c ++ x)) (t (c ++ x))).

Lemma mean_tvS i c : mean_tv i.+1 c = \sum_x t c x * mean_tv i (rcons c x).
Proof.
apply: eq_bigr => x _; rewrite -sum_texts_mulr; apply: eq_sum_texts => s _.
by rewrite /= mulrA cat_rcons.
Qed.

Definition distance T c : R := \sum_(i < T) mean_tv i c.

Lemma distanceS T c : distance T.+1 c = tv (d c) (t c) + \sum_x t c x * distance T (rcons c x).
Proof.
rewrite /distance big_ord_recl; congr (_ + _); first by rewrite /mean_tv /= mul1r cats0.
rewrite (eq_bigr (fun i : 'I_T => \sum_x t c x * mean_tv i (rcons c x))) => [|i _]; last exact: mean_tvS.
by rewrite exchange_big; apply: eq_bigr => x _; rewrite mulr_sumr.
Qed.

Lemma token_distance T c :
  E (token T c) (fun o => if size o.1 == T then 0 else 1 + distance (T - (size o.1).+1) (c ++ output o)) = distance T c.
Proof.
elim: T c => [|T IH] c; first by rewrite token0 /distance big_ord0 big1 // => y _; rewrite mulr0.
rewrite tokenS // distanceS -(@shared_excess _ _ d t c (fun x => distance T (rcons c x))).
rewrite [RHS]addrCA; congr (_ + _).
  apply: eq_bigr => x _; rewrite -IH; congr (_ * _); apply: eq_E => o.
  by rewrite /= eqSS subSS /output /= cat_rcons.
rewrite -tv_excesses /excesses -big_split; apply: eq_bigr => y _ /=.
by rewrite subn1 /= cats1 mulrDr mulr1.
Qed.

(** yin2024 Theorem 1: the expected number of rejections of T tokens is the sum over positions of the expected total
    variation distance along a text of the target. *)
Theorem token_rejections T c :
  E (rejections T T c) (fun r => r%:R) = \sum_(i < T) sum_texts i (fun x => text t c x * tv (d (c ++ x)) (t (c ++ x))).
Proof.
rewrite -/(distance T c).
suff h k : forall T c, (T <= k)%N -> E (rejections k T c) (fun=> 1) = 1 /\
    E (rejections k T c) (fun r => r%:R) = distance T c by case: (h T T c (leqnn T)).
elim: k => [|k IH] {T} {c} T c.
  by rewrite leqn0 => /eqP -> /=; rewrite !E_ret /distance big_ord0.
move=> hT; split.
  rewrite /= E_bind -[RHS](total_one d_law t_law T c); apply: eq_E_in => q hq.
  case: eqP => e; first by rewrite E_ret.
  rewrite E_map; apply: (proj1 (IH _ _ _)); rewrite leq_subLR; apply: (leq_trans hT); by rewrite addSn ltnS leq_addl.
rewrite /= E_bind -token_distance; apply: eq_E_in => q hq.
case: eqP => e; first by rewrite E_ret.
have le : (T - (size q.2.1).+1 <= k)%N by rewrite leq_subLR (leq_trans hT) // addSn ltnS leq_addl.
case: (IH _ (c ++ output q.2) le) => one <-; rewrite E_map -{2}one -E_add; apply: eq_E => r.
by rewrite mulrS.
Qed.
End Rejected.
