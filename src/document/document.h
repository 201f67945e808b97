#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/rational.h"

namespace speclab {

// What a report is made of. A room fills a Document with what it found, each part as a function
// that is called where a format needs it; report/report.h turns Documents into text.

/// Cells of a row, one for each column.
using Cells = std::vector<Json>;
using AddRow = std::function<void(const Cells&)>;

/// The value as the text of a cell: "" for null; a number reads back to the same double; a list has
/// "; " between its values.
std::string cell_text(const Json& value);

/// A number with its fraction: {"value": number, "exact": "11/9" or null}.
Json exact_json(double value, const std::optional<Rational>& fraction);

/// Columns of text for reading.
struct TextTable {
  /// One letter a column: 'l' left, 'r' right, 'c' left and in Markdown code; and a bar where a
  /// table wider than the page may become two: "lrr|rl".
  std::string alignment;
  std::vector<std::string> head = {};  ///< the names of the columns, or none
  std::size_t keys = 1;                ///< the columns that name a row
  std::string title = {};              ///< a line above it; in Markdown code
  std::vector<std::vector<std::string>> rows = {};

  /// Adds a row; a double is `readable`.
  void add(const Cells& cells);
};

/// Prose and tables in order. On a terminal lines wider than the page are folded, and tables are
/// indented by two; in Markdown a table needs a head.
struct Page {
  struct Prose {
    std::string text;  ///< lines, each with its line feed
    std::size_t hang;  ///< by which the rest of a folded line is indented further
  };
  std::vector<std::variant<Prose, TextTable>> blocks = {};
  std::size_t hang = 4;  ///< of prose added from now on

  Page& operator+=(std::string text);
  Page& operator+=(TextTable table);
  Page& operator+=(const Page& other);
  [[nodiscard]] bool empty() const { return blocks.empty(); }
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

  std::function<Json()> data = {};          ///< JSON; else the rows as objects under `name`
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
  Document document;
  document.name = std::move(name);
  document.columns = std::move(columns);
  document.rows = [things = std::move(things), make](const AddRow& add) {
    for (const auto& thing : things) add(make(thing));
  };
  return document;
}

/// The version of the JSON and CSV formats.
inline constexpr int kSchema = 2;

/// A list: an element for each of `things`, as `make` makes it.
template <class Things, class Make>
Json json_of(const Things& things, const Make& make) {
  Json list = Json::array();
  for (const auto& thing : things) list.push_back(make(thing));
  return list;
}

/// {"schema": 2, "results": [...]}: a result for each of `things`.
template <class Things, class Make>
Json results_json(const Things& things, const Make& make) {
  return {{"schema", kSchema}, {"results", json_of(things, make)}};
}

/// A document of `things`: of each the rows that `add_rows` adds, the JSON that `make` makes, and
/// on a page what `add_block` adds, with an empty line between them. @pre they outlive it
template <class Things, class AddRows, class Make, class AddBlock>
Document document_of(std::vector<std::string> columns, const Things& things, AddRows add_rows,
                     Make make, AddBlock add_block) {
  Document document;
  document.columns = std::move(columns);
  document.rows = [&things, add_rows](const AddRow& add) {
    for (const auto& thing : things) add_rows(thing, add);
  };
  document.data = [&things, make] { return results_json(things, make); };
  document.text = [&things, add_block] {
    Page page;
    for (const auto& thing : things) {
      if (!page.empty()) page += "\n";
      add_block(page, thing);
    }
    return page;
  };
  return document;
}

}  // namespace speclab
