#include "system/text_lines.h"

#include <algorithm>

#include "system/interrupt.h"
#include "system/read_file.h"

namespace speclab {

bool each_text_line(const std::string& path,
                    const std::function<void(const std::string& line, int number)>& visit) {
  const std::string text = read_file(path);
  check_utf8(text, quoted_path(path));
  bool any = false;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    check_interrupted();
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    any = true;
    visit(line, number);
  }
  return any;
}

}  // namespace speclab
