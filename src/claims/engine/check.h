#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "claims/engine/compared.h"
#include "claims/engine/paths.h"
#include "model/quantities.h"

namespace speclab {

/// A closed form. It is an ingredient of the checks that name it, so that a fault can be planted in
/// it; a list has an element for each of the quantity's, in order.
struct NamedForm {
  using Number = Rational (*)(const Instance& instance);
  using List = std::vector<Rational> (*)(const Instance& instance);
  using OfPath = Rational (*)(const Instance& instance, State start, const PathLaws& path);

  constexpr NamedForm(std::string_view says, std::string_view ingredient, Number value)
      : text(says), name(ingredient), number(value) {}
  constexpr NamedForm(std::string_view says, std::string_view ingredient, List value)
      : text(says), name(ingredient), list(value) {}
  constexpr NamedForm(std::string_view says, std::string_view ingredient, OfPath value)
      : text(says), name(ingredient), of_path(value) {}

  /// Its number, or the sum of its list without the first element, E[tau] of P(tau >= i).
  [[nodiscard]] Rational operator()(const Instance& instance) const;
  /// Its list, or its number as a list of one.
  [[nodiscard]] std::vector<Rational> values(const Instance& instance) const;
  [[nodiscard]] Rational along(const Instance& instance, State start, const PathLaws& path) const;

  std::string_view text;  ///< "sum min(D, T)"
  std::string_view name;  ///< the ingredient: "sun2024.theorem1.formula"
  Number number = nullptr;
  List list = nullptr;
  OfPath of_path = nullptr;
};

/// A horizon of gammas * gamma + tokens.
struct Horizon {
  std::int8_t gammas = 0;
  std::int8_t tokens = 0;
  bool operator==(const Horizon&) const = default;
};
inline constexpr Horizon kNoHorizon{};
inline constexpr Horizon kToGamma{1, 0};  ///< T = gamma: the drafts reach it, as with gamma = inf
inline constexpr Horizon kOneToken{0, 1};

/// What stands on one side of a comparison: a number, a closed form, or what a verifier does.
struct Term {
  enum class Kind : std::uint8_t {
    number,
    formula,
    quantity,         ///< of the exact answer; a list is compared element by element
    rejected_and_tv,  ///< P(reject) + TV of one token, a point of yin2024's plane
    reached,  ///< P(X^i = x^i, tau >= i) from each start, for each path of 1 .. gamma drafted
              ///< tokens
    emitted,  ///< P(X^tau, Y = x) from each start, for each x
  };

  Kind kind = Kind::number;
  QuantityId quantity{};
  Horizon horizon{};
  std::int8_t iterations = 0;   ///< kDepth: as many as Instance::depth
  bool longer = false;          ///< asked at gamma + 1
  std::string_view verifier{};  ///< see verifier_text
  const NamedForm* formula = nullptr;
  int number = 0;

  bool operator==(const Term&) const = default;
  constexpr Term() = default;
  // Implicit, so that a check says at_least(tau("block"), kFormula) and equal(tau("token"), 0).
  constexpr Term(const NamedForm& form) : kind(Kind::formula), formula(&form) {}
  constexpr Term(int value) : number(value) {}
};
inline constexpr std::int8_t kDepth = -1;

/// `verifier` with what stands in braces replaced: {K}, {K-1}, {K+1}, {V} and {gamma} by the
/// instance's number of drafts, that less and plus 1, its vocabulary and its draft length; {2-1} by
/// the shape of a tree as deep as gamma, two children at the root and one at every other vertex.
std::string verifier_text(std::string_view verifier, const Instance& instance);

/// Two terms and how their values must stand to each other.
struct Clause {
  Term left;
  Order order = Order::equal;
  Term right;
  bool (*where)(const Instance& instance) = nullptr;  ///< null: on every instance
  bool operator==(const Clause&) const = default;
};

/// What a claim says on one instance: clauses, which are data, or a function where they are not
/// enough. The clauses are compared in order.
class Check {
 public:
  using Function = Comparisons (*)(const Instance& instance);

  constexpr Check() = default;
  // Implicit, so that a row says `.check = lossless("block")` and `.check = theorem1`.
  template <std::convertible_to<Function> F>
  constexpr Check(F function) : function_(function) {}
  constexpr Check(const Clause& clause) : size_(1) { clauses_[0] = clause; }

  /// Both.
  friend constexpr Check operator&&(Check left, const Check& right) {
    if (left.function_ != nullptr || right.function_ != nullptr) {
      throw std::logic_error("functions are not joined");
    }
    for (std::size_t i = 0; i < right.size_; ++i) {
      if (left.size_ == kMost) throw std::logic_error("raise Check::kMost");
      left.clauses_[left.size_++] = right.clauses_[i];
    }
    return left;
  }
  /// The same on the instances alone that have the property: it says nothing of others. Not of a
  /// function, which says itself where it speaks, nor of clauses that have a property already.
  [[nodiscard]] constexpr Check where(bool (*property)(const Instance& instance)) const {
    if (size_ == 0) throw std::logic_error("only clauses have a property");
    Check cut = *this;
    for (std::size_t i = 0; i < size_; ++i) {
      if (clauses_[i].where != nullptr) throw std::logic_error("a clause has one property");
      cut.clauses_[i].where = property;
    }
    return cut;
  }

  /// The same data; two functions are the same where their addresses are.
  bool operator==(const Check&) const = default;
  constexpr explicit operator bool() const { return function_ != nullptr || size_ > 0; }
  Comparisons operator()(const Instance& instance) const;

 private:
  static constexpr std::size_t kMost = 8;
  Function function_ = nullptr;
  std::array<Clause, kMost> clauses_{};
  std::size_t size_ = 0;
};

}  // namespace speclab
