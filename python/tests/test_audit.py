"""Audits: right implementations pass, every fault fails and is found where it is."""

import json
import os
import signal

import numpy as np
import pytest

import given
import rules
import speclab

try:
    import torch

    import torch_rules

    torch.set_num_threads(1)
except ImportError:
    torch_rules = None

RIGHT = [("numpy", rule, function) for rule, function in rules.RIGHT.items()]
if torch_rules is not None:
    RIGHT += [("torch", rule, function) for rule, function in torch_rules.RIGHT.items()]


@pytest.mark.parametrize("kind, rule, function", RIGHT, ids=[f"{k}-{r}" for k, r, _ in RIGHT])
def test_right_implementations_pass(kind, rule, function):
    verdict = speclab.audit(function, rule)
    assert verdict.passed, str(verdict)
    assert verdict and verdict.verdict == "pass"
    assert 0 < verdict.trials <= 4_000_000
    assert verdict.false_alarm <= 1e-9
    assert verdict.least_power is None or verdict.least_power >= 1 - 1e-6


def race_in_single_precision(draft, target, drafted, rng):
    """Token verification in float32, the correction by a race of exponential variables in which no
    weight is 0: right, but for differences of 1e-7."""
    draft, target = draft.astype(np.float32), target.astype(np.float32)
    batch, gamma, _ = draft.shape
    at = np.arange(batch)
    of = lambda rows: np.take_along_axis(rows, drafted[:, :, None], 2)[:, :, 0]
    coins = rng.random((batch, gamma), dtype=np.float32)
    accepted = np.cumprod(coins * of(draft) < of(target[:, :gamma]), 1).sum(1)
    before = np.where((accepted < gamma)[:, None], draft[at, np.minimum(accepted, gamma - 1)], 0)
    weights = np.maximum(target[at, accepted] - before, np.finfo(np.float32).tiny)
    last = np.argmax(weights / rng.exponential(size=weights.shape).astype(np.float32), 1)
    tokens = np.where(np.arange(gamma + 1) < accepted[:, None], np.pad(drafted, ((0, 0), (0, 1))), -1)
    tokens[at, accepted] = last
    return accepted, tokens


def test_single_precision_is_no_fault():
    assert speclab.audit(race_in_single_precision, "token")


@pytest.mark.skipif(torch_rules is not None, reason="torch is installed")
def test_torch_is_left_out():
    pytest.skip("torch is not installed: its implementations are not audited")


# --- the other modes -----------------------------------------------------------------------------


def uniforms(function, rule="token"):
    return speclab.audit(function, rule, mode="uniforms")


@pytest.mark.parametrize("rule, function", [("token", given.token), ("block", given.block)])
def test_given_uniforms_right_implementations_pass(rule, function):
    verdict = uniforms(function, rule)
    assert verdict.passed, str(verdict)
    assert verdict.false_alarm == 0


def test_given_uniforms_show_what_chance_does_not():
    closed = uniforms(given.closed_token)
    assert {each.resembles for each in closed.findings} == {"wrong-closed-coin"}
    assert not uniforms(given.in_floats(np.float16, given.token)).passed
    # A float32 is off by less than the distance that is kept from every threshold.
    assert uniforms(given.in_floats(np.float32, given.token)).passed


def test_whole_decodes():
    right = speclab.audit(given.decoder(rules.token), "token", mode="generate")
    assert right.passed, str(right)

    def greedy(draft_probs, target_probs, draft_tokens, rng):
        accepted, _ = rules.sample_match(draft_probs, target_probs, draft_tokens, rng)
        last = rules.at(target_probs, accepted).argmax(axis=1)
        return rules.emit(draft_tokens, accepted, last)

    assert not speclab.audit(given.decoder(greedy), "sample-match", mode="generate").passed


def test_losslessness_needs_no_rule():
    for function in (rules.token, rules.block):
        verdict = speclab.audit(function)
        assert verdict.passed, str(verdict)
        assert verdict.rule == "lossless"
        assert 0 < verdict.share_of_optimum <= 1

    def always(draft_probs, target_probs, draft_tokens, rng):
        accepted = np.full(len(draft_tokens), draft_tokens.shape[1])
        return rules.emit(draft_tokens, accepted, rules.pick(target_probs[:, -1], rng))

    assert not speclab.audit(always).passed


def test_losslessness_of_several_drafts():
    verdict = speclab.audit(rules.rrs, drafts=2)
    assert verdict.passed, str(verdict)


# --- how a function is called and what it may answer -----------------------------------------------


def test_a_batch_mixes_cases_and_repeats_for_a_seed():
    calls = []

    def seen(draft_probs, target_probs, draft_tokens, rng):
        calls.append((draft_probs, target_probs, draft_tokens, rng.random(3)))
        return rules.sample_match(draft_probs, target_probs, draft_tokens, rng)

    first = speclab.audit(seen, "sample-match")
    made, calls[:] = list(calls), []
    again = speclab.audit(seen, "sample-match")
    assert first.to_json() == again.to_json()
    assert len(made) == len(calls) > 1
    for one, other in zip(made, calls):
        for a, b in zip(one, other):
            np.testing.assert_array_equal(a, b)
    assert sum(len(one[2]) for one in made) == first.trials
    assert len({tuple(one[3]) for one in made}) == len(made)
    draft, target, tokens, _ = max(made, key=lambda one: len(one[2]))
    size, gamma, vocabulary = draft.shape
    assert target.shape == (size, gamma + 1, vocabulary) and tokens.shape == (size, gamma)
    assert draft.dtype == target.dtype == float
    np.testing.assert_allclose(target.sum(axis=2), 1, atol=1e-12)
    # Neighbours come from different requests, so that swapped rows show.
    different = (target[1:] != target[:-1]).any(axis=(1, 2))
    assert different.mean() > 0.3


