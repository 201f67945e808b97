// ngram(text=, draft=, target=, temperature=, tokens=, vocabulary=, smoothing=, discount= |
// alpha=, prompt=): n-gram models of orders `draft` and `target` of one text (order 1 = unigram).
//
// The context h of a model of order n is the longest suffix of the history, of at most n - 1
// tokens, that occurs in the text. With c(h) the number of tokens that follow h in the text, c(hx)
// how many of them are x, N(h) how many different ones, and h' the context h without its first
// token:
//
//   smoothing=backoff    P(x|h) = [c(hx) - discount]+ / c(h) + discount N(h) / c(h) P(x|h'),
//                        below the empty context the uniform law: interpolated absolute
//                        discounting (Ney, Essen and Kneser 1994)
//   smoothing=additive   P(x|h) = (c(hx) + alpha) / (c(h) + alpha V)
//
// The temperatures (model/filter.h) are applied here, to the weights before they are divided by
// their sum.
//
// prompt=text (the default): a decode starts after the tokens before a place of the
// text, one of kPromptPlaces places evenly spaced over it, equally likely (in a shorter text every
// place); with M the larger order these are the M - 1 tokens that the models can see. prompt=start:
// without context, as at the start of the text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "model/families/families.h"
#include "model/families/ngram_counts.h"
#include "model/filter.h"
#include "model/normalise.h"
#include "model/tokens.h"
#include "system/memory.h"
#include "system/read_file.h"

namespace speclab {
namespace {

constexpr long long kMaxOrder = 8;

/// Places of the text that prompts are drawn from: enough for the mean over all of them, and few
/// enough to sum over.
constexpr std::size_t kPromptPlaces = 1024;

struct NgramOptions {
  int draft = 1;
  int target = 3;
  double draft_temperature = 1;
  double target_temperature = 1;
  bool backoff = true;
  double smoothing = 0;  ///< discount, or alpha
  bool prompts = true;   ///< from the text
};

/// The states at the places of the text that prompts are drawn from, by state.
std::vector<Start> drawn_prompts(const NgramCounts& counts, std::span<const Token> tokens,
                                 std::size_t depth) {
  const std::size_t places = tokens.size() - depth;
  const std::size_t drawn = std::min(places, kPromptPlaces);
  std::map<State, int> times;
  for (std::size_t i = 0; i < drawn; ++i) {
    State state = 0;
    for (const Token token : tokens.subspan(i * places / drawn, depth)) {
      state = counts.next(state, token);
    }
    ++times[state];
  }
  std::vector<Start> starts;
  for (const auto& [state, count] : times) {
    starts.push_back({state, Rational(count) / static_cast<int>(drawn)});
  }
  return starts;
}

class NgramPair final : public DoublePair {
 public:
  NgramPair(const TokenText& text, const NgramOptions& options)
      : vocabulary_(static_cast<Token>(text.names.size())),
        options_(options),
        counts_(text.tokens, std::max(options.draft, options.target)),
        root_count_(static_cast<double>(text.tokens.size())) {
    if (!options.prompts) return;
    const int order = std::max(options.draft, options.target);
    starts_ = drawn_prompts(counts_, text.tokens, static_cast<std::size_t>(order) - 1);
  }

  using DoublePair::rows;
  [[nodiscard]] Token vocabulary() const override { return vocabulary_; }
  [[nodiscard]] State states() const override { return counts_.states(); }
  [[nodiscard]] State next(State state, Token token) const override {
    return counts_.next(state, token);
  }
  [[nodiscard]] State draft_state(State state) const override {
    return context(state, options_.draft);
  }
  [[nodiscard]] std::vector<Start> start() const override { return starts_; }
  [[nodiscard]] std::size_t bytes() const override { return counts_.bytes(); }
  void rows(State state, std::span<double> draft, std::span<double> target) const override {
    fill(state, options_.draft, options_.draft_temperature, draft);
    if (const auto scaled = scaled_target(state, draft)) {
      write_row(*scaled, draft, target);
    } else {
      fill(state, options_.target, options_.target_temperature, target);
    }
  }

