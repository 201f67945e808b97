"""Questions and their answers: exact laws, estimates, closed forms."""

from __future__ import annotations

import difflib
import io
import json
import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from ._pairs import as_pair
from ._verifiers import PythonVerifier

if TYPE_CHECKING:
    import pandas

_WHOLE = ("horizon", "iterations", "trials", "seed")
_NUMBERS = ("value", "stderr", "ci95_low", "ci95_high", "predicted", "z", "bound")


class Answers:
    """The results: one per combination of pair, verifier and draft length, in this order.

    frame      a pandas DataFrame, one row a number; the columns of schema 2 (docs/formats.md, CSV)
    results    a list of dicts, one a combination, as in the JSON of schema 2
    to_json()  that JSON as text, to_csv() the CSV; print() shows the program's table

    Numbers are the same in all of them, to the last bit.
    """

    def __init__(self, answers: list[_core.Answer]):
        self._answers = answers
        self._frame: pandas.DataFrame | None = None

    def to_csv(self) -> str:
        return _core.answers_csv(self._answers)

    def to_json(self) -> str:
        return _core.answers_json(self._answers)

    @property
    def results(self) -> list[dict[str, Any]]:
        return json.loads(self.to_json())["results"]

    @property
    def frame(self) -> pandas.DataFrame:
        """Text columns hold "" where nothing applies, columns of numbers NaN (or pandas.NA where
        they are whole); gamma is an int or math.inf."""
        if self._frame is None:
            import pandas

            frame = pandas.read_csv(io.StringIO(self.to_csv()), dtype=str, keep_default_na=False)
            for name in _NUMBERS:
                frame[name] = [float(text) if text else math.nan for text in frame[name]]
            for name in _WHOLE:
                frame[name] = pandas.array([int(text) if text else None for text in frame[name]],
                                           dtype="UInt64")
            frame["gamma"] = pandas.Series(
                [math.inf if text == "inf" else int(text) for text in frame["gamma"]], dtype=object)
            self._frame = frame
        return self._frame

    def value(self, quantity: str, index: Any = None) -> float:
        """The one number of a quantity, such as "iteration.expected_accepted", or of its element.

        Raises KeyError where there is none, with the names that come near, and ValueError where
        several combinations have one.
        """
        rows = self.frame[(self.frame["quantity"] == quantity)
                          & (self.frame["method"].isin(["exact", "simulate"]))
                          & (self.frame["index"] == ("" if index is None else str(index)))]
        if rows.empty:
            raise KeyError(self._missing(quantity, index))
        if len(rows) > 1:
            raise ValueError(f"{len(rows)} combinations have {quantity}; look it up in the frame")
        return float(rows["value"].iloc[0])

    def _missing(self, quantity: str, index: Any) -> str:
        """Why there is no such number, and what there is."""
        found = self.frame[self.frame["method"].isin(["exact", "simulate"])]
        there = list(dict.fromkeys(found["quantity"]))
        if quantity in there:
            known = list(dict.fromkeys(found[found["quantity"] == quantity]["index"]))
            shown = ", ".join(repr(each) for each in known[:8]) + (", ..." if len(known) > 8 else "")
            return f"{quantity} at {index!r}; its indices are {shown}"
        word = quantity.rsplit(".", 1)[-1]
        near = [name for name in there if word in name or name.rsplit(".", 1)[-1] in word]
        near += [name for name in difflib.get_close_matches(quantity, there, 4, 0.5)
                 if name not in near]
        return f"{quantity}" + (f"; did you mean {' or '.join(near)}?" if near
                                else f"; there are {', '.join(there)}")

    def __len__(self) -> int:
        return len(self._answers)

    def __str__(self) -> str:
        return _core.answers_table(self._answers)

    def __repr__(self) -> str:
        count = len(self._answers)
        return f"<speclab.Answers of {count} question{'s' if count != 1 else ''}: .frame, .results>"

    def _repr_html_(self) -> str:
        return self.frame._repr_html_()


def exact(pair: Any, verifier: Any, gamma: Any, *, horizon: int | None = None, iterations: int = 0,
          law: bool = False, long_run: bool = False, arithmetic: str = "rational",
          latency: Mapping[str, float] | str | None = None, max_paths: float = 1e8,
          threads: int | None = None, max_memory: int | None = None) -> Answers:
    """The exact law of a verifier, with the closed forms that apply.

    pair        a speclab.pair, what speclab.pair takes, or a list of them
    verifier    spec text such as "block" or "rrs(K=2)", a speclab.verifier, or a list of them
    gamma       tokens drafted in an iteration, from 1; math.inf: up to the horizon; or a list
    horizon     T: whole decodes of T tokens as well
    iterations  N: expected tokens after 1, 2, .., N iterations as well
    law         the law of the T tokens, and of the tokens after each iteration, as well
    long_run    the limits as the horizon goes to infinity as well
    arithmetic  "rational" (fractions, no rounding) or "double" (faster)
    latency     {"draft": a, "verifier": b, "target": c} in any one unit of time: modelled time and
                work as well
    max_paths   most sequences of decisions in an iteration
    threads     default: as many as the machine has; the result is the same
    max_memory  limit on the bytes of rows and tables (default: three quarters of what is free)

    Raises ValueError, LimitError, ContractError, KeyboardInterrupt (see the package).
    Source: the enumerator of src/exact; sun2025, sun2024, yin2024, lin2026, zhong2025 for the forms.

    >>> exact("bernoulli(draft=2/3,target=1/3)", "block", 2).value("iteration.expected_accepted")
    1.2222222222222223
    """
    rational = _one_of("arithmetic", arithmetic, ("rational", "double")) == "rational"
    latency_text = _latency_text(latency)
    _needs_length(law, horizon, iterations)

    def ask(asker: _core.Asker, one: _core.Pair, name: str, length: int, workers: int) -> Any:
        return asker.exact(one, name, length, horizon, iterations, law, long_run, rational,
                           latency_text, max_paths, workers)

    return _ask_all(ask, pair, verifier, gamma, horizon, iterations, threads, max_memory)


