#include "command.h"

namespace speclab {
namespace {

constexpr Option kPluginOption{
    "plugin", "FILE",
    "a shared library with verifiers of your own; SPECLAB_PLUGINS names more of them, with colons "
    "between",
    true};
constexpr Option kHelpOption{"help", "", "this text"};

}  // namespace

std::span<const Command> commands() {
  static const std::vector<Command> table = [] {
    std::vector<Command> all{exact_command(),  simulate_command(),  check_command(),
                             advise_command(), score_command(),     optimum_command(),
                             prove_command(),  audit_command(),     vectors_command(),
                             parity_command(), verify_command(),    train_command(),
                             run_command(),    merge_command(),     plot_command(),
                             list_command(),   completion_command()};
    for (Command& command : all) {
      command.options.insert(command.options.end(), {kPluginOption, kHelpOption});
    }
    return all;
  }();
  return table;
}

}  // namespace speclab
