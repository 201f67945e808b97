(** slot-block: K drafts as blocks over a law of slots (this project's repair of lin2026's SpecTr-GBV, without a
    carry). A slot is an accepted node of the trie of the drafts so far with a next token that leaves the trie there, or
    a whole draft. *)
From proofs Require Import prelude program model valid block.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (same : V -> V -> bool) (tokens : seq V) (d t : program.model O V).

(** A trie with the masses of its slots: the next token y leaves it ([Open]), or goes on in it ([Inner]); a whole draft
    ends in [Whole]. *)
Inductive slots := Whole of num O | Open of num O | Inner of (V -> slots).

(** n tokens of the draft. *)
Fixpoint draft (n : nat) c : dist O (seq V) :=
  if n is m.+1 then
    let! x := draw tokens (d c) in
    let! s := draft m (rcons c x) in
    ret O (x :: s)
  else ret O [::].

(** Block verification along the draft xs from the weight w on: the slots at its nodes, and the probability that no
    node is accepted. *)
Fixpoint along (w : num O) c (xs : seq V) : slots * num O :=
  if xs is x :: rest then
    let deeper := along (weight d t w c x) (rcons c x) rest in
    let h := coin tokens d t w c in
    (Inner (fun y => if same x y then deeper.1 else Open (mul (mul deeper.2 h) (residual tokens d t w c y))),
     mul deeper.2 (sub (one O) h))
  else (Whole w, sub (one O) w).

(** A slot of mass m at a path that is drafted with probability D gives B = min(D, m) to the drafts that leave the trie
    there. The sum of B: *)
Fixpoint claimed (D : num O) c (s : slots) : num O :=
  match s with
  | Whole _ => zero O
  | Open m => min D m
  | Inner f => total tokens (fun y => claimed (mul D (d c y)) (rcons c y) (f y))
  end.

(** The probability that no node of the draft xs is accepted. *)
Fixpoint refused (D : num O) c (s : slots) (xs : seq V) : num O :=
  match s, xs with
  | Inner f, x :: rest => refused (mul D (d c x)) (rcons c x) (f x) rest
  | Open m, _ => (along (min (one O) (div m D)) c xs).2
  | _, _ => one O
  end.

(** What a refused draft leaves: r (m - B) in each slot. *)
Fixpoint kept (r D : num O) c (s : slots) : slots :=
  match s with
  | Whole m => Whole (mul r m)
  | Open m => Open (mul r (sub m (min D m)))
  | Inner f => Inner (fun y => kept r (mul D (d c y)) (rcons c y) (f y))
  end.

(** The draft xs becomes a path of the trie, from the slot through which it leaves it on. *)
Fixpoint grafted (r D : num O) c (s : slots) (xs : seq V) : slots :=
  match s, xs with
  | Inner f, x :: rest =>
    Inner (fun y => if same x y then grafted r (mul D (d c y)) (rcons c y) (f y) rest
                    else kept r (mul D (d c y)) (rcons c y) (f y))
  | Open m, _ => (along (min (one O) (div m D)) c xs).1
  | _, _ => kept r D c s
  end.

Definition add_draft c (s : slots) (xs : seq V) : slots :=
  let r := div (refused (one O) c s xs) (sub (one O) (claimed (one O) c s)) in
  grafted r (one O) c s xs.

(** One slot is drawn: its node and its token are emitted, or a whole draft and a token of the target. *)
Fixpoint emit c (s : slots) : dist O (seq V * V) :=
  match s with
  | Whole m =>
    scale m (let! y := draw tokens (t c) in ret O ([::], y))
  | Open m => [::]
  | Inner f =>
    flatten [seq (if f y is Open m then [:: (m, ([::], y))]
                  else [seq (q.1, (y :: q.2.1, q.2.2)) | q <- emit (rcons c y) (f y)]) | y <- tokens]
  end.

Fixpoint slot_rounds (K n : nat) c (s : slots) : dist O (seq V * V) :=
  if K is j.+1 then
    let! xs := draft n c in
    slot_rounds j n c (add_draft c s xs)
  else emit c s.

Definition slot_block (K n : nat) c : dist O (seq V * V) :=
  slot_rounds K n c (if n is 0 then Whole (one O) else Inner (fun y => Open (t c y))).
