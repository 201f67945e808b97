#pragma once

#include "model/rest_law.h"

namespace speclab {

/// One refusal of a child: the target t becomes [a t - d]+ normalised, d being normalised too. No
/// draft mass is taken from the tokens that the target keeps: those removed from d.
/// @param target  mass 1; afterwards 0 where the rest is empty
/// @param draft   the rest of d; mass > 0
/// @returns s = sum of [a t - d]+
template <class Laws>
auto take_residual(const Laws& laws, RestLaw<typename Laws::Real>& target,
                   const typename Laws::Real& a, const RestLaw<typename Laws::Real>& draft) {
  using Scale = WideOf<typename Laws::Real>;
  target.scale(a);
  target.subtract(laws, Scale(1) / draft.wide_mass());
  auto mass = target.mass();
  target.normalise();
  return mass;
}

}  // namespace speclab
