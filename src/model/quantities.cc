#include "model/quantities.h"

#include <array>

namespace speclab {
namespace {

constexpr std::array kQuantities{
#define SPECLAB_QUANTITY_ROW(id, group, name, kept_as, label, unit, shape, first, scope, prose) \
  QuantityInfo{                                                                                 \
      QuantityId::id,       group, name, kept_as, label, unit, QuantityShape::shape, first,     \
      QuantityScope::scope, prose},
    SPECLAB_QUANTITIES(SPECLAB_QUANTITY_ROW)
#undef SPECLAB_QUANTITY_ROW
};

}  // namespace

std::string QuantityInfo::path() const {
  return group.empty() ? std::string(name) : std::string(group) + "." + std::string(name);
}

std::span<const QuantityInfo> quantities() { return kQuantities; }

const QuantityInfo& quantity(QuantityId id) { return kQuantities[static_cast<std::size_t>(id)]; }

std::optional<QuantityId> find_quantity(std::string_view path) {
  for (const QuantityInfo& row : kQuantities) {
    if (row.path() == path || (!row.kept_as.empty() && row.kept_as == path)) return row.id;
  }
  return std::nullopt;
}

std::string_view scope_name(QuantityScope scope) {
  constexpr std::array<std::string_view, 10> names{"iteration", "optimum",  "iterations", "output",
                                                   "decode",    "long run", "cost",       "run",
                                                   "formula",   "training"};
  return names[static_cast<std::size_t>(scope)];
}

}  // namespace speclab
