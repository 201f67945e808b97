#pragma once

#include <fstream>
#include <sstream>
#include <string>

namespace speclab {

/// The bytes of a file; "" where there is none.
inline std::string slurp(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace speclab
