#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace speclab {

std::optional<std::size_t> terminal_columns(int descriptor) {
  constexpr std::size_t kUnknown = 80;
  if (::isatty(descriptor) == 0) return std::nullopt;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUnknown;
  return size.ws_col;
}

}  // namespace speclab
