#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/spec.h"
#include "model/pair.h"

namespace speclab {

struct PairFilters;

/// One family of pairs: its row in `list pairs`, the help and the README, and its maker.
struct PairFamily {
  std::string_view name;
  std::string_view parameters;  ///< as in the spec text, e.g. "draft=, target="
  std::string_view prose;       ///< one line
  std::string_view source;      ///< where the family comes from
  std::string_view example;     ///< a spec text that needs no file ("" where it needs a file)
  PairPointer (*make)(SpecReader& spec);
  bool tempered = false;  ///< its maker reads the temperatures and applies them itself
  /// In the place of `make` for a family whose pairs may be large: a maker with a memory limit.
  PairPointer (*make_within)(SpecReader& spec, double max_memory) = nullptr;
  /// Puts filters on a pair that was made and not read; null: any law can be filtered.
  PairPointer (*filter)(const PairPointer& pair, const PairFilters& filters,
                        const SpecReader& spec) = nullptr;
  std::string_view no_end = {};  ///< why the family takes no eos=; "" where it does
};

/// All families, in listing order: those of this room, then what was added.
std::span<const PairFamily> pair_families();

/// Adds a family; not while other threads read the registry.
void add_pair_family(const PairFamily& family);

/// Makes the pair that a spec text names. Every family also takes sampling filters
/// (model/filter.h), which come after its own parameters, and last eos=TOKEN.
/// @param max_memory  limit on the bytes that it and its making take; see most_memory
/// @throws InputError naming the spec, the parameter and what to write; LimitError with both
/// numbers, before anything is made, where it may take more
PairPointer make_pair(std::string_view text, std::optional<double> max_memory = std::nullopt);

}  // namespace speclab
