#!/usr/bin/env bash
# ranks.sh PART --build DIR: what several ranks give, held against one process. PART:
#   same        commands with 1, 2, 3, 4 and 7 ranks: the same bytes; ranks but 0 write nothing
#   ends        errors, signals and a killed rank: one line, the exit code, nothing lost
#   namespaces  two ranks in network namespaces of their own
# 77 where there is no mpirun, or no namespace can be made.
set -uo pipefail
part=$1 build=$(realpath "$3")
command -v mpirun >/dev/null || { echo "there is no mpirun here"; exit 77; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=2
more=()
mpirun --version 2>&1 | grep -q 'Open MPI' && more=(--oversubscribe)
speclab=$build/speclab
failed=0
fail() { echo "FAILED: $*"; failed=1; }
ranks() { local n=$1; shift; timeout 300 mpirun "${more[@]}" -n "$n" "$@"; }
alone() { OMP_NUM_THREADS=1 "$speclab" "$@"; }

cat >sweep.toml <<'END'
title = "a sweep of every kind of task"
source = "none"
chunk = 512
[[task]]
name = "runs"
kind = "simulate"
pair = "zipf(vocabulary=20,draft=1.2,target=1)"
verifier = ["token", "slot-block(K={K})"]
gamma = [2, 3]
horizon = 24
trials = [1000, 4000]
[task.vary]
K = [1, 2]
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
[[task]]
name = "forms"
kind = "predict"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = "token"
gamma = 2
horizon = 8
END
# The same for some seconds.
sed 's/trials = \[1000, 4000\]/trials = 60000/; s/chunk = 512/chunk = 5000/' sweep.toml >long.toml

# A command a line behind the numbers of ranks that it is started with.
commands() {
  cat <<'END'
1,3 simulate --pair zipf(vocabulary=50,draft=1.2,target=1) --verifier token --verifier block --gamma 1:3 --horizon 32 --trials 12345 --format csv
2,7 simulate --pair bernoulli(draft=2/3,target=1/3) --verifier block --gamma 4 --trials 30000 --estimator conditional --format csv
2,4 simulate --pair bernoulli(draft=2/3,target=1/3) --compare token,block --gamma 4 --horizon 16 --trials 20000
3,7 advise --pair bernoulli(draft=2/3,target=1/3) --latency draft=0.1,target=1+0.02n --gamma 1:6 --trials 20000
2,4 verify --claim sun2025 --quick --format csv
3 verify --controls --quick --format markdown
1,2,3,4 prove --verifier token --vocabulary 2 --gamma 2 --models tree --certificate /dev/stdout
2,3 prove --verifier token --property at-least:block --vocabulary 2 --gamma 2 --models tree --format json
END
}

same() {
  local counts line n code
  local -a words
  while read -r counts line; do
    read -ra words <<<"$line"
    # Through a pipe: what is written to /dev/stdout would replace a file.
    alone "${words[@]}" 2>alone.err | cat >alone.out; code=${PIPESTATUS[0]}
    [ $code -le 1 ] || { cat alone.err; fail "alone: $line"; }
    for n in ${counts//,/ }; do
      ranks "$n" "$speclab" "${words[@]}" 2>ranks.err </dev/null | cat >ranks.out
      [ "${PIPESTATUS[0]}" -eq $code ] || fail "$n ranks end otherwise: $line"
      cmp alone.out ranks.out || fail "$n ranks differ: $line"
      # Open MPI says more where the exit code is not 0.
      [ $code -ne 0 ] || cmp alone.err ranks.err || { cat ranks.err; fail "$n ranks say something else: $line"; }
    done
  done < <(commands)
  alone run sweep.toml --results alone >alone.out || fail "the sweep alone"
  for n in 1 2 3 4 7; do
    ranks "$n" "$speclab" run sweep.toml --results "r$n" >"r$n.out" || fail "the sweep with $n ranks"
    diff alone/sweep.csv "r$n/sweep.csv" || fail "the sweep of $n ranks differs"
    diff <(sed 's/alone/R/' alone.out) <(sed "s/r$n/R/" "r$n.out") || fail "the sweep of $n ranks counts otherwise"
    # All of it is in the store.
    alone run sweep.toml --results "r$n" | grep -q ': 15 tasks (15 found), \([0-9]*\) trials (\1 found)' ||
      fail "the store of $n ranks lacks something"
  done
  # Ranks but 0 start in an empty folder and leave it so.
  mkdir elsewhere
  timeout 300 mpirun "${more[@]}" -n 1 "$speclab" run sweep.toml --results apart : \
    -n 2 -wdir "$here/elsewhere" "$speclab" run sweep.toml --results apart >apart.out || fail "ranks of two folders"
  diff alone/sweep.csv apart/sweep.csv || fail "the sweep of two folders differs"
  [ -z "$(ls -A elsewhere)" ] || fail "a rank but 0 wrote: $(ls -A elsewhere)"
}

# children PID: the processes of speclab that it started, at any depth, oldest first.
children() { pgrep -P "$1" | while read -r child; do [ "$(cat /proc/"$child"/comm 2>/dev/null)" = speclab ] && echo "$child"; children "$child"; done; }
rank_of() { tr '\0' '\n' </proc/"$1"/environ 2>/dev/null | sed -nE 's/^(OMPI_COMM_WORLD_RANK|PMI_RANK)=//p' | head -n 1; }

# begin N: the long sweep with N ranks in the background, until some of it is in the store.
begin() {
  mpirun "${more[@]}" -n "$1" "$speclab" run long.toml --results broken >broken.out 2>broken.err &
  job=$!
  for _ in $(seq 600); do
    sleep 0.1
    [ "$(stored)" -gt 5 ] && return
    kill -0 $job 2>/dev/null || { fail "the long sweep ended early"; return; }
  done
  fail "nothing comes into the store"
}
stored() {
  python3 - 2>/dev/null <<'END' || echo 0
import sqlite3
print(sqlite3.connect("file:broken/results.sqlite?mode=ro", uri=True).execute("SELECT count(*) FROM chunk").fetchone()[0])
END
}
# resume WHAT: started again it goes on, and gives the bytes of one undisturbed process.
resume() {
  local before
  before=$(stored)
  [ "$before" -gt 5 ] || fail "$1: nothing was saved"
  ranks 3 "$speclab" run long.toml --results broken >again.out 2>again.err || { cat again.err; fail "$1: does not go on"; }
  grep -q '(0 found), [0-9]* trials (0 found)' again.out && fail "$1: went on from the beginning"
  cmp undisturbed/long.csv broken/long.csv || fail "$1: other bytes"
  rm -rf broken
}

# Commands that rank 0 does by itself: each is done once, with its own exit code and nothing said twice.
rank_0s_own() {
  local line code
  alone exact --pair 'bernoulli(draft=2/3,target=1/3)' --verifier token --gamma 1:3 --format csv >drawn.csv
  local -a words
  while read -r line; do
    read -ra words <<<"$line"
    alone "${words[@]}" >alone.out 2>alone.err </dev/null; code=$?
    rm -f drawn.svg
    ranks 2 "$speclab" "${words[@]}" >ranks.out 2>ranks.err </dev/null
    [ $? -eq $code ] || { cat ranks.err; fail "2 ranks do not end with $code: $line"; }
    cmp alone.out ranks.out || fail "2 ranks differ: $line"
    diff <(grep '^speclab:' alone.err) <(grep '^speclab:' ranks.err) || fail "2 ranks say something else: $line"
    [ $code -ne 0 ] || cmp alone.err ranks.err || fail "2 ranks say more: $line"
  done <<'END'
plot drawn.csv --x gamma --y expected_accepted --output drawn.svg
plot none.csv
plot
--help
--version
simulate --help
list pairs
list nothing
nonsense
completion bash
exact --pair bernoulli(draft=2/3,target=1/3) --verifier token --gamma 2
exact --pair file(none.json) --verifier token --gamma 2
exact --nonsense
optimum --pair bernoulli(draft=2/3,target=1/3) --gamma 2 --format csv
audit --rule token --cases
audit --rule token -- ./none
train --pair bernoulli(draft=2/3,target=1/3) --lambda 1 --samples 64
END
}

ends() {
  local code pid
  ranks 3 "$speclab" simulate --nonsense >out 2>err; code=$?
  [ $code -eq 2 ] || fail "a wrong option ends with $code"
  [ "$(grep -c '^speclab:' err)" -eq 1 ] || { cat err; fail "a wrong option is told other than once"; }
  ranks 3 "$speclab" simulate --pair 'iid(draft=[1/2,1/3],target=[1/3,2/3])' --verifier token --gamma 1 >out 2>err; code=$?
  [ $code -eq 3 ] || fail "a wrong pair ends with $code"
  [ "$(grep -c '^speclab:' err)" -eq 1 ] || { cat err; fail "a wrong pair is told other than once"; }
  rank_0s_own
  # A pipe can be read by one rank alone.
  mkfifo pipe
  (cat "$speclab" | head -c 1000 | base64 >pipe) &
  ranks 2 "$speclab" simulate --pair 'ngram(text=pipe)' --verifier token --gamma 2 --horizon 8 >out 2>err; code=$?
  [ $code -eq 3 ] || fail "a pipe ends with $code"

  alone run long.toml --results undisturbed >/dev/null || fail "the long sweep alone"
  begin 3
  for pid in $(children $job); do [ "$(rank_of "$pid")" = 2 ] && kill -9 "$pid"; done
  wait $job; code=$?
  [ $code -ne 0 ] || fail "a killed rank is no failure"
  grep -q 'rank 2' broken.err || { cat broken.err; fail "the killed rank is not named"; }
  grep -q '^speclab: .*saved' broken.err || { cat broken.err; fail "what was saved is not told"; }
  [ "$(grep -c '^speclab:' broken.err)" -eq 1 ] || fail "a killed rank is told other than once"
  resume "a killed rank"
  local rank
  for rank in 0 1; do
    begin 3
    for pid in $(children $job); do [ "$(rank_of "$pid")" = $rank ] && kill -INT "$pid"; done
    wait $job; code=$?
    [ $code -eq 130 ] || fail "a signal to rank $rank ends with $code"
    [ "$(grep -c '^speclab:' broken.err)" -eq 1 ] || { cat broken.err; fail "a signal to rank $rank is told other than once"; }
    resume "a signal to rank $rank"
  done
}

# Two hosts on one machine: namespaces with names of their own, joined by a cable; what ssh would do, nsenter does.
namespaces() {
  mpirun --version 2>&1 | grep -q 'Open MPI' || { echo "not by this mpirun"; exit 77; }
  local a b out
  unshare -n -u true 2>/dev/null || { echo "no namespace can be made here"; exit 77; }
  unshare -n -u sleep 1000 & a=$!
  unshare -n -u sleep 1000 & b=$!
  # shellcheck disable=SC2064
  trap "kill $a $b; rm -rf '$here'" EXIT
  until [ "$(readlink "/proc/$a/ns/net")" != "$(readlink /proc/self/ns/net)" ] &&
        [ "$(readlink "/proc/$b/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
  nsenter -t $a -u hostname speclab-a && nsenter -t $b -u hostname speclab-b &&
    ip link add "a$$" type veth peer name "b$$" && ip link set "a$$" netns $a && ip link set "b$$" netns $b &&
    nsenter -t $a -n sh -c "ip addr add 10.77.0.1/24 dev a$$ && ip link set a$$ up && ip link set lo up" &&
    nsenter -t $b -n sh -c "ip addr add 10.77.0.2/24 dev b$$ && ip link set b$$ up && ip link set lo up" ||
    { echo "the namespaces cannot be joined here"; exit 77; }
  printf '#!/bin/sh\nshift\nexec nsenter -t %s -n -u sh -c "cd %s; $*"\n' $b "$here" >agent.sh
  chmod +x agent.sh
  hosts() {
    timeout 600 nsenter -t $a -n -u mpirun --mca plm_rsh_agent "$here/agent.sh" \
      --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 --oversubscribe \
      -host 10.77.0.1:2,10.77.0.2:2 -n 4 "$@"
  }
  out=$(hosts hostname | sort | uniq -c | tr -s ' \n' ' ')
  [ "$out" = ' 2 speclab-a 2 speclab-b ' ] || fail "these are not two hosts: $out"
  alone run sweep.toml --results alone >/dev/null || fail "the sweep alone"
  hosts "$speclab" run sweep.toml --results far >/dev/null || fail "the sweep of two hosts"
  diff alone/sweep.csv far/sweep.csv || fail "the sweep of two hosts differs"
  # Another file under the same path on the other host is found out.
  mkdir folder && echo 'one two three one two three' >folder/text
  out=$(hosts sh -c '
    [ "$(hostname)" = speclab-a ] || { mkdir -p "$PWD/other" && echo "three two one" >other/text; cd other; }
    [ -e text ] || cd folder
    exec '"$speclab"' simulate --pair "ngram(text=text,vocabulary=8)" --verifier token --gamma 2 --horizon 8 --trials 2000000' 2>&1)
  grep -q 'reads other files here' <<<"$out" || { echo "$out"; fail "another file is not found out"; }
}

"$part"
exit $failed
