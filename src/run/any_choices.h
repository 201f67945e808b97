#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "base/types.h"
#include "model/law.h"

namespace speclab {

class GivenDrafts;

/// A law (model/law.h) of any type, by reference, so that what interpreters do with laws is
/// compiled once. Valid as long as the law.
template <class R>
class LawRef {
 public:
  using Real = R;

  template <class Law>
  requires(!std::same_as<Law, LawRef>) explicit LawRef(const Law& law)
      : law_(&law), functions_(&kFunctionsOf<Law>), size_(law.size()) {}

  [[nodiscard]] Token size() const { return size_; }
  [[nodiscard]] Real weight(Token x) const { return functions_->weight(law_, x); }
  [[nodiscard]] Real mass() const { return functions_->mass(law_); }
  /// In doubles alone.
  [[nodiscard]] Token pick(double u) const { return functions_->pick(law_, u); }
  /// mass() > 0, which a law of a recording decides from fewer tokens.
  [[nodiscard]] bool has_weight() const { return functions_->has_weight(law_); }
  /// Whether the law stands on recorded paths, and the tokens that go on along them.
  [[nodiscard]] bool is_on_paths() const { return functions_->ahead != nullptr; }
  [[nodiscard]] std::vector<Token> ahead() const { return functions_->ahead(law_); }

 private:
  struct Functions {
    Real (*weight)(const void* law, Token x);
    Real (*mass)(const void* law);
    Token (*pick)(const void* law, double u);
    bool (*has_weight)(const void* law);
    std::vector<Token> (*ahead)(const void* law);
  };

  template <class Law>
  static constexpr Functions functions_of() {
    Functions functions{};
    functions.weight = [](const void* law, Token x) -> Real {
      static_assert(std::is_same_v<std::decay_t<decltype(as<Law>(law).weight(x))>, Real>);
      return as<Law>(law).weight(x);
    };
    functions.mass = [](const void* law) -> Real {
      static_assert(std::is_same_v<std::decay_t<decltype(as<Law>(law).mass())>, Real>);
      return as<Law>(law).mass();
    };
    if constexpr (std::is_same_v<Real, double>) {
      functions.pick = [](const void* law, double u) { return as<Law>(law).pick(u); };
    }
    functions.has_weight = [](const void* law) {
      if constexpr (requires { as<Law>(law).has_weight(); }) {
        return as<Law>(law).has_weight();
      } else {
        return as<Law>(law).mass() > 0;
      }
    };
    if constexpr (requires(const Law& law) { law.ahead(); }) {
      functions.ahead = [](const void* law) {
        std::vector<Token> tokens;
        for (const auto& step : as<Law>(law).ahead()) tokens.push_back(step.token);
        return tokens;
      };
    }
    return functions;
  }

  template <class Law>
  static const Law& as(const void* law) {
    return *static_cast<const Law*>(law);
  }

  template <class Law>
  static constexpr Functions kFunctionsOf = functions_of<Law>();

  const void* law_;
  const Functions* functions_;
  Token size_;
};

/// The decisions of a verifier (verifiers/choices.h) behind one interface: a verifier is compiled
/// for it once a view, however many interpreters run it.
template <class R, class N>
class AnyChoices {
 public:
  using Real = R;
  using Node = N;

  AnyChoices() = default;
  AnyChoices(const AnyChoices&) = delete;
  AnyChoices& operator=(const AnyChoices&) = delete;

  template <class Law>
  Token draft(const Law& law) {
    return draft_from(LawRef<Real>(law));
  }
  template <class Law>
  Token choose(const Law& law) {
    return choose_from(LawRef<Real>(law));
  }
  template <class Law>
  Token correct(const Law& law) {
    return correct_from(LawRef<Real>(law));
  }
  bool accept(const Real& probability) { return accept_with(probability); }

  /// Whether these choices pause at all (verifiers/pauses.h).
  [[nodiscard]] bool pauses() const { return pauses_; }
  bool pause_after(int length, Token last, const Node& node, const Real& weight) {
    return pauses_ && pauses_after(length, last, node, weight);
  }
  bool pause_before(int length) { return pauses_ && pauses_before(length); }

  /// The drafts that the interpreter was given, or null.
  [[nodiscard]] GivenDrafts* given() const { return given_; }

 protected:
  ~AnyChoices() = default;

  bool pauses_ = false;
  GivenDrafts* given_ = nullptr;

 private:
  virtual Token draft_from(const LawRef<Real>& law) = 0;
  virtual Token choose_from(const LawRef<Real>& law) = 0;
  virtual Token correct_from(const LawRef<Real>& law) = 0;
  virtual bool accept_with(const Real& probability) = 0;
  virtual bool pauses_after(int length, Token last, const Node& node, const Real& weight) = 0;
  virtual bool pauses_before(int length) = 0;
};

/// An interpreter's choices as AnyChoices. @tparam Choices  its type
template <class Choices, class Real, class Node>
class ErasedChoices final : public AnyChoices<Real, Node> {
 public:
  /// @param choices  must outlive this
  explicit ErasedChoices(Choices& choices) : choices_(choices) {
    this->pauses_ = kPausing;
    if constexpr (requires { choices.given(); }) this->given_ = choices.given();
  }

 private:
  static constexpr bool kPausing =
      requires(Choices & choices, const Node& node, const Real& weight) {
    choices.pause_after(0, 0, node, weight);
  };

  Token draft_from(const LawRef<Real>& law) override { return choices_.draft(law); }
  Token choose_from(const LawRef<Real>& law) override { return choices_.choose(law); }
  Token correct_from(const LawRef<Real>& law) override { return choices_.correct(law); }
  bool accept_with(const Real& probability) override { return choices_.accept(probability); }
  bool pauses_after(int length, Token last, const Node& node, const Real& weight) override {
    if constexpr (kPausing) return choices_.pause_after(length, last, node, weight);
    return false;
  }
  bool pauses_before(int length) override {
    if constexpr (kPausing) return choices_.pause_before(length);
    return false;
  }

  Choices& choices_;
};

}  // namespace speclab
