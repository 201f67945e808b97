#pragma once

#include <cstdint>
#include <string>

namespace speclab {

// What this process is doing, and how far it is, for a line of progress of work whose length nobody
// knows. Any thread may call any of these.

/// Begins a stage, its count at 0. @param what  a text of static lifetime, such as "pivots of the
/// simplex method"
void begin_stage(const char* what);
/// Adds to the count.
void count_in_stage(std::uint64_t more = 1);
/// "1234 pivots of the simplex method"; "" before the first stage.
std::string stage_text();

}  // namespace speclab
