"""Experiments on a Dask cluster: shards of `speclab run` as futures."""

import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import uuid
import warnings

from ._core import LimitError

_VERDICT, _LIMIT, _BAD = 1, 4, (2, 3)


def _end_with_parent():
    """Asks Linux to end the program when the worker that started it dies."""
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    except (OSError, AttributeError):
        pass


def _call(words):
    """Runs the program. Returns its output, the messages, and whether all expected values hold."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              preexec_fn=_end_with_parent)
    except FileNotFoundError:
        raise ValueError(f"there is no program {words[0]!r} on this machine; give program= the "
                         "path of speclab") from None
    message = done.stderr.strip()
    if done.returncode in _BAD:
        raise ValueError(message)
    if done.returncode == _LIMIT:
        raise LimitError(message)
    if done.returncode not in (0, _VERDICT):
        raise RuntimeError(f"speclab ended with exit code {done.returncode}: {message}")
    return done.stdout, message, done.returncode == 0


def _run_shard(words, number, shards):
    """On a worker: runs a shard and returns the bytes of its store."""
    with tempfile.TemporaryDirectory(prefix="speclab-") as folder:
        _call([*words, "--results", folder, "--shard", f"{number}/{shards}"])
        name = f"results.shard-{number}-of-{shards}.sqlite"
        return pathlib.Path(folder, name).read_bytes()


def _option_words(options):
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    return words


def run_on(client, experiments, results="results", *, shards=None, program="speclab", threads=1,
           **options):
    """Runs experiments on a Dask cluster, with the same bytes as `speclab run` on one machine.

    client       a distributed.Client
    experiments  a TOML file or the name of an experiment, or a list of them
    results      the folder of results, on this machine
    shards       how many tasks the work is divided into; by default four for each thread of the
                 cluster, so that the last ones to end wait little for each other
    program      the program, on the workers and on this machine
    threads      of each task
    options      those of `speclab run`: quick=True, trials=10000, seed=2, max_memory="2G"

    Each task is a future that runs a shard and returns its store, so that workers need no shared
    folder; files that the experiments read must have the same paths there. Tasks of a worker that
    dies are run again by Dask. The stores are then added up, and this machine writes the results.
    An expected value that fails is a warning. Returns the paths of the CSV files.
    """
    from distributed import as_completed  # an optional package

    experiments = [experiments] if isinstance(experiments, (str, os.PathLike)) else experiments
    files = [os.path.abspath(each) if os.path.exists(each) else os.fspath(each)
             for each in experiments]
    if not files:
        raise ValueError("name an experiment or its file")
    if shards is None:
        shards = 4 * sum(client.nthreads().values())
    if shards < 1:
        raise ValueError(f"shards={shards} must be at least 1")
    for name in ("results", "shard", "output"):
        if name in options:
            raise ValueError(f"{name}= is no option of its own here; results= names the folder")
    words = [program, "run", *files, *_option_words(options)]
    own = [*words, "--results", os.fspath(results), "--shard", "1/1"]
    if shards > 1:
        left = sorted(pathlib.Path(results).glob("results.shard-*-of-*.sqlite"))
        if left:
            raise ValueError(f"{left[0]} is there from another sharded run; remove it, or give "
                             "another folder for results")
        _gather(client, as_completed, [*words, "--threads", str(threads)], shards, results,
                program)
    output, message, holds = _call(own)
    if not holds:
        warnings.warn(message, stacklevel=2)
    return [pathlib.Path(line.rsplit("; ", 1)[1]) for line in output.splitlines() if "; " in line]


def _gather(client, as_completed, words, shards, results, program):
    """Runs the shards on the cluster and adds their stores up in the folder of results."""
    run = uuid.uuid4().hex[:8]
    futures = [client.submit(_run_shard, words, number, shards, pure=False,
                             key=f"speclab-shard-{number}-of-{shards}-{run}")
               for number in range(1, shards + 1)]
    numbers = {future.key: number for number, future in enumerate(futures, 1)}
    pathlib.Path(results).mkdir(parents=True, exist_ok=True)
    folder = tempfile.mkdtemp(prefix="shards-", dir=results)
    try:
        stores = []
        for future in as_completed(futures):
            store = pathlib.Path(folder, f"{numbers[future.key]}.sqlite")
            store.write_bytes(future.result())
            stores.append(str(store))
            future.release()
        _call([program, "merge", *sorted(stores), "--output",
               str(pathlib.Path(results, "results.sqlite"))])
    finally:
        client.cancel(futures)
        shutil.rmtree(folder, ignore_errors=True)
