#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answer/comparison.h"
#include "answer/documents/answers.h"
#include "answer/plan.h"
#include "base/text.h"
#include "document/number.h"

namespace speclab {
namespace {

constexpr std::size_t kMostElements = 8;  ///< a longer list is shown on wrapped lines
constexpr std::size_t kMostWrapped = 66;
constexpr std::size_t kMostSequences = 32;

std::string closed_form(const Prediction& prediction, std::size_t longest) {
  const std::string relation = prediction.relation == Relation::at_most    ? "<= "
                               : prediction.relation == Relation::at_least ? ">= "
                                                                           : "";
  return relation + fraction_or_number(prediction.value, prediction.exact, longest);
}

/// Whether two bounds of one claim enclose one number.
bool encloses(const Prediction& least, const Prediction& most) {
  return least.relation == Relation::at_least && most.relation == Relation::at_most &&
         least.claim == most.claim && least.quantity == most.quantity && least.index == most.index;
}

/// "agrees", "holds", "differs by 0.010000".
std::string verdict_text(const Comparison& comparison) {
  if (comparison.verdict == Verdict::bound_holds) return "holds";
  std::string text(verdict_name(comparison.verdict));
  if (comparison.verdict == Verdict::differs || comparison.verdict == Verdict::bound_missed) {
    text += " by " + readable(std::abs(*comparison.difference));
  }
  return text;
}

class AnswerPage {
 public:
  AnswerPage(const Answer& answer, bool all_fractions, Marks& marks)
      : answer_(answer),
        marks_(marks),
        longest_(all_fractions ? kLongestFraction : kLongestInline),
        forms_(comparisons(answer)),
        simulated_(answer.run.has_value()),
        // Beside its closed form an estimate stands once more, its interval does not.
        table_{"lrr|rlll",
               {"",
                simulated_                         ? "estimate"
                : answer.kind == AnswerKind::exact ? "exact"
                                                   : "",
                simulated_ ? "95% interval" : "", "closed form", simulated_ ? "z" : "", "", ""},
               simulated_ ? std::size_t{2} : 1} {}

  /// @param keyed  whether the marks are explained below the table
  Page page(bool keyed) {
    heading();
    for (const auto& found : answer_.found.all()) show(found);
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      const Comparison& form = forms_[i];
      if (form.verdict != Verdict::not_compared || known_missing(form.prediction.quantity))
        continue;
      const Comparison* other = i + 1 < forms_.size() ? &forms_[i + 1] : nullptr;
      const bool enclosed = other != nullptr && encloses(form.prediction, other->prediction);
      add(label_of(form.prediction.quantity, index_of(form.prediction)), nullptr, &form,
          enclosed ? &other->prediction : nullptr);
      if (enclosed) ++i;
    }
    if (!compared_) table_.head[3] = table_.head[4] = "";
    page_ += std::move(table_);
    if (keyed) page_ += marks_.key();
    page_ += lists_;
    for (const std::string& note : answer_.notes) page_ += "  note: " + note + "\n";
    return std::move(page_);
  }

 private:
  /// "840 B", "32.5 kB" or "7.3 MB", in powers of ten.
  static std::string memory_text(std::size_t bytes) {
    const auto size = static_cast<double>(bytes);
    if (size < 1e3) return fmt::format("{} B", bytes);
    return size < 1e6 ? fmt::format("{:.1f} kB", size / 1e3) : fmt::format("{:.1f} MB", size / 1e6);
  }

