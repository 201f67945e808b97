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
        sequences_(runner, view_, request.max_paths) {
    for (const Start& start : rows.pair().start()) {
      starts_.push_back({view_.root(start.state), from_rational<Real>(start.probability)});
    }
  }

  ExactResult<Real> run() {
    ExactResult<Real> result;
    iteration(result);
    if (request_.lengths.iterations > 0) iterations(result);
    if (request_.lengths.horizon) result.decode = decode(*request_.lengths.horizon);
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
    Sum<Real> mean;
    for (std::size_t i = 0; i < total.law.size(); ++i) {
      result.accepted_law.push_back(total.law[i].value());
      mean += Real(static_cast<long>(i)) * result.accepted_law.back();
    }
    result.expected_accepted = mean.value();
    result.undefined_mass = total.undefined.value();
  }

  void iterations(ExactResult<Real>& result) {
    const Window window{.drafts = request_.lengths.gamma, .bonus = true};
    Leaves<View> leaves(sequences_, checked_estimate(window, true));
    const auto end = rows_.pair().end_token();
    std::map<Node, Real> now;
    for (const auto& start : starts_) now[start.node] += start.probability;
    Sum<Real> tokens;
    for (int i = 0; i < request_.lengths.iterations; ++i) {
      std::vector<Node> nodes;
      for (const auto& [node, weight] : now) nodes.push_back(node);
      leaves.prepare(nodes, window);
      std::map<Node, Real> after;
      for (const auto& [node, weight] : now) {
        for (const Leaf<View>& leaf : leaves.at(node, window)) {
          const Real mass = weight * leaf.weight;
          const std::size_t emitted = before_end(leaf.tokens, end);
          tokens += Real(static_cast<long>(emitted)) * mass;
          if (leaf.ending != Ending::undefined && emitted == leaf.tokens.size() &&
              !ends_with(leaf.tokens, end)) {
            after[leaf.node] += mass;
          }
        }
      }
      result.expected_tokens.push_back(tokens.value());
      now = std::move(after);
    }
  }

  DecodeLaw<Real> decode(int horizon) {
    const double contexts = std::pow(static_cast<double>(rows_.vocabulary()), horizon);
    Leaves<View> leaves(sequences_, checked_estimate(window_within(request_.lengths.gamma, horizon), true));
    sequences_.check(contexts);
    return Decode<View>(rows_, view_, runner_.drafting(), request_.lengths.gamma, horizon, leaves)
        .run(starts_, request_.law);
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
