#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "experiment/results.h"
#include "experiment/selector.h"

namespace speclab {

/// Finds rows by the place of another row. Two rows agree where they have the same
/// index, the same pair, gamma, horizon and iterations, as far as both places have one, and the
/// same value of every variable that both have; where the selector asks for all trials, the same
/// trials too. Of these columns, but for the pair, those that the selector names are not compared.
///
/// Rows that have the same columns are indexed together, by the values of the columns that they
/// share with the row that is given: a row is found without a comparison with each.
class Agreeing {
 public:
  /// @param selector  the `over` of a derived quantity; outlives this
  explicit Agreeing(const Selector& selector) : selector_(selector) {}

  /// The place and the index outlive this.
  void add(const TaskPlace& place, const std::string& index);

  /// The numbers of the first two rows that agree, 0 for the first that was added. A caller needs
  /// one, and an error where there is another.
  /// @throws Error when interrupted
  std::vector<std::size_t> with(const TaskPlace& place, const std::string& index);

 private:
  using Names = std::vector<std::string>;
  struct Row {
    const TaskPlace* place;
    const std::string* index;
    std::size_t number;
  };
  /// Rows with the same columns.
  struct Group {
    std::vector<Row> rows;
    /// For the columns that are compared: the first two rows by their values.
    std::map<Names, std::unordered_map<std::string, std::vector<std::size_t>>> found;
  };

  [[nodiscard]] Variables columns(const TaskPlace& place) const;

  const Selector& selector_;
  std::map<Names, Group> groups_;
  std::size_t size_ = 0;
};

}  // namespace speclab
