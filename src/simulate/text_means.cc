#include "simulate/text_means.h"

#include <algorithm>
#include <optional>

#include "verifiers/chain/block.h"
#include "verifiers/chain/token.h"

namespace speclab {
namespace {

/// Where fewer iterations than this would go on they end, so that long drafts do not make long
/// lists; each is below the rounding of a decode's calls.
constexpr double kFewest = 0x1p-60;

template <class Program>
OutputForm form_of() {
  static constexpr Program kProgram{};
  return {.program = &kProgram, .add_steps = output_steps_of<Program>()};
}

}  // namespace

OutputForm token_form() { return form_of<TokenVerification>(); }
OutputForm block_form() { return form_of<BlockVerification>(); }

bool averages_drafts(const Lengths& lengths) {
  return lengths.horizon &&
         (lengths.gamma <= kLongestAveraged || lengths.gamma >= *lengths.horizon);
}

void TextMeans::begin() {
  calls_ = steps_ = 0;
  beginning_ = 1;
  under_way_.clear();
}

void TextMeans::take(const Laws<double>& laws, Token y, const Window& window) {
  begin_iterations(beginning_, window);
  beginning_ = end_iterations(laws, y);
}

void TextMeans::begin_iterations(double count, const Window& window) {
  if (!(count > 0)) return;
  calls_ += count;
  steps_ += count * window.drafts;
  under_way_.push_back({window.drafts, form_.start, count});
}

double TextMeans::end_iterations(const Laws<double>& laws, Token y) {
  double ended = 0;
  next_.clear();
  std::optional<double> memory;  // that added_ is of
  for (const UnderWay& each : under_way_) {
    if (each.left == 0) {
      ended += each.count;
      continue;
    }
    if (memory != each.memory) {
      memory = each.memory;
      added_.clear();
      form_.add_steps(form_.program, laws, y, *memory, added_);
    }
    double rest = each.count;
    for (const OutputStep<double>& step : added_) {
      const double count = each.count * step.probability;
      if (count < kFewest) continue;
      rest -= count;
      next_.push_back({each.left - 1, step.memory, count});
    }
    ended += std::max(0.0, rest);
  }
  merge();
  return ended;
}

void TextMeans::merge() {
  const auto before = [](const UnderWay& a, const UnderWay& b) { return a.key() < b.key(); };
  // Most often they are in order: forms keep that of memories, and a new iteration has the largest.
  if (!std::is_sorted(next_.begin(), next_.end(), before)) {
    std::sort(next_.begin(), next_.end(), before);
  }
  std::size_t apart = 0;
  for (const UnderWay& each : next_) {
    if (apart > 0 && next_[apart - 1].is_like(each)) {
      next_[apart - 1].count += each.count;
    } else {
      next_[apart++] = each;
    }
  }
  next_.resize(apart);
  under_way_.swap(next_);
}

}  // namespace speclab
