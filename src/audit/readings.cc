#include "audit/readings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace speclab {
namespace {

using Row = std::span<const double>;

/// Adds the law proportional to weight(token), where it has any weight.
template <class Weight>
void add(std::vector<CorrectionReading>& readings, std::string text, std::size_t size,
         const Weight& weight) {
  CorrectionReading reading{std::move(text), {}};
  double total = 0;
  for (std::size_t x = 0; x < size; ++x) {
    reading.probability.push_back(std::max(0.0, weight(x)));
    total += reading.probability.back();
  }
  // A law of total weight zero, up to rounding, is omitted.
  if (!(total > 1e-12)) return;
  for (double& probability : reading.probability) probability /= total;
  readings.push_back(std::move(reading));
}

void add_residual(std::vector<CorrectionReading>& readings, std::string text, Row draft, Row target,
                  double weight) {
  add(readings, std::move(text), target.size(),
      [&](std::size_t x) { return weight * target[x] - draft[x]; });
}

}  // namespace

std::vector<CorrectionReading> readings_at(const AuditPlace& place, int accepted) {
  const std::vector<Token>& chain = place.chains.front();
  const auto states = states_along(place, chain);
  const auto at = static_cast<std::size_t>(accepted);
  const Row target = place.rows->target(states[at]);
  const auto plainly = [](Row row) { return [row](std::size_t x) { return row[x]; }; };
  std::vector<CorrectionReading> readings;
  add(readings, "t", target.size(), plainly(target));
  if (accepted == place.gamma) {
    const State before = states[at - 1];
    add(readings, "the draft's law one position earlier", target.size(),
        plainly(place.rows->draft(before)));
    add(readings, "t one position earlier", target.size(), plainly(place.rows->target(before)));
    return readings;
  }
  const Row draft = place.rows->draft(states[at]);
  add_residual(readings, "[t - d]+", draft, target, 1);
  double weight = 1;
  double first = 1;
  double ratios = 1;
  for (std::size_t i = 0; i < at; ++i) {
    const auto x = static_cast<std::size_t>(chain[i]);
    const double ratio = place.rows->target(states[i])[x] / place.rows->draft(states[i])[x];
    weight = std::min(1.0, weight * ratio);
    ratios *= ratio;
    if (i == 0) first = weight;
  }
  add_residual(readings, fmt::format("[w t - d]+ with w = {:.6g}", weight), draft, target, weight);
  add_residual(readings, fmt::format("[w_1 t - d]+ with w_1 = {:.6g}", first), draft, target,
               first);
  add_residual(readings,
               fmt::format("[r t - d]+ with r = {:.6g}, the product of the ratios", ratios), draft,
               target, ratios);
  add(readings, "d", target.size(), plainly(draft));
  add(readings, "[d - t]+", target.size(), [&](std::size_t x) { return draft[x] - target[x]; });
  const auto rejected = static_cast<std::size_t>(chain[at]);
  add(readings, "t without the rejected token", target.size(),
      [&](std::size_t x) { return x == rejected ? 0 : target[x]; });
  add(readings, "|t - d|", target.size(),
      [&](std::size_t x) { return std::abs(target[x] - draft[x]); });
  if (at + 1 < states.size()) {
    const Row later = place.rows->target(states[at + 1]);
    add_residual(readings, "[t - d]+ with t one position later", draft, later, 1);
    add(readings, "t one position later", target.size(), plainly(later));
  }
  if (at > 0) {
    add_residual(readings, "[t - d]+ with t one position earlier", draft,
                 place.rows->target(states[at - 1]), 1);
    add_residual(readings, "[t - d]+ with d one position earlier",
                 place.rows->draft(states[at - 1]), target, 1);
  }
  return readings;
}

const CorrectionReading* reading_of(const std::vector<CorrectionReading>& readings,
                                    const KeyLaw& law) {
  double total = 0;
  for (const auto& [key, probability] : law) total += probability;
  const auto found =
      std::find_if(readings.begin(), readings.end(), [&](const CorrectionReading& reading) {
        double apart = 0;
        double covered = 0;
        for (const auto& [key, probability] : law) {
          if (key.empty()) return false;
          const double read = reading.probability[static_cast<std::size_t>(key.back())];
          apart = std::max(apart, std::abs(read - probability / total));
          covered += read;
        }
        return apart < 1e-9 && covered > 1 - 1e-9;
      });
  return found == readings.end() ? nullptr : &*found;
}

}  // namespace speclab
