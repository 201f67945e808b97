#include "report/page.h"

#include <algorithm>

namespace speclab {
namespace {

constexpr std::size_t kNarrowest = 40;

std::size_t g_page_width = 80;

/// Takes as many words from `text` as fit `width`, at least one, and the spaces after them. A
/// backslash alone, which continues a command, stays on its line.
std::string take_line(std::string_view& text, std::size_t width) {
  std::size_t end = std::min(text.find(' '), text.size());
  for (std::size_t next = end; next < text.size() && next <= width;) {
    end = next;
    next = std::min(text.find(' ', text.find_first_not_of(' ', end)), text.size());
    if (next <= width) end = next;
  }
  if (text.substr(end) == " \\") end = text.size();
  std::string line(text.substr(0, end));
  text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::size_t page_width() { return g_page_width; }

void set_page_width(std::size_t columns) { g_page_width = std::max(columns, kNarrowest); }

std::vector<std::string> lines_of(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) lines.push_back(take_line(text, width));
  return lines;
}

std::string folded(std::string_view text, std::size_t hang) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    const bool ended = end < text.size();
    text.remove_prefix(ended ? end + 1 : end);
    if (line.size() <= page_width()) {
      result += line;
    } else {
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      line.remove_prefix(indent);
      std::string before(indent, ' ');
      for (std::size_t more = 0; !line.empty(); more = hang) {
        before.resize(indent + more, ' ');
        if (more > 0) result += '\n';
        result += before + take_line(line, page_width() - std::min(page_width(), before.size()));
      }
    }
    if (ended) result += '\n';
  }
  return result;
}

}  // namespace speclab
