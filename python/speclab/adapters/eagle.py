"""EAGLE: the posterior of a draft tree (one-hot drafts: the law of rule "target-only(K=...)")."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ._load import load_function

FILE = "eagle/model/utils.py"


def tree_of(drafts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tree of K drafts [K, g] below a root token 0.

    @returns tokens [nodes] with the root first; retrieve_indices [paths, g + 1], equal drafts being
    one path; and for each node the draft and the position [nodes, 2] whose row stands behind it.
    """
    nodes: dict[tuple[int, ...], int] = {(): 0}
    tokens, places, paths = [0], [(0, 0)], []
    for k, draft in enumerate(drafts):
        path = [0]
        for i in range(len(draft)):
            prefix = tuple(draft[: i + 1])
            if prefix not in nodes:
                nodes[prefix] = len(nodes)
                tokens.append(draft[i])
                places.append((k, i + 1))
            path.append(nodes[prefix])
        if path not in paths:
            paths.append(path)
    return np.array(tokens), np.array(paths), np.array(places)


def evaluate_posterior(checkout: str | Path, name: str = "evaluate_posterior") -> Callable[..., Any]:
    """evaluate_posterior(logits [paths, g + 1, V], candidates [paths, g + 1], logits_processor)
    -> (best_candidate, accept_length, sample_p [V]), for rules of K drafts. The logits are those of
    the tree's nodes, [nodes, V], looked up by `retrieve_indices` [paths, g + 1]; the first column of
    the candidates is the token before the drafts. The last token is drawn from sample_p. Called once
    a decision; the generators of `random` and torch are seeded once a batch.

    Raises ValueError as speclab.adapters.load_function does.
    """
    import torch

    decide = load_function(checkout, FILE, name)

    def function(draft_probs, target_probs, draft_tokens, rng):
        random.seed(int(rng.integers(2**62)))
        torch.manual_seed(int(rng.integers(2**62)))
        if draft_tokens.ndim == 2:
            target_probs, draft_tokens = target_probs[:, None], draft_tokens[:, None]
        size, _, gamma = draft_tokens.shape
        target = torch.from_numpy(target_probs).log()
        known: dict[bytes, tuple] = {}
        accepted = np.zeros(size, dtype=int)
        tokens = np.full((size, gamma + 1), -1)
        for b in range(size):
            key = draft_tokens[b].tobytes()
            if key not in known:
                known[key] = tree_of(draft_tokens[b])
            tree, retrieve_indices, places = known[key]
            tree_logits = target[b, places[:, 0], places[:, 1]]
            candidates = torch.from_numpy(tree[retrieve_indices])
            best, length, sample_p = decide(tree_logits[retrieve_indices], candidates,
                                            lambda _, logits: logits)
            length = int(length)
            accepted[b] = length
            tokens[b, :length] = candidates[int(best), 1 : length + 1].numpy()
            tokens[b, length] = int(torch.multinomial(sample_p, 1))
        return accepted, tokens

    return function
