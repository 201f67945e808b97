(** Two more rules of one position: naive-tree, and recursive rejection of drafts drawn without replacement. *)
From proofs Require Import prelude program model valid several.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (same : V -> V -> bool) (tokens : seq V) (d t : program.model O V).

(** naive-tree: token verification of the first draft; a correction that is another draft is gone on with. *)
Definition naive_tree_node k c : dist O (V * option nat) :=
  let! xs := draws tokens (d c) k in
  if xs is x :: _ then
    let! accepted := flip (weight d t (one O) c x) in
    if accepted then ret O (x, in_play same xs x)
    else
      let! y := draw tokens (residual tokens d t (one O) c) in
      ret O (y, in_play same xs y)
  else
    let! y := draw tokens (t c) in
    ret O (y, None).

(** The law p without the token x, normalised: all 0 where nothing is left. *)
Definition without (p : V -> num O) x y : num O :=
  let q := fun z => if same z x then zero O else p z in div (q y) (total tokens q).

(** At most k drafts from p, one after another and without replacement, as long as p has tokens; each is tried against
    what the ones before it left of the target q. *)
Fixpoint rounds_without (k : nat) (p q : V -> num O) : dist O (V * bool) :=
  let finish :=
    let! y := draw tokens q in
    ret O (y, false) in
  if k is j.+1 then
    let! more := flip (div (total tokens p) (total tokens p)) in
    if more then
      let! x := draw tokens p in
      let! accepted := flip (weight (fun=> p) (fun=> q) (one O) [::] x) in
      if accepted then ret O (x, true)
      else rounds_without j (without p x) (residual tokens (fun=> p) (fun=> q) (one O) [::])
    else finish
  else finish.

(** rrs-without: a node at the depth i has at most [children i] children, drawn from d without replacement. *)
Variable children : nat -> nat.
Definition rrs_without_node (i : nat) c : dist O (V * option nat) :=
  let! a := rounds_without (children i) (d c) (t c) in
  ret O (a.1, if a.2 then Some i.+1 else None).
End Rule.

Section Siblings.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation draws := (@draws (reals R) V (enum V)).
Notation positions := (@positions (reals R) V (enum V)).
Notation naive_tree_node := (@naive_tree_node (reals R) V eq_op (enum V) d t).
Notation rounds_without := (@rounds_without (reals R) V eq_op (enum V)).
Notation without := (@without (reals R) V eq_op (enum V)).

(** naive-tree is lossless, for every K and V. *)
Theorem naive_tree_lossless n k : lossless t (positions naive_tree_node t n k).
Proof.
apply: positions_lossless => // -[|j] c f; first by rewrite /naive_tree_node E_bind E_ret E_map E_draw.
pose corrected := \sum_y (@residual (reals R) V (enum V) d t 1 c y : R) * f y.
rewrite /naive_tree_node E_bind drawsS.
transitivity (\sum_x (shared (d c) (t c) x * f x + (d c x - shared (d c) (t c) x) * corrected)).
  apply: eq_bigr => x _.
  transitivity (d c x * E (draws (d c) j) (fun=> @weight (reals R) V d t 1 c x * f x + (1 - @weight (reals R) V d t 1 c x) * corrected)).
    by congr (_ * _); apply: eq_E => xs; rewrite E_bind E_flip /= E_ret E_map E_draw.
  rewrite E_const draws_one ?d_sum // mulr1 -d_weight_one //.
  by move: (@weight (reals R) V d t 1 c x : R) => w; ring.
rewrite big_split -mulr_suml sumrB d_sum //= -tv_shared ?t_sum // -tv_excesses mulr_sumr -big_split.
apply: eq_bigr => y _ /=; rewrite mulrA excesses_residual -mulrDl; congr (_ * _).
by rewrite /excess /= mul1r max_min addrC subrK.
Qed.

Lemma without_law (p : V -> R) x : law p -> law (without p x) \/ without p x =1 fun=> 0.
Proof.
case=> p0 p1; pose q z := if z == x then 0 else p z.
have q0 z : 0 <= q z by rewrite /q; case: ifP.
have e y : without p x y = q y / \sum_z q z by rewrite /without totalE.
have [z|z] := eqVneq (\sum_z q z) 0; [right=> y | left].
  by rewrite e z invr0 mulr0.
