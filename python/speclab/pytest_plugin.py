"""A pytest plugin: conformance vectors as tests of a function.

    def test_sampler(speclab_case):
        speclab_case.check(my_sampler.verify)

    pytest --speclab-rule token --speclab-battery small

Each case is a test, in JUnit files too. The function is that of conformance/check.py:
verify(draft_tokens, draft_rows, target_rows, count) -> `count` lists of tokens, or with uniforms=True
verify(draft_tokens, draft_rows, target_rows, coins, draws) -> a list of tokens.

Known failures are lines of a file, such as "token/12" (# begins a comment). A failure that is not listed
fails, and so does a listed case that passes: its line is to be removed.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from . import _check


@dataclass(frozen=True)
class ConformanceCase:
    """One case of a file of vectors; `name` is RULE/ID."""

    name: str
    flag: str
    vectors: dict[str, Any] = field(repr=False)
    case: dict[str, Any] = field(repr=False)

    def check(self, function: Callable[..., Any], uniforms: bool = False) -> None:
        """Fails the test, in one line, where the function's law differs."""
        reasons = _check.check_case(self.vectors, self.case, function, uniforms)
        if reasons:
            more = f"; and {len(reasons) - 1} more" if len(reasons) > 1 else ""
            pytest.fail(f"{self.name} ({self.flag}): {reasons[0]}{more}", pytrace=False)


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("speclab", "conformance vectors of speculative sampling")
    group.addoption("--speclab-rule", action="append", default=[], metavar="RULE",
                    help="a rule of `speclab list verifiers`; may be repeated")
    group.addoption("--speclab-battery", default="small", choices=["small", "full", "big"],
                    help="small (default), full or big: cases, and samples of each")
    group.addoption("--speclab-vectors", action="append", default=[], metavar="FILE",
                    help="a file that `speclab vectors` wrote, in place of a rule; may be repeated")
    group.addoption("--speclab-known", metavar="FILE",
                    help="known failures, a line each, such as token/12")


def _loaded(config: Any) -> Iterator[dict[str, Any]]:
    for file in config.getoption("--speclab-vectors"):
        yield _check.load(file, "vectors")
    rules = config.getoption("--speclab-rule")
    if rules:
        from . import _core  # files need no compiled module
        for rule in rules:
            yield json.loads(_core.vectors(rule, config.getoption("--speclab-battery"))[0])


def _known(config: Any, cases: list[ConformanceCase]) -> set[str]:
    file = config.getoption("--speclab-known")
    if file is None:
        return set()
    lines = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
    known = {name for name in (line.partition("#")[0].strip() for line in lines) if name}
    rules = {case.name.rpartition("/")[0] for case in cases}
    strays = sorted(name for name in known - {case.name for case in cases}
                    if name.rpartition("/")[0] in rules or "/" not in name)
    if strays:
        raise ValueError(f"{file}: '{strays[0]}' is no case; write RULE/ID, such as {cases[0].name}")
    return known


def _parameters(config: Any) -> list[Any]:
    cases = [ConformanceCase(f"{vectors['rule']}/{case['id']}", case["flag"], vectors, case)
             for vectors in _loaded(config) for case in vectors["cases"]]
    known = _known(config, cases) if cases else set()
    strict = pytest.mark.xfail(strict=True, reason="a known failure; where it passes, remove its line "
                               f"from {config.getoption('--speclab-known')}")
    return [pytest.param(case, id=f"{case.name}-{case.flag}", marks=[strict] if case.name in known else [])
            for case in cases]


def pytest_sessionstart(session: Any) -> None:
    try:
        session.config.speclab_parameters = _parameters(session.config)
    except Exception as error:  # a file or a rule that is not there
        raise pytest.UsageError(f"speclab: {error}") from None


def pytest_generate_tests(metafunc: Any) -> None:
    if "speclab_case" in metafunc.fixturenames:
        metafunc.parametrize("speclab_case", metafunc.config.speclab_parameters, indirect=True)


@pytest.fixture
def speclab_case(request: Any) -> ConformanceCase:
    """A case of the vectors that the command line names; without any the test is skipped."""
    case: ConformanceCase = request.param
    request.node.user_properties.append(("speclab_case", case.name))
    request.node.user_properties.append(("speclab_flag", case.flag))
    return case
