#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "verifiers/sprinter.h"
#include "verifiers/trained.h"

namespace speclab {

/// SPRINTER with a low-complexity verifier that was trained for the pair (see trained.h). A drafted
/// token passes where the classifier's score is at least the inference threshold tau, which each
/// (state, token) decides for good: the error rates depend on the token, and Theorem 3.1 holds with
/// the rate weighted by [d - t]+.
///
/// prepared(pair) trains it; before that it verifies nothing.
struct SprinterTrained {
  Training training;
  Rational tau{1, 2};
  std::shared_ptr<const TrainedClassifier> classifier;

  static constexpr VerifierInfo kInfo{
      .name = "sprinter-trained",
      .parameters = "lambda=, tau=1/2, samples=4096, length=64, seed=1",
      .prose =
          "sprinter with logistic regression on the draft's law, trained on labels d/t <= "
          "lambda",
      .source = "zhong2025 Algorithm 1, section 3.2",
      .kind = VerifierKind::biased,
      .example = "sprinter-trained(lambda=1)",
      .drafting = Drafting::run};
  static constexpr bool kCarries = false;

  static SprinterTrained read(SpecReader& spec) {
    SprinterTrained result;
    Training& training = result.training;
    training.lambda = spec.number("lambda");
    if (training.lambda < 0) {
      spec.refuse("lambda=" + to_text(training.lambda) + " is negative; give 0 or more");
    }
    result.tau = spec.number_between("tau", Rational(0), Rational(1), Rational(1, 2));
    if (const auto given = spec.optional_integer("samples", 2, 10000000)) {
      training.samples = static_cast<int>(*given);
    }
    if (const auto given = spec.optional_integer("length", 1, 1000000)) {
      training.length = static_cast<int>(*given);
    }
    if (const auto given = spec.optional_integer("seed", 0, 4294967295)) {
      training.seed = static_cast<std::uint64_t>(*given);
    }
    return result;
  }

  [[nodiscard]] SprinterTrained prepared(const PairPointer& pair) const {
    return {training, tau, trained_classifier(pair, training)};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    if (!classifier) throw std::logic_error("sprinter-trained has not met its pair: see prepare()");
    const double threshold = to_double(tau);
    sprint(
        view, window, choices, out,
        [&](const auto&, Token x) {
          return Real(classifier->score(view.state(out.node), x) >= threshold ? 1 : 0);
        },
        [&](const auto& laws, Token x) { Sprinter::check_last(view, laws, x, choices, out); });
  }
};

}  // namespace speclab
