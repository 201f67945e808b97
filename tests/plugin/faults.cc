// One shared library for each of the names that may be defined.
#include <csignal>
#include <cstdlib>

#include "lists.h"

#if defined(STRANGER)
extern "C" const void* somebody_elses() { return list_of(PlantedList::twice); }
#else
#if defined(LACKING)
namespace speclab {
int of_another_version();
}
#endif
extern "C" const void* speclab_plugin() {
#if defined(OLDER)
  return list_of(PlantedList::older);
#elif defined(TAKEN)
  return list_of(PlantedList::taken);
#elif defined(ROWLESS)
  return list_of(PlantedList::rowless);
#elif defined(LACKING)
  return speclab::of_another_version() > 0 ? list_of(PlantedList::twice) : nullptr;
#elif defined(NOTHING)
  return nullptr;
#elif defined(EXITS)
  std::exit(0);
#elif defined(LEAVES)
  std::_Exit(0);
#elif defined(THROWS)
  throw 42;
#else
#if defined(CRASHES)
  std::raise(SIGSEGV);
#endif
  return list_of(PlantedList::twice);
#endif
}
#endif
