#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/gathered.h"
#include "base/sum.h"
#include "exact/batch.h"
#include "run/any_program.h"
#include "run/batch.h"
#include "run/enumerator.h"
#include "system/interrupt.h"
#include "system/memory.h"

namespace speclab {

/// Counts the work of a computation against its limits.
class BatchWork {
 public:
  BatchWork(double most, double most_bytes)
      : most_(most), most_bytes_(most_bytes), bytes_before_(resident_memory()) {}

  /// @throws LimitError where `more` is beyond the limit; Error when interrupted
  void add(double more) {
    check_interrupted();
    done_ += more;
    if (done_ > most_) {
      throw LimitError(
          fmt::format("two requests take about {:.3g} pairs of drafts and outcomes or more, over "
                      "the limit of {:.3g}; lower gamma or the horizon, allow more paths "
                      "(max-paths), or simulate",
                      done_, most_));
    }
    if (done_ < next_look_) return;
    constexpr double kStride = 1 << 16;
    next_look_ = done_ + kStride;
    if (const double taken = resident_memory() - bytes_before_; taken > most_bytes_) {
      throw LimitError(
          fmt::format("the places of two requests take {}, over the limit of {}; "
                      "lower the horizon, or allow more memory (max-memory)",
                      size_text(taken), size_text(most_bytes_)));
    }
  }

  /// The most drafts that one request may have, as many of the other one beside them.
  [[nodiscard]] double most_drafts() const { return std::sqrt(most_ - done_); }

 private:
  double most_;
  double most_bytes_;
  double bytes_before_;
  double done_ = 0;
  double next_look_ = 0;
};

/// The steps of a batch of two requests, each with its law. What a request's step depends on is its
/// *stand*: its node, how many tokens it drafts, its threshold, and how many it may emit.
/// @tparam View  that programs run on   @param tidy  called between two runs of the program
template <class View>
class BatchStepLaws {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;
  using Place = BatchPlace<View>;
  using Outcome = BatchOutcome<View>;

  /// What both requests do in a step.
  struct Both {
    const Outcome* first;
    const Outcome* second;
    Real probability;
  };
  struct StepLaw {
    std::vector<Both> both;
    Real verified{0};  ///< expected tokens of both
    Real accepted{0};
  };

  /// @param program, view, work  must outlive this
  BatchStepLaws(const AnyProgram<View>& program, const View& view, BatchSteps steps,
                BatchWork& work, std::function<void()> tidy)
      : program_(program),
        view_(view),
        steps_(std::move(steps)),
        work_(work),
        tidy_(std::move(tidy)) {}

  [[nodiscard]] const BatchSteps& steps() const { return steps_; }

  /// The law of a step from two places, not both done; references hold while this does.
  const StepLaw& at(const Place& first, const Place& second) {
    Stand* one = &stand(first);
    Stand* other = &stand(second);
    const auto [place, fresh] = laws_.try_emplace({one, other});
    if (fresh) make(*one, *other, place->second);
    return place->second;
  }

 private:
  using OutcomeLaw = std::vector<std::pair<Outcome, Real>>;

  /// A draft with its probability, and the numbers of its beginnings by their lengths.
  struct Block {
    ScoredDraft<Real> draft;
    Real weight{1};
    std::vector<std::size_t> beginnings;
  };
  struct Stand {
    Place place;
    std::vector<Block> blocks;
    std::vector<ScoredDraft<Real>> beginnings;  ///< by number
    std::vector<OutcomeLaw> outcomes;           ///< of each where it was verified, else empty
  };

  Stand& stand(const Place& place) {
    const int room = place.done ? 0 : steps_.room(place);
    const int left = place.done ? 0 : steps_.left(place);
    auto& known = stands_[{place.done ? Node{} : place.node, room, std::min(left, room + 1),
                           place.done ? Real(0) : place.threshold}];
    if (!known) {
      known = std::make_unique<Stand>();
      known->place = place;
      known->blocks = {{{}, Real(1), {0}}};
      known->beginnings.resize(1);
      if (!place.done) draft(*known, room);
      known->outcomes.resize(known->beginnings.size());
    }
    return *known;
  }

