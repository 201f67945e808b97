#include "optimum/acceptance_proof.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/power.h"

namespace speclab {
namespace {

/// Evaluates the prices prefix by prefix. It shares no code with the solver that finds the prices.
class Audit {
 public:
  Audit(const AcceptanceProof& proof, const AcceptanceProblem& problem, const Rows<Rational>& rows)
      : proof_(proof), problem_(problem), rows_(rows) {}

  ProofVerdict of(State start) {
    check_signs();
    for (const AcceptanceProof::Block& block : proof_.blocks) {
      if (problem_.verifiers == VerifierClass::algorithm2) fault("a block, which this class lacks");
      bound_ += block.weight * (at_least_once(block.share) - slope(block.share) * block.share);
    }
    if (problem_.verifiers == VerifierClass::coupling) bound_ += price(proof_.inherited, {});
    Prefix root;
    visit(root, start, Rational(1), Rational(1), std::vector<Rational>(proof_.blocks.size()));
    if (!fault_.empty()) return {std::nullopt, fault_};
    return {bound_, ""};
  }

 private:
  static Rational price(const std::map<Prefix, Rational>& prices, const Prefix& prefix) {
    const auto found = prices.find(prefix);
    return found == prices.end() ? Rational(0) : found->second;
  }

  void fault(const std::string& what) {
    if (fault_.empty()) fault_ = what;
  }

  void check_signs() {
    const auto check = [&](const std::map<Prefix, Rational>& prices) {
      for (const auto& [prefix, value] : prices) {
        if (value < 0) fault("a price below 0 at " + prefix_text(prefix));
      }
    };
    check(proof_.inherited);
    check(proof_.ceiling);
    for (const AcceptanceProof::Block& block : proof_.blocks) {
      check(block.claims);
      if (block.weight < 0) fault("a block of negative weight");
      if (block.share < 0 || block.share > 1) fault("a block at a draft mass outside [0, 1]");
    }
  }

  /// f(x) = 1 - (1 - x)^K and f'(x).
  [[nodiscard]] Rational at_least_once(const Rational& x) const {
    return 1 - power<Rational>(1 - x, problem_.drafts);
  }
  [[nodiscard]] Rational slope(const Rational& x) const {
    return problem_.drafts * power<Rational>(1 - x, problem_.drafts - 1);
  }

  /// @param above  by block: the claims on the path to `prefix`, exclusive
  void visit(Prefix& prefix, State state, const Rational& draft, const Rational& target,
             std::vector<Rational> above) {
    const bool root = prefix.empty();
    const bool leaf = static_cast<int>(prefix.size()) == problem_.gamma;
    const bool coupling = problem_.verifiers == VerifierClass::coupling;
    Rational worth(0);
    if (!root) {
      Prefix parent(prefix.begin(), prefix.end() - 1);
      worth = price(proof_.inherited, coupling ? parent : prefix) + price(proof_.ceiling, prefix);
      bound_ += price(proof_.ceiling, prefix) * target;
      for (std::size_t j = 0; j < above.size(); ++j) {
        const AcceptanceProof::Block& block = proof_.blocks[j];
        const Rational claim = price(block.claims, prefix);
        worth += claim;
        bound_ += claim * slope(block.share) * draft;
        above[j] += claim;
        if (above[j] > block.weight) {
          fault("a block's claims exceed its weight on the way to " + prefix_text(prefix));
        }
      }
      if (coupling && !leaf) worth -= price(proof_.inherited, prefix);
    }
    for (Token x = 0; !leaf && x < rows_.vocabulary(); ++x) {
      const Rational& d = rows_.draft(state)[static_cast<std::size_t>(x)];
      const Rational& t = rows_.target(state)[static_cast<std::size_t>(x)];
      if (d == 0 || t == 0) continue;  // never accepted
      prefix.push_back(x);
      if (!coupling) {
        const Rational step = problem_.verifiers == VerifierClass::algorithm2 ? std::min(d, t) : t;
        const Rational passed = step * price(proof_.inherited, prefix);
        if (root) {
          bound_ += passed;
        } else {
          worth -= passed;
        }
      }
      visit(prefix, rows_.next(state, x), draft * d, target * t, above);
      prefix.pop_back();
    }
    if (!root && worth < problem_.gain(state)) {
      fault(fmt::format("the prices at {} are worth {}, below {}", prefix_text(prefix),
                        to_text(worth), to_text(problem_.gain(state))));
    }
  }

  const AcceptanceProof& proof_;
  const AcceptanceProblem& problem_;
  const Rows<Rational>& rows_;
  Rational bound_{0};
  std::string fault_;
};

}  // namespace

std::string_view class_name(VerifierClass verifiers) {
  switch (verifiers) {
    case VerifierClass::coupling:
      return "coupling";
    case VerifierClass::plug_and_play:
      return "plug-and-play";
    case VerifierClass::algorithm2:
      return "algorithm2";
    case VerifierClass::conditionally_independent:
      return "conditionally-independent";
  }
  return "";
}

ProofVerdict check_proof(const AcceptanceProof& proof, const AcceptanceProblem& problem,
                         const Rows<Rational>& rows, State start) {
  return Audit(proof, problem, rows).of(start);
}

}  // namespace speclab
