"""Adapters, on functions of our own in the engines' shapes (engines.py)."""

import pathlib
import shutil

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

import speclab
from speclab.adapters import ascend, eagle, load_function, transformers

torch.set_num_threads(1)
ENGINES = pathlib.Path(__file__).with_name("engines.py")
DRAFT = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3]])
TARGET = np.array([[0.2, 0.2, 0.6], [0.5, 0.25, 0.25], [0.1, 0.2, 0.7]])
SIZE = 12_000


def outcomes(function, draft_probs, target_probs, draft_tokens, seed=1):
    """How often each list of emitted tokens came back, in SIZE decisions of one drafted set."""

    def batch(array):
        return np.repeat(np.asarray(array)[None], SIZE, axis=0)

    accepted, tokens = function(batch(draft_probs), batch(target_probs), batch(draft_tokens),
                                np.random.default_rng(seed))
    assert ((tokens >= 0).sum(axis=1) == accepted + 1).all()
    found, counts = np.unique(np.column_stack([accepted, tokens]), axis=0, return_counts=True)
    return {tuple(int(x) for x in row if x >= 0): int(count) for row, count in zip(found, counts)}


def distance(counts, law):
    """The largest distance of a frequency from its probability, in standard errors."""
    assert abs(sum(law.values()) - 1) < 1e-12
    if set(counts) - set(law):
        return np.inf
    return max(abs(counts.get(key, 0) - SIZE * p) / np.sqrt(SIZE * p * (1 - p))
               for key, p in law.items() if 0 < p < 1)


def token_law(drafted):
    """(accepted, tokens...) of token verification on DRAFT and TARGET, by its definition."""
    law, reach = {}, 1.0
    for i, x in enumerate(drafted):
        passes = min(1, TARGET[i, x] / DRAFT[i, x])
        rest = np.maximum(TARGET[i] - DRAFT[i], 0)
        if passes < 1:
            for y in np.flatnonzero(rest):
                law[i, *drafted[:i], int(y)] = reach * (1 - passes) * rest[y] / rest.sum()
        reach *= passes
    for y in range(3):
        law[len(drafted), *drafted, y] = reach * TARGET[-1, y]
    return law


def target_only_law(drafts, rows):
    """Of target-only verification of a tree: a walk by the target's draws. rows(prefix) is the law."""
    law = {}

    def walk(prefix, reach):
        inside = {d[len(prefix)] for d in drafts
                  if d[: len(prefix)] == prefix and len(d) > len(prefix)}
        for y, p in enumerate(rows(prefix)):
            if y in inside:
                walk((*prefix, y), reach * p)
            elif p > 0:
                law[len(prefix), *prefix, y] = reach * p

    walk((), 1.0)
    return law


@pytest.mark.parametrize("drafted", [(0, 1), (2, 0), (0, 0)])
def test_transformers_shape(drafted):
    right = transformers.speculative_sampling(ENGINES)
    wrong = transformers.speculative_sampling(ENGINES, "_speculative_sampling_wrong")
    law = token_law(drafted)
    assert distance(outcomes(right, DRAFT, TARGET, drafted), law) < 5
    assert distance(outcomes(wrong, DRAFT, TARGET, drafted), law) > 8


TREE = [((0, 1), (0, 2)), ((1, 1), (2, 0)), ((2, 2), (2, 2))]


@pytest.mark.parametrize("drafts", TREE)
def test_eagle_shape(drafts):
    right = eagle.evaluate_posterior(ENGINES)
    wrong = eagle.evaluate_posterior(ENGINES, "evaluate_posterior_wrong")
    after = {0: [0.5, 0.25, 0.25], 1: [0.1, 0.2, 0.7], 2: [0.3, 0.3, 0.4]}
    target = np.array([[TARGET[0], after[d[0]], TARGET[2]] for d in drafts])
    draft = np.full((2, 2, 3), 1 / 3)

    def rows(prefix):
        return [TARGET[0], after[prefix[0]] if prefix else None, TARGET[2]][len(prefix)]

    law = target_only_law(drafts, rows)
    assert distance(outcomes(right, draft, target, drafts), law) < 5
    assert distance(outcomes(wrong, draft, target, drafts), law) > 8


def test_a_tree_has_its_nodes_once():
    tokens, paths, places = eagle.tree_of(np.array([[1, 2], [1, 0], [1, 2]]))
    assert tokens.tolist() == [0, 1, 2, 0]
    assert paths.tolist() == [[0, 1, 2], [0, 1, 3]]
    assert places.tolist() == [[0, 0], [0, 1], [0, 2], [1, 2]]


def test_ascend_shape_is_audited():
    names = {"name": "rejection_sample"}
    right = ascend.rejection_sample(ENGINES, recovered="recovered_tokens", **names)
    verdict = speclab.audit(right, "token")
    assert verdict.passed, str(verdict)
    wrong = ascend.rejection_sample(ENGINES, recovered="recovered_tokens_wrong", **names)
    verdict = speclab.audit(wrong, "token")
    assert verdict.findings
    assert all(each.decision.startswith("correction") for each in verdict.findings)


@pytest.mark.parametrize("file, load", [
    (transformers.FILE, lambda folder: transformers.speculative_sampling(folder)),
    (eagle.FILE, lambda folder: eagle.evaluate_posterior(folder)),
    (ascend.FILE, lambda folder: ascend.rejection_sample(folder, "rejection_sample",
                                                         "recovered_tokens")),
])
def test_a_checkout_is_a_folder(tmp_path, file, load):
    with pytest.raises(ValueError, match="there is no file"):
        load(tmp_path)
    (tmp_path / file).parent.mkdir(parents=True)
    shutil.copy(ENGINES, tmp_path / file)
    assert callable(load(tmp_path))


def test_a_function_is_loaded_with_what_it_uses_alone():
    function = load_function(ENGINES, "", "_speculative_sampling")
    assert function.__globals__["NOTHING"] == 0.0
    assert "unused" not in function.__globals__ and "random" not in function.__globals__
    with pytest.raises(ValueError, match="has no function nowhere"):
        load_function(ENGINES, "", "nowhere")
    with pytest.raises(ValueError, match="module that is not there.*somewhere_else"):
        load_function(ENGINES, "", "needs_what_is_not_there")


def test_a_file_that_is_no_python_is_refused(tmp_path):
    (tmp_path / "a.py").write_text("def f(:\n")
    with pytest.raises(ValueError, match="cannot be read as Python"):
        load_function(tmp_path / "a.py", "", "f")
