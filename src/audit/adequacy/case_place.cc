#include "audit/adequacy/case_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "model/families/automaton.h"
#include "model/families/json_law.h"
#include "model/families/listed_tree.h"

namespace speclab {
namespace {

using LawRows = std::vector<std::vector<Rational>>;

constexpr Token kMostCaseTokens = 4096;
constexpr std::size_t kLongestChain = 64;

class CasePlaceReader {
 public:
  CasePlaceReader(const Json& object, const std::string& where, const Verifier& rule)
      : object_(object), where_(where), verifier_(rule) {}

  AuditPlace read() const {
    const Json& draft = needed("draft_probs");
    const Json& target = needed("target_probs");
    const Json* tokens = object_.find("draft_tokens");
    const bool deep = draft.is_array() && !draft.empty() && draft[0].is_array() &&
                      !draft[0].empty() && draft[0][0].is_array();
    if (deep && tokens == nullptr) {
      refuse("rows along chains need their draft_tokens; give them, or one list of rows");
    }
    std::vector<LawRows> drawn, wanted;
    for (std::size_t k = 0; k < (deep ? draft.size() : 1); ++k) {
      drawn.push_back(read_rows(deep ? draft[k] : draft, "draft_probs"));
      if (deep && (!target.is_array() || target.size() != draft.size())) {
        refuse("target_probs has not as many chains as draft_probs");
      }
      wanted.push_back(read_rows(deep ? target[k] : target, "target_probs"));
      check_shape(drawn, wanted);
    }
    const auto gamma = drawn.front().size();
    const auto vocabulary = static_cast<Token>(drawn.front().front().size());
    std::vector<std::vector<Token>> given;
    if (tokens != nullptr) {
      const bool chains = tokens->is_array() && !tokens->empty() && (*tokens)[0].is_array();
      for (std::size_t k = 0; k < (chains ? tokens->size() : 1); ++k) {
        given.push_back(read_chain(chains ? (*tokens)[k] : *tokens, gamma, vocabulary));
      }
      const auto drafts = static_cast<std::size_t>(std::max(verifier_.drafts, 1));
      if (given.size() != drafts || (deep && drawn.size() != given.size())) {
        refuse(fmt::format("draft_tokens has {} drafts; {} takes {}", given.size(), verifier_.name,
                           drafts));
      }
    } else {
      check_drawn(drawn.front());
    }
    const PairPointer pair =
        deep ? along_chains(given, drawn, wanted) : by_position(drawn.front(), wanted.front());
    AuditPlace made = place_on(pair, static_cast<int>(gamma), std::move(given));
    check_given(made);
    return made;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(where_ + ": " + message);
  }

  const Json& needed(const char* key) const {
    const Json* value = object_.find(key);
    if (value == nullptr) refuse(fmt::format("it lacks the key \"{}\"", key));
    return *value;
  }

  /// [g][V] of a member.
  LawRows read_rows(const Json& rows, const std::string& key) const {
    if (!rows.is_array() || rows.empty() || rows.size() > kLongestChain + 1) {
      refuse(fmt::format("{} is no list of 1 to {} rows", key, kLongestChain + 1));
    }
    LawRows made;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string at = fmt::format("{}: {}[{}]", where_, key, i);
      const std::size_t size = rows[i].is_array() ? rows[i].size() : 0;
      if (size < 1 || size > kMostCaseTokens) {
        throw InputError(
            fmt::format("{} is no list of 1 to {} probabilities", at, kMostCaseTokens));
      }
      made.push_back(read_json_law(rows[i], static_cast<Token>(size), at));
      if (made.back().size() != made.front().size()) {
        throw InputError(fmt::format("{} has {} entries and {}[0] has {}; give one a token", at,
                                     made.back().size(), key, made.front().size()));
      }
    }
    return made;
  }

