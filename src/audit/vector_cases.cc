#include "audit/vector_cases.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "audit/candidate_pairs.h"
#include "audit/large_cases.h"
#include "base/error.h"
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

/// The tokens of positive probability.
TokenChain possible_tokens(const PlacedLaw& law) {
  TokenChain possible;
  for (std::size_t x = 0; x < law.size(); ++x) {
    if (law[x] > 0) possible.push_back(static_cast<Token>(x));
  }
  return possible;
}

/// Each token of positive probability with equal probability.
Token some_token(const PlacedLaw& law, Stream& stream) {
  const TokenChain possible = possible_tokens(law);
  return possible[stream() % possible.size()];
}

/// What is not random about a case.
struct Special {
  std::optional<Token> eos = {};
  TokenChain first = {};   ///< how the first draft begins
  TokenChain others = {};  ///< how the others begin where they can
  bool equal = false;      ///< whether all drafts are the same
  TokenChain names = {};   ///< of the tokens, where they are some of a larger vocabulary
  Token vocabulary = 0;    ///< the larger one
};

class Maker {
 public:
  Maker(std::vector<VectorCase>& cases, const GivenShape& shape) : cases_(cases), shape_(shape) {}

  Stream& stream() { return stream_; }
  [[nodiscard]] int drafts() const { return shape_.chains; }

  void add(std::string_view flag, Token vocabulary, int gamma, PlacedLaws laws,
           const Special& special = {}) {
    if (!shape_.tree.empty() && gamma > static_cast<int>(shape_.tree.size())) return;
    if (special.equal && shape_.of != GivenShape::Of::any) return;
    laws_ = std::move(laws);
    draft_.clear();
    target_.clear();
    VectorCase made{.flag = flag, .gamma = gamma, .eos = special.eos};
    if (shape_.of == GivenShape::Of::likeliest) {
      extend_likeliest({}, gamma, made.chains);
    } else {
      for (int k = 0; k < shape_.chains; ++k) {
        const bool again = special.equal && k > 0;
        made.chains.push_back(
            again ? made.chains.front()
                  : drawn(k == 0 ? special.first : special.others, gamma, made.chains));
        if (made.chains.back().empty()) return;
      }
    }
    if (static_cast<int>(made.chains.size()) != leaves(gamma)) return;
    made.pair = std::make_shared<ListedTreePair>(vocabulary, draft_, target_);
    made.names = special.names;
    made.vocabulary = special.names.empty() ? vocabulary : special.vocabulary;
    cases_.push_back(std::move(made));
  }

 private:
  /// The chains of a window that is cut at `gamma`.
  [[nodiscard]] int leaves(int gamma) const {
    if (shape_.of != GivenShape::Of::likeliest) return shape_.chains;
    int count = 1;
    for (int i = 0; i < gamma; ++i) count *= branching(shape_, static_cast<std::size_t>(i));
    return count;
  }

  const PlacedLaw& draft_after(const TokenChain& prefix) {
    if (!draft_.contains(prefix)) {
      auto [of_draft, of_target] = laws_(prefix);
      draft_[prefix] = std::move(of_draft);
      target_[prefix] = std::move(of_target);
    }
    return draft_[prefix];
  }

  /// A chain that begins with `wanted`, and unlike `others` where the shape asks for it; empty
  /// where none is left.
  TokenChain drawn(const TokenChain& wanted, int gamma, const std::vector<TokenChain>& others) {
    TokenChain chain;
    for (int i = 0; i < gamma; ++i) {
      PlacedLaw law = draft_after(chain);
      if (i == 0 && shape_.of == GivenShape::Of::distinct) {
        for (const TokenChain& other : others) law[static_cast<std::size_t>(other.front())] = 0;
        if (possible_tokens(law).empty()) return {};
      }
      const auto at = static_cast<std::size_t>(i);
      const bool can = at < wanted.size() && law[static_cast<std::size_t>(wanted[at])] > 0;
      chain.push_back(can ? wanted[at] : some_token(law, stream_));
    }
    draft_after(chain);
    return chain;
  }

  void extend_likeliest(const TokenChain& prefix, int gamma, std::vector<TokenChain>& into) {
    const PlacedLaw law = draft_after(prefix);
    if (static_cast<int>(prefix.size()) == gamma) return into.push_back(prefix);
    TokenChain tokens = possible_tokens(law);
    std::stable_sort(tokens.begin(), tokens.end(), [&law](Token a, Token b) {
      return law[static_cast<std::size_t>(a)] > law[static_cast<std::size_t>(b)];
    });
    const auto wanted = static_cast<std::size_t>(branching(shape_, prefix.size()));
    tokens.resize(std::min(tokens.size(), wanted));
    for (const Token x : tokens) {
      TokenChain longer = prefix;
      longer.push_back(x);
      extend_likeliest(longer, gamma, into);
    }
  }

