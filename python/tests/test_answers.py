"""Answers: the numbers of the program, bit by bit, as a frame and as dicts."""

import json
import math

import numpy as np
import pytest

import speclab

TOY = "bernoulli(draft=2/3,target=1/3)"


def test_exact_is_what_the_program_prints(program):
    arguments = ("exact", "--pair", TOY, "--verifier", "token", "--verifier", "greedy-block",
                 "--gamma", "1:2", "--horizon", "3", "--iterations", "2", "--law", "--latency",
                 "draft=0.1,target=1")
    made = speclab.exact(TOY, ["token", "greedy-block"], [1, 2], horizon=3, iterations=2, law=True,
                         latency={"draft": 0.1, "target": 1})
    assert made.to_csv() == program(*arguments, "--format", "csv")
    assert made.to_json() == program(*arguments, "--format", "json")
    assert len(made) == 4


def test_simulate_is_what_the_program_prints(program):
    made = speclab.simulate(TOY, "rrs(K=2)", 2, trials=3000, seed=7, horizon=4)
    assert made.to_csv() == program("simulate", "--pair", TOY, "--verifier", "rrs(K=2)", "--gamma",
                                    "2", "--trials", "3000", "--seed", "7", "--horizon", "4",
                                    "--format", "csv")


def test_the_frame_holds_the_numbers_of_the_dicts():
    made = speclab.exact(TOY, "block", [2, math.inf], horizon=4, arithmetic="double")
    frame, results = made.frame, made.results
    assert list(frame["gamma"].unique()) == [2, math.inf]
    for gamma, result in zip((2, "inf"), results):
        assert result["gamma"] == gamma
        rows = frame[(frame["gamma"] == (math.inf if gamma == "inf" else gamma))
                     & (frame["method"] == "exact")]
        law = rows[rows["quantity"] == "iteration.accepted_law"]
        assert list(law["value"]) == [each["value"] for each in result["iteration"]["accepted_law"]]
        assert list(law["index"]) == [str(i) for i in range(len(law))]
    assert frame["horizon"].tolist() == [4] * len(frame)
    assert frame["trials"].isna().all() and frame["stderr"].isna().all()


def test_columns_are_those_of_the_format(program):
    listed = json.loads(program("list", "columns", "--format", "json"))["columns"]
    frame = speclab.predict(TOY, "block", 2).frame
    assert list(frame.columns) == [row["column"] for row in listed]


def test_predict_gives_closed_forms_alone():
    frame = speclab.predict(TOY, "block", 2).frame
    assert set(frame["method"]) <= {"closed-form", "bound"}
    row = frame[frame["claim"] == "sun2025.lemma3"].iloc[0]
    # E[tau] of block at gamma 2 on the toy pair (theory): 11/9.
    assert (row["quantity"], row["exact"]) == ("iteration.expected_accepted", "11/9")


def test_several_pairs_make_every_combination():
    other = speclab.pair([0.5, 0.5], [0.25, 0.75])
    made = speclab.exact([TOY, other], ["token", "block"], [1, 2])
    assert [(each["verifier"], each["gamma"]) for each in made.results] == [
        ("token", 1), ("token", 2), ("block", 1), ("block", 2)] * 2
    with pytest.raises(ValueError, match="8 combinations"):
        made.value("iteration.expected_accepted")
    with pytest.raises(KeyError):
        made.value("decode.tokens")


def test_a_simulation_depends_on_its_seed_and_not_on_its_threads():
    one, two, other = (speclab.simulate(TOY, "block", 3, trials=2000, seed=seed, threads=threads)
                       .frame["value"].to_numpy() for seed, threads in ((3, 1), (3, 2), (4, 2)))
    np.testing.assert_array_equal(one, two)
    assert (one != other).any()


@pytest.mark.parametrize("wrong, message", [
    ({"gamma": 0}, "gamma is 0"),
    ({"gamma": 1.5}, "gamma is 1.5"),
    ({"gamma": "two"}, "gamma is 'two'"),
    ({"verifier": "blok"}, "did you mean 'block'"),
    ({"verifier": 3}, "no verifier"),
    ({"horizon": 0}, "horizon is 0"),
    ({"threads": 0}, "threads is 0"),
    ({"law": True}, "law needs a horizon"),
    ({"arithmetic": "float"}, "one of rational, double"),
    ({"latency": {"drafts": 1}}, "drafts"),
])
def test_what_is_wrong_with_a_question_is_said(wrong, message):
    question = {"pair": TOY, "verifier": "block", "gamma": 2, **wrong}
    with pytest.raises(ValueError, match=message):
        speclab.exact(**question)


def test_a_limit_is_an_error_of_its_own():
    with pytest.raises(speclab.LimitError, match="sequences of decisions"):
        speclab.exact(TOY, "wrong-first-failure", 20, max_paths=100)
    assert not issubclass(speclab.LimitError, ValueError)


def test_an_answer_shows_itself():
    made = speclab.exact(TOY, "block", 1)
    assert "1 question:" in repr(made)
    assert "<table" in made._repr_html_()
