// Predictions as the tests ask for them: by setting, claim and quantity.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "catch.h"
#include "small_pairs.h"
#include "temporary_file.h"
#include "theory/predictions.h"

namespace speclab {

/// A setting with the latencies that its costs are asked at.
struct Asked : Setting {
  std::optional<Latency> latency;
};

inline std::vector<Prediction> predictions(const Asked& asked) {
  std::vector<Prediction> all = predict(asked);
  if (asked.latency) {
    for (Prediction& cost : predict_costs(asked, *asked.latency)) all.push_back(std::move(cost));
  }
  return all;
}

inline Asked setting(PairPointer pair, const char* verifier, int gamma,
                     std::optional<int> horizon = std::nullopt,
                     Arithmetic arithmetic = Arithmetic::rational) {
  Asked asked;
  asked.pair = std::move(pair);
  asked.verifier = parse_spec(verifier);
  asked.lengths.gamma = gamma;
  asked.lengths.horizon = horizon;
  asked.arithmetic = arithmetic;
  return asked;
}

/// "iteration.accepted_law[1]": the path of a prediction's quantity with its index.
inline std::string path_of(const Prediction& prediction) {
  std::string path = quantity(prediction.quantity).path();
  if (prediction.index) path += "[" + std::to_string(*prediction.index) + "]";
  return path;
}

/// The one prediction of `claim` about the quantity of this path, or nothing.
inline std::optional<Prediction> find(const Asked& asked, const std::string& claim,
                                      const std::string& path) {
  std::optional<Prediction> found;
  for (const Prediction& prediction : predictions(asked)) {
    if (prediction.claim != claim || path_of(prediction) != path) continue;
    CHECK_FALSE(found.has_value());
    found = prediction;
  }
  return found;
}

inline Rational exactly(const Asked& asked, const std::string& claim, const std::string& path) {
  const auto found = find(asked, claim, path);
  REQUIRE(found.has_value());
  REQUIRE(found->exact.has_value());
  CHECK(found->value == to_double(*found->exact));
  return *found->exact;
}

/// A rates file of yes and no, as a verifier with such a file.
class Decisions {
 public:
  Decisions(const Pair& pair, const std::function<bool(State, Token)>& passes)
      : file_(text(pair, passes)) {}
  [[nodiscard]] std::string verifier() const { return "sprinter(rates=" + file_.path() + ")"; }

 private:
  static std::string text(const Pair& pair, const std::function<bool(State, Token)>& passes) {
    std::string rows;
    for (State state = 0; state < pair.states(); ++state) {
      rows += state == 0 ? "[" : ",[";
      for (Token x = 0; x < pair.vocabulary(); ++x) {
        rows += std::string(x == 0 ? "" : ",") + (passes(state, x) ? "1" : "0");
      }
      rows += "]";
    }
    return R"({"schema":2,"kind":"table","rates":[)" + rows + "]}";
  }
  TemporaryFile file_;
};

inline bool even(State state, Token x) { return (state + static_cast<State>(x)) % 2 == 0; }

}  // namespace speclab
