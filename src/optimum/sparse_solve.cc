#include "optimum/sparse_solve.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace speclab {
namespace {

class Elimination {
 public:
  Elimination(std::vector<SparseRow> rows, std::vector<Rational> right)
      : right_(std::move(right)), rows_(right_.size()), columns_(right_.size()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (auto& [column, value] : rows[i]) {
        if (value == 0) continue;
        columns_[column].insert(i);
        rows_[i].emplace(column, std::move(value));
      }
      waiting_.insert({rows_[i].size(), i});
    }
  }

  std::optional<std::vector<Rational>> solve() {
    std::vector<std::pair<std::size_t, std::size_t>> pivots;  // (row, column) in order
    while (!waiting_.empty()) {
      const auto pivot = choose();
      if (!pivot) return std::nullopt;
      eliminate(pivot->first, pivot->second);
      pivots.push_back(*pivot);
    }
    std::vector<Rational> solution(right_.size());
    for (std::size_t k = pivots.size(); k-- > 0;) {
      const auto& [row, column] = pivots[k];
      Rational value = right_[row];
      Rational pivot(1);
      for (const auto& [other, coefficient] : rows_[row]) {
        if (other == column) {
          pivot = coefficient;
        } else if (solution[other] != 0) {
          value -= coefficient * solution[other];
        }
      }
      solution[column] = value / pivot;
    }
    return solution;
  }

 private:
  /// The entry whose column is shortest among a few of the shortest rows.
  std::optional<std::pair<std::size_t, std::size_t>> choose() const {
    constexpr int kLooks = 4;
    std::optional<std::pair<std::size_t, std::size_t>> best;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    int looks = 0;
    for (const auto& [length, row] : waiting_) {
      if (length == 0) return std::nullopt;
      for (const auto& [column, value] : rows_[row]) {
        const std::size_t fill = (length - 1) * (columns_[column].size() - 1);
        if (fill >= least) continue;
        least = fill;
        best = {row, column};
      }
      if (least == 0 || ++looks == kLooks) break;
    }
    return best;
  }

  void eliminate(std::size_t row, std::size_t column) {
    waiting_.erase({rows_[row].size(), row});
    for (const auto& [each, value] : rows_[row]) columns_[each].erase(row);
    const std::vector<std::size_t> below(columns_[column].begin(), columns_[column].end());
    const Rational& pivot = rows_[row].at(column);
    for (const std::size_t other : below) {
      auto& target = rows_[other];
      waiting_.erase({target.size(), other});
      const Rational factor = target.at(column) / pivot;
      for (const auto& [each, value] : rows_[row]) {
        const auto [at, fresh] = target.try_emplace(each, Rational(0));
        at->second -= factor * value;
        if (fresh) columns_[each].insert(other);
        if (each == column || at->second == 0) {
          columns_[each].erase(other);
          target.erase(at);
        }
      }
      right_[other] -= factor * right_[row];
      waiting_.insert({target.size(), other});
    }
  }

  std::vector<Rational> right_;
  std::vector<std::map<std::size_t, Rational>> rows_;
  std::vector<std::set<std::size_t>> columns_;             ///< rows without a pivot yet, by column
  std::set<std::pair<std::size_t, std::size_t>> waiting_;  ///< rows without a pivot, shortest first
};

}  // namespace

std::optional<std::vector<Rational>> solve_sparse(std::vector<SparseRow> rows,
                                                  std::vector<Rational> right) {
  return Elimination(std::move(rows), std::move(right)).solve();
}

}  // namespace speclab
