#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "base/sum.h"
#include "exact/decode.h"
#include "exact/leaves.h"
#include "exact/runner.h"
#include "exact/sequences.h"

namespace speclab {

namespace {

/// The exact computations of one verifier in one arithmetic.
template <class V>
class ExactRun {
 public:
  using View = V;
  using Real = typename View::Real;
  using Node = typename View::Node;

  ExactRun(const Runner<View>& runner, const Rows<Real>& rows, const ExactRequest& request)
      : runner_(runner),
        rows_(rows),
        view_(rows),
        request_(request),
        sequences_(runner, view_, request.max_paths, request.threads) {
    for (const Start& start : rows.pair().start()) {
      starts_.push_back({view_.root(start.state), from_rational<Real>(start.probability)});
    }
  }

  ExactResult<Real> run() {
    ExactResult<Real> result;
    iteration(result);
    if (request_.lengths.iterations > 0) iterations(result);
    if (request_.lengths.horizon) decode(*request_.lengths.horizon, result);
    return result;
  }

 private:
  /// The law of the accepted tokens over some of the sequences.
  struct Accepted {
    std::vector<Sum<Real>> law;
    Sum<Real> undefined;
  };

  void iteration(ExactResult<Real>& result) {
    const Window window = full_window(rows_.pair(), request_.lengths);
    const double expected = checked_estimate(window, false);
    const std::vector<Sum<Real>> nothing(static_cast<std::size_t>(window.drafts) + 1);
    Accepted total{nothing, {}};
    std::vector<Node> roots;
    for (const auto& start : starts_) roots.push_back(start.node);
    sequences_.run(
        std::span<const Node>(roots), window, false, expected, Accepted{nothing, {}},
        [](Accepted& part, const Emitted<Node>& out, const Real& weight) {
          part.law[static_cast<std::size_t>(out.accepted)] += weight;
          if (out.ending == Ending::undefined) part.undefined += weight;
        },
        [&](std::size_t root, Accepted&& part) {
          const Real& share = starts_[root].probability;
          for (std::size_t i = 0; i < total.law.size(); ++i) {
            total.law[i] += share * part.law[i].value();
          }
          total.undefined += share * part.undefined.value();
        });
    std::vector<Real> law;
    for (const Sum<Real>& mass : total.law) law.push_back(mass.value());
    std::vector<Real> tail;
    Sum<Real> mean, beyond;
    for (std::size_t i = 0; i < law.size(); ++i) mean += Real(static_cast<long>(i)) * law[i];
    for (std::size_t i = law.size(); i-- > 1;) {
      beyond += law[i];
      tail.push_back(beyond.value());
    }
    std::reverse(tail.begin(), tail.end());
    result.add(QuantityId::expected_accepted, mean.value());
    result.add_list(QuantityId::accepted_law, std::move(law));
    result.add_list(QuantityId::accepted_tail, std::move(tail));
    result.add(QuantityId::iteration_undefined, total.undefined.value());
  }

  /// The contexts after some iterations by the tokens so far: N(i) is kept apart only where its law
  /// is asked for, else all stand under 0 tokens.
  using Contexts = std::map<std::pair<Node, long>, Real>;

  void iterations(ExactResult<Real>& result) {
    const Window window{.drafts = request_.lengths.gamma, .bonus = true};
    Leaves<View> leaves(sequences_, checked_estimate(window, true));
    Contexts now;
    for (const auto& start : starts_) now[{start.node, 0}] += start.probability;
    std::map<long, Real> over;  // runs that have ended, by their tokens
    Sum<Real> tokens;
    for (int i = 1; i <= request_.lengths.iterations; ++i) {
      std::vector<Node> nodes;
      for (const auto& [key, weight] : now) {
        if (nodes.empty() || nodes.back() != key.first) nodes.push_back(key.first);
      }
      leaves.prepare(nodes, window);
      now = after_one(now, window, leaves, over, tokens);
      result.add(QuantityId::expected_tokens, tokens.value(), {i});
      if (!request_.law) continue;
      std::map<long, Real> law = over;
      for (const auto& [key, weight] : now) law[key.second] += weight;
      add_tokens_law(i, law, result);
    }
  }

  Contexts after_one(const Contexts& now, Window window, const Leaves<View>& leaves,
                     std::map<long, Real>& over, Sum<Real>& tokens) const {
    const auto end = rows_.pair().end_token();
    Contexts after;
    for (const auto& [key, weight] : now) {
      for (const Leaf<View>& leaf : leaves.at(key.first, window)) {
        const Real mass = weight * leaf.weight;
        const auto emitted = static_cast<long>(before_end(leaf.tokens, end));
        tokens += Real(emitted) * mass;
        const long reached = request_.law ? key.second + emitted : 0;
        const bool goes_on = leaf.ending != Ending::undefined &&
                             emitted == static_cast<long>(leaf.tokens.size()) &&
                             !ends_with(leaf.tokens, end);
        if (goes_on) {
          after[{leaf.node, reached}] += mass;
        } else {
          over[reached] += mass;
        }
      }
    }
    return after;
  }

  /// P(N(i) = n) for n = 0, 1, ... up to the most tokens that i iterations can emit.
  void add_tokens_law(int i, const std::map<long, Real>& law, ExactResult<Real>& result) const {
    const long most = (request_.lengths.gamma + 1L) * i;
    for (long n = 0; n <= most; ++n) {
      const auto known = law.find(n);
      result.add(QuantityId::tokens_law, known == law.end() ? Real(0) : known->second,
                 {i, static_cast<int>(n)});
    }
  }

  void decode(int horizon, ExactResult<Real>& result) {
    const double contexts = std::pow(static_cast<double>(rows_.vocabulary()), horizon);
    const int gamma = request_.lengths.gamma;
    Leaves<View> leaves(sequences_, checked_estimate(window_within(gamma, horizon), true));
    sequences_.check(contexts);
    Decode<View>(rows_, view_, runner_.drafting(), gamma, horizon, leaves)
        .run(starts_, request_.law, result);
  }

  /// About how many sequences one iteration has from all the starts, refused where they are too
  /// many.
  double checked_estimate(Window window, bool corrections) const {
    const double expected = sequences_.estimate(starts_.front().node, window, corrections) *
                            static_cast<double>(starts_.size());
    sequences_.check(expected);
    return expected;
  }

  const Runner<View>& runner_;
  const Rows<Real>& rows_;
  View view_;
  const ExactRequest& request_;
  Sequences<View> sequences_;
  std::vector<Started<View>> starts_;
};

}  // namespace

template <class View>
ExactResult<typename View::Real> run_with(const Runner<View>& runner,
                                          const Rows<typename View::Real>& rows,
                                          const ExactRequest& request) {
  check_lengths(rows.pair(), request.lengths);
  return ExactRun<View>(runner, rows, request).run();
}

template ExactResult<double> run_with(const Runner<PairView<double>>&, const Rows<double>&,
                                      const ExactRequest&);
template ExactResult<double> run_with(const Runner<CarriedView<double>>&, const Rows<double>&,
                                      const ExactRequest&);
template ExactResult<Rational> run_with(const Runner<PairView<Rational>>&, const Rows<Rational>&,
                                        const ExactRequest&);
template ExactResult<Rational> run_with(const Runner<CarriedView<Rational>>&, const Rows<Rational>&,
                                        const ExactRequest&);

}  // namespace speclab
