// Two vocabularies: what string-level exact match accepts, against an enumeration that shares
// nothing with the pair: strings are cut, and decodes walked, by functions of this file.
#include <algorithm>

#include "catch.h"
#include "toy.h"

namespace speclab::retokenised_test {
namespace {

using Texts = std::vector<std::string>;
using Laws = std::vector<std::vector<Rational>>;

/// A pair of two vocabularies; the target's law is that of its last token, or one.
struct Strings {
  Texts tokens;
  Laws target;
  Texts draft_tokens;
  Laws draft;
  int length;
  bool merges;

  [[nodiscard]] std::string spec(const char* reading) const {
    const auto joined = [](const Texts& all) {
      std::string text;
      for (const std::string& one : all) text += (text.empty() ? "" : "-") + one;
      return text;
    };
    const auto rows = [](const Laws& laws) {
      std::string text;
      for (const auto& law : laws) {
        text += text.empty() ? "[" : ",[";
        for (std::size_t x = 0; x < law.size(); ++x) text += (x > 0 ? "," : "") + to_text(law[x]);
        text += "]";
      }
      return text;
    };
    return "retokenised(tokens=" + joined(tokens) + ",target=[" + rows(target) +
           "],draft-tokens=" + joined(draft_tokens) + ",draft=[" + rows(draft) +
           "],length=" + std::to_string(length) + ",tokeniser=" + (merges ? "merges" : "longest") +
           ",reading=" + reading + ")";
  }
};

/// Longest match: the tokens by falling length, each tried where the string begins.
Texts cut(const Texts& tokens, std::string text) {
  Texts longest = tokens;
  std::sort(longest.begin(), longest.end(),
            [](const auto& a, const auto& b) { return a.size() > b.size(); });
  Texts made;
  while (!text.empty()) {
    const auto token = std::find_if(longest.begin(), longest.end(),
                                    [&](const auto& one) { return text.starts_with(one); });
    REQUIRE(token != longest.end());
    made.push_back(*token);
    text.erase(0, token->size());
  }
  return made;
}

/// Byte pair encoding: the tokens in order; the first that two neighbours make is made, once, and
/// the order begins anew.
Texts merge(const Texts& tokens, const std::string& text) {
  Texts made;
  for (const char c : text) made.emplace_back(1, c);
  const auto joined_once = [&] {
    for (const std::string& token : tokens) {
      for (std::size_t i = 1; i < made.size(); ++i) {
        if (made[i - 1] + made[i] != token) continue;
        made[i - 1] = token;
        made.erase(made.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
    }
    return false;
  };
  while (joined_once()) {
  }
  return made;
}

/// What the drafter writes, each string of draft tokens on its own, as target tokens.
class Enumeration {
 public:
  /// @param joined  the last token and the string are cut together, and the first piece is dropped
  Enumeration(const Strings& pair, int gamma, bool joined = false)
      : pair_(pair), gamma_(gamma), joined_(joined) {}

  /// P(tau = 0), .., P(tau = gamma) of the first iteration.
  std::vector<Rational> law_of_tau() {
    std::vector<Rational> tail(static_cast<std::size_t>(gamma_) + 2, Rational(0));
    each_draft(-1, [&](const Rational& probability, const Texts& draft) {
      Rational kept = probability;
      int last = -1;
      tail[0] += kept;
      for (std::size_t i = 0; i < draft.size() && static_cast<int>(i) < gamma_; ++i) {
        const int x = number(draft[i]);
        kept *= target_law(last)[static_cast<std::size_t>(x)];
        tail[i + 1] += kept;
        last = x;
      }
    });
    for (std::size_t i = 0; i + 1 < tail.size(); ++i) tail[i] -= tail[i + 1];
    tail.pop_back();
    return tail;
  }

  /// E[target calls] of a decode of so many tokens.
  Rational calls(int tokens) { return calls_after(-1, tokens); }

 private:
  template <class Visit>
  void each_draft(int last, const Visit& visit) {
    const std::string token = last < 0 ? "" : pair_.tokens[static_cast<std::size_t>(last)];
    write("", token.empty() ? first_character() : token.back(), pair_.length, Rational(1),
          [&](const Rational& probability, const std::string& text) {
            Texts draft = pieces(joined_ ? token + text : text);
            if (joined_ && !token.empty()) draft.erase(draft.begin());
            visit(probability, draft);
          });
  }
  [[nodiscard]] Texts pieces(const std::string& text) const {
    return pair_.merges ? merge(pair_.tokens, text) : cut(pair_.tokens, text);
  }
  template <class Visit>
  void write(const std::string& text, char last, int left, const Rational& probability,
             const Visit& visit) {
    if (left == 0) {
      visit(probability, text);
      return;
    }
    std::size_t row = 0;
    if (pair_.draft.size() > 1) {
      for (const std::string& token : pair_.tokens) {
        if (token.size() != 1) continue;
        if (token.front() == last) break;
        ++row;
      }
    }
    for (std::size_t x = 0; x < pair_.draft_tokens.size(); ++x) {
      const std::string& token = pair_.draft_tokens[x];
      write(text + token, token.back(), left - 1, Rational(probability * pair_.draft[row][x]),
            visit);
    }
  }

  [[nodiscard]] char first_character() const {
    const auto token = std::find_if(pair_.tokens.begin(), pair_.tokens.end(),
                                    [](const auto& one) { return one.size() == 1; });
    return token->front();
  }
  [[nodiscard]] int number(const std::string& token) const {
    return static_cast<int>(std::find(pair_.tokens.begin(), pair_.tokens.end(), token) -
                            pair_.tokens.begin());
  }
  /// Before the first token the law is that after token 0, the pair's start=0.
  [[nodiscard]] const std::vector<Rational>& target_law(int last) const {
    return pair_.target[pair_.target.size() > 1 && last >= 0 ? static_cast<std::size_t>(last) : 0];
  }

  Rational calls_after(int last, int left) {
    if (left == 0) return Rational(0);
    Rational total(1);
    each_draft(last, [&](const Rational& probability, const Texts& draft) {
      if (probability > 0) total += probability * more_calls(draft, 0, last, left);
    });
    return total;
  }
  /// The calls that follow an iteration of which so many tokens were accepted.
  Rational more_calls(const Texts& draft, std::size_t accepted, int last, int left) {
    if (left == 0) return Rational(0);
    const auto& law = target_law(last);
    Rational total(0);
    for (std::size_t x = 0; x < law.size(); ++x) {
      if (law[x] == 0) continue;
      const bool drafted = accepted < draft.size() && static_cast<int>(accepted) < gamma_;
      const int token = static_cast<int>(x);
      total += law[x] * (drafted && draft[accepted] == pair_.tokens[x]
                             ? more_calls(draft, accepted + 1, token, left - 1)
                             : calls_after(token, left - 1));
    }
    return total;
  }

  const Strings& pair_;
  int gamma_;
  bool joined_;
};

const Rational kHalf(1, 2);
const Rational kThird(1, 3);
const Rational kQuarter(1, 4);

std::vector<Strings> examples() {
  const Laws two{{kHalf, kHalf}, {kQuarter, Rational(3, 4)}};
  return {{{"a", "b", "ab"}, {{kQuarter, kQuarter, kHalf}}, {"a", "b"}, {{kHalf, kHalf}}, 3, false},
          {{"a", "b", "ab"},
           {{kThird, kThird, kThird}, {kHalf, kQuarter, kQuarter}, {Rational(0), kHalf, kHalf}},
           {"a", "b"},
           two,
           3,
           false},
          {{"a", "b", "ba", "ab"},
           {{kQuarter, kQuarter, kQuarter, kQuarter}},
           {"a", "b", "bab"},
           {{kHalf, kQuarter, kQuarter}, {kThird, kThird, kThird}},
           2,
           true},
          {{"ba", "b", "a", "aba"},
           {{kHalf, kQuarter, Rational(1, 8), Rational(1, 8)}},
           {"ab", "a"},
           two,
           3,
           false},
          {{"aa", "a", "aaa"},
           {{kHalf, kQuarter, kQuarter}},
           {"a", "aa"},
           {{kThird, Rational(2, 3)}},
           3,
           true}};
}

TEST_CASE("string-level exact match accepts what the strings, cut and walked one by one, say") {
  for (const Strings& pair : examples()) {
    const std::string spec = pair.spec("conditioned");
    const int longest = *make_pair(spec)->longest_draft();
    for (int gamma = 1; gamma <= longest; ++gamma) {
      CAPTURE(spec, gamma);
      Enumeration wanted(pair, gamma);
      const ExactRequest request{.lengths = {.gamma = gamma, .horizon = 4}};
      const auto found = run_named("sample-match", spec, request);
      CHECK(found.accepted_law == wanted.law_of_tau());
      CHECK(found.decode->target_calls == wanted.calls(4));
      CHECK(found.decode->tv_to_target == 0);
      // The law with the strings summed out has the same matches in one iteration.
      CHECK(run_named("sample-match", pair.spec("marginal"), request).accepted_law ==
            wanted.law_of_tau());
    }
  }
}

TEST_CASE("tokenised together with the last token, a string loses what that token takes of it") {
  for (const Strings& pair : examples()) {
    const std::string spec = pair.spec("joined");
    const int longest = *make_pair(spec)->longest_draft();
    for (int gamma = 1; gamma <= longest; ++gamma) {
      CAPTURE(spec, gamma);
      Enumeration wanted(pair, gamma, true);
      const auto found =
          run_named("sample-match", spec, {.lengths = {.gamma = gamma, .horizon = 4}});
      CHECK(found.accepted_law == wanted.law_of_tau());
      CHECK(found.decode->target_calls == wanted.calls(4));
      CHECK(found.decode->tv_to_target == 0);
    }
  }
}

TEST_CASE("both readings and the tokens that both have keep the target's law") {
  for (const Strings& pair : examples()) {
    for (const char* reading : {"conditioned", "joined", "marginal", "shared"}) {
      for (const char* verifier : {"token", "block", "greedy-block", "rrs(K=2)", "gumbel"}) {
        CAPTURE(pair.spec(reading), verifier);
        const auto found =
            run_named(verifier, pair.spec(reading), {.lengths = {.gamma = 2, .horizon = 4}});
        CHECK(found.decode->tv_to_target == 0);
        CHECK(found.decode->undefined_mass == 0);
      }
    }
  }
}

TEST_CASE("numbers that were worked out by hand") {
  // Of aa, ab, ba and bb the tokens are a a, ab, b a and b b: 1/4 (1/4 + 1/2 + 1/4 + 1/4) and
  // 1/4 * 3/16.
  const auto pair = [](const char* reading) {
    return Strings{
        {"a", "b", "ab"}, {{kQuarter, kQuarter, kHalf}}, {"a", "b"}, {{kHalf, kHalf}}, 2, false}
        .spec(reading);
  };
  const auto tail = [&](const char* verifier, const char* reading) {
    const auto law = run_named(verifier, pair(reading), {.lengths = {.gamma = 2}}).accepted_law;
    return std::pair(Rational(law[1] + law[2]), law[2]);
  };
  CHECK(tail("sample-match", "conditioned") == std::pair(Rational(5, 16), Rational(3, 64)));
  // Summed out the first token is a, b, ab with 1/4, 1/2, 1/4: overlaps of 1/4 each; after a or b
  // the second is a, or a or b.
  CHECK(tail("token", "marginal") == std::pair(Rational(3, 4), Rational(3, 16)));
  // Shared: a and b with 1/2 each, overlaps 1/4 + 1/4.
  CHECK(tail("token", "shared") == std::pair(kHalf, kQuarter));
}

TEST_CASE("a longer string can be cut otherwise from its first token on") {
  // The target writes a, a, ..; of aa the only token is aa.
  const auto accepted = [](int length) {
    const Strings pair{{"a", "aa"}, {{Rational(1), Rational(0)}}, {"a"}, {{Rational(1)}}, length,
                       false};
    return run_named("sample-match", pair.spec("conditioned"), {.lengths = {.gamma = 1}})
        .expected_accepted;
  };
  CHECK(accepted(1) == 1);
  CHECK(accepted(2) == 0);
  CHECK(accepted(3) == 0);
}

}  // namespace
}  // namespace speclab::retokenised_test