End Rule.
Arguments Whole {O V} _.
Arguments Open {O V} _.
Arguments Inner {O V} _.
Local Arguments coin {O V} tokens d t w c : simpl never.

Section Slots.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation slots := (@slots (reals R) V).
Notation draft := (@draft (reals R) V (enum V) d).
Notation along := (@along (reals R) V eq_op (enum V) d t).
Notation claimed := (@claimed (reals R) V (enum V) d).
Notation refused := (@refused (reals R) V eq_op (enum V) d t).
Notation kept := (@kept (reals R) V d).
Notation grafted := (@grafted (reals R) V eq_op (enum V) d t).
Notation add_draft := (@add_draft (reals R) V eq_op (enum V) d t).
Notation emit := (@emit (reals R) V (enum V) t).
Notation slot_block := (@slot_block (reals R) V eq_op (enum V) d t).
Notation coin := (@coin (reals R) V (enum V) d t).
Notation excess := (@excess (reals R) V d t).
Notation weight := (@weight (reals R) V d t).
Notation residual := (@residual (reals R) V (enum V) d t).
Notation excesses := (excesses d t).

Lemma draftS n c f : E (draft n.+1 c) f = \sum_x d c x * E (draft n (rcons c x)) (fun s => f (x :: s)).
Proof. by rewrite /= E_bind E_draw; apply: eq_bigr => x _; rewrite E_map. Qed.

Lemma draft_one n c : E (draft n c) (fun=> 1) = 1.
Proof.
elim: n c => [|n IH] c; first by rewrite /= E_ret.
by rewrite draftS; under eq_bigr do rewrite IH mulr1; rewrite d_sum.
Qed.

Lemma draft_const n c a : E (draft n c) (fun=> a) = a.
Proof. by rewrite E_const draft_one mulr1. Qed.

Lemma draft_size n c : every (fun xs => size xs == n) (draft n c).
Proof.
elim: n c => [|n IH] c /=; first exact: every_ret.
by apply: (every_bind (@every_true _ _ _)) => x _; apply: (every_bind (IH _)) => s hs; apply: every_ret.
Qed.

(** The token y is the first of xs, where xs has one. *)
Definition hit (xs : seq V) y : R := if xs is z :: _ then (y == z)%:R else 1.

Lemma hit_bounds xs y : 0 <= hit xs y <= 1.
Proof. by case: xs => [|z xs] /=; rewrite ?ler01 ?lexx //; case: (y == z); rewrite ?ler01 ?lexx. Qed.

Lemma text_hit c xs : text t c xs = \sum_y t c y * (hit xs y * text t (rcons c y) (behead xs)).
Proof.
case: xs => [|z xs] /=; first by under eq_bigr do rewrite mulr1 mulr1; rewrite t_sum.
by rewrite (sum_eq_mul _ (fun y => text t (rcons c y) xs)).
Qed.

Lemma follows_hit c y s xs :
  follows (text t) c (y :: s) xs = hit xs y * follows (text t) (rcons c y) s (behead xs).
Proof. by case: xs => [|z xs] //=; rewrite follows_nil mulr1. Qed.

Lemma text_le1 c xs : text t c xs <= 1.
Proof.
elim: xs c => [|x xs IH] c //=; apply: mulr_ile1 => //; [exact: t_ge0 | exact: text_ge0 |].
by rewrite -(t_sum t_law c) (bigD1 x) //= lerDl; apply: sumr_ge0 => y _; exact: t_ge0.
Qed.

(** The probability that what is emitted, continued by the target, begins with xs. *)
Fixpoint worth c (s : slots) xs : R :=
  match s with
  | Whole m | Open m => m * text t c xs
  | Inner f => \sum_y hit xs y * worth (rcons c y) (f y) (behead xs)
  end.

(** The same of what the slots keep, m - B. *)
Fixpoint spare (D : R) c (s : slots) xs : R :=
  match s with
  | Whole m => m * text t c xs
  | Open m => (m - Num.min D m) * text t c xs
  | Inner f => \sum_y hit xs y * spare (D * d c y) (rcons c y) (f y) (behead xs)
  end.

Fixpoint positive (s : slots) : Prop :=
  match s with Whole m | Open m => 0 <= m :> R | Inner f => forall y, positive (f y) end.

