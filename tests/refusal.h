#pragma once

#include <string>

#include "base/error.h"

namespace speclab {

/// The message of the InputError with which f ends; "" where it goes on to its end. Another error
/// stays one.
template <class F>
std::string why_refused(const F& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace speclab
