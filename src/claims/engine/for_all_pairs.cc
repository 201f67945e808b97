#include "claims/engine/for_all_pairs.h"

#include <fmt/format.h>

#include "base/error.h"
#include "claims/engine/examination.h"

namespace speclab {

std::string ForAllPairs::pairs() const {
  const AllPairs family(contexts, vocabulary, gamma);
  return fmt::format("{}, {}", family.text(),
                     family.every_gamma() ? "every gamma" : fmt::format("gamma {}", gamma));
}

std::string ForAllPairs::text() const {
  return fmt::format("{} {} for {}", verifier, property, pairs());
}

void Examination::prove(const ForAllPairs& what) {
  constexpr std::uint64_t kMostQuestions = 2000;
  Evidence evidence{what.pairs(), Method::proof, {}, {}};
  const std::string subject = fmt::format("{} {}", what.verifier, what.property);
  try {
    const TheoremAnswer found =
        speclab::prove({make_verifier(played(what.verifier)), std::string(what.property),
                        what.contexts, what.vocabulary, what.gamma},
                       kMostQuestions);
    if (found.verdict == TheoremVerdict::undecided) {
      evidence.detail = fmt::format("not proved, {}: {} cells hold, {} are not decided", subject,
                                    found.cells, found.open);
      findings_.push_back(std::move(evidence));
      return;
    }
    evidence.cells = found.cells;
    ++result_.instances;
    ++result_.comparisons;
    if (!found.counterexample.empty()) {
      ++printed_.violated;
      evidence.pair = found.counterexample;
      evidence.detail = fmt::format("violated, gamma={}: {}: {}; smallest counterexample",
                                    found.gamma, subject, found.detail);
      violations_.push_back(std::move(evidence));
      return;
    }
    ++printed_.passed;
    evidence.detail = fmt::format(
        "proved for all pairs, {}: {} cells; an identity holds by chance with probability below "
        "{:.1e}",
        subject, found.cells, found.error_bound);
  } catch (const LimitError& error) {
    evidence.detail = fmt::format("not proved, {}: {}", subject, error.what());
  } catch (const InputError& error) {
    evidence.detail = fmt::format("not proved, {}: {}", subject, error.what());
  }
  findings_.push_back(std::move(evidence));
}

}  // namespace speclab
