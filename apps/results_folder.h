#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "experiment/store.h"

namespace speclab {

/// Makes a folder where it is not there. @throws InputError naming it and the option that names it
std::filesystem::path make_folder(const std::string& name, std::string_view option);

/// Writes a file that does not hold this text already, so that results that may only be read stay
/// as they are.
void write_changed(const std::string& path, const std::string& text);

/// The store of a folder of results: a shard's own; or the whole's, to which the results of the
/// shards in the folder are added.
/// @throws InputError where the folder's shards are not all of this work's (ShardSet)
std::unique_ptr<Store> open_results_store(const std::string& folder, const ShardRecord& record);

}  // namespace speclab
