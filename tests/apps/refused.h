#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "apps/process.h"
#include "catch.h"

namespace speclab {

/// The program ends with this code, prints nothing but an error, and the error has this text.
inline void refuses(const std::vector<std::string>& words, int code, const std::string& text) {
  const Finished done = speclab_run(words);
  INFO(done.err);
  CHECK(done.code == code);
  CHECK(done.out.empty());
  CHECK_THAT(done.err, Containing(text));
}

/// The same, and the error is one line of the program's own.
inline void refuses_in_line(const std::vector<std::string>& words, int code,
                            const std::string& text) {
  const Finished done = speclab_run(words);
  CAPTURE(words, done.err);
  CHECK(done.code == code);
  CHECK(done.out.empty());
  CHECK(done.err.starts_with("speclab: "));
  CHECK(std::count(done.err.begin(), done.err.end(), '\n') == 1);
  CHECK_THAT(done.err, Containing(text));
}

}  // namespace speclab
