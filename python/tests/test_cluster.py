"""speclab.run_on: a Dask cluster of processes gives the bytes of one process, and outlives a worker."""

import os
import signal
import sqlite3
import threading
import time
import pathlib

import pytest

import speclab

distributed = pytest.importorskip("distributed")

SWEEP = """
title = "a sweep"
source = "none"
chunk = 1000
[[task]]
name = "runs"
kind = "simulate"
pair = "zipf(vocabulary=50,draft=1.2,target=1)"
verifier = ["token", "block"]
gamma = [2, 4]
horizon = 64
trials = [5000, {trials}]
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = "1:3"
"""


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster:
        with distributed.Client(cluster) as connected:
            yield connected


def sweep(folder, trials):
    path = folder / "sweep.toml"
    path.write_text(SWEEP.format(trials=trials))
    return path


def alone(program, file, folder, *more):
    program("run", str(file), "--results", str(folder), "--threads", "1", *more)
    return pathlib.Path(folder, "sweep.csv").read_bytes()


def test_a_cluster_gives_the_bytes_of_one_process(client, program, binary, tmp_path):
    file = sweep(tmp_path, 20_000)
    expected = alone(program, file, tmp_path / "alone", "--seed", "3")
    for shards in (1, 5):
        folder = tmp_path / f"cluster-{shards}"
        written = speclab.run_on(client, file, folder, shards=shards, program=binary, seed=3)
        assert [path.name for path in written] == ["sweep.csv"]
        assert written[0].read_bytes() == expected
        assert not list(folder.glob("*shard*"))


def test_a_verifier_that_is_trained_within_the_sweep(client, program, binary, tmp_path):
    words = ("zhong2025-table2", "--quick", "--trials", "256")
    program("run", words[0], "--results", str(tmp_path / "alone"), "--threads", "1", *words[1:])
    written = speclab.run_on(client, words[0], tmp_path / "cluster", shards=3, program=binary, quick=True, trials=256)
    assert written[0].read_bytes() == (tmp_path / "alone" / "zhong2025-table2.csv").read_bytes()


def test_a_worker_that_is_killed_costs_nothing_but_time(client, program, binary, tmp_path):
    file = sweep(tmp_path, 200_000)
    expected = alone(program, file, tmp_path / "alone")
    pids = client.run(os.getpid)
    killed = []

    def kill_one():
        """Kills a worker that is at work on a shard, once."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for worker, tasks in client.processing().items():
                if tasks and worker in pids:
                    time.sleep(0.2)
                    os.kill(pids[worker], signal.SIGKILL)
                    killed.append(worker)
                    return
            time.sleep(0.01)

    killer = threading.Thread(target=kill_one)
    killer.start()
    written = speclab.run_on(client, file, tmp_path / "cluster", shards=6, program=binary)
    killer.join()
    assert len(killed) == 1
    assert written[0].read_bytes() == expected
    with sqlite3.connect(tmp_path / "cluster" / "results.sqlite") as store:
        ranges = store.execute("SELECT count(*), sum(count) FROM chunk").fetchone()
    assert ranges[1] == 4 * 200_000  # every trial once


def test_errors_of_a_shard_reach_the_caller(client, binary, tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text(SWEEP.format(trials=20_000).replace("zipf(vocabulary=50", "zipf(vocabulary=0"))
    with pytest.raises(ValueError, match="vocabulary"):
        speclab.run_on(client, bad, tmp_path / "bad", shards=2, program=binary)
    with pytest.raises(ValueError, match="no program"):
        speclab.run_on(client, bad, tmp_path / "bad", shards=2, program="/no/such/program")
    with pytest.raises(ValueError, match="shards=0"):
        speclab.run_on(client, bad, tmp_path / "bad", shards=0, program=binary)
    with pytest.raises(ValueError, match="shard= is no option"):
        speclab.run_on(client, bad, tmp_path / "bad", shards=2, program=binary, shard="1/2")


def test_shards_of_another_run_in_the_folder_are_refused_first(client, binary, tmp_path):
    (tmp_path / "results.shard-1-of-9.sqlite").write_bytes(b"")
    with pytest.raises(ValueError, match="from another sharded run"):
        speclab.run_on(client, sweep(tmp_path, 20_000), tmp_path, shards=2, program=binary)