  void draft(Stand& stand, int room) {
    std::vector<Node> nodes{stand.place.node};
    for (int i = 0; i < room; ++i) {
      std::vector<Block> longer;
      std::vector<Node> after;
      for (std::size_t b = 0; b < stand.blocks.size(); ++b) {
        if (stand.blocks[b].draft.ended) {
          longer.push_back(stand.blocks[b]);
          after.push_back(nodes[b]);
          continue;
        }
        const auto laws = view_.at(nodes[b]);
        const std::size_t before = longer.size();
        for (Token x = 0; x < laws.vocabulary(); ++x) {
          if (!(laws.draft(x) > 0)) continue;
          Block next = stand.blocks[b];
          next.draft.add(steps_.setting().split, laws, x, stand.place.threshold);
          next.weight *= laws.draft(x);
          next.beginnings.push_back(stand.beginnings.size());
          stand.beginnings.push_back(next.draft);
          longer.push_back(std::move(next));
          after.push_back(view_.next(nodes[b], x));
        }
        tidy_();
        // Every beginning is written out.
        work_.add(static_cast<double>(longer.size() - before) * (i + 1));
        if (static_cast<double>(longer.size()) > work_.most_drafts()) {
          work_.add(static_cast<double>(longer.size()) * static_cast<double>(longer.size()));
        }
      }
      stand.blocks = std::move(longer);
      nodes = std::move(after);
    }
  }

  /// The outcomes where so much of a draft is verified.
  const OutcomeLaw& outcomes(Stand& stand, std::size_t beginning) {
    OutcomeLaw& law = stand.outcomes[beginning];
    if (!law.empty()) return law;
    if (stand.place.done) return law = {{Outcome{}, Real(1)}};
    const std::vector<Token>& tokens = stand.beginnings[beginning].tokens;
    GivenDrafts given({tokens});
    Enumerator<Real> choices;
    choices.follow({.given = &given});
    Iteration<View> out;
    std::map<Outcome, Gathered<Real>> merged;
    do {
      choices.restart();
      steps_.verify(program_, view_, stand.place, tokens, tokens.size(), choices, out);
      Outcome outcome;
      steps_.read(out, tokens.size(), stand.beginnings[beginning].probabilities, outcome);
      merged[std::move(outcome)] += choices.weight();
      tidy_();
    } while (choices.advance());
    for (const auto& [outcome, weight] : merged) law.emplace_back(outcome, reduced(weight));
    return law;
  }

  void make(Stand& first, Stand& second, StepLaw& law) {
    work_.add(static_cast<double>(first.blocks.size()) * static_cast<double>(second.blocks.size()));
    std::map<std::pair<std::size_t, std::size_t>, Sum<Real>> verified;
    std::array<std::size_t, 2> lengths{};
    Sum<Real> tokens;
    for (const Block& one : first.blocks) {
      for (const Block& other : second.blocks) {
        const std::array drafts{&one.draft, &other.draft};
        const Real weight = one.weight * other.weight;
        tokens +=
            weight * Real(static_cast<long>(split_(drafts, steps_.setting().budget, lengths)));
        verified[{one.beginnings[lengths[0]], other.beginnings[lengths[1]]}] += weight;
      }
      check_interrupted();
    }
    law.verified = tokens.value();
    combine(first, second, verified, law);
  }

  template <class Verified>
  void combine(Stand& first, Stand& second, const Verified& verified, StepLaw& law) {
    // Outcomes of one request are compared by value: those of several beginnings may be equal.
    using Less = decltype([](const auto& a, const auto& b) {
      if (*a.first < *b.first) return true;
      return !(*b.first < *a.first) && *a.second < *b.second;
    });
    std::map<std::pair<const Outcome*, const Outcome*>, Gathered<Real>, Less> merged;
    Sum<Real> accepted;
    for (const auto& [beginnings, weight] : verified) {
      const OutcomeLaw& ones = outcomes(first, beginnings.first);
      const OutcomeLaw& others = outcomes(second, beginnings.second);
      work_.add(static_cast<double>(ones.size() * others.size()));
      for (const auto& [one, of_one] : ones) {
        for (const auto& [other, of_other] : others) {
          const Real mass = weight.value() * of_one * of_other;
          merged[{&one, &other}] += mass;
          accepted += mass * Real(static_cast<long>(one.accepted + other.accepted));
        }
      }
    }
    law.accepted = accepted.value();
    for (const auto& [both, mass] : merged) {
      law.both.push_back({both.first, both.second, reduced(mass)});
    }
  }

  const AnyProgram<View>& program_;
  const View& view_;
  BatchSteps steps_;
  BatchWork& work_;
  std::function<void()> tidy_;
  BudgetSplit<Real> split_;
  std::map<std::tuple<Node, int, int, Real>, std::unique_ptr<Stand>> stands_;
  std::map<std::pair<const Stand*, const Stand*>, StepLaw> laws_;
};

}  // namespace speclab
