(** Every valid verifier of one chain of drafts (sun2025 Definition 1): what follows an accepted prefix is the target's
    (Lemma 6), no prefix is accepted more often than by block verification (Lemma 4), what an iteration is worth. *)
From proofs Require Import prelude program model.
Local Open Scope ring_scope.

Section Valid.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Notation dist := (dist (reals R)).

(** The chance that the accepted tokens begin with x. *)
Definition accepts (m : dist (seq V * V)) x := E m (fun o => begins R x o.1).

(** A verifier of at most n drafts after the context c, sun2025 Definition 1. The outcome is (X^tau, Y).
    It accepts only what was drafted, so P(X^i = x, tau >= i) <= P(X^i = x) = D(x); what it emits, continued by the
    target, has the target's law (equation (7)). *)
Record valid n c (m : dist (seq V * V)) := Valid {
  valid_nonneg : nonneg m;
  valid_short : every (fun o => size o.1 <= n)%N m;
  valid_drafted : forall x, accepts m x <= text d c x;
  valid_target : lossless_at t c m
}.

(** The weight of a path, from the weight w on: w_i = min(1, w_{i-1} t/d) (sun2025 equation (9)). *)
Fixpoint weights w c (x : seq V) : R := if x is y :: s then weights (@weight (reals R) V d t w c y) (rcons c y) s else w.

Lemma weights_rcons w c x y : weights w c (rcons x y) = @weight (reals R) V d t (weights w c x) (c ++ x) y.
Proof. by elim: x w c => [|z x IH] w c /=; rewrite ?cats0 // IH cat_rcons. Qed.

Lemma begins_nil (p : seq V) : begins R [::] p = 1. Proof. by rewrite /begins prefix0s. Qed.

Lemma begins_01 (x p : seq V) : 0 <= begins R x p <= 1.
Proof. by rewrite /begins; case: prefix; rewrite ?lexx ?ler01. Qed.

Lemma follows_begins (g : seq V -> seq V -> R) c (p : seq V) y x z : prefix x p -> follows g c (rcons p y) (rcons x z) = begins R (rcons x z) (rcons p y).
Proof.
elim: x p c => [|a x IH] [|b p] c //=; rewrite ?begins_cons /= ?prefix_cons.
- by rewrite /begins prefix0s.
- by rewrite /begins prefix0s follows_nil.
by case/andP=> /eqP <- h; rewrite eqxx !mul1r IH.
Qed.

Lemma follows_target c p y x s :
  follows (text t) c (rcons p y) (x ++ s) = begins R x p * follows (text t) c (rcons p y) (x ++ s)
    + (follows (text t) c (rcons p y) x - begins R x p) * text t (c ++ x) s.
Proof.
elim: x p c => [|a x IH] [|b p] c /=.
- by rewrite begins_nil ?follows_nil mul1r subrr mul0r addr0.
- by rewrite begins_nil ?follows_nil mul1r subrr mul0r addr0.
- rewrite /begins /= mul0r add0r subr0 -mulrA; case: (eqVneq y a) => [->|_]; last by rewrite !mul0r.
  by rewrite !mul1r !follows_text text_cat cat_rcons.
rewrite begins_cons; case: (eqVneq b a) => [->|_]; last by rewrite !mul0r subrr mul0r addr0.
by rewrite !mul1r {1}IH cat_rcons.
Qed.

(** sun2025 Lemma 6: what follows an accepted prefix has the target's law. *)
Lemma accepted_follows c m x s : lossless_at t c m ->
  E m (fun o => begins R x o.1 * follows (text t) c (output o) (x ++ s)) = accepts m x * text t (c ++ x) s.
Proof.
move=> h; have := h (x ++ s).
rewrite (eq_E _ (fun o => follows_target c o.1 o.2 x s)) E_add E_mull E_sub h text_cat mulrBl.
by move=> e; apply/eqP; rewrite -subr_eq0; apply/eqP/(addrI (text t c x * text t (c ++ x) s)); rewrite addr0 -[RHS]e addrCA.
Qed.

(** sun2025 Lemma 6, one token on: of what accepts x, so much goes on with y. *)
Lemma accepts_next c m x y : lossless_at t c m ->
  E m (fun o => begins R x o.1 * begins R (rcons x y) (output o)) = accepts m x * t (c ++ x) y.
Proof.
move=> h; rewrite -[t _ _]mulr1 -[_ * 1]/(text t (c ++ x) [:: y]) -accepted_follows // cats1.
apply: eq_E => o; rewrite {1 3}/begins; case e: (prefix x o.1); last by rewrite !mul0r.
by rewrite !mul1r /output follows_begins.
Qed.

(** sun2025 Lemma 4: no valid verifier accepts x more often than D(x) w(x), block verification's chance. *)
Theorem lemma4 n c m x : lawful d -> lawful t -> valid n c m -> accepts m x <= text d c x * weights 1 c x.
Proof.
move=> dl tl h; elim/last_ind: x => [|x y IH].
  by apply: le_trans (valid_drafted h [::]) _; rewrite /= mulr1.
have b o : begins R (rcons x y) o.1 <= begins R x o.1 * begins R (rcons x y) (output o).
  rewrite /begins; case e: (prefix (rcons x y) o.1); last by rewrite mulr_ge0 ?ler0n.
  have -> : prefix x o.1 by apply: prefix_trans e; apply: prefix_rcons.
  have -> : prefix (rcons x y) (output o) by apply: prefix_trans e _; apply: prefix_rcons.
  by rewrite mulr1.
have h1 : accepts m (rcons x y) <= accepts m x * t (c ++ x) y.
  by rewrite -accepts_next; [apply: ler_E b; case: h | case: h].
have h2 := valid_drafted h (rcons x y).
have w0 : 0 <= weights 1 c x.
  elim/last_ind: (x) => [|s z IHz] /=; first exact: ler01.
  by rewrite weights_rcons; case/andP: (weight_bounds dl tl (c ++ s) z IHz).
rewrite weights_rcons text_rcons -mulrA d_weight // /excess /= max_min subKr.
rewrite minr_pMr ?text_ge0 // le_min -text_rcons h2 /= mulrA.
apply: (le_trans h1); apply: ler_wpM2r IH; exact: t_ge0.
Qed.

(** What one more accepted token gains, where h is the worth of a context: 1 + E_{y~t} h(cy) - h(c). *)
Definition gain (h : seq V -> R) c := 1 + \sum_y t c y * h (rcons c y) - h c.

Lemma sum_begins (f : V -> R) b q : \sum_z begins R [:: z] (b :: q) * f z = f b.
Proof.
rewrite -[RHS](sum_eq f); apply: eq_bigr => z _.
by rewrite begins_cons begins_nil mulr1 mulrC eq_sym.
Qed.

Lemma telescope (h : seq V -> R) n c (p : seq V) (y : V) : (size p <= n)%N ->
  (size (rcons p y))%:R + h (c ++ rcons p y) = h c + \sum_(i < n.+1) sum_texts i (fun x =>
    begins R x p * (1 + \sum_z begins R (rcons x z) (rcons p y) * h (c ++ rcons x z) - h (c ++ x))).
Proof.
elim: p n c => [|b p IH] n c hn.
  rewrite big_ord_recl /= [\sum_(i < n) _]big1 ?addr0 => [|i _].
    rewrite begins_nil mul1r (sum_begins (fun z => h (c ++ [:: z]))) cats0.
    by ring.
  by rewrite big1 // => x _; rewrite (eq_sum_texts (G := fun=> 0)) ?sum_texts_0 // => s _; rewrite begins_cons mul0r.
case: n hn => // n hn; rewrite big_ord_recl.
have {}IH := IH n (rcons c b) hn.
rewrite /= in IH *; rewrite -cat_rcons mulrS -addrA {}IH !addrA; congr (_ + _).
  rewrite begins_nil mul1r (sum_begins (fun z => h (c ++ [:: z]))) cats0 cats1.
  by ring.
apply: eq_bigr => i _ /=.
set S := LHS; rewrite -[S](sum_eq (fun=> S) b) /S; apply: eq_bigr => x _.
rewrite mulrC -sum_texts_mulr; apply: eq_sum_texts => s _.
rewrite begins_cons -mulrA [b == x]eq_sym; case: (eqVneq x b) => [->|_]; last by rewrite !mul0r.
rewrite !mul1r -cat_rcons; congr (_ * (1 + _ - _)); apply: eq_bigr => z _.
by rewrite begins_cons eqxx mul1r -cat_rcons.
Qed.

(** What an iteration of a valid verifier is worth: tokens, and the worth of the context that it leaves. *)
Theorem value n c m h : valid n c m ->
  E m (fun o => (size (output o))%:R + h (c ++ output o)) =
  h c + \sum_(i < n.+1) sum_texts i (fun x => accepts m x * gain h (c ++ x)).
Proof.
move=> v.
have -> : E m (fun o => (size (output o))%:R + h (c ++ output o)) = E m (fun o => h c +
  \sum_(i < n.+1) sum_texts i (fun x => begins R x o.1 * (1 + \sum_z begins R (rcons x z) (output o) *
     h (c ++ rcons x z) - h (c ++ x)))).
  by apply: eq_E_in => o ho; rewrite /output; apply: (telescope h); case: v => _ hs _ _; apply: hs ho.
have one : E m (fun=> 1) = 1.
  by case: v => _ _ _; apply: lossless_one.
rewrite E_add; congr (_ + _); first by rewrite (eq_E _ (fun o => esym (mulr1 (h c)))) E_mulr one mulr1.
rewrite (E_sum_ord _ _ (fun i o => sum_texts i (fun x => begins R x o.1 * (1 + \sum_z begins R (rcons x z) (output o) *
     h (c ++ rcons x z) - h (c ++ x))))); apply: eq_bigr => i _.
rewrite -sum_texts_E; apply: eq_sum_texts => x _.
transitivity (E m (fun o => begins R x o.1 + \sum_z begins R x o.1 * begins R (rcons x z) (output o) *
    h (c ++ rcons x z) - begins R x o.1 * h (c ++ x))).
  apply: eq_E => o; rewrite mulrBr mulrDr mulr1 mulr_sumr; congr (_ + _ - _).
  by apply: eq_bigr => z _; rewrite mulrA.
rewrite E_sub E_add E_mull E_sum /gain mulrBr mulrDr mulr1 mulr_sumr; congr (_ + _ - _).
apply: eq_bigr => z _; rewrite E_mull (accepts_next (c := c)); last by case: v.
by rewrite -mulrA rcons_cat.
Qed.

(** The tokens of an iteration: E[tau] + 1. *)
Corollary tokens n c m : valid n c m ->
  E m (fun o => (size (output o))%:R) = \sum_(i < n.+1) sum_texts i (accepts m).
Proof.
move=> v; have := value (fun=> 0) v; rewrite (eq_E _ (fun o => addr0 _)) add0r => ->.
apply: eq_bigr => i _; apply: eq_sum_texts => x _.
by rewrite /gain subr0 big1 ?addr0 ?mulr1 // => y _; rewrite mulr0.
Qed.

(** A valid verifier whose chances of accepting are the most, D(x) w(x), is worth at least any other, wherever one
    more accepted token loses nothing. *)
Theorem most n c m b h : lawful d -> lawful t -> valid n c m -> valid n c b ->
  (forall x, (size x <= n)%N -> accepts b x = text d c x * weights 1 c x) -> (forall c, 0 <= gain h c) ->
  E m (fun o => (size (output o))%:R + h (c ++ output o)) <= E b (fun o => (size (output o))%:R + h (c ++ output o)).
Proof.
move=> dl tl vm vb e g; rewrite (value h vm) (value h vb) lerD2l; apply: ler_sum => i _.
apply: ler_sum_texts => x hx; apply: ler_wpM2r => //.
by rewrite e; [apply: (lemma4 x dl tl vm) | rewrite hx -ltnS].
Qed.
End Valid.
