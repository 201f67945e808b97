#pragma once

#include <string_view>
#include <utility>

#include "answer/answer.h"
#include "answer/bench.h"
#include "model/registry.h"

namespace speclab {

/// An answer about the toy pair that holds nothing yet.
inline Answer empty_answer(std::string_view verifier = "block", int gamma = 2) {
  Answer answer;
  answer.question.pair = make_pair("bernoulli(draft=2/3,target=1/3)");
  answer.question.verifier = make_verifier(verifier);
  answer.question.lengths.gamma = gamma;
  return answer;
}

/// The same with E[accepted].
inline Answer answer_with(Value value) {
  Answer answer = empty_answer();
  answer.add(QuantityId::expected_accepted, std::move(value));
  return answer;
}

/// An estimate with an interval of two standard errors either side, `half` in all.
inline Estimate around(double mean, double half) {
  return {mean, half / 2, mean - half, mean + half, mean - 2 * half, mean + 2 * half};
}

inline Value estimated(double mean, double standard_error) {
  return value_of(around(mean, 2 * standard_error));
}

}  // namespace speclab
