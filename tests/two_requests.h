#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "model/rows.h"
#include "run/batch_split.h"

namespace speclab {

// A batch of two requests with token verification by an enumeration of its own, in fractions.

using Text = std::vector<Token>;
using Texts = std::pair<Text, Text>;

/// Draft probabilities of tokens that were accepted or refused, sorted.
using History = std::vector<std::pair<Rational, bool>>;

/// Both texts, the lengths that both requests draft at most, and what became of their drafts.
struct Batch {
  Texts texts{};
  std::pair<int, int> longest{};
  std::pair<History, History> histories{};
  auto operator<=>(const Batch&) const = default;
};

/// What a request drafts, with the scores of a split.
struct Draft {
  Text tokens{};
  Rational weight{1};
  Rational last{1};  ///< d(x) of the last token
  std::vector<Rational> scores{};
};

/// Two requests with token verification, in fractions.
class TwoRequests {
 public:
  TwoRequests(const std::string& pair, const BatchSetting& setting)
      : rows_(make_pair(pair)), setting_(setting) {
    std::map<Batch, Rational> at{{{{}, {setting.gamma, setting.gamma}, {}}, Rational(1)}};
    while (!at.empty()) {
      std::map<Batch, Rational> after;
      for (const auto& [batch, mass] : at) {
        const Texts& texts = batch.texts;
        if (done(texts.first) && done(texts.second)) {
          law[texts] += mass;
          continue;
        }
        steps += mass;
        request_steps += mass * (2 - done(texts.first) - done(texts.second));
        step(batch, mass, after);
      }
      at = std::move(after);
    }
  }

  /// TV of the first n tokens of both requests, or of one alone.
  Rational distance(std::size_t n, bool first, bool second) const {
    std::map<Texts, Rational> difference;
    const auto cut = [n](const Text& text, bool kept) {
      return Text(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(kept ? n : 0));
    };
    for (const auto& [texts, mass] : law) {
      const Texts short_ones{cut(texts.first, first), cut(texts.second, second)};
      difference[short_ones] += mass;
    }
    const auto targets = [&](bool kept) {
      std::map<Text, Rational> all{{{}, Rational(1)}};
      for (std::size_t i = 0; kept && i < n; ++i) {
        std::map<Text, Rational> longer;
        for (const auto& [text, mass] : all) {
          for (Token x = 0; x < rows_.vocabulary(); ++x)
            longer[joined(text, {x})] = mass * target(state(text), x);
        }
        all = longer;
      }
      return all;
    };
    for (const auto& [one, mass] : targets(first)) {
      for (const auto& [other, more] : targets(second)) difference[{one, other}] -= mass * more;
    }
    Rational sum(0);
    for (const auto& [texts, gap] : difference) sum += abs(gap);
    return sum / 2;
  }

  Rational steps{0}, request_steps{0}, verified{0};
  Rational accepted{0};  ///< by both in the first step
  std::map<Texts, Rational> law;

 private:
  static Text joined(Text text, const Text& more) {
    text.insert(text.end(), more.begin(), more.end());
    return text;
  }
  [[nodiscard]] int left(const Text& text) const {
    return setting_.horizon - static_cast<int>(text.size());
  }
  [[nodiscard]] bool done(const Text& text) const { return left(text) == 0; }
  [[nodiscard]] State state(const Text& text) const {
    State at = rows_.pair().start().front().state;
    for (const Token x : text) at = rows_.next(at, x);
    return at;
  }
  Rational draft(State at, Token x) const { return rows_.draft(at)[static_cast<std::size_t>(x)]; }
  Rational target(State at, Token x) const { return rows_.target(at)[static_cast<std::size_t>(x)]; }

  /// Of every probability seen, from the largest on, the first with the least fpr + 3 fnr.
  static Rational threshold(const History& history) {
    std::vector<Rational> all;
    Rational yes(0), no(0);
    for (const auto& [p, accepted] : history) {
      all.push_back(p);
      (accepted ? yes : no) += 1;
    }
    Rational found(2, 5), least(-1);
    if (all.size() <= 5 || yes == 0 || no == 0) return found;
    std::sort(all.rbegin(), all.rend());
    for (const Rational& at : all) {
      Rational cost(0);
      for (const auto& [p, accepted] : history) {
        if (!accepted && p >= at) cost += 1 / no;
        if (accepted && p < at) cost += 3 / yes;
      }
      if (least < 0 || cost < least) {
        least = cost;
        found = at;
      }
    }
    return found;
  }

  std::vector<Draft> drafts(const Text& text, int longest, const History& history) const {
    const Rational below = setting_.split == BatchSplit::roc ? threshold(history) : Rational(0);
    std::vector<Draft> all{{}};
    for (int i = 0; i < std::min(longest, left(text)); ++i) {
      std::vector<Draft> longer;
      for (const Draft& prefix : all) {
        if (i > 0 && prefix.last < below) {
          longer.push_back(prefix);
          continue;
        }
        for (Token x = 0; x < rows_.vocabulary(); ++x) {
          const State at = state(joined(text, prefix.tokens));
          Draft next = prefix;
          next.tokens.push_back(x);
          next.weight *= draft(at, x);
          next.last = draft(at, x);
          next.scores.push_back(score(text, next.tokens));
          if (draft(at, x) > 0) longer.push_back(next);
        }
      }
      all = longer;
    }
    return all;
  }

