"""Verifiers written in Python, against those of the list that they are."""

import math
import os
import signal
import threading
import time

import numpy as np
import pytest

import speclab

PAIR = "markov(vocabulary=3,horizon=6,seed=4)"
TOY = "bernoulli(draft=2/3,target=1/3)"


def positive(law):
    return np.where(law > 0, law, 0 * law)


@speclab.verifier(name="py-token")
def token(view, root, window, choices):
    """Token verification."""
    node, tokens = root, []
    while len(tokens) < window.drafts:
        draft, target = view.draft(node), view.target(node)
        x = choices.draft(draft)
        if not choices.accept(min(1, target[x] / draft[x])):
            return len(tokens), tokens + [choices.correct(positive(target - draft))]
        tokens.append(x)
        node = view.next(node, x)
    if not window.bonus:
        return len(tokens), tokens
    return len(tokens), tokens + [choices.correct(view.target(node))]


@speclab.verifier(name="py-block")
def block(view, root, window, choices):
    """Block verification, the coins tossed from the longest block down."""
    nodes, weights, drafted = [root], [1], []
    for _ in range(window.drafts):
        draft, target = view.draft(nodes[-1]), view.target(nodes[-1])
        x = choices.draft(draft)
        drafted.append(x)
        weights.append(min(1, weights[-1] * target[x] / draft[x]))
        nodes.append(view.next(nodes[-1], x))
    if choices.accept(weights[-1]):
        last = [choices.correct(view.target(nodes[-1]))] if window.bonus else []
        return len(drafted), drafted + last
    for i in reversed(range(window.drafts)):
        law = positive(weights[i] * view.target(nodes[i]) - view.draft(nodes[i]))
        excess = law.sum()
        if i == 0 or (excess > 0 and choices.accept(excess / (excess + 1 - weights[i]))):
            return i, drafted[:i] + [choices.correct(law)]


def table(verifier, **question):
    frame = speclab.exact(PAIR, verifier, 2, **question).frame
    return frame[frame["method"] == "exact"].drop(
        columns=["verifier", "claim", "predicted", "predicted_exact", "verdict", "relation", "z"])


@pytest.mark.parametrize("mine, known", [(token, "token"), (block, "block")])
def test_exact_fractions_are_those_of_the_same_rule(mine, known):
    made = table(mine, horizon=4, iterations=2, law=True)
    right = table(known, horizon=4, iterations=2, law=True)
    assert len(made) > 20
    assert (made["exact"].to_numpy() == right["exact"].to_numpy()).all()


@pytest.mark.parametrize("mine, known", [(token, "token"), (block, "block")])
def test_doubles_are_those_of_the_same_rule(mine, known):
    made = table(mine, horizon=3, arithmetic="double")["value"].to_numpy()
    right = table(known, horizon=3, arithmetic="double")["value"].to_numpy()
    np.testing.assert_allclose(made, right, rtol=0, atol=1e-14)


def test_the_sampler_agrees_with_the_enumerator():
    exact = speclab.exact(TOY, block, 2).value("iteration.expected_accepted")
    for estimator in ("plain", "conditional"):
        frame = speclab.simulate(TOY, block, 2, trials=2000, estimator=estimator).frame
        row = frame[frame["quantity"] == "iteration.expected_accepted"].iloc[0]
        assert abs(row["value"] - exact) < 5 * row["stderr"] + 1e-12


def test_losslessness_is_seen_and_a_fault_too():
    @speclab.verifier(name="py-always", lossless=False)
    def always(view, root, window, choices):
        node, tokens = root, []
        for _ in range(window.drafts):
            tokens.append(choices.draft(view.draft(node)))
            node = view.next(node, tokens[-1])
        last = [choices.correct(view.target(node))] if window.bonus else []
        return len(tokens), tokens + last

    assert speclab.exact(TOY, block, 2, horizon=3).value("output.tv_to_target") == 0
    # One token from d in the place of t: TV(d, t) = 1/3.
    assert math.isclose(speclab.exact(TOY, always, 1, horizon=1).value("output.tv_to_target"), 1 / 3)


def test_a_draw_from_nothing_is_undefined():
    @speclab.verifier(name="py-undefined", lossless=False)
    def undefined(view, root, window, choices):
        return 0, [choices.correct([0] * view.vocabulary)]

    assert speclab.exact(TOY, undefined, 1).value("iteration.undefined_mass") == 1


def test_a_name_is_defined_again_but_not_taken_from_a_known_verifier():
    def one(view, root, window, choices):
        return 0, [choices.correct(view.target(root))]

    def two(view, root, window, choices):
        return token.function(view, root, window, choices)

    first = speclab.verifier(one, name="py-again")
    assert speclab.exact(TOY, first, 1).value("iteration.expected_accepted") == 0
    again = speclab.verifier(two, name="py-again")
    assert speclab.exact(TOY, again, 1).value("iteration.expected_accepted") > 0
    for name, message in (("block", "already"), ("two words", "no name"), ("a(b=1)", "no name")):
        with pytest.raises(ValueError, match=message):
            speclab.verifier(one, name=name)


