#!/usr/bin/env bash
# Every check of the project: see --help.
set -uo pipefail
usage() {
  cat <<'EOF'
usage: tests/run.sh [--documents | --sanitizers | --full]

Installs missing Debian or Ubuntu packages (as root or with sudo), then runs
  release   all tests but those named "... (long)" and those of packages, documents and figures
  format    clang-format of every C++ file
and ends with one line, "N passed, N failed, N skipped". A step that cannot be run counts as one
check skipped. Exit code 0 when nothing failed.

  --documents   in their place the tests of what README.md and docs show, of the manual as a site and
            as man pages, of the zoo and its pages in a browser, and of figures and report in a browser
  --sanitizers  in their place
    asan    the rooms where memory is handled by hand or hostile files are read, and the program,
            under AddressSanitizer and UBSan
    tsan    the engine's tests (room simulate) under ThreadSanitizer, where this machine can
  --full        all of these with the long tests, those of packages and asan of every room; each fuzz
            target for 20 seconds (tests/fuzz/run.sh), the tallies of other compilers and
            optimisations (g++ at -O2 and -O3, clang at -O3) against those on record, the Debian
            package on a bare Debian 12, this command and experiments/quickstart.sh on a bare Ubuntu
            24.04 and Debian 13 (tests/package/systems.sh), a second build that has to give the same
            bytes, ten planted faults (tests/mutants; of all of them: docs/develop/testing.md), that
            the benchmarks run (tests/perf/compare.sh), the machine-checked proofs where Coq is or
            can be installed (tests/proofs.sh), and clang-tidy of the 6 sources changed last (of all:
            cmake --build --preset release --target tidy)
SPECLAB_SETUP=off skips the look for packages; SPECLAB_JOBS sets the jobs (default: the cores).
EOF
}
release=true documents=false sanitizers=false full=false
for option in "$@"; do
  case $option in
    --documents) documents=true release=false ;;
    --sanitizers) sanitizers=true release=false ;;
    --full) full=true ;;
    -h | --help) usage; exit 0 ;;
    *) echo "run.sh: unknown option $option (see --help)" >&2; exit 2 ;;
  esac
done

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
# shellcheck source=experiments/setup.sh
. experiments/setup.sh
jobs=${SPECLAB_JOBS:-$(nproc)}
passed=0 failed=0 skipped=0
finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
  exit
}
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED: $1"; }
skip() { skipped=$((skipped + 1)); echo "skipped: $1"; }
say() { printf '[%4d s] %s\n' "$SECONDS" "$1"; }

# build PRESET [TARGET...]: configures and builds quietly; a failure is shown and counted.
build() {
  local preset=$1 log=build/$1.log
  shift
  say "$preset: build"
  # Twice: where another compiler was here CMake forgets what the preset says, and its sanitizers.
  if cmake --preset "$preset" >"$log" 2>&1 && cmake --preset "$preset" >>"$log" 2>&1 &&
     cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"} >>"$log" 2>&1; then
    return 0
  fi
  grep -E -A8 'error|FAILED' "$log" | head -n 60
  fail "$preset does not build (full log: $log)"
  return 1
}

# suite PRESET [CTEST OPTION...]: runs and counts the tests of a built preset.
suite() {
  local preset=$1 report=$PWD/build/$1.xml log=build/$1-tests.log head count bad off
  shift
  say "$preset: tests"
  rm -f "$report"
  ctest --preset "$preset" -j "$jobs" --no-tests=error --output-junit "$report" "$@" >"$log" 2>&1
  local code=$?
  head=$(tr '\n\t' '  ' <"$report" 2>/dev/null | grep -oE '<testsuite [^>]*>' | head -n 1)
  count=$(attribute tests "$head") bad=$(attribute failures "$head")
  off=$(($(attribute skipped "$head") + $(attribute disabled "$head")))
  passed=$((passed + count - bad - off)) failed=$((failed + bad)) skipped=$((skipped + off))
  [ $code -eq 0 ] && return 0
  grep -vE '^ +Start |Passed|^$' "$log" | head -n 200
  echo "FAILED: $preset tests (full log: $log)"
  [ "$bad" -gt 0 ] || failed=$((failed + 1))
}
attribute() {
  local value
  value=$(sed -nE "s/.* $1=\"([0-9]+)\".*/\1/p" <<<"$2")
  echo "${value:-0}"
}

# script NAME COMMAND...: runs a test that is a script; exit code 77 is a skip, with its last line.
script() {
  local name=$1 log=build/$1.log
  shift
  say "$name"
  "$@" >"$log" 2>&1
  case $? in
    0) pass ;;
    77) skip "$name: $(tail -n 1 "$log" | sed 's/^skipped: //')" ;;
    *) tail -n 30 "$log"; fail "$name (full log: $log)" ;;
  esac
}

# True where a ThreadSanitizer that understands OpenMP runs: it passes a program without a race
# and reports the race of another.
tsan_works() {
  local folder=build/tsan-probe
  mkdir -p "$folder"
  cat >"$folder/probe.cc" <<'EOF'
int main(int argc, char**) {
  long sum = 0;
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 10000; ++i) {
    if (argc > 1) {
      ++sum;
    } else {
#pragma omp atomic
      ++sum;
    }
  }
  return sum < 0;
}
EOF
  clang++ -fopenmp -fsanitize=thread -g1 "$folder/probe.cc" -o "$folder/probe" &&
    TSAN_OPTIONS=ignore_noninstrumented_modules=1 "$folder/probe" &&
    ! TSAN_OPTIONS=ignore_noninstrumented_modules=1 "$folder/probe" race
}

