#include <fmt/format.h>

#include "recorded/given_law.h"
#include "recorded/run_recorded.h"
#include "recorded/scored/text.h"

namespace speclab {
namespace {

/// Of a verifier that takes more drafts than are recorded.
std::string why_too_few(const Verifier& verifier, const RecordingShape& shape) {
  if (verifier.drafts > shape.paths) {
    return fmt::format(
        "{} takes {} drafts an iteration, and {} of each prompt {} recorded; record {} paths",
        verifier.name, verifier.drafts,
        shape.paths == 1 ? "one path" : fmt::format("{} paths", shape.paths),
        shape.paths == 1 ? "is" : "are", verifier.drafts);
  }
  return {};
}

/// Of a recording whose drafts are the draft's likeliest tokens. A tree that is grown may have
/// fewer paths than nodes.
std::string why_not_likeliest(const Verifier& verifier, const RecordingShape& shape) {
  if (verifier.drafts > 0 && !takes_likeliest(verifier)) {
    return verifier.name +
           " draws its drafts, and the recorded ones are the draft's likeliest tokens (argmax); "
           "take a rule for such drafts, as sample-match(draft=argmax) or "
           "one-hot(tree=2-1,draw=top)";
  }
  return verifier.grown.nodes > 0 ? "" : why_too_few(verifier, shape);
}

}  // namespace

std::string why_not_recorded(const Verifier& verifier, const RecordingShape& shape) {
  if (shape.texts) return text_verifier(verifier) ? "" : not_scored(verifier);
  if (verifier.info->drafting == Drafting::run) {
    return verifier.name +
           " drafts until its low-complexity verifier says no; the recorded drafts were not "
           "stopped by it";
  }
  if (shape.likeliest) return why_not_likeliest(verifier, shape);
  if (!verifier.drafts_iid) {
    return verifier.drafts > 1
               ? verifier.name +
                     " drafts a tree, or without replacement, or the likeliest tokens; the "
                     "recorded "
                     "paths were each drawn from the draft's law on its own"
               : verifier.name +
                     " does not draw its drafts from the draft's law, as the recorded ones are";
  }
  return why_too_few(verifier, shape);
}

}  // namespace speclab
