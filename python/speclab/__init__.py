"""speclab: a laboratory for the theory of speculative decoding.

Three questions about a pair of models, a verifier and a draft length:

    speclab.exact(...)      the exact law, every sequence of the verifier's decisions
    speclab.simulate(...)   a Monte-Carlo estimate with intervals
    speclab.predict(...)    the papers' closed forms alone

one about a rule of your own, and one about somebody's implementation:

    speclab.check(rule)     lossless or the smallest counterexample, share of the optimum, proof

    speclab.audit(function, rule="block")   tests it against the exact law of a rule

    speclab.optimum(...)    the most that any verifier of a class accepts, certified
    speclab.advise(...)     which verifier and draft length decodes fastest at given costs
    speclab.score(...)      what a drafter is worth, from the log-probabilities of a target's texts
    speclab.prove(...)      a theorem for all pairs of a size
    speclab.verify(...)     the papers' claims checked
    speclab.run_on(client, ...)    runs an experiment on a Dask cluster

The module speclab.record writes down what two real models say, for the pairs recorded(FILE) and
scored(FILE); it needs NumPy and no compiled module.

Tokens are whole numbers from 0. `draft` and `target` are the two models, `gamma` is the number of
drafted tokens, `accepted` the number of them that an iteration keeps.

What is wrong with an argument is a ValueError whose message names the place and what to give; more work
than a limit allows is a LimitError; a verifier that breaks its contract is a ContractError; Ctrl-C is
a KeyboardInterrupt. Long runs let other Python threads go on.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._answers import Answers, exact, predict, simulate
    from ._audit import Case, Finding, Verdict, audit, cases
    from ._cluster import run_on
    from ._core import Choices, ContractError, LimitError, Pair, View, Window, __version__
    from ._pairs import pair
    from ._questions import Checked, Report, advise, check, optimum, prove, score, verify
    from ._verifiers import UNDEFINED, PythonVerifier, verifier, verifiers

# Read when they are first used, so that speclab.record works without the compiled module.
_HOMES = {
    "_answers": ("Answers", "exact", "predict", "simulate"),
    "_audit": ("Case", "Finding", "Verdict", "audit", "cases"),
    "_cluster": ("run_on",),
    "_core": ("Choices", "ContractError", "LimitError", "Pair", "View", "Window", "__version__"),
    "_pairs": ("pair",),
    "_questions": ("Checked", "Report", "advise", "check", "optimum", "prove", "score", "verify"),
    "_verifiers": ("UNDEFINED", "PythonVerifier", "verifier", "verifiers"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Answers", "Case", "Checked", "Choices", "ContractError", "Finding", "LimitError", "Pair",
    "PythonVerifier", "Report", "UNDEFINED", "Verdict", "View", "Window", "__version__", "advise",
    "audit", "cases", "check", "exact", "optimum", "pair", "predict", "prove", "run_on", "score",
    "simulate", "verifier", "verifiers", "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
