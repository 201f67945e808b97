#include "verifiers/registry.h"

#include <array>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"

namespace speclab {
namespace {

template <std::size_t I>
using Program = std::variant_alternative_t<I, VerifierProgram>;

template <std::size_t... I>
constexpr std::array<VerifierInfo, sizeof...(I)> infos(std::index_sequence<I...>) {
  return {Program<I>::kInfo...};
}

constexpr auto kRows = infos(std::make_index_sequence<kVerifierCount>{});

template <std::size_t I>
VerifierProgram read(SpecReader& reader) {
  return VerifierProgram(std::in_place_index<I>, Program<I>::read(reader));
}

template <std::size_t... I>
VerifierProgram read_at(std::size_t index, SpecReader& reader, std::index_sequence<I...>) {
  using Reader = VerifierProgram (*)(SpecReader&);
  static constexpr std::array<Reader, sizeof...(I)> readers{&read<I>...};
  return readers[index](reader);
}

}  // namespace

std::string_view kind_name(VerifierKind kind) {
  switch (kind) {
    case VerifierKind::lossless:
      return "lossless";
    case VerifierKind::biased:
      return "biased";
    case VerifierKind::printed:
      return "as printed";
    case VerifierKind::wrong:
      return "wrong on purpose";
  }
  return "";
}

std::span<const VerifierInfo> verifier_rows() { return kRows; }

Verifier make_verifier(std::string_view text) {
  const Spec spec = parse_spec(text);
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name != spec.name) continue;
    SpecReader reader(spec);
    VerifierProgram program = read_at(i, reader, std::make_index_sequence<kVerifierCount>{});
    reader.finish();
    return {reader.canonical(), &kRows[i], std::move(program)};
  }
  std::vector<std::string> names;
  for (const VerifierInfo& row : kRows) names.emplace_back(row.name);
  throw InputError("'" + abbreviate(text) + "': unknown verifier '" + abbreviate(spec.name) +
                   "'; `speclab list verifiers` names them" + suggestion(spec.name, names));
}

Verifier prepare(const Verifier& verifier, const PairPointer& pair) {
  VerifierProgram program = std::visit(
      [&pair](const auto& known) -> VerifierProgram {
        if constexpr (requires { known.prepared(pair); }) {
          return known.prepared(pair);
        } else {
          return known;
        }
      },
      verifier.program);
  return {verifier.name, verifier.info, std::move(program)};
}

}  // namespace speclab
