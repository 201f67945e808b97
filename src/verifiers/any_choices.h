#pragma once

#include "base/types.h"
#include "model/law_ref.h"

namespace speclab {

class PlacedDrafts;

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

  /// The drafts where they are known beforehand (draft/given.h), or null.
  [[nodiscard]] PlacedDrafts* given() const { return given_; }

 protected:
  ~AnyChoices() = default;

  bool pauses_ = false;
  PlacedDrafts* given_ = nullptr;

 private:
  virtual Token draft_from(const LawRef<Real>& law) = 0;
  virtual Token choose_from(const LawRef<Real>& law) = 0;
  virtual Token correct_from(const LawRef<Real>& law) = 0;
  virtual bool accept_with(const Real& probability) = 0;
  virtual bool pauses_after(int, Token, const Node&, const Real&) { return false; }
  virtual bool pauses_before(int /*length*/) { return false; }
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
