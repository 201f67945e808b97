#pragma once

#include "base/spec.h"
#include "draft/given.h"
#include "draft/source.h"
#include "verifiers/chain/token.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/several/recursive_rejection.h"

namespace speclab {

/// Batch verification, repaired: yin2024 Algorithm 4 as its Theorem 3 requires.
/// M drafts to the horizon. At the root, draft m = 1..M is tried against t^m (t^1 = t,
/// t^{m+1} = [t^m - d]+ normalised); the first draft whose first token is accepted is verified
/// further, without the others, up to its first rejection, corrected from [t - d]+; if all M roots
/// are rejected the correction is drawn from t^{M+1}.
///
/// The drafts are independent, and only the root of the other drafts is needed, so only the tokens
/// that are needed are drafted.
struct BatchVerification {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "batch",
      .parameters = "M=",
      .prose =
          "M drafts; only the first accepted root is continued (repaired: all M roots are tried)",
      .source = "yin2024 Algorithm 4, Theorem 3",
      .kind = VerifierKind::lossless,
      .example = "batch(M=2)",
      .drafts = "M"};
  static constexpr bool kCarries = false;
  static BatchVerification read(SpecReader& spec) { return {read_drafts(spec, "M")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto laws = view.at(root);
    RecursiveTarget target(laws);
    for (int m = 0; m < drafts; ++m) {
      draft_along(choices, m);
      const Token x = choices.draft(laws.draft());
      if (choices.accept(target.ratio(x))) {
        out.accept(x, view.next(root, x));
        return verify_tokens(view, window, choices, out);
      }
      target.reject();
    }
    out.correct(view, choices, std::move(target).law());
  }
};

/// Batch verification exactly as printed in yin2024: line 28 is inside the loop over the drafts,
/// so a rejected first root ends the iteration whatever M is, and it draws from [t^2 - d]+, the
/// draft law being subtracted a second time.
struct BatchPrinted {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "batch-printed",
      .parameters = "M=",
      .prose =
          "as printed: line 28 inside the loop makes M irrelevant and subtracts d twice; use batch",
      .source = "yin2024 Algorithm 4",
      .kind = VerifierKind::printed,
      .example = "batch-printed(M=2)",
      .drafts = "M",
      .fault_of = "batch(M=2)"};
  static constexpr bool kCarries = false;
  static BatchPrinted read(SpecReader& spec) { return {read_drafts(spec, "M")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto laws = view.at(root);
    RecursiveTarget target(laws);
    draft_along(choices, 0);
    const Token x = choices.draft(laws.draft());
    if (choices.accept(target.ratio(x))) {
      out.accept(x, view.next(root, x));
      return verify_tokens(view, window, choices, out);
    }
    target.reject();
    target.reject();
    out.correct(view, choices, std::move(target).law());
  }
};

}  // namespace speclab
