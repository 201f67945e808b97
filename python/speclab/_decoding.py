"""Speculative decoding of two functions ids -> logits, and the rows that it passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._recordings import checked_rows, kept_of, law_of

Model = Callable[[list[int]], Any]


@dataclass(frozen=True)
class Plan:
    positions: int
    draft_length: int
    continue_with: str
    end_token: int | None
    paths: int = 1
    argmax: bool = False


class TemperedModel:
    """A model's rows as they are stored."""

    def __init__(self, name: str, ask: Model, vocabulary: int, temperature: float, rows: str,
                 dtype: str):
        self.name, self.ask, self.vocabulary = name, ask, vocabulary
        self.temperature, self.rows, self.dtype = temperature, rows, dtype

    def kept(self, ids: list[int], count: int, prompt: int, position: int) -> np.ndarray:
        """The rows after the last `count` prefixes of the ids: [count, V]; the first of them is that
        of a position."""
        found: list[np.ndarray] = []
        while sum(map(len, found)) < count:
            missing = count - sum(map(len, found))
            asked = self._asked(ids[: len(ids) - count + missing], prompt)
            found.insert(0, np.array(asked[-missing:], dtype=np.float64))  # an engine may reuse its own
        logits = np.concatenate(found)
        _check_logits(self.name, logits, prompt, position)
        if self.temperature == 0:
            best = logits.argmax(axis=1)
            logits = np.where(np.arange(self.vocabulary) == best[:, None], 0.0, -np.inf)
        else:
            logits = logits / self.temperature
        kept = kept_of(logits, self.rows, self.dtype)
        return checked_rows(self.name, f"prompt {prompt}", kept, self.rows, self.dtype, position)

    def _asked(self, ids: list[int], prompt: int) -> np.ndarray:
        logits = array_of(self.ask(list(ids)))
        if logits.ndim == 1:
            logits = logits[None]
        if logits.ndim != 2 or not 1 <= len(logits) <= len(ids):
            raise ValueError(f"prompt {prompt}: for {len(ids)} tokens the {self.name} gives an array "
                             f"{logits.shape}; give [V], or [n, V] with a row a token")
        if logits.shape[1] != self.vocabulary:
            raise ValueError(f"prompt {prompt}: the {self.name} gives {logits.shape[1]} logits; the "
                             f"vocabulary is {self.vocabulary}; cut both models to the tokens that "
                             "they share")
        return logits


Segment = tuple[list[int], np.ndarray, np.ndarray]  # drafts [l], draft [l, V], target [l + 1, V]


def _whole(segments: tuple[Segment, ...], starts: list[int]) -> tuple[np.ndarray, ...]:
    """A path. The row after a segment gives way to the next one's first, of another context."""
    tokens, draft, target = zip(*segments)
    return (np.concatenate(tokens).astype(np.int32), np.array(starts, dtype=np.uint8),
            np.concatenate(draft), np.concatenate([*(rows[:-1] for rows in target), target[-1][-1:]]))


def _on_path(drafted: list[int], output: list[int]) -> list[int]:
    """The output's tokens in the contexts of the drafts: the last is the first that is no draft."""
    same = next((i for i, (draft, token) in enumerate(zip(drafted, output)) if draft != token),
                len(output))
    known = output[: same + 1][: len(drafted)]
    return known + [-1] * (len(drafted) - len(known))


