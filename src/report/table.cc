#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "report/number.h"
#include "report/overview.h"
#include "report/text_table.h"

namespace speclab {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kMostElements = 8;  ///< a longer list is shown on wrapped lines
constexpr std::size_t kMostWrapped = 66;
constexpr std::size_t kMostSequences = 32;

std::string token_text(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token token : tokens) text += (text.empty() ? "" : ",") + std::to_string(token);
  return text;
}

/// What a quantity is called in tables.
std::string label(const Quantity& quantity, std::size_t element) {
  static const std::map<std::string, std::string, std::less<>> names{
      {"iteration.expected_accepted", "E[accepted]"},
      {"iteration.undefined_mass", "P(undefined), 1 iteration"},
      {"output.tv_to_target", "TV(output, target)"},
      {"output.undefined_mass", "P(undefined), decode"},
      {"rejections.expected", "E[rejections]"},
      {"target_calls.expected", "E[target calls]"},
      {"tokens.expected", "E[tokens]"},
      {"block_efficiency", "block efficiency"},
      {"modelled_time.per_iteration", "time per iteration"},
      {"modelled_time.per_token", "time per token"},
      {"modelled_time.draft_steps", "E[draft steps]"},
      {"modelled_time.decode", "time to the horizon"},
      {"modelled_time.decode_speedup", "speedup to the horizon"},
      {"modelled_time.stop", "time to the verifier's no"},
      {"modelled_work.decode", "work to the horizon"},
  };
  const int number = quantity.first_label + static_cast<int>(element);
  const std::string path = quantity.path();
  if (path == "iteration.accepted_law") return fmt::format("P(accepted = {})", number);
  if (path == "iterations.expected_tokens") return fmt::format("E[N({})]", number);
  if (path == "output.law") {
    return "P(" + abbreviate(token_text(quantity.tokens[element]), 40) + ")";
  }
  const auto known = names.find(path);
  return known == names.end() ? path : known->second;
}

/// "10/9 = 1.111111", "2", "1.111111".
std::string number_text(double number, const std::optional<Rational>& fraction) {
  if (fraction) {
    const std::string text = to_text(*fraction);
    if (text.find('/') == std::string::npos && text.size() <= kLongestInline) return text;
    if (text.size() <= kLongestInline) return text + " = " + readable(number);
  }
  return readable(number);
}

std::string closed_form(const Prediction& prediction) {
  const std::string relation = prediction.relation == Relation::at_most    ? "<= "
                               : prediction.relation == Relation::at_least ? ">= "
                                                                           : "";
  if (prediction.exact) {
    const std::string text = to_text(*prediction.exact);
    if (text.size() <= kLongestInline) return relation + text;
  }
  return relation + readable(prediction.value);
}

std::string verdict_text(const Comparison& comparison) {
  std::string text(verdict_name(comparison.verdict));
  if (comparison.verdict == Verdict::differs || comparison.verdict == Verdict::bound_missed) {
    text += " by " + readable(std::abs(*comparison.difference));
  }
  return text;
}

class Block {
 public:
  explicit Block(const Record& record)
      : record_(record),
        simulated_(record.run.has_value()),
        table_(simulated_ ? "lrrrrll" : "lrrll") {}

  std::string text() {
    heading();
    if (simulated_) {
      table_.add({"", "estimate", "95% interval", "closed form", "z", "", ""});
    } else {
      table_.add({"", "exact", "closed form", "", ""});
    }
    for (const Quantity& quantity : record_.quantities) show(quantity);
    for (const Comparison& comparison : record_.comparisons) {
      if (comparison.verdict == Verdict::not_compared &&
          !known_missing(comparison.prediction.quantity)) {
        add(comparison.prediction.quantity, nullptr, &comparison);
      }
    }
    text_ += table_.text("  ");
    text_ += lists_;
    for (const std::string& note : record_.notes) text_ += "  note: " + note + "\n";
    return text_;
  }

 private:
  /// "840 B", "32.5 kB" or "7.3 MB", in powers of ten.
  static std::string memory_text(std::size_t bytes) {
    const auto size = static_cast<double>(bytes);
    if (size < 1e3) return fmt::format("{} B", bytes);
    return size < 1e6 ? fmt::format("{:.1f} kB", size / 1e3) : fmt::format("{:.1f} MB", size / 1e6);
  }

  void heading() {
    text_ += record_.pair + "\n" + record_.verifier + ", gamma " + gamma_text(record_.gamma);
    if (record_.horizon) text_ += fmt::format(", horizon {}", *record_.horizon);
    if (simulated_) {
      text_ += fmt::format(": {} trials{}, seed {}, tables of {}\n", record_.run->trials,
                           record_.run->interrupted ? " (interrupted)" : "", record_.run->seed,
                           memory_text(record_.run->table_bytes));
    } else {
      text_ += record_.arithmetic == Arithmetic::rational ? ": exact, in fractions\n"
                                                          : ": exact, in doubles\n";
    }
    estimator();
    if (simulated_ && record_.run->undefined_trials > 0) {
      text_ += fmt::format("  undefined (0/0) in {} trials\n", record_.run->undefined_trials);
    }
  }

  /// What the estimator cost: only where it is not the plain one.
  void estimator() {
    if (!simulated_ || record_.run->estimator == "plain") return;
    text_ += fmt::format("  {} estimator", record_.run->estimator);
    if (record_.run->variance_ratio) {
      text_ +=
          fmt::format(": variance of E[accepted] smaller by {:.2f}", *record_.run->variance_ratio);
    }
    if (record_.run->seconds_to_permille) {
      text_ += fmt::format(", {:.3g} s to 0.1%", *record_.run->seconds_to_permille);
    }
    text_ += '\n';
  }

