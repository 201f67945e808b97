#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "base/text.h"
#include "model/pass_rates.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// A low-complexity verifier: it passes a drafted token with probability tp where d(x) <= t(x) and
/// fp(x) where d(x) > t(x), or with the rates of a file (model/pass_rates.h), which do not depend
/// on the target.
struct ErrorRates {
  std::vector<Rational> false_positive;  ///< one rate, or one per token; none where a file is given
  Rational true_positive{1};
  std::shared_ptr<const PassRates> file;          ///< or null
  std::shared_ptr<const PairPassRates> for_pair;  ///< the file's rates for the pair, once prepared

  static ErrorRates read(SpecReader& spec) {
    ErrorRates rates;
    if (spec.has("rates")) {
      if (spec.has("fp") || spec.has("tp")) {
        spec.refuse("rates= gives the rates of a file; leave out fp= and tp=");
      }
      rates.file = read_pass_rates(spec.path("rates"));
      return rates;
    }
    if (!spec.has("fp") && !spec.has("tp")) {
      spec.refuse("fp= and tp= are missing; give both, or rates= a rates file");
    }
    rates.false_positive = spec.number_or_list("fp");
    for (const Rational& rate : rates.false_positive) {
      if (rate < 0 || rate > 1) {
        spec.refuse("fp=" + abbreviate(to_text(rate)) +
                    " is out of range; give a rate from 0 to 1");
      }
    }
    rates.true_positive = spec.number_between("tp", Rational(0), Rational(1));
    return rates;
  }

  /// The rates file, if any.
  [[nodiscard]] std::vector<InputFile> inputs() const {
    if (!file) return {};
    return {{file->path(), file->digest()}};
  }

  /// The rates prepared for a pair.
  [[nodiscard]] ErrorRates prepared(const PairPointer& pair) const {
    ErrorRates ready = *this;
    if (file) ready.for_pair = file->of(pair);
    return ready;
  }

  /// The rate of token x at a state whose laws are `laws`. A token beyond the list has the list's
  /// last rate.
  template <class Laws>
  typename Laws::Real acceptable(const Laws& laws, State state, Token x) const {
    using Real = typename Laws::Real;
    if (file) {
      if (!for_pair) throw std::logic_error("sprinter is not prepared for a pair: call prepare()");
      return for_pair->template rate<Real>(state, x);
    }
    if (!(laws.draft(x) > laws.target(x))) return from_rational<Real>(true_positive);
    const auto i = std::min(static_cast<std::size_t>(x), false_positive.size() - 1);
    return from_rational<Real>(false_positive[i]);
  }
};

/// One run of SPRINTER: tokens are drafted one by one while the low-complexity verifier passes
/// them; at the first token that it does not pass, the target is called and `check(laws, x)`
/// decides about that last token. There is no bonus token: a run that reaches the window's end
/// stops there, the target is not called, and the next iteration drafts on. The law of a decode is
/// therefore the same for every window. tau counts the tokens that the low-complexity verifier
/// passed, without the last one.
template <class View, class Choices, class Check>
void sprint(const View& view, Window window, Choices& choices, Iteration<View>& out,
            const ErrorRates& rates, const Check& check) {
  while (out.accepted < window.drafts) {
    const auto laws = view.at(out.node);
    const Token x = choices.draft(laws.draft());
    if (!choices.accept(rates.acceptable(laws, view.state(out.node), x))) return check(laws, x);
    out.accept(x, view.next(out.node, x));
  }
}

/// SPRINTER: zhong2025 Algorithm 1. At the first token that does not pass, the target checks it as
/// token verification does: kept with min(1, t/d), otherwise replaced from [t - d]+ normalised.
/// With a score s a rates file passes a token where s >= tau, as Algorithm 2 does; Algorithm 1
/// stops at s <= tau and so differs where s = tau.
struct Sprinter {
  ErrorRates rates;

  static constexpr VerifierInfo kInfo{.name = "sprinter",
                                      .parameters = "fp=, tp= or rates=",
                                      .prose =
                                          "drafts until a cheap verifier rejects, then the target "
                                          "checks the last token; biased by fp; "
                                          "gamma only cuts a run",
                                      .source = "zhong2025 Algorithm 1, Theorem 3.1",
                                      .kind = VerifierKind::biased,
                                      .example = "sprinter(fp=1/10,tp=9/10)",
                                      .drafting = Drafting::run};
  static constexpr bool kCarries = false;
  static Sprinter read(SpecReader& spec) { return {ErrorRates::read(spec)}; }
  [[nodiscard]] std::vector<InputFile> inputs() const { return rates.inputs(); }
  [[nodiscard]] Sprinter prepared(const PairPointer& pair) const { return {rates.prepared(pair)}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    sprint(view, window, choices, out, rates,
           [&](const auto& laws, Token x) { check_last(view, laws, x, choices, out); });
  }

  /// The target's check of the last token.
  template <class View, class Laws, class Choices>
  static void check_last(const View& view, const Laws& laws, Token x, Choices& choices,
                         Iteration<View>& out) {
    using Real = typename View::Real;
    if (choices.accept(likelihood_ratio(laws, x))) return out.add(view, x, Ending::bonus);
    out.correct(view, choices, laws.residual(Real(1)));
  }
};

/// SPRINTER as printed in zhong2025 Algorithm 2: when the last token passes the target's check, a
/// new token is drawn from the target's law in its place.
///
/// The listing cannot be executed literally. With x_r the token that stopped the run it compares
/// q_{r+1}, a law of the draft that it never computes, with the target's row after x_r, one
/// position late. Here both rows are those at x_r's position, as in the text and in the proof of
/// Theorem 3.1.
struct SprinterPrinted {
  ErrorRates rates;

  static constexpr VerifierInfo kInfo{
      .name = "sprinter-printed",
      .parameters = "fp=, tp= or rates=",
      .prose =
          "as printed: redraws the last token from t even when it was accepted; with the rows at "
          "that token's place, where the listing reads t one place late and d where it has none; "
          "use sprinter",
      .source = "zhong2025 Algorithm 2",
      .kind = VerifierKind::printed,
      .example = "sprinter-printed(fp=0,tp=1)",
      .drafting = Drafting::run};
  static constexpr bool kCarries = false;
  static SprinterPrinted read(SpecReader& spec) { return {ErrorRates::read(spec)}; }
  [[nodiscard]] std::vector<InputFile> inputs() const { return rates.inputs(); }
  [[nodiscard]] SprinterPrinted prepared(const PairPointer& pair) const {
    return {rates.prepared(pair)};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    sprint(view, window, choices, out, rates, [&](const auto& laws, Token x) {
      if (choices.accept(likelihood_ratio(laws, x))) {
        return out.add(view, choices.correct(laws.target()), Ending::bonus);
      }
      out.correct(view, choices, laws.residual(Real(1)));
    });
  }
};

}  // namespace speclab