  Rational score(const Text& text, const Text& block) const {
    Rational own(1), top(1), known(1), kept(1);
    const auto over = [&](const auto& each) {
      std::vector<Rational> all;
      for (Token y = 0; y < rows_.vocabulary(); ++y) all.push_back(each(y));
      return all;
    };
    for (std::size_t i = 0; i < block.size(); ++i) {
      const State at =
          state(joined(text, {block.begin(), block.begin() + static_cast<std::ptrdiff_t>(i)}));
      const Token x = block[i];
      own *= draft(at, x);
      const auto drafts = over([&](Token y) { return draft(at, y); });
      top *= *std::max_element(drafts.begin(), drafts.end());
      const auto both = over([&](Token y) { return std::min(draft(at, y), target(at, y)); });
      const Rational overlap = std::accumulate(both.begin(), both.end(), Rational(0));
      known *= overlap;
      const bool last = i + 1 == block.size();
      kept *= last ? overlap : std::min(Rational(1), Rational(target(at, x) / draft(at, x)));
    }
    switch (setting_.split) {
      case BatchSplit::even:
      case BatchSplit::adaptive:
      case BatchSplit::roc:
        return -Rational(static_cast<long>(block.size()));
      case BatchSplit::own:
        return own;
      case BatchSplit::top:
        return top;
      case BatchSplit::known:
        return known;
      case BatchSplit::survival:
        break;
    }
    return kept;
  }

  /// What token verification of the first `length` tokens emits.
  std::map<Text, Rational> emitted(const Text& text, const Draft& block, std::size_t length) const {
    std::map<Text, Rational> found;
    Text accepted;
    Rational reached(1);
    for (std::size_t i = 0; i < length; ++i) {
      const State at = state(joined(text, accepted));
      const Token x = block.tokens[i];
      const Rational kept = std::min(Rational(1), Rational(target(at, x) / draft(at, x)));
      Rational excess(0);
      for (Token y = 0; y < rows_.vocabulary(); ++y) {
        excess += std::max(Rational(0), Rational(target(at, y) - draft(at, y)));
      }
      for (Token y = 0; kept < 1 && y < rows_.vocabulary(); ++y) {
        const Rational more = target(at, y) - draft(at, y);
        if (more > 0) found[joined(accepted, {y})] += reached * (1 - kept) * more / excess;
      }
      reached *= kept;
      accepted.push_back(x);
    }
    if (static_cast<int>(length) == left(text)) {
      found[accepted] += reached;
    } else {
      const State at = state(joined(text, accepted));
      for (Token x = 0; x < rows_.vocabulary(); ++x)
        found[joined(accepted, {x})] += reached * target(at, x);
    }
    return found;
  }

  /// How many of the first `length` tokens of a draft an emitted text begins with: those accepted,
  /// as a correction is never the drafted token.
  static long kept(const Draft& block, std::size_t length, const Text& text) {
    std::size_t i = 0;
    while (i < std::min(length, text.size()) && text[i] == block.tokens[i]) ++i;
    return static_cast<long>(i);
  }

  /// What a request drafts at most once its draft's first `length` tokens were verified.
  [[nodiscard]] int next(int longest, const Draft& block, std::size_t length,
                         const Text& text) const {
    if (setting_.split != BatchSplit::adaptive) return longest;
    // A correction is never the drafted token.
    const Text head(block.tokens.begin(),
                    block.tokens.begin() + static_cast<std::ptrdiff_t>(length));
    const bool whole = text.size() >= length && std::equal(head.begin(), head.end(), text.begin());
    if (whole) return std::min(setting_.gamma, longest + 2);
    return std::max(1, longest - 1);
  }

  /// The history after the first `length` tokens of a draft were verified.
  History judged_after(History history, const Text& before, const Draft& block, std::size_t length,
                       const Text& text) const {
    const auto accepted = static_cast<std::size_t>(kept(block, length, text));
    if (setting_.split != BatchSplit::roc) return history;
    Text here = before;
    for (std::size_t i = 0; i < std::min(length, accepted + 1); ++i) {
      history.emplace_back(draft(state(here), block.tokens[i]), i < accepted);
      here.push_back(block.tokens[i]);
    }
    std::sort(history.begin(), history.end());
    return history;
  }

  void step(const Batch& batch, const Rational& mass, std::map<Batch, Rational>& after) {
    const Texts& texts = batch.texts;
    for (const Draft& one : drafts(texts.first, batch.longest.first, batch.histories.first)) {
      for (const Draft& other :
           drafts(texts.second, batch.longest.second, batch.histories.second)) {
        std::size_t a = 0, b = 0;
        for (int n = 0; n < setting_.budget; ++n) {
          const bool has_a = a < one.scores.size(), has_b = b < other.scores.size();
          if (has_a && (!has_b || one.scores[a] >= other.scores[b])) {
            ++a;
          } else if (has_b) {
            ++b;
          }
        }
        const Rational weight = mass * one.weight * other.weight;
        verified += weight * static_cast<long>(a + b);
        const auto all = [&](const Text& text, const Draft& block, std::size_t length) {
          return done(text) ? std::map<Text, Rational>{{{}, Rational(1)}}
                            : emitted(text, block, length);
        };
        for (const auto& [x, of_x] : all(texts.first, one, a)) {
          for (const auto& [y, of_y] : all(texts.second, other, b)) {
            if (of_x * of_y == 0) continue;
            if (texts.first.empty() && texts.second.empty()) {
              accepted += weight * of_x * of_y * (kept(one, a, x) + kept(other, b, y));
            }
            after[{{joined(texts.first, x), joined(texts.second, y)},
                   {next(batch.longest.first, one, a, x), next(batch.longest.second, other, b, y)},
                   {judged_after(batch.histories.first, texts.first, one, a, x),
                    judged_after(batch.histories.second, texts.second, other, b, y)}}] +=
                weight * of_x * of_y;
          }
        }
      }
    }
  }

  Rows<Rational> rows_;
  BatchSetting setting_;
};

}  // namespace speclab