  void heading() {
    const Question& question = answer_.question;
    std::string text = question.pair->name() + "\n" + question.verifier.name + ", gamma " +
                       gamma_text(question.lengths.gamma);
    if (question.lengths.horizon) text += fmt::format(", horizon {}", *question.lengths.horizon);
    if (recording_of(*question.pair) != nullptr) {
      text += fmt::format(": {} recorded iterations\n", answer_.run->trials);
    } else if (simulated_) {
      text += fmt::format(": {} trials{}, seed {}, tables of {}\n", answer_.run->trials,
                          answer_.run->interrupted ? " (interrupted)" : "", answer_.run->seed,
                          memory_text(answer_.run->table_bytes));
    } else {
      text += answer_.kind == AnswerKind::exact ? ": exact" : ": closed forms";
      text += question.arithmetic == Arithmetic::rational ? ", in fractions\n" : ", in doubles\n";
    }
    page_ += text + estimator();
    if (simulated_ && answer_.run->undefined_trials > 0) {
      page_ += fmt::format("  undefined (0/0) in {} trials\n", answer_.run->undefined_trials);
    }
  }

  /// What the estimator cost: only where it is not the plain one.
  [[nodiscard]] std::string estimator() const {
    if (!simulated_ || answer_.run->estimator == Estimator::plain) return "";
    std::string text = fmt::format("  {} estimator", estimator_name(answer_.run->estimator));
    if (answer_.run->variance_ratio) {
      text +=
          fmt::format(": variance of E[accepted] smaller by {:.2f}", *answer_.run->variance_ratio);
    }
    if (answer_.run->seconds_to_permille) {
      text += fmt::format(", {:.3g} s to 0.1%", *answer_.run->seconds_to_permille);
    }
    return text + "\n";
  }

  void show(const FoundQuantity<Value>& found) {
    const QuantityInfo& info = quantity(found.id);
    // The tails and the grid say again what the lists beside them do; they are in JSON and CSV.
    if (found.id == QuantityId::accepted_tail || info.shape == QuantityShape::grid) return;
    const bool undefined =
        found.id == QuantityId::iteration_undefined || found.id == QuantityId::output_undefined;
    if (found.values.empty() || (undefined && found.values.front().value.number == 0)) return;
    if (found.id == QuantityId::accepted_law ||
        (info.shape == QuantityShape::list && found.values.size() > kMostElements)) {
      return wrapped(found);
    }
    for (std::size_t i = 0; i < found.values.size(); ++i) {
      if ((info.shape == QuantityShape::sequences || info.shape == QuantityShape::laws) &&
          i == kMostSequences) {
        lists_ += fmt::format("  {} more {} in JSON and CSV\n", found.values.size() - i,
                              info.shape == QuantityShape::laws ? "numbers" : "sequences");
        break;
      }
      element(found.id, found.values[i]);
    }
  }

  /// Whether a note says why there is no such value.
  [[nodiscard]] bool known_missing(QuantityId id) const {
    const auto* found = answer_.found.find(id);
    return found != nullptr && !found->missing.empty();
  }

  void element(QuantityId id, const Finding<Value>& finding) {
    const Value* value = &finding.value;
    std::string name = label_of(id, finding.index);
    for (const Comparison& form : forms_) {
      const Prediction& prediction = form.prediction;
      if (prediction.quantity != id || index_of(prediction) != finding.index) continue;
      add(name, value, &form);
      name.clear();
      value = nullptr;
    }
    if (value != nullptr) add(name, value, nullptr);
  }

  /// @param most  the upper bound where the form is the lower one of two
  void add(const std::string& name, const Value* value, const Comparison* form,
           const Prediction* most = nullptr) {
    Cells row(7);
    row[0] = name;
    if (value != nullptr && value->estimate) {
      const Estimate& e = *value->estimate;
      row[1] = e.mean;
      row[2] = interval_text(e);
    } else if (value != nullptr) {
      row[1] = number_text(value->number, value->fraction, longest_);
    }
    if (form != nullptr) {
      row[3] = most != nullptr ? fmt::format("in [{}, {}]", shortest(form->prediction.value),
                                             shortest(most->value))
                               : closed_form(form->prediction, longest_);
      if (form->z) row[4] = fmt::format("{:+.2f}", *form->z);
      if (most == nullptr) row[5] = verdict_text(*form);
      row[6] = marks_.of(form->prediction.claim);
      compared_ = true;
    }
    table_.add(row);
  }

