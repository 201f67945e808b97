#pragma once

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/rational.h"
#include "base/sum.h"
#include "base/types.h"
#include "run/guide.h"
#include "verifiers/any_choices.h"
#include "verifiers/contract.h"
#include "verifiers/iteration.h"

namespace speclab {

/// What rounding in doubles may do to a probability, or to a law's weights beside their sum.
inline constexpr double kContractRounding = 1e-9;

/// A number in a message: a double in the digits that read back to it.
inline std::string contract_text(double value) { return fmt::format("{}", value); }
inline std::string contract_text(const Rational& value) { return to_text(value); }

/// @throws ProbabilityError where the probability of a coin is outside of [0, 1]; in doubles by
/// more than rounding. NaN is outside.
template <class Real>
void check_coin(const Real& probability) {
  if (probability >= 0 && !(probability > 1)) return;
  if constexpr (std::is_same_v<Real, double>) {
    if (probability >= -kContractRounding && probability <= 1 + kContractRounding) return;
  }
  throw ProbabilityError("the probability of a coin is " + contract_text(probability) +
                         ", outside of [0, 1]; give min(1, ratio), and what is not negative");
}

/// @throws ProbabilityError where a weight is negative, or where mass() is not their sum, exactly
/// in fractions and to rounding in doubles
template <class Real>
void check_law(const LawRef<Real>& law, std::string_view use) {
  if (law.is_valid()) return;
  const Real mass = law.mass();
  Real slack(0);
  if constexpr (std::is_same_v<Real, double>) slack = kContractRounding * std::fmax(1.0, mass);
  Sum<Real> sum;
  for (Token x = 0; x < law.size(); ++x) {
    const Real weight = law.weight(x);
    if (!(weight >= -slack)) {
      throw ProbabilityError("the law of " + std::string(use) + " has the weight " +
                             contract_text(weight) + " for token " + std::to_string(x) +
                             "; weights are not negative, as by [t - d]+");
    }
    sum += weight;
  }
  const Real difference = sum.value() - mass;
  if (difference <= slack && -difference <= slack) return;
  throw ProbabilityError("the weights of the law of " + std::string(use) + " sum to " +
                         contract_text(sum.value()) + ", and its mass() is " + contract_text(mass));
}

/// The decisions of a verifier that is not the program's own, a plugin's or one of Python: each is
/// checked before it is made. The program's own verifiers are checked by its tests, and may give a
/// coin a ratio above 1, which counts as 1.
template <class Real, class Node>
class ContractChoices final : public AnyChoices<Real, Node> {
 public:
  /// @param inner  must outlive this
  /// @param root   the state that the iteration begins in
  ContractChoices(AnyChoices<Real, Node>& inner, State root) : inner_(inner), root_(root) {
    this->pauses_ = inner.pauses();
    this->given_ = inner.given();
  }

  /// What was wrong with a decision, and where; empty where all were right. It is kept here because
  /// the program may have caught the exception, or passed it on as one of another language.
  [[nodiscard]] const std::string& fault() const { return fault_; }

 private:
  static constexpr const char* kCoin = "coin";

  /// "an iteration from state 0, decision 3, after draft 1, coin yes".
  [[nodiscard]] std::string context() const {
    std::string text = "an iteration from state " + std::to_string(root_) + ", decision " +
                       std::to_string(made_.size() + 1);
    const char* before = ", after ";
    for (const auto& [what, value] : made_) {
      text += before;
      text += what;
      text += what == kCoin ? (value != 0 ? " yes" : " no") : " " + std::to_string(value);
      before = ", ";
    }
    return text;
  }
  void check(const std::function<void()>& probabilities) {
    try {
      probabilities();
    } catch (const ProbabilityError& error) {
      if (fault_.empty()) fault_ = std::string(error.what()) + " (" + context() + ")";
      throw;
    }
  }
  Token note(const char* what, Token value) {
    made_.emplace_back(what, value);
    return value;
  }
  Token draft_from(const LawRef<Real>& law) override {
    check([&] { check_law(law, "a draft"); });
    return note("draft", inner_.draft(law));
  }
  Token choose_from(const LawRef<Real>& law) override {
    check([&] { check_law(law, "a choice"); });
    return note("choice", inner_.choose(law));
  }
  Token correct_from(const LawRef<Real>& law) override {
    check([&] { check_law(law, "a correction"); });
    return note("correction", inner_.correct(law));
  }
  bool accept_with(const Real& probability) override {
    check([&] { check_coin(probability); });
    return note(kCoin, inner_.accept(probability) ? 1 : 0) != 0;
  }
  bool pauses_after(int length, Token last, const Node& node, const Real& weight) override {
    return inner_.pause_after(length, last, node, weight);
  }
  bool pauses_before(int length) override { return inner_.pause_before(length); }

  AnyChoices<Real, Node>& inner_;
  State root_;
  std::vector<std::pair<const char*, Token>> made_;
  std::string fault_;
};

/// Runs f; what it throws that is no error of the program's own becomes a ContractError. Not where
/// the program says that its exceptions are its caller's.
template <class Program, class F>
void with_exceptions_named(const F& f) {
  if constexpr (requires { Program::kThrowsToCaller; }) {
    f();
  } else {
    try {
      f();
    } catch (const Error&) {
      throw;
    } catch (const ContractError&) {
      throw;
    } catch (const RandomWalk::Enough&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      throw ContractError(std::string("it threw an exception: ") + error.what());
    } catch (...) {
      throw ContractError("it threw what is no std::exception");
    }
  }
}

/// The RunOf a program's type whose decisions are checked.
/// @throws ProbabilityError with the state that the iteration begins in and the decisions before;
/// ContractError for other exceptions of the program
template <class Program, class View>
void run_checked(const void* program, const View& view, const typename View::Node& root,
                 Window window, AnyChoices<typename View::Real, typename View::Node>& choices,
                 Iteration<View>& out) {
  ContractChoices<typename View::Real, typename View::Node> checked(choices, view.state(root));
  try {
    with_exceptions_named<Program>(
        [&] { (*static_cast<const Program*>(program))(view, root, window, checked, out); });
  } catch (...) {
    if (checked.fault().empty()) throw;
  }
  if (!checked.fault().empty()) throw ProbabilityError(checked.fault());
}

}  // namespace speclab