  /// Back-off of the target's order goes on, from the draft's context, with the draft's law: each
  /// longer context multiplies it and adds to the tokens that follow there.
  [[nodiscard]] std::optional<ScaledTarget> scaled_target(
      State state, std::span<const double> draft) const override {
    if (!scales()) return std::nullopt;
    std::vector<State> longer;  // contexts, the longest first
    const State drafted = context(state, options_.draft);
    for (State at = context(state, options_.target); at != drafted; at = counts_.suffix(at)) {
      longer.push_back(at);
    }
    ScaledTarget law;
    law.share = 1;
    std::for_each(longer.rbegin(), longer.rend(), [&](State at) { add_context(at, law); });
    // What was added so far becomes the probability.
    for (auto& other : law.others) {
      if (options_.target_temperature != 1) {
        other.target = law.share + other.target / probability(drafted, other.token);
      } else {
        other.target += law.share * draft[static_cast<std::size_t>(other.token)];
      }
    }
    if (options_.target_temperature != 1) temper_ratios(draft, law);
    std::erase_if(law.others, [&](const ScaledTarget::Other& other) {
      return !(other.target > law.share * draft[static_cast<std::size_t>(other.token)]);
    });
    return law;
  }

 private:
  /// The context of a model of this order in a state.
  [[nodiscard]] State context(State state, int order) const {
    while (counts_.depth(state) >= order) state = counts_.suffix(state);
    return state;
  }

  void fill(State state, int order, double temperature, std::span<double> law) const {
    state = context(state, order);
    if (options_.backoff) {
      discounted(state, law);
    } else {
      additive(state, law);
    }
    apply_temperature(temperature, law);
    normalise(law);
  }

  /// Whether every target law is a multiple of the draft's, which has every token, and additions:
  /// at low temperatures the rarest tokens are 0 as doubles.
  [[nodiscard]] bool scales() const {
    constexpr double kLeastTemperature = 1.0 / 16;
    return options_.backoff && options_.smoothing > 0 && options_.draft <= options_.target &&
           options_.draft_temperature == options_.target_temperature &&
           options_.target_temperature >= kLeastTemperature;
  }

  /// P(token | context) by back-off, without a temperature.
  [[nodiscard]] double probability(State context, Token token) const {
    const double below =
        context == 0 ? 1.0 / vocabulary_ : probability(counts_.suffix(context), token);
    const auto followers = counts_.followers(context);
    if (followers.empty()) return below;
    const auto place = context == 0
                           ? followers.begin() + token  // every token occurs
                           : std::lower_bound(followers.begin(), followers.end(), token,
                                              [](const NgramCounts::Child& child, Token wanted) {
                                                return child.token < wanted;
                                              });
    const double count =
        place != followers.end() && place->token == token ? place->count - options_.smoothing : 0.0;
    return backoff_share(context) * below + count / followers_count(context);
  }

  /// Makes of the ratios of an untempered target and draft, those of the others in place of their
  /// targets, the tempered target on the tempered draft: both laws are raised to one power.
  void temper_ratios(std::span<const double> draft, ScaledTarget& law) const {
    double largest = law.share;
    for (const auto& other : law.others) largest = std::max(largest, other.target);
    const auto tempered = [&](double ratio) {
      return std::exp(std::log(ratio / largest) / options_.target_temperature);
    };
    law.share = tempered(law.share);
    double rest = 1;  // of the draft
    double sum = 0;
    for (auto& other : law.others) {
      const double drafted = draft[static_cast<std::size_t>(other.token)];
      rest -= drafted;
      sum += other.target = tempered(other.target) * drafted;
    }
    sum += law.share * std::max(0.0, rest);
    law.share /= sum;
    for (auto& other : law.others) other.target /= sum;
  }

  /// The share of the back-off at a context, which has followers.
  [[nodiscard]] double backoff_share(State state) const {
    return options_.smoothing * static_cast<double>(counts_.followers(state).size()) /
           followers_count(state);
  }

  /// Puts a context over a law whose others have what was added to share * draft.
  void add_context(State state, ScaledTarget& law) const {
    const auto followers = counts_.followers(state);
    if (followers.empty()) return;
    const double total = followers_count(state);
    const double share = backoff_share(state);
    law.share *= share;
    for (auto& other : law.others) other.target *= share;
    const auto known = law.others.size();
    for (const auto& follower : followers) {
      law.others.push_back({follower.token, (follower.count - options_.smoothing) / total});
    }
    const auto by_token = [](const ScaledTarget::Other& a, const ScaledTarget::Other& b) {
      return a.token < b.token;
    };
    std::inplace_merge(law.others.begin(), law.others.begin() + static_cast<std::ptrdiff_t>(known),
                       law.others.end(), by_token);
    // A token stands there at most twice.
    std::size_t kept = 0;
    for (const auto& other : law.others) {
      if (kept > 0 && law.others[kept - 1].token == other.token) {
        law.others[kept - 1].target += other.target;
      } else {
        law.others[kept++] = other;
      }
    }
    law.others.resize(kept);
  }

