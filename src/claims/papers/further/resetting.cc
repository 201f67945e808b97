// Drafts that begin anew with each iteration, from its first context: heads, block diffusion,
// latent variables. What stays of the statements about drafts whose laws depend on the prefix
// alone.
#include "base/random.h"
#include "claims/papers/further/reset_search.h"
#include "claims/papers/rules/rules.h"

namespace speclab {
namespace resetting {
namespace {

constexpr std::string_view kSource = "this project: drafts that begin anew with each iteration";
constexpr std::string_view kHypotheses =
    "any draft whose laws depend on the iteration's first context and its tokens";

/// Where a number of the second iteration is lower, by the programs of the search.
std::vector<Instance> first_where(int more, const ResetProperty& lower) {
  const auto found = first_reset_pair(more, lower);
  if (!found) return {};
  return {make_instance(found->first.text(), found->second)};
}

std::vector<Instance> falls(Effort) {
  return first_where(1, [](const ResetPair& pair, int gamma) {
    return two_iterations_of_token(pair, gamma + 1) < two_iterations_of_token(pair, gamma);
  });
}

std::vector<Instance> behind(Effort) {
  return first_where(0, [](const ResetPair& pair, int gamma) {
    return two_iterations_of_block(pair, gamma) < two_iterations_of_token(pair, gamma);
  });
}

constexpr std::string_view kSearched =
    "pairs of two tokens, at most two contexts, probabilities 0, 1/2 and 1, gamma 1..3";
constexpr Family kFalls{kSearched, falls, true};
constexpr Family kBehind{kSearched, behind, true};
constexpr NamedPair kPlain{"bernoulli(draft=2/3,target=1/3)", 1};
constexpr NamedPair kPlainLonger{"bernoulli(draft=2/3,target=1/3)", 2};
constexpr SearchSpace kPrefixAlone{.tokens = 2, .gammas = 2, .denominator = {1, 2, 2}, .states = 2};

bool resets(const Instance& at) { return at.pair().resets(); }
bool prefix_alone(const Instance& at) { return !at.pair().resets(); }

constexpr ClaimRow kGrows{
    .id = "speclab.resetting.gamma",
    .source = kSource,
    .statement = "E[N(i)] of token does not fall as gamma grows, i = 1, 2",
    .hypotheses = kHypotheses,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = grows_in_gamma(tokens("token", 2)),
    .places = {kFalls, kPlain},
    .correction = {"for drafts whose laws depend on the prefix alone; at i = 1 for all",
                   grows_in_gamma(tokens("token", 1)) &&
                       grows_in_gamma(tokens("token", 2)).where(prefix_alone),
                   {kFalls, kPlain, kPrefixAlone}},
    .bites = {{replaced("token", "autoregressive")}},
};

constexpr ClaimRow kAhead{
    .id = "speclab.resetting.block",
    .source = kSource,
    .statement = "E[N(i)] of block >= E[N(i)] of token, i = 1, 2",
    .hypotheses = kHypotheses,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = at_least(tokens("block", 2), tokens("token", 2)),
    .places = {kBehind, kPlainLonger},
    .correction = {"for drafts whose laws depend on the prefix alone (sun2025.theorem2.token); at "
                   "i = 1 for all",
                   at_least(tokens("block", 1), tokens("token", 1)).where(resets) &&
                       at_least(tokens("block", 2), tokens("token", 2)).where(prefix_alone),
                   {kBehind, kFalls, kPlainLonger}},
    .bites = {{replaced("block", "token")}},
};

constexpr std::string_view kLatent =
    "latent(target=[[2/3,1/3],[1/2,1/2],[0,1]],next=[[1,2],[1,2],[1,2]],prior=[1/2,1/2],"
    "draft=[[0,1],[1,0],[2/3,1/3],[0,1]],reading=marginal)";

constexpr ClaimRow kLossless{
    .id = "speclab.resetting.lossless",
    .source = kSource,
    .statement =
        "the output has the target's law, of token, block, greedy-block, rrs and target-only",
    .hypotheses = kHypotheses,
    .check = lossless("token", "block", "greedy-block", "rrs(K=2)", "target-only(K=2)"),
    .places = {NamedPair{
                   "blocks(target=[[1,0],[1/2,1/2]],next=[[1,0],[0,1]],draft=[[1,0],[0,1],[1,0],"
                   "[1,0],[1/2,1/2],[1,0]])",
                   3},
               NamedPair{
                   "blocks(target=[[1,0],[1/2,1/2]],next=[[1,0],[0,0]],draft=[[1/2,1/2],[1,0],"
                   "[1/2,1/2],[1/2,1/2],[1,0],[1,0]])",
                   3},
               NamedPair{kLatent, 2},
               NamedPair{"latent(target=[[2/3,1/3],[1/2,1/2],[0,1]],next=[[1,2],[1,2],[1,2]],"
                         "prior=[1/2,1/2],draft=[[0,1],[1,0],[2/3,1/3],[0,1]],reading=conditioned)",
                         2},
               NamedPair{"mtp(target=[[1/3,2/3],[3/4,1/4]],heads=3)", 3},
               NamedPair{"diffusion(target=[[1/3,2/3],[3/4,1/4]],length=3,steps=2)", 3},
               NamedPair{"lookup(target=[[1/5,4/5],[4/5,1/5]],match=1,length=2,window=3)", 2}},
    .bites = {{replaced("greedy-block", "wrong-no-carry"), replaced("token", "lenient(l=1/2)")}},
};

/// "[1/4,3/4]", a law of two tokens.
std::string small_law(Stream& stream) {
  const auto one = static_cast<int>(stream() % 5);
  return fmt::format("[{}/4,{}/4]", 4 - one, one);
}

std::vector<Instance> random_latents(Effort effort) {
  constexpr Sized kPairs{6, 20, 60};
  Stream stream(stream_key(1, task_hash("latent drafts")), 0, 0, Purpose::prompt);
  std::vector<Instance> made;
  for (int i = 0; i < kPairs.at(effort); ++i) {
    std::string targets, drafts;
    for (int row = 0; row < 3; ++row) targets += (row > 0 ? "," : "") + small_law(stream);
    for (int row = 0; row < 4; ++row) drafts += (row > 0 ? "," : "") + small_law(stream);
    made.push_back(
        make_instance(fmt::format("latent(target=[{}],next=[[1,2],[1,2],[1,2]],prior={},draft=[{}],"
                                  "reading=marginal)",
                                  targets, small_law(stream), drafts),
                      2));
  }
  return made;
}

/// E[tau] of a verifier that reads the laws with z summed out, against one that is shown z.
void compare_readings(Comparisons& says, const Instance& summed, std::string_view verifier) {
  constexpr std::string_view kMarginal = "reading=marginal";
  std::string text = summed.pair().name();
  text.replace(text.find(kMarginal), kMarginal.size(), "reading=conditioned");
  const Instance shown = make_instance(text, summed.gamma);
  says.at_least(accepted(verifier, summed), accepted(verifier, shown),
                "E[tau] of {} with z summed out against z shown", verifier);
}

Comparisons token_readings(const Instance& at) {
  Comparisons says;
  compare_readings(says, at, "token");
  return says;
}

Comparisons block_readings(const Instance& at) {
  Comparisons says;
  compare_readings(says, at, "block");
  compare_readings(says, at, "greedy-block");
  return says;
}

constexpr Family kLatents{"random drafts of two values of z and two offsets", random_latents};

constexpr ClaimRow kMarginal{
    .id = "speclab.resetting.latent",
    .source = kSource,
    .statement =
        "token accepts no fewer tokens where a latent variable of the draft is summed out of the "
        "laws that it reads than where it is shown it",
    .hypotheses = "a draft that draws z, then its tokens given z",
    .recorded = ClaimVerdict::refuted,
    .check = token_readings,
    .places = {NamedPair{kLatent, 2}, kLatents},
    .correction = {"block and greedy-block: a verifier may draw z given the block, and none of its "
                   "class accepts more in one iteration",
                   block_readings,
                   {},
                   Amends::by_replacement},
    .bites = {{replaced("token", "block")}},
};

constexpr ClaimRow kClaims[] = {kLossless, kGrows, kAhead, kMarginal};

}  // namespace
}  // namespace resetting

Claims resetting_claims() { return resetting::kClaims; }

}  // namespace speclab
