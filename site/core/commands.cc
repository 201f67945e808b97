// The commands of the program in a browser.
#include "command.h"

namespace speclab {

std::span<const Command> commands() {
  static const std::vector<Command> table{exact_command(), simulate_command(), verify_command(),
                                          list_command()};
  return table;
}

}  // namespace speclab
