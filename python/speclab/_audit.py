"""Tests a Python function against the exact law of a rule."""

from __future__ import annotations

import html
import itertools
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from . import _core


@dataclass(frozen=True)
class Case:
    """One pair and the question about it: `trials` decisions on the drafts `drafted` [chains][gamma]
    (none where they are drawn for each request). `shows` names the known faults that this case detects."""

    name: str
    pair: dict[str, Any] = field(repr=False)
    vocabulary: int
    gamma: int
    drafts: int
    drafted: list[list[int]]
    trials: int
    shows: list[str] = field(repr=False)


@dataclass(frozen=True)
class Finding:
    """A decision whose law differs: `tv` is the distance of the observations from the law, `p_value` the
    probability of a distance like it in a right implementation (0: the law never gives what was
    seen), `resembles` a known fault whose law fits all observations, or ""."""

    case: str
    decision: str
    detail: str
    tv: float
    p_value: float
    resembles: str


@dataclass(frozen=True)
class Verdict:
    """The result of an audit. True where it passed.

    false_alarm   the probability, at most, with which a right implementation is accused
    least_power   the probability, at least, with which each fault of `shown` is found
    unseen        known faults that this audit cannot show, with the reason
    """

    rule: str
    mode: str
    verdict: str
    seed: int
    trials: int
    false_alarm: float
    least_power: float | None
    share_of_optimum: float | None
    findings: list[Finding]
    cases: list[Case] = field(repr=False)
    shown: list[str] = field(repr=False)
    unseen: list[dict[str, str]] = field(repr=False)

    @property
    def passed(self) -> bool:
        return self.verdict == "pass"

    def __bool__(self) -> bool:
        return self.passed

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n"

    def __str__(self) -> str:
        power = "" if self.least_power is None else (
            f", each of {len(self.shown)} known faults found with probability at least "
            f"{min(math.floor(self.least_power * 1e6) / 1e6, 1 - 1e-6):.6f}")
        lines = [f"{self.rule} ({self.mode}): {self.verdict.upper()} after {self.trials} decisions "
                 f"in {len(self.cases)} cases; seed {self.seed}, false alarm at most "
                 f"{self.false_alarm:.2g}{power}"]
        lines += [f"  {each.case}: {each.decision}: {each.detail}"
                  + (f" [like {each.resembles}]" if each.resembles else "")
                  for each in self.findings]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head, *_ = str(self).splitlines()
        if not self.findings:
            return f"<p>{html.escape(head)}</p>"
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in (
                each.case, each.decision, each.detail, f"{each.tv:.4g}", f"{each.p_value:.2g}",
                each.resembles)) + "</tr>" for each in self.findings)
        return (f"<p>{html.escape(head)}</p><table><tr><th>case</th><th>decision</th><th>detail</th>"
                f"<th>TV</th><th>p</th><th>resembles</th></tr>{rows}</table>")


def audit(function: Callable[..., Any], rule: str = "lossless", *, mode: str = "verify",
          drafts: int = 1, false_alarm: float = 1e-9, power: float = 1 - 1e-6, seed: int = 1,
          most_trials: int = 4_000_000,
          progress: Callable[[int, int], None] | None = None) -> Verdict:
    """Tests an implementation against the exact law of a rule.

    rule   the spec text of a verifier ("token", "block", "rrs(K=2)", ...), or "lossless": no rule
           need be known, the emitted tokens must follow the target
    mode   how it is asked:

    "verify": one decision a row of a batch, B of them a call,

        function(draft_probs [B, g, V], target_probs [B, g+1, V], draft_tokens [B, g], rng)
            -> (accepted [B], tokens)

    rows of float64 that sum to 1; row i of either stands before drafted token i, the target's last
    row after all of them. `rng` is a numpy Generator, for every random number of the call. `tokens`
    are B lists, or an array [B, g+1] padded with -1: the accepted tokens, then the correction or
    bonus. For a rule of K drafts there is one more axis: [B, K, g, V], [B, K, g+1, V], [B, K, g].
    Cases of several pairs and drafts are mixed in one batch, in random order.

    "uniforms": the same with the random numbers given, and decided exactly, without statistics,

        function(draft_probs, target_probs, draft_tokens, coins [B, n], draws [B, m])

    in the order of the decisions. "generate": whole decodes of T tokens of a pair,

        function(pair, gamma, drafts, horizon, count, rng)
            -> (tokens [count][T], accepted [count] lists, one number an iteration)

    with `pair` a dict as docs/formats.md describes file(PATH).

    drafts        of the rule "lossless": the number of drafts K; other rules say it themselves
    false_alarm   most probability with which a right implementation is accused
    power         least probability with which each known fault of the rule is found
    seed          of the drafts and of the generators given out
    most_trials   an audit that needs more decisions is refused
    progress      called now and then with (decisions made, decisions wanted)

    Raises ValueError for an unknown rule and for an answer out of shape, with what was received;
    LimitError where the power needs more than most_trials; and whatever the function raises.
    """
    if not callable(function):
        raise ValueError(f"{function!r} is no function")
    made = json.loads(_core.audit(rule, mode, drafts, false_alarm, power, seed, most_trials,
                                  _Batch(function, mode), _Decodes(function), progress))
    found = [{**each, "resembles": each["resembles"] or ""} for each in made["findings"]]
    return _made(Verdict, {**made, "cases": _cases(made),
                           "findings": [_made(Finding, each) for each in found]})


