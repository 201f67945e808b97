// Implementations for the checker in C++, written apart from the program: main NAME VECTORS
// [CONTROLS].
#include <stdexcept>

#include "check.hpp"

namespace {

using speclab::Case;
using speclab::Row;
using speclab::Tokens;
std::mt19937_64 engine(7);

double uniform() { return std::uniform_real_distribution<double>()(engine); }

// Tokens that a row is summed over: all of them, but of one fault.
std::size_t most = static_cast<std::size_t>(-1);

// The first token at which the running sum passes u; the last of positive weight where none does.
int pick(const Row& weights, double u) {
  double total = 0, run = 0;
  int last = 0;
  const std::size_t size = std::min(weights.size(), most);
  for (std::size_t x = 0; x < size; ++x) total += weights[x];
  for (std::size_t x = 0; x < size; ++x) {
    if (weights[x] > 0) last = static_cast<int>(x);
    run += weights[x] / total;
    if (u < run) return static_cast<int>(x);
  }
  return last;
}

double at(const Row& row, int x) { return row[static_cast<std::size_t>(x)]; }

Row rest(const Row& target, const Row& draft, double weight) {
  Row left(target.size());
  for (std::size_t x = 0; x < target.size(); ++x)
    left[x] = std::max(weight * target[x] - draft[x], 0.0);
  return left;
}

// Token verification: Leviathan et al. 2023.
Tokens token(const Case& given, const Row& coins, const Row& draws) {
  Tokens out;
  for (std::size_t i = 0; i < given.drafts[0].size(); ++i) {
    const int x = given.drafts[0][i];
    const Row &draft = given.draft_rows[0][i], &target = given.target_rows[0][i];
    if (coins[i] >= at(target, x) / at(draft, x)) {
      out.push_back(pick(rest(target, draft, 1), draws[0]));
      return out;
    }
    out.push_back(x);
  }
  out.push_back(pick(given.target_rows[0].back(), draws[0]));
  return out;
}

Tokens token_drawn(const Case& given) {
  Row coins;
  for (std::size_t i = 0; i < given.drafts[0].size(); ++i) coins.push_back(uniform());
  return token(given, coins, {uniform()});
}

// A fault: one coin for the whole iteration.
Tokens one_coin(const Case& given) {
  return token(given, Row(given.drafts[0].size(), uniform()), {uniform()});
}

// Block verification: Sun et al. 2025, Algorithm 2.
Tokens block(const Case& given) {
  const Tokens& drafts = given.drafts[0];
  Row weights{1};
  std::size_t tau = 0;
  for (std::size_t i = 1; i <= drafts.size(); ++i) {
    const int x = drafts[i - 1];
    weights.push_back(std::min(1.0, weights[i - 1] * at(given.target_rows[0][i - 1], x) /
                                        at(given.draft_rows[0][i - 1], x)));
    double passes = weights[i];
    if (i < drafts.size()) {
      double left = 0;
      for (const double w : rest(given.target_rows[0][i], given.draft_rows[0][i], weights[i]))
        left += w;
      passes = left > 0 ? left / (1 - weights[i] + left) : 0;
    }
    if (uniform() < passes) tau = i;
  }
  Tokens out(drafts.begin(), drafts.begin() + static_cast<std::ptrdiff_t>(tau));
  const Row& target = given.target_rows[0][tau];
  out.push_back(
      pick(tau == drafts.size() ? target : rest(target, given.draft_rows[0][tau], weights[tau]),
           uniform()));
  return out;
}

speclab::Verify named(const std::string& name) {
  if (name == "cut") most = 65536;
  if (name == "token" || name == "cut") return speclab::each(token_drawn);
  if (name == "block") return speclab::each(block);
  if (name == "one-coin") return speclab::each(one_coin);
  if (name == "outside")
    return speclab::each([](const Case& given) { return Tokens{given.vocabulary}; });
  if (name == "few") return [](const Case&, std::size_t) { return std::vector<Tokens>(3); };
  return speclab::each([](const Case&) -> Tokens { throw std::runtime_error("out of ideas"); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name != "uniforms") return speclab::run(argc - 1, argv + 1, named(name));
  const auto failures = speclab::check_uniforms(argv[2], token);
  for (const auto& one : failures) std::cout << "case " << one.id << ": " << one.reason << "\n";
  return failures.empty() ? 0 : 1;
}