BROKEN = [
    (lambda v, r, w, c: None, "return"),
    (lambda v, r, w, c: (0, [7]), "7 is no token"),
    (lambda v, r, w, c: (0, [2**70]), f"{2**70} is no token"),
    (lambda v, r, w, c: (0, []), "accepted and 0 tokens"),
    (lambda v, r, w, c: (3, [0, 0, 0]), "3 accepted"),
    (lambda v, r, w, c: ("a", [0]), "whole number"),
    (lambda v, r, w, c: (0, [c.correct(v.target(r)), c.correct(v.target(r))][:1]), "the last"),
]


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_a_broken_contract_is_refused(number):
    function, message = BROKEN[number]
    with pytest.raises(speclab.ContractError, match=message):
        speclab.exact(TOY, speclab.verifier(function, name=f"py-broken-{number}"), 1)


@pytest.mark.parametrize("arithmetic", ["rational", "double"])
@pytest.mark.parametrize("coin", [2, -1])
def test_a_coin_outside_of_0_to_1_is_refused(coin, arithmetic):
    def tossing(view, root, window, choices):
        choices.accept(coin)
        return 0, [choices.correct(view.target(root))]

    tossing = speclab.verifier(tossing, name=f"py-coin-{abs(coin)}")
    said = rf"^py-coin-{abs(coin)}: the probability of a coin is {coin}, outside of .*state 0, decision 1"
    for ask in (lambda: speclab.exact(TOY, tossing, 1, arithmetic=arithmetic),
                lambda: speclab.simulate(TOY, tossing, 1, trials=10)):
        with pytest.raises(speclab.ContractError, match=said):
            ask()


WRONG = [
    (lambda v, r, w, c: c.accept(float("nan")), "finite number"),
    (lambda v, r, w, c: c.draft([0.5]), "has 1 weights; give 2"),
    (lambda v, r, w, c: c.draft([1.5, -0.5]), "weights of 0 or more"),
    (lambda v, r, w, c: c.draft(3), "array of weights"),
]


@pytest.mark.parametrize("arithmetic", ["rational", "double"])
@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_wrong_law_is_refused(number, arithmetic):
    function, message = WRONG[number]
    with pytest.raises(ValueError, match=message):
        speclab.exact(TOY, speclab.verifier(function, name=f"py-wrong-{number}"), 1,
                      arithmetic=arithmetic)


def test_what_a_function_raises_comes_out():
    def failing(view, root, window, choices):
        raise KeyError("mine")

    failing = speclab.verifier(failing, name="py-failing")
    for ask in (lambda: speclab.exact(TOY, failing, 1),
                lambda: speclab.simulate(TOY, failing, 1, trials=10)):
        with pytest.raises(KeyError, match="mine"):
            ask()


def test_a_view_is_of_one_iteration():
    kept = []

    def keeping(view, root, window, choices):
        kept.append((view, root, choices))
        return token.function(view, root, window, choices)

    speclab.exact(TOY, speclab.verifier(keeping, name="py-keeping"), 1)
    view, root, choices = kept[0]
    for use in (lambda: view.draft(root), lambda: choices.accept(0.5)):
        with pytest.raises(speclab.ContractError, match="do not keep"):
            use()


def test_the_list_of_verifiers_has_its_rows():
    rows = {row["name"]: row for row in speclab.verifiers()}
    assert rows["block"]["kind"] == "lossless"
    assert rows["wrong-block-residual"]["fault_of"] == "block"
    assert rows["py-token"]["prose"] == "Token verification."


LONG = [
    lambda: speclab.simulate(TOY, "block", 4, trials=10**11),
    lambda: speclab.simulate(TOY, token, 4, trials=10**9),
    lambda: speclab.exact(PAIR, block, 6, max_paths=1e15),
]


@pytest.mark.parametrize("number", range(len(LONG)))
def test_an_interrupt_ends_a_long_run_once(number):
    before = signal.getsignal(signal.SIGINT)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        LONG[number]()
    time.sleep(0.01)
    assert signal.getsignal(signal.SIGINT) is before
    assert speclab.exact(TOY, "block", 2).value("iteration.expected_accepted") == 11 / 9


def test_other_threads_go_on_meanwhile():
    counted = []
    stop = threading.Event()

    def count():
        while not stop.wait(0.002):
            counted.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    before = len(counted)
    speclab.simulate(TOY, "block", 8, trials=500_000, threads=1)
    during = len(counted) - before
    stop.set()
    thread.join()
    assert during > 0
