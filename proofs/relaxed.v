(** Relaxed rules: token verification against another law pi than the target's; and SPRINTER (zhong2025), a cheap
    verifier before the target. *)
From proofs Require Import prelude program model valid token bias rejection.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (tokens : seq V) (d t : program.model O V).

(** The law pi of a relaxed rule, made of the draft's and the target's law p and q at a position. *)
Variable le : num O -> num O -> bool.
Definition distance (p q : V -> num O) := total tokens (fun x => max (sub (q x) (p x)) (zero O)).
Definition largest (p : V -> num O) := foldr (fun x m => max (p x) m) (zero O) tokens.

(** The part w of the target and 1 - w of the draft. *)
Definition ensemble (w : num O) (p q : V -> num O) x := add (mul w (q x)) (mul (sub (one O) w) (p x)).
(** The draft where TV is at most a threshold (holsman2025, with TV). *)
Definition fuzzy (threshold : num O) p q := if le (distance p q) threshold then p else q.
(** narasimhan2025: the target where max p < max q - a TV; the draft's mass on A = {q >= (1 - a) max q} and the rest of it
    spread as q, a > 0. *)
Definition cascade_opt (a : num O) p q := if le (sub (largest q) (mul a (distance p q))) (largest p) then p else q.
Definition trusted (a : num O) q x := le (mul (sub (one O) a) (largest q)) (q x).
Definition cascade_top (a : num O) p q x :=
  add (if trusted a q x then p x else zero O) (mul (total tokens (fun y => if trusted a q y then zero O else p y)) (q x)).

(** Token verification against pi; the token after n accepted drafts is drawn from last. *)
Variable relax : (V -> num O) -> (V -> num O) -> V -> num O.
Definition pi : program.model O V := fun c => relax (d c) (t c).
Definition relaxed (last : program.model O V) n c : dist O (seq V * V) :=
  rejection tokens d (weight d pi (one O)) (residual tokens d pi (one O)) last n c.

(** SPRINTER, one token: a draft x is emitted where the cheap verifier passes it, with probability [pass c x]; else the
    target checks it as in token verification. The flag says whether the draft is kept. *)
Variable pass : seq V -> V -> num O.
Definition sprinter_token c : dist O (V * bool) :=
  let! x := draw tokens (d c) in
  let! passed := flip (pass c x) in
  if passed then ret O (x, true)
  else
    let! accepted := flip (weight d t (one O) c x) in
    if accepted then ret O (x, true)
    else
      let! y := draw tokens (residual tokens d t (one O) c) in
      ret O (y, false).

(** One run: at most n drafts that the cheap verifier passes, and the token that ends it, if any. *)
Fixpoint sprint (n : nat) c : dist O (seq V * option V) :=
  if n is m.+1 then
    let! x := draw tokens (d c) in
    let! passed := flip (pass c x) in
    if passed then
      let! o := sprint m (rcons c x) in
      ret O (x :: o.1, o.2)
    else
      let! accepted := flip (weight d t (one O) c x) in
      if accepted then ret O ([::], Some x)
      else
        let! y := draw tokens (residual tokens d t (one O) c) in
        ret O ([::], Some y)
  else ret O ([::], None).
Definition run_output (o : seq V * option V) := if o.2 is Some y then rcons o.1 y else o.1.

(** n tokens. *)
Fixpoint sprinter (n : nat) c : dist O (seq V) :=
  if n is m.+1 then
    let! a := sprinter_token c in
    let! s := sprinter m (rcons c a.1) in
    ret O (a.1 :: s)
  else ret O [::].

(** The number of drafts that the cheap verifier passes before its first no, at most m; the i-th passes with
    probability [rate i]. *)
Fixpoint passes (rate : nat -> num O) (m i : nat) : dist O nat :=
  if m is k.+1 then
    let! passed := flip (rate i) in
    if passed then
      let! n := passes rate k i.+1 in
      ret O n.+1
    else ret O 0%N
  else ret O 0%N.

(** The cheap verifier that passes x with probability tp where d(x) <= t(x) and fp elsewhere. *)
Definition by_class (fp tp : num O) c x := if le (d c x) (t c x) then tp else fp.
End Rule.

