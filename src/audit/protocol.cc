#include "audit/protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"

namespace speclab {
namespace {

std::vector<VerifyRequest::Rows> logarithms(std::vector<VerifyRequest::Rows> drafts) {
  for (auto& rows : drafts) {
    for (auto& row : rows) {
      for (double& entry : row) entry = entry > 0 ? std::log(entry) : kLogitOfZero;
    }
  }
  return drafts;
}

/// One key of an answer: a number, a list or a list of lists.
struct Field {
  std::string_view name;
  int depth = 0;           ///< 0 a number, 1 a list, 2 a list of lists
  std::size_t longest[2];  ///< of the list, and of each of its lists
  bool seen = false;
  std::uint64_t number = 0;
  std::vector<std::vector<int>> lists = {};  ///< of depth 1: one number in each
};

/// Processes an answer while it is parsed, and stops at the first error.
class Reader : public JsonEvents {
 public:
  Reader(std::string_view line, std::string where, std::vector<Field> fields)
      : line_(line), where_(std::move(where)), fields_(std::move(fields)) {}

  std::vector<Field> read() {
    try {
      read_json(line_, *this);
    } catch (const JsonError& error) {
      throw InputError(fmt::format("{} is not JSON at byte {}: {} received", where_,
                                   error.position(), excerpt(line_, error.position())));
    }
    for (const Field& field : fields_) {
      if (!field.seen) fail(fmt::format("the key '{}' is missing", field.name));
    }
    return std::move(fields_);
  }

  void null() override { wrong_value("null"); }
  void boolean(bool value) override { wrong_value(value ? "true" : "false"); }
  void real(double, const std::string& text) override { wrong_value(excerpt(text)); }
  void string(std::string& text) override { wrong_value("the string " + excerpt(text)); }

  void integer(std::int64_t value) override {
    place();
    if (level_ == 0 || value < std::numeric_limits<int>::min()) {
      wrong_value(std::to_string(value));
    }
    add(static_cast<int>(value));
  }

  void natural(std::uint64_t value) override {
    place();
    if (level_ == 0) {
      fields_[current_].number = value;
    } else {
      if (value > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
        wrong_value(std::to_string(value));
      }
      add(static_cast<int>(value));
    }
  }

  void start_object() override {
    if (inside_) wrong_value("an object");
    inside_ = true;
  }
  void end_object() override {}

  void key(std::string& name) override {
    for (current_ = 0; current_ < fields_.size(); ++current_) {
      if (fields_[current_].name == name) break;
    }
    if (current_ == fields_.size()) {
      fail(fmt::format("the key {} does not belong there", excerpt(name)));
    }
    if (std::exchange(fields_[current_].seen, true)) {
      fail(fmt::format("the key '{}' is given twice", name));
    }
  }

  void start_array() override {
    if (!inside_) wrong_value("a list");
    Field& field = fields_[current_];
    if (level_ == field.depth) wrong_value("a list");
    if (level_ == 1) {
      check_length(field.lists.size(), field.longest[0]);
      field.lists.emplace_back();
    }
    ++level_;
  }

  void end_array() override { --level_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}: {}; {} received", where_, what, excerpt(line_)));
  }

  [[noreturn]] void wrong_value(const std::string& what) const {
    if (!inside_) fail(what + " where an object belongs");
    const Field& field = fields_[current_];
    const char* wanted = level_ == field.depth       ? "a whole number"
                         : level_ + 1 == field.depth ? "a list of whole numbers"
                                                     : "a list of lists of whole numbers";
    fail(fmt::format("'{}' has {} where {} belongs", field.name, what, wanted));
  }

  /// Checks that a number is allowed here.
  void place() const {
    if (!inside_ || level_ != fields_[current_].depth) wrong_value("a number");
  }

  void check_length(std::size_t length, std::size_t longest) const {
    if (length < longest) return;
    fail(fmt::format("'{}' has a list of more than {} entries, more than were requested",
                     fields_[current_].name, longest));
  }

  void add(int value) {
    Field& field = fields_[current_];
    if (field.depth == 1) {
      check_length(field.lists.size(), field.longest[0]);
      field.lists.push_back({value});
    } else {
      check_length(field.lists.back().size(), field.longest[1]);
      field.lists.back().push_back(value);
    }
  }

