"""speclab: a laboratory for the theory of speculative decoding.

Three questions about a pair of models, a verifier and a draft length:

    speclab.exact(...)      the exact law, every sequence of the verifier's decisions
    speclab.simulate(...)   a Monte-Carlo estimate with intervals
    speclab.predict(...)    the papers' closed forms alone

and one about somebody's implementation:

    speclab.audit(function, rule="block")   tests it against the exact law of a rule

    speclab.run_on(client, ...)    runs an experiment on a Dask cluster

The module speclab.record writes down what two real models say, for the pair recorded(FILE).

Tokens are whole numbers from 0. `draft` and `target` are the two models, `gamma` is the number of
drafted tokens, `accepted` the number of them that an iteration keeps.

What is wrong with an argument is a ValueError whose message names the place and what to give; more work
than a limit allows is a LimitError; a verifier that breaks its contract is a ContractError; Ctrl-C is
a KeyboardInterrupt. Long runs let other Python threads go on.
"""

from ._answers import Answers, exact, predict, simulate
from ._audit import Case, Finding, Verdict, audit, cases
from ._cluster import run_on
from ._core import Choices, ContractError, LimitError, Pair, View, Window, __version__
from ._pairs import pair
from ._verifiers import UNDEFINED, PythonVerifier, verifier, verifiers

__all__ = [
    "Answers", "Case", "Choices", "ContractError", "Finding", "LimitError", "Pair",
    "PythonVerifier", "UNDEFINED", "Verdict", "View", "Window", "__version__", "audit", "cases",
    "exact", "pair", "predict", "run_on", "simulate", "verifier", "verifiers",
]
