#include "base/json.h"

#include "base/printable.h"
#include "document/number.h"
#include "report/formats.h"

namespace speclab {
namespace {

/// Bytes of text that are not UTF-8 are replaced; a number that is not finite is null.
class JsonWriter {
 public:
  explicit JsonWriter(int indent) : indent_(indent) {}

  void write(const Datum& value) {
    std::visit([this](const auto& content) { put(content); }, value.content());
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void put(std::nullptr_t) { text_ += "null"; }
  void put(bool value) { text_ += value ? "true" : "false"; }
  void put(std::int64_t value) { text_ += std::to_string(value); }
  void put(std::uint64_t value) { text_ += std::to_string(value); }
  void put(double value) { text_ += shortest(value); }
  void put(const std::string& text) { text_ += Json(text).dump(); }
  void put(const JsonText& json) {
    for (const char c : read_json(json.text).dump(indent_)) {
      text_ += c;
      if (c == '\n') text_.append(level_, ' ');
    }
  }
  void put(const Datum::List& list) {
    all('[', list, ']', [this](const Datum& element) { write(element); });
  }
  void put(const Datum::Object& object) {
    all('{', object, '}', [this](const Datum::Member& member) {
      put(member.first);
      text_ += ": ";
      write(member.second);
    });
  }

  template <class Elements, class Put>
  void all(char open, const Elements& elements, char close, const Put& put_one) {
    text_ += open;
    level_ += static_cast<std::size_t>(indent_);
    for (const auto& element : elements) {
      text_ += &element == &elements.front() ? "\n" : ",\n";
      text_.append(level_, ' ');
      put_one(element);
    }
    level_ -= static_cast<std::size_t>(indent_);
    if (!elements.empty()) text_.append("\n").append(level_, ' ');
    text_ += close;
  }

  int indent_;
  std::size_t level_ = 0;  ///< spaces before a line
  std::string text_;
};

}  // namespace

std::string json_text(const Document& document) {
  Datum root;
  if (document.data) {
    root = document.data();
  } else {
    Datum& all = root[document.name] = Datum::List();
    document.rows([&](const Cells& cells) {
      Datum& row = all.add(Datum::Object());
      for (std::size_t i = 0; i < cells.size(); ++i) row[document.columns[i]] = cell_text(cells[i]);
    });
  }
  if (!document.partial.empty()) root["partial"] = document.partial;
  JsonWriter writer(document.indent);
  writer.write(root);
  return printable_json(writer.text()) + "\n";
}

}  // namespace speclab
