#include "answer/stored.h"

#include <fmt/format.h>

#include <type_traits>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "simulate/simulate.h"
#include "verifiers/plugin.h"

namespace speclab {
namespace {

// One description of each structure serves to write it and to read it: describe(archive, structure)
// calls archive.list(parts...) where it is stored as a list, or archive.field(name, part) for each
// part where it is stored as an object, in the order of the names.

/// A structure as it is written, or as it is read.
template <class Any, class Structure>
concept Either = std::same_as<std::remove_const_t<Any>, Structure>;

template <class Archive>
void describe(Archive& archive, Either<Moments> auto& moments) {
  archive.list(moments.sum, moments.squares);
}

template <class Archive>
void describe(Archive& archive, Either<Finding<Value>> auto& finding) {
  archive.list(finding.index, finding.value.number, finding.value.fraction);
}

template <class Archive>
void describe(Archive& archive, Either<FoundQuantity<Value>> auto& found) {
  archive.list(found.id, found.missing, found.values);
}

template <class Archive>
void describe(Archive& archive, Either<Prediction> auto& form) {
  archive.list(form.claim, form.quantity, form.index, form.value, form.exact, form.relation);
}

template <class Archive>
void describe(Archive& archive, Either<Tally> auto& tally) {
  // by_calls, by_steps, by_tokens and controls are counted in no trials that are stored.
  static_assert(sizeof(Tally) == 672, "a field of Tally that is not stored is lost on resuming");
  archive.field("accepted", tally.accepted);
  archive.field("calls_times_steps", tally.calls_times_steps);
  archive.field("conditional_accepted", tally.conditional_accepted);
  archive.field("conditional_law", tally.conditional_law);
  archive.field("conditional_undefined", tally.conditional_undefined);
  archive.field("draft_steps", tally.draft_steps);
  archive.field("emitted", tally.emitted);
  archive.field("emitted_counts", tally.emitted_counts);
  archive.field("iterations", tally.iterations);
  archive.sparse("outputs", tally.outputs);
  archive.field("positions", tally.positions);
  archive.field("positions_times_iterations", tally.positions_times_iterations);
  archive.field("rejections", tally.rejections);
  archive.field("target_calls", tally.target_calls);
  archive.field("tokens", tally.tokens);
  archive.field("tokens_times_calls", tally.tokens_times_calls);
  archive.field("tokens_times_steps", tally.tokens_times_steps);
  archive.field("trials", tally.trials);
  archive.field("undefined_iterations", tally.undefined_iterations);
  archive.field("undefined_trials", tally.undefined_trials);
}

WideCount wide_count(const std::string& digits) {
  constexpr std::size_t kMostDigits = 38;  // all such numbers fit
  if (digits.empty() || digits.size() > kMostDigits) {
    throw InputError("a count has no digit, or more than 38");
  }
  WideCount value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') throw InputError("a count has a character that is no digit");
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value;
}

class Writer {
 public:
  template <class... Parts>
  void list(const Parts&... parts) {
    node_ = Json::array({written(parts)...});
  }
  template <class Part>
  void field(const char* name, const Part& part) {
    node_[name] = written(part);
  }
  /// A list most of whose cells are 0.
  void sparse(const char* name, const std::vector<std::uint64_t>& cells) {
    Json counts = Json::array();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] > 0) counts.push_back(Json::array({i, cells[i]}));
    }
    node_[name] = Json{{"cells", cells.size()}, {"counts", std::move(counts)}};
  }
  [[nodiscard]] std::string text() const { return node_.dump(); }

 private:
  static Json written(std::uint64_t value) { return value; }
  static Json written(int value) { return value; }
  static Json written(double value) { return value; }
  static Json written(const std::string& text) { return text; }
  static Json written(WideCount value) { return fmt::format("{}", value); }
  static Json written(const Rational& value) { return to_text(value); }
  static Json written(QuantityId id) { return quantity(id).path(); }
  static Json written(Relation relation) { return static_cast<int>(relation); }
  template <class Part>
  static Json written(const std::optional<Part>& part) {
    return part ? written(*part) : Json();
  }
  template <class Part>
  static Json written(const std::vector<Part>& parts) {
    Json list = Json::array();
    for (const Part& part : parts) list.push_back(written(part));
    return list;
  }
  template <class Structure>
  static Json written(const Structure& structure) {
    Writer inner;
    describe(inner, structure);
    return std::move(inner.node_);
  }

  Json node_;
};

