#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "prove/certificate.h"
#include "prove/condition_text.h"
#include "prove/equalities.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// The branches of a certificate's tree, each of which must be there and have its place, once.
class BranchTree {
 public:
  BranchTree() { ++branches_[{}].places; }
  void has(const Conditions& branch) { ++branches_[branch].given; }
  void needs(const Conditions& branch) { ++branches_[branch].places; }
  [[nodiscard]] std::string fault() const {
    for (const auto& [conditions, count] : branches_) {
      if (count.given == 1 && count.places == 1) continue;
      return fmt::format("a branch of {} conditions {}", conditions.size(),
                         count.given == 0    ? "is missing"
                         : count.places == 0 ? "is that of no comparison"
                                             : "is given twice");
    }
    return "";
  }

 private:
  struct Count {
    int given = 0;
    int places = 0;
  };
  std::map<Conditions, Count> branches_;
};

/// The check of one certificate.
class CertificateChecker {
 public:
  explicit CertificateChecker(const ProofCertificate& certificate)
      : certificate_(certificate), factors_(certificate.factors) {}

  CertificateCheck check() {
    check_whole();
    for (const Cell& cell : certificate_.state.cells) {
      if (!result_.fault.empty()) return result_;
      check_interrupted();
      fail(fmt::format("cell {}: ", result_.cells + 1), fault_of(cell));
      if (result_.fault.empty()) ++result_.cells;
    }
    for (const Cell& split : certificate_.state.splits) {
      if (!result_.fault.empty()) return result_;
      fail("a cell that is not decided: ", fault_of_split(split));
    }
    if (result_.fault.empty()) check_tree();
    return result_;
  }

 private:
  void fail(const std::string& where, const std::string& fault) {
    if (result_.fault.empty() && !fault.empty()) result_.fault = where + fault;
  }

  void check_whole() {
    if (certificate_.ordered && !symmetric(certificate_.theorem)) {
      fail("", "an order of the tokens is assumed, and the verifier depends on their names");
    }
    if (!certificate_.wrong_query.empty()) {
      fail(certificate_.wrong_query, " is not that of its conditions");
    }
  }

  void check_tree() {
    const ProofState& state = certificate_.state;
    for (const Cell& cell : state.cells) tree_.has(cell.branch);
    for (const Cell& split : state.splits) tree_.has(split.branch);
    for (const auto* branches : {&state.empty, &state.pending, &state.undecided}) {
      for (const Conditions& branch : *branches) tree_.has(branch);
    }
    fail("", tree_.fault());
    result_.queries += state.empty.size();
    result_.covers = result_.fault.empty() && state.pending.empty() && state.undecided.empty();
  }

  std::string fault_of(const Cell& cell) {
    return repeated(cell, [&](Branch& branch, CellRun& run, const std::vector<Goal>& goals) {
      return fault_of_goals(cell, branch, run, goals);
    });
  }

  std::string fault_of_split(const Cell& split) {
    tree_.needs(split.path());
    return repeated(split, [](Branch&, CellRun&, const std::vector<Goal>&) { return ""; });
  }

  /// Runs a cell again by its comparisons, and then `judge`.
  template <class Judgement>
  std::string repeated(const Cell& cell, const Judgement& judge) {
    const Theorem& theorem = certificate_.theorem;
    Branch branch(theorem.family, certificate_.ordered, cell.branch, factors_);
    const Factors& factors = branch.functions.factors();
    Sample sample{cell.sample};
    if (cell.sample.empty()) {
      sample.point.resize(theorem.family.parameters());
      sample.signs = [](Factor) { return kAnySign; };
    } else if (!meets(branch.always, factors, cell.sample) ||
               !meets(cell.path(), factors_, cell.sample)) {
      return "the sample does not meet its conditions";
    }
    CellRun run(branch.functions, sample, branch.known);
    run.follow(Replay{factors_, cell.taken});
    const CurrentRun current(run);
    try {
      const std::vector<Goal> goals = goals_of(theorem);
      if (run.records().size() < cell.taken.size()) return "it has more comparisons than its run";
      place(cell, run);
      const std::string fault = judge(branch, run, goals);
      result_.error_bound += branch.functions.error_bound();
      return fault;
    } catch (const DividedByZero&) {
      return "the verifier divides by 0";
    } catch (const OffReplay& off) {
      return "its conditions do not decide the comparison of " +
             condition_text(theorem.family, factors, {off.factor, kPositive});
    } catch (const Contradiction& error) {
      return error.what();
    }
  }

  /// Enters the branches under a cell into the tree.
  void place(const Cell& cell, CellRun& run) {
    Conditions before = cell.branch;
    for (std::size_t i = 0; i < cell.taken.size(); ++i) {
      Conditions other = before;
      other.push_back({cell.taken[i].factor, run.records()[i].others});
      tree_.needs(other);
      before.push_back(cell.taken[i]);
    }
  }

  std::string fault_of_goals(const Cell& cell, Branch& branch, CellRun& run,
                             const std::vector<Goal>& goals) {
    const Conditions local = merged(renumbered(cell.path(), factors_, branch.functions.factors()));
    Judge judge(certificate_.theorem, run, branch.always, local);
    std::size_t by_solver = 0;
    for (const Goal& goal : goals) {
      Basis basis = Basis::field;
      const Truth truth = judge.check(goal, basis);
      if (truth == Truth::no) return goal.what + " is wrong at the sample";
      if (truth == Truth::yes) continue;
      const Conditions failing = failing_conditions(goal, branch.functions);
      if (failing.empty()) continue;
      if (by_solver == cell.excluded.size() || !same(failing, branch, cell.excluded[by_solver])) {
        return goal.what + " follows from no identity and no answer of the solver";
      }
      ++by_solver;
    }
    if (by_solver < cell.excluded.size()) return "an answer of the solver is of no goal";
    result_.by_solver += by_solver > 0 ? 1 : 0;
    result_.without_sample += cell.sample.empty() ? 1 : 0;
    result_.queries += by_solver;
    return "";
  }

  bool same(const Conditions& local, const Branch& branch, const Conditions& conditions) const {
    return std::equal(local.begin(), local.end(), conditions.begin(), conditions.end(),
                      [&](const Condition& a, const Condition& b) {
                        return a.signs == b.signs &&
                               branch.functions.factors()[a.factor] == factors_[b.factor];
                      });
  }

  const ProofCertificate& certificate_;
  const Factors& factors_;
  BranchTree tree_;
  CertificateCheck result_;
};

}  // namespace

CertificateCheck check_certificate(const ProofCertificate& certificate) {
  return CertificateChecker(certificate).check();
}

}  // namespace speclab
