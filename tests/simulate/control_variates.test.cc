// Which controls are taken out of values, and which are left alone. The slopes are tested where
// they are used (answer/clusters.test.cc).
#include "simulate/control_variates.h"

#include <array>
#include <cmath>
#include <vector>

#include "catch.h"

namespace speclab::control_variates_test {
namespace {

/// Forty values that go with a wave, and what was taken out of them.
/// @param make  i -> the controls of value i
template <class Make>
std::size_t slopes(const Make& make, std::vector<double>& values) {
  std::vector<double> controls[2];
  values.clear();
  for (int i = 0; i < 40; ++i) {
    values.push_back(7 + std::sin(i));
    const std::array<double, 2> made = make(i);
    for (std::size_t j = 0; j < 2; ++j) controls[j].push_back(made[j]);
  }
  const std::vector<double> of = values;
  return subtract_controls(controls, of, values);
}

}  // namespace

TEST_CASE("a control that goes with the values is taken out of them") {
  std::vector<double> values;
  CHECK(slopes([](int i) { return std::array<double, 2>{2 * std::sin(i)}; }, values) == 1);
  for (const double value : values) CHECK(value == Approx(7));
}

TEST_CASE("rounding is no control, though it goes with the values") {
  std::vector<double> values;
  for (const double scale : {0.0, 1e-16, 1e-8}) {
    CHECK(slopes([&](int i) { return std::array<double, 2>{scale * std::sin(i)}; }, values) == 0);
    CHECK(values[1] == 7 + std::sin(1));
  }
  CHECK(slopes([](int i) { return std::array<double, 2>{1e-4 * std::sin(i)}; }, values) == 1);
}

TEST_CASE("what rounding leaves of a control beside another is none") {
  std::vector<double> values;
  for (const double rounding : {0.0, 1e-10, 1e-5}) {
    const auto make = [&](int i) {
      const double one = std::cos(3 * i);
      return std::array<double, 2>{one, -3 * one + rounding * std::sin(i)};
    };
    CHECK(slopes(make, values) == 1);
  }
  const auto apart = [](int i) {
    const double one = std::cos(3 * i);
    return std::array<double, 2>{one, -3 * one + 0.1 * std::sin(i)};
  };
  CHECK(slopes(apart, values) == 2);
}

TEST_CASE("a control whose mean is far from 0 lacks its rare terms and is left out") {
  std::vector<double> values;
  const auto off = [&](double mean) {
    return slopes([&](int i) { return std::array<double, 2>{mean + std::sin(i)}; }, values);
  };
  // A standard error is 0.71 / sqrt(40) = 0.112.
  CHECK(off(0.3) == 1);
  CHECK(off(0.8) == 0);
  CHECK(off(-0.8) == 0);
  CHECK(off(100) == 0);
}

TEST_CASE("slopes are of other values, so that a mean over few events is that of many") {
  // Sixteen values, 4 where a rare event is seen and 1 elsewhere: each is the only one of its part,
  // so that the outcomes differ by how many events there are, a binomial count.
  const double rare = 0.05, level = 1, more = 3;
  double mean = 0, probability = std::pow(1 - rare, 16);
  for (int seen = 0; seen <= 16; ++seen) {
    std::vector<double> controls, values;
    for (int i = 0; i < 16; ++i) {
      const double event = i < seen ? 1 : 0;
      controls.push_back(event - rare);
      values.push_back(level + more * event);
    }
    const std::vector<double> of = values;
    subtract_controls({&controls, 1}, of, values);
    double sum = 0;
    for (const double value : values) sum += value;
    mean += probability * sum / 16;
    probability *= (16 - seen) / (seen + 1.0) * rare / (1 - rare);
  }
  CHECK(mean == Approx(level + more * rare).epsilon(1e-12));
}

}  // namespace speclab::control_variates_test
