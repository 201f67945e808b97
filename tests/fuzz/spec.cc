// Spec text: numbers, the grammar, verifiers, pairs and what their parts cost. Input: the text.
#include "base/spec.h"

#include "answer/cost_model.h"
#include "pairs.h"
#include "verifiers/registry.h"

namespace speclab::fuzz {
namespace {

void read_number(std::string_view text) {
  const auto number = accepted([&] { return parse_rational(text); });
  if (!number) return;
  const std::string written = to_text(*number);
  demand(parse_rational(written) == *number, "a number reads back to itself");
  const double nearest = to_double(*number);
  demand(!std::isnan(nearest), "a number has a double");
  demand(!std::isfinite(nearest) || to_double(exact(nearest)) == nearest,
         "a double is its own nearest");
}

void read_grammar(std::string_view text) {
  const auto spec = accepted([&] { return parse_spec(text); });
  if (!spec) return;
  demand(!spec->name.empty(), "a spec has a name");
  for (const SpecArgument& argument : spec->arguments) {
    demand(argument.is_list || argument.values.size() == 1, "what is no list is one value");
  }
}

void read_verifier(std::string_view text) {
  const auto verifier = accepted([&] { return make_verifier(text); });
  if (!verifier) return;
  const Verifier again = make_verifier(verifier->name);
  demand(again.name == verifier->name, "a canonical form reads back to itself");
  demand(again.drafts == verifier->drafts && again.drafts_iid == verifier->drafts_iid &&
             again.inputs == verifier->inputs,
         "a canonical form is of the same verifier");
  demand(verifier->drafts >= 0, "a number of drafts is not negative");
  const Verifier meant = correct_counterpart(*verifier);
  demand(meant.info->fault_of.empty(), "what is meant by a wrong verifier is right");
}

void read_times(std::string_view text) {
  const auto costs = accepted([&] { return read_costs(std::string(text)); });
  if (!costs) return;
  demand(std::isfinite(costs->verifier) && costs->verifier >= 0, "a time is not negative");
  demand(std::isfinite(costs->rule) && costs->rule >= 0, "a time is not negative");
  for (const double n : {1.0, 2.0, 1000.0}) {
    const auto time = accepted([&] { return costs->target.at(n); });
    demand(!time || (std::isfinite(*time) && *time >= 0), "a time is finite and not negative");
  }
}

}  // namespace
}  // namespace speclab::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab::fuzz;
  const std::string_view text = text_of(data, size);
  read_number(text);
  read_grammar(text);
  read_verifier(text);
  read_times(text);
  if (modest(text)) make_checked_pair(text);
  return 0;
}
