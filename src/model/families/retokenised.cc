// retokenised(tokens=a-b-ab, target=[[..],..], next=[[..],..], start=0, draft-tokens=a-b,
// draft=[[..],..], length=n, tokeniser=longest|merges, reading=conditioned|joined|marginal|shared):
// draft and target have vocabularies of their own, whose tokens are strings.
//
// The drafter writes n of its tokens after the text so far, each from the row of the text's last
// character. What it wrote is made a string, and the target's tokeniser makes tokens of it, apart
// from the text before, whose tokens stand. The verifier reads
//   reading=conditioned  these tokens, each with probability 1: with sample-match this is
//                        string-level exact match
//   reading=joined       the same, but the text's last token and the string are tokenised together,
//                        and the tokens after the first are read, as transformers does: where a
//                        token spans the end of the text, a part of the string is lost
//   reading=marginal     their law given the tokens before, the strings summed out: with token this
//                        is string-level rejection sampling
//   reading=shared       no string: the drafter draws among the tokens that both models have
//                        (token-level intersection)
// The pair has one token more than the target's vocabulary, the last one, for the end of a draft.
// Drafts repeat it where the string has fewer tokens than are drafted. The target never draws it,
// so that it is never accepted.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "model/families/families.h"
#include "model/families/resetting.h"
#include "model/families/tokeniser.h"
#include "model/normalise.h"

namespace speclab {
namespace {

constexpr int kMostWritten = 32;
/// Of one beginning of the text; each is written out.
constexpr std::size_t kMostStrings = std::size_t{1} << 16;

using DraftRows = std::vector<std::vector<Rational>>;
/// Drafts as the target's tokens, each with its probability.
using Drafts = std::map<DraftKey, Rational>;

/// A drafter of strings: its tokens and a law of them for each character that ends a text, or one.
struct Drafter {
  TokenNames names;
  DraftRows rows;
  const std::string& characters;

  [[nodiscard]] const std::vector<Rational>& law(char last) const {
    return rows.size() == 1 ? rows.front() : rows[characters.find(last)];
  }
};

/// The ends of texts that a draft depends on, and the number of the empty text's.
struct Endings {
  std::vector<std::string> texts;
  std::size_t first = 0;
  std::vector<std::size_t> after;  ///< by the target's token: the ending that it makes
};

/// The last token, and none at first; or the last character; or nothing, if the draft depends on
/// neither.
Endings endings_of(const Tokeniser& tokeniser, bool of_tokens, bool of_characters) {
  const std::string& characters = tokeniser.characters();
  const TokenNames& names = tokeniser.names();
  Endings made{{characters.substr(0, 1)}, 0, std::vector<std::size_t>(names.size(), 0)};
  if (of_tokens) {
    made.texts = names;
    made.texts.emplace_back();
    made.first = names.size();
    std::iota(made.after.begin(), made.after.end(), std::size_t{0});
  } else if (of_characters) {
    made.texts.clear();
    for (const char c : characters) made.texts.emplace_back(1, c);
    for (std::size_t x = 0; x < names.size(); ++x) {
      made.after[x] = characters.find(names[x].back());
    }
  }
  return made;
}

/// Collects what the drafter writes after a text.
class Writer {
 public:
  /// @param joined  whether the text's end is tokenised too
  Writer(const SpecReader& spec, const Drafter& drafter, const Tokeniser& tokeniser, bool joined)
      : spec_(spec), drafter_(drafter), tokeniser_(tokeniser), joined_(joined) {}

  Drafts after(const std::string& ending, int length) {
    found_.clear();
    strings_ = 0;
    const char last = ending.empty() ? drafter_.characters.front() : ending.back();
    write(joined_ ? ending : "", last, length, Rational(1));
    if (!joined_ || ending.empty()) return std::move(found_);
    Drafts later;
    for (const auto& [tokens, probability] : found_) {
      later[DraftKey(tokens.begin() + 1, tokens.end())] += probability;
    }
    return later;
  }

