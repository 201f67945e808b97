"""vllm-ascend: the PyTorch references of its rejection sampler (rules "token", "ascend-block").

They take a batch flat: [tokens, V] rows of all requests one after another, `cu_num_draft_tokens` [B]
the cumulative counts, and every random number as an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ._load import load_function

FILE = "vllm_ascend/sample/rejection_sampler.py"


def rejection_sample(checkout: str | Path, name: str = "rejection_random_sample_pytorch",
                     recovered: str = "sample_recovered_tokens_pytorch") -> Callable[..., Any]:
    """The pair of functions

        recovered(output [N], cu_num_draft_tokens [B], draft_token_ids [N], draft_probs [N, V],
                  target_probs [N, V], q [B, V] of Exp(1), V)
        name(output [B, g + 1], cu_num_draft_tokens [B], draft_token_ids [N], draft_probs [N, V],
             target_probs [N, V], bonus_token_ids [B, 1], recovered_token_ids [N],
             uniform_probs [N], is_greedy [B], g, V)

    with N = B g, both writing into their first argument; tokens that are not emitted stay -1. Rule
    "ascend-block" is name="rejection_random_sample_block_verify_pytorch" with
    recovered="sample_recovered_tokens_blockwise_pytorch", where the checkout has them.

    Raises ValueError as speclab.adapters.load_function does.
    """
    import torch

    sample = load_function(checkout, FILE, name)
    recover = load_function(checkout, FILE, recovered)

    def function(draft_probs, target_probs, draft_tokens, rng):
        size, gamma, vocabulary = draft_probs.shape
        ends = torch.arange(gamma, size * gamma + 1, gamma)
        ids = torch.from_numpy(draft_tokens.reshape(-1))
        draft = torch.from_numpy(draft_probs.reshape(-1, vocabulary))
        target = torch.from_numpy(np.ascontiguousarray(target_probs[:, :-1]).reshape(-1, vocabulary))
        clocks = torch.from_numpy(rng.exponential(size=(size, vocabulary)))
        replaced = torch.empty(size * gamma, dtype=torch.long)
        recover(replaced, ends, ids, draft, target, clocks, vocabulary)
        last = target_probs[:, -1] / rng.exponential(size=(size, vocabulary))
        bonus = torch.from_numpy(last.argmax(axis=1)[:, None])
        uniforms = torch.from_numpy(rng.random(size * gamma))
        output = torch.full((size, gamma + 1), -1, dtype=torch.long)
        sample(output, ends, ids, draft, target, bonus, replaced, uniforms,
               torch.zeros(size, dtype=torch.bool), gamma, vocabulary)
        tokens = output.numpy()
        return (tokens >= 0).sum(axis=1) - 1, tokens

    return function
