(** sun2025 Theorem 2 as printed is false for i >= 2: two pairs of two tokens and two drafts, by computation. First in
    the law of N(2), with the three contexts that are the fewest for probabilities 0, 1/2 and 1; then in the mean of
    N(3), with seven. The other verifier, block verification that sometimes looks at one draft only, is valid and
    depends on nothing but the laws that a verifier is given. *)
From proofs Require Import prelude model valid token block.
Local Open Scope ring_scope.

(** Block verification that leaves out the last draft with probability q. *)
Definition lazy_block (O : ops) (V : Type) (tokens : seq V) (q : num O) (d t : program.model O V) n c : program.dist O (seq V * V) :=
  let! fewer := flip q in if fewer then block.block tokens d t n.-1 c else block.block tokens d t n c.

(** A law of two tokens, by the probability of token 1; false is token 0. *)
Definition coin2 (p : rat) (x : bool) : rat := if x then p else 1 - p.
Definition half : rat := 1 / 2%:R.

Lemma coin2_law p : 0 <= p <= 1 -> law (coin2 p).
Proof.
case/andP=> p0 p1; split=> [[]|]; rewrite /coin2 ?subr_ge0 //.
by rewrite big_bool /= addrC subrK.
Qed.

(** The field of the rational numbers, as MathComp finds it for their type. *)
Definition rational : realFieldType := Eval cbv beta in (fun (F : realFieldType) (_ : phant F) => F) _ (Phant rat).
Notation rationals := (reals rational).
Notation rule := (seq bool -> program.dist rationals (seq bool * bool)).
Notation block_of d t n := (@block.block rationals bool (enum {: bool}) d t n).

(** Two drafts, two tokens. *)
Definition lazy (q : rat) d t c := @lazy_block rationals bool (enum {: bool}) q d t 2 c.

Lemma lazy_valid q d t c : 0 <= q <= 1 -> lawful d -> lawful t -> valid d t 2 c (lazy q d t c).
Proof.
move=> q01 dl tl; case: (block_valid dl tl 1 c) => pos1 short1 draft1 goal1.
case: (block_valid dl tl 2 c) => pos2 short2 draft2 goal2.
have mix f : E (lazy q d t c) f = q * E (block_of d t 1 c) f + (1 - q) * E (block_of d t 2 c) f.
  by rewrite /lazy /lazy_block E_bind E_flip.
split=> [|||xs].
- by apply: nonneg_bind => [|[]] //; apply: nonneg_flip.
- apply: (every_bind (@every_true _ _ _)) => -[] _ // o ho; exact: leq_trans (short1 o ho) _.
- move=> x; rewrite /accepts mix; case/andP: q01 => q0 q1.
  have -> : text d c x = q * text d c x + (1 - q) * text d c x by rewrite -mulrDl addrCA subrr addr0 mul1r.
  by apply: lerD; apply: ler_wpM2l; rewrite ?subr_ge0 //; [apply: draft1 | apply: draft2].
by rewrite mix goal1 goal2 -mulrDl addrCA subrr addr0 mul1r.
Qed.

(** Expectations that run. *)
Lemma E_foldr A (m : dist rationals A) f : E m f = foldr (fun q s => (q.1 : rat) * f q.2 + s) 0 m.
Proof. by rewrite /E unlock. Qed.

Lemma bools : enum {: bool} = [:: true; false].
Proof. by rewrite enumT unlock. Qed.

(** Three contexts, the state after the tokens c. *)
Definition state3 : seq bool -> nat := foldl (fun s (x : bool) =>
  match s, x with 0, false => 1 | 0, true => 2 | 1, false => 1 | 1, true => 0 | _, _ => 1 end%N) 0%N.
Definition draft3 (c : seq bool) : bool -> rat := coin2 (match state3 c with 0 => 0 | 1 => half | _ => 0 end).
Definition target3 (c : seq bool) : bool -> rat := coin2 (match state3 c with 0 => half | _ => 1 end).

Lemma draft3_lawful : lawful draft3.
Proof. by move=> c; apply: coin2_law; case: (state3 c) => [|[|n]]. Qed.

Lemma target3_lawful : lawful target3.
Proof. by move=> c; apply: coin2_law; case: (state3 c) => [|n]. Qed.

(** P(N(i) >= n). *)
Definition reaches (r : rule) i n : rat := E (chain r i [::]) (fun s => (n <= size s)%:R).

(** P(N(2) >= 5) is 1/8 of block verification, and 9/64 of the one that looks at one draft with probability 1/4. *)
Theorem theorem2_law_refuted : let quarter := half * half in
  lawful draft3 /\ lawful target3 /\ (forall c, valid draft3 target3 2 c (lazy quarter draft3 target3 c)) /\
  reaches (block_of draft3 target3 2) 2 5 < reaches (lazy quarter draft3 target3) 2 5.
Proof.
split; [exact: draft3_lawful | split; [exact: target3_lawful | split]].
  by move=> c; apply: lazy_valid; [| exact: draft3_lawful | exact: target3_lawful].
rewrite /reaches /lazy !E_foldr bools.
vm_cast_no_check isT.
Qed.

(** The mean. Both models take the first two tokens with probability 1, then they differ; to draft one token fewer in
    the first iterations meets the difference with a fresh iteration. *)
(** Seven contexts. *)
Definition next (s : nat) (x : bool) : nat :=
  match s, x with
  | 0, _ => 1 | 1, _ => 2 | 2, false => 5 | 2, true => 3 | 3, false => 5 | 3, true => 4
  | 4, false => 5 | 4, true => 6 | 5, _ => 5 | _, _ => 6
  end%N.
Definition state (c : seq bool) : nat := foldl next 0%N c.

Definition draft (c : seq bool) : bool -> rat :=
  coin2 (match state c with 0 => 0 | 1 => 0 | 2 => 1 | 3 => half | 4 => 0 | 5 => 1 | _ => half end).
Definition target (c : seq bool) : bool -> rat :=
  coin2 (match state c with 0 => 0 | 1 => 0 | 2 => half | 3 => 1 | 4 => 1 | 5 => 0 | _ => half end).


Lemma draft_lawful : lawful draft.
Proof. by move=> c; apply: coin2_law; case: (state c) => [|[|[|[|[|[|n]]]]]]. Qed.

Lemma target_lawful : lawful target.
Proof. by move=> c; apply: coin2_law; case: (state c) => [|[|[|[|[|[|n]]]]]]. Qed.

(** One draft fewer but where the models differ. *)
Definition fewer c := block_of draft target (match state c with 2 => 2 | 6 => 2 | _ => 1 end)%N c.

Lemma fewer_valid c : valid draft target 2 c (fewer c).
Proof.
rewrite /fewer; set n := (match state c with 2 => 2 | 6 => 2 | _ => 1 end)%N.
case: (block_valid draft_lawful target_lawful n c) => pos short drafts goal; split=> // q hq.
by apply: leq_trans (short q hq) _; rewrite /n; case: (state c) => [|[|[|[|[|[|[|k]]]]]]].
Qed.

(** E[N(3)] is 23/4 of block verification and 6 of the other. *)
Theorem theorem2_refuted :
  lawful draft /\ lawful target /\ (forall c, valid draft target 2 c (fewer c)) /\
  tokens_after (block_of draft target 2) 3 [::] < tokens_after fewer 3 [::].
Proof.
split; [exact: draft_lawful | split; [exact: target_lawful | split; [exact: fewer_valid |]]].
rewrite /tokens_after /fewer !E_foldr bools.
vm_cast_no_check isT.
Qed.
