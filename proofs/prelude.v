(** What every file begins with: the libraries, and how arguments are inferred. *)
From mathcomp Require Export all_ssreflect all_algebra ring.
Export GRing.Theory Num.Theory Order.Theory.
#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Unset Printing Implicit Defensive.
