(** spectr-coupled: K drafts as blocks, coupled by marks (this project's repair of lin2026's SpecTr-GBV, with its
    equations (4) and (5) and its carry, Algorithm 2). A draft stops at a node of its path and draws a mark, a number
    between 0 and 1; the stop of the least mark is accepted. *)
From proofs Require Import prelude program model valid carry.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (tokens : seq V) (d : program.model O V) (K : nat).

(** g(z) = 1 - (1 - z)^K: that of K uniform marks one is below z; u = min(1, D/T). *)
Definition once (z : num O) : num O := sub (one O) (power (sub (one O) z) K).
Definition cover (D T : num O) : num O := min (one O) (div D T).

(** T (1 - u)^K, equation (4): what is left of the target at the path p x after c. *)
Definition left_over (t : program.model O V) c (p : seq V) x : num O :=
  let D := joint d c (rcons p x) in
  let T := joint t c (rcons p x) in
  mul T (power (sub (one O) (cover D T)) K).

Variable t : program.model O V.

(** A node v of the tree of paths: D(v), T(v), the least u from the root to v, and the rate that v's parent lends. *)
Record node := Node { drafted : num O; wanted : num O; reach : num O; lent : nat -> num O }.

Definition drafted_on v c x : num O := mul (drafted v) (d c x).
Definition wanted_on v c x : num O := mul (wanted v) (t c x).
Definition cover_on v c x : num O := cover (drafted_on v c x) (wanted_on v c x).
Definition reach_on v c x : num O := min (cover_on v c x) (reach v).

(** Marks are drawn in cells, between neighbours of the list of all reaches, on which every rate is constant. *)
Fixpoint reaches (n : nat) (v : node) c : seq (num O) :=
  reach v :: (if n is m.+1
    then flatten [seq reaches m (Node (drafted_on v c x) (wanted_on v c x) (reach_on v c x) (lent v)) (rcons c x) | x <- tokens]
    else [::]).
Fixpoint insert x (s : seq (num O)) : seq (num O) := if s is y :: r then min x y :: insert (max x y) r else [:: x].
Definition root : node := Node (one O) (one O) (one O) (fun=> zero O).
Definition grid n c : seq (num O) := zero O :: foldr insert [::] (reaches n root c).

Variable marks : seq (num O).
Definition cells : seq nat := iota 0 (size marks).-1.
Definition low i : num O := nth (zero O) marks i.
Definition high i : num O := nth (zero O) marks i.+1.

(** The length of the cell i below s. *)
Definition held i s : num O := sub (min (high i) s) (min (low i) s).

(** The mass in the cell i of the drafts that stop at v or below: T(v) up to v's reach, and what the parent lends. *)
Definition claim v i : num O := add (mul (wanted v) (held i (reach v))) (lent v i).

(** The part that the children of v do not claim by themselves, and the shares of that which v lends to them. *)
Definition own v c i : num O :=
  sub (claim v i) (total tokens (fun x => mul (wanted_on v c x) (held i (reach_on v c x)))).
Definition room v c : num O :=
  sub (mul (wanted v) (once (cover (drafted v) (wanted v))))
    (total tokens (fun x => mul (wanted_on v c x) (once (reach_on v c x)))).
Definition share_on v c x : num O :=
  div (mul (wanted_on v c x) (max (sub (once (cover_on v c x)) (once (reach v))) (zero O))) (room v c).
Definition child v c x : node :=
  Node (drafted_on v c x) (wanted_on v c x) (reach_on v c x) (fun i => mul (share_on v c x) (own v c i)).

Definition all_cells (f : nat -> num O) : num O := total cells f.
Definition below v c : num O := total tokens (fun x => all_cells (claim (child v c x))).

(** A stop: with this probability, with a cell drawn from these masses. *)
Definition stop p (f : nat -> num O) : dist O (option (seq V * nat)) :=
  let! stops := flip p in
  if stops then
    let! i := draw cells (fun i => div (f i) (all_cells f)) in
    ret O (Some ([::], i))
  else ret O None.

(** n tokens of a draft after the path to v; it walks back from its end: where it stops, and the cell of its mark. *)
Fixpoint walk (n : nat) v c : dist O (option (seq V * nat)) :=
  if n is m.+1 then
    let! x := draw tokens (d c) in
    let! deeper := walk m (child v c x) (rcons c x) in
    if deeper is Some a then ret O (Some (x :: a.1, a.2))
    else stop (div (sub (all_cells (claim v)) (below v c)) (sub (drafted v) (below v c))) (own v c)
  else stop (div (all_cells (claim v)) (drafted v)) (claim v).

(** A draft stops at the root at the latest: there the coin is 1. *)
Definition one_draft n c : dist O (seq V * nat) :=
  let! a := walk n root c in
  if a is Some o then ret O o else [::].

(** The least mark of j + 1 drafts. In one cell the marks are uniform, and the drafts are alike: that the first one
    counts there does not change the law of the stop that wins. *)
Fixpoint least_mark (draft : dist O (seq V * nat)) (j : nat) : dist O (seq V * nat) :=
  if j is i.+1 then
    let! a := draft in
    let! b := least_mark draft i in
    ret O (if (a.2 <= b.2)%N then a else b)
  else draft.
End Rule.

Arguments once {O} K z : simpl never.
Arguments cover {O} D T : simpl never.
Arguments held {O} marks i s : simpl never.
Arguments drafted_on {O V} d v c x : simpl never.
Arguments wanted_on {O V} t v c x : simpl never.
Arguments cover_on {O V} d t v c x : simpl never.
Arguments reach_on {O V} d t v c x : simpl never.
Arguments claim {O} marks v i : simpl never.
Arguments own {O V} tokens d t marks v c i : simpl never.
Arguments room {O V} tokens d K t v c : simpl never.
Arguments share_on {O V} tokens d K t v c x : simpl never.

(** An iteration: the accepted path, a token of what is left of the target after it, and the target that is left. *)
Definition spectr_coupled (O : ops) (V : Type) (tokens : seq V) (d : program.model O V) (K n : nat) (t : program.model O V) c :
    dist O ((seq V * V) * program.model O V) :=
  let marks := grid tokens d t n c in
  let left := changed tokens (left_over d K t c) t n c in
  let! a := least_mark (one_draft tokens d K t marks n c) K.-1 in
  let! y := draw tokens (left (c ++ a.1)) in
  ret O ((a.1, y), left).

(** Lists of marks. *)
Section Marks.
Variables (R : realFieldType).
Notation insert := (@insert (reals R)).

Lemma insert_path (a x : R) (s : seq R) : a <= x -> path <=%R a s -> path <=%R a (insert x s).
Proof.
elim: s a x => [|y s IH] a x ax /=; first by rewrite ax.
case/andP=> ay ys; rewrite le_min ax ay /=; apply: IH; first by case: (leP x y) => // /ltW.
apply: path_le ys; first exact: le_trans.
by rewrite ge_min lexx orbT.
Qed.

Lemma insert_mem (x : R) (s : seq R) : insert x s =i x :: s.
Proof.
elim: s x => [|y s IH] x z //=; rewrite !inE IH !inE.
by case: (leP x y) => _ //; rewrite orbCA.
Qed.

Lemma sorted_path (s : seq R) : all (fun x => 0 <= x) s -> path <=%R 0 (foldr insert [::] s).
Proof. by elim: s => [|x s IH] //= /andP[x0 /IH h]; apply: insert_path. Qed.

Lemma sorted_mem (s : seq R) : foldr insert [::] s =i s.
Proof. by elim: s => [|x s IH] // z; rewrite /= insert_mem !inE IH. Qed.

(** Marks from 0 to 1 in their order. *)
Record spans (marks : seq R) := Spans {
  spans_first : head 1 marks = 0;
  spans_sorted : sorted <=%R marks;
  spans_one : 1 \in marks;
  spans_most : all (fun x => x <= 1) marks
}.

Variable marks : seq R.
Hypothesis marks_span : spans marks.
Let marks0 := spans_first marks_span.
Let marks_sorted := spans_sorted marks_span.
Let marks1 := spans_one marks_span.
Let marks_most := spans_most marks_span.
Notation low := (@low (reals R) marks).
Notation high := (@high (reals R) marks).
Notation held := (@held (reals R) marks).
Notation cells := (@cells (reals R) marks).

Lemma marks_size : (0 < size marks)%N. Proof. by case: (marks) marks1. Qed.

Lemma low_high i : i \in cells -> 0 <= (low i : R) /\ (low i : R) <= high i <= 1.
Proof.
rewrite mem_iota add0n /= => hi; have hi1 : (i.+1 < size marks)%N by rewrite -ltn_predRL.
have tr : transitive (<=%R : rel R) by exact: le_trans.
split; last first.
  apply/andP; split; last by apply: (allP marks_most); apply: mem_nth.
  by apply: (sorted_leq_nth tr (@lexx _ R) 0 marks_sorted) => //; rewrite inE // ltnW.
rewrite -marks0 -nth0 (set_nth_default 0) ?marks_size //.
by apply: (sorted_leq_nth tr (@lexx _ R) 0 marks_sorted); rewrite ?inE ?marks_size // ltnW.
Qed.

(** No mark lies within a cell. *)
Lemma outside i (s : R) : i \in cells -> s \in marks -> (high i : R) <= s \/ s <= (low i : R).
Proof.
rewrite mem_iota add0n /= => hi hs; have hi1 : (i.+1 < size marks)%N by rewrite -ltn_predRL.
have tr : transitive (<=%R : rel R) by exact: le_trans.
have js : (index s marks < size marks)%N by rewrite index_mem.
rewrite -{1 2}(nth_index 0 hs); case: (ltnP i (index s marks)) => h; [left | right].
  by apply: (sorted_leq_nth tr (@lexx _ R) 0 marks_sorted).
by apply: (sorted_leq_nth tr (@lexx _ R) 0 marks_sorted) => //; rewrite inE ltnW.
Qed.

Lemma cells_telescope (F : nat -> R) : \sum_(i <- cells) (F i.+1 - F i) = F (size marks).-1 - F 0%N.
Proof. by rewrite -(telescope_sumr F (leq0n _)) /index_iota subn0. Qed.

Lemma last_mark : nth (0 : R) marks (size marks).-1 = 1.
Proof.
apply/eqP; rewrite eq_le (allP marks_most) /=; last by rewrite mem_nth // prednK ?marks_size.
have js : (index 1%R marks < size marks)%N by rewrite index_mem.
rewrite -{1}(nth_index 0 marks1); apply: (sorted_leq_nth _ _ 0 marks_sorted) => //; first exact: le_trans.
  by rewrite inE prednK ?marks_size.
by rewrite -ltnS prednK ?marks_size.
Qed.

Lemma first_mark : nth (0 : R) marks 0 = 0.
Proof. by case: (marks) marks0 marks1. Qed.

Lemma held_sum (s : R) : 0 <= s <= 1 -> \sum_(i <- cells) (held i s : R) = s.
Proof.
case/andP=> s0 s1; rewrite (cells_telescope (fun i => Num.min (nth (0 : R) marks i) s)) last_mark first_mark.
by rewrite min_r // min_l // subr0.
Qed.

Lemma held_ge0 i (s : R) : i \in cells -> 0 <= (held i s : R).
Proof.
move=> hi; case: (low_high hi) => _ /andP[lh _]; rewrite /held /= subr_ge0 le_min !ge_min lh lexx /=; exact: orbT.
Qed.

Lemma held_mono i (a b : R) : i \in cells -> a <= b -> (held i a : R) <= held i b.
Proof.
move=> hi ab; case: (low_high hi) => _ /andP[lh _].
have e s : (held i s : R) = Num.max (Num.min (high i) s) (low i) - low i.
  rewrite /held /= -/(low i) -/(high i); case: (leP (low i : R) s) => h.
    by rewrite max_l // le_min lh.
  by rewrite min_r ?(le_trans (ltW h)) // subrr max_r ?subrr // ltW.
rewrite !e lerD2r ge_max !le_max lexx orbT andbT; apply/orP; left.
by rewrite le_min !ge_min lexx ab orbT.
Qed.

(** The probability that the least of k marks lies in the cell i, by its length. *)
Fixpoint density k i : R := if k is j.+1 then (1 - low i) ^+ j + density j i * (1 - high i) else 0.

Lemma density_ge0 k i : i \in cells -> 0 <= density k i.
Proof.
move=> hi; case: (low_high hi) => _ /andP[lh h1]; elim: k => [|k IH] //=.
by rewrite addr_ge0 ?exprn_ge0 ?mulr_ge0 ?subr_ge0 // (le_trans lh).
Qed.

Lemma density_length k i : density k i * (high i - low i) = (1 - low i) ^+ k - (1 - high i) ^+ k.
Proof.
elim: k => [|k IH] /=; first by rewrite mul0r !expr0 subrr.
rewrite mulrDl mulrAC IH !exprSr; move: ((1 - low i) ^+ k : R) ((1 - high i) ^+ k : R) (low i : R) (high i : R).
by move=> a b l h; ring.
Qed.

Lemma density_sum k (s : R) : 0 <= s <= 1 -> s \in marks ->
  \sum_(i <- cells) density k i * held i s = 1 - (1 - s) ^+ k.
Proof.
case/andP=> s0 s1 hs; pose F i := - (1 - Num.min (nth (0 : R) marks i) s) ^+ k.
transitivity (\sum_(i <- cells) (F i.+1 - F i)); last first.
  by rewrite cells_telescope /F last_mark first_mark min_r // min_l // subr0 expr1n opprK addrC.
apply: eq_big_seq => i hi; rewrite /F opprK addrC; case: (low_high hi) => _ /andP[lh _].
rewrite /held /=; case: (outside hi hs) => h.
  by rewrite !min_l ?(le_trans lh) // density_length.
by rewrite !min_r ?(le_trans h) // !subrr mulr0.
Qed.

Lemma later k i : (0 < k)%N -> i \in cells ->
  \sum_(j <- cells) (i <= j)%:R * (density k j * (high j - low j)) = (1 - low i) ^+ k.
Proof.
move=> k0 hi; have hm : (i <= (size marks).-1)%N by move: hi; rewrite mem_iota add0n => /ltnW.
pose F j := - (1 - nth (0 : R) marks (maxn i j)) ^+ k.
transitivity (\sum_(j <- cells) (F j.+1 - F j)); last first.
  by rewrite cells_telescope /F maxn0 (maxn_idPr hm) last_mark subrr expr0n gtn_eqF // oppr0 sub0r opprK.
apply: eq_bigr => j _; rewrite density_length /F opprK addrC; case: (leqP i j) => h.
  by rewrite mul1r (maxn_idPr (leqW h)) addrC.
by rewrite mul0r (maxn_idPl h) addrC subrr.
Qed.

Lemma longer j : j \in cells -> \sum_(i <- cells) (j < i)%:R * (high i - low i) = 1 - high j.
Proof.
move=> hj; have hm : (j.+1 <= (size marks).-1)%N by move: hj; rewrite mem_iota add0n.
pose F i := nth (0 : R) marks (maxn j.+1 i).
transitivity (\sum_(i <- cells) (F i.+1 - F i)); last by rewrite cells_telescope /F maxn0 (maxn_idPr hm) last_mark.
apply: eq_bigr => i _; rewrite /F; case: (ltnP j i) => h.
  by rewrite mul1r (maxn_idPr h) (maxn_idPr (leqW h)).
by rewrite mul0r (maxn_idPl (leqW h)) (maxn_idPl (_ : (i.+1 <= j.+1)%N)) // subrr.
Qed.

(** The law of the stop that wins, by the law of one draft: mu i f is the mean of f over the stops whose mark lies in
    the cell i. *)
Variables (V : Type) (draft : dist (reals R) (seq V * nat)) (mu : nat -> (seq V -> R) -> R).
Hypotheses (mu_law : forall f, E draft (fun a => f a.1 a.2) = \sum_(i <- cells) mu i (f^~ i))
  (mu_eq : forall i f g, f =1 g -> mu i f = mu i g)
  (mu_line : forall i f a b, i \in cells -> mu i (fun p => f p * a + b) = mu i f * a + b * (high i - low i)).

Lemma least_mark_law j f : E (least_mark draft j) (fun a => f a.1 a.2) = \sum_(i <- cells) density j.+1 i * mu i (f^~ i).
Proof.
elim: j f => [|j IH] f.
  by rewrite mu_law; apply: eq_bigr => i _; rewrite /= expr0 mul0r addr0 mul1r.
pose G p i := f p i * (1 - low i) ^+ j.+1 + \sum_(l <- cells) (l < i)%:R * (density j.+1 l * mu l (f^~ l)).
transitivity (\sum_(i <- cells) mu i (G^~ i)).
  rewrite [least_mark _ _]/= E_bind.
  transitivity (E draft (fun a => \sum_(l <- cells) density j.+1 l * mu l (fun p => f p l * (l < a.2)%:R + f a.1 a.2 * (a.2 <= l)%:R))).
    apply: eq_E => a; rewrite E_map -(IH (fun p l => f p l * (l < a.2)%:R + f a.1 a.2 * (a.2 <= l)%:R)).
    by apply: eq_E => b /=; case: (leqP a.2 b.2) => _; rewrite ?mulr1 ?mulr0 ?addr0 ?add0r.
  rewrite (mu_law (fun p i => \sum_(l <- cells) density j.+1 l * mu l (fun q => f q l * (l < i)%:R + f p i * (i <= l)%:R))).
  apply: eq_big_seq => i hi; apply: mu_eq => p; rewrite /G -(later (ltn0Sn j) hi) mulr_sumr addrC -big_split.
  apply: eq_big_seq => l hl; rewrite mu_line // mulrDr /=.
  move: (density j.+1 l) (mu l _) (high l - low l : R) (f p i) ((l < i)%:R : R) ((i <= l)%:R : R) => *; ring.
transitivity (\sum_(i <- cells) (mu i (f^~ i) * (1 - low i) ^+ j.+1
    + (\sum_(l <- cells) (l < i)%:R * (density j.+1 l * mu l (f^~ l))) * (high i - low i))).
  by apply: eq_big_seq => i hi; rewrite -mu_line.
rewrite big_split /=; under [X in _ + X]eq_bigr do rewrite mulr_suml.
rewrite exchange_big /= -big_split; apply: eq_big_seq => i hi /=.
have -> : \sum_(l <- cells) (i < l)%:R * (((1 - low i) ^+ j + density j i * (1 - high i)) * mu i (f^~ i)) * (high l - low l) =
    ((1 - low i) ^+ j + density j i * (1 - high i)) * mu i (f^~ i) * (1 - high i).
  set X := _ * mu i _; rewrite -(longer hi) mulr_sumr; apply: eq_bigr => l _.
  by rewrite mulrAC mulrC.
by move: ((1 - low i) ^+ j.+1 : R) (mu i _) (density j i) (1 - high i : R) ((1 - low i) ^+ j : R) => *; ring.
Qed.
End Marks.
