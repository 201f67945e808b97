#include "answer/scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/special.h"
#include "base/sum.h"
#include "recorded/scored/scored_recording.h"

namespace speclab {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
/// Rates without any variance that differ by less are the same.
constexpr double kSameRate = 1e-9;

/// The sums of one verifier and draft length by cluster.
class TextSums {
 public:
  TextSums(const TextGroup& group, std::size_t verifier, int gamma)
      : group_(group),
        verifier_(verifier),
        gamma_(gamma),
        at_(static_cast<std::size_t>(gamma - 1)) {}

  template <class Number>
  [[nodiscard]] std::vector<double> each(const Number& number) const {
    return group_.each(
        [&](const TextCluster& cluster) { return number(cluster.decodes[verifier_]); });
  }
  [[nodiscard]] std::vector<double> tokens() const {
    return group_.each([](const TextCluster& cluster) { return cluster.tokens; });
  }
  [[nodiscard]] std::vector<double> calls() const {
    return each([&](const TextDecode& decode) { return decode.calls[at_]; });
  }
  [[nodiscard]] Value length() const { return *ratio_value(tokens(), calls(), {1, gamma_ + 1.0}); }
  /// The sum, with the interval of as many times a text's mean.
  [[nodiscard]] Value total_calls() const {
    const auto texts = static_cast<double>(group_.texts);
    const std::vector<double> of =
        group_.each([](const TextCluster& cluster) { return cluster.texts; });
    const Value mean = *ratio_value(calls(), of, {0, kNoBound});
    if (!mean.estimate) return value_of(total(calls()));
    return value_of(scaled(*mean.estimate, texts));
  }
  [[nodiscard]] std::vector<Value> rates() const {
    std::vector<Value> rates;
    for (std::size_t i = 0; i <= at_; ++i) {
      rates.push_back(*ratio_value(
          each([&](const TextDecode& decode) { return decode.reached[i][at_]; }), calls(), {0, 1}));
    }
    return rates;
  }
  [[nodiscard]] std::optional<Value> long_run() const {
    return ratio_value(each([&](const TextDecode& decode) { return decode.whole_tokens[at_]; }),
                       each([&](const TextDecode& decode) { return decode.whole_calls[at_]; }),
                       {1, gamma_ + 1.0});
  }
  [[nodiscard]] std::optional<Value> share() const {
    const auto up_to = [this](const ByGamma& numbers) {
      double sum = 0;
      for (std::size_t i = 0; i <= at_; ++i) sum += numbers[i];
      return sum;
    };
    return ratio_value(
        each([&](const TextDecode& decode) { return up_to(decode.tails); }),
        group_.each([&](const TextCluster& cluster) { return up_to(cluster.optimum); }), {0, 1});
  }

 private:
  const TextGroup& group_;
  std::size_t verifier_;
  int gamma_;
  std::size_t at_;
};

}  // namespace

std::vector<Verifier> scored_verifiers(const std::vector<std::string>& specs) {
  std::vector<Verifier> verifiers;
  for (const std::string& spec : specs) {
    Verifier verifier = make_verifier(spec);
    if (!text_verifier(verifier)) throw InputError(not_scored(verifier));
    const bool known =
        std::any_of(verifiers.begin(), verifiers.end(),
                    [&verifier](const Verifier& other) { return other.name == verifier.name; });
    if (!known) verifiers.push_back(std::move(verifier));
  }
  return verifiers;
}

PairPointer scored_pair(const std::string& texts) {
  auto pair = std::make_shared<RecordedPair>(std::make_shared<ScoredRecording>(texts));
  pair->set_name(pair->recording().name());
  return pair;
}

PairPointer scored_pair(const std::vector<std::string>& files) {
  return scored_pair(files.size() == 1 ? files.front()
                                       : fmt::format("[{}]", fmt::join(files, ",")));
}

std::vector<Score> scores_of(const ScoreResult& result, const ScoredQuestion& asked) {
  std::vector<Score> scores;
  for (const TextGroup& group : result.groups) {
    for (std::size_t v = 0; v < asked.verifiers.size(); ++v) {
      for (const int gamma : asked.gammas) {
        const TextSums sums(group, v, gamma);
        scores.push_back({group.name, asked.verifiers[v].name, gamma, sums.length(),
                          sums.total_calls(), sums.rates(), sums.long_run(), sums.share()});
      }
    }
  }
  return scores;
}

