#include "base/special.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/binomial.hpp>

namespace speclab {
namespace {

using Doubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Binomial = boost::math::binomial_distribution<double, Doubles>;
using ChiSquared = boost::math::chi_squared_distribution<double, Doubles>;
using ShiftedChiSquared = boost::math::non_central_chi_squared_distribution<double, Doubles>;
using Students = boost::math::students_t_distribution<double, Doubles>;
using boost::math::complement;

}  // namespace

double beta_above(double a, double b, double x) { return boost::math::ibetac(a, b, x, Doubles()); }

double beta_limit(double a, double b, double tail) {
  return boost::math::ibetac_inv(a, b, tail, Doubles());
}

double binomial_at_most(double k, double n, double share) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return boost::math::cdf(Binomial(n, share), k);
}

double binomial_at_least(double k, double n, double share) {
  if (k <= 0) return 1;
  if (k > n) return 0;
  return boost::math::cdf(complement(Binomial(n, share), k - 1));
}

double chi_squared_above(double x, double degrees) {
  return boost::math::cdf(complement(ChiSquared(degrees), x));
}

double shifted_chi_squared_above(double x, double degrees, double shift) {
  return boost::math::cdf(complement(ShiftedChiSquared(degrees, shift), x));
}

double students_above(double x, double degrees) {
  return boost::math::cdf(complement(Students(degrees), x));
}

double students_limit(double degrees, double tail) {
  return boost::math::quantile(complement(Students(degrees), tail));
}

double binomial_coefficient(unsigned n, unsigned k) {
  return boost::math::binomial_coefficient<double>(n, k, Doubles());
}

}  // namespace speclab
