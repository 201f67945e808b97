#pragma once

// Catch2 of Debian 12 (2.13) and Catch2 3 behind one name.
#ifdef SPECLAB_CATCH3
#include <catch2/catch_all.hpp>
using Catch::Approx;
inline auto Containing(const std::string& text) { return Catch::Matchers::ContainsSubstring(text); }
#else
#include <catch2/catch.hpp>
inline auto Containing(const std::string& text) { return Catch::Matchers::Contains(text); }
#endif
