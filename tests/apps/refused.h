#pragma once

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

}  // namespace speclab
