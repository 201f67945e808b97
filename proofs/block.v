(** Block verification (sun2025 Algorithm 2). *)
From proofs Require Import prelude program model valid token.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (tokens : seq V) (d t : program.model O V).

(** The coin of a path of weight w that has drafts to go: S / (S + 1 - w), S the sum of [w t - d]+. *)
Definition coin (w : num O) c : num O :=
  let s := excess_sum tokens d t w c in div s (sub (add s (one O)) w).

(** n drafts to go after the context c, where the path to c has the weight w. Of the coins from here on the last that
    accepts counts; None if there is none. *)
Fixpoint below (n : nat) (w : num O) c : dist O (option (seq V * V)) :=
  if n is m.+1 then
    let! x := draw tokens (d c) in
    let! deeper := below m (weight d t w c x) (rcons c x) in
    if deeper is Some o then ret O (Some (x :: o.1, o.2))
    else
      let! accepted := flip (coin w c) in
      if accepted then
        let! y := draw tokens (residual tokens d t w c) in
        ret O (Some ([::], y))
      else ret O None
  else
    let! accepted := flip w in
    if accepted then
      let! y := draw tokens (t c) in
      ret O (Some ([::], y))
    else ret O None.

(** The block: where no coin accepts, no draft is accepted, and Y is drawn from [t - d]+, normalised. *)
Definition block (n : nat) c : dist O (seq V * V) :=
  let! found := below n (one O) c in
  if found is Some o then ret O o
  else
    let! y := draw tokens (residual tokens d t (one O) c) in
    ret O ([::], y).
End Rule.

Section Block.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation coin := (@coin (reals R) V (enum V) d t).
Notation below := (@below (reals R) V (enum V) d t).
Notation block := (@block (reals R) V (enum V) d t).
Notation excess := (@excess (reals R) V d t).
Notation weight := (@weight (reals R) V d t).
Notation residual := (@residual (reals R) V (enum V) d t).
Notation excesses := (excesses d t).
Notation token := (@token.token (reals R) V (enum V) d t).

Lemma coinE (w : R) c : coin w c = excesses w c / (excesses w c + 1 - w).
Proof. by rewrite /coin excess_sumE. Qed.

(** What no deeper coin takes, times the coin, is S: also where the coin is 0/0. *)
Lemma settles (w : R) c : 0 <= w <= 1 -> (1 - (w - excesses w c)) * coin w c = excesses w c.
Proof.
case/andP=> w0 w1; rewrite coinE; have -> : 1 - (w - excesses w c) = excesses w c + 1 - w by ring.
have [z|z] := eqVneq (excesses w c + 1 - w) 0; last by rewrite mulrC divfK.
rewrite z mul0r; have s0 := excesses_ge0 d t w c.
have s1 : excesses w c = w - 1 by rewrite -[LHS]subr0 -z; ring.
by apply/eqP; rewrite eq_le s0 s1 subr_le0 w1.
Qed.

Lemma coin_bounds (w : R) c : 0 <= w <= 1 -> 0 <= coin w c <= 1.
Proof.
case/andP=> w0 w1; rewrite coinE; have s0 := excesses_ge0 d t w c.
have p : 0 <= excesses w c + 1 - w by rewrite -addrA addr_ge0 // subr_ge0.
rewrite divr_ge0 //=; have [z|z] := eqVneq (excesses w c + 1 - w) 0; first by rewrite z invr0 mulr0 ler01.
by rewrite ler_pdivrMr ?lt_def ?z // mul1r -addrA lerDl subr_ge0.
Qed.

(** The expectation of f where a coin accepts. *)
Definition found n (w : R) c f : R := E (below n w c) (fun o => if o is Some q then f q else 0).

Definition missed n (w : R) c : R := E (below n w c) (fun o => if o is Some q then 0 else 1).

Lemma below_split n w c f b :
  E (below n w c) (fun o => if o is Some q then f q else b) = found n w c f + b * missed n w c.
Proof.
rewrite /found /missed -E_mulr -E_add; apply: eq_E => -[q|]; first by rewrite mulr0 addr0.
by rewrite add0r mulr1.
Qed.

Lemma belowS n (w : R) c g : 0 <= w <= 1 -> (forall w c, 0 <= w <= 1 -> missed n w c = 1 - w) ->
  E (below n.+1 w c) g = \sum_x d c x * found n (weight w c x) (rcons c x) (fun o => g (Some (x :: o.1, o.2)))
    + \sum_y excess w c y * g (Some ([::], y)) + (1 - w) * g None.
