#pragma once

#include <cstddef>
#include <vector>

namespace speclab {

/// Adds counts place by place; what a vector is too short for counts as 0.
template <class T>
void add_counts(std::vector<T>& sums, const std::vector<T>& terms) {
  if (terms.size() > sums.size()) sums.resize(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) sums[i] += terms[i];
}

/// The same of rows of counts.
template <class T>
void add_counts(std::vector<std::vector<T>>& sums, const std::vector<std::vector<T>>& terms) {
  if (terms.size() > sums.size()) sums.resize(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) add_counts(sums[i], terms[i]);
}

}  // namespace speclab
