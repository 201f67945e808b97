#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/quantities.h"

namespace speclab {

/// The index of a number within a quantity: {} of a single one, {tau} or {i} in a list (numbered as
/// in model/quantities.h), {i, n} in a grid, the tokens of a sequence.
using QuantityIndex = std::vector<int>;

/// "3", "2 5", "0 1 1"; "" of a single number.
inline std::string index_text(const QuantityIndex& index) {
  std::string text;
  for (const int part : index) text += (text.empty() ? "" : " ") + std::to_string(part);
  return text;
}

/// One number of a quantity.
template <class T>
struct Finding {
  QuantityIndex index;
  T value;
};

/// The result for one quantity: its numbers in order, or why there are none.
template <class T>
struct FoundQuantity {
  QuantityId id;
  std::vector<Finding<T>> values;
  std::string missing;  ///< "" where there are values
};

/// Numbers by quantity: the results of an interpreter and the content of an answer. T is double or
/// Rational of exact results, Estimate of simulations, Value of answers.
template <class T>
class Findings {
 public:
  void add(QuantityId id, T value, QuantityIndex index = {}) {
    of(id).values.push_back({std::move(index), std::move(value)});
  }

  /// A list, numbered from the quantity's first index. An empty list is a quantity without values.
  void add_list(QuantityId id, std::vector<T> values) {
    auto& found = of(id);
    int at = quantity(id).first;
    for (T& value : values) found.values.push_back({{at++}, std::move(value)});
  }

  /// Records why a requested quantity has no value.
  void add_missing(QuantityId id, const std::string& reason) { of(id).missing = reason; }

  [[nodiscard]] const std::vector<FoundQuantity<T>>& all() const { return found_; }

  [[nodiscard]] const FoundQuantity<T>* find(QuantityId id) const {
    const auto place = std::find_if(found_.begin(), found_.end(),
                                    [&](const auto& found) { return found.id == id; });
    return place == found_.end() ? nullptr : &*place;
  }

  /// One number, or null.
  [[nodiscard]] const T* find(QuantityId id, const QuantityIndex& index) const {
    const auto* found = find(id);
    if (found == nullptr || found->values.empty()) return nullptr;
    // The indices of a list are usually consecutive.
    const auto& first = found->values.front().index;
    if (index.size() == 1 && first.size() == 1 && index.front() >= first.front()) {
      const auto at = static_cast<std::size_t>(index.front() - first.front());
      if (at < found->values.size() && found->values[at].index == index) {
        return &found->values[at].value;
      }
    }
    for (const Finding<T>& value : found->values) {
      if (value.index == index) return &value.value;
    }
    return nullptr;
  }

  [[nodiscard]] bool has(QuantityId id) const {
    const auto* found = find(id);
    return found != nullptr && !found->values.empty();
  }

  /// A number that must exist. @throws std::out_of_range naming the quantity
  [[nodiscard]] const T& at(QuantityId id, const QuantityIndex& index = {}) const;

  /// The numbers of a list, in order; empty where there are none.
  [[nodiscard]] std::vector<T> list(QuantityId id) const {
    std::vector<T> values;
    if (const auto* found = find(id)) {
      for (const Finding<T>& value : found->values) values.push_back(value.value);
    }
    return values;
  }

 private:
  FoundQuantity<T>& of(QuantityId id) {
    // Rows keep the table's order, so that all interpreters give the same order.
    const auto place =
        std::lower_bound(found_.begin(), found_.end(), id,
                         [](const auto& found, QuantityId wanted) { return found.id < wanted; });
    if (place != found_.end() && place->id == id) return *place;
    return *found_.insert(place, FoundQuantity<T>{id, {}, {}});
  }

  std::vector<FoundQuantity<T>> found_;
};

[[noreturn]] void refuse_absent(QuantityId id, const QuantityIndex& index);

template <class T>
const T& Findings<T>::at(QuantityId id, const QuantityIndex& index) const {
  const T* value = find(id, index);
  if (value == nullptr) refuse_absent(id, index);
  return *value;
}

}  // namespace speclab