  std::vector<Token> read_chain(const Json& chain, std::size_t length, Token vocabulary) const {
    if (!chain.is_array() || chain.size() != length) {
      refuse(fmt::format("draft_tokens is not of the {} tokens that draft_probs has rows for",
                         length));
    }
    std::vector<Token> tokens;
    for (const Json& token : chain) {
      if (!token.is_number_unsigned() ||
          token.get<std::uint64_t>() >= static_cast<std::uint64_t>(vocabulary)) {
        refuse(fmt::format("draft_tokens has {}; give tokens from 0 to {}",
                           abbreviate(token.dump()), vocabulary - 1));
      }
      tokens.push_back(token.get<Token>());
    }
    return tokens;
  }

  void check_shape(const std::vector<LawRows>& drawn, const std::vector<LawRows>& wanted) const {
    const LawRows& draft = drawn.back();
    const LawRows& target = wanted.back();
    if (target.front().size() != draft.front().size() ||
        draft.front().size() != drawn.front().front().size()) {
      refuse(fmt::format("target_probs is of {} tokens and draft_probs of {}; give as many",
                         target.front().size(), draft.front().size()));
    }
    if (target.size() != draft.size() + 1 || draft.size() != drawn.front().size()) {
      refuse(
          fmt::format("target_probs has {} rows and draft_probs has {}; give one row more, for "
                      "the bonus token",
                      target.size(), draft.size()));
    }
  }

  /// Laws of drawn drafts are sums over all of them.
  void check_drawn(const LawRows& draft) const {
    double sets = 1;
    for (const auto& row : draft) {
      sets *= static_cast<double>(
          std::count_if(row.begin(), row.end(), [](const Rational& entry) { return entry > 0; }));
    }
    sets = std::pow(sets, std::max(verifier_.drafts, 1));
    if (sets <= kMostDrawnSets) return;
    refuse(
        fmt::format("its rows draw {:.3g} sets of drafts, and {:.3g} can be summed over; give "
                    "draft_tokens, fewer rows or fewer tokens",
                    sets, kMostDrawnSets));
  }

  void check_given(const AuditPlace& place) const {
    for (const auto& chain : place.chains) {
      const auto states = states_along(place, chain);
      for (std::size_t i = 0; i < chain.size(); ++i) {
        if (place.rows->draft(states[i])[static_cast<std::size_t>(chain[i])] > 0) continue;
        refuse(
            fmt::format("draft_tokens has {} at {}, which its row gives probability 0; the "
                        "draft cannot draw it",
                        chain[i], i));
      }
    }
  }

  static PairPointer by_position(const LawRows& draft, const LawRows& target) {
    std::vector<AutomatonState> states;
    for (std::size_t i = 0; i < target.size(); ++i) {
      const auto next = static_cast<State>(std::min(i + 1, target.size() - 1));
      states.push_back({draft[std::min(i, draft.size() - 1)], target[i],
                        std::vector<State>(target[i].size(), next)});
    }
    return std::make_shared<AutomatonPair>(std::move(states));
  }

  PairPointer along_chains(const std::vector<std::vector<Token>>& chains,
                           const std::vector<LawRows>& draft,
                           const std::vector<LawRows>& target) const {
    ListedLaws drawn, wanted;
    for (std::size_t k = 0; k < chains.size(); ++k) {
      std::vector<Token> prefix;
      for (std::size_t i = 0; i < target[k].size(); ++i) {
        const auto& row = draft[k][std::min(i, draft[k].size() - 1)];
        const auto put = [&](ListedLaws& laws, const std::vector<Rational>& law) {
          const auto [place, added] = laws.try_emplace(prefix, law);
          if (!added && place->second != law) {
            refuse(fmt::format("draft {} has other rows than an earlier one after the same tokens",
                               k));
          }
        };
        put(wanted, target[k][i]);
        if (i < chains[k].size()) {
          put(drawn, row);
          prefix.push_back(chains[k][i]);
        }
      }
    }
    return std::make_shared<ListedTreePair>(static_cast<Token>(draft[0][0].size()), drawn, wanted);
  }

  const Json& object_;
  const std::string& where_;
  const Verifier& verifier_;
};

}  // namespace

AuditPlace read_case_place(const Json& object, const std::string& where, const Verifier& rule) {
  return CasePlaceReader(object, where, rule).read();
}

}  // namespace speclab