def test_lists_are_taken_as_tokens():
    def listed(*arguments):
        accepted, tokens = rules.sample_match(*arguments)
        return accepted.tolist(), [row[: a + 1].tolist() for a, row in zip(accepted, tokens)]

    assert speclab.audit(listed, "sample-match").passed


def answering(change):
    def function(*arguments):
        return change(*rules.sample_match(*arguments))

    return function


def changed(array, value):
    array = array.copy()
    array[0] = value
    return array


@pytest.mark.parametrize("change, message", [
    (lambda a, t: None, "returned None"),
    (lambda a, t: (a, t, t), "return .accepted, tokens."),
    (lambda a, t: (a[:-1], t), "accepted has the shape"),
    (lambda a, t: (a, t[:, :-1]), "tokens has the shape"),
    (lambda a, t: (a.astype(float), t), "accepted has entries of float64"),
    (lambda a, t: (a, t.astype(float)), "tokens has entries of float64"),
    (lambda a, t: (a, [["0"]] * len(t)), "tokens, decision 0 holds"),
    (lambda a, t: (a, [[0] * 99] * len(t)), "99 tokens; at most"),
    (lambda a, t: (changed(a, -1), t), "accepted -1 received"),
    (lambda a, t: (changed(a, 2**40), t), "accepted 2147483647 received"),
    (lambda a, t: (a, changed(t, -1)), "0 tokens received"),
    (lambda a, t: (a, changed(t, 77)), "token 77 received|tokens received with accepted"),
    (lambda a, t: (np.full_like(a, np.nan, dtype=float), t), "accepted has entries of float64"),
], ids=range(13))
def test_garbage_is_an_error_with_what_was_received(change, message):
    with pytest.raises(ValueError, match=message):
        speclab.audit(answering(change), "sample-match")


def test_what_a_function_raises_comes_out():
    def failing(*_):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        speclab.audit(failing, "sample-match")


@pytest.mark.parametrize("arguments, error, message", [
    ({"rule": "tokn"}, ValueError, "did you mean 'token'"),
    ({"rule": "token", "mode": "verfy"}, ValueError, "did you mean 'verify'"),
    ({"rule": "token", "power": 1}, ValueError, "power"),
    ({"rule": "token", "most_trials": 1000}, speclab.LimitError, "1000"),
])
def test_audits_that_cannot_be_made_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        speclab.audit(rules.token, **arguments)


def test_an_interrupt_ends_an_audit():
    def slow(*arguments):
        os.kill(os.getpid(), signal.SIGINT)
        return rules.sample_match(*arguments)

    with pytest.raises(KeyboardInterrupt):
        speclab.audit(slow, "sample-match")


def test_progress_is_told():
    reported = []
    verdict = speclab.audit(rules.sample_match, "sample-match", progress=lambda *now: reported.append(now))
    assert reported and reported[-1][1] == verdict.trials
    assert [done for done, _ in reported] == sorted(done for done, _ in reported)


# --- the verdict ---------------------------------------------------------------------------------


def test_a_verdict_tells_itself():
    def without_w(draft_probs, target_probs, draft_tokens, rng):
        accepted, _ = rules.block(draft_probs, target_probs, draft_tokens, rng)
        law = rules.residual(rules.at(target_probs, accepted),
                             rules.at(rules.with_zero_row(draft_probs), accepted))
        law = np.where(law.sum(axis=1, keepdims=True) > 0, law, rules.at(target_probs, accepted))
        return rules.emit(draft_tokens, accepted, rules.pick(law, rng))

    verdict = speclab.audit(without_w, "block")
    assert not verdict
    assert {each.resembles for each in verdict.findings} == {"wrong-block-residual(weight=none)"}
    worst = max(verdict.findings, key=lambda each: each.tv)
    assert worst.decision.startswith("correction at accepted length")
    assert "it should follow [w t - d]+ with w = " in worst.detail
    assert worst.tv > 0.05 and worst.p_value < 1e-9
    known = json.loads(verdict.to_json())
    assert known == verdict.to_dict()
    assert known["verdict"] == "fail" and len(known["findings"]) == len(verdict.findings)
    assert "FAIL" in str(verdict) and worst.detail in str(verdict)
    assert "<table" in verdict._repr_html_()


def test_cases_are_those_of_the_audit():
    cases = speclab.cases("block")
    verdict = speclab.audit(rules.block, "block")
    assert cases == verdict.cases
    assert sum(each.trials for each in cases) == verdict.trials
    for each in cases:
        speclab.pair(each.pair)
        assert len(each.drafted) == each.drafts and len(each.drafted[0]) == each.gamma
    assert {name for each in cases for name in each.shows} <= set(verdict.shown)


@pytest.mark.parametrize("change, message", [
    (lambda t, a: (t[:, 1:], a), "tokens has the shape"),
    (lambda t, a: (t.astype(float), a), "tokens has entries of float64"),
    (lambda t, a: (t, a[1:]), "decodes were asked for"),
    (lambda t, a: (t, 3), "accepted is 3"),
    (lambda t, a: (t, [[0.5]] * len(a)), "accepted has entries of float64"),
    (lambda t, a: (t, [[]] * len(a)), "0 iterations received"),
    (lambda t, a: (t + 99, a), "token .* received"),
], ids=range(7))
def test_garbage_of_decodes_is_an_error(change, message):
    right = given.decoder(rules.sample_match)
    with pytest.raises(ValueError, match=message):
        speclab.audit(lambda *arguments: change(*right(*arguments)), "sample-match",
                      mode="generate")
