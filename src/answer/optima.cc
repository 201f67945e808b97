#include "answer/optima.h"

#include <set>

#include "base/error.h"
#include "recorded/recorded_pair.h"
#include "theory/multi_draft.h"
#include "theory/sun2024.h"
#include "verifiers/window.h"

namespace speclab {
namespace {

/// Theorem 1's sum of min(D, T), one draft.
template <class Real>
Value of_one_draft(const Rows<Real>& rows, int gamma) {
  Budget budget(kMostOptimumSteps);
  const auto tail = greedy_tail(rows, start_law(rows), gamma, budget);
  Sum<Real> sum;
  for (std::size_t i = 1; i < tail.size(); ++i) sum += tail[i];
  return value_of(sum.value());
}

/// alpha*(K), one token.
template <class Real>
Value of_one_token(const Rows<Real>& rows, int drafts) {
  Budget budget(kMostOptimumSteps);
  Sum<Real> sum;
  for (const Start& start : rows.pair().start()) {
    budget.spend<Real>(static_cast<double>(rows.vocabulary()));
    sum += from_rational<Real>(start.probability) *
           best_acceptance(rows.draft(start.state), rows.target(start.state), drafts);
  }
  return value_of(sum.value());
}

template <class Real>
Value by_formula(const Rows<Real>& rows, int gamma, int drafts) {
  return drafts == 1 ? of_one_draft(rows, gamma) : of_one_token(rows, drafts);
}

/// Whether the programs of all starts have few prefixes.
bool is_small(const Rows<Rational>& rows, int gamma) {
  std::set<State> seen;
  std::size_t prefixes = 0;
  for (const Start& start : rows.pair().start()) {
    if (!seen.insert(start.state).second) continue;
    prefixes += PrefixTree(rows, start.state, gamma, kMostOptimumPrefixes).size() - 1;
    if (prefixes > kMostOptimumPrefixes) return false;
  }
  return true;
}

std::optional<Value> by_program(const Rows<Rational>& rows, int gamma, int drafts,
                                Arithmetic arithmetic) {
  if (!is_small(rows, gamma)) return std::nullopt;
  const bool exact = arithmetic == Arithmetic::rational;
  const Optimum found =
      find_optimum(rows, {{VerifierClass::coupling, gamma, drafts}, exact, /*plan=*/false});
  if (!exact) return value_of(to_double(found.worth));
  if (!found.certified) return std::nullopt;
  return value_of(found.worth);
}

bool bounded(const Verifier& verifier) {
  return verifier.info->kind == VerifierKind::lossless && verifier.drafts_iid &&
         verifier.drafts > 0;
}

}  // namespace

std::optional<Value> Optima::optimum(const Question& question) {
  const int gamma = full_window(*question.pair, question.lengths).drafts;
  const int drafts = question.verifier.drafts;
  if (gamma == kUnbounded || drafts < 1) return std::nullopt;
  const auto [place, is_new] =
      known_.try_emplace({question.pair, gamma, drafts, question.arithmetic});
  std::optional<Value>& known = place->second;
  if (!is_new) return known;
  try {
    if (gamma > 1 && drafts > 1) {
      // The rows of a large vocabulary are not even made.
      if (static_cast<std::size_t>(question.pair->vocabulary()) > kMostOptimumPrefixes)
        return known;
      known = by_program(*bench_.rationals(question.pair), gamma, drafts, question.arithmetic);
    } else if (question.arithmetic == Arithmetic::rational) {
      known = by_formula(*bench_.rationals(question.pair), gamma, drafts);
    } else {
      known = by_formula(*bench_.doubles(question.pair), gamma, drafts);
    }
  } catch (const LimitError&) {
    known.reset();
  }
  return known;
}

void Optima::add_share(Answer& answer) {
  const Value* accepted = answer.find(QuantityId::expected_accepted);
  if (accepted == nullptr || !bounded(answer.question.verifier)) return;
  // The optimum asks for rows at every prefix.
  if (recording_of(*answer.question.pair) != nullptr) return;
  const std::optional<Value> most = optimum(answer.question);
  if (!most) return;
  if (!(most->number > 0)) {
    return answer.add_missing(QuantityId::share_of_optimum,
                              "no verifier accepts a draft here, so that it is 0/0");
  }
  Value share = value_of(accepted->number / most->number);
  if (accepted->fraction && most->fraction) {
    share = value_of(Rational(*accepted->fraction / *most->fraction));
  }
  if (accepted->estimate) share = value_of(scaled(*accepted->estimate, 1 / most->number));
  answer.add(QuantityId::share_of_optimum, std::move(share));
}

}  // namespace speclab
