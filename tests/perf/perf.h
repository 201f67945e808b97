#pragma once

#include <benchmark/benchmark.h>

namespace speclab::perf {

/// Register the benchmarks of one file each. Their names are read by table.py.
void add_simulations();
void add_exact();
void add_vocabularies();
void add_texts();

}  // namespace speclab::perf
