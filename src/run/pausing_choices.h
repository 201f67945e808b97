#pragma once

#include <utility>

#include "run/enumerator.h"

namespace speclab {

/// An Enumerator that stops a run where it pauses (verifiers/pauses.h) past the prefix it is at.
template <class R, class N>
class PausingChoices : public Enumerator<R> {
 public:
  using Real = R;
  using Node = N;

  enum class Stop {
    none,   ///< the iteration ended
    after,  ///< paused after a longer prefix
    here,   ///< paused before this prefix: all longer ones are refused
    below,  ///< paused before a shorter one: this one is refused too
  };

  /// @param length   of the prefix that `first` leads to
  /// @param longest  to stop after a longer prefix, but not after one that is longer than this
  /// @param here     whether to stop before this prefix
  PausingChoices(bool corrections, Trail<Real> first, int length, int longest, bool here)
      : Enumerator<R>(corrections, std::move(first)),
        length_(length),
        longest_(longest),
        here_(here) {}

  void restart() {
    Enumerator<R>::restart();
    stop_ = Stop::none;
  }
  [[nodiscard]] Stop stop() const { return stop_; }
  /// The prefix stopped after: its length, last token, node and weight.
  [[nodiscard]] int reached() const { return reached_; }
  [[nodiscard]] Token last() const { return last_; }
  [[nodiscard]] const Node& node() const { return node_; }
  [[nodiscard]] const Real& digest() const { return digest_; }

  bool pause_after(int length, Token last, const Node& node, const Real& weight) {
    if (length <= length_ || length > longest_) return false;
    stop_ = Stop::after;
    reached_ = length;
    last_ = last;
    node_ = node;
    digest_ = weight;
    return true;
  }
  bool pause_before(int length) {
    if (length > length_ || (length == length_ && !here_)) return false;
    stop_ = length == length_ ? Stop::here : Stop::below;
    return true;
  }

 private:
  int length_;
  int longest_;
  bool here_;
  Stop stop_ = Stop::none;
  int reached_ = 0;
  Token last_ = kNoToken;
  Node node_{};
  Real digest_{};
};

}  // namespace speclab
