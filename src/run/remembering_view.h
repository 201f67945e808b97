#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "verifiers/choices.h"

namespace speclab {

/// The answers of a view, kept by their questions: laws by node, residuals by node and scale,
/// likelihood ratios and next nodes by node and token. One a thread; references hold until tidy().
template <class View>
class Memory {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;
  using Laws = decltype(std::declval<const View&>().at(std::declval<const Node&>()));
  using Gap = decltype(std::declval<const Laws&>().target());

  static constexpr bool kNextToo = !std::is_trivially_copyable_v<Node>;

  struct Entry {
    Entry(const View& view, const Node& node)
        : laws(view.at(node)), ratios(static_cast<std::size_t>(laws.vocabulary())) {
      if constexpr (kNextToo) next.resize(ratios.size());
    }
    Laws laws;
    std::vector<std::optional<Real>> ratios;
    std::vector<std::optional<Node>> next;  ///< empty where asking the view is as quick
    std::optional<Gap> target;
    std::unordered_map<Real, Gap> residuals;
  };

  /// Between two runs of a verifier: forgets all when there is too much of it. Sequences come in
  /// order, so what is still of use is soon known again.
  void tidy() {
    constexpr std::size_t kMost = 4096;
    if (answers_ <= kMost) return;
    entries_.clear();
    answers_ = 0;
  }

  Entry& at(const View& view, const Node& node) {
    const auto [place, fresh] = entries_.try_emplace(node, view, node);
    if (fresh) ++answers_;
    return place->second;
  }

  const Gap& residual(Entry& entry, const Real& scale) {
    const auto known = entry.residuals.find(scale);
    if (known != entry.residuals.end()) return known->second;
    ++answers_;
    return entry.residuals.emplace(scale, entry.laws.residual(scale)).first->second;
  }

 private:
  std::map<Node, Entry> entries_;
  std::size_t answers_ = 0;
};

/// A law that stays where it is remembered.
template <class Law>
class RememberedLaw {
 public:
  using Real = typename Law::Real;
  static constexpr bool kValid = is_valid_law<Law>();
  explicit RememberedLaw(const Law& law) : law_(&law) {}
  [[nodiscard]] Token size() const { return law_->size(); }
  [[nodiscard]] Real weight(Token x) const { return law_->weight(x); }
  [[nodiscard]] const Real& mass() const { return law_->mass(); }

 private:
  const Law* law_;
};

/// The laws at a node (see model/view.h), from a memory.
template <class View>
class RememberedLaws {
 public:
  using Real = typename View::Real;
  using Gap = RememberedLaw<typename Memory<View>::Gap>;

  RememberedLaws(Memory<View>& memory, typename Memory<View>::Entry& entry)
      : memory_(&memory), entry_(&entry) {}

  [[nodiscard]] Token vocabulary() const { return entry_->laws.vocabulary(); }
  [[nodiscard]] const Real& draft(Token x) const { return entry_->laws.draft(x); }
  [[nodiscard]] decltype(auto) target(Token x) const { return entry_->laws.target(x); }
  [[nodiscard]] auto draft() const { return entry_->laws.draft(); }
  [[nodiscard]] Gap target() const {
    if (!entry_->target) entry_->target.emplace(entry_->laws.target());
    return Gap(*entry_->target);
  }
  [[nodiscard]] Gap residual(const Real& scale) const {
    return Gap(memory_->residual(*entry_, scale));
  }

  friend const Real& likelihood_ratio(const RememberedLaws& laws, Token x) {
    auto& known = laws.entry_->ratios[static_cast<std::size_t>(x)];
    if (!known) known = Real(laws.target(x) / laws.draft(x));
    return *known;
  }

 private:
  Memory<View>* memory_;
  typename Memory<View>::Entry* entry_;
};

/// A view that works out an answer once for all the sequences of decisions that ask for it.
/// Rational arithmetic is slow enough for that to be worth the looking up; in doubles it is not.
template <class V>
class RememberingView {
 public:
  using View = V;
  using Real = typename View::Real;
  using Node = typename View::Node;

  RememberingView(const View& view, Memory<View>& memory) : view_(&view), memory_(&memory) {}

  [[nodiscard]] Token vocabulary() const { return view_->vocabulary(); }
  [[nodiscard]] Node root(State state) const { return view_->root(state); }
  [[nodiscard]] State state(const Node& node) const { return view_->state(node); }
  [[nodiscard]] Node next(const Node& node, Token x) const {
    if constexpr (Memory<View>::kNextToo) {
      auto& known = memory_->at(*view_, node).next[static_cast<std::size_t>(x)];
      if (!known) known = view_->next(node, x);
      return *known;
    } else {
      return view_->next(node, x);
    }
  }
  [[nodiscard]] RememberedLaws<View> at(const Node& node) const {
    return RememberedLaws<View>(*memory_, memory_->at(*view_, node));
  }
  /// `node` with one more modification of the target, where the view carries them.
  template <class... Modification>
  [[nodiscard]] Node modified(Node node, const Modification&... modification) const {
    return view_->modified(std::move(node), modification...);
  }

 private:
  const View* view_;
  Memory<View>* memory_;
};

/// The view that a program of a pair's view runs on: fractions are remembered.
template <class View>
using RunView =
    std::conditional_t<std::is_same_v<typename View::Real, double>, View, RememberingView<View>>;

/// Calls f(view, tidy) with the RunView of a view; f calls tidy() between two runs of a program.
template <class View, class F>
auto with_run_view(const View& view, const F& f) {
  if constexpr (std::is_same_v<RunView<View>, View>) {
    return f(view, [] {});
  } else {
    Memory<View> memory;
    return f(RunView<View>(view, memory), [&memory] { memory.tidy(); });
  }
}

}  // namespace speclab
