(** Rules that hand a changed target on to the next iteration (sun2025 Algorithm 6: greedy block verification), and
    what it means that they are lossless. *)
From proofs Require Import prelude program model valid.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (tokens : seq V).
Notation model := (program.model O V).

(** The joint probability of the tokens p after c. *)
Fixpoint joint (m : model) c (p : seq V) : num O := if p is x :: s then mul (m c x) (joint m (rcons c x) s) else one O.

(** The target t until the n-th token after c, replaced by the law proportional to mass(p, x), where p is what comes
    after c; where mass(p, .) is 0 it stays t. *)
Definition proportional (mass : seq V -> V -> num O) (t : model) c (p : seq V) x : num O :=
  let s := total tokens (mass p) in add (div (mass p x) s) (mul (sub (one O) (div s s)) (t (c ++ p) x)).
Definition changed (mass : seq V -> V -> num O) (t : model) (n : nat) c : model :=
  fun c' x => let p := drop (size c) c' in if (size p < n)%N then proportional mass t c p x else t c' x.

(** Iterations one after another, each with the target that the one before it left. The outcome is the tokens and the
    target that is left. *)
Variable rule : model -> seq V -> dist O ((seq V * V) * model).
Fixpoint chain_carry (k : nat) (t : model) c : dist O (seq V * model) :=
  if k is m.+1 then
    let! o := rule t c in
    let! s := chain_carry m o.2 (c ++ output o.1) in
    ret O (output o.1 ++ s.1, s.2)
  else ret O ([::], t).
End Rule.

Section Carry.
Variables (R : realFieldType) (V : finType).
Notation dist := (dist (reals R)).
Notation model := (seq V -> V -> R).

Lemma jointE (m : model) c p : @joint (reals R) V m c p = text m c p.
Proof. by elim: p c => [|x p IH] c //=; rewrite IH. Qed.

Notation proportional := (@proportional (reals R) V (enum V)).
Notation changed := (@changed (reals R) V (enum V)).
Notation chain_carry := (@chain_carry (reals R) V).

Lemma proportionalE (mass : seq V -> V -> R) (t : model) c p x : let s := \sum_y mass p y in
  (proportional mass t c p x : R) = mass p x / s + (1 - s / s) * t (c ++ p) x.
Proof. by rewrite /proportional !totalE. Qed.

Lemma changed_before mass t n c p x : (size p < n)%N -> changed mass t n c (c ++ p) x = proportional mass t c p x.
Proof. by move=> h; rewrite /changed drop_size_cat // h. Qed.

Lemma changed_after mass t n c p x : (n <= size p)%N -> changed mass t n c (c ++ p) x = t (c ++ p) x.
Proof. by move=> h; rewrite /changed drop_size_cat // ltnNge h. Qed.

Lemma text_changed mass t n c p xs : (n <= size p)%N -> text (changed mass t n c) (c ++ p) xs = text t (c ++ p) xs.
Proof.
elim: xs p => [|x xs IH] p h //=; rewrite changed_after // rcons_cat IH // size_rcons; exact: leqW.
Qed.

(** A draw from it, made with the probability of the whole mass, draws x with the mass of x. *)
Lemma mass_proportional (mass : seq V -> V -> R) (t : model) c p x : (forall y, 0 <= mass p y) ->
  (\sum_y mass p y) * proportional mass t c p x = mass p x.
Proof.
move=> h; rewrite proportionalE; have [z|z] := eqVneq (\sum_y mass p y) 0.
  rewrite z mul0r; apply/esym/eqP; move/eqP: z; rewrite psumr_eq0 // => /allP all0; apply: all0; rewrite mem_index_enum //.
by rewrite mulfV // subrr mul0r addr0 mulrC divfK.
Qed.

