#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "model/law_ref.h"
#include "verifiers/window.h"

namespace speclab {

/// What a planted fault sees of an iteration of the verifier that it is planted in, and what it can
/// do there; the same for every view of a number type. Contexts of the iteration have numbers.
template <class R>
class Scene {
 public:
  using Real = R;
  using Context = std::size_t;
  static constexpr Context kRoot = 0;

  Window window;            ///< of the verifier
  Token last = kUndefined;  ///< the last token that was drafted

  explicit Scene(Window of) : window(of) {}
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// The number of tokens accepted so far, and the context after them.
  [[nodiscard]] virtual int accepted() const = 0;
  virtual Context here() = 0;
  virtual Context next(Context at, Token x) = 0;

  [[nodiscard]] virtual Token vocabulary() const = 0;
  [[nodiscard]] virtual Real draft(Context at, Token x) const = 0;
  [[nodiscard]] virtual Real target(Context at, Token x) const = 0;
  /// The mass of [scale * target - draft]+.
  [[nodiscard]] virtual Real excess(Context at, const Real& scale) const = 0;

  // The decisions of the interpreter.
  virtual Token draft(const LawRef<Real>& law) = 0;
  virtual Token choose(const LawRef<Real>& law) = 0;
  virtual Token correct(const LawRef<Real>& law) = 0;
  virtual bool accept(const Real& probability) = 0;
  Token draft(std::vector<Real> weights) {
    return draft(LawRef<Real>(DenseLaw<Real>(std::move(weights))));
  }
  Token choose(std::vector<Real> weights) {
    return choose(LawRef<Real>(DenseLaw<Real>(std::move(weights))));
  }
  Token correct(std::vector<Real> weights) {
    return correct(LawRef<Real>(DenseLaw<Real>(std::move(weights))));
  }
  /// From the laws at a context.
  virtual Token draft_at(Context at) = 0;
  virtual Token correct_by_draft(Context at) = 0;
  virtual Token correct_by_target(Context at) = 0;
  virtual Token correct_by_residual(Context at, const Real& scale) = 0;
  /// See draft_along in draft/given.h.
  virtual void along(int chain, int position) = 0;

  /// Accepts x after the tokens accepted so far.
  virtual void emit(Token x) = 0;
  /// Ends the iteration: accepts `count` steps of the block that the verifier drafted, and corrects
  /// from [scale * target - draft]+.
  virtual void settle(int count, const Real& scale) = 0;

 protected:
  ~Scene() = default;
};

/// The change that a fault makes to the decisions of one iteration; by default none. A decision is
/// changed as the verifier makes it: `law` and `probability` are what the verifier asks for.
template <class Real>
class ChangedDecisions {
 public:
  using On = Scene<Real>;
  using Law = LawRef<Real>;
  using Context = typename On::Context;

  ChangedDecisions() = default;
  ChangedDecisions(const ChangedDecisions&) = delete;
  ChangedDecisions& operator=(const ChangedDecisions&) = delete;
  virtual ~ChangedDecisions() = default;

  virtual Token draft(On& on, const Law& law) { return on.draft(law); }
  virtual bool accept(On& on, const Real& probability) { return on.accept(probability); }
  /// The correction after a rejection.
  virtual Token correct(On& on, const Law& law) { return on.correct(law); }
  /// The bonus token after a whole window.
  virtual Token bonus(On& on, const Law& law) { return on.correct(law); }

  /// Whether the fault follows the pauses of a verifier of blocks (verifiers/pauses.h).
  [[nodiscard]] virtual bool follows_block() const { return false; }
  /// After the drafted prefix of `length` tokens, which ends at `at` with the weight w_length.
  virtual void drafted(On&, int /*length*/, Context /*at*/, const Real& /*weight*/) {}
  /// Before the prefix of `length` tokens is tested. @returns whether the iteration is over
  virtual bool before(On&, int /*length*/) { return false; }
};

}  // namespace speclab
