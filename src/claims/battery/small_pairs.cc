#include "claims/battery/small_pairs.h"

#include <fmt/format.h>

#include <utility>

#include "model/families/iid.h"
#include "model/filter.h"
#include "model/pair_around.h"

namespace speclab {
namespace {

/// A pair whose drafts are made of some tokens alone.
class DraftOf final : public PairAround {
 public:
  DraftOf(PairPointer inner, std::vector<Token> tokens) : PairAround(std::move(inner)) {
    filter_.vocabulary = std::move(tokens);
  }

  void rows(State state, std::span<double> draft, std::span<double> target) const override {
    restricted(state, draft, target);
  }
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override {
    restricted(state, draft, target);
  }

 private:
  template <class Real>
  void restricted(State state, std::span<Real> draft, std::span<Real> target) const {
    inner_->rows(state, draft, target);
    apply_filter(filter_, draft);
  }

  SamplingFilter filter_;
};

/// Another pair without its end-of-sequence token: the token stays absorbing, nothing ends.
class EndlessPair final : public PairAround {
 public:
  explicit EndlessPair(PairPointer inner) : PairAround(std::move(inner)) {}

  void rows(State state, std::span<double> draft, std::span<double> target) const override {
    inner_->rows(state, draft, target);
  }
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override {
    inner_->rows(state, draft, target);
  }
  [[nodiscard]] std::optional<Token> end_token() const override { return std::nullopt; }
};

}  // namespace

std::vector<std::vector<Rational>> laws_of(std::size_t tokens, int denominator) {
  std::vector<std::vector<Rational>> laws;
  std::vector<Rational> law(tokens);
  const auto choose = [&](const auto& self, std::size_t x, int left) -> void {
    if (x + 1 == tokens) {
      law[x] = Rational(left, denominator);
      return laws.push_back(law);
    }
    for (int part = 0; part <= left; ++part) {
      law[x] = Rational(part, denominator);
      self(self, x + 1, left - part);
    }
  };
  choose(choose, 0, denominator);
  return laws;
}

Instance iid_instance(std::vector<Rational> draft, std::vector<Rational> target, int gamma,
                      int drafts) {
  std::string name =
      fmt::format("iid(draft=[{}],target=[{}])", list_text(draft), list_text(target));
  return name_instance(std::make_shared<IidPair>(std::move(draft), std::move(target)),
                       std::move(name), gamma, drafts);
}

Instance listed_automaton(std::vector<AutomatonState> states, int gamma, int drafts) {
  std::string name = automaton_text(states);
  return name_instance(std::make_shared<AutomatonPair>(std::move(states)), std::move(name), gamma,
                       drafts);
}

Instance listed_tree(const ListedLaws& draft, const ListedLaws& target, int gamma, int drafts) {
  const std::size_t width = draft.at({}).size();
  auto pair = std::make_shared<ListedTreePair>(static_cast<Token>(width), draft, target);
  std::vector<AutomatonState> states(pair->states());
  for (State at = 0; at < pair->states(); ++at) {
    AutomatonState& state = states[at];
    state.draft.resize(width);
    state.target.resize(width);
    pair->rows(at, state.draft, state.target);
    for (Token x = 0; x < pair->vocabulary(); ++x) state.next.push_back(pair->next(at, x));
  }
  std::string name = automaton_text(states, pair->start().front().state);
  return name_instance(std::move(pair), std::move(name), gamma, drafts);
}

Instance drafted_of(const Instance& instance, std::vector<Token> tokens) {
  Instance some =
      name_instance(std::make_shared<DraftOf>(instance.pair_pointer(), std::move(tokens)),
                    instance.name() + " on some tokens", instance.gamma, instance.drafts);
  some.depth = instance.depth;
  return some;
}

Instance without_end(const Instance& instance) {
  if (!instance.pair().end_token()) return instance;
  Instance endless =
      name_instance(std::make_shared<EndlessPair>(instance.pair_pointer()),
                    instance.name() + " without end", instance.gamma, instance.drafts);
  endless.depth = instance.depth;
  return endless;
}

}  // namespace speclab
