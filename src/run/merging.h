#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "run/numbering.h"
#include "run/pausing_choices.h"
#include "system/ending.h"
#include "system/interrupt.h"
#include "verifiers/pauses.h"

namespace speclab {

/// The outcome of one iteration (see Iteration), valid during the visit.
template <class Node>
struct Emitted {
  const std::vector<Token>& tokens;
  int accepted;
  Ending ending;
  const Node& node;
};

/// The longest prefixes that are merged. Where nothing is drawn after the whole draft, to merge
/// there costs more than it saves.
inline int longest_merged(Window window, bool corrections) {
  return corrections ? window.drafts : window.drafts - 1;
}

/// The reports of a merged iteration while it runs.
struct MergedProgress {
  /// After each run of the program.
  std::function<void()> counted;
  /// The least number of runs that it will take, except for some odd ones, where it is known early.
  std::function<void(double)> foreseen;
};

/// One iteration with equal prefixes merged.
///
/// A signal must not wait until millions of prefixes are freed: they are in a few large blocks, and
/// the memory of fractions elsewhere is left to the system where the program ends.
///
/// Prefixes of equal length, node and weight, which end the sequence at the same place or not at
/// all, are one *class*: it has their probability in all, and one of them stands for it. First
/// class by class, shorter ones first, the runs go on from each to the classes one token longer, to
/// their ends, or back (a refusal). Then, longer ones first, what the longer classes refuse goes on
/// from where a run comes back to the shorter prefix. A run is resumed by replaying decisions: the
/// prefix's, a step's, and those of one refusal of the longer class, which by the contract stands
/// for all. The ends visited have the right number of tokens, the right end-of-sequence token, node
/// and weight; but of the tokens themselves only one of the prefixes that were merged.
template <class Program, class View>
class MergedIteration {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;
  using Choices = PausingChoices<Real, Node>;

  /// @param end  the pair's end-of-sequence token
  MergedIteration(const Program& program, const Node& root, Window window, bool corrections,
                  std::optional<Token> end)
      : program_(program),
        root_(root),
        window_(window),
        corrections_(corrections),
        longest_(longest_merged(window, corrections)),
        end_(end) {}

  MergedIteration(const MergedIteration&) = delete;
  MergedIteration& operator=(const MergedIteration&) = delete;
  ~MergedIteration() {
    if (!std::is_same_v<Real, double> && ending()) {
      leave(std::make_shared<std::vector<Level>>(std::move(levels_)));
    }
  }

  /// Calls visit(emitted, weight) for every end; between() between two runs; foreseen(runs) where
  /// it is known early how many there will be.
  /// @throws LimitError where more decisions than kMostKept would have to be kept
  template <class AnyView, class Visit, class Between, class Foreseen>
  void run(const AnyView& view, const Visit& visit, const Between& between,
           const Foreseen& foreseen) {
    Iteration<AnyView> out;
    levels_.resize(static_cast<std::size_t>(window_.drafts) + 1);
    levels_[0].classes.emplace_back().mass = Real(1);
    for (int length = 0; length <= window_.drafts; ++length) {
      Level& level = levels_[static_cast<std::size_t>(length)];
      const std::vector<double> alike = alike_first(level.known);
      level.known = {};
      double ahead = 0;  // runs of the classes before number i and of those alike
      std::size_t i = 0;
      std::size_t before = 0;
      const auto watched = [&] {
        if (i < alike.size()) foreseen(ahead + alike[i] * static_cast<double>(runs_ - before));
        between();
      };
      for (; i < level.classes.size(); ++i) {
        before = runs_;
        forward(view, length, level.classes[i], out, visit, watched);
        if (i < alike.size()) ahead += alike[i] * static_cast<double>(runs_ - before);
        if (level.classes[i].steps == 0) back(view, length, level.classes[i], out, visit, between);
      }
    }
    for (int length = window_.drafts; length >= 0; --length) {
      for (Class& self : levels_[static_cast<std::size_t>(length)].classes) {
        if (self.steps > 0) back(view, length, self, out, visit, between);
      }
      if (length < window_.drafts) levels_[static_cast<std::size_t>(length) + 1] = {};
    }
  }

