#include "recorded/given_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "run/enumerator.h"
#include "run/runs.h"
#include "system/interrupt.h"
#include "verifiers/contract.h"

namespace speclab {

template class DraftTree<PathView, AnyChoices<double, PathView::Node>>;

namespace {

/// Takes every sequence of decisions along recorded paths. A token that the verifier draws from a
/// law on a path goes on along one or leaves them, and a context off the paths has no rows: all
/// tokens that leave them are one outcome. Of the last draw it matters only whether it can be
/// made.
class PathChoices : public Enumerator<double> {
 public:
  using Law = LawRef<double>;

  PathChoices() : Enumerator<double>(/*corrections=*/false) {}

  Token correct(const Law& law) {
    return Enumerator<double>::correct(DenseLaw<double>({law.has_weight() ? 1.0 : 0.0}));
  }

  Token choose(const Law& law) {
    if (!law.is_on_paths()) return Enumerator<double>::choose(law);
    const std::vector<Token> ahead = law.ahead();
    std::vector<double> sides;
    double along = 0;
    for (const Token x : ahead) along += sides.emplace_back(law.weight(x));
    const auto is_aside = [&](Token x) {
      return law.weight(x) > 0 && std::find(ahead.begin(), ahead.end(), x) == ahead.end();
    };
    Token aside = 0;
    while (aside < law.size() && !is_aside(aside)) ++aside;
    sides.push_back(aside < law.size() ? std::max(0.0, law.mass() - along) : 0.0);
    const Token side = Enumerator<double>::choose(DenseLaw<double>(std::move(sides)));
    if (side == kUndefined) return side;
    const auto chosen = static_cast<std::size_t>(side);
    return chosen < ahead.size() ? ahead[chosen] : aside;
  }
};

/// Sequences between looks for an interruption, and the most of one iteration.
constexpr std::uint64_t kGivenStride = 256;
constexpr std::uint64_t kMostGivenSequences = 10'000'000;

/// That every context of a tree of the likeliest tokens has its children among the recorded paths.
void check_tree(const Verifier& verifier, const PathRows& rows, int depth) {
  if (verifier.grown.nodes > 0) return;
  std::vector<int> shape = verifier.tree;
  if (shape.empty()) shape.push_back(verifier.drafts);
  std::vector<int> level{0};
  for (int i = 0; i < depth && static_cast<std::size_t>(i) < shape.size(); ++i) {
    std::vector<int> below;
    const auto children = static_cast<std::size_t>(
        std::min<std::int64_t>(shape[static_cast<std::size_t>(i)], rows.vocabulary()));
    for (const int at : level) {
      const auto ahead = rows.ahead(at);
      if (ahead.size() < children) {
        throw InputError(fmt::format(
            "{}: the tree has {} tokens here and {} {} recorded; record its other paths too",
            rows.where(at), children, ahead.size(), ahead.size() == 1 ? "is" : "are"));
      }
      for (std::size_t j = 0; j < children; ++j) below.push_back(ahead[j].to);
    }
    level = std::move(below);
  }
}

/// Whether what was accepted begins one of the drafted chains.
bool keeps_to(const std::vector<std::vector<Token>>& chains, const Iteration<PathView>& out) {
  const auto accepted = static_cast<std::size_t>(out.accepted);
  return accepted <= out.tokens.size() &&
         std::any_of(chains.begin(), chains.end(), [&](const std::vector<Token>& chain) {
           return std::equal(chain.begin(), chain.begin() + out.accepted, out.tokens.begin());
         });
}

}  // namespace

bool takes_likeliest(const Verifier& verifier) {
  const auto likeliest = verifier.runs->paths->likeliest;
  return likeliest != nullptr && likeliest(verifier.program.get());
}

GivenLaw given_law(const Verifier& verifier, const PathRows& rows, int drafts, Window window) {
  const bool likeliest = takes_likeliest(verifier);
  const bool ranks = likeliest && !verifier.runs->paths->reads_draft && verifier.grown.nodes == 0;
  const PathView view(rows, ranks                      ? PathUse::ranks
                            : drafts > 1 && !likeliest ? PathUse::tables
                                                       : PathUse::rows);
  if (likeliest) check_tree(verifier, rows, window.drafts);
  std::vector<std::vector<Token>> chains;
  for (int k = 0; k < drafts; ++k) {
    const auto drafted = rows.tokens(k).first(static_cast<std::size_t>(window.drafts));
    chains.emplace_back(drafted.begin(), drafted.end());
  }
  const PathProgram& paths = *verifier.runs->paths;
  if (paths.run == nullptr) throw InputError(fmt::format("{}: {}", verifier.name, paths.reason));
  const AnyProgram<PathView> program(verifier.program.get(), paths.run);
  GivenDrafts given(chains);
  PathChoices choices;
  choices.follow({.given = &given});
  Iteration<PathView> out;
  GivenLaw law;
  law.accepted.assign(static_cast<std::size_t>(window.drafts) + 1, 0.0);
  std::uint64_t sequences = 0;
  do {
    if (sequences++ % kGivenStride == 0) check_interrupted();
    if (sequences > kMostGivenSequences) {
      throw LimitError(fmt::format("one iteration has more than {} sequences of coins; lower gamma",
                                   kMostGivenSequences));
    }
    choices.restart();
    out.begin(view.root(0));
    program(view, view.root(0), window, choices, out);
    check_fits(out, window);
    if (!keeps_to(chains, out)) {
      throw ContractError("the verifier does not keep to the drafts that it is given");
    }
    const double weight = choices.weight();
    law.accepted[static_cast<std::size_t>(out.accepted)] += weight;
    law.tokens += weight * static_cast<double>(out.tokens.size());
    if (out.ending == Ending::undefined) law.undefined += weight;
  } while (choices.advance());
  return law;
}

}  // namespace speclab
