#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "verifiers/chain/coin_product.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// A block rule of an engine that is not block verification: with r_i = t(X_i) / d(X_i) and coins
/// u_i,
///   tau = max{i : min(1, r_1) .. min(1, r_i) >= u_1 .. u_i},
/// Y ~ [w_tau t - d]+ normalised, w as in block verification, or Y ~ [t - d]+ with residual=token;
/// after gamma accepted tokens Y ~ t. Biased for gamma >= 2; at gamma = 1 it is token verification.
///
/// The law of tau given the draft has logarithms, rounded to doubles: see coin_product_law. A
/// prefix with S_i = 0, which block verification never accepts, is accepted here, and its
/// correction is undefined. Worked example: toy pair, gamma = 3: E[tau] = 2.569, where token
/// verification has 38/27 and block 5/3.
struct AscendBlock {
  bool weighted = true;  ///< residual=block

  static constexpr VerifierInfo kInfo{
      .name = "ascend-block",
      .parameters = "residual=block|token",
      .prose =
          "accepts the longest prefix whose product of min(1, t/d) is at least that of its "
          "coins; biased",
      .source = "a rule of engines (speclab list engines)",
      .kind = VerifierKind::printed,
      .example = "ascend-block(residual=token)",
      .exact = false};
  static constexpr bool kCarries = false;
  static constexpr std::string_view kNoProof = "the law of its accepted tokens has logarithms";
  static AscendBlock read(SpecReader& spec) {
    return {spec.word("residual", {"block", "token"}, "block") == "block"};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    std::vector<Real> products;
    Real product(1);
    Real weight(1);
    auto node = root;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(node);
      const Token x = choices.draft(laws.draft());
      const Real ratio = likelihood_ratio(laws, x);
      product *= min_one<Real>(ratio);
      products.push_back(product);
      weight = min_one<Real>(weight * ratio);
      node = view.next(node, x);
      out.path.push_back({x, node, weight});
    }
    const int tau =
        products.empty() ? 0 : choices.choose(DenseLaw<Real>(coin_product_law(products)));
    out.accept_path(tau);
    if (tau == window.drafts) return out.finish(view, choices, window);
    const bool scaled = weighted && tau > 0;
    const Real scale = scaled ? out.path[static_cast<std::size_t>(tau) - 1].weight : Real(1);
    out.correct(view, choices, view.at(out.node).residual(scale));
  }
};

}  // namespace speclab
