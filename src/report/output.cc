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
#include "system/interrupt.h"
#include "system/read_file.h"

namespace speclab {
namespace {

[[noreturn]] void refuse(const std::string& path, int reason) {
  if (reason == EINTR) check_interrupted();
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

/// A new file in the folder of `path`, without a name until it is whole, so that a process that is
/// killed leaves nothing behind; with a name of its own beside `path` where the file system has no
/// such files.
class Temporary {
 public:
  explicit Temporary(const std::string& path) : path_(path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    file_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (file_ < 0 && !make_named()) refuse(path, errno);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (file_ >= 0) ::close(file_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  void fill(const std::string& text) {
    struct stat old {};
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t mode = ::stat(path_.c_str(), &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask;
    const auto filled = [&] {
      return write_all(file_, text) && ::fchmod(file_, mode) == 0 && ::fsync(file_) == 0;
    };
    if (!filled() || !(name_given() || (make_named() && filled())) ||
        ::close(std::exchange(file_, -1)) != 0 || std::rename(name_.c_str(), path_.c_str()) != 0) {
      refuse(path_, errno);
    }
    name_.clear();
  }

 private:
  /// Another new file, with a name.
  bool make_named() {
    if (file_ >= 0) ::close(file_);
    std::string name = path_ + ".XXXXXX";
    file_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (file_ >= 0) name_ = std::move(name);
    return file_ >= 0;
  }

  /// Gives the file a name where it has none; false where the system cannot.
  bool name_given() {
    const std::string source = "/proc/self/fd/" + std::to_string(file_);
    constexpr int kTries = 100;
    for (int number = 0; name_.empty() && number < kTries; ++number) {
      std::string name = path_ + "." + std::to_string(::getpid()) + "-" + std::to_string(number);
      const int code =
          ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
      if (code == 0) name_ = std::move(name);
      if (code != 0 && errno != EEXIST) break;
    }
    return !name_.empty();
  }

  const std::string& path_;
  std::string name_;  ///< "" while it has none
  int file_ = -1;
};

}  // namespace

Output::Output(std::optional<std::string> path) : path_(std::move(path)) {
  if (path_ == "-") path_.reset();
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

std::string Output::shown(const std::string& text) { return printable(text, true); }

void Output::write(const std::string& text) const {
  const std::string shown_text = shown(text);
  if (!path_) {
    if (write_all(STDOUT_FILENO, shown_text) || errno == EPIPE) return;
    throw InputError(std::string("cannot write standard output: ") + std::strerror(errno));
  }
  if (!in_place_) return Temporary(*path_).fill(shown_text);
  const int file = ::open(path_->c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) refuse(*path_, errno);
  const bool written = write_all(file, shown_text) || errno == EPIPE;
  const int reason = errno;
  ::close(file);
  if (!written) refuse(*path_, reason);
}

}  // namespace speclab
