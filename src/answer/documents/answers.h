#pragma once

#include <span>
#include <string>
#include <string_view>

#include "answer/answer.h"
#include "answer/rows.h"
#include "document/document.h"

namespace speclab {

/// How tables of answers are to look.
struct TableLook {
  bool fractions = false;             ///< every fraction is written out, however long
  std::vector<QuantityId> columns{};  ///< of the line each, which stands alone; none: the usual
  std::string sort{};                 ///< "": as asked; else a column of the line each
  [[nodiscard]] bool lines_alone() const { return !columns.empty() || !sort.empty(); }
};

/// Answers in every format (docs/formats.md). For a terminal a block for each answer, with closed
/// forms and verdicts beside the results, and, for several answers, one line each: before the
/// blocks of more than three answers, else behind them; and last a sentence a pair on which
/// verifier gains the most. Markdown holds the line each alone.
/// @pre the answers outlive the document
Document answers_document(std::span<const Answer> answers, const TableLook& look = {});

/// The quantity of one number that --columns and --sort name: its path, or the last part of the
/// path. @throws UsageError naming what there is
QuantityId single_quantity(const std::string& name);

/// Acceptance length and unconditional rates P(tau >= i) of answers in the forms that inference
/// engines take for benchmarks without a draft model (docs/advise.md): of the long run where an
/// answer has it, else of its decodes. JSON alone:
///   {"schema": 2, "results": [{"pair", "verifier", "gamma", "of", "acceptance_length",
///    "position_rates", "vllm", "llama.cpp", "sglang", "tensorrt-llm", "atom", "tokenspeed"}]}
/// Its data are made when a format asks for them, with @throws InputError where an answer has
/// neither, and where nothing is drafted or several drafts are, for which no engine has such a form
Document rates_document(std::span<const Answer> answers);

/// Refuses a question whose answer will have no such rates. @throws InputError as rates_document
/// does
void check_rates(const Question& question);

/// What an element of a quantity is called in tables: "E[accepted]", "P(accepted = 2)", "P(0,1)".
std::string label_of(QuantityId id, const QuantityIndex& index);

/// One column of CSV: its name, what it holds, and an example for docs/formats.md.
struct CsvColumn {
  std::string_view name, prose, example;
};

/// The columns of every table of results, in order (see docs/formats.md).
std::span<const CsvColumn> result_columns();

/// Their names; `first` are columns before them.
std::vector<std::string> result_column_names(std::vector<std::string> first = {});

/// The question that a row of results answers; null or "" where there is none.
struct RowPlace {
  Json pair, verifier, gamma, horizon, iterations, arithmetic, trials, seed;
};

/// The cells of a row of results. @param first  of the columns before those of every table
Cells result_cells(const RowPlace& place, const AnswerRow& row, Cells first = {});

// The parts of answers_document.

Json answer_json(const Answer& answer);

/// Letters that stand for names in tables.
class Marks {
 public:
  /// @param first  'a': "a", "b", .. "z", "a1", ..
  explicit Marks(char first) : first_(first) {}
  /// The letter of a name, the next one where it is new.
  std::string of(const std::string& name);
  /// "  a: leviathan.expected_tokens", a line a letter.
  [[nodiscard]] Page key() const;

 private:
  [[nodiscard]] std::string letter(std::size_t number) const;

  char first_;
  std::vector<std::string> names_;  ///< those with a letter, in the order of their letters
};

/// @param shared  letters of several answers, whose key the caller adds; null: those of this alone
Page answer_page(const Answer& answer, bool all_fractions, Marks* shared = nullptr);

/// One line for each combination of verifier and draft length, a table a pair.
Page overview_page(std::span<const Answer> answers, const TableLook& look, bool markdown);

/// A line for each pair with several verifiers: "block accepts 1.10 +- 0.01 times token".
Page gains_page(std::span<const Answer> answers);

/// "[1.16, 1.28]", in six decimals.
std::string interval_text(const Estimate& estimate);

/// A number with its fraction, an estimate with its interval, as in JSON.
Json value_json(const Value& value);
Json estimate_json(const Estimate& estimate);

/// A draft length in JSON: a number, or "inf".
Json gamma_json(int gamma);

}  // namespace speclab
