#include "verifiers/registry.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "verifiers/faults/fault.h"

namespace speclab {
namespace {

std::vector<const VerifierRow*>& rows() {
  static std::vector<const VerifierRow*> all;
  return all;
}

std::vector<const VerifierRow*>& rows_for_any_pair() {
  static std::vector<const VerifierRow*> some;
  return some;
}

Verifier make(const Spec& spec) {
  const VerifierRow* row = find_verifier(spec.name);
  if (row == nullptr) {
    std::vector<std::string> names;
    for (const VerifierRow* each : rows()) names.emplace_back(each->name);
    throw InputError("unknown verifier '" + abbreviate(spec.name) +
                     "'; `speclab list verifiers` names them" + suggestion(spec.name, names));
  }
  SpecReader reader(spec);
  Verifier made;
  made.info = row;
  made.program = row->read(*row, reader);
  reader.finish();
  made.name = reader.canonical();
  made.spec = parse_spec(made.name);
  made.drafts = row->draft_count(made.program.get());
  made.tree = row->tree(made.program.get());
  if (row->grown != nullptr) made.grown = row->grown(made.program.get());
  made.drafts_iid = row->drafts_iid(made.program.get());
  made.inputs = row->inputs(made.program.get());
  if (row->runs_of != nullptr) made.runs = row->runs_of(made.program.get());
  return made;
}

}  // namespace

std::string_view kind_name(VerifierKind kind) {
  switch (kind) {
    case VerifierKind::lossless:
      return "lossless";
    case VerifierKind::biased:
      return "biased";
    case VerifierKind::printed:
      return "as printed";
    case VerifierKind::wrong:
      return "planted fault";
  }
  return "";
}

VerifierRows all_verifier_rows() { return {rows().cbegin(), rows().cend()}; }

VerifierRows verifier_rows() {
  const auto& all = rows_for_any_pair();
  return {all.cbegin(), all.cend()};
}

const VerifierRow* find_verifier(std::string_view name) {
  const auto found = std::find_if(rows().begin(), rows().end(),
                                  [&](const VerifierRow* row) { return row->name == name; });
  return found == rows().end() ? nullptr : *found;
}

void add_verifier(const VerifierRow& row) {
  if (find_verifier(row.name) != nullptr) {
    throw InputError("a verifier '" + std::string(row.name) +
                     "' exists already; give this one another name");
  }
  rows().push_back(&row);
  if (!row.small_pairs) rows_for_any_pair().push_back(&row);
}

void add_verifiers(std::span<const VerifierRow* const> rows) {
  for (const VerifierRow* row : rows) add_verifier(*row);
}

Verifier make_verifier(std::string_view text) { return make(parse_spec(text)); }

Verifier correct_counterpart(const Verifier& verifier) {
  if (const auto* faulty = program_as<Faulty>(verifier)) return faulty->right;
  if (verifier.info->fault_of.empty()) return verifier;
  Spec spec = parse_spec(verifier.info->fault_of);
  const VerifierRow* right = find_verifier(spec.name);
  for (SpecArgument& argument : spec.arguments) {
    if (right == nullptr || argument.key != right->drafts) continue;
    argument.values = {std::to_string(verifier.drafts)};
  }
  return make(spec);
}

Verifier prepare(const Verifier& verifier, const PairPointer& pair) {
  Verifier ready = verifier;
  ready.program = verifier.info->prepared(verifier.program, pair);
  return ready;
}

}  // namespace speclab
