#pragma once

#include <string>

#include "prove/prover.h"

namespace speclab {

/// The results of a proof, as a JSON document that read_certificate() reads: the theorem and the
/// tree of branches, with each query to the solver that was answered by "no pair" as SMT-LIB.
std::string certificate_text(const Prover& prover);
/// The certificate of another state, in the prover's numbers; the queries may be left out, as they
/// follow from the branches.
std::string certificate_text(const Prover& prover, const ProofState& state, bool queries = true);

/// The theorem and the state of a certificate, the state in the numbers of `factors`.
struct ProofCertificate {
  Theorem theorem;
  bool ordered;  ///< proved up to the names of tokens
  ProofState state;
  Factors factors;
  std::string wrong_query{};  ///< one that is not that of its conditions
};
/// @param where  how messages name the file
/// @throws InputError where the text is no certificate
ProofCertificate read_certificate(const std::string& text, const std::string& where);

/// The state of a certificate of the prover's own theorem, in the prover's numbers.
ProofState state_for(Prover& prover, const ProofCertificate& certificate);
/// Continues a proof from a certificate.
void resume(Prover& prover, const ProofCertificate& certificate);

/// The result of checking a certificate without a solver.
struct CertificateCheck {
  std::uint64_t cells = 0;      ///< checked: sample, comparisons and identities
  std::uint64_t by_solver = 0;  ///< those where the solver's answer replaces an identity
  /// Cells of which only irrational pairs are known: their conditions and identities are checked.
  std::uint64_t without_sample = 0;
  std::uint64_t queries = 0;  ///< answers of the solver on which it rests
  bool covers = false;        ///< no branch is pending or undecided
  double error_bound = 0;     ///< Functions::error_bound(), added up over all runs
  std::string fault;          ///< of the first thing that is wrong, or ""
};

/// Runs each cell again: its sample must meet its conditions, its comparisons must be those of the
/// run, and the theorem must hold by the same means. A cell without a sample may have no pair at
/// all, which does not affect the theorem. Each branch of the tree must be there, once. What the
/// solver answered is not checked: proofs/certificate.py does that.
CertificateCheck check_certificate(const ProofCertificate& certificate);

}  // namespace speclab
