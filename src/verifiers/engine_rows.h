#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace speclab {

/// Whether the output of an engine's option has the target's law at temperatures above 0.
enum class KeepsLaw { yes, no, conditional };

/// What one option of an inference engine runs, from the engine's own code. What this project says
/// of an engine's rule stands in these rows alone.
struct EngineRow {
  std::string_view engine;  ///< with its version where the versions differ
  std::string_view option;
  std::string_view file;    ///< in the engine's repository
  std::string_view commit;  ///< of the version that was read, abbreviated; "id 123": the number of
                            ///< a stored file whose commit is not known
  std::string_view runs;    ///< what the code does
  std::string_view rule = {};  ///< the spec text of the verifier that has its law; "": none has
  KeepsLaw lossless = KeepsLaw::yes;
  std::string_view condition = {};  ///< where conditional: the output has the law iff this is true
  std::string_view watch = {};      ///< what a user should know
  std::array<std::string_view, 2> faults = {};  ///< planted faults that its code has or had
};

/// The rows, by engine.
std::span<const EngineRow> engine_rows();

/// "yes", "no" or "iff CONDITION".
std::string lossless_text(const EngineRow& row);

}  // namespace speclab
