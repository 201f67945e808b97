#!/usr/bin/env bash
# shards.sh --build DIR: three processes of mpirun run the shards of a sweep and of a simulation; together
# they give the bytes of one process. A killed process leaves its shard unfinished, and is refused by
# name until it is run again. 77 where there is no mpirun.
set -uo pipefail
build=$(realpath "$2")
command -v mpirun >/dev/null || { echo "skipped: there is no mpirun here"; exit 77; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
more=()
mpirun --version 2>&1 | grep -q 'Open MPI' && more=(--oversubscribe)
mpirun --quiet --version >/dev/null 2>&1 && more+=(--quiet)
speclab=$build/speclab
failed=0
fail() { echo "FAILED: $*"; failed=1; }

cat >sweep.toml <<'END'
title = "a sweep"
source = "none"
chunk = 512
[[task]]
name = "runs"
kind = "simulate"
pair = "zipf(vocabulary=20,draft=1.2,target=1)"
verifier = ["token", "block"]
gamma = [2, 3]
horizon = 24
trials = [1000, 40001]
[[task]]
name = "precise"
kind = "simulate"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = 2
horizon = 6
trials = 20000
precision = 0.03
keep = ["iteration.expected_accepted"]
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = "1:2"
END
run=("$speclab" run sweep.toml --results)
"${run[@]}" alone >/dev/null || fail "the run of one process"

timeout 300 mpirun "${more[@]}" -n 3 "${run[@]}" shards >out 2>err || fail "mpirun: $(cat err)"
[ "$(grep -c 'shard [123]/3 of 10 tasks' out)" = 3 ] || fail "the lines of three shards: $(cat out)"
"${run[@]}" shards >out 2>err || fail "the whole: $(cat err)"
cmp alone/sweep.csv shards/sweep.csv || fail "the bytes of the whole are others"

# A process of the three that is killed.
sed 's/40001/1000000/' sweep.toml >long.toml
long=("$speclab" run long.toml --results killed)
# shellcheck disable=SC2016
timeout 300 mpirun "${more[@]}" -n 3 bash -c \
  '[ "$OMPI_COMM_WORLD_RANK$PMI_RANK" = 1 ] && {
     "$@" & until [ -s killed/results.shard-2-of-3.sqlite ]; do sleep 0.1; done
     sleep 0.3; kill -9 $!; exit 0; }; exec "$@"' \
  shard "${long[@]}" >out 2>err || fail "mpirun with a killed process: $(cat err)"
code=0
"${long[@]}" >out 2>err || code=$?
if [ "$code" != 3 ] || [ "$(wc -l <err)" != 1 ] ||
   ! grep -q 'shard 2/3 in .* is not finished' err; then
  fail "a killed shard is refused by name: $(cat err)"
fi
"${long[@]}" --shard 2/3 >out 2>err || fail "the killed shard again: $(cat err)"
"${long[@]}" >out 2>err || fail "the whole after it: $(cat err)"
"$speclab" run long.toml --results undisturbed >/dev/null || fail "an undisturbed run"
cmp killed/long.csv undisturbed/long.csv || fail "the bytes after a killed process are others"

# A verifier that is trained within the sweep, under mpirun and in the environment of srun.
trains=("$speclab" run zhong2025-table2 --quick --trials 256 --threads 1 --results)
"${trains[@]}" trained-alone >/dev/null || fail "a training of one process"
timeout 300 mpirun "${more[@]}" -n 3 "${trains[@]}" trained >out 2>err || fail "mpirun trains: $(cat err)"
"${trains[@]}" trained >out 2>err || fail "the whole of trainings: $(cat err)"
cmp trained-alone/zhong2025-table2.csv trained/zhong2025-table2.csv || fail "other bytes of trainings"
for task in 0 1 2; do
  SLURM_STEP_ID=0 SLURM_PROCID=$task SLURM_NTASKS=3 "${trains[@]}" srun >out.$task 2>err.$task &
done
wait
"${trains[@]}" srun >out 2>err || fail "the whole under srun: $(cat err err.?)"
cmp trained-alone/zhong2025-table2.csv srun/zhong2025-table2.csv || fail "other bytes under srun"

question=(--pair 'zipf(vocabulary=20,draft=1.2,target=1)' --verifier block --gamma 3 --horizon 24
          --trials 20001 --format csv)
"$speclab" simulate "${question[@]}" >alone.csv || fail "simulate alone"
timeout 300 mpirun "${more[@]}" -n 3 "$speclab" simulate "${question[@]}" --results simulated >out 2>err ||
  fail "simulate by mpirun: $(cat err)"
"$speclab" simulate "${question[@]}" --results simulated >whole.csv 2>err || fail "$(cat err)"
cmp alone.csv whole.csv || fail "the numbers of simulate are others"
exit $failed
