#pragma once

#include <sqlite3.h>

#include <string>

#include "catch.h"

namespace speclab {

/// Runs SQL on a store's file, as anybody may.
inline void forge(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
  INFO(sqlite3_errmsg(database));
  CHECK(code == SQLITE_OK);
  sqlite3_close(database);
}

}  // namespace speclab
