#include <algorithm>
#include <cmath>
#include <map>

#include "audit/multinomial.h"
#include "audit/parity/parity.h"

namespace speclab {
namespace {

constexpr std::uint64_t kPowerDraws = 1000;
constexpr double kAccuracy = 0.04;  ///< half of the 95% interval of a power, at most
constexpr double kMostNulls = 10'000;
/// Items that are drawn in all, where larger samples are tried.
constexpr double kMostWork = 1e8;
constexpr double kMostOutputs = 1e9;
constexpr double kStepUp = 4;
constexpr int kBisections = 3;

/// Factors of the favoured part's probability and of the rest's that move a mass of `tv` between
/// them: towards the favoured part where the rest has as much, else away from it.
struct Tilt {
  double favoured = 1, rest = 1;
  Tilt(double share, double tv) {
    if (!(share > 0) || !(share < 1) || (share <= tv && 1 - share <= tv)) return;
    const double moved = 1 - share > tv ? tv : -tv;
    favoured = 1 + moved / share;
    rest = 1 - moved / (1 - share);
  }
};

/// The law of a prompt's items, with a fault in it.
class FaultyLaw {
 public:
  FaultyLaw(const OutputStatistics& statistics, double tv)
      : statistics_(statistics), tv_(tv), law_(statistics.items()) {
    for (const auto& prompt : statistics.prompts()) {
      for (std::size_t i = prompt.begin; i < prompt.end; ++i) {
        law_[i] = (statistics.first()[i] + statistics.second()[i]) / (prompt.m + prompt.n);
      }
    }
  }

  [[nodiscard]] const std::vector<double>& law() const { return law_; }
  [[nodiscard]] bool changed() const { return changed_; }

  /// At each of the first `depth` tokens the likeliest one is favoured.
  void tilt_tokens(std::size_t depth) {
    for (const auto& prompt : statistics_.prompts()) tilt(prompt.begin, prompt.end, 0, depth);
  }

  /// Outputs that are no longer than half of their prompt's are favoured.
  void tilt_lengths() {
    for (const auto& prompt : statistics_.prompts()) {
      std::vector<std::pair<std::size_t, double>> lengths;
      for (std::size_t i = prompt.begin; i < prompt.end; ++i) {
        lengths.emplace_back(statistics_.output(i).tokens.size(), law_[i]);
      }
      std::sort(lengths.begin(), lengths.end());
      double below = 0;
      std::size_t middle = 0;
      for (const auto& [length, share] : lengths) {
        middle = length;
        below += share;
        if (below >= 0.5) break;
      }
      double share = 0;
      for (const auto& [length, part] : lengths) share += length <= middle ? part : 0;
      const Tilt tilted(share, tv_);
      changed_ = changed_ || tilted.favoured != 1;
      for (std::size_t i = prompt.begin; i < prompt.end; ++i) {
        law_[i] *= statistics_.output(i).tokens.size() <= middle ? tilted.favoured : tilted.rest;
      }
    }
  }

 private:
  [[nodiscard]] int token_at(std::size_t item, std::size_t depth) const {
    const auto& tokens = statistics_.output(item).tokens;
    return depth < tokens.size() ? tokens[depth] : -1;
  }

  /// Items of one prefix stand together, in the order of their tokens.
  void tilt(std::size_t begin, std::size_t end, std::size_t depth, std::size_t most) {
    if (depth == most || end - begin < 2) return;
    std::vector<std::pair<std::size_t, double>> groups;  // where each ends, and its mass
    double all = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (i == begin || token_at(i, depth) != token_at(i - 1, depth)) groups.emplace_back(i, 0);
      groups.back().first = i + 1;
      groups.back().second += law_[i];
      all += law_[i];
    }
    const auto likeliest =
        std::max_element(groups.begin(), groups.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const Tilt tilted(groups.size() > 1 ? likeliest->second / all : 1, tv_);
    changed_ = changed_ || tilted.favoured != 1;
    std::size_t from = begin;
    for (auto group = groups.begin(); group != groups.end(); ++group) {
      const double factor = group == likeliest ? tilted.favoured : tilted.rest;
      for (std::size_t i = from; i < group->first; ++i) law_[i] *= factor;
      tilt(from, group->first, depth + 1, most);
      from = group->first;
    }
  }

  const OutputStatistics& statistics_;
  double tv_;
  std::vector<double> law_;
  bool changed_ = false;
};

/// Samples of the outputs at hand, `scale` times as many.
class PowerSimulation {
 public:
  PowerSimulation(const OutputStatistics& statistics, const ParityOptions& options, double level)
      : statistics_(statistics),
        options_(options),
        level_(level),
        law_(FaultyLaw(statistics, 0).law()) {}

