"""Token and block verification of dense rows, a batch at a time: seconds an iteration, as JSON.

    dense.py [--quick]

numpy/token/V  numpy/block/V    vectorised over a batch of 64 sequences of 8 drafted tokens
torch/token/V  torch/block/V    the same with torch on one thread, where it is installed
The rows of every position are given as arrays [64, 8, V] and [64, 9, V] of 32-bit floats, as engines
have them; drafting is not timed. Each is the fastest of several runs, in processor time.
"""

import argparse
import json

import numpy as np

from baseline import best_time, zipf

BATCH, GAMMA = 64, 8
MOST_BYTES = 2 << 30


class Batch:
    """Rows, drafts and uniform numbers of one batch; smaller where it would not fit in memory."""

    def __init__(self, vocabulary, generator):
        draft, target = zipf(vocabulary)
        self.size = min(BATCH, max(1, MOST_BYTES // (4 * (2 * GAMMA + 1) * vocabulary)))
        shape = (self.size, GAMMA, vocabulary)
        self.draft = np.empty(shape, np.float32)
        self.target = np.empty((self.size, GAMMA + 1, vocabulary), np.float32)
        self.draft[:], self.target[:] = draft, target
        self.tokens = generator.choice(vocabulary, size=(self.size, GAMMA), p=draft)
        self.coins = generator.random_sample((self.size, GAMMA + 1)).astype(np.float32)


def numpy_correct(batch, accepted, scales):
    """The corrections and bonus tokens after `accepted` tokens, [w t - d]+ with w of each sequence."""
    rows = np.arange(batch.size)
    target = batch.target[rows, accepted]
    whole = accepted == GAMMA
    draft = np.where(whole[:, None], 0, batch.draft[rows, np.minimum(accepted, GAMMA - 1)])
    weights = np.maximum(np.where(whole, 1, scales)[:, None] * target - draft, 0)
    sums = weights.cumsum(1)
    return (sums <= (batch.coins[:, GAMMA] * sums[:, -1])[:, None]).sum(1)


def numpy_ratios(batch):
    places = batch.tokens[:, :, None]
    drafted = np.take_along_axis(batch.draft, places, 2)[:, :, 0]
    return np.take_along_axis(batch.target[:, :GAMMA], places, 2)[:, :, 0] / drafted


def numpy_token(batch):
    accepted = (batch.coins[:, :GAMMA] < numpy_ratios(batch)).cumprod(1).sum(1)
    return accepted, numpy_correct(batch, accepted, np.ones(batch.size, np.float32))


def numpy_block(batch):
    ratios = numpy_ratios(batch)
    weights = np.empty((batch.size, GAMMA), np.float32)
    weight = np.ones(batch.size, np.float32)
    for i in range(GAMMA):
        weights[:, i] = weight = np.minimum(1, weight * ratios[:, i])
    excess = np.maximum(weights[:, :-1, None] * batch.target[:, 1:GAMMA] - batch.draft[:, 1:], 0).sum(2)
    coins = weights.copy()
    with np.errstate(invalid="ignore"):
        coins[:, :-1] = np.nan_to_num(excess / (excess + 1 - weights[:, :-1]))
    kept = batch.coins[:, :GAMMA] < coins
    accepted = np.where(kept.any(1), GAMMA - kept[:, ::-1].argmax(1), 0)
    scales = np.where(accepted > 0, weights[np.arange(batch.size), np.maximum(accepted - 1, 0)], 1)
    return accepted, numpy_correct(batch, accepted, scales)


def torch_rules(torch):
    """The same two functions with torch, of arrays that are tensors already."""

    def correct(batch, accepted, scales):
        rows = torch.arange(batch.size)
        whole = accepted == GAMMA
        draft = batch.draft[rows, accepted.clamp(max=GAMMA - 1)] * (~whole)[:, None]
        scale = torch.where(whole, torch.ones_like(scales), scales)
        weights = (scale[:, None] * batch.target[rows, accepted] - draft).clamp(min=0)
        sums = weights.cumsum(1)
        return (sums <= (batch.coins[:, GAMMA] * sums[:, -1])[:, None]).sum(1)

    def ratios(batch):
        places = batch.tokens[:, :, None]
        drafted = batch.draft.gather(2, places)[:, :, 0]
        return batch.target[:, :GAMMA].gather(2, places)[:, :, 0] / drafted

    def token(batch):
        accepted = (batch.coins[:, :GAMMA] < ratios(batch)).long().cumprod(1).sum(1)
        return accepted, correct(batch, accepted, torch.ones(batch.size))

    def block(batch):
        each, weight, found = ratios(batch), torch.ones(batch.size), []
        for i in range(GAMMA):
            weight = (weight * each[:, i]).clamp(max=1)
            found.append(weight)
        weights = torch.stack(found, 1)
        left = weights[:, :-1, None] * batch.target[:, 1:GAMMA] - batch.draft[:, 1:]
        excess = left.clamp(min=0).sum(2)
        coins = weights.clone()
        coins[:, :-1] = (excess / (excess + 1 - weights[:, :-1])).nan_to_num()
        kept = (batch.coins[:, :GAMMA] < coins).long() * torch.arange(1, GAMMA + 1)
        accepted = kept.max(1).values
        scales = weights[torch.arange(batch.size), (accepted - 1).clamp(min=0)]
        return accepted, correct(batch, accepted, torch.where(accepted > 0, scales, torch.ones(1)))

    return {"token": token, "block": block}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="shorter runs")
    seconds = 0.2 if parser.parse_args().quick else 2.0
    rules = {"numpy": {"token": numpy_token, "block": numpy_block}}
    try:
        import torch
    except ImportError:
        torch = None
    else:
        torch.set_num_threads(1)
        rules["torch"] = torch_rules(torch)
    result = {}
    for vocabulary in (1024, 32768, 131072):
        batch = Batch(vocabulary, np.random.RandomState(1))
        for library, functions in rules.items():
            if library == "torch":
                for name in ("draft", "target", "tokens", "coins"):
                    setattr(batch, name, torch.from_numpy(getattr(batch, name)))
            for name, verify in functions.items():

                def run():
                    verify(batch)
                    return batch.size

                result[f"{library}/{name}/{vocabulary}"] = best_time(run, seconds)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
