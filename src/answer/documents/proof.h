#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "answer/proofs.h"
#include "document/document.h"

namespace speclab {

/// What is said of a proof, finished or not.
struct ProofReport {
  const Prover* prover = nullptr;
  std::optional<Confirmation> confirmation;  ///< of the counterexample
};

/// With the counterexample confirmed by the exact interpreter. @pre the prover outlives it
ProofReport report_on(const Prover& prover);

/// "proved", "undecided" or "false".
std::string_view verdict_name(TheoremVerdict verdict);

/// The verdict in words: "proved for all pairs: 7 cells".
std::string verdict_text(const Prover& prover);

/// For a terminal and as JSON (docs/formats.md). @pre the prover outlives the document
Document proof_document(const ProofReport& report);

/// The result of checking a certificate, for a terminal and as JSON.
/// @pre both outlive the document
Document check_document(const ProofCertificate& certificate, const CertificateCheck& check);

}  // namespace speclab
