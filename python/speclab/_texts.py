"""Texts with two log-probabilities a token, for speclab score (docs/score.md)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._decoding import TemperedModel, pick


def _logs(kept: np.ndarray) -> np.ndarray:
    """Log-probabilities of rows of logits whose largest is 0. [n, V]"""
    with np.errstate(divide="ignore"):
        return kept - np.log(np.exp(kept).sum(axis=1, keepdims=True))


def _drawn(target: TemperedModel, number: int, prompt: list[int], tokens: int, end_token: int | None,
           draws: np.random.Generator) -> tuple[list[int], list[float]]:
    """A text of the target behind a prompt, and its log-probabilities."""
    text: list[int] = []
    logs: list[float] = []
    while len(text) < tokens and (not text or text[-1] != end_token):
        row = _logs(target.kept(prompt + text, 1, number, len(text)))[0]
        text.append(pick(np.exp(row), draws.random()))
        logs.append(float(row[text[-1]]))
    return text, logs


def _given(model: TemperedModel, number: int, prompt: list[int], text: list[int]) -> list[float]:
    """The log-probabilities of a text behind a prompt."""
    rows = _logs(model.kept([*prompt, *text[:-1]], len(text), number, 0))
    return [float(log) for log in rows[np.arange(len(text)), text]]


def write_texts(path: str | Path, draft: TemperedModel, target: TemperedModel,
                prompts: Sequence[list[int]], texts: Sequence[list[int]] | None, tokens: int,
                end_token: int | None, seed: int, show: Callable[[float], None]) -> Path:
    """A line a prompt; FILE.part becomes FILE at the end."""
    path = Path(path)
    if path.exists():
        raise FileExistsError(f"{path} is there already; give another name, or remove it")
    part = path.with_name(path.name + ".part")
    with open(part, "w", encoding="ascii") as file:
        for number, prompt in enumerate(prompts):
            draws = np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, number])))
            if texts is None:
                text, of_target = _drawn(target, number, prompt, tokens, end_token, draws)
            else:
                text = texts[number]
                of_target = _given(target, number, prompt, text)
            line: dict[str, Any] = {"id": number, "target_logprobs": of_target,
                                    "draft_logprobs": _given(draft, number, prompt, text),
                                    "tokens": text}
            file.write(json.dumps(line) + "\n")
            show(number + 1)
    os.replace(part, path)
    return path
