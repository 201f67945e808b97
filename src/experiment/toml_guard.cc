#include "experiment/toml_guard.h"

#include "base/error.h"

namespace speclab {
namespace {

constexpr int kMostParts = 16;

bool begins_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '"' || c == '\'';
}

/// Whether a key or a value may begin after this.
bool begins_after(char c) { return c == '\n' || c == '=' || c == ',' || c == '[' || c == '{'; }

/// Walks over the text once. A string that does not end is over at the end of its line, where the
/// parser stops too.
class Walk {
 public:
  Walk(const std::string& path, const std::string& text) : path_(path), text_(text) {}

  void run() {
    if (text_.starts_with("\xef\xbb\xbf")) {
      refuse("the file begins with a byte order mark; save it as UTF-8 without one");
    }
    while (at_ < text_.size()) step();
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(path_ + ":" + std::to_string(line_) + ": " + message);
  }

  void step() {
    const char c = text_[at_];
    if (c == '#') return skip_comment();
    if (c == '"' || c == '\'') return skip_string(c);
    if (static_cast<unsigned char>(c) >= 0x80) {
      refuse("a character outside ASCII stands outside of quotes; put the text in quotes");
    }
    if (c == ':') refuse("a ':' stands outside of quotes; put times and other text in quotes");
    if (c == '[' && before_ == '\n' && open_.empty()) check_header();
    if (c == '[' || c == '{') open(c);
    if (c == ']' || c == '}') close(c);
    if (c == '=' && value_) refuse_within(c);
    if (c == '=') value_ = true;
    if ((c == ',' && !open_.ends_with('[')) || (c == '\n' && open_.empty())) value_ = false;
    if (c == '.' && ++parts_ > kMostParts) {
      refuse("a key has more than " + std::to_string(kMostParts) +
             " parts with dots between; name tables by [[task]] and the like");
    }
    if (begins_after(c)) parts_ = 0;
    if (c != ' ' && c != '\t' && c != '\r') before_ = c;
    if (c == '\n') ++line_;
    ++at_;
  }

  /// The parser reads a word to its end, and on where it may be a date, whatever stands there: this
  /// walk must not see a string or a list in it.
  [[noreturn]] void refuse_within(char c) const {
    refuse(std::string("a ") + c + " stands within a word; put the whole text in quotes");
  }

  void open(char bracket) {
    if (!begins_after(before_)) refuse_within(bracket);
    open_ += bracket;
    if (bracket == '{') value_ = false;
  }

  void close(char bracket) {
    const char opens = bracket == ']' ? '[' : '{';
    if (!open_.ends_with(opens)) {
      refuse(std::string("a '") + bracket + "' stands where no '" + opens + "' is open");
    }
    open_.pop_back();
    if (bracket == '}') value_ = true;
  }

  void check_header() const {
    std::size_t key = at_ + 1;
    if (key < text_.size() && text_[key] == '[') ++key;
    while (key < text_.size() && (text_[key] == ' ' || text_[key] == '\t')) ++key;
    if (key < text_.size() && !begins_key(text_[key])) {
      refuse("'[' begins a table and its name is missing; for example [[task]]");
    }
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  /// Strings begin where a key or a value may; elsewhere the parser and this walk would differ on
  /// where they end.
  void skip_string(char quote) {
    if (before_ == '.' ? value_ : !begins_after(before_)) refuse_within(quote);
    before_ = quote;
    const std::string thrice(3, quote);
    const bool lines = text_.compare(at_, 3, thrice) == 0;
    at_ += lines ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (lines ? text_.compare(at_, 3, thrice) == 0 : c == quote) {
        at_ += lines ? 3 : 1;
        // Up to two quotes more are the text's own.
        for (int more = 0; lines && more < 2 && text_[at_] == quote; ++more) ++at_;
        return;
      }
      if (c == '\n' && !lines) return;
      if (c == '\n') ++line_;
      at_ += c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
    }
  }

  const std::string& path_;
  const std::string& text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::string open_;    ///< brackets that are not closed, the last one last
  int parts_ = 0;       ///< dots since the last thing that ends a key or begins one
  char before_ = '\n';  ///< what stands before, white space and comments aside
  bool value_ = false;  ///< whether a '=' stands before, of the same key
};

}  // namespace

void check_toml(const std::string& path, const std::string& text) { Walk(path, text).run(); }

}  // namespace speclab
