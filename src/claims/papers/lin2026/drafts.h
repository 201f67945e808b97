#pragma once

#include "claims/engine/closed_forms.h"
#include "claims/engine/row.h"
#include "claims/engine/vocabulary.h"

namespace speclab {

// What the claims of lin2026 share.

inline constexpr std::string_view kSpectrGbv = "spectr-gbv(K={K})";
inline constexpr std::string_view kSpectrCoupled = "spectr-coupled(K={K})";

/// Equation (5) with this many drafts.
Rational printed_bound(const Instance& instance, int drafts);
/// With the instance's K, and with K + 1 under a name of its own.
extern const NamedForm kEquation5;
extern const NamedForm kNextBound;

/// T [1 - (1 - min(D/T, 1))^K], a term of equation (5); 0 where T is 0.
extern const NamedForm kBoundTerm;

/// Where searches with K >= 2 look.
inline constexpr SearchSpace kSeveralDrafts{
    .tokens = 2, .gammas = 2, .least_drafts = 2, .drafts = 3, .denominator = {4, 4, 6}};

inline constexpr Filter kNoUndefined{"no 0/0 is possible", [](const Instance& at) {
                                       return exact_answer(verifier_text(kSpectrGbv, at), at)
                                                  .fraction(QuantityId::iteration_undefined) == 0;
                                     }};

/// Where statements of one draft are checked.
inline constexpr Places kOneDraft{BatteryShape{.tokens = 3, .gammas = 2, .random = {4, 12, 40}},
                                  SearchSpace{.tokens = 2, .gammas = {2, 3, 3}, .denominator = 4}};

}  // namespace speclab
