#include "audit/vector_cases.h"

#include <algorithm>
#include <array>
#include <functional>

#include "audit/candidate_pairs.h"
#include "base/random.h"
#include "model/families/listed_tree.h"

namespace speclab {
namespace {

using PlacedLaw = std::vector<Rational>;
using TokenChain = std::vector<Token>;
/// The laws of draft and target after a prefix.
using PlacedLaws = std::function<std::pair<PlacedLaw, PlacedLaw>(const TokenChain&)>;

/// 2^-bits.
Rational half_to(int bits) { return Rational(1, std::int64_t{1} << bits); }

/// Every token has a part, so that the wide rows have no gap: the rest goes to random tokens. The
/// last `padding` tokens have none, as those of a padded embedding.
PlacedLaw wide_law(Token vocabulary, Token padding, Stream& stream) {
  int units = 1;
  while (units < 4 * vocabulary) units *= 2;
  const auto used = static_cast<std::size_t>(vocabulary - padding);
  std::vector<int> shares(static_cast<std::size_t>(vocabulary), 0);
  std::fill_n(shares.begin(), used, 1);
  for (std::size_t i = used; i < static_cast<std::size_t>(units);) {
    const auto part = std::min<std::size_t>(static_cast<std::size_t>(units) - i, 1 + stream() % 64);
    shares[stream() % used] += static_cast<int>(part);
    i += part;
  }
  PlacedLaw law;
  for (const int share : shares) law.emplace_back(share, units);
  return law;
}

PlacedLaw one_hot(Token vocabulary, Token token) {
  PlacedLaw law(static_cast<std::size_t>(vocabulary), Rational(0));
  law[static_cast<std::size_t>(token)] = 1;
  return law;
}

/// Each token of the row is drawn with equal probability among those that the draft draws.
Token some_token(const PlacedLaw& draft, Stream& stream) {
  std::vector<Token> possible;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (draft[x] > 0) possible.push_back(static_cast<Token>(x));
  }
  return possible[stream() % possible.size()];
}

class Maker {
 public:
  Maker(std::vector<VectorCase>& cases, int drafts)
      : cases_(cases), drafts_(static_cast<std::size_t>(drafts)) {}

  Stream& stream() { return stream_; }

  /// @param equal  whether all drafts are the same
  void add(std::string_view flag, Token vocabulary, int gamma, const PlacedLaws& laws,
           bool equal = false) {
    ListedLaws draft, target;
    const auto list = [&](const TokenChain& prefix) {
      if (draft.contains(prefix)) return;
      auto [of_draft, of_target] = laws(prefix);
      draft[prefix] = std::move(of_draft);
      target[prefix] = std::move(of_target);
    };
    VectorCase made{.flag = flag, .gamma = gamma};
    for (std::size_t k = 0; k < drafts_; ++k) {
      TokenChain chain;
      for (int i = 0; i < gamma; ++i) {
        list(chain);
        chain.push_back(some_token(draft[chain], stream_));
      }
      list(chain);
      made.chains.push_back(equal && k > 0 ? made.chains.front() : chain);
    }
    made.pair = std::make_shared<ListedTreePair>(vocabulary, draft, target);
    cases_.push_back(std::move(made));
  }

