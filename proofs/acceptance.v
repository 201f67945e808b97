(** How often the rules of one position accept a draft, and how many drafts target-only accepts. *)
From proofs Require Import prelude program model valid several kseq siblings batch targetonly coupling.
Local Open Scope ring_scope.

Section Acceptance.
Variables (R : realFieldType) (V : finType) (d t : seq V -> V -> R).
Hypotheses (d_law : lawful d) (t_law : lawful t).
Notation dist := (dist (reals R)).
Notation draws := (@draws (reals R) V (enum V)).
Notation rounds := (@rounds (reals R) V (enum V) d).
Notation in_turn := (@in_turn (reals R) V (enum V) d t).
Notation positions := (@positions (reals R) V (enum V)).

(** The probability that a position accepts a draft. *)
Definition acceptance (m : dist (V * option nat)) : R := E m (fun a => (isSome a.2)%:R).

Lemma in_play_some (xs : seq V) y : isSome (in_play eq_op xs y) = (y \in xs).
Proof.
rewrite /in_play (eq_count (a2 := pred1 y)) => [|x]; last by rewrite /= eq_sym.
by rewrite -has_pred1 has_count; case: (count _ _).
Qed.

Lemma rounds_member p c xs : every (fun a => a.2 ==> (a.1 \in xs)) (rounds p c xs).
Proof.
elim: xs p => [|x xs IH] p /=; first by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
apply: (every_bind (@every_true _ _ _)) => -[] _; first by apply: every_ret; rewrite /= mem_head.
by move=> q /IH; case: q.2.2; rewrite //= inE => ->; rewrite orbT.
Qed.

Lemma in_turn_member u r c xs : every (fun a => a.2 ==> (a.1 \in xs)) (in_turn u r c xs).
Proof.
elim: xs => [|x xs IH] /=; first by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
apply: (every_bind (@every_true _ _ _)) => -[] _; first by apply: every_ret; rewrite /= mem_head.
by move=> q /IH; case: q.2.2; rewrite //= inE => ->; rewrite orbT.
Qed.

