#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/spec.h"
#include "model/pair.h"

namespace speclab {

/// One family of pairs: what `list pairs`, the help and the README say of it, and how it is made.
struct PairFamily {
  std::string_view name;
  std::string_view parameters;  ///< as in the spec text, e.g. "draft=, target="
  std::string_view prose;       ///< one line
  std::string_view source;      ///< where the family comes from
  std::string_view example;     ///< a spec text that works anywhere ("" where it needs a file)
  PairPointer (*make)(SpecReader& spec);
  bool tempered = false;  ///< its maker reads the temperatures and applies them itself
  /// Instead of `make`, of a family whose pairs may be large: within so many bytes.
  PairPointer (*make_within)(SpecReader& spec, double max_memory) = nullptr;
};

/// All families, in the order in which they are listed.
std::span<const PairFamily> pair_families();

/// Makes the pair that a spec text names. Every family also takes sampling filters
/// (model/filter.h), which come after its own parameters, and last eos=TOKEN.
/// @param max_memory  bytes that it may hold and its making take; see most_memory
/// @throws InputError naming the spec, the parameter and the mend; LimitError with both numbers,
/// before anything is made, where it may take more
PairPointer make_pair(std::string_view text, std::optional<double> max_memory = std::nullopt);

}  // namespace speclab
