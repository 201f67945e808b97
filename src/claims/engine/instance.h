#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answer/answer.h"
#include "answer/bench.h"
#include "model/named_pair.h"

namespace speclab {

/// One setting on which a statement is checked: a pair, a draft length, a number of drafts.
struct Instance {
  std::shared_ptr<const Rows<Rational>> rows;
  int gamma = 1;
  int drafts = 1;                ///< K
  int depth = 0;                 ///< the row's own size: see ClaimRow::depth
  std::shared_ptr<Bench> bench;  ///< answers questions about the pair

  [[nodiscard]] const Pair& pair() const { return rows->pair(); }
  [[nodiscard]] const PairPointer& pair_pointer() const { return rows->pair_pointer(); }
  [[nodiscard]] const std::string& name() const { return rows->pair().name(); }
  /// The rows of position 1, of the first start where there are several.
  [[nodiscard]] std::span<const Rational> draft() const { return rows->draft(start()); }
  [[nodiscard]] std::span<const Rational> target() const { return rows->target(start()); }
  [[nodiscard]] State start() const { return pair().start().front().state; }
  /// The pair's rows in doubles.
  [[nodiscard]] const Rows<double>& doubles() const { return *bench->doubles(pair_pointer()); }
};

/// An instance from a pair's spec text.
Instance make_instance(std::string_view pair, int gamma = 1, int drafts = 1);
Instance make_instance(const NamedPair& at);

/// An instance of a pair.
Instance make_instance(const PairPointer& pair, int gamma = 1, int drafts = 1);

/// An instance of a pair that has no spec text, under a name for the evidence.
Instance name_instance(std::shared_ptr<Pair> pair, std::string name, int gamma = 1, int drafts = 1);

/// Stands for the numbers that a paper prints, which are of no pair: without a name.
Instance printed_numbers();

// What a verifier, named by spec text, does on an instance: every check asks here and nowhere else.

/// The question about a decode, or about one iteration where there is no horizon.
Question question_of(std::string_view verifier, const Instance& instance,
                     std::optional<int> horizon = std::nullopt, int iterations = 0,
                     bool law = false);

/// The exact answer in fractions, without closed forms.
Answer exact_answer(std::string_view verifier, const Instance& instance,
                    std::optional<int> horizon = std::nullopt, int iterations = 0,
                    bool law = false);

/// One number of it, asked with what it needs.
Rational exact_tv(std::string_view verifier, const Instance& instance, int horizon);

/// E[tau] of one iteration.
Rational accepted(std::string_view verifier, const Instance& instance);

/// E[N(i)], i = 1 .. iterations.
std::vector<Rational> expected_tokens(std::string_view verifier, const Instance& instance,
                                      int iterations);

/// The estimates of simulated trials of a decode.
Answer simulated_answer(std::string_view verifier, const Instance& instance,
                        const BySimulation& method, int horizon);

}  // namespace speclab
