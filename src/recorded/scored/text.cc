#include "recorded/scored/text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace speclab {
namespace {

[[noreturn]] void refuse_text(const std::string& where, const std::string& message) {
  throw InputError(where + ": " + message);
}

/// One log-probability. @param what  "draft_logprobs[3]"
void settle_log(double& log, bool of_target, const std::string& where, const auto& what) {
  if (log <= 0) {
    if (!of_target || log > -HUGE_VAL) return;
    refuse_text(where,
                fmt::format("{} is -inf: the target cannot draw this token, so it did not draw the "
                            "text; give the log-probabilities that the text was drawn with, at its "
                            "temperature and filters",
                            what()));
  }
  if (std::isnan(log)) {
    refuse_text(where, what() +
                           " is NaN; give a number of 0 or less, or -Infinity for a token "
                           "that is never drawn");
  }
  if (log > kRoundedLog) {
    refuse_text(where, fmt::format("{} is {}, above 0: a probability above 1; give natural "
                                   "logarithms of probabilities",
                                   what(), log));
  }
  log = 0;
}

}  // namespace

void ScoredText::clear() {
  id.clear();
  group.clear();
  clear_tokens();
  width = 0;
}

void ScoredText::clear_tokens() {
  target.clear();
  draft.clear();
  tokens.clear();
}

void settle_text(ScoredText& text, std::int64_t start, const std::string& where) {
  const auto length = static_cast<std::int64_t>(text.size());
  const auto width = static_cast<std::int64_t>(text.width);
  const auto rows = width > 0 ? static_cast<std::int64_t>(text.draft.size()) / width
                              : static_cast<std::int64_t>(text.draft.size());
  if (rows != length) {
    refuse_text(where, fmt::format("target_logprobs has {} entries and draft_logprobs has {}; give "
                                   "one a token in both",
                                   length, rows));
  }
  if (!text.tokens.empty() && static_cast<std::int64_t>(text.tokens.size()) != length) {
    refuse_text(where, fmt::format("tokens has {} entries and target_logprobs has {}; give as many",
                                   text.tokens.size(), length));
  }
  if (start < 0 || start > length) {
    refuse_text(where, fmt::format("start is {} of {} tokens; give the number of prompt tokens",
                                   start, length));
  }
  if (length - start < 2) {
    refuse_text(where, fmt::format("{} of its {} tokens are scored; a text has two or more",
                                   length - start, length));
  }
  const auto cut = [start](auto& list, std::int64_t each) {
    if (start > 0) list.erase(list.begin(), list.begin() + start * each);
  };
  cut(text.target, 1);
  cut(text.draft, std::max<std::int64_t>(width, 1));
  if (!text.tokens.empty()) cut(text.tokens, 1);
  for (std::size_t j = 0; j < text.size(); ++j) {
    settle_log(text.target[j], true, where, [&] {
      return fmt::format("target_logprobs[{}]", j + static_cast<std::size_t>(start));
    });
  }
  const auto entries = static_cast<std::size_t>(std::max<std::int64_t>(width, 1));
  for (std::size_t e = 0; e < text.draft.size(); ++e) {
    if (e / entries + e % entries >= text.size()) continue;
    settle_log(text.draft[e], false, where, [&] {
      const std::size_t row = e / entries + static_cast<std::size_t>(start);
      return width > 0 ? fmt::format("draft_logprobs[{}][{}]", row, e % entries)
                       : fmt::format("draft_logprobs[{}]", row);
    });
  }
}

std::optional<TextVerifier> text_verifier(const Verifier& verifier) {
  const std::string_view name = verifier.info->name;
  if (name == "token") return TextVerifier{TextRule::token};
  if (name == "block") return TextVerifier{TextRule::block};
  if (name == "sample-match" && verifier.drafts_iid) return TextVerifier{TextRule::sample_match};
  if (name == "target-only" && verifier.drafts_iid && verifier.tree.empty()) {
    return TextVerifier{TextRule::target_only, verifier.drafts};
  }
  return std::nullopt;
}

std::string not_scored(const Verifier& verifier) {
  return verifier.name +
         ": two numbers a token do not decide what it accepts; ask for token, block, sample-match "
         "or target-only(K=2)";
}

}  // namespace speclab
