#include "system/letters.h"

#include <fmt/format.h>
#include <omp.h>

#include <cstdlib>
#include <stdexcept>

#include "base/random.h"

namespace speclab {

std::pair<std::string, std::string> split_head(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) throw std::logic_error("a letter without a head");
  return {text.substr(0, end), text.substr(end + 1)};
}

std::string digest_of(const std::string& task) { return fmt::format("{:016x}", task_hash(task)); }

int own_threads(const Mail* mail) {
  const int all = omp_get_max_threads();
  if (mail == nullptr || std::getenv("OMP_NUM_THREADS") != nullptr) return all;
  return std::max(1, all / mail->neighbours());
}

}  // namespace speclab
