#include <array>
#include <cmath>

#include "base/error.h"
#include "catch.h"
#include "recorded/scored/score.h"
#include "scratch.h"

namespace speclab::scored_test {
namespace {

/// Calls and rates by the law of tau, start by start.
struct Plain {
  double calls = 0;
  std::vector<double> reached;
};

Plain plain_decode(const std::vector<double>& draft, const std::vector<double>& target,
                   TextVerifier verifier, int gamma) {
  const std::size_t n = target.size();
  const auto most = static_cast<std::size_t>(gamma);
  Plain plain{0, std::vector<double>(most, 0.0)};
  std::vector<double> begins(n + 1, 0.0);
  begins[0] = 1;
  for (std::size_t s = 0; s < n; ++s) {
    std::vector<double> tail{1};
    double product = 0, least = 0;
    const std::size_t drafts = std::min(most, n - s);
    for (std::size_t j = s; j < s + drafts; ++j) {
      const double log = draft[j] - target[j];
      double next = 0;
      switch (verifier.rule) {
        case TextRule::token:
          product += std::min(0.0, log);
          next = std::exp(product);
          break;
        case TextRule::block:
          product += log;
          least = std::min(least, product);
          next = std::exp(least);
          break;
        default:
          product += draft[j];
          next = 1 - std::pow(1 - std::exp(product), verifier.drafts);
      }
      tail.push_back(next);
    }
    plain.calls += begins[s];
    for (std::size_t i = 0; i <= drafts; ++i) {
      if (i > 0) plain.reached[i - 1] += begins[s] * tail[i];
      const double stops = i < drafts ? tail[i] - tail[i + 1] : tail[i];
      if (s + i + 1 < n) begins[s + i + 1] += begins[s] * stops;
    }
  }
  return plain;
}

/// A small generator of its own: the numbers are the same everywhere.
class Numbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 7;
};

constexpr std::array kAll{TextVerifier{TextRule::token}, TextVerifier{TextRule::block},
                          TextVerifier{TextRule::sample_match},
                          TextVerifier{TextRule::target_only, 3}};

ScoredText made_text(Numbers& numbers, std::size_t n, double spread, double zeros) {
  ScoredText text;
  for (std::size_t j = 0; j < n; ++j) {
    text.target.push_back(-3 * numbers.next());
    const double off = spread * (numbers.next() - 0.5);
    text.draft.push_back(numbers.next() < zeros ? -HUGE_VAL
                                                : std::min(0.0, text.target.back() + off));
  }
  return text;
}

TEST_CASE("decodes along texts are those of the law of tau") {
  Numbers numbers;
  TextDecoder decoder;
  // Lengths around the chunks of the kernels; ratios that are computed in logarithms; zeros.
  for (const double spread : {0.0, 2.0, 600.0}) {
    for (const std::size_t n : {2U, 3U, 16U, 17U, 127U, 128U, 129U, 145U, 400U}) {
      const ScoredText text = made_text(numbers, n, spread, 0.05);
      decoder.load(text);
      for (const TextVerifier& verifier : kAll) {
        const TextDecode decode = decoder.decode(verifier);
        const ByGamma calls = decoder.calls(verifier);
        for (int gamma = 1; gamma <= kMostScored; ++gamma) {
          CAPTURE(n, spread, static_cast<int>(verifier.rule), gamma);
          const auto g = static_cast<std::size_t>(gamma - 1);
          const Plain plain = plain_decode(text.draft, text.target, verifier, gamma);
          CHECK(decode.calls[g] == Approx(plain.calls).epsilon(1e-12));
          CHECK(calls[g] == decode.calls[g]);
          double accepted = 0;
          for (std::size_t i = 0; i < plain.reached.size(); ++i) {
            CHECK(decode.reached[i][g] == Approx(plain.reached[i]).margin(1e-12).epsilon(1e-12));
            accepted += plain.reached[i];
          }
          CHECK(decode.accepted(gamma) == Approx(accepted).margin(1e-12));
        }
      }
    }
  }
}

TEST_CASE("what becomes of the tokens adds up to the tokens and the calls") {
  Numbers numbers;
  TextDecoder decoder;
  const ScoredText text = made_text(numbers, 300, 2, 0.02);
  decoder.load(text);
  for (const int gamma : {1, 5, 16}) {
    double accepted = 0;
    for (const TokenFate& fate : decoder.fates(kAll[1], gamma)) {
      accepted += fate.accepted;
      CHECK(fate.accepted >= 0);
      CHECK(fate.bonus >= -1e-12);
      CHECK(fate.accepted + fate.bonus <= 1 + 1e-12);
    }
    CHECK(accepted == Approx(decoder.decode(kAll[1]).accepted(gamma)));
  }
}

TEST_CASE("a drafter whose law depends on the start is scored from its own rows") {
  Numbers numbers;
  TextDecoder decoder;
  const ScoredText plain = made_text(numbers, 200, 2, 0.02);
  ScoredText rows = plain;
  rows.width = 5;
  rows.draft.clear();
  for (std::size_t s = 0; s < plain.size(); ++s) {
    for (std::size_t j = s; j < s + 5; ++j) {
      rows.draft.push_back(j < plain.size() ? plain.draft[j] : NAN);
    }
  }
  for (const TextVerifier& verifier : kAll) {
    decoder.load(plain);
    const TextDecode one = decoder.decode(verifier);
    const ByGamma most = decoder.optimum();
    decoder.load(rows);
    const TextDecode other = decoder.decode(verifier);
    for (std::size_t g = 0; g < 5; ++g) {
      CHECK(other.calls[g] == Approx(one.calls[g]).epsilon(1e-12));
      CHECK(other.whole_tokens[g] == Approx(one.whole_tokens[g]).epsilon(1e-12));
      CHECK(other.steps[g] == Approx(one.steps[g]).epsilon(1e-12));
      CHECK(decoder.optimum()[g] == Approx(most[g]).epsilon(1e-12));
    }
  }
}

TEST_CASE("extreme ratios give no NaN and keep what products of them are") {
  TextDecoder decoder;
  ScoredText text;
  text.target = {-1400, -1, -1, -1};
  text.draft = {-1, -1000, -HUGE_VAL, -1};
  decoder.load(text);
  // r is e^1399, e^-999, 0 and 1: a block of two is accepted with probability 1.
  const TextDecode decode = decoder.decode({TextRule::block});
  CHECK(decode.tails[1] == Approx(1));
  for (const double calls : decode.calls) CHECK(std::isfinite(calls));
  for (const double most : decoder.optimum()) CHECK(std::isfinite(most));
}

ScoreResult scored(const std::string& path, TextFields fields = {}) {
  ScoreRequest request;
  request.verifiers = {{TextRule::token}, {TextRule::block}};
  request.fields = std::move(fields);
  request.threads = 1;
  return score_texts(std::vector{path}, request);
}

constexpr const char* kGood =
    R"({"target_logprobs": [-1, -0.5, -2], "draft_logprobs": [-2, -0.25, -2]})"
    "\n";

TEST_CASE("bad texts are refused by file, line and place") {
  const Scratch scratch;
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "is empty; give one text a line"},
      {"\n \n", "is empty; give one text a line"},
      {"{", "line 2: it is not one JSON object"},
      {"[1]", "line 2: it is not one JSON object"},
      {R"({"target_logprobs": [-1, -1]})", "lacks the key \"draft_logprobs\""},
      {R"({"target_logprobs": [-1, -1], "draft_logprobs": [-1]})",
       "target_logprobs has 2 entries and draft_logprobs has 1; give one a token in both"},
      {R"({"target_logprobs": [-1], "draft_logprobs": [-1]})", "a text has two or more"},
      {R"({"target_logprobs": [-1, 0.5], "draft_logprobs": [-1, -1]})",
       "target_logprobs[1] is 0.5, above 0"},
      {R"({"target_logprobs": [-1, -1], "draft_logprobs": [-1, NaN]})", "draft_logprobs[1] is NaN"},
      {R"({"target_logprobs": [-1, -Infinity], "draft_logprobs": [-1, -1]})",
       "target_logprobs[1] is -inf: the target cannot draw this token"},
      {R"({"target_logprobs": [-1, "x"], "draft_logprobs": [-1, -1]})",
       "target_logprobs[1] is \"x\""},
      {R"({"target_logprobs": [-1, -1], "draft_logprobs": [-1, -1], "tokens": [1, "a"]})",
       "give ids alone or strings alone"},
      {R"({"target_logprobs": [-1, -1], "draft_logprobs": [-1, -1], "tokens": [1]})",
       "tokens has 1 entries and target_logprobs has 2"},
      {R"({"target_logprobs": [-1, -1], "draft_logprobs": [-1, -1], "start": 3})",
       "start is 3 of 2 tokens"},
      {R"({"target_logprobs": [-1, -1, -1], "draft_logprobs": [[-1, -1, -1], [-1], [-1]]})",
       "draft_logprobs[1] has 1 entries and draft_logprobs[0] has 3"},
      {R"({"target_logprobs": [-1, -1], "draft_logprobs": [[-1], [-1]]})",
       "draft_logprobs is of lists of 1 and that of the texts before it of numbers"},
  };
  for (const auto& [line, message] : wrong) {
    CAPTURE(line);
    const bool alone = line.find_first_not_of(" \n") == std::string::npos;
    const std::string path = scratch.write("bad.jsonl", alone ? line : kGood + line + "\n");
    CHECK_THROWS_WITH(scored(path), Containing(path) && Containing(message));
  }
  CHECK_THROWS_AS(scored(scratch.file("absent.jsonl")), InputError);
}

