#include "exact/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/sum.h"
#include "exact/decode.h"
#include "exact/foreseen_growth.h"
#include "exact/given_draft.h"
#include "exact/long_run.h"
#include "exact/outcomes.h"
#include "exact/output_law.h"
#include "exact/sequences.h"
#include "run/contract_choices.h"
#include "system/memory.h"
#include "verifiers/contract.h"

namespace speclab {

namespace {

/// The exact computations of one verifier in one arithmetic.
template <class V>
class ExactRun {
 public:
  using View = V;
  using Real = typename View::Real;
  using Node = typename View::Node;

  using Wanted = typename Sequences<View>::Wanted;
  /// A fraction of a short decode: GMP's two numbers of few limbs each.
  static constexpr double kFractionBytes = 128;
  /// A number that says enough: beyond it is infinity.
  static constexpr double kMostCounted = 1e300;
  /// What the law of the accepted tokens needs.
  static constexpr Wanted kAccepted{.corrections = false, .tokens = false};

  ExactRun(const Runner<View>& runner, const Rows<Real>& rows, const ExactRequest& request)
      : runner_(runner),
        rows_(rows),
        view_(rows),
        request_(request),
        sequences_(runner, view_, rows.pair().end_token(), request.max_paths, request.threads,
                   request.max_memory),
        ends_(sequences_, 0) {
    for (const Start& start : rows.pair().start()) {
      starts_.push_back({view_.root(start.state), from_rational<Real>(start.probability)});
    }
  }

