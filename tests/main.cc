#include "verifiers/registry.h"
#ifdef SPECLAB_CATCH3
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

int main(int argc, char** argv) {
  speclab::add_verifiers(speclab::listed_verifiers());
  return Catch::Session().run(argc, argv);
}
