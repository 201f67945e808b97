#pragma once

namespace speclab {

/// Bytes of this process that are in memory; 0 where the system does not say.
double resident_memory();

}  // namespace speclab