  ExactResult<Real> run() {
    ExactResult<Real> result;
    check_tokens_law();
    iteration(result);
    if (request_.lengths.iterations > 0) iterations(result);
    if (request_.lengths.horizon) decode(*request_.lengths.horizon, result);
    if (request_.long_run) long_run(result);
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
    const double expected = checked_estimate(window, kAccepted);
    const std::vector<Sum<Real>> nothing(static_cast<std::size_t>(window.drafts) + 1);
    Accepted total{nothing, {}};
    std::vector<Node> roots;
    for (const auto& start : starts_) roots.push_back(start.node);
    sequences_.run(
        std::span<const Node>(roots), window, kAccepted, expected, Accepted{nothing, {}},
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
    check_whole(law);
    std::vector<Real> tail;
    Sum<Real> mean, beyond;
    for (std::size_t i = 0; i < law.size(); ++i) mean += Real(static_cast<long>(i)) * law[i];
    for (std::size_t i = law.size(); i-- > 1;) {
      beyond += law[i];
      tail.push_back(beyond.value());
    }
    std::reverse(tail.begin(), tail.end());
    result.add(QuantityId::expected_accepted, mean.value());
    if (request_.variance) result.add(QuantityId::accepted_variance, variance(law, mean.value()));
    result.add_list(QuantityId::accepted_law, std::move(law));
    result.add_list(QuantityId::accepted_tail, std::move(tail));
    result.add(QuantityId::iteration_undefined, total.undefined.value());
    if (request_.law && runner_.traits().one_chain) {
      LawGivenDraft<View>(runner_, rows_, view_, window, request_.max_paths / 1000)
          .run(starts_, result);
    }
  }

  /// Whatever a verifier decides, some number of tokens is accepted.
  static void check_whole(const std::vector<Real>& law) {
    Sum<Real> sum;
    for (const Real& mass : law) sum += mass;
    const Real off = sum.value() - Real(1);
    const Real slack = std::is_same_v<Real, double> ? Real(kContractRounding) : Real(0);
    if (off <= slack && -off <= slack) return;
    throw ContractError(
        fmt::format("its laws do not sum to 1: the numbers of accepted tokens have "
                    "the probability {} in all",
                    to_double(sum.value())));
  }

  static Real variance(const std::vector<Real>& law, const Real& mean) {
    Sum<Real> sum;
    for (std::size_t i = 0; i < law.size(); ++i) {
      const Real distance = Real(static_cast<long>(i)) - mean;
      sum += distance * distance * law[i];
    }
    return sum.value();
  }

  /// The contexts after some iterations by the tokens so far: N(i) is kept apart only where its law
  /// is asked for, else all stand under 0 tokens.
  using Contexts = std::map<std::pair<Node, long>, Real>;

  void iterations(ExactResult<Real>& result) {
    const Window window{.drafts = request_.lengths.gamma, .bonus = true};
    expect(window);
    Contexts now;
    for (const auto& start : starts_) now[{start.node, 0}] += start.probability;
    std::map<long, Real> over;  // runs that have ended, by their tokens
    Sum<Real> tokens;
    const double before = resident_memory();
    ContextGrowth<View> growth(sequences_, ends_);
    for (int i = 1; i <= request_.lengths.iterations; ++i) {
      if (i % 64 == 0) check_memory(resident_memory() - before, i);
      growth.prepare(nodes_of<Node>(now, [](const auto& key) { return key.first; }), window,
                     static_cast<std::size_t>(request_.lengths.iterations - i));
      if (request_.law) check_steps(now, window, i);
      now = after_one(now, window, over, tokens);
      result.add(QuantityId::expected_tokens, tokens.value(), {i});
      if (!request_.law) continue;
      std::map<long, Real> law = over;
      for (const auto& [key, weight] : now) law[key.second] += weight;
      add_tokens_law(i, law, result);
    }
  }

  /// Refuses the laws of the tokens where their numbers alone take more than the limit.
  void check_tokens_law() const {
    if (!request_.law) return;
    constexpr double kNumberBytes = sizeof(Finding<Real>) + 2 * sizeof(int);
    const double last = request_.lengths.iterations;
    const double numbers = (1.0 + request_.lengths.gamma) * last * (last + 1) / 2 + last;
    if (numbers * kNumberBytes <= request_.max_memory) return;
    throw LimitError(
        fmt::format("the laws of the tokens after 1 to {} iterations have {:.3g} numbers, which "
                    "take {} or more, over the limit of {}; lower the iterations, or gamma, or "
                    "allow more memory (max-memory)",
                    request_.lengths.iterations, numbers, size_text(numbers * kNumberBytes),
                    size_text(request_.max_memory)));
  }

  /// Refuses an iteration whose contexts, by the tokens so far, end in more ways than the limit.
  void check_steps(const Contexts& now, Window window, int i) const {
    double steps = 0;
    for (const auto& [key, weight] : now) {
      steps += static_cast<double>(ends_.at(key.first, window).size());
    }
    if (steps <= request_.max_paths) return;
    throw LimitError(
        fmt::format("iteration {} ends in {:.3g} ways from {} contexts by the tokens before it, "
                    "over the limit of {:.3g}; lower the iterations, or gamma, or allow more paths "
                    "(max-paths)",
                    i, steps, now.size(), request_.max_paths));
  }

  /// How many digits fractions get is not known beforehand: what they take is measured.
  void check_memory(double taken, int i) const {
    if (taken <= request_.max_memory) return;
    throw LimitError(
        fmt::format("the contexts after {} iterations take {}, over the limit of {}; lower the "
                    "iterations, or allow more memory (max-memory)",
                    i, size_text(taken), size_text(request_.max_memory)));
  }

  Contexts after_one(const Contexts& now, Window window, std::map<long, Real>& over,
                     Sum<Real>& tokens) const {
    Contexts after;
    for (const auto& [key, weight] : now) {
      check_interrupted();
      for (const auto& [end, share] : ends_.at(key.first, window)) {
        const Real mass = weight * share;
        tokens += Real(static_cast<long>(end.emitted)) * mass;
        const long reached = request_.law ? key.second + end.emitted : 0;
        if (end.goes_on) {
          after[{end.node, reached}] += mass;
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
    const int gamma = request_.lengths.gamma;
    const double sequences =
        std::min(std::pow(static_cast<double>(rows_.vocabulary()), horizon), kMostCounted);
    if (request_.law) sequences_.check(sequences);
    const std::string too_large = why_no_output(sequences, horizon);
    if (request_.law && !too_large.empty()) throw LimitError(too_large);
    expect(window_within(gamma, horizon));
    const Real undefined =
        Decode<View>(runner_.traits().drafting, gamma, horizon, sequences_, ends_)
            .run(starts_, result);
    if (!too_large.empty()) return result.add_missing(QuantityId::tv_to_target, too_large);
    try {
      output(gamma, horizon, undefined, result);
    } catch (const LimitError& error) {
      if (request_.law) throw;
      result.add_missing(QuantityId::tv_to_target, error.what());
    }
  }

  /// Why the joint law of the tokens is not made; empty where it is.
  [[nodiscard]] std::string why_no_output(double sequences, int horizon) const {
    if (sequences > request_.max_paths) {
      return fmt::format(
          "the joint law of {} tokens has {} {:.3g} sequences, over the limit of {:.3g}; lower "
          "the horizon, or allow more paths (max-paths)",
          horizon, sequences < kMostCounted ? "up to" : "more than", sequences, request_.max_paths);
    }
    const double number = std::is_same_v<Real, double> ? sizeof(double) : kFractionBytes;
    const double bytes = output_bytes(sequences, horizon, number);
    if (bytes <= request_.max_memory) return {};
    return fmt::format(
        "the joint law of {} tokens has up to {:.3g} sequences, which may take {}, over the limit "
        "of {}; lower the horizon, or allow more memory (max-memory)",
        horizon, sequences, size_text(bytes), size_text(request_.max_memory));
  }

  void output(int gamma, int horizon, const Real& undefined, ExactResult<Real>& result) {
    sequences_.recount();
    const Wanted wanted{.corrections = true, .tokens = true};
    Outcomes<View, Leaf<Node>> leaves(sequences_,
                                      checked_estimate(window_within(gamma, horizon), wanted));
    OutputLaw<View>(rows_, view_, gamma, horizon, leaves)
        .run(starts_, request_.law, undefined, result);
  }

  void long_run(ExactResult<Real>& result) {
    if (request_.lengths.gamma == kUnbounded) {
      throw UsageError("the long run needs a finite gamma");
    }
    LongRun<View> limits(runner_.traits().drafting,
                         {.drafts = request_.lengths.gamma, .bonus = true}, sequences_, ends_);
    if (const auto length = rows_.pair().length()) {
      return LongRun<View>::add_missing(
          result, fmt::format("the pair's laws end after {} positions", *length));
    }
    try {
      expect({.drafts = request_.lengths.gamma, .bonus = true});
      limits.run(starts_, result);
    } catch (const Error& error) {
      if (error.code() != ExitCode::limit) throw;
      LongRun<View>::add_missing(result, error.what());
    }
  }

  /// Makes ready for the ends of iterations of this window, or refuses their number.
  void expect(Window window) {
    ends_.expect(checked_estimate(window, {.corrections = true, .tokens = false}));
  }

  /// About how many sequences one iteration has from all the starts, refused where they are too
  /// many.
  double checked_estimate(Window window, Wanted wanted) const {
    const double expected = sequences_.estimate(starts_.front().node, window, wanted) *
                            static_cast<double>(starts_.size());
    sequences_.check(expected);
    return expected;
  }

  const Runner<View>& runner_;
  const Rows<Real>& rows_;
  View view_;
  const ExactRequest& request_;
  Sequences<View> sequences_;
  Outcomes<View, End<Node>> ends_;
  std::vector<Started<View>> starts_;
};

}  // namespace

double output_bytes(double sequences, int horizon, double number) {
  // Both laws are maps, and the target's last layer stands beside them.
  constexpr double kCopies = 3;
  constexpr double kNode = 96;  // of a map: its links, the vector, the blocks' heads
  return sequences * kCopies * (kNode + number + horizon * static_cast<double>(sizeof(Token)));
}

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