std::vector<ScoreGain> gains_of(const ScoreResult& result, const ScoredQuestion& asked) {
  std::vector<ScoreGain> gains;
  const auto token =
      std::find_if(asked.verifiers.begin(), asked.verifiers.end(),
                   [](const Verifier& verifier) { return verifier.info->name == "token"; });
  if (token == asked.verifiers.end()) return gains;
  const auto base = static_cast<std::size_t>(token - asked.verifiers.begin());
  for (const TextGroup& group : result.groups) {
    for (std::size_t v = 0; v < asked.verifiers.size(); ++v) {
      if (v == base) continue;
      for (const int gamma : asked.gammas) {
        const TextSums first(group, v, gamma), second(group, base, gamma);
        const auto tokens = first.tokens(), calls = first.calls(), others = second.calls();
        const double most = gamma;
        const auto paired = clustered_difference({tokens, calls}, {tokens, others}, {-most, most});
        gains.push_back(
            {group.name, asked.verifiers[v].name, gamma,
             paired ? value_of(*paired) : value_of(first.length().number - second.length().number),
             *ratio_value(others, calls, {0, gamma + 1.0})});
      }
    }
  }
  return gains;
}

ObservedComparison compare_observed(const ScoreResult& result, const ObservedRequests& observed,
                                    const Verifier& verifier, std::size_t number) {
  TextGroup all;
  for (const TextGroup& group : result.groups) {
    all.clusters.insert(all.clusters.end(), group.clusters.begin(), group.clusters.end());
    all.texts += group.texts;
  }
  const TextSums sums(all, number, observed.gamma);
  const std::vector<Value> predicted = sums.rates();
  std::vector<double> emitted = observed.steps;
  ObservedComparison made{verifier.name, observed.gamma, {}, sums.length(), {}, {}};
  double least = 1;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    for (std::size_t r = 0; r < emitted.size(); ++r) emitted[r] += observed.reached[i][r];
    ObservedRate rate{static_cast<int>(i) + 1,
                      *ratio_value(observed.reached[i], observed.steps, {0, 1}),
                      predicted[i],
                      {},
                      {}};
    if (rate.observed.estimate && rate.predicted.estimate) {
      const double error = std::hypot(rate.observed.estimate->standard_error,
                                      rate.predicted.estimate->standard_error);
      const double off = std::abs(rate.observed.number - rate.predicted.number);
      const double degrees =
          static_cast<double>(std::min(observed.steps.size(), all.clusters.size())) - 1;
      rate.p_value = error > 0         ? std::min(1.0, 2 * students_above(off / error, degrees))
                     : off > kSameRate ? 0.0
                                       : 1.0;
      rate.detected = error * (students_limit(degrees, kTextAlarm / 2) + kPowerQuantile);
      least = std::min(least, *rate.p_value);
      made.check.p_value = std::min(1.0, least * static_cast<double>(predicted.size()));
    }
    made.rates.push_back(std::move(rate));
  }
  made.observed_length =
      *ratio_value(emitted, observed.steps, {1, static_cast<double>(observed.gamma) + 1});
  made.check.name = "observed";
  made.check.statistic = made.observed_length.number - made.predicted_length.number;
  made.check.detail = "tokens a step that the engine counted, less those that the texts predict";
  if (made.check.p_value) {
    const bool differs = *made.check.p_value < kTextAlarm;
    made.check.verdict = differs ? TextVerdict::fail : TextVerdict::pass;
    if (differs) {
      made.check.detail +=
          "; the engine verifies by another rule, drafts otherwise, or served other "
          "texts";
    }
  } else {
    made.check.detail += "; not tested: two texts and two requests are needed";
  }
  return made;
}

std::vector<Cluster> clusters_of(const TextGroup& group, std::size_t verifier, int gamma) {
  std::vector<Cluster> clusters;
  const auto at = static_cast<std::size_t>(gamma - 1);
  for (const TextCluster& cluster : group.clusters) {
    const TextDecode& decode = cluster.decodes[verifier];
    clusters.push_back({.tokens = cluster.tokens,
                        .steps = decode.steps[at],
                        .calls = decode.calls[at],
                        .accepted = decode.accepted(gamma),
                        .trials = cluster.texts,
                        .drafted = decode.steps[at],
                        .independent = cluster.texts});
  }
  return clusters;
}

}  // namespace speclab
