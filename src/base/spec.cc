#include "base/spec.h"

#include "base/error.h"
#include "base/integer.h"
#include "base/text.h"

namespace speclab {
namespace {

/// A recursive-descent reader of the grammar in spec.h; recursion depth is one (a list holds
/// values, or lists of values).
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Spec parse() {
    Spec spec;
    spec.text = std::string(text_);
    spec.name = std::string(bare());
    if (spec.name.empty()) refuse("a name is expected");
    skip();
    if (at_ == text_.size()) return spec;
    expect('(');
    skip();
    if (peek() != ')') {
      do {
        spec.arguments.push_back(argument());
      } while (accept(','));
    }
    expect(')');
    skip();
    if (at_ != text_.size()) refuse("nothing may follow the closing bracket");
    return spec;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError("spec text '" + abbreviate(text_) + "', column " + std::to_string(at_ + 1) +
                     ": " + message);
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool accept(char c) {
    skip();
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse(std::string("'") + c + "' is expected");
  }
  std::string_view bare() {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && kSpecMarks.find(text_[at_]) == std::string_view::npos) ++at_;
    std::size_t end = at_;
    while (end > start && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
    return text_.substr(start, end - start);
  }
  std::string value() {
    skip();
    if (peek() != '"') {
      const std::string_view word = bare();
      if (word.empty()) refuse("a value is expected");
      return std::string(word);
    }
    std::string result;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      result += text_[at_];
    }
    if (at_ == text_.size()) refuse("the closing '\"' is missing");
    ++at_;
    return result;
  }
  SpecArgument argument() {
    SpecArgument result;
    skip();
    if (peek() != '"' && peek() != '[') {
      const std::size_t start = at_;
      const std::string_view key = bare();
      if (accept('=')) {
        if (key.empty()) refuse("a parameter's name is expected before '='");
        result.key = std::string(key);
        skip();
      } else {
        at_ = start;
      }
    }
    if (!accept('[')) {
      result.values.push_back(value());
      return result;
    }
    result.is_list = true;
    if (!accept('[')) {
      result.values = rest_of_list();
      return result;
    }
    result.rows.push_back(rest_of_list());
    while (accept(',')) {
      expect('[');
      result.rows.push_back(rest_of_list());
    }
    expect(']');
    return result;
  }
  /// The values of a list whose bracket was read, and the bracket that closes it.
  std::vector<std::string> rest_of_list() {
    std::vector<std::string> values;
    if (accept(']')) return values;
    do {
      values.push_back(value());
    } while (accept(','));
    expect(']');
    return values;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Spec parse_spec(std::string_view text) {
  if (text.size() > kMaxSpecLength) {
    throw InputError("spec text '" + abbreviate(text) + "' is " + std::to_string(text.size()) +
                     " bytes long; the limit is " + std::to_string(kMaxSpecLength) +
                     "; put large laws in a file and use file(PATH)");
  }
  return Parser(text).parse();
}

}  // namespace speclab
