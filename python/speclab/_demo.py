"""python3 -m speclab.record: a recording of two n-gram models of a text, to try recorded(FILE) with."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from ._recordings import DTYPES, ROWS
from .record import record


class NGram:
    """ids -> logits [V] of a text's next token after the last `order` of them: counts, with the shorter
    context's law as if it had been seen `_PSEUDO` times more."""

    _PSEUDO = 2.0

    def __init__(self, text: list[int], vocabulary: int, order: int):
        self.vocabulary, self.order = vocabulary, order
        self.counts: defaultdict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
        for at, token in enumerate(text):
            for length in range(min(order, at) + 1):
                self.counts[tuple(text[at - length : at])][token] += 1

    def __call__(self, ids: list[int]) -> np.ndarray:
        law = np.full(self.vocabulary, 1 / self.vocabulary)
        for length in range(min(self.order, len(ids)) + 1):
            found = self.counts.get(tuple(ids[len(ids) - length :]))
            if found is None:
                break
            law *= self._PSEUDO
            np.add.at(law, list(found), list(found.values()))
            law /= law.sum()
        return np.log(law)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m speclab.record",
        description="A recording of two n-gram models of a text's characters: something to try speclab "
        "simulate --pair 'recorded(FILE)' with. Your own models are recorded from Python; see "
        "docs/recording.md.")
    parser.add_argument("file", help="the recording to write; FILE.part is gone on with")
    parser.add_argument("--demo", metavar="TEXT", required=True, help="a text file")
    parser.add_argument("--draft-order", type=int, default=1, metavar="N",
                        help="tokens that the draft looks back (default 1)")
    parser.add_argument("--target-order", type=int, default=4, metavar="N",
                        help="tokens that the target looks back (default 4)")
    parser.add_argument("--prompts", type=int, default=50, metavar="P", help="(default 50)")
    parser.add_argument("--positions", type=int, default=64, metavar="N",
                        help="drafted tokens recorded a prompt (default 64)")
    parser.add_argument("--draft-length", type=int, default=8, metavar="L",
                        help="tokens drafted before the target looks (default 8)")
    parser.add_argument("--temperature", type=float, default=1.0, metavar="T", help="(default 1)")
    parser.add_argument("--rows", choices=ROWS, default="probabilities")
    parser.add_argument("--dtype", choices=DTYPES, default="float32")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="(default 1)")
    options = parser.parse_args(arguments)
    try:
        text = Path(options.demo).read_text(encoding="utf-8")
        letters = {letter: token for token, letter in enumerate(sorted(set(text)))}
        tokens = [letters[letter] for letter in text]
        if options.prompts < 1 or len(tokens) < 16 + options.prompts:
            raise ValueError(f"{options.demo} has {len(tokens)} characters; give a longer text, or fewer "
                             "prompts, from 1")
        if min(options.draft_order, options.target_order) < 0:
            raise ValueError("the order of a model is from 0")
        step = (len(tokens) - 16) // options.prompts
        record(options.file, NGram(tokens, len(letters), options.draft_order),
               NGram(tokens, len(letters), options.target_order),
               [tokens[at * step : at * step + 16] for at in range(options.prompts)],
               positions=options.positions, draft_length=options.draft_length,
               temperature=options.temperature, rows=options.rows, dtype=options.dtype,
               seed=options.seed, draft_model=f"{options.draft_order + 1}-gram",
               target_model=f"{options.target_order + 1}-gram", tokenizer="characters")
    except (OSError, ValueError) as error:
        print(f"python3 -m speclab.record: {error}", file=sys.stderr)
        return 3
    print(f"{options.file}: {options.prompts} prompts, {options.positions} positions, vocabulary "
          f"{len(letters)}")
    return 0
