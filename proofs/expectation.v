(** Programs over real numbers, and the expectation of what they draw. *)
From proofs Require Import prelude program.
Local Open Scope ring_scope.

Definition reals (R : realFieldType) : ops :=
  @Ops R 0 1 +%R (fun a b => a - b) *%R (fun a b => a / b) Num.min Num.max.

Section Expectation.
Variable R : realFieldType.
Notation dist := (dist (reals R)).

(** The expectation of f over the outcomes of a program. *)
Definition E A (m : dist A) (f : A -> R) : R := \sum_(q <- m) (q.1 : R) * f q.2.

Lemma E_ret A (a : A) f : E (ret _ a) f = f a.
Proof. by rewrite /E /ret big_seq1 mul1r. Qed.

Lemma E_scale A p (m : dist A) f : E (scale p m) f = (p : R) * E m f.
Proof.
by rewrite /E /scale big_map mulr_sumr; apply: eq_bigr => q _ /=; rewrite mulrA.
Qed.

Lemma E_cat A (m n : dist A) f : E (m ++ n) f = E m f + E n f.
Proof. by rewrite /E big_cat. Qed.

Lemma E_bind A B (m : dist A) (k : A -> dist B) f : E (bind m k) f = E m (fun a => E (k a) f).
Proof.
rewrite /bind {2}/E; elim: m => [|q m IH] /=; first by rewrite /E !big_nil.
by rewrite E_cat IH E_scale big_cons.
Qed.

Lemma E_flip (p : R) f : E (@flip (reals R) p) f = p * f true + (1 - p) * f false.
Proof. by rewrite /E /flip !big_cons big_nil addr0. Qed.

Lemma eq_E A (m : dist A) f g : f =1 g -> E m f = E m g.
Proof. by move=> h; apply: eq_bigr => q _; rewrite h. Qed.

Lemma eq_E_in A (m : dist A) f g : (forall q, List.In q m -> f q.2 = g q.2) -> E m f = E m g.
Proof.
rewrite /E; elim: m => [|q m IH] h; first by rewrite !big_nil.
by rewrite !big_cons h ?IH //; [move=> r hr; apply: h; right | left].
Qed.

Lemma E_map A B (m : dist A) (g : A -> B) f : E (let! a := m in ret _ (g a)) f = E m (fun a => f (g a)).
Proof. by rewrite E_bind; apply: eq_E => a; rewrite E_ret. Qed.

Lemma E_add A (m : dist A) f g : E m (fun a => f a + g a) = E m f + E m g.
Proof. by rewrite /E -big_split /=; apply: eq_bigr => q _; rewrite mulrDr. Qed.

Lemma E_mulr A (m : dist A) f a : E m (fun x => a * f x) = a * E m f.
Proof. by rewrite /E mulr_sumr; apply: eq_bigr => q _; rewrite mulrCA. Qed.

Lemma E_mull A (m : dist A) f a : E m (fun x => f x * a) = E m f * a.
Proof. by rewrite -[RHS]mulrC -E_mulr; apply: eq_E => x; rewrite mulrC. Qed.

Lemma E_const A (m : dist A) a : E m (fun=> a) = a * E m (fun=> 1).
Proof. by rewrite -E_mulr; apply: eq_E => x; rewrite mulr1. Qed.

Lemma E_sub A (m : dist A) f g : E m (fun a => f a - g a) = E m f - E m g.
Proof. by rewrite /E -sumrB; apply: eq_bigr => q _; rewrite mulrBr. Qed.

Lemma E_0 A (m : dist A) : E m (fun=> 0) = 0.
Proof. by rewrite /E big1 // => q _; rewrite mulr0. Qed.

Lemma E_sum A (I : finType) (m : dist A) (f : I -> A -> R) :
  E m (fun a => \sum_i f i a) = \sum_i E m (f i).
Proof.
rewrite /E exchange_big /=; apply: eq_bigr => q _; exact: mulr_sumr.
Qed.

Lemma E_sum_ord A (n : nat) (m : dist A) (f : nat -> A -> R) :
  E m (fun a => \sum_(i < n) f i a) = \sum_(i < n) E m (f i).
Proof. by rewrite -E_sum. Qed.

(** Its probabilities are not negative. *)
Definition nonneg A (m : dist A) := forall q, List.In q m -> 0 <= (q.1 : R).

Lemma nonneg_ret A (a : A) : nonneg (ret _ a).
Proof. by move=> q [<-|//]; apply: ler01. Qed.

Lemma nonneg_bind A B (m : dist A) (k : A -> dist B) :
  nonneg m -> (forall a, nonneg (k a)) -> nonneg (bind m k).
Proof.
move=> hm hk q; rewrite /bind; elim: m hm => [|p m IH] hm //=.
move/List.in_app_iff => [|h]; last by apply: IH h => r hr; apply: hm; right.
case/List.in_map_iff => r [<- hr]; apply: mulr_ge0; last exact: hk hr.
by apply: hm; left.
Qed.

(** What is true of every outcome that is listed. *)
Definition every A (P : A -> bool) (m : dist A) := forall q, List.In q m -> P q.2.

Lemma every_true A (m : dist A) : every xpredT m. Proof. by []. Qed.

Lemma every_ret A (P : A -> bool) a : P a -> every P (ret (reals R) a).
Proof. by move=> h q [<-|//]. Qed.

Lemma every_bind A B (P : A -> bool) (Q : B -> bool) (m : dist A) (k : A -> dist B) :
  every P m -> (forall a, P a -> every Q (k a)) -> every Q (bind m k).
Proof.
move=> hm hk q; rewrite /bind; elim: m hm => [|p m IH] hm //=.
move/List.in_app_iff => [|h]; last by apply: IH h => r hr; apply: hm; right.
by case/List.in_map_iff => r [<- hr]; apply: hk hr; apply: hm; left.
Qed.

Lemma nonneg_flip (p : R) : 0 <= p <= 1 -> nonneg (@flip (reals R) p).
Proof.
by case/andP=> p0 p1 q [<-|[<-|//]] //=; rewrite subr_ge0.
Qed.

Lemma nonneg_draw A (l : seq A) (p : A -> R) : (forall x, 0 <= p x) -> nonneg (@draw (reals R) A l p).
Proof. by move=> h q /List.in_map_iff [x [<- _]] /=. Qed.

Lemma ler_E A (m : dist A) f g : nonneg m -> (forall a, f a <= g a) -> E m f <= E m g.
Proof.
move=> hm h; rewrite /E; elim: m hm => [|q m IH] hm; first by rewrite !big_nil.
rewrite !big_cons; apply: lerD; last by apply: IH => r hr; apply: hm; right.
by apply: ler_wpM2l => //; apply: hm; left.
Qed.

Lemma E_ge0 A (m : dist A) f : nonneg m -> (forall a, 0 <= f a) -> 0 <= E m f.
Proof. by move=> hm h; rewrite -(E_0 m); apply: ler_E. Qed.

Lemma powerE (a : R) n : @power (reals R) a n = a ^+ n.
Proof. by elim: n => [|n IH] //=; rewrite IH exprS. Qed.
End Expectation.
