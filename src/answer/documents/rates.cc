#include <fmt/format.h>

#include "answer/documents/answers.h"
#include "answer/plan.h"
#include "base/error.h"
#include "document/number.h"

namespace speclab {
namespace {

/// Where rates were found.
struct CompletionRates {
  std::string of;
  double length = 0;
  std::vector<double> positions;
};

std::vector<double> list_of(const Answer& answer, QuantityId id) {
  std::vector<double> numbers;
  for (const Value& value : answer.found.list(id)) numbers.push_back(value.number);
  return numbers;
}

void check_verifier(const Question& question) {
  if (question.verifier.info->drafting == Drafting::window && question.verifier.drafts == 1) return;
  throw InputError(question.verifier.name +
                   ": rates are of verifiers of one draft; engines take no others");
}

[[noreturn]] void refuse_rates() {
  throw InputError(
      "rates are of whole decodes, or of exact answers' long run; ask for a horizon beyond gamma "
      "(of up to 64 drafts), or for the exact long run");
}

CompletionRates rates_of(const Answer& answer) {
  const Question& question = answer.question;
  check_verifier(question);
  if (const Value* length = answer.find(QuantityId::long_run_length)) {
    return {"long run", length->number, list_of(answer, QuantityId::long_run_rates)};
  }
  if (recording_of(*question.pair) != nullptr) {
    return {"recorded iterations", answer.find(QuantityId::expected_tokens, {1})->number,
            list_of(answer, QuantityId::accepted_tail)};
  }
  const Value* length = answer.find(QuantityId::acceptance_length);
  const std::vector<double> positions = list_of(answer, QuantityId::position_rates);
  if (length == nullptr || positions.empty()) {
    const auto* sought = answer.found.find(QuantityId::long_run_length);
    if (sought != nullptr && !sought->missing.empty()) {
      throw InputError(fmt::format("{}: there are no rates of the long run: {}",
                                   question.verifier.name, sought->missing));
    }
    refuse_rates();
  }
  return {fmt::format("decodes of {} tokens", *question.lengths.horizon), length->number,
          positions};
}

Json rates_json(const Answer& answer) {
  const CompletionRates rates = rates_of(answer);
  std::vector<std::string> words;
  for (const double rate : rates.positions) words.push_back(shortest(rate));
  const auto gamma = rates.positions.size();
  return {{"pair", answer.question.pair->name()},
          {"verifier", answer.question.verifier.name},
          {"gamma", gamma},
          {"of", rates.of},
          {"acceptance_length", rates.length},
          {"position_rates", rates.positions},
          {"vllm",
           {{"num_speculative_tokens", gamma},
            {"rejection_sample_method", "synthetic"},
            {"synthetic_acceptance_rates", rates.positions}}},
          {"llama.cpp",
           {{"spec-synthetic-acceptance-rates", fmt::format("{}", fmt::join(words, ","))}}},
          {"sglang", {{"SGLANG_SIMULATE_ACC_LEN", shortest(rates.length)}}},
          // Of drafted tokens alone: without the one that the target adds.
          {"tensorrt-llm",
           {{"TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS", shortest(rates.length - 1)}}},
          {"atom", {{"spec-decode-acceptance-length", shortest(rates.length)}}},
          {"tokenspeed", {{"TOKENSPEED_SPEC_SIMULATED_ACCEPT_LEN", shortest(rates.length)}}}};
}

}  // namespace

void check_rates(const Question& question) {
  check_verifier(question);
  const bool decodes = question.lengths.horizon || question.long_run;
  if (!decodes && recording_of(*question.pair) == nullptr) refuse_rates();
}

Document rates_document(std::span<const Answer> answers) {
  return {.data = [answers] { return results_json(answers, rates_json); }};
}

}  // namespace speclab
