(** The rules as an OCaml program: the definitions of which the theorems speak, over any numbers. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From proofs Require Import program token block several kseq siblings greedy batch slots traversal marks refuted
  gbv rejection relaxed.
Set Warnings "-extraction-opaque-accessed,-extraction-reserved-identifier,-extraction-default-directory".
Extraction Language OCaml.
Extraction "rules.ml" ops chain output token.token block.block positions target_only_node rrs_node kseq_node
  naive_tree_node rrs_without_node greedy_block batch.batch slot_block traversal.traversal traversal_merged
  traversal_without spectr_coupled spectr_gbv lazy_block rejection.rejection corrected lenience slack part relaxed.relaxed ensemble fuzzy
  cascade_opt cascade_top sprint by_class run_output.
