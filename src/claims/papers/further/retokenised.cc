// Draft and target with vocabularies of their own: string-level exact match, string-level rejection
// sampling and token-level intersection, on pairs of the family `retokenised`.
#include <algorithm>

#include "base/random.h"
#include "base/spec.h"
#include "claims/battery/small_pairs.h"
#include "claims/papers/rules/rules.h"

namespace speclab {
namespace retokenised {
namespace {

constexpr std::string_view kSource = "Timor et al. 2025 (heterogeneous vocabularies)";
constexpr std::string_view kDerived =
    "Timor et al. 2025 (heterogeneous vocabularies), in the form derived here";
constexpr std::string_view kAsked = "this project, of Timor et al. 2025";
constexpr std::string_view kAnyPair =
    "any two vocabularies of strings, any drafter; the string is tokenised apart from the text";
constexpr std::string_view kConditioned = "reading=conditioned";

/// "[1/4,0,3/4]", a law of so many tokens.
std::string random_law(Stream& stream, int tokens) {
  std::vector<int> quarters(static_cast<std::size_t>(tokens), 0);
  for (int i = 0; i < 4; ++i) ++quarters[stream() % quarters.size()];
  std::string text;
  for (const int n : quarters) text += fmt::format("{}{}/4", text.empty() ? "[" : ",", n);
  return text + "]";
}

struct Vocabularies {
  std::string_view target;
  int target_tokens;
  std::string_view draft;
  int draft_tokens;
  int characters;
  std::string_view tokeniser;
};

/// Random laws of each of these, at as many target tokens as the longest string has, up to three.
std::vector<Instance> random_strings(Effort effort, std::span<const Vocabularies> all,
                                     std::string_view name) {
  constexpr Sized kRounds{1, 3, 8};
  Stream stream(stream_key(1, task_hash(name)), 0, 0, Purpose::prompt);
  std::vector<Instance> made;
  for (int round = 0; round < kRounds.at(effort); ++round) {
    for (const Vocabularies& names : all) {
      const auto rows = [&](int count, int tokens) {
        std::string text;
        for (int i = 0; i < count; ++i) text += (i > 0 ? "," : "") + random_law(stream, tokens);
        return text;
      };
      const bool in_context = stream() % 2 == 0;
      const std::string targets = rows(in_context ? names.target_tokens : 1, names.target_tokens);
      const std::string drafts = rows(in_context ? names.characters : 1, names.draft_tokens);
      const PairPointer pair = make_pair(fmt::format(
          "retokenised(tokens={},target=[{}],draft-tokens={},draft=[{}],length={},tokeniser={})",
          names.target, targets, names.draft, drafts, 1 + stream() % 3, names.tokeniser));
      made.push_back(make_instance(pair, std::min(*pair->longest_draft(), 3)));
    }
  }
  return made;
}

constexpr Vocabularies kVocabularies[] = {{"a-b-ab", 3, "a-b", 2, 2, "longest"},
                                          {"a-aa", 2, "a", 1, 1, "longest"},
                                          {"ba-b-a-aba", 4, "ab-a", 2, 2, "longest"},
                                          {"a-b-ba-ab", 4, "a-b-bab", 3, 2, "merges"}};
/// Every draft token begins with a character that no target token has behind its first.
constexpr Vocabularies kWholeWords[] = {{"w-a-wa", 3, "w-wa", 2, 2, "longest"},
                                        {"w-a-wa-aa", 4, "waa-wa", 2, 2, "merges"},
                                        {"a-b", 2, "a-ba-b", 3, 2, "longest"}};

constexpr Family kStrings{
    "random laws of four pairs of vocabularies, length 1..3",
    [](Effort effort) { return random_strings(effort, kVocabularies, "retokenised drafts"); }};
constexpr Family kWords{
    "random laws of three pairs of vocabularies whose draft tokens begin words, length 1..3",
    [](Effort effort) { return random_strings(effort, kWholeWords, "drafts of whole words"); }};

/// All drafters of the one token a against targets of the tokens a and aa.
std::vector<Instance> smallest_strings(Effort) {
  std::vector<Instance> made;
  for (const auto& laws : {std::vector{"[1,0]", "[0,1]"}, std::vector{"[1/2,1/2]"}}) {
    for (int length = 1; length <= 3; ++length) {
      for (const char* law : laws) {
        made.push_back(make_instance(
            fmt::format("retokenised(tokens=a-aa,target=[{}],draft-tokens=a,draft=[[1]],length={})",
                        law, length),
            1));
      }
    }
  }
  return made;
}
constexpr Family kSmallest{
    "the target tokens a and aa with probabilities 0, 1/2 and 1, the draft token a, length 1..3",
    smallest_strings, true};

/// The same drafter, text changed.
Instance changed(const Instance& at, std::string_view from, const std::string& to) {
  std::string text = at.pair().name();
  text.replace(text.find(from), from.size(), to);
  const PairPointer pair = make_pair(text);
  return make_instance(pair, std::min(at.gamma, *pair->longest_draft()));
}
Instance summed_out(const Instance& at) { return changed(at, kConditioned, "reading=marginal"); }
Instance of_shared_tokens(const Instance& at) {
  return changed(at, kConditioned, "reading=shared");
}

constexpr NamedPair kExample{
    "retokenised(tokens=a-b-ab,target=[[1/4,1/4,1/2]],draft-tokens=a-b,draft=[[1/2,1/2]],length=3)",
    3};

constexpr ClaimRow kLossless{
    .id = "timor2025.slem-lossless",
    .source = kSource,
    .statement =
        "string-level exact match keeps the target's law: the drafted string, made target tokens, "
        "is accepted while the target's own draws equal them; so do token and block, shown it",
    .hypotheses = kAnyPair,
    .check = lossless("sample-match", "token", "block"),
    .places = {kExample, kStrings},
    .bites = {{replaced("sample-match", "lenient(l=1/2)"), replaced("token", "lenient(l=1/2)"),
               replaced("block", "lenient(l=1/2)")}},
};

/// sum over x^i of T(x^i) psi(x^i), i = 0 .. gamma, where psi(x^i), the probability that the
/// string's tokens begin with x^i, is a product of the laws with the strings summed out.
std::vector<Rational> matches(const Instance& at) {
  const Instance summed = summed_out(at);
  std::vector<Rational> tail(static_cast<std::size_t>(at.gamma) + 1, Rational(0));
  for (const Start& start : summed.pair().start()) {
    for (const PathLaws& path : paths_from(*summed.rows, start.state, at.gamma)) {
      tail[path.tokens.size()] += start.probability * path.draft * path.target;
    }
  }
  return ingredient("timor2025.slem-rate.formula", tail);
}

Comparisons accepts_matches(const Instance& at) {
  const std::vector<Rational> tail = tail_of("sample-match", at);
  const std::vector<Rational> wanted = matches(at);
  Comparisons says;
  for (std::size_t i = 1; i < tail.size(); ++i) {
    says.equal(tail[i], wanted[i], "P(tau >= {}) of sample-match", i);
  }
  return says;
}

constexpr ClaimRow kRate{
    .id = "timor2025.slem-rate",
    .source = kDerived,
    .statement =
        "P(tau >= i) of string-level exact match = sum over x^i of T(x^i) psi(x^i), psi(x^i) the "
        "probability that the drafted string's tokens begin with x^i",
    .hypotheses = kAnyPair,
    .check = accepts_matches,
    .places = {kExample, kStrings},
    .bites = {{lowered("timor2025.slem-rate.formula"), replaced("sample-match", "autoregressive")}},
};

Comparisons rejection_above_match(const Instance& at) {
  const std::vector<Rational> match = tail_of("sample-match", at);
  const std::vector<Rational> tested = tail_of("token", summed_out(at));
  Comparisons says;
  for (std::size_t i = 1; i < match.size(); ++i) {
    says.at_least(tested[i], match[i],
                  "P(tau >= {}) of token, strings summed out, against exact match", i);
  }
  return says;
}

constexpr ClaimRow kRejection{
    .id = "timor2025.slrs-above-slem",
    .source = kDerived,
    .statement =
        "P(tau >= i) of string-level rejection sampling, token verification against psi, is at "
        "least that of string-level exact match",
    .hypotheses = kAnyPair,
    .check = rejection_above_match,
    .places = {kExample, kStrings},
    .bites = {{replaced("token", "autoregressive")}},
};

/// Token verification of the draft's law, and of that law divided by its sum on the tokens that the
/// target draws at all.
Comparisons renormalised_above(const Instance& at) {
  std::vector<bool> drawn(static_cast<std::size_t>(at.pair().vocabulary()), false);
  for (State s = 0; s < at.pair().states(); ++s) {
    const auto target = at.rows->target(s);
    for (std::size_t x = 0; x < target.size(); ++x) drawn[x] = drawn[x] || target[x] > 0;
  }
  std::vector<Token> common;
  for (std::size_t x = 0; x < drawn.size(); ++x) {
    if (drawn[x]) common.push_back(static_cast<Token>(x));
  }
  const Instance shared = drafted_of(at, std::move(common));
  Comparisons says;
  says.at_least(ingredient("timor2025.tli.common", accepted("token", shared)),
                ingredient("timor2025.tli.own", accepted("token", at)),
                "E[tau] of token-level intersection against the drafter's own law");
  return says;
}

constexpr ClaimRow kRenormalised{
    .id = "timor2025.tli",
    .source = kDerived,
    .statement =
        "E[tau] of token-level intersection, token verification of the drafter's law divided by "
        "its sum on the common tokens, is at least that of the drafter's own law",
    .hypotheses = "any pair; the target's vocabulary is what it draws in some context",
    .check = renormalised_above,
    .places = {SearchSpace{.tokens = 3, .gammas = 2, .denominator = {3, 4, 4}},
               SearchSpace{.tokens = 2, .gammas = 2, .denominator = {1, 2, 2}, .states = 2},
               BatteryShape{.tokens = 3, .gammas = 2, .random = {2, 4, 12}}},
    .bites = {{zeroed("timor2025.tli.common"), doubled("timor2025.tli.own")}},
};

Comparisons intersection_above(const Instance& at) {
  Comparisons says;
  says.at_least(accepted("token", of_shared_tokens(at)), accepted("sample-match", at),
                "E[tau] of token-level intersection against string-level exact match");
  return says;
}

constexpr ClaimRow kIntersection{
    .id = "timor2025.tli-above-slem",
    .source = kAsked,
    .statement =
        "E[tau] of token-level intersection is at least that of string-level exact match, of the "
        "same drafter",
    .hypotheses = kAnyPair,
    .recorded = ClaimVerdict::refuted,
    .check = intersection_above,
    .places = {kSmallest},
    .bites = {{replaced("sample-match", "autoregressive")}},
};

Comparisons strings_above(const Instance& at) {
  const Rational shared = accepted("token", of_shared_tokens(at));
  Comparisons says;
  says.at_least(accepted("sample-match", at), shared,
                "E[tau] of string-level exact match against token-level intersection");
  says.at_least(accepted("block", summed_out(at)), shared,
                "E[tau] of block, strings summed out, against token-level intersection");
  return says;
}

constexpr ClaimRow kStringsAbove{
    .id = "timor2025.slem-above-tli",
    .source = kAsked,
    .statement =
        "E[tau] of string-level exact match, and of block verification with the strings summed "
        "out, is at least that of token-level intersection, of the same drafter",
    .hypotheses = kAnyPair,
    .recorded = ClaimVerdict::refuted,
    .check = strings_above,
    .places = {kSmallest},
    .bites = {{replaced("token", "autoregressive")}},
};

/// The drafter writes one token more; as many target tokens are verified.
Comparisons longer_accepts(const Instance& at) {
  const Spec spec = parse_spec(at.pair().name());
  SpecReader reader(spec);
  const auto length = reader.integer("length", 1, 32);
  const Instance longer =
      changed(at, fmt::format("length={}", length), fmt::format("length={}", length + 1));
  Comparisons says;
  says.at_least(accepted("sample-match", longer),
                ingredient("timor2025.longer.shorter", accepted("sample-match", at)),
                "E[tau] of sample-match, {} draft tokens against {}", length + 1, length);
  return says;
}

constexpr ClaimRow kLonger{
    .id = "timor2025.longer",
    .source = kAsked,
    .statement =
        "E[tau] of string-level exact match does not fall as the drafter writes one token more",
    .hypotheses = "any two vocabularies of strings, any drafter; as many target tokens verified",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = longer_accepts,
    .places = {kSmallest},
    .correction =
        {.statement =
             "where each draft token begins with a character that no target token has behind its "
             "first: the tokens of a longer string then begin with those of a shorter one",
         .check = longer_accepts,
         .places = {kWords}},
    .bites = {{doubled("timor2025.longer.shorter"), replaced("sample-match", "autoregressive")}},
};

/// E[N(2)]: before the first iteration the text has no token.
Comparisons joined_keeps(const Instance& at) {
  const auto two = [](const Instance& of) {
    return exact_answer("sample-match", of, std::nullopt, 2)
        .fractions(QuantityId::expected_tokens)
        .at(1);
  };
  Comparisons says;
  says.at_least(two(changed(at, kConditioned, "reading=joined")),
                ingredient("timor2025.joined.apart", two(at)),
                "E[N(2)] of sample-match, string and last token together against apart");
  return says;
}

constexpr ClaimRow kJoined{
    .id = "timor2025.joined",
    .source = "this project, of Timor et al. 2025 and the transformers library",
    .statement =
        "E[N(2)] of string-level exact match is at least as large where the string is tokenised "
        "together with the text's last token, the tokens after the first being drafts, as apart",
    .hypotheses = kAnyPair,
    .recorded = ClaimVerdict::refuted,
    .check = joined_keeps,
    .places = {kSmallest},
    .bites = {{zeroed("timor2025.joined.apart"), replaced("sample-match", "autoregressive")}},
};

constexpr ClaimRow kClaims[] = {kLossless,     kRate,         kRejection, kRenormalised,
                                kIntersection, kStringsAbove, kLonger,    kJoined};

}  // namespace
}  // namespace retokenised

Claims retokenised_claims() { return retokenised::kClaims; }

}  // namespace speclab
