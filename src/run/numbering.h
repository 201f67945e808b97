#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/interrupt.h"

namespace speclab {

/// Numbers its different keys 0, 1, 2, .. in the order in which they come. Open addressing: however
/// many keys there are, they are in two blocks of memory, which are freed at once.
/// Fewer than 2^32 - 1 keys. @tparam Hash  of a key, a std::size_t
template <class Key, class Hash>
class HashedNumbering {
 public:
  /// The key's number, and whether it is new.
  std::pair<std::size_t, bool> number(const Key& key) {
    if (3 * (keys_.size() + 1) > 2 * slots_.size()) grow();
    const auto hash = static_cast<std::uint32_t>(Hash{}(key));
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].number != kFree; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.hash == hash && keys_[slot.number] == key) return {slot.number, false};
    }
    slots_[at] = {static_cast<std::uint32_t>(keys_.size()), hash};
    keys_.push_back(key);
    return {keys_.size() - 1, true};
  }

  /// The keys by their numbers.
  [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;
  static constexpr std::size_t kFewest = 16;  ///< slots; a power of two

  struct Slot {
    std::uint32_t number = kFree;
    std::uint32_t hash = 0;
  };

  void grow() {
    std::vector<Slot> wider(slots_.empty() ? kFewest : 2 * slots_.size());
    const std::size_t mask = wider.size() - 1;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      // Many millions take seconds.
      if (i % (1 << 16) == 0) check_interrupted();
      if (slots_[i].number == kFree) continue;
      std::size_t at = slots_[i].hash & mask;
      while (wider[at].number != kFree) at = (at + 1) & mask;
      wider[at] = slots_[i];
    }
    slots_ = std::move(wider);
  }

  std::vector<Key> keys_;
  std::vector<Slot> slots_;
};

/// The same for keys that have an order and no hash.
template <class Key>
class OrderedNumbering {
 public:
  std::pair<std::size_t, bool> number(const Key& key) {
    const auto [known, fresh] = numbers_.try_emplace(key, keys_.size());
    if (fresh) keys_.push_back(key);
    return {known->second, fresh};
  }
  [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }

 private:
  std::map<Key, std::size_t> numbers_;
  std::vector<Key> keys_;
};

}  // namespace speclab