  /// The share of the samples of a faulty first side that the test rejects.
  double power(double scale, const std::vector<double>& faulty) {
    const NullTable& null = null_at(scale);
    std::uint64_t rejected = 0;
    for (const auto& row : rows(kPowerDraws, scale, faulty, "parity power")) {
      if (null.adjusted(row) <= level_) ++rejected;
    }
    return static_cast<double>(rejected) / static_cast<double>(kPowerDraws);
  }

  [[nodiscard]] bool may_go_on(double scale) const {
    double outputs = 0;
    for (const auto& prompt : statistics_.prompts()) outputs += prompt.m + prompt.n;
    return work_ < kMostWork && scale * outputs <= kMostOutputs;
  }

 private:
  const NullTable& null_at(double scale) {
    const auto found = nulls_.find(scale);
    if (found != nulls_.end()) return found->second;
    const auto draws = static_cast<std::uint64_t>(std::min(kMostNulls, std::ceil(20 / level_)));
    return nulls_.try_emplace(scale, rows(draws, scale, law_, "parity null")).first->second;
  }

  std::vector<std::vector<double>> rows(std::uint64_t count, double scale,
                                        const std::vector<double>& of_first, const char* purpose) {
    work_ += static_cast<double>(count) * static_cast<double>(statistics_.items());
    const std::uint64_t key = stream_key(options_.seed, task_hash(purpose));
    return draw_rows(count, statistics_.names().size(), key, options_.threads,
                     [&](Stream& stream, std::span<double> row) {
                       const auto first = sample(stream, scale, of_first, true);
                       const auto second = sample(stream, scale, law_, false);
                       statistics_.evaluate(first, second, row);
                     });
  }

  [[nodiscard]] std::vector<double> sample(Stream& stream, double scale,
                                           const std::vector<double>& law, bool of_first) const {
    std::vector<std::uint64_t> counts(statistics_.items());
    for (const auto& prompt : statistics_.prompts()) {
      const auto n =
          static_cast<std::uint64_t>(std::llround(scale * (of_first ? prompt.m : prompt.n)));
      const std::size_t size = prompt.end - prompt.begin;
      draw_counts(stream, n, std::span(law).subspan(prompt.begin, size),
                  std::span(counts).subspan(prompt.begin, size));
    }
    return {counts.begin(), counts.end()};
  }

  const OutputStatistics& statistics_;
  const ParityOptions& options_;
  double level_;
  std::vector<double> law_;
  std::map<double, NullTable> nulls_;
  double work_ = 0;
};

/// The smallest scale tried with the power that is asked for, within about a third; nothing where
/// none of those that may be tried has it.
std::optional<double> scale_for(PowerSimulation& simulation, const std::vector<double>& faulty,
                                double wanted) {
  double below = 1, scale = kStepUp;
  for (;; below = scale, scale *= kStepUp) {
    if (!simulation.may_go_on(scale)) return std::nullopt;
    if (simulation.power(scale, faulty) >= wanted) break;
  }
  for (int i = 0; i < kBisections; ++i) {
    const double middle = std::sqrt(below * scale);
    if (!simulation.may_go_on(middle)) break;
    (simulation.power(middle, faulty) >= wanted ? scale : below) = middle;
  }
  return scale;
}

}  // namespace

std::vector<ParityPower> parity_powers(const OutputStatistics& statistics,
                                       const ParityOptions& options, double level) {
  PowerSimulation simulation(statistics, options, level);
  double outputs = 0;
  for (const auto& prompt : statistics.prompts()) outputs += prompt.m + prompt.n;
  std::vector<ParityPower> powers;
  for (const char* fault : {"first token", "every token", "length"}) {
    FaultyLaw faulty(statistics, options.tv);
    if (std::string_view(fault) == "length") {
      faulty.tilt_lengths();
    } else {
      faulty.tilt_tokens(
          std::string_view(fault) == "first token" ? 1 : static_cast<std::size_t>(options.prefix));
    }
    ParityPower& power = powers.emplace_back();
    power.fault = fault;
    power.possible = faulty.changed();
    if (!power.possible) continue;
    power.power = simulation.power(1, faulty.law());
    power.accuracy = kAccuracy;
    if (power.power >= options.power) {
      power.more = 0;
    } else if (const auto scale = scale_for(simulation, faulty.law(), options.power)) {
      power.more = static_cast<std::uint64_t>(std::ceil((*scale - 1) * outputs));
    }
  }
  return powers;
}

}  // namespace speclab