TEST_CASE("tokens that are never drawn, and prompts, are read in every form") {
  const Scratch scratch;
  const std::string one = scratch.write("one.jsonl",
                                        R"({"target_logprobs": [null, -1, -0.5, -2],
"draft_logprobs": [null, -2, -Infinity, -2], "start": 1, "more": {"a": [1]}})");
  CHECK_THROWS_AS(scored(one), InputError);  // two lines
  std::vector<double> calls;
  for (const char* never : {"-Infinity", "\"-inf\"", "null"}) {
    const std::string path = scratch.write(
        "never.jsonl",
        std::string(R"({"more": {"a": [1]}, "target_logprobs": [null, -1, -0.5, -2], )") +
            R"("draft_logprobs": [null, -2, )" + never + R"(, -2], "start": 1})");
    const ScoreResult result = scored(path);
    CHECK(result.tokens == 3);
    CHECK(result.never_drafted == 1);
    calls.push_back(result.groups.front().clusters.front().decodes[0].calls[3]);
  }
  // u = 1, 1 - 1/e, 1: the second token is never accepted.
  for (const double each : calls) CHECK(each == Approx(3 - std::exp(-1)));
}

TEST_CASE("texts are parted by a field, and read from CSV alike") {
  const Scratch scratch;
  const std::string json =
      scratch.write("parted.jsonl",
                    R"({"kind": "a", "target_logprobs": [-1, -0.5], "draft_logprobs": [-2, -0.25]})"
                    "\n"
                    R"({"kind": "b", "target_logprobs": [-1, -1], "draft_logprobs": [-2, -2]})"
                    "\n");
  const std::string csv = scratch.write("parted.csv",
                                        "id,kind,target_logprobs,draft_logprobs\n0,a,-1,-2\n"
                                        "0,a,-0.5,-0.25\n1,b,-1,-2\n1,b,-1,-2\n");
  const ScoreResult one = scored(json, {"kind", false});
  const ScoreResult other = scored(csv, {"kind", false});
  for (const ScoreResult* result : {&one, &other}) {
    REQUIRE(result->groups.size() == 2);
    CHECK(result->groups[0].name == "a");
    CHECK(result->groups[1].texts == 1);
    // One token is left for the second start: 2 - min(1, r) calls.
    CHECK(result->groups[1].clusters[0].decodes[0].calls[0] == Approx(2 - std::exp(-1)));
  }
  CHECK(one.groups[0].clusters[0].decodes[1].calls == other.groups[0].clusters[0].decodes[1].calls);
  CHECK_THROWS_WITH(scored(json, {"size", false}), Containing("texts are parted by"));
  CHECK_THROWS_WITH(scored(csv, {"knd", false}),
                    Containing("no column 'knd'; did you mean 'kind'"));
}

