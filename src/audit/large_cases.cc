#include "audit/large_cases.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>

#include "base/json.h"
#include "base/random.h"
#include "model/families/listed_tree.h"

namespace speclab {
namespace {

constexpr std::array<Token, 3> kVocabularies{1'000, 32'000, 128'256};
constexpr int kUnits = 24;       ///< the probabilities' denominator
constexpr int kSeveralLong = 2;  ///< draft length of several drafts

/// The laws at the prefixes of some drafts, as rows and as JSON.
class SparseLaws {
 public:
  explicit SparseLaws(Token vocabulary) : vocabulary_(vocabulary) {}

  void add(const std::vector<Token>& prefix, const std::map<Token, int>& units) {
    std::vector<Rational> law(static_cast<std::size_t>(vocabulary_), Rational(0));
    std::string key;
    for (const Token x : prefix) key += (key.empty() ? "" : ",") + std::to_string(x);
    Json& row = object_[key] = Json::object();
    for (const auto& [x, count] : units) {
      const Rational p(count, kUnits);
      row[std::to_string(x)] = to_text(p);
      law[static_cast<std::size_t>(x)] = p;
    }
    laws_[prefix] = std::move(law);
  }
  [[nodiscard]] const ListedLaws& laws() const { return laws_; }
  [[nodiscard]] const Json& object() const { return object_; }

 private:
  Token vocabulary_;
  ListedLaws laws_;
  Json object_ = Json::object();
};

/// Tokens that become likelier from the first law to the second.
std::size_t rising(const std::map<Token, int>& draft, const std::map<Token, int>& target) {
  return static_cast<std::size_t>(std::count_if(target.begin(), target.end(), [&](auto each) {
    const auto before = draft.find(each.first);
    return before == draft.end() || each.second > before->second;
  }));
}

/// Whether a law after `prefix` draws the next token of each chain that begins so.
bool draws_all(const std::map<Token, int>& draft, const std::vector<Token>& prefix,
               const std::vector<std::vector<Token>>& chains) {
  return std::all_of(chains.begin(), chains.end(), [&](const std::vector<Token>& chain) {
    return chain.size() == prefix.size() ||
           !std::equal(prefix.begin(), prefix.end(), chain.begin()) ||
           draft.contains(chain[prefix.size()]);
  });
}

/// @param least  tokens of each residual at least
PlacedCase large_case(Token vocabulary, const std::vector<Token>& tokens, int gamma, int drafts,
                      std::size_t least, Stream& stream) {
  std::vector<std::vector<Token>> chains;
  for (int j = 0; j < drafts; ++j) {
    auto& chain = chains.emplace_back();
    for (int i = 0; i < gamma; ++i) {
      chain.push_back(tokens[static_cast<std::size_t>(j + 3 * i + 1) % tokens.size()]);
    }
  }
  SparseLaws draft(vocabulary), target(vocabulary);
  for (const auto& chain : chains) {
    for (std::size_t i = 0; i <= chain.size(); ++i) {
      const std::vector<Token> prefix(chain.begin(),
                                      chain.begin() + static_cast<std::ptrdiff_t>(i));
      if (draft.laws().contains(prefix)) continue;
      // The drafted token is accepted often, not always, so that each length is seen.
      const Token x = i < chain.size() ? chain[i] : tokens.back();
      std::map<Token, int> before, after;
      do {
        before = random_units(tokens, x, {6, kUnits}, stream);
        after = random_units(tokens, x, {5, kUnits}, stream);
      } while (rising(before, after) < least || !draws_all(before, prefix, chains));
      draft.add(prefix, before);
      target.add(prefix, after);
    }
  }
  const auto pair = std::make_shared<const ListedTreePair>(vocabulary, draft.laws(), target.laws());
  const Json text{{"vocabulary", vocabulary},
                  {"kind", "tree"},
                  {"draft", draft.object()},
                  {"target", target.object()}};
  PlacedCase made;
  made.plan.shape = {
      .pair = text.dump(), .vocabulary = vocabulary, .gamma = gamma, .drafts = drafts};
  made.place = place_on(pair, gamma, std::move(chains));
  return made;
}

}  // namespace

std::vector<Token> tokens_at_ends(Token vocabulary) {
  std::set<Token> tokens{0, vocabulary / 2, vocabulary - 2, vocabulary - 1};
  for (const Token block : {32, 256, 1024, 4096, 8192, 32'768, 65'536}) {
    for (const Token x : {block - 1, block}) {
      if (x < vocabulary) tokens.insert(x);
    }
  }
  return {tokens.begin(), tokens.end()};
}

std::vector<Token> spread_tokens(Token vocabulary) {
  std::set<Token> tokens;
  for (const Token x : tokens_at_ends(vocabulary)) tokens.insert(x);
  for (Token x = 0; x < vocabulary; x += 1 + vocabulary / 24) tokens.insert(x);
  return {tokens.begin(), tokens.end()};
}

std::map<Token, int> random_units(const std::vector<Token>& tokens, Token x, LawUnits units,
                                  Stream& stream) {
  std::map<Token, int> made{{x, units.least}};
  for (int i = units.least; i < units.all; ++i) ++made[tokens[stream() % tokens.size()]];
  return made;
}

std::vector<PlacedCase> large_cases(int drafts) {
  constexpr int kLong = 7;
  constexpr int kOfEach = 2;
  constexpr std::uint64_t kTrials = 500;  // their rows are long
  Stream stream(stream_key(1, task_hash("large audit")), 0, 0, Purpose::prompt);
  std::vector<PlacedCase> cases;
  for (const Token vocabulary : kVocabularies) {
    for (int i = 0; i < kOfEach; ++i) {
      cases.push_back(large_case(vocabulary, tokens_at_ends(vocabulary),
                                 drafts == 1 ? kLong : kSeveralLong, drafts, 0, stream));
      cases.back().plan.least_trials = kTrials;
    }
  }
  return cases;
}

std::vector<PlacedCase> wide_cases(int drafts) {
  struct Shape {
    Token vocabulary;
    int gamma;
    std::uint64_t trials;
  };
  constexpr std::array kShapes{Shape{8, 8, 8'000}, Shape{16, 7, 8'000}, Shape{64, 6, 8'000},
                               Shape{2'048, 6, 1'000}};
  constexpr std::size_t kResidual = 4;
  Stream stream(stream_key(1, task_hash("wide audit")), 0, 0, Purpose::prompt);
  std::vector<PlacedCase> cases;
  for (const Shape& each : kShapes) {
    cases.push_back(large_case(each.vocabulary, spread_tokens(each.vocabulary),
                               drafts == 1 ? each.gamma : kSeveralLong, drafts, kResidual, stream));
    cases.back().plan.least_trials = each.trials;
  }
  return cases;
}

}  // namespace speclab
