"""Pairs of models from NumPy arrays and spec texts."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np

from . import _core

_KINDS = {1: "iid", 2: "chain", 3: "nonstationary"}


def pair(draft: Any, target: Any = None, *, prompt: Any = None, name: str | None = None) -> _core.Pair:
    """A draft and a target model.

    draft, target   arrays of one shape, each row a law over V tokens:
                      [V]        every token is drawn alike (iid)
                      [V, V]     row x: after token x (chain)
                      [T, V, V]  as chain, position by position (the pair then has T positions)
    prompt          [V], the law of the token before position 1, for the last two; uniform by default
    name            what the pair is called in answers

    Entries are floats, or Fractions for exact answers in small fractions: a float stands for its
    exact binary value, and a row of floats may miss 1 by 1e-9 (it is renormalised).

    In place of the arrays `draft` may be a spec text, "bernoulli(draft=2/3,target=1/3)" (`speclab
    list pairs`), or a dict as docs/formats.md describes file(PATH).

    Raises ValueError naming the row and what to give.

    >>> pair([2/3, 1/3], [1/3, 2/3]).vocabulary
    2
    """
    if isinstance(draft, str):
        _refuse_rest("a spec text", target, prompt, name)
        return _core.pair_of_spec(draft)
    if isinstance(draft, dict):
        _refuse_rest("a dict", target, prompt, None)
        return _core.pair_of_json(json.dumps(draft, default=_entry), name or "pair")
    if target is None:
        raise ValueError("the target is missing; give pair(draft, target), two arrays of one shape")
    draft, target = _array(draft, "draft"), _array(target, "target")
    if draft.shape != target.shape:
        raise ValueError(f"draft has the shape {draft.shape} and target {target.shape}; give both "
                         "the same")
    if draft.ndim not in _KINDS or (draft.ndim > 1 and draft.shape[-1] != draft.shape[-2]):
        raise ValueError(f"the laws have the shape {draft.shape}; give [V], [V, V] or [T, V, V]")
    kind = _KINDS[draft.ndim]
    made = {"vocabulary": draft.shape[-1], "kind": kind, "draft": draft.tolist(),
            "target": target.tolist()}
    if prompt is not None:
        made["prompt"] = _array(prompt, "prompt").tolist()
    text = json.dumps(made, default=_entry)
    return _core.pair_of_json(text, name or f"arrays(kind={kind},vocabulary={draft.shape[-1]})")


def as_pair(given: Any) -> _core.Pair:
    """A pair as it is, or that of a spec text, a dict or two arrays (draft, target)."""
    if isinstance(given, _core.Pair):
        return given
    return pair(*given) if isinstance(given, tuple) else pair(given)


def _refuse_rest(what: str, *rest: Any) -> None:
    if any(each is not None for each in rest):
        raise ValueError(f"{what} is a whole pair; give nothing beside it")


def _array(rows: Any, what: str) -> np.ndarray:
    try:
        array = np.asarray(rows)
    except ValueError as error:
        raise ValueError(f"{what} is no array: {error}") from None
    if array.dtype != object:
        if array.dtype.kind not in "fiu":
            raise ValueError(f"{what} has entries of {array.dtype}; give numbers or Fractions")
        array = array.astype(float)
    return array


def _entry(value: Any) -> Any:
    """An entry without a JSON counterpart."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise ValueError(f"{value!r} is no probability; give numbers or Fractions")