# True where clang links a fuzz target that runs.
fuzzer_works() {
  local folder=build/fuzz-probe
  mkdir -p "$folder"
  echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' \
    >"$folder/probe.cc"
  clang++ -fsanitize=fuzzer,address "$folder/probe.cc" -o "$folder/probe" &&
    "$folder/probe" -runs=1
}

# The sources under src and apps changed last, at most $1: uncommitted ones first, then commit by
# commit; a header stands for the first source that includes it.
changed_sources() {
  {
    git diff --name-only HEAD -- src apps
    git ls-files --others --exclude-standard -- src apps
    git log -n 50 --name-only --format= -- src apps
  } 2>/dev/null | while read -r file; do
    case $file in
      *.cc) ;;
      *.h) file=$(grep -lrF --include='*.cc' "\"${file#*/}\"" src apps | sort | head -n 1) ;;
      *) continue ;;
    esac
    [ -f "$file" ] && echo "$file"
  done 2>/dev/null | awk '!seen[$0]++' | head -n "$1"
}

# Groups are set up apart: without the tools of a later step the earlier ones still run.
if ! setup build; then
  fail "the packages to build with are missing"
  finish
fi
setup_compiler
setup python || true  # without them the Python package is left out and its tests are skipped
mkdir -p build
short=(-E '\(long\)$')

release_tests() {
  setup checks || true  # without them their checks are skipped
  build release || return
  if $full; then
    setup docs plots browser site core || true
    SPECLAB_ATTACKS=500 suite release
  else
    suite release -LE 'package|documents' "${short[@]}"
  fi
  say "format: check"
  version=$(clang-format --version 2>/dev/null | grep -oE '[0-9]+' | head -n 1)
  if [ "$version" != 14 ]; then
    skip "format: the project's style is that of clang-format 14, here is ${version:-none}"
  elif cmake --build --preset release --target format-check >build/format.log 2>&1; then
    pass
  else
    grep -E 'error:' build/format.log | cut -d: -f1 | sort | uniq -c
    fail "format: run cmake --build --preset release --target format"
  fi
}

document_tests() {
  setup checks docs plots browser site || true
  if build release; then suite release -L documents; fi
}

sanitizer_tests() {
  local room rooms=()
  for room in base system document model draft train recorded report apps; do
    [ ! -d "tests/$room" ] || rooms+=("$room")
  done
  if ! setup clang || ! command -v clang++ >/dev/null 2>&1; then
    skip "asan: clang with its libraries is not installed"
  elif $full; then
    if build asan; then suite asan -LE 'house|package' "${short[@]}"; fi
  elif build asan "${rooms[@]/#/test_}"; then
    suite asan -R "^($(IFS='|'; echo "${rooms[*]}")):" "${short[@]}"
  fi
  if ! setup clang || ! tsan_works >build/tsan-probe.log 2>&1; then
    skip "tsan: no ThreadSanitizer with OpenMP runs on this machine (build/tsan-probe.log)"
  elif build tsan test_simulate; then
    suite tsan -R '^simulate:' "${short[@]}"
  fi
}

if $release; then release_tests; fi
if $documents; then document_tests; fi
if $sanitizers || $full; then sanitizer_tests; fi

if $full; then
  for preset in gcc gcc-o3 clang-o3; do
    compiler=$([ $preset = clang-o3 ] && echo clang++ || echo g++)
    if ! command -v $compiler >/dev/null 2>&1; then
      skip "$preset: $compiler is not installed"
    elif build $preset test_experiment; then
      suite $preset -R '^experiment:what is found changes with the version of results'
    fi
  done
  if ! setup clang || ! fuzzer_works >build/fuzz-probe.log 2>&1; then
    skip "fuzz: no clang with libFuzzer runs on this machine (build/fuzz-probe.log)"
  elif build fuzz; then
    script fuzz-targets tests/fuzz/run.sh 20
  fi
fi

if $full && [ -x build/release/speclab ]; then
  setup package || true
  script package-chroot tests/package/deb.sh build/release . --chroot
  script package-whole tests/package/reproducible.sh build/release . --whole
  script systems tests/package/systems.sh .
fi

if $full && [ -x build/release/tests/test_theory ]; then
  script mutants python3 tests/mutants/mutants.py --check
fi

if $full; then
  script benchmarks tests/perf/compare.sh --quick
  script proofs tests/proofs.sh
fi

if $full && [ -f build/release/CMakeCache.txt ]; then
  mapfile -t sources < <(changed_sources 6)
  stamps=("${sources[@]/#/tidy/}")
  stamps=("${stamps[@]/%/.ok}")
  say "tidy: ${#sources[@]} sources"
  if ! command -v clang-tidy >/dev/null 2>&1; then
    skip "tidy: clang-tidy is not installed"
  elif [ ${#sources[@]} -eq 0 ]; then
    skip "tidy: git names no changed source"
  elif cmake --build --preset release -j "$jobs" --target "${stamps[@]}" -- -k 0 \
      >build/tidy.log 2>&1; then
    pass
  else
    grep -E 'error:|^ninja' build/tidy.log | sort -u | head -n 60
    fail "tidy (full log: build/tidy.log)"
  fi
fi
say "done"
finish
