(** SpecTr-GBV as printed (lin2026 Algorithm 1) is not lossless for K = 2 drafts, and does not accept as often as its
    Theorem 5.3 says: by computation, one token (L = 1), d = (2/3, 1/3), t = (1/3, 2/3). *)
From proofs Require Import prelude program model several refuted.
Local Open Scope ring_scope.

Section Rule.
Variables (O : ops) (V : Type) (same : V -> V -> bool) (tokens : seq V) (d t : V -> num O) (K : nat).

(** t (1 - min(d/t, 1))^K, equation (4) without its sum; h_L, equation (3). *)
Definition left_over x := mul (t x) (power (sub (one O) (min (div (d x) (t x)) (one O))) K).
Definition gbv_coin x := div (sub (t x) (left_over x)) (sub (one O) (power (sub (one O) (d x)) K)).

(** The drafts in turn (L = 1): a token that was refused is not tried again. The flag says that a draft is accepted. *)
Fixpoint gbv_tries (refused xs : seq V) : dist O (V * bool) :=
  if xs is x :: rest then
    if has (same x) refused then gbv_tries refused rest
    else
      let! accepted := flip (gbv_coin x) in
      if accepted then ret O (x, true) else gbv_tries (x :: refused) rest
  else
    let! y := draw tokens (fun x => div (left_over x) (total tokens left_over)) in
    ret O (y, false).
Definition spectr_gbv : dist O (V * bool) :=
  let! xs := draws tokens d K in
  gbv_tries [::] xs.
End Rule.

Definition third : rat := 1 / 3%:R.
Notation toy := (@spectr_gbv rationals bool eq_op (enum {: bool}) (coin2 third) (coin2 (1 - third)) 2).

(** lin2026 Theorem 4.2: the target emits token 0 with probability 1/3, the rule with 31/120. *)
Theorem theorem42_refuted :
  coin2 (1 - third) false = third /\ E toy (fun a => (a.1 == false)%:R) = 31%:R / 120%:R.
Proof.
split; first exact/eqP.
by rewrite E_foldr bools; apply/eqP; vm_cast_no_check isT.
Qed.

(** lin2026 Theorem 5.3 at L = 1: P(tau = 1) is 41/60, less than sum_x t(x) [1 - (1 - min(d/t, 1))^2] = 5/6. *)
Theorem theorem53_refuted :
  E toy (fun a => a.2%:R) = 41%:R / 60%:R /\
  \sum_x coin2 (1 - third) x * (1 - (1 - Num.min (coin2 third x / coin2 (1 - third) x) 1) ^+ 2) = 5%:R / 6%:R.
Proof.
split; last by rewrite big_bool; apply/eqP; vm_compute.
by rewrite E_foldr bools; apply/eqP; vm_cast_no_check isT.
Qed.
