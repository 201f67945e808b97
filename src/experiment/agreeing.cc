#include "experiment/agreeing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "system/interrupt.h"

namespace speclab {
namespace {

constexpr std::size_t kWanted = 2;

std::vector<std::string> names_of(const Variables& columns) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const auto& column : columns) names.push_back(column.first);
  return names;
}

/// The index and the values of these columns. No two lists of values give the same text.
std::string values(const Variables& columns, const std::string& index,
                   const std::vector<std::string>& names) {
  std::string text = index;
  for (const std::string& name : names) {
    const std::string& value = *find_variable(columns, name);
    fmt::format_to(std::back_inserter(text), " {}:{}", value.size(), value);
  }
  return text;
}

}  // namespace

/// The columns that may be compared and that the place has, by name; variables as "vary.NAME".
Variables Agreeing::columns(const TaskPlace& place) const {
  Variables found;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) found.emplace_back(name, value);
  };
  const auto add_unnamed = [&](const std::string& name, const std::string& value) {
    if (selector_.find(name) == nullptr) add(name, value);
  };
  add("pair", place.pair);
  add_unnamed("gamma", place.gamma);
  add_unnamed("horizon", place.horizon);
  add_unnamed("iterations", place.iterations);
  if (place.trials && selector_.get("trials") == "all")
    add("trials", fmt::to_string(*place.trials));
  for (const auto& [name, value] : place.vary) {
    if (selector_.find(name) == nullptr) add("vary." + name, value);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void Agreeing::add(const TaskPlace& place, const std::string& index) {
  groups_[names_of(columns(place))].rows.push_back({&place, &index, size_++});
}

std::vector<std::size_t> Agreeing::with(const TaskPlace& place, const std::string& index) {
  const Variables has = columns(place);
  const Names own = names_of(has);
  std::vector<std::size_t> numbers;
  for (auto& [names, group] : groups_) {
    Names common;
    std::set_intersection(own.begin(), own.end(), names.begin(), names.end(),
                          std::back_inserter(common));
    const auto [known, made] = group.found.try_emplace(common);
    if (made) {
      for (const Row& row : group.rows) {
        check_interrupted();
        auto& first = known->second[values(columns(*row.place), *row.index, common)];
        if (first.size() < kWanted) first.push_back(row.number);
      }
    }
    const auto found = known->second.find(values(has, index, common));
    if (found == known->second.end()) continue;
    numbers.insert(numbers.end(), found->second.begin(), found->second.end());
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.resize(std::min(numbers.size(), kWanted));
  return numbers;
}

}  // namespace speclab
