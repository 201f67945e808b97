#include "results_folder.h"

#include <array>
#include <fstream>

#include "base/error.h"
#include "report/output.h"
#include "system/read_file.h"

namespace speclab {

namespace fs = std::filesystem;

namespace {

/// Whether a file holds this text.
bool holds(const std::string& path, const std::string& text) {
  std::error_code failed;
  if (fs::file_size(path, failed) != text.size() || failed) return false;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 1 << 16> part;
  std::size_t done = 0;
  while (done < text.size() && file.good()) {
    file.read(part.data(), part.size());
    const auto count = static_cast<std::size_t>(file.gcount());
    if (text.compare(done, count, part.data(), count) != 0) return false;
    done += count;
  }
  return done == text.size();
}

}  // namespace

fs::path make_folder(const std::string& name, std::string_view option) {
  std::error_code failed;
  fs::create_directories(name, failed);
  std::error_code none;
  if (failed || !fs::is_directory(name, none)) {
    throw InputError("cannot make the folder " + quoted_path(name) + ": " +
                     (failed ? failed.message() : std::string("it is a file")) + "; give --" +
                     std::string(option) + " another");
  }
  return name;
}

void write_changed(const std::string& path, const std::string& text) {
  if (!holds(path, Output::shown(text))) Output(path).write(text);
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