 private:
  void write(const std::string& text, char last, int left, const Rational& probability) {
    if (left == 0) {
      if (++strings_ > kMostStrings) {
        spec_.refuse(
            fmt::format("its drafter writes more than {} strings; give a smaller length "
                        "or fewer draft tokens",
                        kMostStrings));
      }
      found_[tokeniser_.tokens(text)] += probability;
      return;
    }
    const auto& law = drafter_.law(last);
    for (std::size_t x = 0; x < law.size(); ++x) {
      if (!(law[x] > 0)) continue;
      const std::string& name = drafter_.names[x];
      write(text + name, name.back(), left - 1, Rational(probability * law[x]));
    }
  }

  const SpecReader& spec_;
  const Drafter& drafter_;
  const Tokeniser& tokeniser_;
  bool joined_;
  Drafts found_;
  std::size_t strings_ = 0;
};

/// The target with the end of a draft as a token that it never draws, and with the end of the text
/// as part of the state.
struct WithText {
  TargetAutomaton target;
  std::vector<std::size_t> last;  ///< by state: the ending's number
};

WithText with_text(const TargetAutomaton& inner, const Endings& endings) {
  const std::size_t width = endings.texts.size();
  WithText made;
  made.target.start = static_cast<State>(inner.start * width + endings.first);
  for (State s = 0; s < inner.states(); ++s) {
    for (std::size_t c = 0; c < width; ++c) {
      const auto self = static_cast<State>(made.last.size());
      made.last.push_back(c);
      made.target.laws.push_back(inner.laws[s]);
      made.target.laws.back().push_back(Rational(0));
      std::vector<State> moves;
      for (std::size_t x = 0; x < inner.vocabulary(); ++x) {
        moves.push_back(static_cast<State>(inner.next[s][x] * width + endings.after[x]));
      }
      moves.push_back(self);
      made.target.next.push_back(std::move(moves));
    }
  }
  return made;
}

std::vector<Rational> one_hot(std::size_t width, std::size_t token) {
  std::vector<Rational> law(width, Rational(0));
  law[token] = 1;
  return law;
}

/// A key is the tokens that are still to be drafted.
ResettingDraft conditioned_strings(const std::vector<Drafts>& drafts, const WithText& text,
                                   int longest) {
  const std::size_t width = text.target.vocabulary();
  return {.longest = longest,
          .begin =
              [&](State context) {
                const Drafts& here = drafts[text.last[context]];
                return std::vector<std::pair<DraftKey, Rational>>(here.begin(), here.end());
              },
          .law =
              [width](const DraftKey& key) {
                return one_hot(width,
                               key.empty() ? width - 1 : static_cast<std::size_t>(key.front()));
              },
          .next = [](const DraftKey& key, Token,
                     State) { return key.empty() ? key : DraftKey(key.begin() + 1, key.end()); }};
}

/// A key is the number of the ending, then the tokens of the draft so far.
ResettingDraft marginal_strings(const std::vector<Drafts>& drafts, const WithText& text,
                                int longest) {
  const std::size_t width = text.target.vocabulary();
  const auto law = [&, width](const DraftKey& key) {
    const auto begun = [&](const DraftKey& draft) {
      return draft.size() + 1 >= key.size() &&
             std::equal(key.begin() + 1, key.end(), draft.begin());
    };
    std::vector<Rational> law(width, Rational(0));
    Rational total(0);
    for (const auto& [draft, probability] : drafts[static_cast<std::size_t>(key.front())]) {
      if (!begun(draft)) continue;
      const bool ends = draft.size() + 1 == key.size();
      law[ends ? width - 1 : static_cast<std::size_t>(draft[key.size() - 1])] += probability;
      total += probability;
    }
    if (total == 0) return one_hot(width, width - 1);  // after the end, or what is never drafted
    normalise(law);
    return law;
  };
  return {.longest = longest,
          .begin = [&](State context) -> std::vector<std::pair<DraftKey, Rational>> {
            return {{{static_cast<int>(text.last[context])}, Rational(1)}};
          },
          .law = law,
          .next =
              [](DraftKey key, Token x, State) {
                key.push_back(x);
                return key;
              }};
}

/// A key is the number of the ending. Where the drafter's law has none of the tokens that
/// both models have, it is uniform on them.
ResettingDraft shared_tokens(const SpecReader& spec, const Drafter& drafter,
                             const Tokeniser& tokeniser, const WithText& text, int length) {
  DraftRows laws;
  for (const auto& row : drafter.rows) {
    std::vector<Rational> law(text.target.vocabulary(), Rational(0)), common = law;
    Rational total(0), size(0);
    for (std::size_t x = 0; x < row.size(); ++x) {
      const auto token = tokeniser.number(drafter.names[x]);
      if (!token) continue;
      law[static_cast<std::size_t>(*token)] = row[x];
      common[static_cast<std::size_t>(*token)] = 1;
      total += row[x];
      size += 1;
    }
    if (size == 0) {
      spec.refuse("the vocabularies have no token in common; take another reading than shared");
    }
    laws.push_back(total > 0 ? law : common);
    normalise(laws.back());
  }
  const auto key_of = [&text](State context) {
    return DraftKey{static_cast<int>(text.last[context])};
  };
  return {
      .longest = length,
      .begin = [key_of](State context) -> std::vector<std::pair<DraftKey, Rational>> {
        return {{key_of(context), Rational(1)}};
      },
      .law = [laws](const DraftKey& key) { return laws[static_cast<std::size_t>(key.front())]; },
      .next = [key_of](const DraftKey&, Token, State after) { return key_of(after); }};
}

/// Refuses a token with a character that the target has no token for.
void check_characters(const SpecReader& spec, const Tokeniser& tokeniser, const TokenNames& names) {
  for (const std::string& name : names) {
    for (const char c : name) {
      if (tokeniser.characters().find(c) != std::string::npos) continue;
      spec.refuse(
          fmt::format("the token '{}' has the character {}, which is no token of the "
                      "target; add {} to tokens, so that every string can be tokenised",
                      name, c, c));
    }
  }
}

}  // namespace

PairPointer make_retokenised(SpecReader& spec) {
  const TokenNames target_names = read_token_names(spec, "tokens");
  const TargetAutomaton inner = read_target(spec);
  if (inner.vocabulary() != target_names.size()) {
    spec.refuse(
        fmt::format("tokens has {} tokens and target, state 0 has {} entries; give one "
                    "entry a token",
                    target_names.size(), inner.vocabulary()));
  }
  const TokenNames draft_names = read_token_names(spec, "draft-tokens");
  DraftRows rows = read_draft_rows(spec, 1, "drafters", draft_names.size());
  const int length = static_cast<int>(spec.integer("length", 1, kMostWritten));
  const bool merges = spec.word("tokeniser", {"longest", "merges"}, "longest") == "merges";
  const std::string reading =
      spec.word("reading", {"conditioned", "joined", "marginal", "shared"}, "conditioned");

  const Tokeniser tokeniser(target_names, merges);
  check_characters(spec, tokeniser, target_names);
  check_characters(spec, tokeniser, draft_names);
  const std::string& characters = tokeniser.characters();
  if (rows.size() != 1 && rows.size() != characters.size()) {
    spec.refuse(
        fmt::format("draft has {} rows; give one, or one for each last character of the "
                    "text, in the order of tokens: {}",
                    rows.size(), characters));
  }
  const Drafter drafter{draft_names, std::move(rows), characters};
  const bool joined = reading == "joined";
  const Endings endings = endings_of(tokeniser, joined, drafter.rows.size() > 1);
  const WithText text = with_text(inner, endings);
  if (reading == "shared") {
    return make_resetting(spec, text.target, shared_tokens(spec, drafter, tokeniser, text, length));
  }
  std::vector<Drafts> drafts;
  std::size_t longest = 1;
  Writer writer(spec, drafter, tokeniser, joined);
  for (const std::string& end : endings.texts) {
    drafts.push_back(writer.after(end, length));
    for (const auto& draft : drafts.back()) longest = std::max(longest, draft.first.size());
  }
  const int most = static_cast<int>(longest);
  return make_resetting(spec, text.target,
                        reading == "marginal" ? marginal_strings(drafts, text, most)
                                              : conditioned_strings(drafts, text, most));
}

}  // namespace speclab
