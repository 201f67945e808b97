#include "answer/rule_tables.h"

#include <memory>
#include <utility>

#include "verifiers/rule.h"

namespace speclab {

Verifier rule_of_tables(std::vector<std::vector<Rational>> accept,
                        std::vector<std::vector<Rational>> correct) {
  Verifier verifier = make_verifier("rule(share=1)");
  TableRule program;
  program.tables = make_acceptance_rule(std::move(accept), std::move(correct));
  verifier.program = std::make_shared<const TableRule>(std::move(program));
  verifier.name = "rule";
  return verifier;
}

}  // namespace speclab
