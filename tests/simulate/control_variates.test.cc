// Which controls are taken out of values, and which are left alone. The slopes are tested where
// they are used (answer/clusters.test.cc).
#include "simulate/control_variates.h"

#include <cmath>
#include <vector>

#include "catch.h"

namespace speclab::control_variates_test {
namespace {

/// Forty values that go with a wave, and what was taken out of them.
/// @param make  i -> the controls of value i
template <class Make>
FittedControls fit(const Make& make, std::vector<double>& values) {
  std::vector<ControlVariates> controls;
  values.clear();
  for (int i = 0; i < 40; ++i) {
    values.push_back(7 + std::sin(i));
    controls.push_back(make(i));
  }
  const std::vector<double> of = values;
  return subtract_controls(controls, of, values);
}

}  // namespace

TEST_CASE("a control that goes with the values is taken out of them") {
  std::vector<double> values;
  CHECK(fit([](int i) { return ControlVariates{2 * std::sin(i)}; }, values).count == 1);
  for (const double value : values) CHECK(value == Approx(7));
}

TEST_CASE("rounding is no control, though it goes with the values") {
  std::vector<double> values;
  for (const double scale : {0.0, 1e-16, 1e-8}) {
    CHECK(fit([&](int i) { return ControlVariates{scale * std::sin(i)}; }, values).count == 0);
    CHECK(values[1] == 7 + std::sin(1));
  }
  CHECK(fit([](int i) { return ControlVariates{1e-4 * std::sin(i)}; }, values).count == 1);
}

TEST_CASE("what rounding leaves of a control beside another is none") {
  std::vector<double> values;
  for (const double rounding : {0.0, 1e-10, 1e-5}) {
    const auto make = [&](int i) {
      const double one = std::cos(3 * i);
      return ControlVariates{one, -3 * one + rounding * std::sin(i)};
    };
    CHECK(fit(make, values).count == 1);
  }
  const auto apart = [](int i) {
    const double one = std::cos(3 * i);
    return ControlVariates{one, -3 * one + 0.1 * std::sin(i)};
  };
  CHECK(fit(apart, values).count == 2);
}

TEST_CASE("a control whose mean is far from 0 lacks its rare terms and is left out") {
  std::vector<double> values;
  const auto off = [&](double mean) {
    return fit([&](int i) { return ControlVariates{mean + std::sin(i)}; }, values).count;
  };
  // A standard error is 0.71 / sqrt(40) = 0.112.
  CHECK(off(0.3) == 1);
  CHECK(off(0.8) == 0);
  CHECK(off(-0.8) == 0);
  CHECK(off(100) == 0);
}

}  // namespace speclab::control_variates_test