  void show(const Quantity& quantity) {
    if (quantity.path().ends_with("undefined_mass") && !quantity.values.empty() &&
        quantity.values.front().number == 0) {
      return;
    }
    const bool wrap =
        quantity.path() == "iteration.accepted_law" ||
        (quantity.shape == Quantity::Shape::list && quantity.values.size() > kMostElements);
    if (wrap) return wrapped(quantity);
    for (std::size_t i = 0; i < quantity.values.size(); ++i) {
      if (quantity.shape == Quantity::Shape::law && i == kMostSequences) {
        lists_ += fmt::format("  {} more sequences with --format json or csv\n",
                              quantity.values.size() - i);
        break;
      }
      element(quantity, i);
    }
  }

  /// Whether a note says why there is no such value.
  [[nodiscard]] bool known_missing(const std::string& path) const {
    return std::any_of(record_.quantities.begin(), record_.quantities.end(),
                       [&](const Quantity& quantity) {
                         return quantity.path() == path && !quantity.missing.empty();
                       });
  }

  void element(const Quantity& quantity, std::size_t i) {
    const Value* value = &quantity.values[i];
    const std::string path = quantity.path(i);
    std::string name = label(quantity, i);
    for (const Comparison& comparison : record_.comparisons) {
      if (comparison.prediction.quantity != path) continue;
      add(name, value, &comparison);
      name.clear();
      value = nullptr;
    }
    if (value != nullptr) add(name, value, nullptr);
  }

  void add(const std::string& name, const Value* value, const Comparison* comparison) {
    std::vector<std::string> row{name};
    if (value == nullptr) {
      row.resize(simulated_ ? 3 : 2);
    } else if (value->estimate) {
      const Estimate& e = *value->estimate;
      row.insert(row.end(),
                 {readable(e.mean), "[" + readable(e.low) + ", " + readable(e.high) + "]"});
    } else {
      row.push_back(number_text(value->number, value->fraction));
      if (simulated_) row.resize(3);
    }
    if (comparison != nullptr) {
      row.push_back(closed_form(comparison->prediction));
      if (simulated_) row.push_back(comparison->z ? fmt::format("{:+.2f}", *comparison->z) : "");
      row.push_back(verdict_text(*comparison));
      row.push_back(comparison->prediction.claim);
    }
    table_.add(std::move(row));
  }

  /// A list on lines of its own: "P(accepted = 0..8): 0.3 0.2 ...", and what each claim about it
  /// comes to.
  void wrapped(const Quantity& quantity) {
    if (quantity.values.empty()) return;
    const std::size_t size = quantity.values.size();
    const int last = quantity.first_label + static_cast<int>(size) - 1;
    std::string line =
        "  " + (quantity.path() == "iteration.accepted_law"
                    ? fmt::format("P(accepted = {}..{}):", quantity.first_label, last)
                    : fmt::format("E[N({}..{})]:", quantity.first_label, last));
    const auto put = [&](const std::string& word) {
      if (line.size() + 1 + word.size() > kWidth) {
        lists_ += line + "\n";
        line = "   ";
      }
      line += " " + word;
    };
    for (std::size_t i = 0; i < std::min(size, kMostWrapped); ++i) {
      const Value& value = quantity.values[i];
      const std::string fraction = value.fraction ? to_text(*value.fraction) : "";
      put(!fraction.empty() && fraction.size() <= kLongestInline ? fraction
                                                                 : readable(value.number));
    }
    if (size > kMostWrapped) {
      put(fmt::format("... {} more with --format json or csv", size - kMostWrapped));
    }
    lists_ += line + "\n";
    summaries(quantity);
  }

  struct Summary {
    std::size_t good = 0, all = 0;
    double largest_z = 0;
    bool has_z = false;
  };

  void summaries(const Quantity& quantity) {
    std::vector<std::pair<std::string, Summary>> claims;
    for (const Comparison& comparison : record_.comparisons) {
      if (comparison.verdict == Verdict::not_compared ||
          !comparison.prediction.quantity.starts_with(quantity.path() + "[")) {
        continue;
      }
      const std::string& claim = comparison.prediction.claim;
      auto found = std::find_if(claims.begin(), claims.end(),
                                [&](const auto& entry) { return entry.first == claim; });
      if (found == claims.end()) found = claims.insert(claims.end(), {claim, {}});
      Summary& summary = found->second;
      ++summary.all;
      if (comparison.verdict == Verdict::agrees || comparison.verdict == Verdict::bound_holds) {
        ++summary.good;
      }
      if (comparison.z) {
        summary.has_z = true;
        summary.largest_z = std::max(summary.largest_z, std::abs(*comparison.z));
      }
    }
    for (const auto& [claim, summary] : claims) {
      lists_ += fmt::format("    {} of {} agree with {}", summary.good, summary.all, claim);
      if (summary.has_z) lists_ += fmt::format(", largest |z| {:.2f}", summary.largest_z);
      lists_ += "\n";
    }
  }

  const Record& record_;
  bool simulated_;
  TextTable table_;
  std::string text_;
  std::string lists_;
};

}  // namespace

std::string report_table(const Report& report) {
  std::string text;
  for (const Record& record : report) {
    if (!text.empty()) text += "\n";
    text += Block(record).text();
  }
  if (report.size() > 1) text += "\n" + overview_table(report);
  return text;
}

}  // namespace speclab
