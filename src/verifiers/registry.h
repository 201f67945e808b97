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

/// What the interpreters compile for a program's type: see run/runs.h.
struct Runs;

/// A verifier's type with its parameters; immutable.
using ProgramPointer = std::shared_ptr<const void>;

/// The size of a tree that is grown (draft/source.h): nodes in all, and nodes of one depth whose
/// children are drafted, both at most. No nodes: the tree is not grown.
struct GrownSize {
  int nodes = 0;
  int width = 0;
  int depth = 0;  ///< of the deepest one where it is fixed, or 0
};

/// The type-erased row of one verifier: everything about it is behind functions, so that a verifier
/// is added without a change to the code that uses verifiers. Rows are made by
/// answer/instantiate.h and are never destroyed.
struct VerifierRow : VerifierInfo {
  const std::type_info* type = nullptr;
  ProgramPointer (*read)(const VerifierRow& row, SpecReader& reader) = nullptr;
  int (*draft_count)(const void* program) = nullptr;
  std::vector<int> (*tree)(const void* program) = nullptr;
  GrownSize (*grown)(const void* program) = nullptr;
  bool (*drafts_iid)(const void* program) = nullptr;
  std::vector<InputFile> (*inputs)(const void* program) = nullptr;
  ProgramPointer (*prepared)(const ProgramPointer& program, const PairPointer& pair) = nullptr;
  const Runs* (*runs_of)(const void* program) = nullptr;  ///< null where nothing runs it
};

/// A verifier with its parameters.
struct Verifier {
  std::string name;  ///< canonical spec text
  const VerifierRow* info = nullptr;
  ProgramPointer program;
  const Runs* runs = nullptr;     ///< of the program
  int drafts = 1;                 ///< of one iteration: 0 without a draft model, 1, K or M
  std::vector<int> tree;          ///< draws at a node by its depth; empty: chains alone
  GrownSize grown;                ///< in the place of `tree`
  bool drafts_iid = true;         ///< whether they are drawn independently from the draft's law
  std::vector<InputFile> inputs;  ///< the files that its program was made from
  Spec spec;  ///< the parsed canonical text; file paths are those of this machine
};

/// The program of a verifier, or null where it is of another type.
template <class Program>
const Program* program_as(const Verifier& verifier) {
  return *verifier.info->type == typeid(Program)
             ? static_cast<const Program*>(verifier.program.get())
             : nullptr;
}

/// The registry: what was added to it, in order; a program adds the verifiers of the list
/// (listed_verifiers), plugins theirs. Iterated over as `for (const VerifierInfo& row :
/// all_verifier_rows())`.
using VerifierRows = boost::iterator_range<
    boost::indirect_iterator<std::vector<const VerifierRow*>::const_iterator, const VerifierInfo>>;
VerifierRows all_verifier_rows();

/// The verifiers that run on any pair: all except those for small pairs only.
VerifierRows verifier_rows();

/// The row of this name, or null.
const VerifierRow* find_verifier(std::string_view name);

/// Adds a row to the registry; not while other threads read it.
/// @throws InputError where the name exists.
void add_verifier(const VerifierRow& row);

/// The same for several rows.
void add_verifiers(std::span<const VerifierRow* const> rows);

/// The rows of the verifiers of the list (verifiers/list.txt), in its order. Defined by the library
/// speclab_listed, which whoever registers them links.
std::span<const VerifierRow* const> listed_verifiers();

/// Makes the verifier of a spec text.
/// @throws InputError naming the spec, the parameter and what to write.
Verifier make_verifier(std::string_view text);

/// The correct verifier of which a wrong or printed one is a fault, with as many drafts; any other
/// verifier itself.
Verifier correct_counterpart(const Verifier& verifier);

/// The verifier prepared for a pair: where its program has
///   Program prepared(const PairPointer& pair) const
/// it reads from the pair what it needs. Only run_exact and run_trials need to call this.
Verifier prepare(const Verifier& verifier, const PairPointer& pair);

}  // namespace speclab
