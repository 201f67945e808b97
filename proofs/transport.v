(** Transport: masses a at sources, masses b at sinks, and which source may serve which sink. Hall's condition, that
    no set of sinks asks for more than the sources near it have, is enough; over every ordered field, by induction on
    the number of edges. *)
From proofs Require Import prelude.
Local Open Scope ring_scope.

Section Mass.
Variables (R : realFieldType) (T : finType).

(** The mass of f in a set. *)
Definition mass (f : T -> R) (A : pred T) := \sum_x (A x)%:R * f x.

Lemma eq_mass f (A B : pred T) : A =1 B -> mass f A = mass f B.
Proof. by move=> e; apply: eq_bigr => x _; rewrite e. Qed.

Lemma mass_ge0 f A : (forall x, 0 <= f x) -> 0 <= mass f A.
Proof. by move=> f0; apply: sumr_ge0 => x _; rewrite mulr_ge0 ?ler0n. Qed.

Lemma mass_le f (A B : pred T) : (forall x, 0 <= f x) -> (forall x, A x -> B x) -> mass f A <= mass f B.
Proof.
move=> f0 h; apply: ler_sum => x _; apply: ler_wpM2r => //; rewrite ler_nat.
by move: (h x); case: (A x) => // ->.
Qed.

Lemma massU f (A B : pred T) :
  mass f (fun x => A x || B x) + mass f (fun x => A x && B x) = mass f A + mass f B.
Proof.
rewrite /mass -!big_split; apply: eq_bigr => x _ /=.
by case: (A x); case: (B x) => //=; rewrite addrC.
Qed.

Lemma massC f (A : pred T) : mass f (fun x => ~~ A x) = \sum_x f x - mass f A.
Proof.
rewrite /mass -sumrB; apply: eq_bigr => x _; case: (A x); first by rewrite mul0r mul1r subrr.
by rewrite mul0r mul1r subr0.
Qed.

Lemma mass_less f z e (A : pred T) : mass (fun x => f x - (x == z)%:R * e) A = mass f A - (A z)%:R * e.
Proof.
rewrite /mass; under eq_bigr do rewrite mulrBr; rewrite sumrB; congr (_ - _).
by rewrite (bigD1 z) //= eqxx mul1r big1 ?addr0 // => x /negbTE ->; rewrite mul0r mulr0.
Qed.

