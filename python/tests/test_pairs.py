"""Pairs from arrays: the same numbers as the same laws written as text."""

from fractions import Fraction as F

import numpy as np
import pytest

import speclab


def fractions_of(pair, gamma=2, verifier="block"):
    frame = speclab.exact(pair, verifier, gamma).frame
    frame = frame[frame["method"] == "exact"]
    return dict(zip(zip(frame["quantity"], frame["index"]), frame["exact"]))


def test_iid_fractions_give_the_fractions_of_the_spec_text():
    arrays = fractions_of(speclab.pair([F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]))
    assert arrays == fractions_of("bernoulli(draft=2/3,target=1/3)")
    assert arrays["iteration.expected_accepted", ""] == "11/9"


def test_a_chain_is_an_iid_pair_where_its_rows_are_alike():
    draft, target = np.array([0.25, 0.75]), np.array([0.5, 0.5])
    chain = speclab.pair(np.tile(draft, (2, 1)), np.tile(target, (2, 1)))
    assert chain.states == 2
    assert fractions_of(chain, 3) == fractions_of(speclab.pair(draft, target), 3)


def test_rows_of_a_chain_are_by_the_token_before():
    draft = np.array([[F(1), F(0)], [F(0), F(1)]], dtype=object)
    target = np.array([[F(1, 4), F(3, 4)], [F(1, 4), F(3, 4)]], dtype=object)
    # After token 0 the draft is 0, of target probability 1/4: E[tau] of token at gamma 1 by hand.
    assert fractions_of(speclab.pair(draft, target, prompt=[1, 0]), 1, "token")[
        "iteration.expected_accepted", ""] == "1/4"
    assert fractions_of(speclab.pair(draft, target, prompt=[0, 1]), 1, "token")[
        "iteration.expected_accepted", ""] == "3/4"


def test_a_nonstationary_pair_has_a_length_and_its_positions_in_order():
    same = np.full((2, 2), 0.5)
    other = np.array([[1.0, 0.0], [1.0, 0.0]])
    pair = speclab.pair(np.stack([same, same, same]), np.stack([same, other, same]))
    assert pair.length == 3
    rates = speclab.exact(pair, "token", 2).frame
    tail = rates[(rates["quantity"] == "iteration.tail") & (rates["method"] == "exact")]
    assert list(tail["exact"]) == ["1", "1/2"]


def test_a_dict_is_a_pair_as_a_file_holds_it():
    given = {"vocabulary": 2, "kind": "tree", "draft": {"": ["1/2", "1/2"]},
             "target": {"": [F(1, 4), F(3, 4)]}}
    assert fractions_of(speclab.pair(given, name="mine"), 1, "token")[
        "iteration.expected_accepted", ""] == "3/4"


def test_float32_arrays_within_the_tolerance_are_renormalised():
    row = np.array([0.5, 0.25, 0.25], dtype=np.float32)
    pair = speclab.pair(row, row)
    np.testing.assert_array_equal(pair.rows()[0], [0.5, 0.25, 0.25])


@pytest.mark.parametrize("draft, target, message", [
    ([0.5, 0.6], [0.5, 0.5], "sums to 1.09"),
    ([1.5, -0.5], [0.5, 0.5], "draft"),
    ([float("nan"), 1], [0.5, 0.5], "draft"),
    ([0.5, 0.5], [1.0], "shape"),
    ([[0.5, 0.5]], [[0.5, 0.5]], r"\[V, V\]"),
    (["a", "b"], [0.5, 0.5], "numbers"),
    ([0.5, 0.5], None, "target is missing"),
    ("bernoulli(draft=2/3,target=1/3)", [0.5, 0.5], "whole pair"),
    ("bernouli(draft=2/3,target=1/3)", None, "did you mean 'bernoulli'"),
])
def test_what_is_wrong_with_a_pair_is_said(draft, target, message):
    with pytest.raises(ValueError, match=message):
        speclab.pair(draft, target)