(** A draft is accepted where the drafts' test accepts one. *)
Lemma tested (m : seq V -> dist (V * bool)) k c : (forall xs, every (fun a => a.2 ==> (a.1 \in xs)) (m xs)) ->
  E (draws (d c) k) (fun xs => E (m xs) (fun=> 1)) = 1 ->
  acceptance (let! xs := draws (d c) k in let! a := m xs in
    ret (reals R) (a.1, if a.2 then in_play eq_op xs a.1 else None)) =
  1 - E (draws (d c) k) (fun xs => E (m xs) (fun a => (~~ a.2)%:R)).
Proof.
move=> member one; transitivity (E (draws (d c) k) (fun xs => E (m xs) (fun=> 1))
  - E (draws (d c) k) (fun xs => E (m xs) (fun a => (~~ a.2)%:R))); last by rewrite one.
rewrite /acceptance E_bind -E_sub; apply: eq_E => xs; rewrite E_map -E_sub.
apply: eq_E_in => q /member; case: q.2 => y [] /=; last by rewrite subrr.
by rewrite in_play_some => ->; rewrite subr0.
Qed.

(** SpecInfer: P(accept) of rrs is 1 - r_1 ... r_K, r_m = TV(d, t^m). *)
Theorem rrs_accepts k c :
  acceptance (@rrs_node (reals R) V eq_op (enum V) d t k c) = 1 - distances d k (t c) c.
Proof.
rewrite /rrs_node (tested (m := rounds (t c) c)) => [||]; first by rewrite rounds_refused.
  by move=> xs; apply: rounds_member.
have := rounds_law d_law c k (fun=> 1) (t_law c); under eq_bigr do rewrite mulr1.
by rewrite t_sum.
Qed.

Lemma kseq_accepts_full (w : nat -> seq V -> R) k c :
  (1 - masses d t (w k c) c) ^+ k * (\sum_y (@kseq_residual (reals R) V (enum V) d t (w k c) k c y : R)) =
    (1 - masses d t (w k c) c) ^+ k ->
  acceptance (@kseq_node (reals R) V eq_op (enum V) d t w k c) = 1 - (1 - masses d t (w k c) c) ^+ k.
Proof.
set u := w k c; set r := kseq_residual _ _ _ _ _ _; set b := masses d t u c => full.
have refused j : E (draws (d c) j) (fun xs => E (in_turn u r c xs) (fun a => (~~ a.2)%:R)) = (1 - b) ^+ j * \sum_y (r y : R).
  elim: j => [|j IH]; first by rewrite /= E_ret /= E_map E_draw mul1r; under eq_bigr do rewrite mulr1.
  rewrite drawsS exprS -mulrA -IH; set left := E _ _.
  transitivity (\sum_x (d c x - mass d t u c x) * left).
    apply: eq_bigr => x _; rewrite /mass.
    transitivity (d c x * E (draws (d c) j) (fun xs => (1 - @weight (reals R) V d t u c x) * E (in_turn u r c xs) (fun a => (~~ a.2)%:R))).
      by congr (_ * _); apply: eq_E => xs; rewrite /= E_bind E_flip /= E_ret /= mulr0 add0r.
    by rewrite E_mulr -/left; move: (@weight (reals R) V d t u c x : R) => v; ring.
  by rewrite -mulr_suml sumrB d_sum.
rewrite /kseq_node (tested (m := in_turn u r c)) => [|xs|]; first by rewrite refused full.
  exact: in_turn_member.
have := in_turn_law t d_law u r c k (fun=> 1).
under eq_bigr do rewrite mulr1; under [X in _ + _ * X]eq_bigr do rewrite mulr1.
by rewrite full -/b geometric => ->; rewrite subrK.
Qed.

(** SpecTr: P(accept) of kseq is 1 - (1 - beta)^k, for every rho for which it is lossless. *)
Theorem kseq_accepts (w : nat -> seq V -> R) k c : (forall j c, 0 < w j c <= 1) ->
  (forall j c, w j c * (1 - (1 - masses d t (w j c) c) ^+ j) <= masses d t (w j c) c) ->
  acceptance (@kseq_node (reals R) V eq_op (enum V) d t w k c) = 1 - (1 - masses d t (w k c) c) ^+ k.
Proof.
move=> w01 rho; apply: kseq_accepts_full.
have := lossless_one (kseq_lossless d_law t_law 1 k w01 rho c); rewrite /= E_bind.
rewrite (@eq_E _ _ _ _ (fun=> 1)) => [|[y [j|]] /=]; last by rewrite E_ret.
  2: by rewrite E_map E_map E_draw; under eq_bigr do rewrite mulr1; rewrite t_sum.
rewrite /kseq_node E_bind; under eq_E do rewrite E_map.
have := in_turn_law t d_law (w k c) (@kseq_residual (reals R) V (enum V) d t (w k c) k c) c k (fun=> 1).
under eq_bigr do rewrite mulr1; under [X in _ + _ * X]eq_bigr do rewrite mulr1.
rewrite -/(masses d t (w k c) c) geometric => -> e; apply/eqP.
by rewrite -(inj_eq (addrI (1 - (1 - masses d t (w k c) c) ^+ k))) e subrK.
Qed.

(** target-only: E[tau] is the sum over the paths v of up to n tokens of T(v) (1 - (1 - D(v))^K). *)
Theorem target_only_mean n k c : (0 < k)%N ->
  E (positions (@target_only_node (reals R) V eq_op (enum V) d t) t n k c) (fun o => (size o.1)%:R) =
  \sum_(i < n) sum_texts i.+1 (fun x => text t c x * (1 - (1 - text d c x) ^+ k)).
Proof.
move=> k0; set m := positions _ _ _ _ _.
have short : every (fun o => size o.1 <= n)%N m.
  rewrite /m; move: (@target_only_node (reals R) V eq_op (enum V) d t) => node.
  elim: n k c {k0 m} => [|n IH] k c /=.
    by apply: (every_bind (@every_true _ _ _)) => y _; apply: every_ret.
  apply: (every_bind (@every_true _ _ _)) => -[y [j|]] _ /=; last exact: every_ret.
  by apply: (every_bind (IH _ _)) => o ho; apply: every_ret.
rewrite (mean_size (p := fun o => o.1) short); apply: eq_bigr => i _; apply: eq_sum_texts => x hx.
by rewrite -/(accepts m x) target_only_accepts // hx.
Qed.

(** A token is among k drafts with probability 1 - (1 - d)^k. *)
Lemma drafted_once (p : V -> R) k y : \sum_x p x = 1 ->
  E (draws p k) (fun xs => (y \in xs)%:R) = 1 - (1 - p y) ^+ k.
Proof.
move=> h; have := draws_count k y 0 h; rewrite subr0 mulr1 => <-.
transitivity (E (draws p k) (fun=> 1) - E (draws p k) (fun xs => 0 ^+ count (eq_op y) xs)); last by rewrite draws_one.
rewrite -E_sub; apply: eq_E => xs; rewrite (eq_count (a2 := pred1 y)) => [|x]; last by rewrite /= eq_sym.
by rewrite -has_pred1 has_count; case: (count _ _) => [|j]; rewrite ?expr0 ?subrr // expr0n subr0.
Qed.

(** naive-tree of K = k + 1 drafts: sum min(d, t) + sum [t - d]+ (1 - (1 - d)^k). *)
Theorem naive_tree_accepts k c :
  acceptance (@naive_tree_node (reals R) V eq_op (enum V) d t k.+1 c) =
  \sum_x shared (d c) (t c) x + \sum_y (@excess (reals R) V d t 1 c y : R) * (1 - (1 - d c y) ^+ k).
Proof.
pose r y : R := @residual (reals R) V (enum V) d t 1 c y.
pose w x : R := @weight (reals R) V d t 1 c x.
pose hit y : R := 1 - (1 - d c y) ^+ k.
rewrite /acceptance /naive_tree_node E_bind drawsS.
transitivity (\sum_x (shared (d c) (t c) x + (d c x - shared (d c) (t c) x) * \sum_y r y * hit y)).
  apply: eq_bigr => x _.
  transitivity (d c x * E (draws (d c) k) (fun xs => w x + (1 - w x) * \sum_y r y * (y \in x :: xs)%:R)).
    congr (_ * _); apply: eq_E => xs; rewrite E_bind E_flip /= E_ret E_map E_draw in_play_some mem_head mulr1.
    by congr (_ + _ * _); apply: eq_bigr => y _; rewrite in_play_some.
  rewrite E_add E_const draws_one ?d_sum // mulr1 E_mulr E_sum mulrDr d_weight_one //; congr (_ + _).
  rewrite mulrA mulrBr mulr1 d_weight_one // !mulr_sumr; apply: eq_bigr => y _.
  rewrite E_mulr !mulrA /hit -(drafted_once k y (d_sum d_law c)).
  have [->|yx] := eqVneq y x; last by congr (_ * _); apply: eq_E => xs; rewrite inE (negbTE yx).
  have -> : (d c x - shared (d c) (t c) x) * (@excess (reals R) V d t 1 c x : R) = 0; last by rewrite !mul0r.
  rewrite /excess /= mul1r /shared; case: (leP (d c x) (t c x)) => h; first by rewrite subrr mul0r.
  by rewrite max_r ?mulr0 // subr_le0 ltW.
rewrite big_split -mulr_suml sumrB d_sum //= -tv_shared ?t_sum // -tv_excesses; congr (_ + _).
by rewrite mulr_sumr; apply: eq_bigr => y _; rewrite mulrA excesses_residual.
Qed.

(** target-only accepts at one position with probability sum t (1 - (1 - d)^k). *)
Theorem target_only_accepts_one k c :
  acceptance (@target_only_node (reals R) V eq_op (enum V) d t k c) = \sum_y t c y * (1 - (1 - d c y) ^+ k).
Proof.
rewrite /acceptance /target_only_node E_bind.
transitivity (E (draws (d c) k) (fun xs => \sum_y t c y * (y \in xs)%:R)).
  by apply: eq_E => xs; rewrite E_map E_draw; apply: eq_bigr => y _; rewrite in_play_some.
by rewrite E_sum; apply: eq_bigr => y _; rewrite E_mulr drafted_once // d_sum.
Qed.

(** naive-tree accepts at least as often as target-only, of the same number of drafts. *)
Theorem naive_tree_above k c : acceptance (@target_only_node (reals R) V eq_op (enum V) d t k.+1 c) <=
  acceptance (@naive_tree_node (reals R) V eq_op (enum V) d t k.+1 c).
Proof.
rewrite target_only_accepts_one naive_tree_accepts -big_split; apply: ler_sum => y _ /=.
have d0 := d_ge0 d_law c y; have t0 := t_ge0 t_law c y.
have d1 : d c y <= 1 by rewrite -(d_sum d_law c) (bigD1 y) //= lerDl; apply: sumr_ge0 => x _; exact: d_ge0.
have t1 : t c y <= 1 by rewrite -(t_sum t_law c) (bigD1 y) //= lerDl; apply: sumr_ge0 => x _; exact: t_ge0.
have q0 : 0 <= (1 - d c y) ^+ k by rewrite exprn_ge0 // subr_ge0.
rewrite exprS /excess /= mul1r /shared; case: (leP (d c y) (t c y)) => h; last first.
  rewrite max_r ?subr_le0 ?(ltW h) // mul0r addr0 mulrBr mulr1 lerBlDr lerDl.
  by rewrite !mulr_ge0 // subr_ge0.
rewrite max_l ?subr_ge0 // -subr_ge0.
have -> : d c y + (t c y - d c y) * (1 - (1 - d c y) ^+ k) - t c y * (1 - (1 - d c y) * (1 - d c y) ^+ k) =
    d c y * (1 - t c y) * (1 - d c y) ^+ k by move: (_ ^+ k) => q; ring.
by rewrite !mulr_ge0 // subr_ge0.
Qed.
End Acceptance.
