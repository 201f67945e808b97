(** Rules as programs: what a rule draws, written once over any numbers.
    A program's meaning is the list of its outcomes with their probabilities. The theorems read it over a field of
    real numbers ([model.v]); the same text is extracted and run in exact fractions ([extract.v]). *)
From mathcomp Require Import ssreflect ssrbool ssrfun ssrnat seq.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** Numbers with their operations. [div a b] with b = 0 is 0: the weights of a law without mass are all 0, so a draw
    from it has total probability 0. *)
Record ops := Ops {
  num : Type;
  zero : num;
  one : num;
  add : num -> num -> num;
  sub : num -> num -> num;
  mul : num -> num -> num;
  div : num -> num -> num;
  min : num -> num -> num;
  max : num -> num -> num
}.

Section Programs.
Variable O : ops.

(** The outcomes of a program, each with its probability; one outcome may be listed more than once. *)
Definition dist (A : Type) := seq (num O * A).

Definition ret A (a : A) : dist A := [:: (one O, a)].
Definition scale A (p : num O) (m : dist A) : dist A := [seq (mul p q.1, q.2) | q <- m].
Definition bind A B (m : dist A) (k : A -> dist B) : dist B := flatten [seq scale q.1 (k q.2) | q <- m].

(** A coin that shows true with probability p. *)
Definition flip (p : num O) : dist bool := [:: (p, true); (sub (one O) p, false)].

(** One element of a list, drawn from weights. *)
Definition draw A (tokens : seq A) (law : A -> num O) : dist A := [seq (law x, x) | x <- tokens].

Definition total A (tokens : seq A) (f : A -> num O) : num O := foldr (fun x s => add (f x) s) (zero O) tokens.

Fixpoint power (a : num O) (n : nat) : num O := if n is m.+1 then mul a (power a m) else one O.
End Programs.
Arguments ret O {A} a : simpl never.
Arguments bind {O A B} m k : simpl never.
Arguments flip {O} p : simpl never.
Arguments draw {O A} tokens law : simpl never.
Arguments total {O A} tokens f : simpl never.

Notation "'let!' x := m 'in' k" := (bind m (fun x => k)) (at level 200, x name, m at level 100, k at level 200,
  right associativity).

(** A model: the law of the next token after a context, which is all tokens so far. *)
Definition model (O : ops) (V : Type) := seq V -> V -> num O.

Section Laws.
Variables (O : ops) (V : Type) (tokens : seq V).
Variables d t : model O V.

(** The weight of a path that had the weight w before x: min(1, w t(x|c)/d(x|c)), sun2025 equation (9). *)
Definition weight (w : num O) c x : num O := min (one O) (div (mul w (t c x)) (d c x)).

(** [excess w c x] = [w t(x|c) - d(x|c)]+, its sum over x, and the law proportional to it. *)
Definition excess (w : num O) c x : num O := max (sub (mul w (t c x)) (d c x)) (zero O).
Definition excess_sum w c := total tokens (excess w c).
Definition residual w c x := div (excess w c x) (excess_sum w c).
End Laws.
Arguments weight {O V} d t w c x : simpl never.
Arguments excess {O V} d t w c x : simpl never.
Arguments residual {O V} tokens d t w c x : simpl never.

(** Iterations one after another: the tokens of k iterations of a rule. What an iteration gives is the tokens
    that it accepted and the one that it adds to them. *)
Section Chain.
Variables (O : ops) (V : Type) (rule : seq V -> dist O (seq V * V)).
Definition output (o : seq V * V) := rcons o.1 o.2.
Fixpoint chain (k : nat) (c : seq V) : dist O (seq V) :=
  if k is m.+1 then
    let! o := rule c in
    let! s := chain m (c ++ output o) in
    ret O (output o ++ s)
  else ret O [::].
End Chain.
