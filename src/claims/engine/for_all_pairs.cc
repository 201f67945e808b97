#include "claims/engine/for_all_pairs.h"

#include <fmt/format.h>

#include "base/error.h"
#include "claims/engine/examination.h"
#include "prove/prover.h"

namespace speclab {
namespace {

Theorem theorem_of(const ForAllPairs& what) {
  Theorem theorem{make_verifier(played(what.verifier)), TheoremProperty::lossless, std::nullopt,
                  AllPairs(what.contexts, what.vocabulary, what.gamma)};
  read_property(std::string(what.property), theorem);
  return theorem;
}

}  // namespace

std::string ForAllPairs::pairs() const {
  return fmt::format("all {} pairs of {} tokens, gamma {}", contexts_name(contexts), vocabulary,
                     gamma);
}

std::string ForAllPairs::text() const {
  return fmt::format("{} {} for {}", verifier, property, pairs());
}

void Examination::prove(const ForAllPairs& what) {
  constexpr std::uint64_t kMostQuestions = 2000;
  Evidence evidence{what.pairs(), Method::proof, {}, {}};
  const std::string subject = fmt::format("{} {}", what.verifier, what.property);
  try {
    Prover prover(theorem_of(what), {});
    while (prover.state().queries < kMostQuestions && prover.step()) {
    }
    const ProofState& state = prover.state();
    if (prover.verdict() == TheoremVerdict::undecided) {
      evidence.detail =
          fmt::format("not proved, {}: {} cells hold, {} are not decided", subject,
                      state.cells.size(), state.pending.size() + state.undecided.size());
      findings_.push_back(std::move(evidence));
      return;
    }
    evidence.cells = state.cells.size();
    ++result_.instances;
    ++result_.comparisons;
    if (const auto& found = state.counterexample) {
      ++printed_.violated;
      evidence.pair = prover.theorem().family.pair_object(found->point);
      evidence.detail = fmt::format("violated, gamma={}: {}: {}; smallest counterexample",
                                    what.gamma, subject, found->detail);
      violations_.push_back(std::move(evidence));
      return;
    }
    ++printed_.held;
    evidence.detail = fmt::format(
        "proved for all pairs, {}: {} cells; an identity holds by chance with probability below "
        "{:.1e}",
        subject, state.cells.size(), prover.error_bound());
  } catch (const LimitError& error) {
    evidence.detail = fmt::format("not proved, {}: {}", subject, error.what());
  } catch (const InputError& error) {
    evidence.detail = fmt::format("not proved, {}: {}", subject, error.what());
  }
  findings_.push_back(std::move(evidence));
}

}  // namespace speclab
