#pragma once

#include "report/report.h"

namespace speclab {

/// Turns the calls of a record into modelled time, with setting.latency (which must be there), and
/// appends what applies:
///   modelled_time.per_iteration   gamma t_draft + t_target (autoregressive: t_target); several
///                                 drafts of one iteration run side by side
///   modelled_time.per_token       the same per emitted token, in long runs
///   speedup                       t_target / per_token: over one target call a token
/// For sprinter, which stops drafting where its verifier says so, with an unbounded draft length:
///   modelled_time.decode          T (t_draft + t_verifier) + target calls * t_target
///   speedup                       T t_target / decode
/// Nothing where the calls do not tell the time; a note says why.
void add_modelled_time(Record& record, const Setting& setting);

}  // namespace speclab
