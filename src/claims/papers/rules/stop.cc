// Drafts that stop early, as inference engines have them, and hierarchical speculative decoding
// (Zhou et al. 2026), which is block verification under another name.
#include <algorithm>

#include "claims/engine/outcomes.h"
#include "claims/papers/rules/rules.h"

namespace speclab {
namespace rules_stop {
namespace {

constexpr SearchSpace kOneToken{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}};
constexpr SearchSpace kBlocks{
    .tokens = 2, .least_gamma = 2, .gammas = {2, 3, 3}, .denominator = {3, 4, 6}};
constexpr BatteryShape kHierarchy{.tokens = 3, .gammas = {2, 3, 3}, .random = {2, 4, 12}};

/// D(x^i) r*(x^i): T/D of x^i over the largest T/D of a shorter prefix, at most 1.
constexpr NamedForm kCappedRatio{"D r*", "zhou2026.block.ratio",
                                 [](const Instance& at, State state, const PathLaws& path) {
                                   Rational ratio(1), largest(1), capped(1);
                                   for (const Token token : path.tokens) {
                                     const auto x = static_cast<std::size_t>(token);
                                     ratio *= at.rows->target(state)[x] / at.rows->draft(state)[x];
                                     capped = lesser<Rational>(Rational(1), ratio / largest);
                                     largest = std::max(largest, ratio);
                                     state = at.rows->next(state, token);
                                   }
                                   return Rational(path.draft * capped);
                                 }};

constexpr ClaimRow kHsdBlock{
    .id = "zhou2026.block",
    .source = "Zhou et al. 2026 (HSD), capped prefix ratios and branch divergences",
    .statement =
        "hierarchical speculative decoding is block verification: P(tau >= i | X^i) = r*, and "
        "every (X^tau, Y) is as likely",
    .hypotheses = "any pair, any gamma",
    .check = equal(reached("block"), kCappedRatio) && same_law("hsd", "block"),
    .places = {kHierarchy, kBlocks},
    .bites = {{lowered("zhou2026.block.ratio"), replaced("hsd", "token"),
               replaced("block", "wrong-weight-coins")}},
};

constexpr ClaimRow kHsdAbove{
    .id = "zhou2026.above-block",
    .source = "this project, of HSD (Zhou et al. 2026) against block verification",
    .statement = "E[tau] of HSD > E[tau] of block",
    .hypotheses = "gamma >= 2",
    .recorded = ClaimVerdict::refuted,
    .check = above(tau("hsd"), tau("block")),
    .places = {kBlocks, NamedPair{kToy, 2}},
    .correction = {"the equation E[tau] of HSD = E[tau] of block",
                   equal(tau("hsd"), tau("block")),
                   {kBlocks, kHierarchy},
                   Amends::by_replacement},
    .bites = {{replaced("hsd", "greedy-block"), replaced("block", "token")}},
};

constexpr ClaimRow kHsdReleased{
    .id = "zhou2026.released",
    .source = "Zhou et al. 2026 (HSD), the code in its appendix",
    .statement = "the output of the code that the appendix lists has the target's law",
    .hypotheses = "gamma >= 2",
    .recorded = ClaimVerdict::refuted,
    .check = lossless("hsd-released", {1, 1}),
    .places = {kBlocks, NamedPair{kToy, 2}},
    .correction = {"block, whose last coin is w_gamma in the place of min(1, T/D)",
                   lossless("block"),
                   {kHierarchy},
                   Amends::by_replacement},
    .bites = {{replaced("hsd-released", "block"), replaced("block", "hsd-released")}},
};

constexpr ClaimRow kStopLaw{
    .id = "engines.stop-law",
    .source = "draft stops where the draft's law is flat; token, block, greedy block verification",
    .statement = "to stop drafting where max d < theta (or > theta) keeps the target's law",
    .hypotheses = "any pair, any gamma",
    .check = lossless("stopping(verify=token,stop=law,theta=3/5)",
                      "stopping(verify=token,stop=law,theta=1/2,side=above)",
                      "stopping(verify=block,stop=law,theta=3/5)",
                      "stopping(verify=block,stop=law,theta=1/2,side=above)",
                      "stopping(verify=greedy-block,stop=law,theta=3/5)",
                      "stopping(verify=greedy-block,stop=law,theta=1/2,side=above)"),
    .places = {kLossless},
    .bites = {{replaced("stopping", "stopping(verify=token,stop=own-drop,theta=1/2)"),
               replaced("stopping", "wrong-late-stop(theta=1/2)")}},
};

constexpr ClaimRow kStopKeep{
    .id = "engines.stop-own-keep",
    .source = "the draft ends after an unlikely token",
    .statement =
        "to stop after a drafted token of d(x) < theta, and keep it, keeps the target's law",
    .hypotheses = "any pair, any gamma",
    .check = lossless("stopping(verify=token,stop=own-keep,theta=1/2)",
                      "stopping(verify=token,stop=own-keep,theta=1/2,side=above)",
                      "stopping(verify=block,stop=own-keep,theta=1/2)",
                      "stopping(verify=block,stop=own-keep,theta=1/2,side=above)",
                      "stopping(verify=greedy-block,stop=own-keep,theta=1/2)",
                      "stopping(verify=greedy-block,stop=own-keep,theta=1/2,side=above)"),
    .places = {kLossless},
    .bites = {{replaced("stopping", "stopping(verify=block,stop=own-drop,theta=1/2)")}},
};

constexpr ClaimRow kStopDrop{
    .id = "engines.stop-own-drop",
    .source = "the draft ends before an unlikely token",
    .statement =
        "to discard a drafted token of d(x) < theta, and stop there, keeps the target's law",
    .hypotheses = "token and block verification",
    .recorded = ClaimVerdict::refuted,
    .check = lossless("stopping(verify=token,stop=own-drop,theta=1/2)", kToGamma) &&
             lossless("stopping(verify=block,stop=own-drop,theta=1/2)", kToGamma),
    .places = {kOneToken, NamedPair{kToy, 1}, NamedPair{kToy, 2}},
    .correction = {"stop=own-drop-renormalised, which tests the kept tokens against d restricted "
                   "to {d >= theta}, normalised",
                   lossless("stopping(verify=token,stop=own-drop-renormalised,theta=1/2)",
                            "stopping(verify=token,stop=own-drop-renormalised,theta=2/5)",
                            "stopping(verify=block,stop=own-drop-renormalised,theta=1/2)",
                            "stopping(verify=block,stop=own-drop-renormalised,theta=2/5)"),
                   {kLossless, kOneToken},
                   Amends::by_replacement},
    .bites = {{replaced("stopping", "stopping(verify=block,stop=law,theta=1/2)"),
               replaced("stopping", "wrong-late-stop(theta=1/2)")}},
};

/// TV of (X^tau, Y) continued by the target to gamma + 1 tokens, where its first token is right.
Comparisons unseen(const Instance& instance) {
  constexpr std::string_view kDropping = "stopping(verify=block,stop=own-drop,theta=1/2)";
  Decoding decoding(kDropping, instance);
  if (decoding.distance(instance.start(), 1) > 0) return {};
  const int length = instance.gamma + 1;
  return {{fmt::format("TV of {} tokens of one iteration of {}, the first being right,", length,
                       kDropping),
           decoding.distance(instance.start(), length), Order::equal, Rational(0)}};
}

constexpr ClaimRow kStopUnseen{
    .id = "engines.stop-own-drop.first-token",
    .source = "the draft ends before an unlikely token, around block verification",
    .statement =
        "a draft that drops its unlikely tokens is lossless where its first token is right",
    .hypotheses = "block verification, theta = 1/2, gamma = 2",
    .recorded = ClaimVerdict::refuted,
    .check = unseen,
    .places = {SearchSpace{.tokens = 2, .least_gamma = 2, .gammas = 2, .denominator = {3, 4, 6}},
               NamedPair{kToy, 2}},
    .bites = {{replaced("stopping", "stopping(verify=block,stop=law,theta=1/2)")}},
};

constexpr ClaimRow kClaims[] = {kHsdBlock, kHsdAbove, kHsdReleased, kStopLaw,
                                kStopKeep, kStopDrop, kStopUnseen};

}  // namespace
}  // namespace rules_stop

Claims rules_stop_claims() { return rules_stop::kClaims; }

}  // namespace speclab
