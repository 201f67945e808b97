#include "model/memory.h"

#include <algorithm>
#include <type_traits>

#include "base/rational_memory.h"

namespace speclab {
namespace {

/// The longest prefix, in tokens, after which a law may be requested.
double most_tokens_read(const Lengths& lengths) {
  const double whole = lengths.horizon ? *lengths.horizon : 0;
  if (lengths.gamma == kUnbounded) return whole;
  return std::max(whole, (lengths.gamma + 1.0) * std::max(1, lengths.iterations));
}

/// Bytes of the allocator's block for this many bytes; there is none for 0.
double block(std::size_t bytes) {
  if (bytes == 0) return 0;
  constexpr std::size_t kHeader = 8, kAlign = 16, kLeast = 32;
  return static_cast<double>(std::max(kLeast, (bytes + kHeader + kAlign - 1) / kAlign * kAlign));
}

/// StateTable::bytes() for this many tokens: order and ranks, cells and both sums, aliases.
std::size_t table_bytes(std::size_t size) {
  const std::size_t aliases = size <= StateTable::kSmall ? 2 : 1;
  return sizeof(StateTable) + size * 2 * sizeof(std::uint32_t) +
         (3 * size + 2) * 2 * sizeof(double) + 64 * sizeof(Token) +
         aliases * size * sizeof(AliasTable::Entry);
}

/// Of the rows and the table of one state.
double state_bytes(std::size_t size) {
  return static_cast<double>(table_bytes(size)) + block(2 * size * sizeof(double));
}

double number_bytes(const Rational& value) {
  const auto [numerator, denominator] = memory_of(value);
  return sizeof(Rational) + block(numerator) + block(denominator);
}

}  // namespace

MemoryForecast MemoryForecast::bounded(double most_kept, double at_once) const {
  MemoryForecast forecast = *this;
  forecast.states = std::min(states, most_kept / per_state + at_once);
  return forecast;
}

double states_at_once(const Lengths& lengths, int drafts) {
  const bool decode_alone = lengths.gamma == kUnbounded;
  const double depth = decode_alone ? lengths.horizon.value_or(0) : lengths.gamma;
  return std::max(1, drafts) * depth + 2;
}

double most_contexts(const Pair& pair, double n) {
  const double all = pair.states();
  double contexts = static_cast<double>(pair.start().size());
  double sum = contexts;
  for (double i = 0; i < n && sum < all; ++i) sum += contexts *= pair.vocabulary();
  return std::min(all, sum);
}

double most_states(const Pair& pair, const Lengths& lengths) {
  if (pair.resets()) return pair.states();  // one prefix may have several
  return most_contexts(pair, most_tokens_read(lengths));
}

double tables_forecast(const Pair& pair, const Lengths& lengths) {
  return most_states(pair, lengths) * state_bytes(static_cast<std::size_t>(pair.vocabulary()));
}

template <class Real>
MemoryForecast forecast_memory(const Rows<Real>& rows, const Lengths& lengths) {
  MemoryForecast forecast;
  forecast.states = most_states(rows.pair(), lengths);
  forecast.index = static_cast<double>(rows.index_bytes() + rows.pair().bytes());
  if constexpr (std::is_same_v<Real, double>) {
    const auto size = static_cast<std::size_t>(rows.vocabulary());
    forecast.per_state = state_bytes(size);
  } else {
    const State first = rows.pair().start().front().state;
    for (const Real& entry : rows.draft(first)) forecast.per_state += number_bytes(entry);
    for (const Real& entry : rows.target(first)) forecast.per_state += number_bytes(entry);
  }
  return forecast;
}

template MemoryForecast forecast_memory(const Rows<double>&, const Lengths&);
template MemoryForecast forecast_memory(const Rows<Rational>&, const Lengths&);

}  // namespace speclab