(** A least value, and one share of a sum. *)
Lemma least (x0 : T) (f : T -> R) : exists x, forall y, f x <= f y.
Proof.
have [x hx] : exists x, forall y, y \in enum T -> f x <= f y.
  elim: (enum T) => [|z s [x hx]]; first by exists x0.
  case: (leP (f x) (f z)) => h; [exists x | exists z] => y; rewrite inE => /orP[/eqP->//|/hx //].
  by apply: le_trans; apply: ltW.
by exists x => y; apply: hx; rewrite mem_enum.
Qed.

Lemma share (f : T -> R) x : (forall x, 0 <= f x) -> (\sum_y f y) * (f x / \sum_y f y) = f x.
Proof.
move=> f0; have [z|z] := eqVneq (\sum_y f y) 0; last by rewrite mulrC divfK.
rewrite z mul0r; apply/esym/eqP; move/eqP: z; rewrite psumr_eq0 // => /allP; apply; exact: mem_index_enum.
Qed.
End Mass.

Section Transport.
Variables (R : realFieldType) (I J : finType).
Implicit Types (a : I -> R) (b : J -> R) (r : I -> J -> bool).

(** Some sink of B is served by i. *)
Definition near r (B : {set J}) i := [exists j, (j \in B) && r i j].

Definition hall a b r := forall B : {set J}, mass b (fun j => j \in B) <= mass a (near r B).

(** A transport along r that brings each sink its mass and takes from no source more than it has. *)
Record carries a b r (p : I -> J -> R) := Carries {
  carries_ge0 : forall i j, 0 <= p i j;
  carries_along : forall i j, ~~ r i j -> p i j = 0;
  carries_to : forall j, \sum_i p i j = b j;
  carries_from : forall i, \sum_j p i j <= a i
}.

Theorem transport a b r : (forall i, 0 <= a i) -> (forall j, 0 <= b j) -> hall a b r -> exists p, carries a b r p.
Proof.
have [n] := ubnP #|[pred q : I * J | r q.1 q.2]|.
elim: n a b r => // n IH a b r; rewrite ltnS => hn a0 b0 h.
case: (pickP [pred q : I * J | r q.1 q.2]) => [[i j] /= rij|none]; last first.
  exists (fun _ _ => 0); split=> // [j|i]; last by rewrite big1.
  have := h [set j]; rewrite [mass a _]big1 => [|i _]; last first.
    case e: (near r _ i); last by rewrite mul0r.
    by case/existsP: e => k /andP[_ rik]; have := none (i, k); rewrite /= rik.
  rewrite [mass b _](bigD1 j) //= in_set1 eqxx mul1r big1 ?addr0 => [bj|k /negbTE kj]; last by rewrite in_set1 kj mul0r.
  by rewrite big1 //; apply/eqP; rewrite eq_le b0 bj.
(* As much as can go along the edge (i, j): then i is empty, j is served, or a set without j is tight. *)
pose cond (B : {set J}) := near r B i && (j \notin B).
pose slack B := if cond B then mass a (near r B) - mass b (fun k => k \in B) else Num.min (a i) (b j).
have [B0 fewest] := least set0 slack.
pose e := Num.min (Num.min (a i) (b j)) (slack B0).
have slack0 B : 0 <= slack B by rewrite /slack; case: ifP => _; rewrite ?subr_ge0 ?h // le_min a0 b0.
have e0 : 0 <= e by rewrite le_min slack0 le_min a0 b0.
have ea : e <= a i by rewrite !ge_min lexx.
have eb : e <= b j by rewrite !ge_min lexx orbT.
have es B : cond B -> e <= mass a (near r B) - mass b (fun k => k \in B).
  move=> cB; apply: (@le_trans _ _ (slack B0)); first by rewrite ge_min lexx orbT.
  by apply: le_trans (fewest B) _; rewrite /slack cB.
have full : [\/ e = a i, e = b j | cond B0 /\ e = mass a (near r B0) - mass b (fun k => k \in B0)].
  rewrite /e; case: (leP (Num.min (a i) (b j)) (slack B0)) => [_|hs].
    by case: (leP (a i) (b j)) => _; [constructor 1 | constructor 2].
  by constructor 3; move: hs; rewrite /slack; case: (cond B0) => //; rewrite ltxx.
pose a' k := a k - (k == i)%:R * e; pose b' k := b k - (k == j)%:R * e.
pose r' k l := r k l && ((k, l) != (i, j)).
have a'0 k : 0 <= a' k by rewrite /a'; case: eqVneq => [->|_]; rewrite ?mul1r ?mul0r ?subr0 // subr_ge0.
have b'0 k : 0 <= b' k by rewrite /b'; case: eqVneq => [->|_]; rewrite ?mul1r ?mul0r ?subr0 // subr_ge0.
have h' : hall a' b' r.
  move=> B; rewrite !mass_less; case jB: (j \in B).
    by have -> : near r B i; [apply/existsP; exists j; rewrite jB | rewrite lerD2r; apply: h].
  rewrite mul0r subr0; case c: (near r B i); last by rewrite mul0r subr0; apply: h.
  by rewrite mul1r; have := es B; rewrite /cond c jB => /(_ isT); rewrite lerBrDr addrC -lerBrDr.
have hr' : hall a' b' r'.
  move=> B; case: (boolP [exists k, near r B k && ~~ near r' B k]) => [|same]; last first.
    apply: le_trans (h' B) _; apply: mass_le => // k hk; case: (boolP (near r' B k)) => // nk.
    by case/negP: same; apply/existsP; exists k; rewrite hk.
  case/existsP=> k /andP[/existsP[l /andP[lB rkl]] nk].
  have : (k, l) == (i, j).
    by apply/negPn/negP => q; case/negP: nk; apply/existsP; exists l; rewrite lB /r' rkl q.
  case/eqP=> ki lj; rewrite {}ki {}lj in nk lB rkl.
  have off m : near r B m -> m != i -> near r' B m.
    case/existsP=> q /andP[qB rmq] mi; apply/existsP; exists q; by rewrite qB /r' rmq /= xpair_eqE (negbTE mi).
  case: full => [ai|bj|[c0 tight]].
  - apply: le_trans (h' B) _; apply: ler_sum => m _; have [->|mi] := eqVneq m i.
      by rewrite /a' eqxx mul1r ai subrr !mulr0.
    by apply: ler_wpM2r => //; rewrite ler_nat; case nB: (near r B m) => //; rewrite (off m nB mi).
  - have -> : mass b' (fun m => m \in B) = mass b' (fun m => m \in B :\ j).
      apply: eq_bigr => m _; rewrite in_setD1; case: eqVneq => //= ->.
      by rewrite /b' eqxx mul1r bj subrr !mulr0.
    apply: le_trans (h' _) _; apply: mass_le => // m /existsP[q /andP[]]; rewrite in_setD1 => /andP[qj qB] rmq.
    by apply/existsP; exists q; rewrite qB /r' rmq xpair_eqE (negbTE qj) andbF.
  case/andP: c0 => c0i c0j.
  have tight' : mass a' (near r B0) = mass b' (fun m => m \in B0).
    by rewrite !mass_less c0i (negbTE c0j) mul1r mul0r subr0 tight subKr.
  rewrite -(lerD2r (mass b' (fun m => m \in B0))) -(massU b') -[X in _ <= _ + X]tight' -(massU a').
  apply: lerD.
    rewrite (@eq_mass _ _ b' _ (fun m => m \in B :|: B0)) => [|m]; last by rewrite in_setU.
    apply: le_trans (h' _) _; apply: mass_le => // m /existsP[q]; rewrite in_setU => /andP[/orP[qB|qB] rmq].
      have [->|mi] := eqVneq m i; first by rewrite c0i orbT.
      by apply/orP; left; apply: off => //; apply/existsP; exists q; rewrite qB.
    by apply/orP; right; apply/existsP; exists q; rewrite qB.
  rewrite (@eq_mass _ _ b' _ (fun m => m \in B :&: B0)) => [|m]; last by rewrite in_setI.
  apply: le_trans (h' _) _; apply: mass_le => // m /existsP[q]; rewrite in_setI => /andP[/andP[qB qB0] rmq].
  have qj : q != j by apply: contraNneq c0j => <-.
  apply/andP; split; apply/existsP; exists q; last by rewrite qB0.
  by rewrite qB /r' rmq xpair_eqE (negbTE qj) andbF.
have lt : (#|[pred q : I * J | r' q.1 q.2]| < n)%N.
  apply: leq_trans hn; apply: proper_card; apply/properP; split; first by apply/subsetP => -[k l] /andP[].
  by exists (i, j) => //; rewrite inE /= /r' eqxx andbF.
have [p [p0 pr pb pa]] := IH a' b' r' lt a'0 b'0 hr'.
exists (fun k l => p k l + ((k, l) == (i, j))%:R * e); split=> [k l|k l nr|l|k].
- by rewrite addr_ge0 ?mulr_ge0 ?ler0n.
- rewrite pr /r' ?(negbTE nr) // add0r; case: eqP => [[ki lj]|_]; last by rewrite mul0r.
  by move: nr; rewrite ki lj rij.
- rewrite big_split /= pb (bigD1 i) //= big1 ?addr0 => [|k /negbTE ki]; last by rewrite xpair_eqE ki mul0r.
  by rewrite xpair_eqE eqxx /= /b' subrK.
rewrite big_split /= [X in _ + X](bigD1 j) //= [X in _ + (_ + X)]big1 ?addr0 => [|l /negbTE lj]; last by rewrite xpair_eqE lj andbF mul0r.
by rewrite xpair_eqE eqxx andbT -lerBrDr; apply: pa.
Qed.

(** With a mass missing: whatever the sinks ask for beyond Hall's condition, at most delta, is not served. *)
Definition short_by a b r delta := forall B : {set J}, mass b (fun j => j \in B) <= delta + mass a (near r B).
End Transport.

Lemma sum_option (R : realFieldType) (T : finType) (F : option T -> R) : \sum_o F o = F None + \sum_x F (Some x).
Proof.
rewrite (bigD1 None) //=; congr (_ + _); rewrite (reindex_omap Some id) => [|[]] //=.
by apply: eq_bigl => x; rewrite eqxx.
Qed.

Theorem transport_short (R : realFieldType) (I J : finType) (a : I -> R) (b : J -> R) (r : I -> J -> bool) delta :
  (forall i, 0 <= a i) -> (forall j, 0 <= b j) -> 0 <= delta -> short_by a b r delta ->
  exists (p : I -> J -> R) (rest : J -> R), [/\ forall j, 0 <= rest j, \sum_j rest j <= delta &
    carries a (fun j => b j - rest j) r p].
Proof.
move=> a0 b0 d0 h.
pose a' o := if o is Some i then a i else delta.
pose r' o j := if o is Some i then r i j else true.
have [||B|p [p0 pr pb pa]] := @transport R _ J a' b r' => //; first by case.
  case: (set_0Vmem B) => [->|[j jB]].
    rewrite [X in X <= _]big1 => [|k _]; last by rewrite in_set0 mul0r.
    by apply: mass_ge0; case.
  rewrite [X in _ <= X]sum_option (_ : near r' B None); last by apply/existsP; exists j; rewrite jB.
  by rewrite mul1r; apply: h.
exists (fun i j => p (Some i) j), (p None); split=> [j||]; [exact: p0 | exact: (pa None) |].
split=> [i j|i j|j|i]; [exact: p0 | by move=> nr; apply: pr | | exact: (pa (Some i))].
by rewrite -(pb j) sum_option addrC addKr.
Qed.
