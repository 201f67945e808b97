#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <limits>
#include <string>

#include "base/error.h"
#include "experiment/store.h"
#include "system/read_file.h"

namespace speclab {

/// A prepared statement and its parameters, in order.
class Store::Statement {
 public:
  template <class... Values>
  explicit Statement(const Store& store, const char* sql, const Values&... values) : store_(store) {
    check(sqlite3_prepare_v2(store.database_.get(), sql, -1, &statement_, nullptr));
    (bind(values), ...);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  /// True while there is a row.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) store_.fail(code);
    return code == SQLITE_ROW;
  }
  [[nodiscard]] std::uint64_t number(int column) const {
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
  }
  [[nodiscard]] std::string text(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return bytes == nullptr ? std::string() : std::string(bytes, size);
  }

 private:
  void bind(const std::string& text) {
    if (text.size() > std::numeric_limits<int>::max()) store_.fail(SQLITE_TOOBIG);
    check(sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                            SQLITE_TRANSIENT));
  }
  /// Seeds and checksums use all 64 bits; SQLite's integers are signed.
  void bind(std::uint64_t value) {
    check(sqlite3_bind_int64(statement_, ++bound_, static_cast<std::int64_t>(value)));
  }
  void check(int code) const {
    if (code != SQLITE_OK) store_.fail(code);
  }
  const Store& store_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

template <class... Values>
void Store::write(const char* sql, const Values&... values) {
  if (read_only_) {
    throw InputError("the results file " + quoted_path(path_) +
                     " may only be read, and does not hold all that is asked for; give another "
                     "folder for results, or make the file and its folder writable");
  }
  if (!together_) execute("BEGIN IMMEDIATE");
  Statement(*this, sql, values...).step();
  if (!together_) execute("COMMIT");
}

}  // namespace speclab
