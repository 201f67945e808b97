#include "recorded/scored/decode.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/power.h"
#include "recorded/scored/kernels.h"

namespace speclab {
namespace {

constexpr std::size_t kStartsAtOnce = TextChunk::kStarts;
constexpr std::size_t kBefore = TextChunk::kHalo;

/// Ratios up to which products of kMostScored of them are neither 0 nor infinite by rounding alone:
/// beyond, tails are computed in logarithms.
constexpr double kLargestLog = 40;

/// Eight sums side by side, which do not wait for each other.
double eight_sums(const double* numbers, std::size_t count) {
  std::array<double, 8> sums{};
  std::size_t at = 0;
  for (; at + sums.size() <= count; at += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += numbers[at + lane];
  }
  for (std::size_t lane = 0; at < count; ++at, ++lane) sums[lane] += numbers[at];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

bool drafts_alone(TextRule rule) {
  return rule == TextRule::sample_match || rule == TextRule::target_only;
}

/// log P(tau >= i) for i = 1, 2, .. as tokens come in.
class LogTail {
 public:
  explicit LogTail(TextRule rule) : rule_(rule) {}
  double next(double draft, double target) {
    const double ratio = draft - target;
    switch (rule_) {
      case TextRule::token:
        return least_ += std::min(0.0, ratio);
      case TextRule::block:
        sum_ += ratio;
        return least_ = std::min(least_, sum_);
      case TextRule::sample_match:
      case TextRule::target_only:
        break;
    }
    return least_ += draft;
  }

 private:
  TextRule rule_;
  double sum_ = 0;
  double least_ = 0;
};

}  // namespace

struct TextDecoder::Buffer : TextChunk {};

TextDecode& TextDecode::operator+=(const TextDecode& other) {
  const auto add = [](ByGamma& to, const ByGamma& from) {
    for (std::size_t g = 0; g < to.size(); ++g) to[g] += from[g];
  };
  add(calls, other.calls);
  add(steps, other.steps);
  for (std::size_t i = 0; i < reached.size(); ++i) add(reached[i], other.reached[i]);
  add(whole_calls, other.whole_calls);
  add(whole_tokens, other.whole_tokens);
  add(tails, other.tails);
  return *this;
}

double TextDecode::accepted(int gamma) const {
  double sum = 0;
  for (int i = gamma; i > 0; --i) {
    sum += reached[static_cast<std::size_t>(i - 1)][static_cast<std::size_t>(gamma - 1)];
  }
  return sum;
}

TextDecoder::TextDecoder() : buffer_(std::make_unique<Buffer>()) {}
TextDecoder::~TextDecoder() = default;

void TextDecoder::load(const ScoredText& text) {
  text_ = &text;
  drafted_.clear();
  by_logs_ = text.width > 0;
  if (by_logs_) return;
  const std::size_t n = text.size();
  ratios_.assign(n + kStartsAtOnce + 2 * kBefore, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    const double ratio = text.draft[j] - text.target[j];
    if (std::abs(ratio) > kLargestLog && text.draft[j] > -HUGE_VAL) by_logs_ = true;
    ratios_[j] = std::exp(ratio);
  }
}

void TextDecoder::fill_by_logs(const TextVerifier& verifier, std::size_t first, std::size_t count) {
  const std::size_t n = text_->size();
  const auto width = static_cast<std::size_t>(text_->width);
  for (std::size_t s = 0; s < count; ++s) {
    LogTail tail(verifier.rule);
    for (std::size_t i = 0; i < kMostScored; ++i) {
      const std::size_t at = first + s + i;
      double& to = buffer_->tails[i][kBefore + s];
      to = 0;
      if (at >= n || (width > 0 && i >= width)) continue;
      const double draft = width > 0 ? text_->draft[(first + s) * width + i] : text_->draft[at];
      to = std::exp(tail.next(draft, text_->target[at]));
    }
  }
}

/// The tails of the chunk's starts; those of the chunk before move in front of them.
void TextDecoder::fill(const TextVerifier& verifier, std::size_t first, std::size_t count) {
  for (auto& level : buffer_->tails) {
    if (first == 0) {
      std::fill_n(level, kBefore, 0.0);
    } else {
      std::copy_n(level + kStartsAtOnce, kBefore, level);
    }
  }
  if (by_logs_) {
    fill_by_logs(verifier, first, count);
  } else if (!drafts_alone(verifier.rule)) {
    // Tokens are tested one by one where no ratio is above 1.
    if (verifier.rule == TextRule::block) {
      text_kernels().tails(ratios_.data() + first, count, *buffer_);
    } else {
      double factors[kStartsAtOnce + 2 * kBefore];
      for (std::size_t k = 0; k < std::size(factors); ++k) {
        factors[k] = std::min(1.0, ratios_[first + k]);
      }
      text_kernels().tails(factors, count, *buffer_);
    }
  } else {
    if (drafted_.empty()) {
      drafted_.assign(ratios_.size(), 0.0);
      std::transform(text_->draft.begin(), text_->draft.end(), drafted_.begin(),
                     [](double log) { return std::exp(log); });
    }
    text_kernels().tails(drafted_.data() + first, count, *buffer_);
  }
  if (verifier.rule != TextRule::target_only) return;
  for (auto& level : buffer_->tails) {
    for (std::size_t s = kBefore; s < kBefore + count; ++s) {
      level[s] = 1 - power(1 - level[s], verifier.drafts);
    }
  }
}

template <class Each>
void TextDecoder::each_chunk(const TextVerifier& verifier, const Each& each) {
  const std::size_t n = text_->size();
  for (std::size_t first = 0; first < n; first += kStartsAtOnce) {
    const std::size_t count = std::min(kStartsAtOnce, n - first);
    fill(verifier, first, count);
    auto* begun = &buffer_->begun[0];
    if (first == 0) {
      std::fill_n(begun[0], kBefore * kMostScored, 0.0);
    } else {
      std::copy_n(begun[kStartsAtOnce], kBefore * kMostScored, begun[0]);
    }
    each(first, count);
  }
}

ByGamma TextDecoder::calls(const TextVerifier& verifier) {
  ByGamma calls{};
  each_chunk(verifier, [&](std::size_t, std::size_t count) {
    text_kernels().begun(*buffer_, count, calls.data());
  });
  return calls;
}

/// What the last gamma starts of the text differ in: they are cut by its end.
void TextDecoder::add_end(TextDecode& decode, std::size_t first) const {
  const std::size_t n = text_->size();
  for (std::size_t g = 0; g < kMostScored; ++g) {
    const std::size_t gamma = g + 1;
    double tokens = decode.calls[g] + decode.accepted(static_cast<int>(gamma));
    double calls = decode.calls[g];
    decode.steps[g] = static_cast<double>(gamma) * calls;
    for (std::size_t s = n > gamma ? n - gamma : 0; s < n; ++s) {
      const std::size_t k = kBefore + s - first;  // of this chunk, or just before it
      const double begun = buffer_->begun[k][g];
      calls -= begun;
      tokens -= begun;
      for (std::size_t i = 0; i < gamma; ++i) tokens -= begun * buffer_->tails[i][k];
      decode.steps[g] -= begun * static_cast<double>(gamma - std::min(gamma, n - s));
    }
    const bool any = n > gamma;
    decode.whole_calls[g] = any ? calls : 0;
    decode.whole_tokens[g] = any ? tokens : 0;
  }
}

TextDecode TextDecoder::decode(const TextVerifier& verifier) {
  TextDecode decode;
  const TextKernels& kernels = text_kernels();
  each_chunk(verifier, [&](std::size_t first, std::size_t count) {
    kernels.begun(*buffer_, count, decode.calls.data());
    kernels.reached(*buffer_, count, decode.reached[0].data());
    for (std::size_t i = 0; i < kMostScored; ++i) {
      decode.tails[i] += eight_sums(buffer_->tails[i] + kBefore, count);
    }
    if (first + count == text_->size()) add_end(decode, first);
  });
  for (std::size_t i = 1; i < kMostScored; ++i) {
    std::fill_n(decode.reached[i].begin(), i, 0.0);
  }
  return decode;
}

ByGamma TextDecoder::optimum() {
  ByGamma sums{};
  const std::size_t n = text_->size();
  const auto width = static_cast<std::size_t>(text_->width);
  for (std::size_t s = 0; s < n; ++s) {
    double log = 0;
    double product = 1;
    const std::size_t most =
        std::min({n - s, std::size_t{kMostScored}, width > 0 ? width : std::size_t{kMostScored}});
    for (std::size_t i = 0; i < most; ++i) {
      if (by_logs_) {
        log +=
            (width > 0 ? text_->draft[s * width + i] : text_->draft[s + i]) - text_->target[s + i];
        product = std::exp(log);
      } else {
        product *= ratios_[s + i];
      }
      sums[i] += std::min(1.0, product);
    }
  }
  return sums;
}

std::vector<TokenFate> TextDecoder::fates(const TextVerifier& verifier, int gamma) {
  const std::size_t n = text_->size();
  const auto g = static_cast<std::size_t>(gamma - 1);
  std::vector<TokenFate> fates(n);
  ByGamma calls{};
  each_chunk(verifier, [&](std::size_t first, std::size_t count) {
    text_kernels().begun(*buffer_, count, calls.data());
    for (std::size_t s = 0; s < count; ++s) {
      const double begun = buffer_->begun[kBefore + s][g];
      for (std::size_t i = 0; i <= g && first + s + i < n; ++i) {
        fates[first + s + i].accepted += begun * buffer_->tails[i][kBefore + s];
      }
      const std::size_t bonus = first + s + g + 1;
      if (bonus < n) fates[bonus].bonus += begun * buffer_->tails[g][kBefore + s];
    }
  });
  return fates;
}

}  // namespace speclab