Section Relaxed.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Variable relax : (V -> R) -> (V -> R) -> V -> R.
Hypothesis relax_law : forall p q, law p -> law q -> law (relax p q).
Notation pi := (@pi (reals R) V d t relax).
Notation relaxed := (@relaxed (reals R) V (enum V) d t relax).

Lemma pi_lawful : lawful pi. Proof. by move=> c; apply: relax_law. Qed.

Lemma relaxed_rejects c : rejects (d c) (@weight (reals R) V d pi 1 c) = excesses d pi 1 c.
Proof.
rewrite rejects_sum // tv_excesses tv_shared; last exact: t_sum pi_lawful c.
by congr (_ - _); apply: eq_bigr => x _; rewrite mulrC d_weight_one //; apply: pi_lawful.
Qed.

Lemma relaxed_emits c x : pi c x = emits (d c) (@weight (reals R) V d pi 1 c) (@residual (reals R) V (enum V) d pi 1 c) x.
Proof.
rewrite /emits relaxed_rejects mulrC d_weight_one //; last exact: pi_lawful.
by rewrite [_ * excesses _ _ _ _]mulrC excesses_residual /excess /= mul1r max_min /shared addrC subrK.
Qed.

Lemma relaxed_one c : let r := rejects (d c) (@weight (reals R) V d pi 1 c) in
  r * (\sum_x (@residual (reals R) V (enum V) d pi 1 c x : R)) = r.
Proof.
by rewrite /= relaxed_rejects mulr_sumr; apply: eq_bigr => x _; apply: excesses_residual.
Qed.

(** What token verification against pi emits, continued by pi, has the law pi: the n tokens of an iteration, and all
    tokens, so that whole decodes have it, where the one after n accepted drafts is drawn from pi. *)
Theorem relaxed_law last n c xs : lawful last -> (size xs <= n)%N \/ last =2 pi ->
  E (relaxed last n c) (fun o => follows (text pi) c (output o) xs) = text pi c xs.
Proof.
by move=> hl h; apply: rejection_law => //; [move=> {}c x; apply: relaxed_emits | move=> {}c; apply: relaxed_one].
Qed.

(** It accepts a draft with probability 1 - TV(d, pi). *)
Theorem relaxed_accepts last n c : lawful last -> (0 < n)%N ->
  E (relaxed last n c) (fun o => (1 <= size o.1)%:R) = 1 - tv (d c) (pi c).
Proof.
move=> hl n0; rewrite (rejection_accepts d_law hl relaxed_emits) // => [|{}c]; last exact: relaxed_one.
by rewrite -tv_excesses -relaxed_rejects rejects_sum // subKr.
Qed.
End Relaxed.

(** The rules of the program are such: what they make of two laws is a law. *)
Section Laws.
Variables (R : realFieldType) (V : finType).
Notation le := (fun a b : R => a <= b).

Theorem ensemble_law (w : R) p q : 0 <= w <= 1 -> law p -> law q -> law (@ensemble (reals R) V w p q).
Proof.
case/andP=> w0 w1 [p0 p1] [q0 q1]; split=> [x|]; first by rewrite addr_ge0 ?mulr_ge0 ?subr_ge0.
by rewrite big_split /= -!mulr_sumr p1 q1 !mulr1 addrC subrK.
Qed.

Theorem fuzzy_law (threshold : R) p q : law p -> law q -> law (@fuzzy (reals R) V (enum V) le threshold p q).
Proof. by rewrite /fuzzy; case: ifP. Qed.

Theorem cascade_opt_law (a : R) p q : law p -> law q -> law (@cascade_opt (reals R) V (enum V) le a p q).
Proof. by rewrite /cascade_opt; case: ifP. Qed.

Theorem cascade_top_law (a : R) p q : law p -> law q -> law (@cascade_top (reals R) V (enum V) le a p q).
Proof.
case=> p0 p1 [q0 q1]; rewrite /cascade_top; set A := trusted _ _ _ _.
split=> [x|]; rewrite totalE /=.
  by rewrite addr_ge0 ?mulr_ge0 ?sumr_ge0 // => [|y _]; case: (A _).