class Decode:
    """Speculative decoding after one prompt."""

    def __init__(self, number: int, prompt: list[int], draws: np.random.Generator, draft: TemperedModel,
                 target: TemperedModel):
        self.number, self.context, self.draws = number, list(prompt), draws
        self.draft, self.target = draft, target

    def record(self, plan: Plan,
               show: Callable[[float], None]) -> tuple[list[tuple[np.ndarray, ...]], np.ndarray]:
        """For each path tokens [n], starts [n], draft [n, V], target [n + 1, V]; and of the first
        path what the output has in the context of each position, [n], -1 where it has left it."""
        starts: list[int] = []
        emitted: list[int] = []
        segments: list[list[Segment]] = []
        while len(starts) < plan.positions:
            at = len(starts)
            length = min(plan.draft_length, plan.positions - at)
            segments.append(self._segments(length, at, plan))
            starts += [1] + [0] * (length - 1)
            show(len(starts) / plan.positions)
            more = len(starts) < plan.positions
            # Behind the last segment token verification asks no model; the target would be asked.
            known = more or plan.continue_with == "token"
            output = self._output(*segments[-1][0], plan, at) if known else []
            emitted += _on_path(segments[-1][0][0], output)
            self.context += output
            if more and plan.end_token in output:
                break
        return [_whole(path, starts) for path in zip(*segments)], np.array(emitted, dtype=np.int32)

    def _segments(self, length: int, at: int, plan: Plan) -> list[Segment]:
        """The drafts from here, path by path. A context has one row for all paths."""
        known: tuple[dict[tuple[int, ...], np.ndarray], ...] = ({}, {})
        return [self._segment(length, at, plan.argmax, *known) for _ in range(plan.paths)]

    def _segment(self, length: int, at: int, argmax: bool, draft: dict[tuple[int, ...], np.ndarray],
                 target: dict[tuple[int, ...], np.ndarray]) -> Segment:
        drafted: list[int] = []
        for i in range(length):
            before = tuple(drafted)
            if before not in draft:
                draft[before] = self.draft.kept(self.context + drafted, 1, self.number, at + i)[0]
            law = law_of(draft[before], self.draft.rows)
            drafted.append(int(law.argmax()) if argmax else pick(law, self.draws.random()))
        befores = [tuple(drafted[:i]) for i in range(length + 1)]
        if befores[-1] not in target:
            rows = self.target.kept(self.context + drafted, length + 1, self.number, at)
            for before, row in zip(befores, rows):
                target.setdefault(before, row)
        return (drafted, np.stack([draft[before] for before in befores[:-1]]),
                np.stack([target[before] for before in befores]))

    def _output(self, drafted: list[int], draft_rows: np.ndarray, target_rows: np.ndarray,
                plan: Plan, at: int) -> list[int]:
        """The true continuation of the context: a sample of the target."""
        draft, target = law_of(draft_rows, self.draft.rows), law_of(target_rows, self.target.rows)
        if plan.argmax:  # nothing is drawn from the draft: a law of one token
            draft = np.eye(draft.shape[1])[drafted]
        if plan.continue_with == "token":
            return verified(drafted, draft, target, self.draws)
        output = [pick(target[0], self.draws.random())]
        while len(output) < len(drafted):
            row = self.target.kept(self.context + output, 1, self.number, at + len(output))
            output.append(pick(law_of(row[0], self.target.rows), self.draws.random()))
        return output


def verified(drafted: list[int], draft: np.ndarray, target: np.ndarray,
              draws: np.random.Generator) -> list[int]:
    """Token verification: the accepted tokens, then the correction or the bonus token."""
    for i, token in enumerate(drafted):
        if not draws.random() * draft[i, token] < target[i, token]:
            return [*drafted[:i], pick(np.maximum(target[i] - draft[i], 0), draws.random())]
    return [*drafted, pick(target[-1], draws.random())]


def pick(weights: np.ndarray, uniform: float) -> int:
    """A token with probability proportional to its weight."""
    sums = np.cumsum(weights)
    if not sums[-1] > 0:
        raise ArithmeticError("a correction is drawn from a law of no weight: 0/0")
    token = int(np.searchsorted(sums, uniform * sums[-1], side="right"))
    return token if token < len(sums) else int(np.flatnonzero(weights)[-1])


def array_of(given: Any) -> np.ndarray:
    """An array of what a model gives; a tensor may be on a device, and of a type that NumPy lacks."""
    if hasattr(given, "detach"):
        given = given.detach().cpu()
        given = (given.float() if given.element_size() < 4 else given).numpy()
    array = np.asarray(given)
    if array.dtype.kind not in "fiu":
        raise ValueError(f"a model gives {array.dtype}; give logits")
    return array


def _check_logits(name: str, logits: np.ndarray, prompt: int, position: int) -> None:
    """A logit is a number, or -inf for an impossible token."""
    wrong = np.isnan(logits) | (logits == np.inf)
    wrong[:, 0] |= (logits == -np.inf).all(axis=1)
    if wrong.any():
        row, token = np.argwhere(wrong)[0]
        raise ValueError(f"prompt {prompt}, position {position + row}: the {name}'s logit of token "
                         f"{token} is {logits[row, token]}; give numbers, or -inf for a token that "
                         "cannot come, not for all")