  [[nodiscard]] double followers_count(State state) const {
    if (state == 0) return root_count_;
    double total = 0;
    for (const auto& follower : counts_.followers(state)) total += follower.count;
    return total;
  }

  void discounted(State state, std::span<double> law) const {
    if (state == 0) {
      std::fill(law.begin(), law.end(), 1.0 / static_cast<double>(law.size()));
    } else {
      discounted(counts_.suffix(state), law);
    }
    const auto followers = counts_.followers(state);
    if (followers.empty()) return;
    const double total = followers_count(state);
    const double shared = backoff_share(state);
    for (double& entry : law) entry *= shared;
    for (const auto& follower : followers) {
      law[static_cast<std::size_t>(follower.token)] +=
          (follower.count - options_.smoothing) / total;
    }
  }

  void additive(State state, std::span<double> law) const {
    while (counts_.followers(state).empty()) state = counts_.suffix(state);
    std::fill(law.begin(), law.end(), options_.smoothing);
    for (const auto& follower : counts_.followers(state)) {
      law[static_cast<std::size_t>(follower.token)] += follower.count;
    }
    normalise(law);
  }

  Token vocabulary_;
  NgramOptions options_;
  NgramCounts counts_;
  double root_count_;
  std::vector<Start> starts_{{0, Rational(1)}};
};

TokenText read_text(const std::string& path, const std::string& text, TokenKind kind, Token cap,
                    int order) {
  const std::string where = quoted_path(path);
  if (text.empty()) throw InputError(where + " is empty; give a text file");
  check_utf8(text, where);
  TokenText result = tokenise(text, kind, cap);
  if (result.tokens.size() < static_cast<std::size_t>(order)) {
    throw InputError(where + " has " + std::to_string(result.tokens.size()) +
                     " tokens, fewer than the order " + std::to_string(order) +
                     "; give a longer text or lower the order");
  }
  return result;
}

void check_memory(const std::string& path, std::size_t tokens, double bytes, double max_memory) {
  if (bytes <= max_memory) return;
  throw LimitError(fmt::format(
      "{}: the n-grams of its {} tokens may take {}, over the limit of {}; give a shorter text, "
      "lower the orders, or allow more memory (max-memory)",
      quoted_path(path), tokens, size_text(bytes), size_text(max_memory)));
}

}  // namespace

PairPointer make_ngram(SpecReader& spec, double max_memory) {
  NgramOptions options;
  const std::string path = spec.path("text");
  options.draft = static_cast<int>(spec.integer("draft", 1, kMaxOrder, 1));
  options.target = static_cast<int>(spec.integer("target", 1, kMaxOrder, 3));
  const PairFilters temperatures = read_temperatures(spec);
  options.draft_temperature = to_double(temperatures.draft.temperature);
  options.target_temperature = to_double(temperatures.target.temperature);
  const bool words = spec.word("tokens", {"word", "byte"}, "word") == "word";
  const auto cap = static_cast<Token>(spec.integer("vocabulary", 1, kMaxVocabulary, 512));
  options.backoff = spec.word("smoothing", {"backoff", "additive"}, "backoff") == "backoff";
  options.smoothing =
      to_double(options.backoff ? spec.number_between("discount", 0, 1, Rational(3, 4))
                                : spec.number_between("alpha", 0, 1000, Rational(1, 10)));
  options.prompts = spec.word("prompt", {"text", "start"}, "text") == "text";
  const int order = std::max(options.draft, options.target);
  TokenText text;
  InputFile input;
  {
    const std::string bytes = read_file(path);
    input = input_file(path, bytes);
    text = read_text(path, bytes, words ? TokenKind::word : TokenKind::byte, cap, order);
  }
  const std::size_t tokens = text.tokens.size();
  check_memory(path, tokens,
               static_cast<double>(tokens * sizeof(Token)) +
                   NgramCounts::most_bytes(tokens, static_cast<Token>(text.names.size()), order),
               max_memory);
  auto pair = std::make_shared<NgramPair>(text, options);
  pair->set_inputs({input});
  return pair;
}

}  // namespace speclab
