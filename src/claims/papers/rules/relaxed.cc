// Relaxed acceptance and yin2024's line: speculative cascades (Narasimhan et al. 2025), fuzzy
// (Holsman et al. 2025), typical acceptance (Cai et al. 2024), FLy (Li et al. 2025), the relaxed
// rules of engines. A rule of one position is a point (P(reject), TV); yin2024 section 4.1 says
// that none lies below the line P(reject) + TV = TV(d, t).
#include <algorithm>
#include <cmath>

#include "claims/engine/examination.h"
#include "claims/papers/rules/rules.h"
#include "theory/narasimhan2025.h"

namespace speclab {
namespace rules_relaxed {
namespace {

constexpr BatteryShape kBattery{.tokens = 4, .gammas = 1, .random = 0, .contexts = false};
constexpr SearchSpace kFew{.tokens = 3, .gammas = 1, .denominator = {3, 3, 5}, .labelled = true};
constexpr std::string_view kOneToken = "one token of a memoryless pair";

/// One position of a rule: a decode of one token.
struct Point {
  Rational rejected;
  Rational tv;
  std::vector<Rational> law;  ///< of the token that is emitted
};

Point point_of(std::string_view verifier, const Instance& instance) {
  const auto decode = exact_answer(verifier, instance, 1, 0, true);
  Point point{decode.fraction(QuantityId::rejections), decode.fraction(QuantityId::tv_to_target),
              std::vector<Rational>(static_cast<std::size_t>(instance.pair().vocabulary()))};
  for (const auto& [tokens, probability] : decode.found.find(QuantityId::output_law)->values) {
    point.law[static_cast<std::size_t>(tokens.front())] = *probability.fraction;
  }
  return point;
}

/// KL(law || t) as it is, and in decimals: "1/2 ln(3/2) + 1/2 ln(3/4) = 0.0588915".
std::string divergence_text(const std::vector<Rational>& law, std::span<const Rational> target) {
  std::string text;
  double sum = 0;
  for (std::size_t x = 0; x < law.size(); ++x) {
    if (law[x] == 0 || law[x] == target[x]) continue;
    if (target[x] == 0) return "infinite";
    const Rational ratio = law[x] / target[x];
    text += fmt::format("{}{} ln({})", text.empty() ? "" : " + ", to_text(law[x]), to_text(ratio));
    sum += to_double(law[x]) * std::log(to_double(ratio));
  }
  return text.empty() ? "0" : fmt::format("{} = {:.6g}", text, sum);
}

using Names = std::span<const std::string_view>;

/// Each rule's point on two pairs.
void note_points(Examination& examination, Names rules) {
  for (const std::string_view pair : {kToy, kThreeTokens}) {
    const Instance instance = make_instance(pair, 1);
    const auto target = instance.target();
    const Rational tv = total_variation<Rational>(instance.draft(), target);
    for (const std::string_view rule : rules) {
      const Point point = point_of(rule, instance);
      const Rational sum = point.rejected + point.tv;
      examination.note(
          instance, Method::exact,
          fmt::format("{}: P(reject) {}, TV {}, {} the line {}; KL(output || t) {}", rule,
                      to_text(point.rejected), to_text(point.tv), sum == tv ? "on" : "above",
                      to_text(tv), divergence_text(point.law, target)));
    }
  }
}

/// Every rule of a list is on the line, or on or above it.
template <const auto& kRules>
constexpr Check all_of(Check (*place)(std::string_view verifier)) {
  Check check = place(kRules[0]);
  for (std::size_t i = 1; i < std::size(kRules); ++i) check = check && place(kRules[i]);
  return check;
}
/// A row's note on its rules.
template <const auto& kRules>
void points(Examination& examination) {
  note_points(examination, kRules);
}

constexpr std::string_view kEnsemble[] = {"relaxed(pi=ensemble,weight=1/3)",
                                          "relaxed(pi=ensemble,weight=1/2)"};
constexpr std::string_view kCascadeOpt[] = {"relaxed(pi=cascade-opt,alpha=0)",
                                            "relaxed(pi=cascade-opt,alpha=1/2)"};
constexpr std::string_view kCascadeTop[] = {"relaxed(pi=cascade-top,alpha=0)",
                                            "relaxed(pi=cascade-top,alpha=1/4)"};
constexpr std::string_view kFuzzy[] = {"relaxed(pi=fuzzy,divergence=tv,threshold=1/3)",
                                       "relaxed(pi=fuzzy,divergence=kl,threshold=1/4)",
                                       "relaxed(pi=fuzzy,divergence=js,threshold=3/50)"};
constexpr std::string_view kTypical[] = {"typical(eps=2/5,alpha=4/5)",
                                         "typical(eps=2/5,alpha=4/5,correction=argmax)"};
constexpr std::string_view kTopWithin[] = {
    "top-within(n=2,delta=1/5)", "top-within(n=2,delta=1/5,correction=argmax,bonus=argmax)"};
constexpr std::string_view kEntropy[] = {"entropy-verify(alpha=0,theta=1/2)",
                                         "entropy-verify(alpha=1/4,theta=1/4)"};
constexpr std::string_view kThresholds[] = {"sglang(K=1,single=1,acc=4/5)",
                                            "sglang(K=1,single=1/2,acc=1)"};
constexpr std::string_view kLoose[] = {"fly(window=1,theta=1/2)",
                                       "fly-released(window=1,theta=1/2)"};
constexpr std::string_view kArgmax[] = {"sample-match(draft=argmax)",
                                        "fly-released(window=1,theta=1/2,draft=argmax)"};
constexpr std::string_view kSampled[] = {"sample-match", "gumbel"};

/// A row for rules on the line.
constexpr ClaimRow on_the_line(std::string_view id, std::string_view source,
                               std::string_view statement, Check check, void (*extra)(Examination&),
                               Bite bite) {
  return {.id = id,
          .source = source,
          .statement = statement,
          .hypotheses = kOneToken,
          .check = check,
          .places = {kBattery, kFew},
          .extra = extra,
          .bites = {{raised("yin2024.line"), bite}}};
}

/// A row for rules that are thought to be on the line and are above it.
constexpr ClaimRow above_the_line(std::string_view id, std::string_view source,
                                  std::string_view statement, Check check, Check corrected,
                                  void (*extra)(Examination&), Bite bite) {
  return {.id = id,
          .source = source,
          .statement = statement,
          .hypotheses = kOneToken,
          .recorded = ClaimVerdict::refuted,
          .check = check,
          .places = {kFew, NamedPair{kToy}, NamedPair{kThreeTokens}},
          .correction = {"P(reject) + TV >= TV(d, t): on or above the line, never below it",
                         corrected,
                         {kFew, kBattery},
                         Amends::by_replacement},
          .extra = extra,
          .bites = {{raised("yin2024.line"), bite}}};
}

constexpr std::string_view kOnIt = "relaxed(pi=ensemble,weight=1/2)";

constexpr ClaimRow kEnsembleLine = on_the_line(
    "narasimhan2025.ensemble.line", "Narasimhan et al. 2025; yin2024 section 4.1",
    "P(reject) + TV = TV(d, t) of the ensemble w t + (1 - w) d", all_of<kEnsemble>(on_line),
    points<kEnsemble>, replaced("relaxed", "typical(eps=2/5,alpha=4/5)"));
constexpr ClaimRow kCascadeOptLine = on_the_line(
    "narasimhan2025.cascade-opt.line", "Narasimhan et al. 2025 [OPT]; yin2024 section 4.1",
    "P(reject) + TV = TV(d, t) of the cascade that defers by max d < max t - alpha TV",
    all_of<kCascadeOpt>(on_line), points<kCascadeOpt>,
    replaced("relaxed", "sample-match(draft=sampled)"));
constexpr ClaimRow kFuzzyLine = on_the_line(
    "holsman2025.fuzzy.line", "Holsman et al. 2025 (fuzzy speculative decoding); yin2024 4.1",
    "P(reject) + TV = TV(d, t) where the draft stands for the target at D(t, d) <= threshold",
    all_of<kFuzzy>(on_line), points<kFuzzy>, replaced("relaxed", "typical(eps=2/5,alpha=4/5)"));
constexpr ClaimRow kEntropyLine = on_the_line(
    "engines.entropy-verify.line", "entropy-scaled acceptance; yin2024 section 4.1",
    "P(reject) + TV = TV(d, t) of acceptance with min(1, t/(m d)), corrected from [t - d]+",
    all_of<kEntropy>(on_line), points<kEntropy>,
    replaced("entropy-verify", "sample-match(draft=sampled)"));
constexpr ClaimRow kCascadeTopLine = above_the_line(
    "narasimhan2025.cascade-top.line",
    "this project, of [Token-specific] (Narasimhan et al. 2025) and yin2024 section 4.1",
    "P(reject) + TV = TV(d, t) of the cascade that trusts the draft on {t >= (1 - alpha) max t}",
    all_of<kCascadeTop>(on_line), all_of<kCascadeTop>(on_or_above_line), points<kCascadeTop>,
    replaced("relaxed", kOnIt));
constexpr ClaimRow kTypicalLine = above_the_line(
    "cai2024.typical.line",
    "this project, of typical acceptance (Cai et al. 2024, Medusa) and yin2024 section 4.1",
    "P(reject) + TV = TV(d, t) of acceptance iff t(x) > min(eps, alpha e^-H)",
    all_of<kTypical>(on_line), all_of<kTypical>(on_or_above_line), points<kTypical>,
    replaced("typical", kOnIt));
constexpr ClaimRow kTopWithinLine = above_the_line(
    "engines.top-within.line", "relaxed acceptance; yin2024 section 4.1",
    "P(reject) + TV = TV(d, t) of acceptance iff x is one of t's n likeliest, within delta",
    all_of<kTopWithin>(on_line), all_of<kTopWithin>(on_or_above_line), points<kTopWithin>,
    replaced("top-within", kOnIt));
constexpr ClaimRow kSglangLine =
    above_the_line("engines.sglang.line",
                   "thresholds of target-only verification on one chain; yin2024 section 4.1",
                   "P(reject) + TV = TV(d, t) of acceptance with min(1, t/acc), or with "
                   "probability 1 where t >= single",
                   all_of<kThresholds>(on_line), all_of<kThresholds>(on_or_above_line),
                   points<kThresholds>, replaced("sglang", kOnIt));
constexpr ClaimRow kFlyLine = above_the_line(
    "li2025.line",
    "this project, of FLy (Li et al. 2025), its released code and yin2024 section 4.1",
    "P(reject) + TV = TV(d, t) of one position of fly and fly-released", all_of<kLoose>(on_line),
    all_of<kLoose>(on_or_above_line), points<kLoose>,
    replaced("fly", "sample-match(draft=argmax)"));

constexpr ClaimRow kArgmaxLine{
    .id = "engines.argmax-draft.line",
    .source = "drafts of the most probable tokens; yin2024 section 4.1",
    .statement =
        "no rule whose draft is the likeliest token of d is below the line: P(reject) + TV >= "
        "TV(d, t)",
    .hypotheses = kOneToken,
    .recorded = ClaimVerdict::refuted,
    .check = all_of<kArgmax>(on_or_above_line),
    .places = {kFew},
    .correction = {"the same rules with a draft drawn from d, as the class of yin2024 has it",
                   all_of<kSampled>(on_or_above_line),
                   {kFew, kBattery},
                   Amends::by_replacement},
    .extra = points<kArgmax>,
    .bites = {{zeroed("yin2024.line"), raised("yin2024.line"),
               replaced("gumbel", "sample-match(draft=argmax)")}},
};

/// pi by the closed form, of every relaxed law without logarithms.
Comparisons relaxed_law(const Instance& instance) {
  const auto draft = instance.draft();
  const auto target = instance.target();
  const Rational half(1, 2);
  const std::pair<std::string_view, std::vector<Rational>> laws[] = {
      {"relaxed(pi=ensemble,weight=1/2)", ensemble_law<Rational>(draft, target, half)},
      {"relaxed(pi=cascade-opt,alpha=1/2)", cascade_opt_law<Rational>(draft, target, half)},
      {"relaxed(pi=cascade-top,alpha=1/2)", cascade_top_law<Rational>(draft, target, half)}};
  Comparisons says;
  for (const auto& [verifier, law] : laws) {
    const auto pi = ingredient("narasimhan2025.relaxed.law", law);
    const Point point = point_of(verifier, instance);
    says.equal(point.rejected, total_variation<Rational>(draft, pi),
               "P(reject) of {} against TV(d, pi)", verifier);
    for (std::size_t x = 0; x < pi.size(); ++x) {
      says.equal(point.law[x], pi[x], "P({}) of {} against pi", x, verifier);
    }
  }
  return says;
}

constexpr ClaimRow kRelaxedLaw{
    .id = "narasimhan2025.law",
    .source = "Narasimhan et al. 2025 (speculative cascades)",
    .statement = "token verification against pi rejects with TV(d, pi), and its token follows pi",
    .hypotheses = kOneToken,
    .check = relaxed_law,
    .places = {kBattery, kFew},
    .bites = {{halved("narasimhan2025.relaxed.law"),
               replaced("relaxed", "relaxed(pi=ensemble,weight=1)")}},
};

constexpr NamedForm kTrustedMass{
    "d(A)", "narasimhan2025.trusted", [](const Instance& at) {
      const auto target = at.target();
      const Rational least = *std::max_element(target.begin(), target.end()) * Rational(3, 4);
      Rational trusted(0);
      for (std::size_t x = 0; x < target.size(); ++x) {
        if (target[x] >= least) trusted += at.draft()[x];
      }
      return trusted;
    }};

constexpr ClaimRow kTrusted{
    .id = "narasimhan2025.cascade-top.bound",
    .source = "Narasimhan et al. 2025 [Token-specific]",
    .statement = "TV of the token to the target <= d(A), A = {t >= (1 - alpha) max t}",
    .hypotheses = kOneToken,
    .check = at_most(tv("relaxed(pi=cascade-top,alpha=1/4)", {0, 1}), kTrustedMass),
    .places = {kBattery, kFew},
    .bites = {{zeroed("narasimhan2025.trusted"),
               replaced("relaxed", "relaxed(pi=fuzzy,divergence=tv,threshold=1)")}},
};

constexpr ClaimRow kFly{
    .id = "li2025.lossless",
    .source = "this project, of FLy (Li et al. 2025)",
    .statement = "forgiving a mismatch that is followed by W matches keeps the target's law",
    .hypotheses = "gamma = 2, W = 1, theta = 1/2",
    .recorded = ClaimVerdict::refuted,
    .check = lossless("fly(window=1,theta=1/2)", {1, 1}),
    .places = {SearchSpace{.tokens = 2, .least_gamma = 2, .gammas = 2, .denominator = {3, 4, 6}},
               NamedPair{kThreeTokens, 2}},
    .correction = {"sample-match, which forgives nothing; fly with W >= gamma is this rule",
                   lossless("fly(window=2,theta=1/2)") &&
                       same_iterations("fly(window=2,theta=1/2)", "sample-match"),
                   {kLossless},
                   Amends::by_replacement},
    .bites = {{replaced("fly", "sample-match(draft=sampled)"),
               replaced("fly", "fly(window=1,theta=1/2)")}},
};

constexpr std::string_view kReleased[] = {"fly-released(window=1,theta=1/2)",
                                          "fly-released(window=1,theta=1/2,draft=argmax)"};

constexpr ClaimRow kFlyReleased{
    .id = "li2025.released",
    .source = "this project, of FLy (Li et al. 2025), fly/models/FLy.py@b212314",
    .statement = "the released code keeps the target's law where it forgives nothing",
    .hypotheses = "gamma = 1",
    .recorded = ClaimVerdict::refuted,
    .check = lossless(kReleased[0], kToGamma) && lossless(kReleased[1], kToGamma),
    .places = {kFew, NamedPair{kToy}},
    .correction = {"fly, with one draw of the target at a position, as the paper has it",
                   lossless("fly(window=1,theta=1/2)", "fly(window=1,theta=1/2,draft=argmax)"),
                   {kFew, kBattery},
                   Amends::by_replacement},
    .extra = points<kReleased>,
    .bites = {{replaced("fly-released", "sample-match(draft=sampled)"),
               replaced("fly", "fly-released(window=1,theta=1/2)")}},
};

constexpr ClaimRow kClaims[] = {kRelaxedLaw,  kEnsembleLine, kCascadeOptLine, kCascadeTopLine,
                                kTrusted,     kFuzzyLine,    kTypicalLine,    kTopWithinLine,
                                kEntropyLine, kSglangLine,   kFlyLine,        kArgmaxLine,
                                kFly,         kFlyReleased};

}  // namespace
}  // namespace rules_relaxed

Claims rules_relaxed_claims() { return rules_relaxed::kClaims; }

}  // namespace speclab
