#pragma once

#include <optional>
#include <string>

#include "answer/proofs.h"

namespace speclab {

/// What is said of a proof, finished or not.
struct ProofReport {
  const Prover* prover = nullptr;
  std::optional<Confirmation> confirmation;  ///< of the counterexample
};

/// "proved", "undecided" or "false".
std::string_view verdict_name(TheoremVerdict verdict);

/// The verdict in words: "proved for all pairs: 7 cells".
std::string verdict_text(const Prover& prover);

/// As text for reading, or as JSON (docs/formats.md).
std::string proof_text(const ProofReport& report);
std::string proof_json(const ProofReport& report);

/// What checking a certificate came to.
std::string check_text(const ProofCertificate& certificate, const CertificateCheck& check);
std::string check_json(const ProofCertificate& certificate, const CertificateCheck& check);

}  // namespace speclab
