#pragma once

#include <array>
#include <span>
#include <string_view>

namespace speclab {

/// One numbered thing of a paper, and what of the laboratory speaks of it. Each has a row: what is
/// not covered says so, with the reason.
struct PaperItem {
  std::string_view number;  ///< "Theorem 2", "Algorithm 1", "Equation (7)", "Figure 3", "Remark 2"
  std::string_view says;    ///< one line of plain ASCII
  /// Claims, predictions, verifiers and experiments by their ids; those without a name are not
  /// there.
  std::array<std::string_view, 8> by{};
  std::string_view lacking{};  ///< why nothing covers it, or what of it is not covered
};

using PaperItems = std::span<const PaperItem>;

/// A paper, its items in the order of its pages.
struct Paper {
  std::string_view key;    ///< "sun2025": the first part of its claims' ids
  std::string_view title;  ///< authors, title, year
  PaperItems (*items)() = nullptr;
  bool whole = false;  ///< each numbered thing of it has a row; else those alone that are held
};

}  // namespace speclab
