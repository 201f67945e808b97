"""speclab.record writes scored texts, and imports without the compiled module."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from speclab.record import record_texts

DRAFT = np.log([[0.5, 0.3, 0.2], [0.2, 0.2, 0.6], [0.1, 0.8, 0.1]])
TARGET = np.log([[0.2, 0.5, 0.3], [0.4, 0.1, 0.5], [0.3, 0.6, 0.1]])


def rows(table):
    return lambda ids: table[np.array(ids)]


def last_row(table):
    return lambda ids: table[ids[-1]]


def lines_of(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_texts_are_drawn_and_scored(tmp_path):
    one = record_texts(tmp_path / "a.jsonl", rows(DRAFT), rows(TARGET), [[0], [1, 2]], tokens=40)
    two = record_texts(tmp_path / "b.jsonl", last_row(DRAFT), last_row(TARGET), [[0], [1, 2]],
                       tokens=40)
    for line, other in zip(lines_of(one), lines_of(two)):
        assert line["tokens"] == other["tokens"] and len(line["tokens"]) == 40
        before = [0 if line["id"] == 0 else 2, *line["tokens"][:-1]]
        for name, table in (("draft_logprobs", DRAFT), ("target_logprobs", TARGET)):
            assert line[name] == pytest.approx(
                [table[at, token] for at, token in zip(before, line["tokens"])])
            assert line[name] == pytest.approx(other[name])


def test_given_texts_and_zeros(tmp_path):
    never = DRAFT.copy()
    never[0, 1] = -math.inf
    path = record_texts(tmp_path / "a.jsonl", rows(never), rows(TARGET), [[0]], texts=[[1, 2, 0]])
    assert lines_of(path)[0]["draft_logprobs"][0] == -math.inf
    with pytest.raises(FileExistsError):
        record_texts(path, rows(DRAFT), rows(TARGET), [[0]])
    with pytest.raises(ValueError, match="text 0 has token 3"):
        record_texts(tmp_path / "b.jsonl", rows(DRAFT), rows(TARGET), [[0]], texts=[[1, 3]])


def test_it_imports_alone(tmp_path):
    """Without the compiled module and without h5py."""
    package = tmp_path / "speclab"
    package.mkdir()
    for module in Path(sys.modules["speclab"].__file__).parent.glob("*.py"):
        (package / module.name).write_text(module.read_text())
    code = "import sys; sys.modules['h5py'] = None; import speclab.record as r; print(r.record_texts)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=False)
    assert run.returncode == 0, run.stderr


def test_the_program_scores_them(tmp_path, program):
    path = record_texts(tmp_path / "a.jsonl", rows(DRAFT), rows(TARGET), [[0]] * 20, tokens=60)
    scored = json.loads(program("score", str(path), "--gamma", "2", "--format", "json"))
    assert scored["texts"] == 20 and scored["tokens"] == 1200
