#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "document/datum.h"

namespace speclab {

// What a report is made of. A room fills a Document with what it found, each part as a function
// that is called where a format needs it; report/report.h turns Documents into text.

/// Cells of a row, one for each column.
using Cells = std::vector<Datum>;
using AddRow = std::function<void(const Cells&)>;

/// Columns of text for reading.
class TextTable {
 public:
  /// One letter a column: 'l' left, 'r' right, 'c' left and in Markdown code; and a bar where a
  /// table wider than the page may become two: "lrr|rl". @param keys  the columns that name a row
  explicit TextTable(std::string alignment, std::size_t keys = 1)
      : alignment_(std::move(alignment)), keys_(keys), bar_(alignment_.find('|')) {
    if (bar_ != std::string::npos) alignment_.erase(bar_, 1);
  }
  /// The first row, where it holds the names of the columns.
  void head(std::vector<std::string> names) {
    rows_.insert(rows_.begin(), std::move(names));
    headed_ = true;
  }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// A line above it; in Markdown code.
  void title(std::string text) { title_ = std::move(text); }

  [[nodiscard]] const std::string& alignment() const { return alignment_; }
  [[nodiscard]] std::size_t keys() const { return keys_; }
  [[nodiscard]] std::size_t bar() const { return bar_; }  ///< the first column of the second table
  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] bool headed() const { return headed_; }
  [[nodiscard]] const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  std::string alignment_;
  std::size_t keys_;
  std::size_t bar_;
  bool headed_ = false;
  std::string title_;
  std::vector<std::vector<std::string>> rows_;
};

/// Prose and tables in order. On a terminal lines wider than the page are folded, and tables are
/// indented by two; in Markdown a table has its first row as its head.
class Page {
 public:
  struct Prose {
    std::string text;  ///< lines, each with its line feed
    std::size_t hang;  ///< by which the rest of a folded line is indented further
  };
  using Block = std::variant<Prose, TextTable>;

  explicit Page(std::size_t hang = 4) : hang_(hang) {}
  Page& operator+=(std::string text) { return add(std::move(text), hang_); }
  Page& operator+=(TextTable table) {
    blocks_.emplace_back(std::move(table));
    return *this;
  }
  Page& operator+=(const Page& other) {
    blocks_.insert(blocks_.end(), other.blocks_.begin(), other.blocks_.end());
    return *this;
  }
  Page& add(std::string text, std::size_t hang) {
    blocks_.emplace_back(Prose{std::move(text), hang});
    return *this;
  }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] bool empty() const { return blocks_.empty(); }

 private:
  std::vector<Block> blocks_;
  std::size_t hang_;
};

/// One thing that was checked, for tools that read test results.
struct CaseResult {
  std::string group, name;
  std::optional<std::string> failure;  ///< what failed first
  std::string failures;                ///< all that failed, a line each; may be empty
  std::string output;
  std::optional<double> seconds;
};

struct SuiteResult {
  std::string name;
  std::vector<CaseResult> cases;
  std::optional<double> seconds;
};

/// What is reported, whatever the format. A part that is not set is made from the rows.
struct Document {
  std::string name = {};  ///< of the rows: their key in JSON; of the tests: their group
  std::vector<std::string> columns = {};
  std::function<void(const AddRow&)> rows = {};  ///< adds every row
  std::size_t expected_rows = 0;                 ///< about so many, where there are very many

  std::function<Datum()> data = {};         ///< JSON; else the rows as objects of text under `name`
  std::function<Page()> text = {};          ///< for a terminal; else the rows as a list
  std::function<Page()> page = {};          ///< Markdown; else the rows, the first column as code
  std::function<SuiteResult()> suite = {};  ///< JUnit

  int indent = 1;            ///< of a level of JSON, in spaces
  std::string partial = {};  ///< why it is not all that was asked for; "" where it is
};

/// A document of rows: a row for each of `things`, as `make` makes it.
template <class Things, class Make>
Document listing(std::string name, std::vector<std::string> columns, Things things,
                 const Make& make) {
  return {.name = std::move(name),
          .columns = std::move(columns),
          .rows = [things = std::move(things), make](const AddRow& add) {
            for (const auto& thing : things) add(make(thing));
          }};
}

/// A page of what `add` makes of each of `things`, with an empty line between them.
template <class Things, class Add>
Page blocks_page(const Things& things, const Add& add) {
  Page page;
  for (const auto& thing : things) {
    if (!page.empty()) page += "\n";
    add(page, thing);
  }
  return page;
}

/// The version of the JSON and CSV formats.
inline constexpr int kSchema = 2;

/// A list: an element for each of `things`, as `make` makes it.
template <class Things, class Make>
Datum data_of(const Things& things, const Make& make) {
  Datum::List list;
  for (const auto& thing : things) list.push_back(make(thing));
  return list;
}

/// {"schema": 2, "results": [...]}: a result for each of `things`.
template <class Things, class Make>
Datum results_datum(const Things& things, const Make& make) {
  return {{"schema", kSchema}, {"results", data_of(things, make)}};
}

}  // namespace speclab