rewrite big_split /= -mulr_sumr q1 mulr1 -big_split -[RHS]p1; apply: eq_bigr => x _ /=.
by case: (A x); rewrite ?addr0 ?add0r.
Qed.
End Laws.

Section Sprinter.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Variables (fp tp : R).

Notation by_class := (@by_class (reals R) V d t (fun a b : R => a <= b) fp tp).
Notation sprinter_token pass := (@sprinter_token (reals R) V (enum V) d t pass).
Notation sprinter pass := (@sprinter (reals R) V (enum V) d t pass).

(** Of any rates: a draft that is too likely and passes stays, and the target's correction does not come. *)
Lemma sprinter_tokenE (pass : seq V -> V -> R) c f : E (sprinter_token pass c) (fun a => f a.1) =
  \sum_x (shared (d c) (t c) x + pass c x * (d c x - shared (d c) (t c) x)) * f x
  + (\sum_x (1 - pass c x) * (d c x - shared (d c) (t c) x)) * \sum_y (@residual (reals R) V (enum V) d t 1 c y : R) * f y.
Proof.
rewrite /relaxed.sprinter_token E_bind E_draw mulr_suml -big_split; apply: eq_bigr => x _ /=.
rewrite E_bind E_flip /= E_ret E_bind E_flip /= E_ret E_map E_draw -d_weight_one //.
move: (@weight (reals R) V d t 1 c x : R) (\sum_y _) => w r. rewrite /=; ring.
Qed.

(** zhong2025 Theorem 3.1: the law of a token is (1 - fp) t + fp d, where the rates depend on the class alone. *)
Definition mixture c x : R := (1 - fp) * t c x + fp * d c x.

Lemma mixture_lawful : 0 <= fp <= 1 -> lawful mixture.
Proof.
case/andP=> f0 f1 c; split=> [x|]; first by rewrite addr_ge0 ?mulr_ge0 ?subr_ge0 ?d_ge0 ?t_ge0.
by rewrite big_split /= -!mulr_sumr t_sum // d_sum // !mulr1 subrK.
Qed.

Theorem theorem31_token c f : E (sprinter_token by_class c) (fun a => f a.1) = \sum_x mixture c x * f x.
Proof.
have e x : by_class c x * (d c x - shared (d c) (t c) x) = fp * (d c x - shared (d c) (t c) x).
  by rewrite /relaxed.by_class /shared; case: (leP (d c x) (t c x)) => h //; rewrite subrr !mulr0.
rewrite sprinter_tokenE.
have -> : \sum_x (1 - by_class c x) * (d c x - shared (d c) (t c) x) = (1 - fp) * excesses d t 1 c.
  under eq_bigr do rewrite mulrBl mul1r e -{1}[d c _ - _]mul1r -mulrBl.
  by rewrite -mulr_sumr sumrB d_sum // tv_excesses tv_shared ?t_sum.
rewrite -mulrA mulr_sumr mulr_sumr -big_split; apply: eq_bigr => x _ /=.
rewrite e mulrA mulrA -[(1 - fp) * _ * _]mulrA excesses_residual /excess /= mul1r max_min /mixture.
by rewrite -/(shared (d c) (t c) x); ring.
Qed.

(** Theorem 3.1 of a run, as the program makes it: what it emits, continued by this law, has this law. *)
Theorem sprint_law n c xs :
  E (@sprint (reals R) V (enum V) d t by_class n c) (fun o => follows (text mixture) c (run_output o) xs) = text mixture c xs.
Proof.
elim: n c xs => [|n IH] c xs; first by rewrite /= E_ret /run_output /= follows_text.
transitivity (E (sprinter_token by_class c) (fun a => follows (text mixture) c [:: a.1] xs)); last first.
  rewrite (theorem31_token c (fun y => follows (text mixture) c [:: y] xs)); case: xs => [|z s] /=.
    by under eq_bigr do rewrite mulr1; rewrite big_split /= -!mulr_sumr t_sum // d_sum // !mulr1 subrK.
  by under eq_bigr do rewrite follows_text; rewrite (sum_eq_mul _ (fun y => text mixture (rcons c y) s)).
rewrite /relaxed.sprinter_token [sprint _ _ _ _ _ _]/= !E_bind; apply: eq_E => x; rewrite !E_bind; apply: eq_E => -[].
  rewrite E_map E_ret; case: xs => [|z s] /=.
    transitivity (text mixture (rcons c x) [::]) => //; rewrite -(IH (rcons c x) [::]).
    by apply: eq_E => o; rewrite !follows_nil.
  rewrite follows_text -(IH (rcons c x) s) -E_mulr; apply: eq_E => -[p [y|]] //=.
rewrite !E_bind; apply: eq_E => -[]; first by rewrite !E_ret.
by rewrite !E_map.
Qed.

(** The drafts of a run that the cheap verifier passes, where it passes the i-th with probability rate i, as Theorem 3.3
    assumes: N of [passes]. *)
Theorem sprint_passes (pass : seq V -> V -> R) rate n c f : (forall c x, pass c x = rate (size c)) ->
  E (@sprint (reals R) V (enum V) d t pass n c) (fun o => f (size o.1)) = E (@passes (reals R) rate n (size c)) f.
Proof.
move=> h; elim: n c f => [|n IH] c f; first by rewrite /= !E_ret.
pose s : R := \sum_y @residual (reals R) V (enum V) d t 1 c y.
have mass : \sum_x shared (d c) (t c) x + excesses d t 1 c * s = 1.
  rewrite mulr_sumr; under [X in _ + X]eq_bigr do rewrite excesses_residual.
  by rewrite -/(excesses d t 1 c) tv_excesses tv_shared ?t_sum // addrC subrK.
rewrite [passes _ _ _]/= E_bind E_flip E_map E_ret [sprint _ _ _ _ _ _]/= E_bind E_draw.
transitivity (\sum_x (d c x * (rate (size c) * E (@passes (reals R) rate n (size c).+1) (fun k => f k.+1))
    + (1 - rate (size c)) * f 0%N * (shared (d c) (t c) x + (d c x - shared (d c) (t c) x) * s))).
  apply: eq_bigr => x _; rewrite E_bind E_flip /= E_map (IH (rcons c x) (fun k => f k.+1)) size_rcons h.
  rewrite E_bind E_flip /= E_ret E_map E_draw /= -mulr_suml -/s -d_weight_one //.
  move: (E _ _) (@weight (reals R) V d t 1 c x : R) => e w; rewrite /=; ring.
rewrite big_split /= -mulr_suml d_sum // mul1r -mulr_sumr big_split /= -mulr_suml sumrB d_sum //.
by rewrite -tv_shared ?t_sum // -tv_excesses mass mulr1.
Qed.

(** Theorem 3.1 over n tokens. *)
Theorem theorem31 n c xs : size xs = n -> E (sprinter by_class n c) (fun s => begins R xs s) = text mixture c xs.
Proof.
elim: n c xs => [|n IH] c [|z xs] //=; first by rewrite E_ret /begins /=.
case=> hn; rewrite E_bind.
transitivity (E (sprinter_token by_class c) (fun a => (a.1 == z)%:R * text mixture (rcons c a.1) xs)).
  apply: eq_E => a; rewrite E_map -IH // -E_mulr; apply: eq_E => s; exact: begins_cons.
by rewrite (theorem31_token c (fun x => (x == z)%:R * text mixture (rcons c x) xs)) sum_eq_mul.
Qed.

(** Remark 3.2: with fp = 0 it is lossless, whatever tp is. *)
Corollary remark32 n c xs : fp = 0 -> size xs = n -> E (sprinter by_class n c) (fun s => begins R xs s) = text t c xs.
Proof.
move=> z hn; rewrite theorem31 //; elim: xs c {n hn} => [|x xs IH] c //=.
by rewrite IH /mixture z subr0 mul1r mul0r addr0.
Qed.

(** Theorem A.4: a draft is kept with probability 1 - (1 - fp) TV(d, t), whatever tp is. *)
Theorem theoremA4 c : E (sprinter_token by_class c) (fun a => a.2%:R) = 1 - (1 - fp) * tv (d c) (t c).
Proof.
rewrite /relaxed.sprinter_token E_bind E_draw tv_shared ?t_sum //.
transitivity (\sum_x ((1 - fp) * shared (d c) (t c) x + fp * d c x)); last first.
  by rewrite big_split /= -!mulr_sumr d_sum //; move: (\sum_x _) => s; ring.
apply: eq_bigr => x _; rewrite E_bind E_flip /= E_ret E_bind E_flip /= E_ret E_map E_draw [\sum_y _]big1 => [|y _]; last by rewrite mulr0.
transitivity (by_class c x * d c x + (1 - by_class c x) * (d c x * @weight (reals R) V d t 1 c x)).
  by rewrite /=; move: (@weight (reals R) V d t 1 c x : R) => w; ring.
rewrite d_weight_one // /relaxed.by_class /shared; case: (leP (d c x) (t c x)) => h; ring.
Qed.

(** Its distance to the target is fp TV(d, t). *)
Theorem theorem31_tv c : 0 <= fp -> tv (mixture c) (t c) = fp * tv (d c) (t c).
Proof.
move=> f0; rewrite /tv mulr_sumr; apply: eq_bigr => x _.
by rewrite -[X in _ = _ * Num.max _ X](mulr0 fp) maxr_pMr // !mulr0 /mixture; congr (Num.max _ _); ring.
Qed.
End Sprinter.

Section Runs.
Variable R : realFieldType.
Variables (fp tp : R) (r : nat).

(** zhong2025 Theorems 3.3 and 3.4: the first r drafts are acceptable, the later ones are not. *)
Definition labelled (i : nat) : R := if (i < r)%N then tp else fp.
Notation passes := (@passes (reals R) labelled).

(** P(N >= n): tp^n up to r, then tp^r fp^(n-r). *)
Lemma passes_tail m n : (n <= m)%N ->
  E (passes m 0) (fun k => (n <= k)%:R) = tp ^+ minn n r * fp ^+ (n - r).
Proof.
have one l i : E (passes l i) (fun=> 1) = 1.
  elim: l i => [|l IH] i; first by rewrite /= E_ret.
  by rewrite /= E_bind E_flip /= E_map E_ret IH mulr1 mulr1 addrC subrK.
have rest l k i : (k <= l)%N -> E (passes l i) (fun q => (k <= q)%:R) = \prod_(j < k) labelled (i + j).
  elim: l k i => [|l IH] [|k] i hk //; rewrite ?big_ord0 ?one //.
  rewrite /= E_bind E_flip /= E_map E_ret mulr0 addr0 big_ord_recl addn0; congr (_ * _).
  rewrite (IH k i.+1) //; apply: eq_bigr => j _; by rewrite /= addSnnS.
move=> hn; rewrite rest //; elim: n {hn} => [|n IH]; first by rewrite big_ord0 min0n sub0n !expr0 mulr1.
rewrite big_ord_recr /= IH add0n /labelled; case: (ltnP n r) => h.
  rewrite (minn_idPl h); have /eqP -> : (n - r == 0)%N by rewrite subn_eq0 ltnW.
  by have /eqP -> : (n.+1 - r == 0)%N; [rewrite subn_eq0 | rewrite !expr0 !mulr1 exprSr].
by rewrite (minn_idPr (leqW h)) subSn // exprSr mulrA.
Qed.

(** Theorem 3.3: P(N = n) = tp^n (1 - tp) for n < r, tp^r fp^(n-r) (1 - fp) for n >= r. *)
Theorem theorem33 m n : (n < m)%N -> E (passes m 0) (fun k => (k == n)%:R) =
  if (n < r)%N then tp ^+ n * (1 - tp) else tp ^+ r * fp ^+ (n - r) * (1 - fp).
Proof.
move=> hn; transitivity (E (passes m 0) (fun k => (n <= k)%:R - (n.+1 <= k)%:R)).
  by apply: eq_E => k; rewrite leq_eqVlt eq_sym; case: eqVneq => [->|_] /=; rewrite ?ltnn ?subr0 ?subrr.
rewrite E_sub !passes_tail ?(ltnW hn) //; case: (ltnP n r) => h.
  rewrite (minn_idPl h); have /eqP -> : (n - r == 0)%N by rewrite subn_eq0 ltnW.
  by have /eqP -> : (n.+1 - r == 0)%N; [rewrite subn_eq0 | rewrite !expr0 !mulr1 exprS; ring].
by rewrite (minn_idPr (leqW h)) subSn // exprS; ring.
Qed.

Definition mean m i : R := E (passes m i) (fun k => k%:R).

Lemma passes_one l i : E (passes l i) (fun=> 1) = 1.
Proof.
elim: l i => [|l IH] i; first by rewrite /= E_ret.
by rewrite /= E_bind E_flip /= E_map E_ret IH mulr1 mulr1 addrC subrK.
Qed.

Lemma meanS m i : mean m.+1 i = labelled i * (1 + mean m i.+1).
Proof.
have -> : 1 + mean m i.+1 = E (passes m i.+1) (fun k => 1 + k%:R) by rewrite E_add passes_one.
rewrite /mean /= E_bind E_flip /= E_map E_ret mulr0 addr0.
by congr (_ * _); apply: eq_E => k; rewrite mulrS.
Qed.

(** Theorem 3.3, equation (3), where at most m drafts are looked at: what this cuts off, tp^r fp^(m-r+1) / (1 - fp),
    vanishes as m grows. N does not count the last token. *)
Theorem theorem33_mean m : tp != 1 -> fp != 1 -> (r <= m)%N ->
  E (passes m 0) (fun k => k%:R) = (tp - tp ^+ r) / (1 - tp) + tp ^+ r * (1 - fp ^+ (m - r).+1) / (1 - fp).
Proof.
move=> t1 f1 hr; have tn : 1 - tp != 0 by rewrite subr_eq0 eq_sym.
have fn : 1 - fp != 0 by rewrite subr_eq0 eq_sym.
have late l i : (r <= i)%N -> mean l i = (fp - fp ^+ l.+1) / (1 - fp).
  elim: l i => [|l IH] i hi; first by rewrite /mean /= E_ret expr1 subrr mul0r.
  rewrite meanS IH ?leqW // /labelled ltnNge hi /= [fp ^+ l.+2]exprS.
  by move: (fp ^+ l.+1) => a; field.
rewrite -/(mean m 0) -{1}(subnKC hr).
have early k l i : (i + k = r)%N -> mean (k + l) i = (tp - tp ^+ k) / (1 - tp) + tp ^+ k * (1 - fp ^+ l.+1) / (1 - fp).
  elim: k i => [|k IH] i hk.
    rewrite add0n late -?hk ?addn0 // expr0; move: (fp ^+ l.+1) => a; field; by rewrite tn fn.
  rewrite addSn meanS (IH i.+1) ?addSnnS // /labelled -hk -addn1 leq_add2l /= [tp ^+ k.+1]exprS.
  move: (fp ^+ l.+1) (tp ^+ k) => a b; field; by rewrite tn fn.
by rewrite (early r (m - r)%N 0%N).
Qed.

(** Theorem 3.4, corrected: each of the N + 1 drafted tokens is drafted and verified, so costs t_d + t_v. *)
Theorem theorem34 m (td tv : R) : tp != 1 -> fp != 1 -> (r <= m)%N ->
  E (passes m 0) (fun k => (td + tv) * k.+1%:R) =
  (td + tv) * ((1 - tp ^+ r) / (1 - tp) + tp ^+ r * (1 - fp ^+ (m - r).+1) / (1 - fp)).
Proof.
move=> t1 f1 hr; have tn : 1 - tp != 0 by rewrite subr_eq0 eq_sym.
have fn : 1 - fp != 0 by rewrite subr_eq0 eq_sym.
rewrite E_mulr; congr (_ * _).
rewrite (eq_E _ (fun k => mulrS 1 k)) E_add passes_one theorem33_mean //.
move: (fp ^+ _) (tp ^+ r) => a b; field; by rewrite tn fn.
Qed.
End Runs.
