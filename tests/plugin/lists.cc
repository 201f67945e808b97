#include "lists.h"

#include <array>

#include "verifiers/plugin.h"

namespace {

speclab::VerifierRow row_named(std::string_view name) {
  speclab::VerifierRow row{};
  row.name = name;
  return row;
}

using Pointers = std::array<const speclab::VerifierRow*, 2>;

const std::array kTwice{row_named("twice"), row_named("twice")};
const std::array kTaken{row_named("fresh"), row_named("token")};
const Pointers kOfTwice{&kTwice[0], &kTwice[1]};
const Pointers kOfTaken{&kTaken[0], &kTaken[1]};
const Pointers kRowless{&kTwice[0], nullptr};

}  // namespace

const void* list_of(PlantedList list) {
  static const speclab::Plugin older{"speclab 0.9.0, interface 0", kOfTwice.data(), 2};
  static const speclab::Plugin taken{SPECLAB_INTERFACE, kOfTaken.data(), 2};
  static const speclab::Plugin twice{SPECLAB_INTERFACE, kOfTwice.data(), 2};
  static const speclab::Plugin rowless{SPECLAB_INTERFACE, kRowless.data(), 2};
  switch (list) {
    case PlantedList::older:
      return &older;
    case PlantedList::taken:
      return &taken;
    case PlantedList::rowless:
      return &rowless;
    case PlantedList::twice:
      break;
  }
  return &twice;
}
