(** The most that any coupling of drafts and target tokens accepts in one iteration (sun2025 Lemma 10, sun2024), and
    that greedy block verification attains it. *)
From proofs Require Import prelude program model valid carry greedy.
Local Open Scope ring_scope.

Section Coupling.
Variables (R : realFieldType) (V : finType) (d : seq V -> V -> R).
Hypothesis d_law : lawful d.
Notation greedy_block := (@greedy_block (reals R) V (enum V) d).

(** The length of the longest common prefix. *)
Fixpoint common (a b : seq V) : nat :=
  match a, b with x :: s, y :: q => if x == y then (common s q).+1 else 0%N | _, _ => 0%N end.

Lemma common_begins i a b : (i <= common a b)%:R = sum_texts i (fun x => begins R x a * begins R x b).
Proof.
elim: i a b => [|i IH] a b; first by rewrite /= !begins_nil mulr1.
have none a' b' : (forall x s, begins R (x :: s) a' * begins R (x :: s) b' = 0) ->
    0 = \sum_x sum_texts i (fun s => begins R (x :: s) a' * begins R (x :: s) b').
  by move=> h; rewrite big1 // => x _; rewrite (eq_sum_texts (G := fun=> 0)) ?sum_texts_0.
case: a b => [|x a] [|y b] /=; try by apply: none => z s; rewrite !begins_cons ?mulr0 ?mul0r.
case: eqVneq => [->|xy]; last first.
  apply: none => z s; rewrite !begins_cons; case: (eqVneq x z) => [<-|_]; last by rewrite !mul0r.
  by rewrite eq_sym (negbTE xy) !mul0r mulr0.
rewrite ltnS IH -[LHS](sum_eq (fun=> sum_texts i (fun s => begins R s a * begins R s b)) y).
apply: eq_bigr => z _; rewrite mulrC -sum_texts_mulr; apply: eq_sum_texts => s _.
by rewrite !begins_cons (eq_sym z); case: (y == z); rewrite ?mul1r ?mul0r.
Qed.

Lemma common_short a b n : (size a <= n)%N -> (common a b <= n)%N.
Proof. by elim: a b n => [|x a IH] [|y b] [|n] //=; rewrite ltnS => h; case: eqP => // _; rewrite ltnS IH. Qed.

(** sun2025 Lemma 10, sun2024 Theorem 1's optimum: in every coupling of n drafts and n tokens of the target, the
    longest common prefix is in the mean at most the sum of min(D, T) over the paths of 1 to n tokens. *)
Theorem lemma10 n (t : seq V -> V -> R) c (m : dist (reals R) (seq V * seq V)) : nonneg m ->
  every (fun o => size o.1 <= n)%N m ->
  (forall x, (size x <= n)%N -> E m (fun o => begins R x o.1) = text d c x) ->
  (forall x, (size x <= n)%N -> E m (fun o => begins R x o.2) = text t c x) ->
  E m (fun o => (common o.1 o.2)%:R) <= \sum_(i < n) sum_texts i.+1 (fun x => Num.min (text d c x) (text t c x)).
Proof.
move=> pos short hd ht.
rewrite (@eq_E_in _ _ _ _ (fun o => \sum_(i < n) (i.+1 <= common o.1 o.2)%:R)) => [|q hq]; last first.
  by apply: sum_tails; apply: common_short; apply: (short q hq).
rewrite (E_sum_ord n m (fun i o => (i.+1 <= common o.1 o.2)%:R)); apply: ler_sum => i _.
rewrite (eq_E _ (fun o => common_begins i.+1 o.1 o.2)) -sum_texts_E; apply: ler_sum_texts => x hx.
have hn : (size x <= n)%N by rewrite hx.
rewrite le_min -{1}hd // -{1}ht //; apply/andP; split; apply: ler_E => // o.
  by rewrite -[X in _ <= X]mulr1; apply: ler_wpM2l; [case/andP: (begins_01 R x o.1) | case/andP: (begins_01 R x o.2)].
by rewrite -[X in _ <= X]mul1r; apply: ler_wpM2r; [case/andP: (begins_01 R x o.2) | case/andP: (begins_01 R x o.1)].
Qed.

Lemma greedy_short n t c : every (fun o => size o.1.1 <= n)%N (greedy_block n t c).
Proof.
apply: (every_bind (P := fun o => if o is Some q then size q.1 <= n else true)%N) => [|[q|] hq].
- elim: n (one (reals R)) c => [|n IH] r c /=.
    apply: (every_bind (@every_true _ _ _)) => -[] _; last exact: every_ret.
    by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
  apply: (every_bind (@every_true _ _ _)) => x _; apply: (every_bind (IH _ _)) => -[q|] hq; first exact: every_ret.
  apply: (every_bind (@every_true _ _ _)) => -[] _; last exact: every_ret.
  by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
- exact: every_ret.
by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
Qed.

(** Greedy block verification attains it (sun2024 Theorem 1). *)
Theorem greedy_mean n t c : lawful t -> E (greedy_block n t c) (fun o => (size o.1.1)%:R) =
  \sum_(i < n) sum_texts i.+1 (fun x => Num.min (text d c x) (text t c x)).
Proof.
move=> tl; rewrite (mean_size (p := fun o => o.1.1) (@greedy_short n t c)); apply: eq_bigr => i _.
by apply: eq_sum_texts => x hx; apply: lemma9 => //; rewrite hx.
Qed.

Lemma follows_ge0 (t : seq V -> V -> R) c o x : lawful t -> 0 <= follows (text t) c o x.
Proof. by move=> tl; elim: o c x => [|y o IH] c [|z x] //=; rewrite ?ler01 ?mulr_ge0 ?ler0n ?text_ge0 //; case: (tl c). Qed.

(** sun2025 Theorem 3, of every valid verifier: none accepts more drafts in an iteration. *)
Theorem theorem3 n t c m : lawful t -> valid d t n c m ->
  E m (fun o => (size o.1)%:R) <= E (greedy_block n t c) (fun o => (size o.1.1)%:R).
Proof.
move=> tl v; case: (v) => pos short drafted target; rewrite greedy_mean // (mean_size (p := fun o => o.1) short).
apply: ler_sum => i _; apply: ler_sum_texts => x hx.
rewrite -/(accepts m x) le_min drafted /= -(target x) -[accepts m x]mulr1 -[X in _ * X]/(text t (c ++ x) [::]).
rewrite -accepted_follows // cats0; apply: ler_E => // o.
rewrite -[X in _ <= X]mul1r; apply: ler_wpM2r; first exact: follows_ge0.
by case/andP: (begins_01 R x o.1).
Qed.
End Coupling.
