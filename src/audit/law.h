#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "answer/iteration_law.h"
#include "verifiers/contract.h"
#include "verifiers/registry.h"

namespace speclab {

/// The outcome of one iteration in the form of an answer.
struct AuditOutcome {
  int accepted = 0;
  std::vector<Token>
      tokens;  ///< the accepted ones and Y; without Y where its law has total weight zero
  bool operator==(const AuditOutcome&) const = default;
  bool operator<(const AuditOutcome& other) const {
    return std::tie(accepted, tokens) < std::tie(other.accepted, other.tokens);
  }
};
/// Probabilities; they sum to 1.
using AuditLaw = std::map<AuditOutcome, double>;

/// A pair, a draft length and a drafted set: everything that one decision depends on.
struct AuditPlace {
  std::shared_ptr<const Rows<double>> rows;
  State start = 0;
  int gamma = 1;
  std::vector<std::vector<Token>> chains;  ///< [K][gamma]; empty: drawn by each verifier

  [[nodiscard]] AuditPlace with(std::vector<std::vector<Token>> drafts) const {
    return {rows, start, gamma, std::move(drafts)};
  }
};

/// The place of a pair that starts in one state.
AuditPlace place_on(const PairPointer& pair, int gamma, std::vector<std::vector<Token>> chains);

/// A place whose rows along the chains are changed, each model's by its own function, and divided
/// by their sums.
using RowChange = std::function<std::vector<Rational>(std::span<const double> row)>;
AuditPlace changed_place(const AuditPlace& place, const RowChange& draft, const RowChange& target);

/// What `make` makes, or nothing where a verifier does not draft the sets that it is given.
/// @throws ProbabilityError, which is no matter of drafts, and all else that make() throws
template <class Make>
auto if_drafted(const Make& make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const ProbabilityError&) {
    throw;
  } catch (const ContractError&) {
    return std::nullopt;
  }
}

/// The exact law of an iteration at a place, by enumeration: given its drafts where it has any.
/// @throws ContractError where the verifier does not draft such sets (see GivenDrafts)
AuditLaw law_at(const Verifier& verifier, const AuditPlace& place);

/// The sequences of decisions of law_at: the ranges in [0, 1) that lead to each outcome.
struct DecisionPath {
  std::vector<UniformRange> ranges;
  AuditOutcome outcome;
};
std::vector<DecisionPath> decisions_at(const Verifier& verifier, const AuditPlace& place);

/// Every set of `count` chains that the draft draws i.i.d., with its probability, in the order of
/// its tokens.
struct DraftedSet {
  std::vector<std::vector<Token>> chains;
  double probability;
};
std::vector<DraftedSet> drafted_sets(const AuditPlace& place, int count);
/// An upper bound on their number: every set of chains of tokens of the vocabulary.
double set_count(const AuditPlace& place, int count);

/// Why an implementation with given drafts cannot show what this verifier does on a pair; "" where
/// it can: the verifier then uses the given drafts, and its law is the mixture over them. Otherwise
/// its fault is in the drafting.
/// @param place  its chains are not used
/// @param count  such that there are at most some thousand drafted sets
std::string why_unseen(const Verifier& verifier, const AuditPlace& place, int count);

/// The states along a chain: before its first token, .., after its last; one more than it has
/// tokens.
std::vector<State> states_along(const AuditPlace& place, const std::vector<Token>& chain);

}  // namespace speclab