 private:
  std::vector<VectorCase>& cases_;
  std::size_t drafts_;
  Stream stream_{stream_key(1, task_hash("conformance vectors")), 0, 0, Purpose::prompt};
};

/// Rows of two tokens as the numbers that formats of few bits lose.
void add_edges(Maker& make) {
  const auto two = [&make](std::string_view flag, const Rational& draft, const Rational& target) {
    make.add(flag, 2, 1, [&](const TokenChain&) {
      return std::pair{PlacedLaw{draft, 1 - draft}, PlacedLaw{target, 1 - target}};
    });
  };
  const Rational tiny = half_to(40), edge = half_to(24);
  two("tiny", tiny, 4 * tiny);
  two("tiny", 4 * tiny, tiny);
  two("float32", edge, Rational(1, 2));
  two("float32", 1 - edge, 1 - 2 * edge);
  two("float32", Rational(1, 2), 1 - edge);
}

void add_special(Maker& make, int gamma) {
  constexpr Token kVocabulary = 4;
  const auto random = [&make] { return random_law(kVocabulary, 16, make.stream()); };
  make.add("zero-residual", kVocabulary, gamma, [&](const TokenChain&) {
    const PlacedLaw both = random();
    return std::pair{both, both};
  });
  make.add("disjoint", kVocabulary, gamma, [&](const TokenChain&) {
    const Rational quarter(1, 4);
    return std::pair{PlacedLaw{quarter, 3 * quarter, 0, 0},
                     PlacedLaw{0, 0, 2 * quarter, 2 * quarter}};
  });
  make.add("ties", kVocabulary, gamma, [&](const TokenChain& prefix) {
    const Rational quarter(1, 4);
    const PlacedLaw even{quarter, quarter, quarter, quarter};
    return std::pair{even, prefix.empty() ? PlacedLaw{quarter, quarter, 0, 2 * quarter} : even};
  });
  make.add("one-hot", kVocabulary, gamma, [&](const TokenChain&) {
    const PlacedLaw draft = random();
    return std::pair{draft, one_hot(kVocabulary, some_token(draft, make.stream()))};
  });
  make.add("one-hot", kVocabulary, gamma, [&](const TokenChain&) {
    const PlacedLaw target = random();
    return std::pair{one_hot(kVocabulary, some_token(target, make.stream())), target};
  });
  make.add("filtered", kVocabulary, gamma, [&](const TokenChain& prefix) {
    // Top-2 and top-3 of one law of eighths: the drafted token may be outside of the target's.
    const Rational eighth(1, 8);
    const PlacedLaw three{3 * eighth, 2 * eighth, 0, 3 * eighth}, two{4 * eighth, 0, 0, 4 * eighth};
    return prefix.size() % 2 == 0 ? std::pair{three, two} : std::pair{three, three};
  });
}

}  // namespace

const BatterySize& battery_size(Battery battery) {
  static const std::array<BatterySize, 3> sizes{
      {{.name = "small", .random = 2, .samples = 16'384, .wide = {64}, .long_drafts = {8}},
       {.name = "full",
        .random = 6,
        .samples = 65'536,
        .wide = {100, 1'000},
        .long_drafts = {5, 8}},
       {.name = "big",
        .random = 10,
        .samples = 262'144,
        .wide = {100, 1'000, 4'100},
        .long_drafts = {5, 8, 16}}}};
  return sizes[static_cast<std::size_t>(battery)];
}

const std::vector<VectorFlag>& vector_flags() {
  static const std::vector<VectorFlag> flags{
      {"random", "independent rows after every prefix: a row of another position shows"},
      {"zero-residual", "draft and target are equal: nothing is left to correct from, 0/0"},
      {"disjoint", "no token of the draft is possible under the target: all is rejected"},
      {"ties", "equal probabilities: a comparison that should be >= and is >"},
      {"one-hot", "a row with one token, as argmax drafts and temperature 0 have"},
      {"tiny", "probabilities of 1e-12: ratios that a clamp or an epsilon changes"},
      {"float32", "probabilities at the edge of 24 bits: 1 - p is lost in float32 and bfloat16"},
      {"filtered", "rows cut by different top-k: a drafted token that the target cannot draw"},
      {"wide", "rows of many tokens of which the last are padding: block boundaries of kernels"},
      {"long", "long drafts: products along the path"},
      {"equal-drafts", "several drafts that are the same"}};
  return flags;
}

std::vector<VectorCase> vector_cases(Battery battery, int drafts) {
  const BatterySize& size = battery_size(battery);
  std::vector<VectorCase> cases;
  Maker make(cases, drafts);
  const auto random = [&make](Token vocabulary, int units) {
    return [&make, vocabulary, units](const TokenChain&) {
      PlacedLaw draft = random_law(vocabulary, units, make.stream());
      return std::pair{std::move(draft), random_law(vocabulary, units, make.stream())};
    };
  };
  // Rows along several drafts take as much space as those of several cases.
  for (int i = 0; i < (drafts == 1 ? size.random : (size.random + 1) / 2); ++i) {
    for (const Token vocabulary : {2, 3, 4}) {
      for (const int gamma : {1, 2, 3}) {
        make.add("random", vocabulary, gamma, random(vocabulary, vocabulary == 2 ? 8 : 16));
      }
    }
  }
  for (const int gamma : {1, 2}) add_special(make, gamma);
  add_edges(make);
  for (const int gamma : size.long_drafts) make.add("long", 3, gamma, random(3, 8));
  for (const Token vocabulary : size.wide) {
    make.add("wide", vocabulary, 1, [&](const TokenChain&) {
      PlacedLaw draft = wide_law(vocabulary, vocabulary / 25, make.stream());
      return std::pair{std::move(draft), wide_law(vocabulary, vocabulary / 25, make.stream())};
    });
  }
  if (drafts > 1) {
    for (const int gamma : {1, 2}) make.add("equal-drafts", 3, gamma, random(3, 16), true);
  }
  return cases;
}

}  // namespace speclab
