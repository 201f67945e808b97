"""Optima, advice, proofs, claims, and a rule of one's own judged as a whole."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from . import _core
from ._answers import _gamma, _latency_text, _listed, _one_of, _verifier_name, _whole
from ._pairs import as_pair
from ._verifiers import PythonVerifier

_CLASSES = ("coupling", "plug-and-play", "algorithm2", "conditionally-independent")
_EFFORTS = ("quick", "standard", "thorough")
_FORMATS = ("table", "json", "csv", "markdown")


class Report:
    """What was found: print() shows the program's table.

    data       the JSON of schema 2 as a dict (docs/formats.md)
    results    its list of results, where it has one
    to_json()  that JSON as text
    """

    def __init__(self, json_text: str, table: str):
        self._json = json_text
        self._table = table

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self._json)

    @property
    def results(self) -> list[dict[str, Any]]:
        return self.data["results"]

    def to_json(self) -> str:
        return self._json

    def __str__(self) -> str:
        return self._table

    def __repr__(self) -> str:
        return f"<speclab.{type(self).__name__}: print it, or see .data>"


class Checked(Report):
    """What speclab.check found of one rule: true where the rule is lossless."""

    def __init__(self, rules: _core.CheckedRules):
        super().__init__(rules.text(_FORMATS.index("json")), rules.text(_FORMATS.index("table")))
        self.rules = rules
        #: Whether the rule declares itself lossless.
        self.declared_lossless: bool = rules.declared()[0]

    @property
    def result(self) -> dict[str, Any]:
        return self.results[0]

    def __bool__(self) -> bool:
        return self.result["lossless"]

    def text(self, form: str) -> str:
        """In a format: table, json, csv or markdown."""
        return self.rules.text(_FORMATS.index(_one_of("the format", form, _FORMATS)))


def check(verifier: Any, pairs: Any = (), gamma: Any = (1, 2), *, source: str | None = None) -> Checked:
    """Whether a rule is lossless, exactly: on the battery that `speclab verify --controls` uses and
    on the pairs given; with the smallest counterexample, what is undefined, what is accepted against
    other rules and the optimum, and a proof for all pairs of two tokens where there can be one.

    verifier  spec text or a speclab.verifier
    pairs     a speclab.pair, what speclab.pair takes, or a list of them
    gamma     draft lengths on these pairs
    source    "FILE.py:NAME", where the command line finds a verifier of Python

    >>> bool(check("block"))
    True
    """
    name = _verifier_name(verifier)
    made = [as_pair(each) for each in (pairs if isinstance(pairs, (list, tuple)) else [pairs])]
    lengths = [_whole("gamma", each, 1) for each in _listed(gamma)]
    rules = _core.check_rules([name], made, lengths)
    found = rules.counterexamples()[0]
    if found is not None:
        rules.set_command(0, _command(verifier, name, source, *found))
    return Checked(rules)


def _command(verifier: Any, name: str, source: str | None, pair: str, gamma: int,
             horizon: int) -> str:
    """What shows a counterexample: a command of the shell, or a line of Python for a function that
    no file is known to hold."""
    if not isinstance(verifier, PythonVerifier):
        return (f"speclab exact --pair {shlex.quote(pair)} --verifier {shlex.quote(name)} "
                f"--gamma {gamma} --horizon {horizon} --law")
    if source is not None:
        return (f"speclab check --python {shlex.quote(source)} --pair {shlex.quote(pair)} "
                f"--gamma {gamma}")
    return f"speclab.exact({pair!r}, {name!r}, {gamma}, horizon={horizon}, law=True)"


def optimum(pair: Any, gamma: Any, drafts: Any = 1, *, verifiers: str = "coupling",
            arithmetic: str = "rational", certificate: bool = False, plan: bool = False) -> Report:
    """The most that any verifier of a class accepts of one iteration's drafts, certified.

    drafts       the number of i.i.d. drafts, or a list
    verifiers    the class: "coupling", "plug-and-play", "algorithm2" or "conditionally-independent"
    arithmetic   "rational" (certified) or "double" (within about 1e-9)
    certificate  the prices that prove it as well
    plan         the coupling that attains it as well

    >>> optimum("bernoulli(draft=2/3,target=1/3)", 2).results[0]["optimum"]["exact"]
    '4/3'
    """
    _one_of("verifiers", verifiers, _CLASSES)
    rational = _one_of("arithmetic", arithmetic, ("rational", "double")) == "rational"
    return _report(_core.optimum(_pairs(pair), [_gamma(each) for each in _listed(gamma)],
                                 [_whole("drafts", each, 1) for each in _listed(drafts)], verifiers,
                                 rational, certificate, plan))


def advise(pair: Any, latency: Mapping[str, Any] | str, verifier: Any = ("token", "block"),
           gamma: Any = range(1, 9), *, batch: Any = (), horizon: int = 256,
           trials: int = 100_000, seed: int = 1, threads: int | None = None) -> Report:
    """Which verifier and draft length decodes fastest at given costs, or that none is worth it.

    latency  {"draft": 0.1, "target": "20+0.1n"} and more, or the text that `speclab advise --latency`
             takes
    batch    also the choice when so many sequences are decoded side by side: each replaced when it
             ends, and all waiting for the slowest
    horizon  tokens of a decode, cut at the pair's length
    trials   the most decodes of a candidate
    """
    return _report(_core.advise(_pairs(pair), [_verifier_name(each) for each in _listed(verifier)],
                                sorted({_whole("gamma", each, 1) for each in _listed(gamma)}),
                                _latency_text(latency), [int(each) for each in _listed(batch)],
                                _whole("horizon", horizon, 1), _whole("trials", trials, 128), seed,
                                threads or 0))


def prove(verifier: Any, vocabulary: int = 2, gamma: int | str = 2, models: str = "iid", *,
          property: str = "lossless", seconds: float = 300, threads: int | None = None) -> Report:
    """A theorem for all pairs of a size, or the smallest counterexample.

    gamma     the draft length; "all": every one, for pairs with any contexts, by induction (of
              verifiers that declare what their decisions depend on: token, block)
    models    "iid": one law a model; "tree": one for each prefix of up to gamma tokens; not read
              where gamma is "all"
    property  "lossless", "equals:SPEC", "at-least:SPEC" or "predicts:CLAIM"
    """
    tree = _one_of("models", models, ("iid", "tree")) == "tree"
    length = None if gamma == "all" else _whole("gamma", gamma, 1)
    return _report(_core.prove(_verifier_name(verifier), _whole("vocabulary", vocabulary, 2), length,
                               tree, property, float(seconds), threads or 0))


def verify(claims: Sequence[str] | str = (), *, pair: Any = None, effort: str = "standard",
           seed: int = 1, threads: int | None = None) -> Report:
    """The papers' claims checked: ids, or the beginning of several ("lin2026"); by default all.

    pair    check them on this pair alone
    effort  "quick", "standard" or "thorough"
    """
    _one_of("effort", effort, _EFFORTS)
    ids = [claims] if isinstance(claims, str) else list(claims)
    return _report(_core.verify(ids, _EFFORTS.index(effort), seed, threads or 0,
                                None if pair is None else as_pair(pair)))


def score(files: Any, verifier: Any = ("token", "block"), gamma: Any = range(1, 17), *, by: str = "",
          text: str = "target", threads: int | None = None) -> Report:
    """What a drafter is worth: tokens a target call, from the log-probabilities of a target's texts
    under both models (docs/score.md). `speclab.record.record_texts` writes such files, and
    `speclab.advise("scored(FILE)", latency)` says what is fastest.

    files  a file of texts, or a list of them
    gamma  draft lengths from 1 to 16; those that the texts do not answer for are left out
    by     a row for each value of this member of the lines
    text   who wrote the texts: "target" or "human"
    """
    lengths = sorted({_whole("gamma", each, 1) for each in _listed(gamma)})
    drawn = _one_of("text", text, ("target", "human")) == "target"
    return _report(_core.score([str(each) for each in _listed(files)],
                               [_verifier_name(each) for each in _listed(verifier)], lengths, by,
                               drawn, threads or 0))


def _pairs(given: Any) -> list[_core.Pair]:
    return [as_pair(each) for each in (given if isinstance(given, list) else [given])]


def _report(found: _core.Report) -> Report:
    return Report(found.json, found.table)
