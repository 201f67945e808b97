#include "answer/registration.h"
#include "command.h"
#include "system/openmp.h"

int main(int argc, char** argv) {
  speclab::remove_empty_openmp_registration();
  speclab::register_all();
  return speclab::run_program(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