Proof.
move=> w01 IH; case/andP: (w01) => w0 w1.
pose fallen := coin w c * (\sum_y residual w c y * g (Some ([::], y))) + (1 - coin w c) * g None.
have step x : E (let! deeper := below n (weight w c x) (rcons c x) in
    if deeper is Some o then ret (reals R) (Some (x :: o.1, o.2)) else
      let! accepted := flip (coin w c) in
      if accepted then let! y := draw (enum V) (residual w c) in ret _ (Some ([::], y)) else ret _ None) g =
  found n (weight w c x) (rcons c x) (fun o => g (Some (x :: o.1, o.2))) + fallen * (1 - weight w c x).
  rewrite E_bind -(IH _ (rcons c x)) ?weight_bounds // -below_split; apply: eq_E => -[q|]; first by rewrite E_ret.
  by rewrite E_bind E_flip /= E_map E_draw E_ret.
rewrite [below _ _ _]/= E_bind E_draw; under eq_bigr do rewrite step [_ * (found _ _ _ _ + _)]mulrDr.
rewrite big_split /= -addrA; congr (_ + _).
have left : \sum_x d c x * (1 - weight w c x) = 1 - (w - excesses w c).
  by under eq_bigr do rewrite mulrBr mulr1; rewrite sumrB d_sum // deeper.
under eq_bigr do rewrite mulrCA; rewrite -mulr_sumr left /fallen.
move: (settles c w01); move: (coin w c : R) => k sk.
rewrite -(eq_bigr _ (fun y _ => congr1 (fun a => a * g (Some ([::], y))) (excesses_residual d t w c y))).
under [X in _ = X + _]eq_bigr do rewrite -mulrA; rewrite -mulr_sumr.
have -> : 1 - w = (1 - (w - excesses w c)) * (1 - k) by rewrite mulrBr mulr1 sk; ring.
by rewrite -{2}sk; ring.
Qed.

Lemma below0 (w : R) c g : E (below 0 w c) g = w * (\sum_y t c y * g (Some ([::], y))) + (1 - w) * g None.
Proof. by rewrite /= E_bind E_flip /= E_map E_draw E_ret. Qed.

Lemma missedE n (w : R) c : 0 <= w <= 1 -> missed n w c = 1 - w.
Proof.
elim: n w c => [|n IH] w c w01; rewrite /missed ?below0 ?belowS //.
  by rewrite big1 ?mulr0 ?add0r ?mulr1 // => y _; rewrite mulr0.
rewrite [X in _ + X + _]big1 ?addr0 ?mulr1 => [|y _]; last by rewrite mulr0.
by rewrite big1 ?add0r // => x _; rewrite /found (@eq_E _ _ _ _ (fun=> 0)) ?E_0 ?mulr0 // => -[].
Qed.

Lemma found0 (w : R) c f : found 0 w c f = w * \sum_y t c y * f ([::], y).
Proof. by rewrite /found below0 mulr0 addr0. Qed.

