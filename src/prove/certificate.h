#pragma once

#include <string>

#include "prove/prover.h"

namespace speclab {

class Json;

/// "2*draft[0]*target[0] - 1 >= 0", in the family's names of its parameters.
std::string condition_text(const AllPairs& family, const Factors& factors,
                           const Condition& condition);
/// Reads one back; the polynomial is entered into the table.
/// @throws InputError naming the text
Condition parse_condition(const AllPairs& family, Factors& factors, const std::string& text);

/// The results of a proof, as a JSON document that read_certificate() reads: the theorem, the
/// cells with their conditions and samples, and the pending branches.
std::string certificate_text(const Prover& prover);
/// The certificate of another state, in the prover's numbers.
std::string certificate_text(const Prover& prover, const ProofState& state);

/// The theorem and the state of a certificate, the state in the numbers of `functions`.
struct ProofCertificate {
  Theorem theorem;
  bool ordered;  ///< proved up to the names of tokens
  ProofState state;
  std::unique_ptr<Functions> functions;
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
  std::uint64_t cells = 0;      ///< checked: sample, conditions and identities
  std::uint64_t by_solver = 0;  ///< those where the solver's answer replaces an identity
  /// Cells of which only irrational pairs are known: their conditions and identities are checked.
  std::uint64_t without_sample = 0;
  std::string fault;  ///< of the first cell that is wrong, or ""
};

/// Runs each sample again: it must meet the cell's conditions, they must decide every comparison,
/// and the theorem must hold by the same means. A cell without a sample may have no pair at all,
/// which does not affect the theorem. That the cells cover the family is not checked: it
/// requires the solver.
CertificateCheck check_certificate(ProofCertificate& certificate);

}  // namespace speclab
