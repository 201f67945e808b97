#include "results_folder.h"

#include "base/error.h"
#include "system/read_file.h"

namespace speclab {

namespace fs = std::filesystem;

fs::path make_results_folder(const std::string& name) {
  std::error_code failed;
  fs::create_directories(name, failed);
  std::error_code none;
  if (failed || !fs::is_directory(name, none)) {
    throw InputError("cannot make the folder " + quoted_path(name) + ": " +
                     (failed ? failed.message() : std::string("it is a file")) +
                     "; give --results another");
  }
  return name;
}

std::unique_ptr<Store> open_results_store(const std::string& folder, const ShardRecord& record) {
  if (!record.shard.whole()) {
    auto store = std::make_unique<Store>(shard_store(folder, record.shard));
    store->begin_shard(record);
    return store;
  }
  const std::vector<std::string> shards = shard_stores(folder);
  if (shards.empty()) return std::make_unique<Store>(whole_store(folder));
  const ShardSet set(shards, &record);
  auto store = std::make_unique<Store>(whole_store(folder));
  set.add_to(*store);
  return store;
}

}  // namespace speclab
