"""Verifiers written in Python, run by the same interpreters as those of the list."""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from . import _core

#: What choices.correct() gives where its law has no weight (a 0/0).
UNDEFINED = -1

#: function(view, root, window, choices) -> (accepted, tokens)
VerifierFunction = Callable[[_core.View, int, _core.Window, _core.Choices],
                            "tuple[int, Sequence[int]]"]


class PythonVerifier:
    """A verifier that was made by speclab.verifier; give it to exact() and simulate()."""

    def __init__(self, name: str, function: VerifierFunction):
        self.name = name
        self.function = function
        self.__doc__ = function.__doc__

    def __repr__(self) -> str:
        return f"speclab.verifier({self.name!r})"


def verifier(function: VerifierFunction | None = None, *, name: str | None = None, drafts: int = 1,
             lossless: bool = True, source: str = "") -> Any:
    """Makes a verifier of a function, as a decorator or a call.

    The function runs one iteration. It is given

        view      .vocabulary (V), .draft(node) and .target(node) (laws [V]), .next(node, token)
        root      the node (context) that the iteration starts in
        window    .drafts, the tokens to draft; .bonus, whether one more may follow them
        choices   .draft(law) -> token, .accept(probability) -> bool, .choose(law) -> token and
                  .correct(law) -> token, the last decision of an iteration; a law is any array of
                  V weights, not negative, which need not sum to 1; a probability is in [0, 1]

    and returns (accepted, tokens): the number of accepted tokens, and the accepted tokens with the
    correction or bonus after them. It makes every random decision by `choices` and is a function of
    their outcomes alone: the enumerator runs it twice on every sequence of decisions, and refuses a
    function that does two things. In rational arithmetic the laws are arrays of Fractions, so that one function serves both.

    name      one word, by default the function's; defining it again replaces the function
    drafts    the number of drafts that one iteration takes, which the tables of optima look at
    lossless  whether it is meant to follow the target's law

    It is slow, some 10^4 to 10^5 decisions a second: for prototypes and small pairs.
    Raises ValueError for a name that one of speclab's own verifiers has. What the function raises
    comes out of exact() and simulate(); what it returns out of shape and a
    coin outside of [0, 1] are a ContractError.

    >>> @verifier
    ... def target_alone(view, root, window, choices):
    ...     return 0, [choices.correct(view.target(root))]
    """
    if function is None:
        return lambda given: verifier(given, name=name, drafts=drafts, lossless=lossless,
                                      source=source)
    called = (name or function.__name__).replace("_", "-")
    prose = (function.__doc__ or "a function of Python").strip().splitlines()[0]
    if drafts < 0:
        raise ValueError(f"drafts is {drafts}; give a whole number from 0")
    _core.define_verifier(called, function, prose, source, lossless, drafts)
    return PythonVerifier(called, function)


def line_of_randomness(function: Any, replay: Callable[[], None], runs: int = 32) -> str:
    """ 'mine.py:7 (if random() < 0.5:)': the last line that the runs of a function share before they
    part, of a function that does not do the same each time that `replay` runs it; "" where no line
    of its file runs."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)

    def lines() -> list[int]:
        seen: list[int] = []

        def trace(frame: Any, event: str, _: Any) -> Any:
            if event == "line" and frame.f_code.co_filename == file:
                seen.append(frame.f_lineno)
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            replay()
        except Exception:
            pass  # another decision ends the run, and its lines say where
        finally:
            sys.settrace(before)
        return seen

    first = lines()
    shared = len(first)
    for _ in range(runs):
        other = lines()
        if other != first:
            shared = sum(1 for _ in itertools.takewhile(lambda both: both[0] == both[1],
                                                        zip(first, other)))
            break
    if not first or not shared:
        return ""
    line = first[shared - 1]
    text = linecache.getline(file, line).strip()
    return f"{os.path.basename(file)}:{line}" + (f" ({text})" if text else "")


def verifiers() -> list[dict[str, str]]:
    """All verifiers: name, parameters, prose, source, kind, example, fault_of (of a faulty one the
    right one)."""
    return _core.verifiers()
