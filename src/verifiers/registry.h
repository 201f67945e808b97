#pragma once

#include <boost/iterator/indirect_iterator.hpp>
#include <boost/range/iterator_range_core.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "base/spec.h"
#include "model/pair.h"
#include "system/read_file.h"
#include "verifiers/info.h"

namespace speclab {

/// What each interpreter does with a program that is handed to it as a pointer to its type.
struct ExactEntry;        ///< see exact/entry.h
struct TrialEntry;        ///< see simulate/entry.h
struct ConditionalEntry;  ///< see answer/conditional.h

/// A verifier's type with its parameters; it never changes.
using ProgramPointer = std::shared_ptr<const void>;

/// The row of one verifier, its type taken out: all that is known of it lies behind functions, so
/// that a verifier is added without a change to anything that handles verifiers. Rows are made by
/// answer/instantiate.h and live as long as the process.
struct VerifierRow : VerifierInfo {
  const std::type_info* type = nullptr;
  ProgramPointer (*read)(SpecReader& reader) = nullptr;
  int (*draft_count)(const void* program) = nullptr;
  bool (*drafts_iid)(const void* program) = nullptr;
  std::vector<InputFile> (*inputs)(const void* program) = nullptr;
  ProgramPointer (*prepared)(const ProgramPointer& program, const PairPointer& pair) = nullptr;
  const ExactEntry* exact_entry = nullptr;
  const TrialEntry* trial_entry = nullptr;
  const ConditionalEntry* conditional_entry = nullptr;
};

/// A verifier with its parameters.
struct Verifier {
  std::string name;  ///< canonical spec text
  const VerifierRow* info = nullptr;
  ProgramPointer program;
  int drafts = 1;                 ///< that one iteration takes: 0 without a draft model, 1, K or M
  bool drafts_iid = true;         ///< whether each is drawn from the draft's law on its own
  std::vector<InputFile> inputs;  ///< the files that its program was made from
  Spec spec;  ///< the canonical text taken apart; files stand in it as they are found here
};

/// The program of a verifier, or null where it is of another type.
template <class Program>
const Program* program_as(const Verifier& verifier) {
  return *verifier.info->type == typeid(Program)
             ? static_cast<const Program*>(verifier.program.get())
             : nullptr;
}

/// The registry: the verifiers of the list (verifiers/list.txt) in its order, then those of
/// plugins. Iterated over as `for (const VerifierInfo& row : all_verifier_rows())`.
using VerifierRows = boost::iterator_range<
    boost::indirect_iterator<std::vector<const VerifierRow*>::const_iterator, const VerifierInfo>>;
VerifierRows all_verifier_rows();

/// Those that run on any pair: all but the ones for small pairs alone.
VerifierRows verifier_rows();

/// The row of this name, or null.
const VerifierRow* find_verifier(std::string_view name);

/// Adds a row to the registry; not while other threads read it.
/// @throws InputError where there is one of this name.
void add_verifier(const VerifierRow& row);

/// The rows of the verifiers of the list, in its order; defined by a generated file.
std::span<const VerifierRow* const> listed_verifiers();

/// Makes the verifier that a spec text names.
/// @throws InputError naming the spec, the parameter and the mend.
Verifier make_verifier(std::string_view text);

/// The verifier that is meant: of a wrong or printed one the right one that it is a fault of, with
/// as many drafts; of another one itself.
Verifier meant_by(const Verifier& verifier);

/// The verifier made ready for a pair: where its program has
///   Program prepared(const PairPointer& pair) const
/// it learns from the pair what it needs. run_exact and run_trials call this, and nothing else has
/// to.
Verifier prepare(const Verifier& verifier, const PairPointer& pair);

}  // namespace speclab
