"""Time and memory of `speclab simulate` on a recording, beside plain reading of the file and beside
the same sums of a row by torch on one thread.

recorded.py PROGRAM [--file FILE] [--prompts 200] [--positions 64] [--vocabulary 32000] [--threads 2]

Needs h5py, numpy and torch. FILE is kept where it is given and made where it is missing.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time

import h5py
import numpy as np

STARTS_EVERY = 8
GAMMA = "1:8"


def softmax(logits):
    shares = np.exp(logits - logits.max(-1, keepdims=True))
    return shares / shares.sum(-1, keepdims=True)


def record(path, prompts, positions, vocabulary):
    """Rows of a bank, each turned by a random number of tokens; float16, one segment in eight."""
    random = np.random.default_rng(1)
    target = 3 * random.standard_normal((64, vocabulary), dtype="f4")
    draft = target + 0.5 * random.standard_normal(target.shape, dtype="f4")
    target, draft = softmax(target).astype("f2"), softmax(draft).astype("f2")
    sums = np.cumsum(draft.astype("f8"), -1)
    with h5py.File(path, "w") as file:
        file.attrs.update(format="speclab-recorded", version=1, vocabulary=vocabulary, rows="probabilities")
        tokens = file.create_dataset("tokens", (prompts, positions), "i4")
        starts = np.zeros((prompts, positions), "u1")
        starts[:, ::STARTS_EVERY] = 1
        file["starts"] = starts
        drafts = file.create_dataset("draft", (prompts, positions, vocabulary), "f2")
        targets = file.create_dataset("target", (prompts, positions + 1, vocabulary), "f2")
        for prompt in range(prompts):
            rows = random.integers(64, size=positions + 1)
            turns = random.integers(vocabulary, size=positions + 1)
            turned = [(r, t) for r, t in zip(rows, turns)]
            targets[prompt] = np.stack([np.roll(target[r], t) for r, t in turned])
            drafts[prompt] = np.stack([np.roll(draft[r], t) for r, t in turned[:-1]])
            at = [np.searchsorted(sums[r], random.random() * sums[r, -1], side="right") for r in rows[:-1]]
            tokens[prompt] = (np.array(at) + turns[:-1]) % vocabulary


def read_plainly(path):
    """Seconds to read the file from front to back."""
    began = time.perf_counter()
    with open(path, "rb", buffering=0) as file:
        block = bytearray(1 << 22)
        while file.readinto(block):
            pass
    return time.perf_counter() - began


def answer(program, path, threads, verifiers):
    """Seconds, and the largest resident set in bytes."""
    command = [program, "simulate", "--pair", f"recorded({path})", "--gamma", GAMMA]
    command += ["--threads", str(threads), "--format", "csv"]
    for verifier in verifiers:
        command += ["--verifier", verifier]
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"recorded: failed: {' '.join(command)}")
    return time.perf_counter() - began, usage.ru_maxrss * 1024


def torch_row(path, rows=200):
    """Seconds for one draft and one target row: to doubles, normalised, sum of [t - d]+."""
    import torch

    torch.set_num_threads(1)
    with h5py.File(path, "r") as file:
        draft = torch.from_numpy(file["draft"][0])
        target = torch.from_numpy(file["target"][0])
    began = time.perf_counter()
    total = 0.0
    for i in range(rows):
        d = draft[i % len(draft)].double()
        t = target[i % len(draft)].double()
        d = d / d.sum()
        t = t / t.sum()
        total += float((t - d).clamp(min=0).sum())
    return (time.perf_counter() - began) / rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--file")
    parser.add_argument("--prompts", type=int, default=200)
    parser.add_argument("--positions", type=int, default=64)
    parser.add_argument("--vocabulary", type=int, default=32000)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or os.path.join(folder, "recording.h5")
        if not os.path.exists(path):
            record(path, options.prompts, options.positions, options.vocabulary)
        size = os.path.getsize(path)
        read_plainly(path)
        plain = read_plainly(path)
        found = {"bytes": size, "plain_reading_seconds": plain, "plain_GB_per_s": size / plain / 1e9}
        for verifiers in (["token"], ["block"], ["token", "block"]):
            seconds, memory = answer(options.program, path, options.threads, verifiers)
            found[" ".join(verifiers)] = {
                "seconds": seconds,
                "GB_per_s": size / seconds / 1e9,
                "share_of_plain_reading": plain / seconds,
                "row_pair_microseconds": 1e6 * seconds * options.threads / (options.prompts * options.positions),
                "peak_MB": memory / 1e6,
            }
        found["torch_row_pair_microseconds"] = 1e6 * torch_row(path)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
