#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <limits>
#include <string>

#include "experiment/store.h"

namespace speclab {

/// A prepared statement with its parameters bound in order.
class Store::Statement {
 public:
  Statement(const Store& store, const char* sql) : store_(store) {
    check(sqlite3_prepare_v2(store.database_.get(), sql, -1, &statement_, nullptr));
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  Statement& bind(const std::string& text) {
    if (text.size() > std::numeric_limits<int>::max()) store_.fail(SQLITE_TOOBIG);
    return check(sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                                   SQLITE_TRANSIENT));
  }
  /// Seeds and checksums use all 64 bits; SQLite's integers are signed.
  Statement& bind(std::uint64_t value) {
    return check(sqlite3_bind_int64(statement_, ++bound_, static_cast<std::int64_t>(value)));
  }
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
  Statement& check(int code) {
    if (code != SQLITE_OK) store_.fail(code);
    return *this;
  }
  const Store& store_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

}  // namespace speclab
