#pragma once

#include <array>

#include "exact/exact.h"

namespace speclab {

/// The exact computation of one verifier type, chosen by its index in VerifierProgram.
template <class Real>
using ExactFunction = ExactResult<Real> (*)(const VerifierProgram&, const Rows<Real>&,
                                            const ExactRequest&);

template <class Real>
using ExactTable = std::array<ExactFunction<Real>, kVerifierCount>;

/// Fills the entries whose index is Part modulo SPECLAB_PARTS; one translation unit a part.
template <int Part>
void fill_exact(ExactTable<double>& doubles, ExactTable<Rational>& rationals);

}  // namespace speclab
