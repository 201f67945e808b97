#pragma once

#include "base/spec.h"
#include "model/pair.h"

namespace speclab {

// The makers of the families, one file each; model/registry.cc has their rows. Each reads its
// parameters from `spec` in a fixed order and throws InputError saying what to write.

/// Largest vocabulary of any family.
inline constexpr long long kMaxVocabulary = 1 << 20;

/// Largest seed of any family.
inline constexpr long long kMaxSeed = 4294967295;

/// Two tokens; `draft` and `target` are the probabilities of token 1.
PairPointer make_bernoulli(SpecReader& spec);

/// Uniform laws on the first `draft` and the first `target` tokens; V is the larger number.
PairPointer make_uniform(SpecReader& spec);

/// The same two laws, given entry by entry, at every position.
PairPointer make_iid(SpecReader& spec);

/// Two Zipf laws that rank the tokens nearly alike (see zipf.cc).
PairPointer make_zipf(SpecReader& spec);

/// A random language model over contexts of one token, and a perturbed draft (see logits.cc).
PairPointer make_logits(SpecReader& spec);

/// A random nonstationary Markov chain of each model (yin2024, Figures 2, 4 and 5; see markov.cc).
PairPointer make_markov(SpecReader& spec);

/// Random rational laws, one a prefix (see tree.cc).
PairPointer make_tree(SpecReader& spec);

/// An automaton whose states are listed, a row a state (see automaton.cc).
PairPointer make_automaton(SpecReader& spec);

/// A law that a parameter has, "[1/3,2/3]". @throws InputError of the spec where it is none
std::vector<Rational> read_law(SpecReader& spec, std::string_view key);

/// The families whose draft begins anew with each iteration (see their files).
PairPointer make_blocks(SpecReader& spec);
PairPointer make_mtp(SpecReader& spec);
PairPointer make_diffusion(SpecReader& spec);
PairPointer make_latent(SpecReader& spec);
PairPointer make_lookup(SpecReader& spec);
PairPointer make_retokenised(SpecReader& spec);

/// n-gram models of a text (see ngram.cc).
/// @throws LimitError where they may need more than `max_memory` bytes, before they are made
PairPointer make_ngram(SpecReader& spec, double max_memory);

/// A pair read from a JSON document (see file.cc).
/// @throws LimitError where it may need more than `max_memory` bytes, before it is read
PairPointer make_file(SpecReader& spec, double max_memory);

}  // namespace speclab
