#include "command.h"
#include "verifiers/registry.h"

int main(int argc, char** argv) {
  speclab::add_verifiers(speclab::listed_verifiers());
  return speclab::run_program(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
