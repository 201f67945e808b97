#include "claims/battery/small_pairs.h"

#include <fmt/format.h>

#include <algorithm>

namespace speclab {
namespace {

class ListedContexts final : public RationalPair {
 public:
  explicit ListedContexts(std::vector<Context> contexts) : contexts_(std::move(contexts)) {}

  using RationalPair::rows;
  [[nodiscard]] Token vocabulary() const override {
    return static_cast<Token>(contexts_.front().draft.size());
  }
  [[nodiscard]] State states() const override { return static_cast<State>(contexts_.size()); }
  [[nodiscard]] State next(State state, Token token) const override {
    return contexts_[state].next[static_cast<std::size_t>(token)];
  }
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override {
    std::copy(contexts_[state].draft.begin(), contexts_[state].draft.end(), draft.begin());
    std::copy(contexts_[state].target.begin(), contexts_[state].target.end(), target.begin());
  }

 private:
  std::vector<Context> contexts_;
};

/// Another pair without its end-of-sequence token: the token stays absorbing, nothing ends.
class EndlessPair final : public RationalPair {
 public:
  explicit EndlessPair(PairPointer inner) : inner_(std::move(inner)) {}

  using RationalPair::rows;
  [[nodiscard]] Token vocabulary() const override { return inner_->vocabulary(); }
  [[nodiscard]] State states() const override { return inner_->states(); }
  [[nodiscard]] State next(State state, Token token) const override {
    return inner_->next(state, token);
  }
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override {
    inner_->rows(state, draft, target);
  }
  [[nodiscard]] std::vector<Start> start() const override { return inner_->start(); }
  [[nodiscard]] std::optional<int> length() const override { return inner_->length(); }

 private:
  PairPointer inner_;
};

std::string laws_text(const Context& context) {
  return law_text(context.draft) + "|" + law_text(context.target);
}

}  // namespace

std::string law_text(const std::vector<Rational>& law) {
  std::string text;
  for (const Rational& p : law) text += (text.empty() ? "" : ",") + to_text(p);
  return "[" + text + "]";
}

Instance listed_contexts(std::vector<Context> contexts, int gamma, int drafts) {
  std::string name;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    name += fmt::format("{}{}: {} -> {}", i == 0 ? "" : "; ", i, laws_text(contexts[i]),
                        fmt::join(contexts[i].next, ","));
  }
  return name_instance(std::make_shared<ListedContexts>(std::move(contexts)),
                       fmt::format("contexts({})", name), gamma, drafts);
}

Instance spine(int sure, std::vector<Context> nodes, int gamma) {
  std::string name = fmt::format("sure {}, then", sure);
  for (const Context& node : nodes) name += " " + laws_text(node);
  const std::vector<Rational> zero{1, 0};
  const std::vector<Rational> one{0, 1};
  const std::vector<Rational> even{Rational(1, 2), Rational(1, 2)};
  const auto disjoint = static_cast<State>(static_cast<std::size_t>(sure) + nodes.size());
  std::vector<Context> contexts;
  for (State at = 1; at <= static_cast<State>(sure); ++at)
    contexts.push_back({zero, zero, {at, at}});
  for (Context& node : nodes) {
    contexts.push_back(std::move(node));
    contexts.back().next = {disjoint, static_cast<State>(contexts.size())};
  }
  contexts.back().next.back() = disjoint + 1;
  contexts.push_back({one, zero, {disjoint, disjoint}});
  contexts.push_back({even, even, {disjoint + 1, disjoint + 1}});
  return name_instance(std::make_shared<ListedContexts>(std::move(contexts)), std::move(name),
                       gamma);
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
