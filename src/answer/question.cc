#include "answer/question.h"

#include <fmt/format.h>

namespace speclab {

std::string gamma_text(int gamma) { return gamma == kUnbounded ? "inf" : std::to_string(gamma); }

std::string_view arithmetic_name(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::rational ? "rational" : "double";
}

std::string Question::key() const {
  std::string text = fmt::format("pair={} verifier={} gamma={}", pair->name(), verifier.name,
                                 gamma_text(lengths.gamma));
  if (lengths.horizon) text += fmt::format(" horizon={}", *lengths.horizon);
  if (lengths.iterations > 0) text += fmt::format(" iterations={}", lengths.iterations);
  if (law) text += " law";
  if (long_run) text += " long-run";
  if (variance) text += " variance";
  return text + fmt::format(" arithmetic={}", arithmetic_name(arithmetic));
}

Setting setting_of(const Question& question) {
  return {.pair = question.pair,
          .verifier = question.verifier.spec,
          .lengths = question.lengths,
          .arithmetic = question.arithmetic};
}

}  // namespace speclab