 private:
  /// Most decisions that are kept to be replayed: 1 GiB.
  static constexpr std::size_t kMostKept = std::size_t{1} << 28;

  /// Node, weight, and the length up to the end-of-sequence token or 0.
  using Key = std::tuple<Node, Real, int>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::size_t seed = std::hash<Node>{}(std::get<0>(key));
      boost::hash_combine(seed, std::hash<Real>{}(std::get<1>(key)));
      boost::hash_combine(seed, std::get<2>(key));
      return seed;
    }
  };
  static constexpr bool kHashed = requires(const Node& node) { std::hash<Node>{}(node); };
  using Known = std::conditional_t<kHashed, HashedNumbering<Key, Hash>, OrderedNumbering<Key>>;

  /// Decisions that are kept in their level's pool.
  struct Kept {
    std::size_t from = 0;
    std::size_t size = 0;
  };

  /// Decisions that are replayed from a prefix on, for all that reach the same point, and their
  /// probability given the prefix.
  struct Way {
    Real mass{0};
    Kept decisions;
  };

  /// One step from a class to a longer one.
  struct Step {
    std::size_t to;  ///< its number among those of its length
    Way way;
  };

  struct Class {
    int ended = 0;  ///< as in Key
    Real mass{0};   ///< probability of all its prefixes
    Kept prefix;    ///< the decisions of the one that stands for them
    Way returned;   ///< to where all longer prefixes are refused
    Way refused;    ///< to where it is refused itself
    std::size_t first_step = 0;
    std::size_t steps = 0;
  };

  /// All prefixes of one length.
  struct Level {
    Known known;
    std::vector<Class> classes;
    std::vector<Step> steps;  ///< of one class after another
    std::vector<Token> pool;  ///< values of decisions
  };

  /// So many classes of a length, or fewer, are not worth looking ahead.
  static constexpr std::size_t kFew = 1024;
  static constexpr std::size_t kSamples = 64;

  /// Of each of the first classes of a length: how many in all have its node, and so go on alike
  /// but for coins that are certain at some weights; 0 where an earlier one has it too.
  static std::vector<double> alike_first(const Known& known) {
    const auto& keys = known.keys();
    std::vector<double> alike;
    if (keys.size() <= kFew) return alike;
    std::vector<std::pair<Node, std::size_t>> first;  // nodes, and the first class that has each
    for (std::size_t i = 0; i < kSamples; ++i) first.emplace_back(std::get<0>(keys[i]), i);
    std::sort(first.begin(), first.end());
    alike.resize(kSamples);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i % (1 << 16) == 0) check_interrupted();
      const auto& node = std::get<0>(keys[i]);
      const auto at =
          std::lower_bound(first.begin(), first.end(), std::pair<Node, std::size_t>(node, 0));
      if (at != first.end() && at->first == node) ++alike[at->second];
    }
    return alike;
  }

  Level& level(int length) { return levels_[static_cast<std::size_t>(length)]; }

  /// Keeps the decisions of a trail from number `from` on.
  Kept keep(int length, const Trail<Real>& trail, std::size_t from) {
    auto& pool = level(length).pool;
    const Kept kept{pool.size(), trail.size() - from};
    kept_ += kept.size;
    if (kept_ > kMostKept) {
      throw LimitError(fmt::format(
          "an iteration has more prefixes than fit in memory: {} of their decisions; lower gamma",
          kept_));
    }
    for (std::size_t i = from; i < trail.size(); ++i) pool.push_back(trail[i].value);
    return kept;
  }

  void append(Trail<Real>& trail, int length, Kept kept) const {
    const auto& pool = levels_[static_cast<std::size_t>(length)].pool;
    for (std::size_t i = kept.from; i < kept.from + kept.size; ++i) {
      trail.push_back({pool[i], kNoToken, Real(0)});
    }
  }

  Trail<Real> trail_of(int length, const Class& self) const {
    Trail<Real> trail;
    trail.reserve(2 * static_cast<std::size_t>(window_.drafts) + self.prefix.size + 2);
    append(trail, length, self.prefix);
    return trail;
  }

  void add(Way& way, const Real& weight, int length, const Trail<Real>& trail, std::size_t from) {
    if (!(way.mass > 0)) way.decisions = keep(length, trail, from);
    way.mass += weight;
  }

  template <class AnyView, class Visit, class Between>
  void forward(const AnyView& view, int length, Class& self, Iteration<AnyView>& out,
               const Visit& visit, const Between& between) {
    self.first_step = level(length).steps.size();
    Choices choices(corrections_, counted(trail_of(length, self)), length, longest_, true);
    each_run(view, choices, out, between, [&] {
      switch (choices.stop()) {
        case Choices::Stop::none:
          return end(out, Real(self.mass * choices.weight()), visit);
        case Choices::Stop::after:
          return step(length, self, choices);
        case Choices::Stop::here:
          return add(self.returned, choices.weight(), length, choices.trail(), self.prefix.size);
        case Choices::Stop::below:
          return add(self.refused, choices.weight(), length, choices.trail(), self.prefix.size);
      }
    });
  }

  void step(int length, Class& self, const Choices& choices) {
    const int reached = choices.reached();
    if (reached != length + 1 || reached > window_.drafts) {
      throw ContractError("a verifier must pause after each prefix of its window, one by one");
    }
    const bool ends = self.ended == 0 && end_ && choices.last() == *end_;
    const int ended = ends ? reached : self.ended;
    Level& longer = level(reached);
    const auto [to, fresh] = longer.known.number(Key{choices.node(), choices.digest(), ended});
    if (fresh) {
      Class& made = longer.classes.emplace_back();
      made.ended = ended;
      made.prefix = keep(reached, choices.trail(), 0);
    }
    longer.classes[to].mass += self.mass * choices.weight();
    const Kept kept = keep(length, choices.trail(), self.prefix.size);
    level(length).steps.push_back({to, {choices.weight(), kept}});
    ++self.steps;
  }

  /// What all longer classes refuse goes on from where it comes back to this one.
  template <class AnyView, class Visit, class Between>
  void back(const AnyView& view, int length, Class& self, Iteration<AnyView>& out,
            const Visit& visit, const Between& between) {
    Real returned = self.returned.mass;
    Trail<Real> trail;
    if (returned > 0) {
      trail = trail_of(length, self);
      append(trail, length, self.returned.decisions);
    }
    for (std::size_t i = self.first_step; i < self.first_step + self.steps; ++i) {
      const Step& step = level(length).steps[i];
      const Way& refused = level(length + 1).classes[step.to].refused;
      if (!(refused.mass > 0)) continue;
      if (!(returned > 0)) {
        trail = trail_of(length, self);
        append(trail, length, step.way.decisions);
        append(trail, length + 1, refused.decisions);
      }
      returned += step.way.mass * refused.mass;
    }
    if (!(returned > 0)) return;
    Choices choices(corrections_, counted(std::move(trail)), length, 0, false);
    each_run(view, choices, out, between, [&] {
      const Real weight = returned * choices.weight();
      if (choices.stop() == Choices::Stop::none) return end(out, Real(self.mass * weight), visit);
      add(self.refused, weight, length, choices.trail(), self.prefix.size);
    });
  }

  /// A trail to replay: what comes after it is counted from 1.
  static Trail<Real> counted(Trail<Real> trail) {
    if (!trail.empty()) trail.back().weight = Real(1);
    return trail;
  }

  /// Calls done() after every run of the program with these choices, then between().
  template <class AnyView, class Between, class Done>
  void each_run(const AnyView& view, Choices& choices, Iteration<AnyView>& out,
                const Between& between, const Done& done) {
    do {
      choices.restart();
      out.begin(root_);
      program_(view, root_, window_, choices, out);
      done();
      ++runs_;
      between();
    } while (choices.advance());
  }

  template <class AnyView, class Visit>
  void end(const Iteration<AnyView>& out, const Real& weight, const Visit& visit) const {
    check_fits(out, window_);
    visit(Emitted<Node>{out.tokens, out.accepted, out.ending, out.node}, weight);
  }

  const Program& program_;
  const Node& root_;
  Window window_;
  bool corrections_;
  int longest_;  ///< no longer prefixes are merged
  std::optional<Token> end_;
  std::vector<Level> levels_;
  std::size_t kept_ = 0;  ///< decisions
  std::size_t runs_ = 0;  ///< of the program
};

}  // namespace speclab