(** A path of weight w passes the mass d w' to its continuations, and ends with the mass [w t - d]+. *)
Lemma foundS n (w : R) c f : 0 <= w <= 1 -> found n.+1 w c f =
  \sum_x d c x * found n (weight w c x) (rcons c x) (fun o => f (x :: o.1, o.2)) + \sum_y excess w c y * f ([::], y).
Proof. by move=> w01; rewrite {1}/found belowS // => [|*]; rewrite ?missedE // mulr0 addr0. Qed.

Lemma blockE n c f : E (block n c) f = found n 1 c f.
Proof.
have one : 0 <= (1 : R) <= 1 by rewrite lexx ler01.
rewrite /block E_bind /found.
rewrite (@eq_E _ _ _ _ (fun o => if o is Some q then f q else \sum_y residual 1 c y * f ([::], y))).
  by rewrite below_split missedE // subrr mulr0 addr0.
by case=> [q|]; rewrite ?E_ret // E_map E_draw.
Qed.

(** sun2025 Theorem 1, for the path to c of weight w: what its block emits, continued by the target, has w times the
    target's law. *)
Lemma found_follows n (w : R) c xs : 0 <= w <= 1 ->
  found n w c (fun o => follows (text t) c (output o) xs) = w * text t c xs.
Proof.
elim: n w c xs => [|n IH] w c xs w01.
  rewrite found0; case: xs => [|z s] /=; first by under eq_bigr do rewrite mulr1; rewrite t_sum.
  by under eq_bigr do rewrite follows_text; rewrite (sum_eq_mul _ (fun y => text t (rcons c y) s)).
case/andP: (w01) => w0 w1; have wx x := weight_bounds d_law t_law c x w0.
rewrite foundS //; case: xs => [|z s] /=.
  rewrite (eq_bigr (fun x => d c x * weight w c x)) => [|x _].
    by rewrite deeper //; under eq_bigr do rewrite mulr1; rewrite mulr1 -/(excesses w c) subrK.
  by rewrite -[in RHS](mulr1 (weight w c x)) -[1 in RHS]/(text t (rcons c x) [::]) -(IH _ (rcons c x)) //;
    congr (_ * _); apply: eq_E => -[q|] //; rewrite follows_nil.
rewrite (eq_bigr (fun x => (d c x * weight w c x) * ((x == z)%:R * text t (rcons c x) s))) => [|x _]; last first.
  have -> : d c x * weight w c x * ((x == z)%:R * text t (rcons c x) s) = d c x * ((x == z)%:R * (weight w c x * text t (rcons c x) s)).
    by move: (weight w c x : R) (text t _ s) => a b; ring.
  by rewrite -IH //; congr (_ * _); rewrite /found -E_mulr; apply: eq_E => -[q|] //; rewrite mulr0.
under [X in _ + X]eq_bigr do rewrite follows_text.
rewrite !(sum_eq_mul _ (fun x => text t (rcons c x) s)) -mulrDl d_weight // subrK mulrA //.
Qed.

(** sun2025 Theorem 1: block verification is lossless. *)
Theorem block_lossless n : lossless t (block n).
Proof. by move=> c xs; rewrite blockE found_follows ?mul1r // lexx ler01. Qed.

Corollary block_decodes n k c xs : E (chain (block n) k c) (fun o => follows (text t) c o xs) = text t c xs.
Proof. exact/chain_lossless/block_lossless. Qed.

Lemma found_begins n (w : R) c x : 0 <= w <= 1 -> (size x <= n)%N ->
  found n w c (fun o => begins R x o.1) = text d c x * weights d t w c x.
Proof.
elim: x n w c => [|z x IH] n w c w01 hn.
  rewrite /= mul1r -[RHS]mulr1 -[X in _ * X]/(text t c [::]) -(found_follows n) //.
  by apply: eq_E => -[q|] //; rewrite follows_nil begins_nil.
case: n hn => // n hn; case/andP: (w01) => w0 w1; have wx y := weight_bounds d_law t_law c y w0.
rewrite foundS // [X in _ + X]big1 ?addr0 => [|y _]; last by rewrite begins_cons mulr0.
rewrite /= -mulrA -(IH n) // -(sum_eq_mul _ (fun y => found n (weight w c y) (rcons c y) (fun o => begins R x o.1))).
apply: eq_bigr => y _; congr (_ * _); rewrite /found -E_mulr; apply: eq_E => -[q|]; last by rewrite mulr0.
by rewrite begins_cons.
Qed.

(** sun2025 Lemma 3: P(tau >= i | X^i = x) = w_i(x), here with both sides times P(X^i = x) = D(x). *)
Theorem lemma3 n c x : (size x <= n)%N -> accepts (block n c) x = text d c x * weights d t 1 c x.
Proof. by move=> hn; rewrite /accepts blockE found_begins // lexx ler01. Qed.

Lemma block_nonneg n c : nonneg (block n c).
Proof.
have one : 0 <= (1 : R) <= 1 by rewrite lexx ler01.
have below_nonneg m (w : R) c' : 0 <= w <= 1 -> nonneg (below m w c').
  elim: m w c' => [|m IH] w c' w01; case/andP: (w01) => w0 w1.
    apply: nonneg_bind => [|[]]; [exact: nonneg_flip | | exact: nonneg_ret].
    by apply: nonneg_bind => [|y]; [apply: nonneg_draw; case: (t_law c') | exact: nonneg_ret].
  apply: nonneg_bind => [|x]; first by apply: nonneg_draw; case: (d_law c').
  apply: nonneg_bind => [|[q|]]; [by apply: IH; apply: weight_bounds | exact: nonneg_ret|].
  apply: nonneg_bind => [|[]]; [by apply: nonneg_flip; apply: coin_bounds | | exact: nonneg_ret].
  by apply: nonneg_bind => [|y]; [apply: nonneg_draw => x'; apply: residual_ge0 | exact: nonneg_ret].
apply: nonneg_bind => [|[q|]]; [exact: below_nonneg | exact: nonneg_ret|].
by apply: nonneg_bind => [|y]; [apply: nonneg_draw => x'; apply: residual_ge0 | exact: nonneg_ret].
Qed.

Lemma block_short n c : every (fun o => size o.1 <= n)%N (block n c).
Proof.
apply: (every_bind (P := fun o => if o is Some q then size q.1 <= n else true)%N) => [|[q|] hq].
- elim: n (one (reals R)) c => [|n IH] w c /=.
    apply: (every_bind (@every_true _ _ _)) => -[] _; last exact: every_ret.
    by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
  apply: (every_bind (@every_true _ _ _)) => x _; apply: (every_bind (IH _ _)) => -[q|] hq; first exact: every_ret.
  apply: (every_bind (@every_true _ _ _)) => -[] _; last exact: every_ret.
  by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
- exact: every_ret.
by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
Qed.

Lemma weights_bounds (w : R) c x : 0 <= w <= 1 -> 0 <= weights d t w c x <= 1.
Proof. by elim: x w c => [|y x IH] w c //= /andP[w0 _]; apply: IH; apply: weight_bounds. Qed.

Lemma block_valid n c : valid d t n c (block n c).
Proof.
split; [exact: block_nonneg | exact: block_short | | exact: block_lossless].
move=> x; have one : 0 <= (1 : R) <= 1 by rewrite lexx ler01.
case: (leqP (size x) n) => hx.
  rewrite lemma3 // -[X in _ <= X]mulr1; apply: ler_wpM2l; first exact: text_ge0.
  by case/andP: (weights_bounds c x one).
rewrite /accepts (@eq_E_in _ _ _ _ (fun=> 0)) ?E_0 ?text_ge0 // => q hq.
rewrite /begins; case e: prefix => //; case/prefixP: e => s e; have := block_short hq; rewrite e size_cat => h.
by move: (leq_trans hx (leq_trans (leq_addr _ _) h)); rewrite ltnn.
Qed.

(** sun2025 Theorem 2 at i = 1: no valid verifier emits more tokens in an iteration than block verification. *)
Theorem theorem2_first n c m : valid d t n c m ->
  E m (fun o => (size (output o))%:R) <= E (block n c) (fun o => (size (output o))%:R).
Proof.
move=> v; have := @most _ _ d t n c m (block n c) (fun=> 0) d_law t_law v (block_valid n c) (fun x => @lemma3 n c x).
rewrite !(eq_E _ (fun o => addr0 _)); apply=> // c'.
by rewrite /gain subr0 big1 ?addr0 ?ler01 // => y _; rewrite mulr0.
Qed.

(** Expected tokens after i iterations: sun2025's E[N(i)]. *)
Definition tokens_after (rule : seq V -> dist (reals R) (seq V * V)) i c : R :=
  E (chain rule i c) (fun s => (size s)%:R).

Lemma tokens_afterS rule i c : lossless t rule ->
  tokens_after rule i.+1 c = E (rule c) (fun o => (size (output o))%:R + tokens_after rule i (c ++ output o)).
Proof.
move=> h; rewrite /tokens_after /= E_bind; apply: eq_E => o; rewrite E_map.
have one : E (chain rule i (c ++ output o)) (fun=> 1) = 1.
  move: (chain_lossless i (c ++ output o) [::] h) => /= e; rewrite -[RHS]e.
  by apply: eq_E => s; rewrite follows_nil.
transitivity (E (chain rule i (c ++ output o)) (fun s => (size (output o))%:R * 1 + (size s)%:R)).
  by apply: eq_E => s; rewrite size_cat natrD mulr1.
by rewrite E_add E_mulr one mulr1.
Qed.

Lemma token_gain n i c : 0 <= gain t (tokens_after (token n) i) c.
Proof.
set rule := (X in tokens_after X); have tl : lossless t rule by apply: token_lossless.
elim: i c => [|i IH] c.
  rewrite /gain /tokens_after /= E_ret subr0 addr_ge0 ?ler01 //; apply: sumr_ge0 => y _.
  by rewrite mulr0.
have e c' : tokens_after rule i.+1 c' = worth d t n (tokens_after rule i) c' by rewrite tokens_afterS.
rewrite /gain e; under eq_bigr do rewrite e; exact: worth_gain.
Qed.

(** sun2025 Theorem 2, last line: for every pair, number of drafts and number of iterations, block verification emits at
    least as many tokens as token verification. *)
Theorem block_at_least_token n i c :
  tokens_after (token n) i c <= tokens_after (block n) i c.
Proof.
elim: i c => [|i IH] c; first by rewrite /tokens_after /= !E_ret.
rewrite !tokens_afterS; [|exact: block_lossless | exact: token_lossless].
apply: (@le_trans _ _ (E (block n c) (fun o => (size (output o))%:R +
    tokens_after (token n) i (c ++ output o)))).
  apply: (@most _ _ d t n) => //; [exact: token_valid | exact: block_valid | exact: lemma3 | exact: token_gain].
by apply: ler_E => [|o]; [exact: block_nonneg | rewrite lerD2l].
Qed.
End Block.
