#pragma once

#include <utility>

#include "verifiers/choices.h"
#include "verifiers/several/covered_row.h"

namespace speclab {

/// The state of spectr-coupled at a drafted node v (see spectr_coupled.h). Every mass is
/// stored as a share of T(v), so nothing underflows along a long path; where T(v) = 0 (`ratio` is
/// 0) all masses are 0 and the other members are unused.
///
/// With g(z) = 1 - (1 - z)^K and sums over the children c = vx:
///   P = m(v) - sum T(c) min(u(c), s(v))         Q = T(v) g(u(v)) - sum T(c) g(min(u(c), s(v)))
///   lambda(c) = T(c) [g(u(c)) - g(s(v))]+ / Q   m(c) = T(c) min(u(c), s(v)) + lambda(c) P
/// The sums are taken in forms without cancellation:
///   P / T(v) = sum t [s(v) - u(c)]+ + lent(v) P(parent) / T(parent)
///   Q / T(v) = sum t [g(s(v)) - g(u(c))]+ + [g(u(v)) - g(s(v))]+
template <class Real>
struct CoupledNode {
  Real ratio{1};    ///< T(v) / D(v)
  Real covered{1};  ///< u(v) = min(1, D / T)
  Real reach{1};    ///< s(v), the least u from the root to v
  Real lent{0};     ///< lambda(v) T(parent) / T(v)
  Real mass{1};     ///< m(v) / T(v)
  Real spare{0};    ///< P / T(v)
  Real room{0};     ///< Q / T(v)
  Real stop{0};     ///< (m(v) - sum m(c)) / T(v)
  Real below{0};    ///< sum m(c) / T(v)

  /// Sets spare, room, stop and below from the row at v.
  template <class Laws>
  void read_row(const Laws& laws, int drafts, const Real& parent_spare) {
    if (!(ratio > 0)) return;
    const CoveredRow<Real> row(laws, ratio, reach, drafts);
    spare = row.spare + lent * parent_spare;
    room = row.room;
    if (reach < covered) {
      room += at_least_once(covered, drafts) - at_least_once(reach, drafts);
    }
    const Real rate = room > 0 ? Real(spare / room) : Real(0);
    stop = rate * positive_part<Real>(room - row.borrowed);
    below = row.missing + rate * row.borrowed;
  }

  /// The child reached by a token whose likelihood ratio is `step`.
  [[nodiscard]] CoupledNode child(const Real& step, int drafts) const {
    CoupledNode node;
    node.ratio = ratio * step;
    if (!(node.ratio > 0)) return node;
    node.covered = node.ratio > 1 ? Real(1 / node.ratio) : Real(1);
    node.reach = node.covered < reach ? node.covered : reach;
    if (reach < node.covered && room > 0) {
      node.lent = (at_least_once(node.covered, drafts) - at_least_once(reach, drafts)) / room;
    }
    node.mass = node.reach + node.lent * spare;
    return node;
  }

  /// The probability that a draft stops at v, given that it did not stop below v:
  /// (m(v) - M) / (D(v) - M), M = sum m(c), or m / D for a whole draft.
  [[nodiscard]] Real coin(bool whole) const {
    if (!(ratio > 0)) return Real(0);
    if (whole) return ratio * mass;
    const Real top = ratio * stop;
    if (!(top > 0)) return Real(0);
    const Real bottom = 1 - ratio * below;
    return top < bottom ? Real(top / bottom) : Real(1);
  }
};

}  // namespace speclab
