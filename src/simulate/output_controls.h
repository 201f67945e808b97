#pragma once

#include "model/view.h"
#include "simulate/control_variates.h"

namespace speclab {

/// Adds the terms of the token y that follows `state` in an output of the target's law:
/// ControlVariate::output, and ControlVariate::states of the state after it.
/// @param laws  at the state
/// @param last  whether a decode ends with y at its horizon: a pair need have no laws beyond
/// @pre t(y) > 0
void add_output_terms(const Rows<double>& rows, State state, const Laws<double>& laws, Token y,
                      bool last, ControlVariates& controls);

}  // namespace speclab
