#!/usr/bin/env bash
# Runs the fuzz targets: see --help.
set -uo pipefail
usage() {
  cat <<'EOF'
usage: tests/fuzz/run.sh [--keep] SECONDS [TARGET...]

Runs each target (all where none is named) that long on its saved corpus, tests/fuzz/corpus/TARGET,
and prints a line: executions, executions a second, edges of the program that were reached, findings.
Exit code 1 where an input broke a property, crashed, hung or took too much memory; such inputs are
kept in build/fuzz/findings. Build the targets first: cmake --preset fuzz, cmake --build --preset fuzz.

  --keep   goes on with what runs with --keep collected in build/fuzz/collected/TARGET, which is read
           first and takes a minute or two; what reaches new edges is added to the saved corpus. Both
           are made small again
SPECLAB_FUZZ_BUILD names another folder of built targets (default build/fuzz).
EOF
}
keep=false
case ${1-} in
  -h | --help) usage; exit 0 ;;
  --keep) keep=true; shift ;;
esac
[[ ${1-} =~ ^[0-9]+$ ]] || { usage >&2; exit 2; }
seconds=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
build=${SPECLAB_FUZZ_BUILD:-build/fuzz}
here=tests/fuzz
findings=$build/findings
most_memory=2048   # MB
most_time=60       # seconds an input
longest=16384      # bytes of an input
most_files=40      # saved inputs of a target
most_bytes=10000   # of all of them
mkdir -p "$findings"

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for program in "$build"/tests/fuzz/fuzz_*; do targets+=("${program##*/fuzz_}"); done
fi

export ASAN_OPTIONS=${ASAN_OPTIONS-allocator_may_return_null=0:detect_leaks=1:handle_abort=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS-print_stacktrace=1}
export OMP_NUM_THREADS=1

# A number that libFuzzer printed last: after a word, or on a line of its statistics.
last() { grep -oE "$1[ :]+[0-9]+" "$2" | tail -n 1 | grep -oE '[0-9]+$'; }

# Saves again, of the saved inputs and `more`, the few that reach the most edges (choose.py). Inputs
# that have a name of their own (libFuzzer's are hashes of 40 digits) always stay.
save() {
  local target=$1 more=$2 saved=$here/corpus/$1 work file
  local hashes=????????????????????????????????????????
  work=$(mktemp -d)
  mkdir "$work/merged" "$work/chosen"
  if "$build/tests/fuzz/fuzz_$target" -merge=1 -merge_control_file="$work/control" \
    -max_len="$longest" -timeout="$most_time" -rss_limit_mb="$most_memory" \
    "$work/merged" "$saved" "$more" </dev/null >"$findings/$target.merge.log" 2>&1 &&
    python3 "$here/choose.py" "$work/control" "$most_files" "$most_bytes" >"$work/names"; then
    while read -r file; do
      # shellcheck disable=SC2254
      case ${file##*/} in $hashes) cp "$file" "$work/chosen" ;; esac
    done <"$work/names"
    find "$saved" -type f -name "$hashes" -delete
    find "$work/chosen" -type f -exec cp {} "$saved" \;
    rm -rf "$more"
    mv "$work/merged" "$more"
  fi
  rm -rf "$work"
}

failed=0
for target in "${targets[@]}"; do
  program=$build/tests/fuzz/fuzz_$target
  if [ ! -x "$program" ]; then
    echo "$target: there is no $program; build it by: cmake --build --preset fuzz" >&2
    failed=1
    continue
  fi
  log=$findings/$target.log
  if $keep; then
    grown=$build/collected/$target
    mkdir -p "$grown"
  else
    grown=$(mktemp -d)
  fi
  dictionary=()
  [ -f "$here/$target.dict" ] && dictionary=(-dict="$here/$target.dict")
  "$program" -max_total_time="$seconds" -max_len="$longest" -timeout="$most_time" \
    -rss_limit_mb="$most_memory" -use_value_profile=1 -print_final_stats=1 -artifact_prefix="$findings/$target-" \
    "${dictionary[@]}" "$grown" "$here/corpus/$target" </dev/null >"$log" 2>&1 &
  fuzzer=$!
  wait "$fuzzer"
  code=$?
  rm -rf "/dev/shm/speclab-fuzz.$fuzzer"  # where it ended by a finding
  runs=$(last stat::number_of_executed_units "$log") edges=$(last cov "$log")
  printf '%-16s %10s executions %7s a second %6s edges %s\n' "$target" "${runs:-?}" \
    "$(last stat::average_exec_per_sec "$log")" "${edges:-?}" \
    "$([ $code -eq 0 ] && echo 'no finding' || echo "FINDING: see $log")"
  if [ $code -ne 0 ]; then
    failed=1
    grep -E 'ERROR|runtime error|property is broken|Test unit written|SUMMARY' "$log"
  elif $keep; then
    save "$target" "$grown"
  fi
  $keep || rm -rf "$grown"
done
exit $failed
