"""Hugging Face transformers: speculative sampling of assisted generation (rule "token")."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ._load import load_function

FILE = "src/transformers/generation/utils.py"


def speculative_sampling(checkout: str | Path, name: str = "_speculative_sampling"
                         ) -> Callable[..., Any]:
    """_speculative_sampling(candidate_input_ids [1, n + g], candidate_logits [1, g, V],
    candidate_length g, new_logits [1, g + 1, V], is_done_candidate) -> (valid_tokens [1, a + 1],
    n_matches a), for rules of one draft. It takes one sequence, so it is called once a decision;
    torch's own generator is seeded once a batch.

    Raises ValueError as speclab.adapters.load_function does.
    """
    import torch

    decide = load_function(checkout, FILE, name)

    def function(draft_probs, target_probs, draft_tokens, rng):
        torch.manual_seed(int(rng.integers(2**62)))
        size, gamma = draft_tokens.shape
        draft = torch.from_numpy(draft_probs).log()
        target = torch.from_numpy(target_probs).log()
        # A prompt of one token stands before the candidates.
        sequences = torch.nn.functional.pad(torch.from_numpy(draft_tokens), (1, 0))
        accepted = np.zeros(size, dtype=int)
        tokens = np.full((size, gamma + 1), -1)
        for b in range(size):
            valid, matches = decide(sequences[b : b + 1], draft[b : b + 1], gamma,
                                    target[b : b + 1], False)
            accepted[b] = int(matches)
            tokens[b, : valid.shape[1]] = valid[0].numpy()
        return accepted, tokens

    return function
