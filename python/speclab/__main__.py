"""python3 -m speclab check --python=FILE.py:NAME: what `speclab check --python` starts."""

from __future__ import annotations

import argparse
import importlib.util
import pathlib
import sys
import traceback
from typing import Any

from . import _core
from ._questions import _FORMATS, check
from ._verifiers import PythonVerifier, verifier

DIFFERS, USAGE, BAD_INPUT, LIMIT, CONTRACT, INTERRUPTED = 1, 2, 3, 4, 70, 130


class Refused(Exception):
    """One line for standard error, and an exit code."""

    def __init__(self, message: str, code: int = BAD_INPUT):
        super().__init__(" ".join(message.split()))
        self.code = code


def load(source: str) -> PythonVerifier:
    """The verifier "FILE.py:NAME": a speclab.verifier, or a function that is made one."""
    file, _, name = source.rpartition(":")
    path = pathlib.Path(file)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise Refused(f"{file} is no file of Python; give FILE.py:NAME")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise Refused(f"{file}{_line(error, file)}: {type(error).__name__}: {error}") from None
    found = getattr(module, name, None)
    if isinstance(found, PythonVerifier):
        return found
    if callable(found):
        return verifier(found)
    rules = sorted(key for key, value in vars(module).items() if isinstance(value, PythonVerifier))
    raise Refused(f"{file} has no function '{name}'"
                  + (f"; its verifiers are {', '.join(rules)}" if rules else ""))


def _line(error: Exception, file: str) -> str:
    """":7", the last line of the file on the way to an error; "" where it is not on it."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename.endswith(pathlib.Path(file).name)]
    if not lines and isinstance(error, SyntaxError) and error.lineno:
        lines = [error.lineno]
    return f":{lines[-1]}" if lines else ""


def run(options: argparse.Namespace) -> int:
    rule = load(options.python)
    file = options.python.rpartition(":")[0]
    try:
        found = check(rule, list(options.pair), [int(each) for each in options.gamma] or (1, 2),
                      source=options.python)
        _core.write(options.output, found.text(options.format))
    except _core.LimitError as error:
        raise Refused(str(error), LIMIT) from None
    except _core.ContractError as error:
        raise Refused(str(error), CONTRACT) from None
    except Exception as error:
        place = _line(error, file)
        raise Refused(f"{file}{place}: {type(error).__name__}: {error}" if place else str(error)) \
            from None
    expected = options.expect == "lossless" or (not options.expect and found.declared_lossless)
    if found or not expected:
        return 0
    declared = "" if options.expect else ", as it declares itself"
    raise Refused(f"{rule.name} is not lossless{declared}", DIFFERS)


def main(words: Any = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m speclab", allow_abbrev=False,
                                     description="What `speclab check --python` starts.")
    check_words = parser.add_subparsers(dest="command", required=True).add_parser(
        "check", allow_abbrev=False)
    check_words.add_argument("--python", required=True, metavar="FILE.py:NAME")
    check_words.add_argument("--pair", action="append", default=[], metavar="SPEC")
    check_words.add_argument("--gamma", action="append", default=[], metavar="G")
    check_words.add_argument("--expect", choices=("lossless", "nothing"))
    check_words.add_argument("--format", choices=_FORMATS, default="table")
    check_words.add_argument("--output", metavar="FILE")
    try:
        return run(parser.parse_args(words))
    except Refused as refused:
        print(f"speclab: {refused}", file=sys.stderr)
        return refused.code
    except KeyboardInterrupt:
        print("speclab: interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