Lemma changed_lawful (mass : seq V -> V -> R) (t : model) n c : (forall p y, 0 <= mass p y) -> lawful t -> lawful (changed mass t n c).
Proof.
move=> h tl c'; set p := drop (size c) c'; case: (ltnP (size p) n) => hn; last first.
  case: (tl c') => t0 t1; rewrite /law /changed -/p (_ : (size p < n)%N = false) //.
  by rewrite ltnNge hn.
case: (tl (c ++ p)) => tp0 tp1; rewrite /law /changed -/p hn.
have e x : proportional mass t c p x = if \sum_y mass p y == 0 then t (c ++ p) x else mass p x / (\sum_y mass p y).
  rewrite proportionalE; case: (eqVneq (\sum_y mass p y) 0) => [z|z].
    by rewrite z invr0 !mulr0 subr0 mul1r add0r.
  by rewrite mulfV // subrr mul0r addr0.
split=> [x|]; first by rewrite e; case: ifP => _ //; rewrite divr_ge0 // sumr_ge0.
under eq_bigr do rewrite e.
case: (eqVneq (\sum_y mass p y) 0) => [z|z] //=; by rewrite -mulr_suml mulfV.
Qed.

Lemma outcomes_bind A B (Q : B -> Prop) (m : dist A) (k : A -> dist B) :
  (forall a q, List.In q (k a) -> Q q.2) -> forall q, List.In q (bind m k) -> Q q.2.
Proof.
move=> h q; rewrite /bind; elim: m => [|[p a] m IH] //= /List.in_app_iff [|//].
by case/List.in_map_iff => r [<- hr] /=; apply: h hr.
Qed.

(** What an iteration emits, continued by the target that it leaves, has the law of the target that it had. *)
Definition lossless_carry (rule : model -> seq V -> dist ((seq V * V) * model)) := forall t c, lawful t ->
  (forall q, List.In q (rule t c) -> lawful q.2.2) /\
  forall xs, E (rule t c) (fun o => follows (text o.2) c (output o.1) xs) = text t c xs.

(** Such iterations one after another are lossless, though each changes the target of the next. *)
Theorem chain_carry_lossless rule k t c xs : lossless_carry rule -> lawful t ->
  E (chain_carry rule k t c) (fun o => follows (text o.2) c o.1 xs) = text t c xs.
Proof.
move=> h; elim: k t c xs => [|k IH] t c xs tl /=; first by rewrite E_ret; case: xs.
case: (h t c tl) => left one; rewrite E_bind -[RHS]one; apply: eq_E_in => q hq.
have {hq} ql : lawful q.2.2 by apply: left hq.
rewrite E_bind; move: (output q.2.1) => s.
transitivity (E (chain_carry rule k q.2.2 (c ++ s)) (fun o => follows (fun c' => follows (text o.2) c' o.1) c s xs)).
  by apply: eq_E => o; rewrite E_ret /= follows_cat.
have all c' : E (chain_carry rule k q.2.2 c') (fun=> 1) = 1.
  by move: (IH q.2.2 c' [::] ql) => /= e; rewrite -[RHS]e; apply: eq_E => o; rewrite follows_nil.
elim: s c xs {left one} => [|x s IHs] c [|z xs] /=; try exact: all.
  by rewrite cats0; apply: (IH _ c (z :: xs) ql).
by rewrite E_mulr -cat_rcons IHs.
Qed.

(** Whole decodes: k iterations emit at least k tokens, and the first k of what they emit have the target's law. *)
Theorem chain_carry_decodes rule k t c xs : lossless_carry rule -> lawful t -> size xs = k ->
  E (chain_carry rule k t c) (fun o => begins R xs o.1) = text t c xs.
Proof.
move=> h tl hk; rewrite -(chain_carry_lossless k c xs h tl).
have long : every (fun o => size xs <= size o.1)%N (chain_carry rule k t c).
  rewrite hk; elim: k t c {tl xs hk} => [|k IH] t c //=.
  apply: (every_bind (@every_true _ _ _)) => o _; apply: (every_bind (IH _ _)) => s hs; apply: every_ret.
  by rewrite size_cat size_rcons addSn ltnS (leq_trans hs) // leq_addl.
apply: eq_E_in => q /long; case: q => _ [o m] /=; elim: xs o c {hk long} => [|x xs IH] [|z o] c //=.
by rewrite ltnS begins_cons => hs; rewrite (IH o (rcons c z)).
Qed.
End Carry.