(** A trie of drafts of n tokens. *)
Fixpoint fits (n : nat) (s : slots) {struct s} : Prop :=
  match s with Whole _ | Open _ => True | Inner f => if n is m.+1 then forall y, fits m (f y) else False end.

Definition closed (s : slots) := if s is Open _ then false else true.

Lemma E_each A (k : V -> dist (reals R) A) f : E (flatten [seq k y | y <- enum V]) f = \sum_y E (k y) f.
Proof.
rewrite -big_enum; elim: (enum V) => [|y s IH] /=; first by rewrite /E !big_nil.
by rewrite E_cat IH big_cons.
Qed.

Lemma emit_worth c s xs : closed s -> E (emit c s) (fun o => follows (text t) c (output o) xs) = worth c s xs.
Proof.
elim: s c xs => [m|//|f IH] c xs hs /=.
  rewrite E_scale E_map E_draw; congr (_ * _); rewrite text_hit; apply: eq_bigr => y _.
  by rewrite /output /= follows_hit follows_text.
rewrite E_each; apply: eq_bigr => y _; case e: (f y) => [m|m|g].
- have := IH y (rcons c y) (behead xs); rewrite e => /(_ isT) <-; rewrite -E_mulr /E big_map /=.
  by apply: eq_bigr => q _; rewrite /output /= follows_hit.
- by rewrite /E big_seq1 /= follows_hit follows_text mulrCA.
have := IH y (rcons c y) (behead xs); rewrite e => /(_ isT) <-; rewrite -E_mulr /E big_map /=.
by apply: eq_bigr => q _; rewrite /output /= follows_hit.
Qed.

Lemma worth_bounds c s xs : positive s -> 0 <= worth c s xs <= worth c s [::].
Proof.
elim: s c xs => [m|m|f IH] c xs /= h.
- by rewrite mulr1 mulr_ge0 ?text_ge0 //= ler_piMr // text_le1.
- by rewrite mulr1 mulr_ge0 ?text_ge0 //= ler_piMr // text_le1.
apply/andP; split.
  apply: sumr_ge0 => y _; case/andP: (hit_bounds xs y) => h0 _; rewrite mulr_ge0 //.
  by case/andP: (IH y (rcons c y) (behead xs) (h y)).
apply: ler_sum => y _; case/andP: (hit_bounds xs y) => h0 h1; case/andP: (IH y (rcons c y) (behead xs) (h y)) => w0 w1.
by rewrite mul1r; apply: le_trans w1; rewrite mulrC ler_piMr.
Qed.

Lemma worth_kept (r D : R) c s xs : worth c (kept r D c s) xs = r * spare D c s xs.
Proof.
elim: s D c xs => [m|m|f IH] D c xs /=; rewrite ?mulrA //.
by rewrite mulr_sumr; apply: eq_bigr => y _; rewrite IH mulrCA.
Qed.

Lemma positive_kept (r D : R) c s : 0 <= r -> positive s -> positive (kept r D c s).
Proof.
move=> r0; elim: s D c => [m|m|f IH] D c /= h; first exact: mulr_ge0.
  by rewrite mulr_ge0 // subr_ge0 ge_min lexx orbT.
by move=> y; apply: IH.
Qed.

Lemma fits_kept (r D : R) c n s : fits n s -> fits n (kept r D c s).
Proof. by elim: s D c n => [m|m|f IH] D c [|n] //= h y; apply: IH. Qed.

Lemma spare_total D c s : spare D c s [::] = worth c s [::] - claimed D c s.
Proof.
elim: s D c => [m|m|f IH] D c /=; rewrite ?mulr1 ?subr0 //.
by rewrite totalE -sumrB; apply: eq_bigr => y _; rewrite !mul1r IH.
Qed.

Lemma spare_bounds D c s xs : positive s -> 0 <= spare D c s xs <= spare D c s [::].
Proof.
move=> h; have := worth_bounds c xs (positive_kept D c ler01 h).
by rewrite !worth_kept !mul1r.
Qed.

(** Block verification along a draft, on the average over drafts: [block.found_follows] again, with the draft given. *)
Lemma along_refused n (w : R) c : 0 <= w <= 1 -> E (draft n c) (fun xs => (along w c xs).2 : R) = 1 - w.
Proof.
elim: n w c => [|n IH] w c w01; first by rewrite /= E_ret.
case/andP: (w01) => w0 w1; rewrite draftS /=; under eq_bigr do rewrite E_mull IH ?weight_bounds // mulrA.
rewrite -mulr_suml; under eq_bigr do rewrite mulrBr mulr1.
rewrite sumrB d_sum // deeper //; move: (settles d t c w01); move: (coin w c : R) => k sk.
by rewrite mulrBr mulr1 sk; ring.
Qed.

(** Where the residual has the token x, its path has weight 1. *)
Lemma excess_certain (w : R) c x : 0 <= w -> d c x * (1 - weight w c x) * excess w c x = 0.
Proof.
move=> w0; rewrite mulrBr mulr1 d_weight // /excess /=; case: (leP (w * t c x) (d c x)) => h.
  by rewrite max_r ?subr_le0 // mulr0.
by rewrite max_l ?subr_ge0 ?(ltW h) // subKr subrr mul0r.
Qed.

Lemma along_worth n (w : R) c xs : 0 <= w <= 1 ->
  E (draft n c) (fun s => worth c (along w c s).1 xs) = w * text t c xs.
Proof.
elim: n w c xs => [|n IH] w c xs w01; first by rewrite /= E_ret.
case/andP: (w01) => w0 w1; have wx x := weight_bounds d_law t_law c x w0.
pose T y := hit xs y * text t (rcons c y) (behead xs).
pose h : R := coin w c; pose rho y : R := residual w c y.
rewrite draftS; transitivity (\sum_x (d c x * weight w c x * T x + d c x * (1 - weight w c x) * (h * (\sum_y rho y * T y - rho x * T x)))).
  apply: eq_bigr => x _.
  transitivity (d c x * E (draft n (rcons c x)) (fun s => hit xs x * worth (rcons c x) (along (weight w c x) (rcons c x) s).1 (behead xs)
      + (along (weight w c x) (rcons c x) s).2 * (h * (\sum_y rho y * T y - rho x * T x)))).
    congr (_ * _); apply: eq_E => s /=; rewrite (bigD1 x) //= eqxx; congr (_ + _).
    rewrite [\sum_y rho y * T y](bigD1 x) //= [rho x * T x + _]addrC addrK !mulr_sumr; apply: eq_bigr => y yx.
    rewrite eq_sym (negbTE yx) /= /T -/h -/(rho y); move: ((along _ _ s).2 : R) (rho y) (hit xs y) (text t _ _) => *; ring.
  rewrite E_add E_mulr E_mull IH // along_refused // /T.
  by move: (weight w c x : R) (h * _) => *; ring.
rewrite big_split /=; have S : excesses w c * (\sum_y rho y * T y) = \sum_y (excess w c y : R) * T y.
  by rewrite mulr_sumr; apply: eq_bigr => y _; rewrite mulrA excesses_residual.
have none x : d c x * (1 - weight w c x) * (rho x * T x) = 0.
  by rewrite /rho /residual /= mulrA mulrA excess_certain // !mul0r.
under [X in _ + X]eq_bigr do rewrite mulrCA mulrBr none subr0.
rewrite -mulr_sumr -mulr_suml; under [X in _ + _ * (X * _)]eq_bigr do rewrite mulrBr mulr1.
rewrite [X in _ + _ * (X * _)]sumrB d_sum // deeper // mulrA [h * _]mulrC settles // S -big_split.
rewrite text_hit mulr_sumr; apply: eq_bigr => y _ /=.
by rewrite -mulrDl d_weight // subrK mulrA.
Qed.

Lemma along_bounds (w : R) c s : 0 <= w <= 1 ->
  [/\ 0 <= ((along w c s).2 : R) <= 1, positive (along w c s).1 & worth c (along w c s).1 [::] <= 1 - (along w c s).2].
Proof.
elim: s w c => [|x s IH] w c w01; case/andP: (w01) => w0 w1 /=.
  by split=> //; [rewrite subr_ge0 w1 lerBlDr lerDl | rewrite mulr1 subKr].
have [/andP[l0 l1] pos total] := IH _ (rcons c x) (weight_bounds d_law t_law c x w0).
have /andP[h0 h1] := coin_bounds d t c w01.
set deep := along _ _ s in l0 l1 pos total *; pose l : R := deep.2; rewrite -/l in l0 l1 total *.
have lh0 : 0 <= l * coin w c by rewrite mulr_ge0.
have res0 y : 0 <= (residual w c y : R) by apply: residual_ge0.
split.
- by rewrite mulr_ge0 ?subr_ge0 //= mulr_ile1 ?subr_ge0 // lerBlDr lerDl.
- by move=> y; case: eqP => // _ /=; rewrite mulr_ge0.
rewrite (bigD1 x) //= eqxx mul1r; apply: (@le_trans _ _ (1 - l + l * coin w c)); last first.
  by have -> : 1 - l * (1 - coin w c) = 1 - l + l * coin w c by move: (coin w c : R) => h; ring.
apply: lerD; first exact: total.
apply: (@le_trans _ _ (\sum_y l * coin w c * residual w c y)); last first.
  rewrite -mulr_sumr ler_piMr //; rewrite /residual -mulr_suml excess_sumE /=.
  by have [->|z] := eqVneq (excesses w c) 0; rewrite ?invr0 ?mulr0 ?ler01 // mulfV.
rewrite [X in _ <= X](bigD1 x) //=; rewrite -[X in X <= _]add0r; apply: lerD; [exact: mulr_ge0 | apply: ler_sum => y yx].
by rewrite eq_sym (negbTE yx) /= mulr1 mul1r.
Qed.

Lemma along_fits (w : R) c s : fits (size s) (along w c s).1.
Proof. elim: s w c => [|x s IH] w c //= y; case: eqP => _; [exact: IH | exact: I]. Qed.

Lemma slot_weight (m D : R) : 0 <= m -> 0 <= D -> 0 <= Num.min 1 (m / D) <= 1 /\ D * Num.min 1 (m / D) = Num.min D m.
Proof.
move=> m0 D0; split; first by rewrite le_min ler01 divr_ge0 //= ge_min lexx.
have [->|z] := eqVneq D 0; first by rewrite mul0r min_l.
by rewrite minr_pMr // mulr1 mulrC divfK.
Qed.

(** On the average over the drafts that fall into a part of the trie. *)
Lemma refused_mean n (D : R) c s : 0 <= D -> positive s -> fits n s ->
  D * E (draft n c) (fun xs => refused D c s xs : R) = D - claimed D c s.
Proof.
elim: s n D c => [m|m|f IH] n D c D0 /= pos; first by rewrite draft_const mulr1 subr0.
  have [w01 e] := slot_weight pos D0; rewrite along_refused // mulrBr mulr1 e //.
case: n => // n fit; rewrite draftS totalE mulr_sumr.
under eq_bigr do rewrite mulrA IH ?mulr_ge0 ?d_ge0 //.
by rewrite sumrB -mulr_sumr d_sum // mulr1.
Qed.

Lemma grafted_mean n (q D : R) c s xs : 0 <= D -> positive s -> fits n s ->
  D * E (draft n c) (fun x => worth c (grafted (refused D c s x * q) D c s x) xs) =
  worth c s xs - spare D c s xs + q * (D - claimed D c s) * spare D c s xs.
Proof.
elim: s n D c xs => [m|m|f IH] n D c xs D0 pos.
- by move=> _; rewrite /= draft_const /= mul1r; rewrite subr0 subrr add0r; ring.
- move=> _ /=; have [w01 e] := slot_weight pos D0; rewrite along_worth // mulrA e -mulrBl subKr.
  rewrite -[LHS]addr0; congr (_ + _); case: (leP D m) => h; first by rewrite subrr mulr0 mul0r.
  by rewrite subrr mul0r mulr0.
case: n => [[]|n fit]; pose K y := hit xs y * spare (D * d c y) (rcons c y) (f y) (behead xs).
have Dd y : 0 <= D * d c y by rewrite mulr_ge0 ?d_ge0.
rewrite draftS mulr_sumr.
transitivity (\sum_x (hit xs x * (worth (rcons c x) (f x) (behead xs) - spare (D * d c x) (rcons c x) (f x) (behead xs))
    + (D * d c x - claimed (D * d c x) (rcons c x) (f x)) * (q * \sum_y K y))).
  apply: eq_bigr => x _; pose l s := (refused (D * d c x) (rcons c x) (f x) s : R).
  transitivity (D * d c x * E (draft n (rcons c x)) (fun s =>
      hit xs x * worth (rcons c x) (grafted (l s * q) (D * d c x) (rcons c x) (f x) s) (behead xs)
      + l s * (q * (\sum_y K y - K x)))).
    rewrite mulrA; congr (_ * _); apply: eq_E => s /=; rewrite (bigD1 x) //= eqxx; congr (_ + _).
    rewrite [\sum_y K y](bigD1 x) //= [K x + _]addrC addrK mulrA mulr_sumr; apply: eq_bigr => y yx.
    by rewrite eq_sym (negbTE yx) worth_kept mulrCA.
  have G := IH x n (D * d c x) (rcons c x) (behead xs) (Dd x) (pos x) (fit x).
  have F := @refused_mean n (D * d c x) (rcons c x) (f x) (Dd x) (pos x) (fit x).
  rewrite E_add [E _ (fun s => hit xs x * _)]E_mulr [E _ (fun s => l s * _)]E_mull [D * d c x * (_ + _)]mulrDr.
  rewrite [D * d c x * (hit xs x * _)]mulrCA G [D * d c x * (E _ _ * _)]mulrA F /K.
  move: (hit xs x) (worth _ _ _) (spare _ _ _ _) (claimed _ _ _ : R) (\sum_y _) => *; ring.
rewrite big_split -mulr_suml /= totalE sumrB -mulr_sumr d_sum // mulr1; congr (_ + _); last by rewrite mulrCA mulrA.
by rewrite -sumrB; apply: eq_bigr => y _; rewrite mulrBr.
Qed.

Lemma refused_bounds (D : R) c s xs : 0 <= D -> positive s -> 0 <= (refused D c s xs : R) <= 1.
Proof.
elim: s D c xs => [m|m|f IH] D c xs D0 /= pos; first by rewrite ler01 lexx.
  have [w01 _] := slot_weight pos D0; by case: (along_bounds c xs w01).
by case: xs => [|x xs]; [rewrite ler01 lexx | apply: IH => //; rewrite mulr_ge0 ?d_ge0].
Qed.

Lemma grafted_positive (r D : R) c s xs : 0 <= r -> 0 <= D -> positive s -> positive (grafted r D c s xs).
Proof.
move=> r0; elim: s D c xs => [m|m|f IH] D c xs D0 /= pos; first exact: mulr_ge0.
  have [w01 _] := slot_weight pos D0; by case: (along_bounds c xs w01).
case: xs => [|x xs] y /=; first exact: positive_kept.
case: eqP => _; last exact: positive_kept.
by apply: IH => //; rewrite mulr_ge0 ?d_ge0.
Qed.

Lemma grafted_fits (r D : R) c s xs : fits (size xs) s -> fits (size xs) (grafted r D c s xs).
Proof.
elim: s D c xs => [m|m|f IH] D c xs fit; [exact: I | exact: along_fits |].
case: xs fit => [|x xs] //= fit y; case: eqP => _; [exact: IH | exact: fits_kept].
Qed.

Lemma grafted_total (r D : R) c s xs : 0 <= r -> 0 <= D -> positive s ->
  worth c (grafted r D c s xs) [::] <= r * spare D c s [::] + (1 - refused D c s xs).
Proof.
move=> r0; elim: s D c xs => [m|m|f IH] D c xs D0 /= pos; first by rewrite subrr addr0 mulrA.
  have [w01 _] := slot_weight pos D0; case: (along_bounds c xs w01) => _ _ h; apply: le_trans h _.
  by rewrite [X in _ <= X]addrC lerDl mulr_ge0 // mulr1 subr_ge0 ge_min lexx orbT.
case: xs => [|x xs] /=.
  by rewrite subrr addr0 mulr_sumr; apply: ler_sum => y _; rewrite worth_kept !mul1r.
rewrite (bigD1 x) //= [X in r * X](bigD1 x) //= eqxx !mul1r mulrDr addrAC; apply: lerD.
  by apply: IH => //; rewrite mulr_ge0 ?d_ge0.
by rewrite mulr_sumr; apply: ler_sum => y yx; rewrite eq_sym (negbTE yx) worth_kept !mul1r.
Qed.

(** A law over slots to which a draft may be added. *)
Record sound n c (s : slots) := Sound {
  sound_positive : positive s;
  sound_fits : fits n s;
  sound_total : worth c s [::] <= 1;
  sound_closed : closed s
}.

Lemma claimed_le1 n c s : sound n c s -> (claimed 1 c s : R) <= 1.
Proof.
case=> pos fit _ _; have := @refused_mean n 1 c s ler01 pos fit; rewrite mul1r => e.
rewrite -subr_ge0 -e; apply: E_ge0 => [|xs]; last by case/andP: (refused_bounds c xs ler01 pos).
elim: n c {fit e} => [|n IH] c; first exact: nonneg_ret.
apply: nonneg_bind => [|x]; first by apply: nonneg_draw; exact: d_ge0.
by apply: nonneg_bind => [|s']; [exact: IH | exact: nonneg_ret].
Qed.

Lemma add_draft_sound n c s xs : size xs = n -> sound n c s -> sound n c (add_draft c s xs).
Proof.
move=> hn h; have le1 := claimed_le1 h; case: h => pos fit tot clo; rewrite /slots.add_draft /=.
have /andP[l0 l1] := refused_bounds c xs ler01 pos.
set r := _ / _; have r0 : 0 <= r by rewrite divr_ge0 // subr_ge0.
apply: Sound; [by apply: grafted_positive; rewrite ?ler01 | by rewrite -hn in fit *; apply: grafted_fits | |].
  apply: le_trans (grafted_total c xs r0 ler01 pos) _; rewrite addrCA gerDl subr_le0.
  have left : spare 1 c s [::] <= 1 - claimed 1 c s by rewrite spare_total lerD2r.
  apply: le_trans (ler_wpM2l r0 left) _; rewrite /r.
  have [z|z] := eqVneq (1 - (claimed 1 c s : R)) 0; first by rewrite z mulr0.
  by rewrite divfK.
by case: (s) clo => // f _; case: (xs).
Qed.

Lemma add_draft_mean n c s xs : sound n c s ->
  E (draft n c) (fun x => worth c (add_draft c s x) xs) = worth c s xs.
Proof.
move=> h; have le1 := claimed_le1 h; case: h => pos fit tot clo.
have := grafted_mean (1 - claimed 1 c s)^-1 c xs ler01 pos fit; rewrite mul1r => ->.
have [z|z] := eqVneq (1 - (claimed 1 c s : R)) 0; last by rewrite mulVf // mul1r subrK.
have -> : spare 1 c s xs = 0; last by rewrite mulr0 addr0 subr0.
have /andP[s0 s1] := spare_bounds 1 c xs pos; apply/eqP; rewrite eq_le s0 andbT; apply: (le_trans s1).
by rewrite spare_total -z lerD2r.
Qed.

(** slot-block is lossless, for every number K of drafts, draft length and vocabulary. *)
Theorem slot_block_lossless K n : lossless t (slot_block K n).
Proof.
move=> c xs; rewrite /slots.slot_block; set s := (if n is 0 then _ else _).
have h : sound n c s.
  rewrite /s; case: n {s} => [|n]; split=> //=; rewrite ?mulr1 ?ler01 //.
    by move=> y; apply: t_ge0.
  by rewrite (eq_bigr (t c)) ?t_sum // => y _; rewrite mulr1 mul1r.
have -> : text t c xs = worth c s xs.
  rewrite /s; case: (n) => [|m] /=; first by rewrite mul1r.
  by rewrite text_hit; apply: eq_bigr => y _; rewrite mulrCA.
elim: K s h => [|K IH] s h /=; first by apply: emit_worth; case: h.
rewrite E_bind -[RHS](add_draft_mean xs h); apply: eq_E_in => q hq; apply: IH.
by apply: add_draft_sound => //; apply/eqP; apply: (draft_size hq).
Qed.

Corollary slot_block_decodes K n k c xs :
  E (chain (slot_block K n) k c) (fun o => follows (text t) c o xs) = text t c xs.
Proof. exact/chain_lossless/slot_block_lossless. Qed.
End Slots.