TEST_CASE("CSV is recognised by its names, wherever they stand") {
  const Scratch scratch;
  const std::string csv =
      scratch.write("names.csv", "\nid," + std::string(10'000, 'x') +
                                     ",target_logprobs,draft_logprobs\na,,-1,-2\na,,-1,-2\n");
  CHECK(scored(csv).tokens == 2);
}

TEST_CASE("ratios above 1 on average are found, those of the target's own texts are not") {
  Numbers numbers;
  // d = (2/3, 1/3), t = (1/3, 2/3): r is 2 or 1/2.
  const auto text = [&](double share) {
    ScoredText made;
    for (int j = 0; j < 100; ++j) {
      const bool first = numbers.next() < share;
      made.target.push_back(std::log(first ? 1.0 / 3 : 2.0 / 3));
      made.draft.push_back(std::log(first ? 2.0 / 3 : 1.0 / 3));
    }
    return made;
  };
  for (const double share : {1.0 / 3, 1.0 / 2}) {
    TextTests tests(true);
    for (int k = 0; k < 40; ++k) tests.add(text(share));
    const TextCheck check = tests.checks().front();
    CAPTURE(share, check.detail);
    CHECK(check.name == "mean-ratio");
    CHECK((check.verdict == TextVerdict::fail) == (share > 0.4));
    for (const TextCheck& each : tests.checks()) CHECK(each.verdict != TextVerdict::suspect);
  }
  TextTests human(false);
  human.add(text(1));
  CHECK(human.checks().front().verdict == TextVerdict::not_tested);
}

TEST_CASE("every token is tested, and too few of them are no pass") {
  const auto check = [](std::size_t n, double draft, std::size_t last, double last_draft) {
    TextTests tests(true);
    ScoredText text;
    text.target.assign(n + last, -10);
    text.draft.assign(n, draft);
    text.draft.insert(text.draft.end(), last, last_draft);
    tests.add(text);
    return tests.checks().front();
  };
  // By how many tokens the ratios are above 1, and where they stand.
  for (const std::size_t last : {4U, 15U, 16U, 17U}) {
    for (const std::size_t n : {0U, 16U, 1000U}) {
      CAPTURE(n, last);
      CHECK(check(n, -10, last, -0.1).verdict == TextVerdict::fail);
    }
  }
  const TextCheck few = check(15, -10, 0, 0);
  CHECK(few.verdict == TextVerdict::not_tested);
  CHECK_FALSE(few.p_value);
  CHECK_THAT(few.detail, Containing("so few tokens") && !Containing("95% power"));
  // Of ratios 1 the largest bet alone finds anything: 2 log(8e6) above 1 over n tokens.
  const TextCheck enough = check(100, -10, 0, 0);
  CHECK(enough.verdict == TextVerdict::pass);
  CHECK_THAT(enough.detail, Containing("a mean of 1.3179 would have been found with 95% power"));
}

TEST_CASE("texts whose draft is shifted by one are suspected") {
  Numbers numbers;
  for (const int shift : {-1, 0, 1}) {
    TextTests tests(true);
    for (int k = 0; k < 60; ++k) {
      const ScoredText whole = made_text(numbers, 60, 0.5, 0);
      ScoredText text;
      for (std::size_t j = 1; j + 1 < whole.size(); ++j) {
        text.target.push_back(whole.target[j]);
        text.draft.push_back(whole.draft[j + static_cast<std::size_t>(1 - shift) - 1]);
      }
      tests.add(text);
    }
    const auto checks = tests.checks();
    CAPTURE(shift, checks[1].detail, checks[2].detail);
    CHECK((checks[1].verdict == TextVerdict::suspect) == (shift == -1));
    CHECK((checks[2].verdict == TextVerdict::suspect) == (shift == 1));
  }
}

}  // namespace
}  // namespace speclab::scored_test
