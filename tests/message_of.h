#pragma once

#include <string>

#include "base/error.h"

namespace speclab {

/// The message of the error of this type that f ends with; "" where it goes on to its end. Another
/// error stays one.
template <class E = InputError, class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

}  // namespace speclab
