(** What every file begins with: the libraries, and how arguments are inferred. *)
From mathcomp Require Export all_ssreflect all_algebra ring.
Export GRing.Theory Num.Theory Order.Theory.
#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Unset Printing Implicit Defensive.

(** What MathComp calls otherwise in its versions 1 and 2, by the names of version 2, proved from what is in both. *)
Section Names.
Local Open Scope ring_scope.
Variable R : numDomainType.
Implicit Types x y z t : R.

Lemma lerBrDr x y z : (x <= y - z) = (x + z <= y).
Proof. by rewrite -subr_ge0 -[RHS]subr_ge0 opprD addrA addrAC. Qed.

Lemma lerBrDl x y z : (x <= z - y) = (y + x <= z). Proof. by rewrite lerBrDr addrC. Qed.

Lemma lerBlDr x y z : (x - z <= y) = (x <= y + z). Proof. by rewrite -[z in RHS]opprK lerBrDr. Qed.

Lemma lerBlDl x y z : (x - y <= z) = (x <= y + z). Proof. by rewrite lerBlDr addrC. Qed.

Lemma lerD2l x y z : (x + y <= x + z) = (y <= z). Proof. by rewrite -lerBlDl addrC addKr. Qed.

Lemma lerD2r x y z : (y + x <= z + x) = (y <= z). Proof. by rewrite -lerBlDr addrK. Qed.

Lemma lerDl x y : (x <= x + y) = (0 <= y). Proof. by rewrite -lerBlDl subrr. Qed.

Lemma gerDl x y : (x + y <= x) = (y <= 0). Proof. by rewrite -lerBrDl subrr. Qed.

Lemma lerD x y z t : x <= y -> z <= t -> x + z <= y + t.
Proof. by move=> xy zt; apply: (@le_trans _ _ (y + z)); rewrite ?lerD2l ?lerD2r. Qed.

Lemma lerN2 x y : (- x <= - y) = (y <= x). Proof. by rewrite -[LHS]subr_ge0 opprK addrC subr_ge0. Qed.

Lemma ler_wpM2l x : 0 <= x -> forall y z, y <= z -> x * y <= x * z.
Proof. by move=> x0 y z yz; rewrite -subr_ge0 -mulrBr mulr_ge0 ?subr_ge0. Qed.

Lemma ler_wpM2r x : 0 <= x -> forall y z, y <= z -> y * x <= z * x.
Proof. by move=> x0 y z; rewrite ![_ * x]mulrC; apply: ler_wpM2l. Qed.

Lemma ler_pM2l x : 0 < x -> forall y z, (x * y <= x * z) = (y <= z).
Proof. by move=> x0 y z; rewrite -subr_ge0 -mulrBr pmulr_rge0 // subr_ge0. Qed.

Lemma ler_pM x y z t : 0 <= x -> 0 <= z -> x <= y -> z <= t -> x * z <= y * t.
Proof.
by move=> x0 z0 xy zt; apply: (le_trans (ler_wpM2l x0 zt)); apply: ler_wpM2r xy; apply: le_trans zt.
Qed.

Lemma ler_piMr x y : 0 <= y -> x <= 1 -> y * x <= y. Proof. by move=> y0 /(ler_wpM2l y0); rewrite mulr1. Qed.

Lemma lerXn2r n : {in Num.nneg &, {homo (fun x => x ^+ n) : x y / x <= y}}.
Proof.
move=> x y; rewrite !nnegrE => x0 y0 xy; elim: n => [|n IH]; first by rewrite !expr0.
by rewrite !exprS ler_pM ?exprn_ge0.
Qed.
End Names.

Section FieldNames.
Local Open Scope ring_scope.
Variable R : realFieldType.
Implicit Types x y z : R.

Lemma ler_pdivrMr z x y : 0 < z -> (x / z <= y) = (x <= y * z).
Proof. by move=> z0; rewrite -[LHS](ler_pM2l z0) mulrCA mulfV ?gt_eqF // mulr1 mulrC. Qed.

Lemma le_min x y z : (x <= Num.min y z) = (x <= y) && (x <= z).
Proof. by case: (leP y z) => [|/ltW] h; apply/idP/andP => [xs|[] //]; split=> //; apply: le_trans h. Qed.

Lemma le_max x y z : (x <= Num.max y z) = (x <= y) || (x <= z).
Proof.
case: (leP y z) => [|/ltW] h; apply/idP/orP => [|[] //]; try by [left | right]; by move=> xs; apply: le_trans h.
Qed.

Lemma ge_min x y z : (Num.min y z <= x) = (y <= x) || (z <= x).
Proof.
case: (leP y z) => [|/ltW] h; apply/idP/orP => [|[] //]; try by [left | right]; exact: le_trans.
Qed.

Lemma ge_max x y z : (Num.max y z <= x) = (y <= x) && (z <= x).
Proof. by case: (leP y z) => [|/ltW] h; apply/idP/andP => [xs|[] //]; split=> //; apply: le_trans xs. Qed.

Lemma minr_pMr x y z : 0 <= x -> x * Num.min y z = Num.min (x * y) (x * z).
Proof.
move=> x0; case: (leP y z) => [|/ltW] /(ler_wpM2l x0) h; by [rewrite min_l | rewrite min_r].
Qed.

Lemma maxr_pMr x y z : 0 <= x -> x * Num.max y z = Num.max (x * y) (x * z).
Proof.
move=> x0; case: (leP y z) => [|/ltW] /(ler_wpM2l x0) h; by [rewrite max_r | rewrite max_l].
Qed.
End FieldNames.
