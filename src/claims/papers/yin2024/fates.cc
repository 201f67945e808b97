#include "claims/papers/yin2024/fates.h"

#include <stdexcept>

#include "claims/engine/ingredient.h"
#include "verifiers/chain/token.h"
#include "verifiers/registry.h"
#include "verifiers/several/batch.h"

namespace speclab {
namespace {

/// What an iteration emits, equal ends merged.
using Ends = std::map<std::pair<TokenPath, bool>, Rational>;  // tokens, whether the last corrects

/// Decodes iteration after iteration. `ends(before, state)` is the law of an iteration that begins
/// in `state` after the tokens `before`.
template <class EndsOf>
void decode(const Instance& instance, const Start& start, EndsOf&& ends, Fates& fates) {
  // Where iterations begin: after these tokens, in this state.
  std::vector<std::map<std::pair<TokenPath, State>, Rational>> begins(
      static_cast<std::size_t>(instance.gamma));
  begins[0][{{}, start.state}] = start.probability;
  for (std::size_t n = 0; n < begins.size(); ++n) {
    for (const auto& [begin, mass] : begins[n]) {
      fates.calls += mass;
      for (const auto& [end, share] : ends(begin.first, begin.second)) {
        const Rational weight = mass * share;
        TokenPath path = begin.first;
        State state = begin.second;
        for (std::size_t i = 0; i < end.first.size(); ++i) {
          path.push_back(end.first[i]);
          state = instance.rows->next(state, end.first[i]);
          const bool corrects = end.second && i + 1 == end.first.size();
          fates.paths[{start.state, path}].mass[i == 0 ? 1 : 0][corrects ? 1 : 0] += weight;
        }
        if (path.size() < begins.size()) begins[path.size()][{path, state}] += weight;
      }
    }
  }
}

template <class Program>
Fates fates_with(const Program& program, const Instance& instance) {
  const PairView<Rational> view(*instance.rows);
  std::map<std::pair<State, int>, Ends> known;
  const auto ends = [&](const TokenPath& before, State state) -> const Ends& {
    const int left = instance.gamma - static_cast<int>(before.size());
    const auto place = known.try_emplace({state, left});
    Ends& law = place.first->second;
    if (!place.second) return law;
    each_sequence(program, view, view.root(state), window_within(kUnbounded, left), true,
                  [&](const auto& out, const Rational& weight) {
                    if (out.ending == Ending::undefined) return;
                    law[{out.tokens, out.ending == Ending::correction}] += weight;
                  });
    return law;
  };
  Fates fates;
  for (const Start& start : instance.pair().start()) decode(instance, start, ends, fates);
  return fates;
}

/// See fates_after_loop.
struct BatchAfterLoop {
  int drafts;
  Rational share;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto laws = view.at(root);
    RecursiveTarget target(laws);
    for (int m = 0; m < drafts; ++m) {
      const Token x = choices.draft(laws.draft());
      if (choices.accept(target.ratio(x))) {
        out.accept(x, view.next(root, x));
        return verify_tokens(view, window, choices, out);
      }
      target.reject();
    }
    const auto last = std::move(target).law();
    std::vector<Rational> weights;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      weights.push_back(positive_part<Rational>(last.weight(x) - share * laws.draft(x)));
    }
    out.correct(view, choices, DenseLaw<Rational>(std::move(weights)));
  }
};

/// Algorithm 2 from one start.
class Algorithm2 {
 public:
  Algorithm2(const Instance& instance, const DesignOf& design)
      : instance_(instance), design_(design) {}

  /// The law of an iteration that begins in `state` after the tokens `before`.
  Ends operator()(const TokenPath& before, State state) {
    Enumerator<Rational> choices;
    Ends ends;
    do {
      choices.restart();
      auto end = run(before, state, choices);
      ends[std::move(end)] += choices.weight();
    } while (choices.advance());
    return ends;
  }

 private:
  /// One sequence of decisions. A draft after the first rejection is never looked at, so it is not
  /// drawn.
  std::pair<TokenPath, bool> run(TokenPath path, State state, Enumerator<Rational>& choices) {
    TokenPath emitted;
    while (static_cast<int>(path.size()) < instance_.gamma) {
      const Design& here = design_at(path, state);
      Token x = choices.draft(RowLaw<Rational>(instance_.rows->draft(state)));
      const bool accepted = choices.accept(here.accept[static_cast<std::size_t>(x)]);
      if (!accepted) x = choices.correct(DenseLaw<Rational>(here.correction));
      if (x == kUndefined) throw std::logic_error("Algorithm 2 rejects where P has no weight");
      emitted.push_back(x);
      if (!accepted) return {emitted, true};
      path.push_back(x);
      state = instance_.rows->next(state, x);
    }
    return {emitted, false};
  }

  const Design& design_at(const TokenPath& before, State state) {
    const auto found = designs_.find(before);
    if (found != designs_.end()) return found->second;
    return designs_[before] =
               design_(instance_.rows->draft(state), instance_.rows->target(state), before);
  }

  const Instance& instance_;
  const DesignOf& design_;
  std::map<TokenPath, Design> designs_;
};

}  // namespace

Fate Fates::at(State start, const TokenPath& path) const {
  const auto found = paths.find({start, path});
  return found == paths.end() ? Fate{} : found->second;
}

Rational Fates::rejected_at(int n) const {
  Rational sum(0);
  for (const auto& [key, fate] : paths) {
    if (static_cast<int>(key.second.size()) == n) sum += fate.rejected();
  }
  return sum;
}

Rational Fates::rejections(int horizon) const {
  Rational sum(0);
  for (int n = 1; n <= horizon; ++n) sum += rejected_at(n);
  return sum;
}

Rational Fates::bias(const Instance& instance, int horizon) const {
  Rational sum(0);
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, horizon)) {
      if (static_cast<int>(path.tokens.size()) != horizon) continue;
      sum += positive_part<Rational>(start.probability * path.target -
                                     at(start.state, path.tokens).reached());
    }
  }
  return sum;
}

Fates fates_of(std::string_view verifier, const Instance& instance) {
  const Verifier made = make_verifier(played(verifier));
  if (const auto* batch = program_as<BatchVerification>(made)) return fates_with(*batch, instance);
  if (const auto* printed = program_as<BatchPrinted>(made)) return fates_with(*printed, instance);
  if (const auto* token = program_as<TokenVerification>(made)) return fates_with(*token, instance);
  throw std::logic_error("fates_of does not know " + made.name);
}

Fates fates_after_loop(int drafts, const Rational& share, const Instance& instance) {
  return fates_with(BatchAfterLoop{drafts, share}, instance);
}

Fates run_algorithm2(const Instance& instance, const DesignOf& design) {
  Fates fates;
  for (const Start& start : instance.pair().start()) {
    decode(instance, start, Algorithm2(instance, design), fates);
  }
  return fates;
}

}  // namespace speclab
