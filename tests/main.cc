#include "answer/registration.h"
#include "system/openmp.h"
#ifdef SPECLAB_CATCH3
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

int main(int argc, char** argv) {
  speclab::remove_empty_openmp_registration();
  speclab::register_all();
  return Catch::Session().run(argc, argv);
}