  std::vector<VectorCase>& cases_;
  const GivenShape& shape_;
  PlacedLaws laws_;
  ListedLaws draft_, target_;
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

/// Rows with all mass on tokens at the ends of blocks and of the vocabulary, before the padding; in
/// one case on others throughout it too. The drafted tokens are accepted often, not always.
void add_padded(Maker& make, Token vocabulary) {
  constexpr Token kPadding = 64;
  constexpr int kUnits = 64;
  const auto add = [&](const TokenChain& names, const TokenChain& drafted) {
    TokenChain tokens(names.size()), first;
    std::iota(tokens.begin(), tokens.end(), 0);
    for (const Token name : drafted) {
      first.push_back(
          static_cast<Token>(std::lower_bound(names.begin(), names.end(), name) - names.begin()));
    }
    const auto law = [&](Token x, int least) {
      PlacedLaw made(names.size(), Rational(0));
      for (const auto& [y, units] : random_units(tokens, x, {least, kUnits}, make.stream())) {
        made[static_cast<std::size_t>(y)] = Rational(units, kUnits);
      }
      return made;
    };
    const auto laws = [&](const TokenChain& prefix) {
      const Token x = prefix.size() < first.size() ? first[prefix.size()] : tokens.back();
      PlacedLaw draft = law(x, kUnits / 4);
      return std::pair{std::move(draft), law(x, kUnits / 16)};
    };
    make.add("wide", static_cast<Token>(names.size()), static_cast<int>(first.size()), laws,
             {.first = first, .others = {1, 2}, .names = names, .vocabulary = vocabulary});
  };
  const Token used = vocabulary - kPadding;
  add(tokens_at_ends(used), {used - 1});
  add(tokens_at_ends(used), {0, 32'767});
  add(spread_tokens(used), {65'536});
}

/// Token 0 ends a sequence, at the second position of the drafts; what follows it is itself.
void add_end(Maker& make, int gamma) {
  const auto laws = [](const TokenChain& prefix) {
    if (std::find(prefix.begin(), prefix.end(), 0) != prefix.end()) {
      return std::pair{one_hot(3, 0), one_hot(3, 0)};
    }
    const Rational eighth(1, 8);
    return prefix.empty() ? std::pair{PlacedLaw{0, 5 * eighth, 3 * eighth},
                                      PlacedLaw{2 * eighth, 3 * eighth, 3 * eighth}}
                          : std::pair{one_hot(3, 0), PlacedLaw{5 * eighth, eighth, 2 * eighth}};
  };
  make.add("end", 3, gamma, laws, {.eos = 0});
}

/// Ratios below 1, then above: w rises from 1/3 to 1/2, and a correction that knows the first
/// factor alone never emits token 1 at the third position.
void add_rising(Maker& make) {
  const auto laws = [](const TokenChain& prefix) {
    const Rational part(1, 16);
    const auto law = [&part](int a, int b) {
      return PlacedLaw{a * part, b * part, (16 - a - b) * part};
    };
    if (prefix.empty()) return std::pair{law(0, 4), law(4, 8)};
    if (prefix.size() == 1) return std::pair{law(4, 8), law(2, 12)};
    return prefix.size() == 2 ? std::pair{law(2, 2), law(8, 6)} : std::pair{law(6, 4), law(4, 6)};
  };
  make.add("rising", 3, 3, laws, {.first = {2, 1, 2}});
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

int branching(const GivenShape& shape, std::size_t depth) {
  if (!shape.tree.empty()) return shape.tree[depth];
  return depth == 0 ? shape.chains : 1;
}

const BatterySize& battery_size(Battery battery) {
  static const std::array<BatterySize, 3> sizes{
      {{.name = "small", .random = 2, .samples = 16'384, .wide = {64}, .long_drafts = {8}},
       {.name = "full",
        .random = 6,
        .samples = 65'536,
        .wide = {100, 1'000},
        .padded = {131'072},
        .long_drafts = {5, 8}},
       {.name = "big",
        .random = 10,
        .samples = 262'144,
        .wide = {100, 1'000},
        .padded = {131'072},
        .long_drafts = {5, 8, 16}}}};
  return sizes[static_cast<std::size_t>(battery)];
}

Battery read_battery(std::string_view name) {
  for (const Battery battery : {Battery::small, Battery::full, Battery::big}) {
    if (battery_size(battery).name == name) return battery;
  }
  throw InputError("there is no battery '" + std::string(name) + "'; give small, full or big");
}

std::vector<VectorCase> vector_cases(Battery battery, const GivenShape& shape) {
  const BatterySize& size = battery_size(battery);
  std::vector<VectorCase> cases;
  Maker make(cases, shape);
  const auto random = [&make](Token vocabulary, int units) {
    return [&make, vocabulary, units](const TokenChain&) {
      PlacedLaw draft = random_law(vocabulary, units, make.stream());
      return std::pair{std::move(draft), random_law(vocabulary, units, make.stream())};
    };
  };
  // Rows along several drafts take as much space as those of several cases.
  for (int i = 0; i < (shape.chains == 1 ? size.random : (size.random + 1) / 2); ++i) {
    for (const Token vocabulary : {2, 3, 4}) {
      for (const int gamma : {1, 2, 3}) {
        make.add(gamma == 1 ? "short" : "random", vocabulary, gamma,
                 random(vocabulary, vocabulary == 2 ? 8 : 16));
      }
    }
  }
  for (const int gamma : {1, 2}) add_special(make, gamma);
  for (const int gamma : {2, 3}) add_end(make, gamma);
  add_rising(make);
  add_edges(make);
  for (const int gamma : size.long_drafts) make.add("long", 3, gamma, random(3, 8));
  for (const Token vocabulary : size.wide) {
    if (vocabulary > shape.widest) continue;
    make.add("wide", vocabulary, 1, [&](const TokenChain&) {
      PlacedLaw draft = wide_law(vocabulary, vocabulary / 25, make.stream());
      return std::pair{std::move(draft), wide_law(vocabulary, vocabulary / 25, make.stream())};
    });
  }
  if (shape.chains > 1) {
    for (const int gamma : {1, 2})
      make.add("equal-drafts", 3, gamma, random(3, 16), {.equal = true});
  }
  for (const Token vocabulary : size.padded) add_padded(make, vocabulary);
  return cases;
}

}  // namespace speclab
