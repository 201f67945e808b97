#include "exact/stationary.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/error.h"
#include "base/sum.h"
#include "model/normalise.h"

namespace speclab {
namespace {

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

/// The number of each state among `members`, or kNowhere.
std::vector<std::size_t> numbers(std::size_t states, std::span<const std::size_t> members) {
  std::vector<std::size_t> number(states, kNowhere);
  for (std::size_t i = 0; i < members.size(); ++i) number[members[i]] = i;
  return number;
}

/// The moves among `members`, [from][to].
std::vector<std::vector<Rational>> table_of(const Moves<Rational>& moves,
                                            std::span<const std::size_t> members) {
  const auto number = numbers(moves.size(), members);
  std::vector<std::vector<Rational>> table(members.size(),
                                           std::vector<Rational>(members.size(), Rational(0)));
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (const auto& [to, probability] : moves[members[i]]) {
      if (number[to] != kNowhere) table[i][number[to]] = probability;
    }
  }
  return table;
}

/// Solves x (I - Q) = right, Q being the moves among `members`, which all leave them in the end.
std::vector<double> visits(const Moves<double>& moves, std::span<const std::size_t> members,
                           const std::vector<double>& right) {
  if (members.empty()) return {};
  const auto number = numbers(moves.size(), members);
  const auto size = static_cast<Eigen::Index>(members.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto column = static_cast<int>(i);
    // 1 - P(i to i), which may cancel, as the sum of the other moves.
    Sum<double> away;
    for (const auto& [to, probability] : moves[members[i]]) {
      if (to == members[i]) continue;
      away += probability;
      if (number[to] == kNowhere) continue;
      entries.emplace_back(static_cast<int>(number[to]), column, -probability);
    }
    entries.emplace_back(column, column, away.value());
  }
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> solver;
  solver.compute(matrix);
  if (solver.info() != Eigen::Success) {
    throw Error(ExitCode::limit,
                "the equations of the long run could not be factorised in "
                "doubles; ask for fractions");
  }
  const Eigen::VectorXd known =
      Eigen::Map<const Eigen::VectorXd>(right.data(), static_cast<Eigen::Index>(right.size()));
  const Eigen::VectorXd solved = solver.solve(known);
  return {solved.begin(), solved.end()};
}

/// The same, one member after another taken out of the rest (Gauss).
std::vector<Rational> visits(const Moves<Rational>& moves, std::span<const std::size_t> members,
                             std::vector<Rational> visited) {
  auto table = table_of(moves, members);
  const std::size_t size = visited.size();
  for (std::size_t k = size; k-- > 0;) {
    const Rational leaves = 1 - table[k][k];
    for (std::size_t j = 0; j < k; ++j) table[k][j] /= leaves;
    for (std::size_t i = 0; i < k; ++i) {
      if (table[i][k] == 0) continue;
      for (std::size_t j = 0; j < k; ++j) table[i][j] += table[i][k] * table[k][j];
    }
    for (std::size_t j = 0; j < k; ++j) visited[j] += visited[k] * table[k][j];
  }
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < k; ++i) visited[k] += visited[i] * table[i][k];
    visited[k] /= 1 - table[k][k];
  }
  return visited;
}

void check_stationary(const Moves<double>& moves, std::span<const std::size_t> members,
                      const std::vector<double>& law) {
  const auto number = numbers(moves.size(), members);
  std::vector<Sum<double>> after(law.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (const auto& [to, probability] : moves[members[i]]) {
      after[number[to]] += law[i] * probability;
    }
  }
  for (std::size_t i = 0; i < law.size(); ++i) {
    constexpr double kSlack = 1e-9;
    if (!(std::abs(after[i].value() - law[i]) <= kSlack) || !(law[i] >= -kSlack)) {
      throw Error(ExitCode::limit,
                  "the long run is lost to rounding in doubles; ask for fractions");
    }
  }
}

}  // namespace

Recurrence recurrence(const std::vector<std::vector<std::size_t>>& successors) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  const std::size_t states = successors.size();
  Graph graph(states);
  for (std::size_t i = 0; i < states; ++i) {
    for (const std::size_t to : successors[i]) boost::add_edge(i, to, graph);
  }
  std::vector<std::size_t> component(states);
  const auto components = static_cast<std::size_t>(boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(),
                                               boost::get(boost::vertex_index, graph))));
  std::vector<bool> closed(components, true);
  for (std::size_t i = 0; i < states; ++i) {
    for (const std::size_t to : successors[i]) {
      if (component[to] != component[i]) closed[component[i]] = false;
    }
  }
  Recurrence found;
  std::vector<std::size_t> number(components, kNowhere);
  for (std::size_t i = 0; i < states; ++i) {
    if (!closed[component[i]]) {
      found.transient.push_back(i);
      continue;
    }
    std::size_t& mine = number[component[i]];
    if (mine == kNowhere) {
      mine = found.classes.size();
      found.classes.emplace_back();
    }
    found.classes[mine].push_back(i);
  }
  return found;
}

template <class Real>
std::vector<Real> stationary_law(const Moves<Real>& moves, std::span<const std::size_t> members) {
  // The first member has weight 1; the visits to the others between two visits to it follow.
  const auto rest = members.subspan(1);
  const auto number = numbers(moves.size(), rest);
  std::vector<Real> right(rest.size(), Real(0));
  for (const auto& [to, probability] : moves[members.front()]) {
    if (number[to] != kNowhere) right[number[to]] = probability;
  }
  std::vector<Real> law = visits(moves, rest, right);
  law.insert(law.begin(), Real(1));
  normalise(law);
  if constexpr (std::is_same_v<Real, double>) check_stationary(moves, members, law);
  return law;
}

template <class Real>
std::vector<Real> absorption(const Moves<Real>& moves, const Recurrence& recurrence,
                             const std::vector<Real>& start) {
  if (recurrence.classes.size() == 1) return {Real(1)};
  std::vector<Real> begun;  // in each transient state
  for (const std::size_t state : recurrence.transient) begun.push_back(start[state]);
  const std::vector<Real> visited = visits(moves, recurrence.transient, begun);
  std::vector<std::size_t> class_of(moves.size(), kNowhere);
  std::vector<Real> masses;
  for (std::size_t c = 0; c < recurrence.classes.size(); ++c) {
    Real mass(0);
    for (const std::size_t state : recurrence.classes[c]) {
      class_of[state] = c;
      mass += start[state];
    }
    masses.push_back(mass);
  }
  for (std::size_t i = 0; i < recurrence.transient.size(); ++i) {
    for (const auto& [to, probability] : moves[recurrence.transient[i]]) {
      if (class_of[to] != kNowhere) masses[class_of[to]] += visited[i] * probability;
    }
  }
  return masses;
}

template std::vector<double> stationary_law(const Moves<double>&, std::span<const std::size_t>);
template std::vector<Rational> stationary_law(const Moves<Rational>&, std::span<const std::size_t>);
template std::vector<double> absorption(const Moves<double>&, const Recurrence&,
                                        const std::vector<double>&);
template std::vector<Rational> absorption(const Moves<Rational>&, const Recurrence&,
                                          const std::vector<Rational>&);

}  // namespace speclab
