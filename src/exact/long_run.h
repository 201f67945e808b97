#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "exact/counts.h"
#include "exact/output_law.h"
#include "exact/stationary.h"
#include "run/numbering.h"

namespace speclab {

/// The quantities of a decode as its horizon goes to infinity.
///
/// The contexts (nodes) at which iterations start are a Markov chain. In a recurrent class c with
/// stationary law pi an iteration emits E_pi[tokens] tokens, so a decode that ends there
/// takes 1 / E_pi[tokens] iterations for a token. A decode ends in class c with probability a_c,
/// and as a decode is as long in every class, each expectation to the horizon T is
///   T sum_c a_c E_c[what an iteration adds] / E_c[tokens] + O(1):
/// ratios of these sums are the limits. Worked example: one class, tau = 2 always, gamma = 2: three
/// tokens a call, acceptance rate 1, no rejections.
template <class View>
class LongRun {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;

  /// More contexts are not tried: in fractions the equations take their cube.
  static constexpr std::size_t kMostContexts = std::is_same_v<Real, double> ? 20000 : 128;

  /// Contexts looked at in the first part.
  static constexpr std::size_t kFirstContexts = 2;

  LongRun(Drafting drafting, Window window, Sequences<View>& sequences,
          Outcomes<View, End<Node>>& ends)
      : drafting_(drafting), window_(window), sequences_(sequences), ends_(ends) {}

  /// Adds the quantities to `result`, or why there are none.
  void run(std::span<const Started<View>> starts, ExactResult<Real>& result) {
    const std::string reason = explore(starts);
    if (!reason.empty()) return add_missing(result, reason);
    const Counts<Real> counts = mixed();
    const Real calls = counts.calls.value();
    const Real steps = counts.steps.value();
    if (calls > 0) {
      result.add(QuantityId::long_run_length, Real(counts.tokens.value() / calls));
    } else {
      result.add_missing(QuantityId::long_run_length, "the target is never called");
    }
    result.add_list(QuantityId::long_run_rates, counts.position_rates());
    if (steps > 0) {
      result.add(QuantityId::long_run_acceptance, Real(counts.accepted_tokens() / steps));
    } else {
      result.add_missing(QuantityId::long_run_acceptance, "nothing is drafted");
    }
    result.add(QuantityId::long_run_rejections,
               Real(counts.rejections.value() / counts.tokens.value()));
  }

  static void add_missing(ExactResult<Real>& result, const std::string& reason) {
    for (const QuantityId id : {QuantityId::long_run_length, QuantityId::long_run_rates,
                                QuantityId::long_run_acceptance, QuantityId::long_run_rejections}) {
      result.add_missing(id, reason);
    }
  }

 private:
  /// Finds all contexts; returns why there is no long run, or "".
  std::string explore(std::span<const Started<View>> starts) {
    for (const Started<View>& start : starts) {
      const std::size_t at = nodes_.number(start.node).first;
      start_.resize(nodes_.keys().size(), Real(0));
      start_[at] += start.probability;
    }
    std::size_t at_once = kFirstContexts;
    const std::vector<Node>& nodes = nodes_.keys();
    for (std::size_t known = 0, wave_begin = 0, wave_end = 0; known < nodes.size();
         at_once = std::min(2 * at_once, kMostContexts)) {
      if (known == wave_end) {
        wave_begin = wave_end;
        wave_end = nodes.size();
        sequences_.recount();
      }
      // In parts that grow: that there are too many contexts, or too many sequences from them, is
      // known from the first of them.
      const auto begin = nodes.begin() + static_cast<std::ptrdiff_t>(known);
      const std::size_t count = std::min(at_once, wave_end - known);
      const std::vector<Node> part(begin, begin + static_cast<std::ptrdiff_t>(count));
      sequences_.expect_share(known + count - wave_begin, wave_end - wave_begin);
      ends_.prepare(part, window_);
      for (const Node& node : part) {
        check_interrupted();
        if (!take(node)) {
          return "a decode may end, by its end-of-sequence token or an undefined draw (0/0)";
        }
        if (nodes.size() > kMostContexts) {
          return fmt::format("iterations start in more than {} contexts{}", kMostContexts,
                             std::is_same_v<Real, double> ? "" : "; ask in doubles");
        }
      }
      known += count;
    }
    start_.resize(nodes.size(), Real(0));
    return "";
  }

  /// The moves and counts of one context; false where a decode may end there.
  bool take(const Node& node) {
    std::map<std::size_t, Sum<Real>> moves;
    Counts<Real>& counts = counts_.emplace_back();
    for (const auto& [end, weight] : ends_.at(node, window_)) {
      if (!end.goes_on) return false;
      counts.add(end, drafting_, window_, weight);
      moves[nodes_.number(end.node).first] += weight;
    }
    auto& mine = moves_.emplace_back();
    for (const auto& [to, weight] : moves) mine.emplace_back(to, weight.value());
    return true;
  }

  /// What a decode adds up to per token, over all recurrent classes.
  Counts<Real> mixed() const {
    std::vector<std::vector<std::size_t>> successors;
    for (const auto& moves : moves_) {
      successors.emplace_back();
      for (const auto& [to, weight] : moves) successors.back().push_back(to);
    }
    const Recurrence found = recurrence(successors);
    const std::vector<Real> shares = absorption(moves_, found, start_);
    Counts<Real> all;
    for (std::size_t c = 0; c < found.classes.size(); ++c) {
      const auto& members = found.classes[c];
      const std::vector<Real> law = stationary_law(moves_, std::span(members));
      Counts<Real> iteration;
      for (std::size_t i = 0; i < members.size(); ++i) {
        iteration.add(law[i], counts_[members[i]]);
      }
      all.add(Real(shares[c] / iteration.tokens.value()), iteration);
    }
    return all;
  }

  Drafting drafting_;
  Window window_;
  Sequences<View>& sequences_;
  Outcomes<View, End<Node>>& ends_;
  OrderedNumbering<Node> nodes_;
  std::vector<Real> start_;
  Moves<Real> moves_;
  std::vector<Counts<Real>> counts_;
};

}  // namespace speclab
