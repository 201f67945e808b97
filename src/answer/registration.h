#pragma once

#include <string>

#include "recorded/recorded_pair.h"
#include "recorded/scored/scored_recording.h"
#include "verifiers/plugin.h"
#include "verifiers/registry.h"

namespace speclab {

/// Registers what spec texts may name beside the families of the room of models: recorded pairs,
/// scored texts and the verifiers of the list. Called once, first of all, by every main program,
/// which links the library speclab_listed.
inline void register_all() {
  add_pair_family(kRecordedFamily);
  add_pair_family(kScoredFamily);
  add_verifiers(listed_verifiers());
}

/// Registers the verifiers of a plugin. @throws as load_plugin does
inline void register_plugin(const std::string& file) { load_plugin(file); }

}  // namespace speclab
