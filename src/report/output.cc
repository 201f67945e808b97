#include "report/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "base/read_file.h"

namespace speclab {
namespace {

[[noreturn]] void refuse(const std::string& path, int reason) {
  throw InputError("cannot write " + quoted_path(path) + ": " + std::strerror(reason) +
                   "; give a file in a folder that exists and can be written");
}

/// Writes everything; false with errno set where that fails.
bool write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count >= 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

/// A new file beside `path`, removed unless it is moved into place.
class Temporary {
 public:
  explicit Temporary(const std::string& path) : path_(path), name_(path + ".XXXXXX") {
    file_ = ::mkstemp(name_.data());
    if (file_ < 0) refuse(path, errno);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (file_ >= 0) ::close(file_);
    if (!moved_) ::unlink(name_.c_str());
  }

  void fill(const std::string& text) {
    struct stat old {};
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t mode = ::stat(path_.c_str(), &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask;
    if (!write_all(file_, text) || ::fchmod(file_, mode) != 0 || ::fsync(file_) != 0 ||
        ::close(std::exchange(file_, -1)) != 0 || std::rename(name_.c_str(), path_.c_str()) != 0) {
      refuse(path_, errno);
    }
    moved_ = true;
  }

 private:
  const std::string& path_;
  std::string name_;
  int file_ = -1;
  bool moved_ = false;
};

}  // namespace

Output::Output(std::optional<std::string> path) : path_(std::move(path)) {
  if (!path_) return;
  struct stat found {};
  if (::stat(path_->c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) refuse(*path_, EISDIR);
    if (::access(path_->c_str(), W_OK) != 0) refuse(*path_, errno);
    in_place_ = !S_ISREG(found.st_mode);
    if (in_place_) return;
    // A link stays a link: what it points at is replaced.
    char real[PATH_MAX];
    if (::realpath(path_->c_str(), real) != nullptr) path_ = real;
  } else if (errno != ENOENT || path_->empty() || path_->back() == '/') {
    refuse(*path_, errno);
  } else if (::lstat(path_->c_str(), &found) == 0) {
    throw InputError("cannot write " + quoted_path(*path_) +
                     ": it is a link to a file that is not there; give that file's own name");
  }
  const Temporary probe(*path_);
}

void Output::write(const std::string& text) const {
  if (!path_) {
    // A name from a file must not steer a terminal.
    const std::string& shown = ::isatty(STDOUT_FILENO) != 0 ? printable(text, true) : text;
    if (write_all(STDOUT_FILENO, shown) || errno == EPIPE) return;
    throw InputError(std::string("cannot write standard output: ") + std::strerror(errno));
  }
  if (!in_place_) return Temporary(*path_).fill(text);
  const int file = ::open(path_->c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) refuse(*path_, errno);
  const bool written = write_all(file, text) || errno == EPIPE;
  const int reason = errno;
  ::close(file);
  if (!written) refuse(*path_, reason);
}

}  // namespace speclab
