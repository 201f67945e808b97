#pragma once

#include <string_view>
#include <vector>

#include "recorded/path_view.h"
#include "run/any_program.h"
#include "run/draft_trees.h"
#include "verifiers/program.h"
#include "verifiers/registry.h"

namespace speclab {

extern template class DraftTree<PathView, AnyChoices<double, PathView::Node>>;

/// The law of one iteration given all that it drafts.
struct GivenLaw {
  std::vector<double> accepted;  ///< P(tau = i | drafts), i = 0 .. gamma
  double tokens = 0;             ///< E[emitted tokens | drafts]
  double undefined = 0;          ///< P(undefined | drafts)
};

/// How a program's type runs along recorded paths, or why it does not.
struct PathProgram {
  RunOf<PathView> run = nullptr;
  std::string_view reason = {};
  /// Whether a program's drafts are the draft's likeliest tokens (verifiers/program.h), null:
  /// never.
  bool (*likeliest)(const void* program) = nullptr;
  bool reads_draft = true;  ///< whether it looks at probabilities of the draft as well
};

/// Whether a verifier's drafts are the draft's likeliest tokens.
bool takes_likeliest(const Verifier& verifier);

/// Of a program's type. It may say with
///   static constexpr std::string_view kNoPaths
/// that it does not run along recorded paths, and why.
template <class Program>
constexpr PathProgram path_program_of() {
  if constexpr (requires { Program::kNoPaths; }) {
    return {.reason = Program::kNoPaths};
  } else {
    const auto likeliest = [](const void* program) {
      return drafts_likeliest(*static_cast<const Program*>(program));
    };
    PathProgram made{.run = &run_erased<Program, PathView>, .likeliest = likeliest};
    if constexpr (!requires { Program::kReadsDraft; }) made.reads_draft = false;
    return made;
  }
}

/// The law of a verifier's iteration whose drafts are the first tokens of the first paths of
/// `rows`; of one that takes the likeliest tokens, those of its tree among the paths.
/// @param drafts  K, the paths that it takes
/// @throws InputError where it needs what is not recorded; ContractError where it does not keep to
/// the drafts that it is given
GivenLaw given_law(const Verifier& verifier, const PathRows& rows, int drafts, Window window);

}  // namespace speclab
