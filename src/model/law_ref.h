#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "base/types.h"
#include "model/law.h"

namespace speclab {

/// A law (model/law.h) of any type, by reference, so that what interpreters do with laws is
/// compiled once. Valid as long as the law.
template <class R>
class LawRef {
 public:
  using Real = R;

  template <class Law>
  requires(!std::same_as<Law, LawRef>) explicit LawRef(const Law& law)
      : law_(&law), functions_(&kFunctionsOf<Law>), size_(law.size()) {}

  /// The law where it is of this type, or null.
  template <class Law>
  [[nodiscard]] const Law* get_if() const {
    return functions_ == &kFunctionsOf<Law> ? &as<Law>(law_) : nullptr;
  }

  [[nodiscard]] Token size() const { return size_; }
  [[nodiscard]] Real weight(Token x) const { return functions_->weight(law_, x); }
  [[nodiscard]] Real mass() const { return functions_->mass(law_); }
  /// In doubles alone.
  [[nodiscard]] Token pick(double u) const { return functions_->pick(law_, u); }
  /// mass() > 0, which a law of a recording decides from fewer tokens.
  [[nodiscard]] bool has_weight() const { return functions_->has_weight(law_); }
  /// Whether its type guarantees what a law is (model/law.h); else it is what a verifier made.
  [[nodiscard]] bool is_valid() const { return functions_->valid; }
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
    bool valid;
  };

  template <class Law>
  static constexpr Functions functions_of() {
    Functions functions{};
    functions.valid = is_valid_law<Law>();
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

}  // namespace speclab
