#pragma once
// The lists of verifiers that the shared libraries of faults.cc return. Their types are known in
// lists.cc alone: the headers of a plugin are compiled once for all of these libraries.

enum class PlantedList { older, taken, twice, rowless };

/// A speclab::Plugin.
const void* list_of(PlantedList list);
