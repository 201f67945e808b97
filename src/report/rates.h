#pragma once

#include <span>
#include <string>

#include "answer/answer.h"

namespace speclab {

/// Acceptance length and unconditional rates P(tau >= i) of answers in the forms that inference
/// engines take for benchmarks without a draft model (docs/rates.md): of the long run where an
/// answer has it, else of its decodes.
///   {"schema": 2, "results": [{"pair", "verifier", "gamma", "of", "acceptance_length",
///    "position_rates", "vllm", "llama.cpp", "sglang"}]}
/// @throws InputError where an answer has neither, and where nothing is drafted or several drafts
/// are, for which no engine has such a form
std::string rates_json(std::span<const Answer> answers);

}  // namespace speclab