def cases(rule: str = "lossless", *, mode: str = "verify", drafts: int = 1,
          false_alarm: float = 1e-9, power: float = 1 - 1e-6, seed: int = 1,
          most_trials: int = 4_000_000) -> list[Case]:
    """The cases that audit() would use for a rule, with their trials; arguments and errors as
    there."""
    return _cases(json.loads(
        _core.audit_cases(rule, mode, drafts, false_alarm, power, seed, most_trials)))


def _made(kind: type, found: dict[str, Any]) -> Any:
    """An object of a dataclass from those members of a JSON object that it has as fields."""
    return kind(**{each.name: found[each.name] for each in fields(kind)})


def _cases(made: dict[str, Any]) -> list[Case]:
    return [_made(Case, {**each, "name": each["case"]}) for each in made["cases"]]


class _Batch:
    """All requests as one batch, its rows in random order across the requests, so that what is done
    to whole batches (rows swapped, one seed for all) is detected."""

    def __init__(self, function: Callable[..., Any], mode: str):
        self.function = function
        self.mode = mode

    def __call__(self, draft_probs, target_probs, drafts, counts, seeds, coins, draws):
        rng = np.random.default_rng(seeds)
        request = np.repeat(np.arange(len(counts)), counts)
        order = rng.permutation(len(request))
        request = request[order]
        rows = [draft_probs, target_probs, drafts]
        if drafts.shape[1] == 1:
            rows = [each[:, 0] for each in rows]
        arguments = [each[request] for each in rows]
        if self.mode == "uniforms":
            arguments += [_together(numbers)[order] for numbers in (coins, draws)]
        else:
            arguments.append(rng)
        accepted, tokens = _answer(self.function(*arguments), len(request), drafts.shape[2])
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return accepted[back], tokens[back]


class _Decodes:
    def __init__(self, function: Callable[..., Any]):
        self.function = function

    def __call__(self, pair, gamma, drafts, horizon, count, seed):
        answer = self.function(json.loads(pair), gamma, drafts, horizon, count,
                               np.random.default_rng(seed))
        tokens, accepted = _two(answer)
        tokens = _whole_array(tokens, "tokens", (count, horizon))
        try:
            counts = np.array([len(each) for each in accepted], dtype=np.int64)
            numbers = list(itertools.chain.from_iterable(accepted))
            numbers = np.array(numbers) if numbers else np.zeros(0, dtype=np.int64)
        except (TypeError, ValueError):
            raise ValueError(f"accepted is {_shown(accepted)}; give a list of whole numbers for "
                             "each decode") from None
        if len(counts) != count:
            raise ValueError(f"accepted has {len(counts)} lists; {count} decodes were asked for")
        return tokens, _whole_array(numbers, "accepted", (int(counts.sum()),)), counts


def _together(numbers: list[list[list[float]]]) -> np.ndarray:
    """[R][B][..] as [N, most]; what a shorter row lacks is 1/2, which no decision takes."""
    rows = [row for request in numbers for row in request]
    together = np.full((len(rows), max(map(len, rows), default=0)), 0.5)
    for i, row in enumerate(rows):
        together[i, : len(row)] = row
    return together


def _shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else text[:77] + "..."


def _two(answer: Any) -> tuple[Any, Any]:
    try:
        first, second = answer
    except (TypeError, ValueError):
        raise ValueError(f"the function returned {_shown(answer)}; return (accepted, tokens)"
                         ) from None
    return first, second


def _whole_list(values: Any, what: str) -> list[int]:
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"{what} holds {_shown(values)}; give lists of whole numbers")
    return [int(each) for each in array]


def _whole_array(values: Any, what: str, shape: tuple[int, ...]) -> np.ndarray:
    """@returns int64; a float or a text is refused, not rounded."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{what} is {_shown(values)}; give an array of whole numbers") from None
    if array.shape != shape:
        raise ValueError(f"{what} has the shape {array.shape}; it must be {shape}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"{what} has entries of {array.dtype}; give whole numbers")
    return array.astype(np.int64)


def _answer(answer: Any, size: int, gamma: int) -> tuple[np.ndarray, np.ndarray]:
    """What a function returned as accepted [B] and tokens [B, g + 1] padded with -1."""
    accepted, tokens = _two(answer)
    accepted = _whole_array(accepted, "accepted", (size,))
    if isinstance(tokens, (list, tuple)) and len(tokens) == size:
        padded = np.full((size, gamma + 1), -1, dtype=np.int64)
        for i, row in enumerate(tokens):
            row = _whole_list(row, f"tokens, decision {i}")
            if len(row) > gamma + 1:
                raise ValueError(f"tokens, decision {i}: {len(row)} tokens; at most {gamma + 1}")
            padded[i, : len(row)] = row
        return accepted, padded
    return accepted, _whole_array(tokens, "tokens", (size, gamma + 1))
