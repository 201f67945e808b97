(** The rules as an OCaml program: the definitions of which the theorems speak, over any numbers. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From proofs Require Import program token block several.
Extraction Language OCaml.
Extraction "rules.ml" ops chain output token.token block.block positions target_only_node rrs_node.
