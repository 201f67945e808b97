// Deterministic drafts, such as the likeliest token of the draft's law, against sampled ones: what
// of the statement that they lose with entropy can be derived.
#include <algorithm>

#include "base/integer.h"
#include "base/power.h"
#include "claims/battery/small_pairs.h"
#include "claims/engine/work.h"
#include "claims/papers/rules/rules.h"

namespace speclab {
namespace argmax_drafts {
namespace {

using Law = std::span<const Rational>;

constexpr std::string_view kSource =
    "this project, after arXiv 2606.12370, whose text is not at hand";
constexpr std::string_view kOneToken = "one token of a memoryless pair";
constexpr std::string_view kLikeliest = "sample-match(draft=argmax)";

constexpr SearchSpace kSmallPairs{
    .tokens = 3, .gammas = 1, .denominator = {4, 5, 6}, .memoryless = true};
constexpr BatteryShape kBattery{.tokens = 4, .gammas = 1, .random = 0, .contexts = false};

Rational largest(Law law) { return *std::max_element(law.begin(), law.end()); }

/// The entropy bounds to the power of the target's denominator D, which makes them fractions:
/// exp(-D H) = prod t(x)^(D t(x)).
Comparisons loses_with_entropy(const Instance& at) {
  const Law target = at.target();
  if (!std::equal(target.begin(), target.end(), at.draft().begin())) return {};
  const Rational most = ingredient("speclab.argmax.most", largest(target));
  Comparisons says;
  says.equal(accepted("token", at), Rational(1), "P(accept) of token where d = t");
  says.equal(accepted(kLikeliest, at), most, "P(accept) of the likeliest token against max t");
  Integer common(1);
  for (const Rational& t : target) common = lcm(common, denominator(t));
  limit_work(to_double(Rational(common, Integer(1))), "factors in a power");
  const long long whole = common.signed_value();
  const auto times = [&common](const Rational& t) {
    return static_cast<long long>((numerator(t) * (common / denominator(t))).signed_value());
  };
  Rational entropy(1);
  long long tokens = 0;
  for (const Rational& t : target) {
    entropy *= power(t, times(t));
    if (t > 0) ++tokens;
  }
  entropy = ingredient("speclab.argmax.entropy", entropy);
  const long long kept = times(largest(target));
  says.at_least(power(most, whole), entropy, "max t against exp(-H), both to the power {}", whole);
  says.at_least(entropy,
                Rational(power(most, kept) *
                         (tokens < 2 ? Rational(1)
                                     : power(Rational((1 - most) / (tokens - 1)), whole - kept))),
                "exp(-H) against exp(-h(max t)) (n - 1)^(max t - 1), to the power {}", whole);
  says.at_most(entropy, power(Rational(1, 4), whole - kept),
               "exp(-H) against 4^(max t - 1), to the power {}", whole);
  return says;
}

constexpr ClaimRow kEntropy{
    .id = "speclab.argmax.entropy",
    .source = kSource,
    .statement =
        "where d = t a sampled draft is always accepted and the likeliest token with m = max t, so "
        "that it loses 1 - m: m >= exp(-H), H <= h(m) + (1 - m) ln(n - 1), 1 - m <= H / (2 ln 2)",
    .hypotheses =
        "one token of a memoryless pair, d = t of entropy H on n tokens; h(m) the entropy of m and "
        "1 - m",
    .check = loses_with_entropy,
    .places = {kSmallPairs, kBattery},
    .bites = {{lowered("speclab.argmax.most"), zeroed("speclab.argmax.entropy"),
               doubled("speclab.argmax.entropy"), replaced("token", "sample-match")}},
};

/// The draft is at least as sure of its likeliest token, the first of equals, as the target is.
bool surer(const Instance& at) {
  const Law draft = at.draft();
  const auto place = std::max_element(draft.begin(), draft.end()) - draft.begin();
  return draft[static_cast<std::size_t>(place)] >= at.target()[static_cast<std::size_t>(place)];
}

constexpr Check kSampledAbove = at_least(tau("token"), tau(kLikeliest));

constexpr ClaimRow kSampled{
    .id = "speclab.argmax.sampled",
    .source = kSource,
    .statement =
        "a draft that is sampled from d is accepted at least as often as the likeliest token of d",
    .hypotheses = kOneToken,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = kSampledAbove,
    .places = {kSmallPairs, kBattery},
    .correction = {"where d(a) >= t(a), a the likeliest token of d: the draft is at least as sure "
                   "of it as the target",
                   kSampledAbove.where(surer),
                   {}},
    .bites = {{replaced("token", "sample-match"), replaced("token", "autoregressive")}},
};

/// The most that a draft of one token is accepted, over all tokens.
Comparisons against_deterministic(const Instance& at) {
  const Law target = at.target();
  Rational best(0);
  for (std::size_t x = 0; x < target.size(); ++x) {
    std::vector<Rational> one(target.size(), Rational(0));
    one[x] = 1;
    best = std::max(best, accepted("block", iid_instance(one, {target.begin(), target.end()})));
  }
  best = ingredient("speclab.argmax.best", best);
  const bool near = total_variation(at.draft(), target) <= 1 - largest(target);
  Comparisons says;
  says.add(accepted("token", at), near ? Order::at_least : Order::below, best,
           "P(accept) of token against that of the best deterministic draft");
  return says;
}

constexpr ClaimRow kDeterministic{
    .id = "speclab.argmax.deterministic",
    .source = kSource,
    .statement =
        "a draft that is sampled from d is accepted at least as often as every deterministic draft "
        "if and only if TV(d, t) <= 1 - max t",
    .hypotheses = kOneToken,
    .check = against_deterministic,
    .places = {kSmallPairs, kBattery},
    .bites = {{zeroed("speclab.argmax.best"), raised("speclab.argmax.best"),
               replaced("token", "sample-match")}},
};

constexpr ClaimRow kClaims[] = {kEntropy, kSampled, kDeterministic};

}  // namespace
}  // namespace argmax_drafts

Claims argmax_drafts_claims() { return argmax_drafts::kClaims; }

}  // namespace speclab
