#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/types.h"

namespace speclab {

/// g(s) = sum over v of max(s d(v), t(v)) at a node, which is linear between the values of r = t/d:
/// what couplings by shared clocks integrate.
/// Worked example: d = (2/3, 1/3), t = (1/3, 2/3): bends at 1/2 and 2, g = 1 and 2, slopes 2/3, 1.
template <class Real>
class RatioBends {
 public:
  /// A value of r, with g there and the slope of g after it.
  struct Bend {
    Real at;
    Real slope{0};
    Real g{0};
  };

  template <class Laws>
  explicit RatioBends(const Laws& laws) {
    std::vector<std::pair<Real, Token>> order;
    Real beyond(0);  // t of the tokens that are above a bend
    for (Token v = 0; v < laws.vocabulary(); ++v) {
      if (auto r = ratio(laws, v)) {
        order.emplace_back(std::move(*r), v);
      } else {
        beyond += laws.target(v);
      }
    }
    std::sort(order.begin(), order.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    constexpr auto kInfinite = static_cast<std::size_t>(-1);
    bend_of_.assign(static_cast<std::size_t>(laws.vocabulary()), kInfinite);
    Real slope(0);
    for (const auto& [r, v] : order) {
      if (bends_.empty() || bends_.back().at < r) bends_.push_back({r});
      slope += laws.draft(v);
      bends_.back().slope = slope;
      bend_of_[static_cast<std::size_t>(v)] = bends_.size() - 1;
    }
    auto above = order.rbegin();
    for (std::size_t i = bends_.size(); i-- > 0;) {
      for (; above != order.rend() && of(above->second) > i; ++above) {
        beyond += laws.target(above->second);
      }
      bends_[i].g = bends_[i].at * bends_[i].slope + beyond;
    }
    for (std::size_t& bend : bend_of_) bend = std::min(bend, bends_.size());
  }

  [[nodiscard]] std::size_t size() const { return bends_.size(); }
  [[nodiscard]] const Bend& operator[](std::size_t i) const { return bends_[i]; }
  [[nodiscard]] const Bend& back() const { return bends_.back(); }
  /// The bend of a token; size() where d = 0, so that r is infinite.
  [[nodiscard]] std::size_t of(Token v) const { return bend_of_[static_cast<std::size_t>(v)]; }

 private:
  template <class Laws>
  static std::optional<Real> ratio(const Laws& laws, Token v) {
    if (!(laws.draft(v) > 0)) return std::nullopt;
    const Real r = laws.target(v) / laws.draft(v);
    if constexpr (std::is_same_v<Real, double>) return std::min(r, 1e290);
    return r;
  }

  std::vector<Bend> bends_;           ///< by r
  std::vector<std::size_t> bend_of_;  ///< by token
};

}  // namespace speclab