def simulate(pair: Any, verifier: Any, gamma: Any, *, trials: int = 100_000, seed: int = 1,
             horizon: int | None = None, iterations: int = 0, law: bool = False,
             estimator: str = "plain", latency: Mapping[str, float] | str | None = None,
             threads: int | None = None, max_memory: int | None = None) -> Answers:
    """A Monte-Carlo estimate of every quantity with its 95% interval, and the closed forms.

    trials     from 2
    seed       with the number of trials it decides every number, whatever the threads
    estimator  "plain", or "conditional": the drafts are sampled and the coins enumerated

    The rest is as for speclab.exact, and so are the errors. An interrupted run gives nothing.
    """
    conditional = _one_of("estimator", estimator, ("plain", "conditional")) == "conditional"
    latency_text = _latency_text(latency)
    _needs_length(law, horizon, iterations)

    def ask(asker: _core.Asker, one: _core.Pair, name: str, length: int, workers: int) -> Any:
        return asker.simulate(one, name, length, horizon, iterations, law, latency_text, trials,
                              seed, conditional, workers)

    return _ask_all(ask, pair, verifier, gamma, horizon, iterations, threads, max_memory)


def predict(pair: Any, verifier: Any, gamma: Any, *, horizon: int | None = None,
            iterations: int = 0, arithmetic: str = "rational",
            latency: Mapping[str, float] | str | None = None) -> Answers:
    """The papers' closed forms alone, nothing enumerated or drawn. Arguments and errors as for
    speclab.exact."""
    rational = _one_of("arithmetic", arithmetic, ("rational", "double")) == "rational"
    latency_text = _latency_text(latency)

    def ask(asker: _core.Asker, one: _core.Pair, name: str, length: int, workers: int) -> Any:
        return asker.predict(one, name, length, horizon, iterations, rational, latency_text)

    return _ask_all(ask, pair, verifier, gamma, horizon, iterations, None, None)


def _ask_all(ask: Callable[..., Any], pairs: Any, verifiers: Any, gammas: Any, horizon: int | None,
             iterations: int, threads: int | None, max_memory: int | None) -> Answers:
    if horizon is not None:
        _whole("horizon", horizon, 1)
    _whole("iterations", iterations, 0)
    workers = 0 if threads is None else _whole("threads", threads, 1)
    lengths = [_gamma(each) for each in _listed(gammas)]
    made = [as_pair(each) for each in (pairs if isinstance(pairs, list) else [pairs])]
    asker = _core.Asker(max_memory)
    answers = []
    for one in made:
        for each in _listed(verifiers):
            for length in lengths:
                # Python runs one thread at a time: more threads would only wait.
                alone = isinstance(each, PythonVerifier)
                answers.append(ask(asker, one, _verifier_name(each), length, 1 if alone else workers))
    for each in _listed(verifiers):
        if isinstance(each, PythonVerifier):
            _warn_if_broken(each)
    return Answers(answers)


def _warn_if_broken(verifier: PythonVerifier) -> None:
    """Warns of a verifier that declares itself lossless and is not."""
    broken = _core.broken_declaration(verifier.name)
    if broken is not None:
        warnings.warn(f"{verifier.name} declares itself lossless and is not: {broken}; speclab.check "
                      "has the counterexample, lossless=False declares it", stacklevel=4)


def _listed(given: Any) -> list[Any]:
    if isinstance(given, (str, PythonVerifier)) or not isinstance(given, Iterable):
        return [given]
    return list(given)


def _verifier_name(given: Any) -> str:
    if isinstance(given, PythonVerifier):
        return given.name
    if isinstance(given, str):
        return given
    raise ValueError(f"{given!r} is no verifier; give a spec text such as 'block', or a "
                     "speclab.verifier")


def _gamma(given: Any) -> int:
    if given == math.inf or given == "inf":
        return _core.UNBOUNDED
    return _whole("gamma", given, 1)


def _whole(what: str, given: Any, least: int) -> int:
    try:
        value = int(given)
    except (TypeError, ValueError, OverflowError):
        value = None
    if value is None or value != given or not least <= value <= _core.LARGEST_LENGTH:
        raise ValueError(f"{what} is {given!r}; give a whole number from {least} to "
                         f"{_core.LARGEST_LENGTH}")
    return value


def _one_of(what: str, given: str, choices: tuple[str, ...]) -> str:
    if given not in choices:
        raise ValueError(f"{what} is {given!r}; give one of {', '.join(choices)}")
    return given


def _needs_length(law: bool, horizon: int | None, iterations: int) -> None:
    if law and horizon is None and not iterations:
        raise ValueError("law needs a horizon or iterations")


def _latency_text(latency: Mapping[str, float] | str | None) -> str | None:
    """The text that the command line takes, from its parts or as it stands."""
    if latency is None or isinstance(latency, str):
        return latency
    return ",".join(f"{key}={value}" for key, value in latency.items())