  std::string_view line_;
  std::string where_;
  std::vector<Field> fields_;
  std::size_t current_ = 0;
  bool inside_ = false;  ///< the object has begun
  int level_ = 0;        ///< lists that are open
};

/// The lists "accepted" and "tokens" of an answer.
std::pair<Field, Field> read_lists(std::string_view line, std::uint64_t id, Field accepted,
                                   Field tokens) {
  const std::string where = fmt::format("the answer to request {}", id);
  auto fields =
      Reader(line, where, {{"id", 0, {0, 0}}, std::move(accepted), std::move(tokens)}).read();
  if (fields[0].number != id) {
    throw InputError(
        fmt::format("{} has the id {}; {} received", where, fields[0].number, excerpt(line)));
  }
  return {std::move(fields[1]), std::move(fields[2])};
}

constexpr std::size_t kBytesPerNumber = 64;

}  // namespace

std::string opening_line(std::string_view rule, AuditMode mode) {
  return Json{{"protocol", kProtocol}, {"rule", rule}, {"mode", mode_name(mode)}}.dump();
}

std::string request_line(const VerifyRequest& request, RowScale scale) {
  Json line{{"id", request.id}, {"count", request.count}, {"vocabulary", request.vocabulary}};
  line["draft_tokens"] = of_drafts(request.drafts);
  if (scale == RowScale::logits) {
    line["draft_logits"] = of_drafts(logarithms(request.draft_rows));
    line["target_logits"] = of_drafts(logarithms(request.target_rows));
  } else {
    line["draft_probs"] = of_drafts(request.draft_rows);
    line["target_probs"] = of_drafts(request.target_rows);
  }
  line["seed"] = request.seed;
  if (!request.coins.empty()) line["coins"] = request.coins;
  if (!request.draws.empty()) line["draws"] = request.draws;
  return line.dump();
}

std::string request_line(const GenerateRequest& request) {
  Json line{{"id", request.id}, {"pair", read_json(request.pair)}, {"gamma", request.gamma}};
  if (request.drafts > 1) line["drafts"] = request.drafts;
  line["horizon"] = request.horizon;
  line["count"] = request.count;
  line["seed"] = request.seed;
  return line.dump();
}

std::string end_line() { return Json{{"end", true}}.dump(); }

std::size_t longest_reply(const VerifyRequest& request) {
  return kLongestOpening + kBytesPerNumber * request.count * (request.drafts.front().size() + 3);
}

std::size_t longest_reply(const GenerateRequest& request) {
  return kLongestOpening +
         kBytesPerNumber * request.count * (2 * static_cast<std::size_t>(request.horizon) + 2);
}

void read_opening(std::string_view line) {
  const std::string where = "the answer to the opening line";
  const auto fields = Reader(line, where, {{"protocol", 0, {0, 0}}}).read();
  if (fields[0].number != static_cast<std::uint64_t>(kProtocol)) {
    throw InputError(
        fmt::format("{} has protocol {}; this is protocol {}", where, fields[0].number, kProtocol));
  }
}

VerifyReply read_reply(std::string_view line, const VerifyRequest& request) {
  auto [accepted, tokens] =
      read_lists(line, request.id, {"accepted", 1, {request.count, 1}},
                 {"tokens", 2, {request.count, request.drafts.front().size() + 1}});
  VerifyReply reply;
  for (const auto& list : accepted.lists) reply.accepted.push_back(list.front());
  reply.tokens = std::move(tokens.lists);
  check_reply(request, reply);
  return reply;
}

GenerateReply read_reply(std::string_view line, const GenerateRequest& request) {
  const auto horizon = static_cast<std::size_t>(request.horizon);
  auto [accepted, tokens] = read_lists(line, request.id, {"accepted", 2, {request.count, horizon}},
                                       {"tokens", 2, {request.count, horizon}});
  GenerateReply reply{std::move(tokens.lists), std::move(accepted.lists)};
  check_reply(request, reply);
  return reply;
}

std::string excerpt(std::string_view received, std::size_t around) {
  constexpr std::size_t kLongest = 80;
  constexpr std::size_t kBefore = 40;
  const bool later = received.size() > kLongest && around > kLongest / 2;
  if (later) received.remove_prefix(std::min(around - kBefore, received.size()));
  const bool longer = received.size() > kLongest;
  std::string text(received.substr(0, kLongest));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return fmt::format("'{}{}{}'", later ? "..." : "", text, longer ? "..." : "");
}

}  // namespace speclab
