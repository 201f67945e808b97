// Numbers of a quantity, found by their index.
#include "model/findings.h"

#include <stdexcept>

#include "catch.h"

namespace speclab::findings_test {

TEST_CASE("a number of a list is found by its index, in whatever order they stand") {
  Findings<double> found;
  found.add_list(QuantityId::accepted_law, {0.5, 0.25, 0.25});  // from 0 on
  found.add_list(QuantityId::accepted_tail, {0.5, 0.25});       // from 1 on
  for (const int i : {2, 3, 5, 4}) found.add(QuantityId::expected_tokens, i * 1.5, {i});
  const auto at = [&](QuantityId id, QuantityIndex index) -> double {
    const double* value = found.find(id, index);
    return value == nullptr ? -1 : *value;
  };
  CHECK(at(QuantityId::accepted_law, {0}) == 0.5);
  CHECK(at(QuantityId::accepted_law, {2}) == 0.25);
  CHECK(at(QuantityId::accepted_law, {3}) == -1);
  CHECK(at(QuantityId::accepted_law, {-1}) == -1);
  CHECK(at(QuantityId::accepted_law, {}) == -1);
  CHECK(at(QuantityId::accepted_law, {0, 0}) == -1);
  CHECK(at(QuantityId::accepted_tail, {0}) == -1);
  CHECK(at(QuantityId::accepted_tail, {1}) == 0.5);
  CHECK(at(QuantityId::accepted_tail, {2}) == 0.25);
  for (const int i : {2, 3, 4, 5}) CHECK(at(QuantityId::expected_tokens, {i}) == i * 1.5);
  CHECK(at(QuantityId::expected_tokens, {6}) == -1);
  CHECK(at(QuantityId::decode_tokens, {}) == -1);
  CHECK_THROWS_AS(found.at(QuantityId::expected_tokens, {1}), std::out_of_range);
}

TEST_CASE("numbers of a grid and single ones are found by their index") {
  Findings<double> found;
  found.add(QuantityId::tv_to_target, 0.5);
  for (const int i : {1, 2}) {
    for (const int n : {1, 2, 3}) found.add(QuantityId::tokens_law, i + n * 0.125, {i, n});
  }
  CHECK(found.at(QuantityId::tv_to_target) == 0.5);
  CHECK(found.find(QuantityId::tv_to_target, {0}) == nullptr);
  CHECK(found.at(QuantityId::tokens_law, {2, 1}) == 2.125);
  CHECK(found.find(QuantityId::tokens_law, {1}) == nullptr);
  CHECK(found.find(QuantityId::tokens_law, {2, 4}) == nullptr);
}

}  // namespace speclab::findings_test
