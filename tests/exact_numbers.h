#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "exact/exact.h"

namespace speclab {

/// The exact numbers of a decode to the horizon, by name.
template <class Real>
struct DecodeNumbers {
  Real tv_to_target{0}, undefined_mass{0}, tokens{0}, target_calls{0}, rejections{0},
      draft_steps{0};
  std::optional<Real> acceptance_length;  ///< none where the target is never called
  std::vector<Real> position_rates;
  std::vector<std::pair<std::vector<Token>, Real>> law;
  bool operator==(const DecodeNumbers&) const = default;
};

/// An exact result for a test to read: its numbers by name, in place of look-ups by quantity.
template <class Real>
struct ExactNumbers {
  // Implicit, so that a test can name the type where it takes a result.
  ExactNumbers(const ExactResult<Real>& found)
      : accepted_law(found.list(QuantityId::accepted_law)),
        tail(found.list(QuantityId::accepted_tail)),
        expected_accepted(found.at(QuantityId::expected_accepted)),
        undefined_mass(found.at(QuantityId::iteration_undefined)),
        expected_tokens(found.list(QuantityId::expected_tokens)) {
    if (!found.has(QuantityId::decode_tokens)) return;
    decode.emplace();
    decode->tv_to_target = found.at(QuantityId::tv_to_target);
    decode->undefined_mass = found.at(QuantityId::output_undefined);
    decode->tokens = found.at(QuantityId::decode_tokens);
    decode->target_calls = found.at(QuantityId::target_calls);
    decode->rejections = found.at(QuantityId::rejections);
    decode->draft_steps = found.at(QuantityId::draft_steps);
    if (const auto* length = found.find(QuantityId::acceptance_length, {})) {
      decode->acceptance_length = *length;
    }
    decode->position_rates = found.list(QuantityId::position_rates);
    if (const auto* law = found.find(QuantityId::output_law)) {
      for (const auto& one : law->values) decode->law.emplace_back(one.index, one.value);
    }
  }

  std::vector<Real> accepted_law, tail;
  Real expected_accepted, undefined_mass;
  std::vector<Real> expected_tokens;
  std::optional<DecodeNumbers<Real>> decode;
  bool operator==(const ExactNumbers&) const = default;
};

}  // namespace speclab
