#pragma once

#include <cstddef>
#include <optional>

namespace speclab {

/// How many columns the terminal on this descriptor has, 80 where it does not say; nothing where
/// the descriptor is no terminal.
std::optional<std::size_t> terminal_columns(int descriptor);

}  // namespace speclab