class Reader {
 public:
  explicit Reader(const Json& node) : node_(node) {}

  template <class... Parts>
  void list(Parts&... parts) const {
    std::size_t at = 0;
    (read(node_.at(at++), parts), ...);
  }
  template <class Part>
  void field(const char* name, Part& part) const {
    read(node_.at(name), part);
  }
  void sparse(const char* name, std::vector<std::uint64_t>& cells) const {
    std::uint64_t size = 0, at = 0;
    read(node_.at(name).at("cells"), size);
    if (static_cast<double>(size) > kMaxOutputCells) throw InputError("there are too many outputs");
    cells.assign(size, 0);
    for (const Json& cell : node_.at(name).at("counts").elements()) {
      read(cell.at(0), at);
      read(cell.at(1), cells.at(at));
    }
  }

 private:
  static void read(const Json& node, std::uint64_t& value) { value = node.get<std::uint64_t>(); }
  static void read(const Json& node, int& value) { value = node.get<int>(); }
  static void read(const Json& node, double& value) { value = node.get<double>(); }
  static void read(const Json& node, std::string& text) { text = node.string(); }
  static void read(const Json& node, WideCount& value) { value = wide_count(node.string()); }
  static void read(const Json& node, Rational& value) { value = parse_rational(node.string()); }
  static void read(const Json& node, QuantityId& id) {
    const auto found = find_quantity(node.string());
    if (!found) throw InputError("there is no quantity " + abbreviate(node.string()));
    id = *found;
  }
  static void read(const Json& node, Relation& relation) {
    int number = 0;
    read(node, number);
    if (number < 0 || number > static_cast<int>(Relation::at_least)) {
      throw InputError("there is no relation " + std::to_string(number));
    }
    relation = static_cast<Relation>(number);
  }
  template <class Part>
  static void read(const Json& node, std::optional<Part>& part) {
    if (!node.is_null()) read(node, part.emplace());
  }
  template <class Part>
  static void read(const Json& node, std::vector<Part>& parts) {
    for (const Json& each : node.elements()) read(each, parts.emplace_back());
  }
  template <class Structure>
  static void read(const Json& node, Structure& structure) {
    Reader inner(node);
    describe(inner, structure);
  }

  const Json& node_;
};

/// Calls use(reader) of a text. @throws InputError beginning with `wrong` where the text, or what
/// use reads of it, is wrong
template <class Use>
void read_text(const std::string& text, const char* wrong, const Use& use) {
  try {
    const Json node = read_json(text);
    use(Reader(node));
  } catch (const std::exception& error) {
    throw InputError(wrong + abbreviate(error.what(), 200));
  }
}

}  // namespace

std::string task_key(const Question& question, AnswerKind kind) {
  std::string text = fmt::format("{} {}", kind_name(kind), question.key());
  for (const auto& files : {question.pair->inputs(), question.verifier.inputs}) {
    for (const InputFile& file : files) text += fmt::format(" file={:016x}", file.digest);
  }
  // A plugin that was built again keeps its verifier's name.
  const std::string plugin = plugin_digest(question.verifier.info->name);
  if (!plugin.empty()) text += " plugin=" + plugin;
  return text;
}

std::string answer_text(const Answer& answer) {
  Writer writer;
  writer.field("found", answer.found.all());
  writer.field("notes", answer.notes);
  writer.field("predictions", answer.predictions);
  return writer.text();
}

Answer read_answer(const Question& question, AnswerKind kind, const std::string& text) {
  Answer answer;
  answer.question = question;
  answer.kind = kind;
  read_text(text, "it cannot be read: ", [&](const Reader& reader) {
    std::vector<FoundQuantity<Value>> all;
    reader.field("found", all);
    for (FoundQuantity<Value>& found : all) {
      if (!found.missing.empty()) answer.found.add_missing(found.id, found.missing);
      for (auto& [index, value] : found.values) answer.found.add(found.id, value, index);
    }
    reader.field("notes", answer.notes);
    reader.field("predictions", answer.predictions);
  });
  return answer;
}

std::string tally_text(const Tally& tally) {
  Writer writer;
  describe(writer, tally);
  return writer.text();
}

Tally read_tally(const std::string& text) {
  Tally tally;
  read_text(text, "the text is no tally: ", [&](const Reader& reader) { describe(reader, tally); });
  return tally;
}

}  // namespace speclab
