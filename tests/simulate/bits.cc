// Prints the bits of what the statistics answer to scrambled questions, a line each. It is built
// twice, once with long doubles of 64 bits: both must print the same.
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "base/special.h"
#include "simulate/distance.h"
#include "simulate/interval.h"
#include "simulate/statistics.h"

namespace speclab {
namespace {

void print(const char* what, double value) {
  std::printf("%s %016" PRIx64 "\n", what, std::bit_cast<std::uint64_t>(value));
}

void print(const char* what, const Estimate& e) {
  for (const double value : {e.mean, e.standard_error, e.low, e.high, e.least, e.most}) {
    print(what, value);
  }
}

/// Numbers in [0, 1), the same at every run.
class Scramble {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

void ask(Scramble& numbers) {
  const double n = 2 + std::floor(std::pow(10, 9 * numbers.next()));
  const double share = std::pow(numbers.next(), 1 + 4 * numbers.next());
  const double events = std::floor(n * share);
  print("limit", beta_limit(events + 1, n - events, 0.025));
  print("limit", beta_limit(n * share + 1, n - n * share, 2.5e-5));
  const double off = share + (8 * numbers.next() - 4) * std::sqrt(share * (1 - share) / n);
  const double near = std::fmin(1, std::fmax(0, off));
  print("beta", beta_above(n * share + 1, n - n * share, near));
  print("at most", binomial_at_most(events, n, near));
  print("at least", binomial_at_least(events + 1, n, near));

  const double degrees = 1 + std::floor(std::pow(10, 4 * numbers.next()));
  const double spread = std::sqrt(2 * degrees);
  const double x = std::fabs(degrees + (12 * numbers.next() - 6) * spread);
  print("chi squared", chi_squared_above(x, degrees));
  print("shifted", shifted_chi_squared_above(x, degrees, spread * (0.01 + numbers.next())));
  print("students", students_above(12 * numbers.next() - 4, degrees));
  print("students", students_limit(degrees, 2.5e-5));

  const auto trials = static_cast<std::uint64_t>(n);
  print("share", proportion_estimate(static_cast<std::uint64_t>(events), trials));
  print("p value", binomial_p_value(static_cast<std::uint64_t>(events), trials, near));
  const std::vector<double> law{near / 2, near / 2, 1 - near};
  const std::vector<std::uint64_t> counts{trials / 3, trials / 4, trials - trials / 3 - trials / 4};
  print("distance", distance_estimate(law, counts, trials));
  print("fit", fit_test(law, counts).p_value);
}

}  // namespace
}  // namespace speclab

int main() {
  speclab::Scramble numbers;
  for (int i = 0; i < 500; ++i) speclab::ask(numbers);
  for (unsigned n = 1; n <= 16; ++n) {
    for (unsigned k = 0; k <= n; ++k) {
      speclab::print("coefficient", speclab::binomial_coefficient(n, k));
    }
  }
}
