#pragma once

// What the C++20 library of Emscripten 3.1.6 (libc++ 13) lacks of what src/ uses.
#include <algorithm>
#include <iterator>

// Random123 refuses processors that it was not tried on; its 32-bit Philox is plain C.
#define __riscv 1
#include <Random123/philox.h>
#undef __riscv

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

namespace ranges {

template <class Range, class Test>
constexpr bool all_of(Range&& range, Test test) {
  return std::all_of(std::begin(range), std::end(range), std::move(test));
}

template <class Range, class Value, class Member>
constexpr auto find(Range&& range, const Value& value, Member member) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](const auto& each) { return each.*member == value; });
}

template <class Range, class Value>
constexpr auto find(Range&& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value);
}

}  // namespace ranges
}  // namespace std