split=> [y|]; first by rewrite e divr_ge0 ?sumr_ge0.
by under eq_bigr do rewrite e; rewrite -mulr_suml mulfV.
Qed.

(** Rounds of rejection without replacement emit the law that they begin with. *)
Lemma rounds_without_law k (p q : V -> R) f : law p \/ p =1 (fun=> 0) -> law q ->
  E (rounds_without k p q) (fun a => f a.1) = \sum_y q y * f y.
Proof.
elim: k p q => [|k IH] p q hp hq; first by rewrite /= E_map E_draw.
rewrite /= E_bind E_flip /= E_map E_draw totalE.
case: hp => [hp|z]; last first.
  have -> : \sum_x p x = 0 by apply: big1 => x _; rewrite z.
  by rewrite mul0r mul0r add0r subr0 mul1r.
case: (hp) => p0 p1; case: (hq) => q0 q1; rewrite p1 divr1 subrr mul0r addr0 mul1r E_bind E_draw.
pose d' (_ : seq V) := p; pose t' (_ : seq V) := q.
have dl : lawful d' by []. have tl : lawful t' by [].
pose r : V -> R := @residual (reals R) V (enum V) d' t' 1 [::].
pose left := \sum_y r y * f y.
have step x : (1 - @weight (reals R) V d' t' 1 [::] x) * p x != 0 ->
    E (rounds_without k (without p x) r) (fun a => f a.1) = left.
  move=> nz; apply: IH; first exact: without_law.
  have z : excesses d' t' 1 [::] != 0.
    apply/eqP => z; case/eqP: nz; have := tv_excesses d' t' [::]; rewrite z => tv0.
    have s1 : \sum_y (p y - shared p q y) = 0.
      by rewrite sumrB p1; apply/eqP; rewrite subr_eq0 eq_sym -subr_eq0 -oppr_eq0 opprB -tv_shared // -[tv _ _]tv0.
    have sx : p x - shared p q x = 0.
      move/eqP: s1; rewrite psumr_eq0 => [/allP h|y _]; last by rewrite subr_ge0 /shared ge_min lexx.
      by apply/eqP; apply: h; rewrite mem_index_enum.
    by rewrite mulrC mulrBr mulr1 (d_weight_one dl tl).
  split=> [y|]; first exact: residual_ge0.
  apply: (mulfI z); rewrite mulr1 mulr_sumr; apply: eq_bigr => y _; exact: excesses_residual.
transitivity (\sum_x (shared p q x * f x + (p x - shared p q x) * left)).
  apply: eq_bigr => x _; rewrite E_bind E_flip /= E_ret /= -(d_weight_one dl tl [::] x).
  have [nz|nz] := eqVneq ((1 - @weight (reals R) V d' t' 1 [::] x) * p x) 0.
    have e : p x - d' [::] x * @weight (reals R) V d' t' 1 [::] x = 0 by rewrite -[RHS]nz mulrBl mul1r mulrC.
    rewrite e mul0r addr0 mulrDr mulrA [p x * (_ * E _ _)]mulrCA mulrA nz mul0r addr0 //.
  rewrite step // /d'; move: (@weight (reals R) V d' t' 1 [::] x : R) => w; rewrite -/(d' [::]) /d'; ring.
rewrite big_split -mulr_suml sumrB p1 /= -tv_shared // -(tv_excesses d' t' [::]) /left mulr_sumr -big_split.
apply: eq_bigr => y _ /=; rewrite mulrA (excesses_residual d' t') -mulrDl; congr (_ * _).
by rewrite /excess /= mul1r max_min addrC subrK.
Qed.

(** rrs-without is lossless, for every tree and V: where d has fewer tokens than a node has children, too. *)
Theorem rrs_without_lossless children n i :
  lossless t (positions (@rrs_without_node (reals R) V eq_op (enum V) d t children) t n i).
Proof.
apply: positions_lossless => // j c f; rewrite /rrs_without_node E_map.
by apply: rounds_without_law => //; left.
Qed.
End Siblings.