  /// A list on lines of its own: "P(accepted = 0..8): 0.3 0.2 ...", and the verdict of each claim
  /// about it.
  void wrapped(const FoundQuantity<Value>& found) {
    const std::size_t size = found.values.size();
    const QuantityInfo& info = quantity(found.id);
    std::string line =
        "  " +
        fmt::format(fmt::runtime(info.label), fmt::format("{}..{}", found.values.front().index[0],
                                                          found.values.back().index[0])) +
        ":";
    for (std::size_t i = 0; i < std::min(size, kMostWrapped); ++i) {
      const Value& value = found.values[i].value;
      line += " " + fraction_or_number(value.number, value.fraction, longest_);
    }
    if (size > kMostWrapped)
      line += fmt::format(" ... {} more in JSON and CSV", size - kMostWrapped);
    lists_ += line + "\n";
    summaries(found.id);
  }

  struct Summary {
    std::size_t good = 0, all = 0;
    double largest_z = 0;
    bool has_z = false;
  };

  void summaries(QuantityId id) {
    std::vector<std::pair<std::string, Summary>> claims;
    for (const Comparison& comparison : forms_) {
      if (comparison.verdict == Verdict::not_compared || comparison.prediction.quantity != id) {
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
      std::string line =
          fmt::format("    {} of {} agree with {}", summary.good, summary.all, claim);
      if (summary.has_z) line += fmt::format(", largest |z| {:.2f}", summary.largest_z);
      lists_ += line + "\n";
    }
  }

  const Answer& answer_;
  Marks& marks_;
  std::size_t longest_;  ///< fraction that is written out, in characters
  std::vector<Comparison> forms_;
  bool simulated_;
  bool compared_ = false;  ///< whether a closed form stands in the table
  TextTable table_;
  Page page_;
  Page lists_{.hang = 2};  ///< below the table
};

/// "0,1,1"; long ones shortened.
std::string tokens_text(const QuantityIndex& tokens) {
  constexpr std::size_t kMostTokens = 40;
  std::string text = index_text(tokens);
  std::replace(text.begin(), text.end(), ' ', ',');
  return abbreviate(text, kMostTokens);
}

}  // namespace

std::string interval_text(const Estimate& estimate) {
  return fmt::format("[{}, {}]", readable(estimate.low), readable(estimate.high));
}

std::string label_of(QuantityId id, const QuantityIndex& index) {
  const QuantityInfo& info = quantity(id);
  switch (info.shape) {
    case QuantityShape::single:
      break;
    case QuantityShape::list:
      return fmt::format(fmt::runtime(info.label), index.at(0));
    case QuantityShape::grid:
      return fmt::format(fmt::runtime(info.label), index.at(0), index.at(1));
    case QuantityShape::sequences:
      return fmt::format(fmt::runtime(info.label), tokens_text(index));
    case QuantityShape::laws:
      return fmt::format(fmt::runtime(info.label), index.back(),
                         tokens_text({index.begin(), index.end() - 1}));
  }
  return std::string(info.label);
}

std::string Marks::of(const std::string& name) {
  auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) found = names_.insert(names_.end(), name);
  return letter(static_cast<std::size_t>(found - names_.begin()));
}

Page Marks::key() const {
  Page lines{.hang = 2};
  for (std::size_t i = 0; i < names_.size(); ++i) {
    lines += fmt::format("  {}: {}\n", letter(i), names_[i]);
  }
  return lines;
}

std::string Marks::letter(std::size_t number) const {
  constexpr std::size_t kLetters = 26;
  const std::string letter(1, static_cast<char>(first_ + static_cast<char>(number % kLetters)));
  return number < kLetters ? letter : letter + std::to_string(number / kLetters);
}

Page answer_page(const Answer& answer, bool all_fractions, Marks* shared) {
  Marks own('a');
  return AnswerPage(answer, all_fractions, shared == nullptr ? own : *shared)
      .page(shared == nullptr);
}

}  // namespace speclab
