"""Recordings of neural models: rows, draws, acceptance, contexts; each check with its faults planted.

Statistical checks are bounds for sums of bounded martingale differences, right for any number of
terms: Hoeffding's (terms within a span of 1) and Freedman's (with their variance). All of them
together accuse a right recorder at most once in 10^9; their powers are asserted beside them.
"""

import math
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

import speclab
from speclab.record import read, record, write_recording

import neural
import rules

PROMPTS, POSITIONS, LENGTH = 300, 16, 4
ALARM = 1e-9 / 40  # of each of at most 40 comparisons


def hoeffding(count):
    return math.sqrt(count * math.log(2 / ALARM) / 2)


def freedman(variance):
    log = math.log(2 / ALARM)
    return math.sqrt(2 * variance * log) + 2 * log / 3


class Logged:
    """A model that remembers what it was asked."""

    def __init__(self, model):
        self.model, self.asked = model, []

    def __call__(self, ids):
        self.asked.append(list(ids))
        return self.model(ids)


def made(path, draft, target, prompts, **options):
    """A recording as arrays, with the context of every row as the draft was asked for it."""
    draft = Logged(draft)
    options = {"positions": POSITIONS, "draft_length": LENGTH, "vocabulary": neural.VOCABULARY,
               **options}
    record(path, draft, target, prompts, **options)
    with read(path) as file:
        shape = file.tokens.shape
        contexts = iter(draft.asked)
        return SimpleNamespace(
            tokens=file.tokens, starts=file.starts, emitted=file.emitted,
            attributes=file.attributes,
            draft=np.array([file.draft(p, slice(None)) for p in range(shape[0])]),
            target=np.array([file.target(p, slice(None)) for p in range(shape[0])]),
            contexts=[[next(contexts) for _ in range(shape[1])] for _ in range(shape[0])])


@pytest.fixture(scope="module")
def models():
    """Draft and target of which the next token depends on the last one, and on more of them."""
    found = SimpleNamespace(short=(neural.Model(1, 4, 150, 1), neural.Model(1, 16, 200, 2)),
                            long=(neural.Model(2, 8, 100, 3), neural.Model(4, 16, 200, 4)))
    unigram = np.bincount(neural.text_tokens()) / len(neural.text_tokens())
    for model in (*found.short, *found.long):
        assert model.loss() < -(unigram * np.log(unigram)).sum() - 0.2  # they have learnt something
    return found


@pytest.fixture(scope="module")
def prompts():
    text = neural.text_tokens().tolist()
    return [text[at : at + 6] for at in range(0, 30 * PROMPTS, 30)]


@pytest.fixture(scope="module")
def short(models, prompts, tmp_path_factory):
    return made(tmp_path_factory.mktemp("short") / "run.h5", *models.short, prompts)


# The checks.


def check_rows(run, draft, target):
    """Each row is the model's, worked out apart, after the context and the path before it."""
    for p, contexts in enumerate(run.contexts):
        for i, ids in enumerate(contexts):
            np.testing.assert_allclose(run.draft[p, i], neural.softmax(draft(ids)[-1]), rtol=2e-6)
            np.testing.assert_allclose(run.target[p, i], neural.softmax(target(ids)[-1]), rtol=2e-6)
        after = [*contexts[-1], run.tokens[p, -1]]
        np.testing.assert_allclose(run.target[p, -1], neural.softmax(target(after)[-1]), rtol=2e-6)


def check_contexts(run, prompts, verified=True):
    """A segment goes on with what was drafted; the next one follows an output: accepted tokens, then
    one more."""
    for p, contexts in enumerate(run.contexts):
        assert contexts[0] == prompts[p] and run.starts[p, 0] == 1
        for i in range(1, POSITIONS):
            assert run.starts[p, i] == (i % LENGTH == 0)
            start = i - 1 - (i - 1) % LENGTH
            drafted = run.tokens[p, start:i].tolist()
            if not run.starts[p, i]:
                assert contexts[i] == contexts[start] + drafted
                continue
            known = len(contexts[start])
            output = contexts[i][known:]
            assert contexts[i][:known] == contexts[start]
            if verified:
                assert 1 <= len(output) <= LENGTH + 1 and output[:-1] == drafted[: len(output) - 1]
                assert output[-1:] != drafted[len(output) - 1 :][:1]  # no correction is the draft
            else:
                assert len(output) == LENGTH


def check_emitted(run):
    """What the output has in the context of each position: the drafts that the next context holds and
    the token after them."""
    for p, contexts in enumerate(run.contexts):
        for start in range(0, POSITIONS - LENGTH, LENGTH):
            output = contexts[start + LENGTH][len(contexts[start]) :][:LENGTH]
            drafted = run.tokens[p, start : start + LENGTH].tolist()
            same = 0
            while same < len(output) and output[same] == drafted[same]:
                same += 1
            known = output[: same + 1]
            assert run.emitted[p, start : start + LENGTH].tolist() == known + [-1] * (LENGTH - len(known))


def held(differences, shift):
    """Whether differences of mean 0 are; and that a mean of `shift` would not pass, but once in
    1/ALARM."""
    bound = hoeffding(len(differences))
    assert abs(shift) * len(differences) > 2 * bound
    assert abs(np.sum(differences)) <= bound


def check_drawn(run):
    """Tokens of which the draft has more than the target come as often as the draft says: drawn from
    the target they would miss by the distance of the rows. And their probabilities are on average
    those of tokens drawn from their rows, for rows of other places the law of no token at all."""
    target = run.target[:, :-1]
    more = run.draft > target
    chance = (run.draft * more).sum(axis=2)
    drawn = np.take_along_axis(more, run.tokens[:, :, None], axis=2)[:, :, 0]
    held((drawn - chance).ravel(), (chance - (target * more).sum(axis=2)).mean())
    squares = (run.draft**2).sum(axis=2)
    variance = ((run.draft**3).sum(axis=2) - squares**2).sum()
    elsewhere = (run.draft * shifted(run.draft)).sum(axis=2)
    assert (squares - elsewhere).sum() > 2 * freedman(variance)
    surprise = np.take_along_axis(run.draft, run.tokens[:, :, None], axis=2)[:, :, 0] - squares
    assert abs(surprise.sum()) <= freedman(variance)


def check_output(run, draft, target):
    """The output is the target's: tokens of which the target has more come as often as it says."""
    every = np.arange(neural.VOCABULARY)
    draft, target = neural.softmax(draft(every)), neural.softmax(target(every))
    more = target > draft
    differences, shifts = [], []
    for p, contexts in enumerate(run.contexts):
        output = contexts[POSITIONS - LENGTH][len(contexts[0]) - 1 :]
        for before, x in zip(output, output[1:]):
            chance = target[before, more[before]].sum()
            differences.append(more[before, x] - chance)
            shifts.append(chance - draft[before, more[before]].sum())
    held(np.array(differences), np.mean(shifts))


def tails(run, verifier):
    """P(tau >= i | drafts) of every iteration, i = 1 .. LENGTH: [iterations, LENGTH]."""
    size = run.tokens.size // LENGTH
    draft = run.draft.reshape(size, LENGTH, -1)
    target = run.target[:, :-1].reshape(draft.shape)
    tokens = run.tokens.reshape(size, LENGTH)
    if verifier == "token":
        ratio = rules.of_tokens(target, tokens) / rules.of_tokens(draft, tokens)
        return np.cumprod(np.minimum(1, ratio), axis=1)
    coins = rules.block_coins(rules.block_weights(draft, target, tokens), draft,
                              np.concatenate([target, target[:, :1]], axis=1))
    # tau >= i unless every coin from i on fails.
    return 1 - np.cumprod((1 - coins)[:, ::-1], axis=1)[:, ::-1]


def check_acceptance(run, expected, verifier):
    """The recorded tails fit those of speclab, of value and standard error [LENGTH]."""
    found = tails(run, verifier)
    size = len(found)
    for i, (value, error) in enumerate(expected[verifier]):
        spread = freedman(size * value * (1 - value)) / size + 7 * error
        assert spread < 0.13  # a rate off by 0.26 is not missed
        assert abs(found[:, i].mean() - value) <= spread


@pytest.fixture(scope="module")
def expected(models, short):
    """What speclab says of the pair, from the contexts at which the recording's iterations start."""
    every = np.arange(neural.VOCABULARY)
    starts = [ids[-1] for contexts in short.contexts for ids in contexts[::LENGTH]]
    # The prompt is the token before position 1.
    pair = speclab.pair(*[neural.softmax(model(every)) for model in models.short],
                        prompt=np.bincount(starts, minlength=neural.VOCABULARY) / len(starts))
    frame = speclab.simulate(pair, ["token", "block"], LENGTH, trials=100_000).frame
    frame = frame[(frame["quantity"] == "iteration.tail") & (frame["method"] == "simulate")]
    return {name: list(zip(rows["value"], rows["stderr"])) for name, rows in frame.groupby("verifier")}


# A right recording.


def test_rows_are_the_models_after_their_contexts(short, models):
    check_rows(short, *models.short)


def test_segments_follow_the_output(short, prompts):
    check_contexts(short, prompts)


def test_tokens_are_drawn_from_the_draft(short):
    check_drawn(short)


def test_the_output_is_the_targets(short, models):
    check_output(short, *models.short)


def test_what_is_emitted_is_the_output(short):
    check_emitted(short)
    assert (short.emitted[:, POSITIONS - LENGTH] >= 0).all()  # of the last segment too


def test_target_rows_that_are_shifted_are_refused(short, tmp_path, program):
    """Where what was emitted is recorded: the drafts fit their rows."""
    def simulated(name, target, **options):
        write_recording(tmp_path / name, short.tokens, short.draft, target, starts=short.starts, **options)
        program("simulate", "--pair", f"recorded({tmp_path / name})", "--verifier", "token", "--gamma",
                str(LENGTH))

    simulated("right.h5", short.target, emitted=short.emitted)
    simulated("unknown.h5", shifted(short.target))
    with pytest.raises(subprocess.CalledProcessError) as refused:
        simulated("shifted.h5", shifted(short.target), emitted=short.emitted)
    assert refused.value.returncode == 3
    assert "emitted tokens were not drawn from the target's rows" in refused.value.stderr


@pytest.mark.parametrize("verifier", ["token", "block"])
def test_recorded_acceptance_is_that_of_simulate(short, expected, verifier):
    check_acceptance(short, expected, verifier)


def test_the_targets_own_continuation(models, prompts, tmp_path):
    run = made(tmp_path / "run.h5", *models.short, prompts, continue_with="target")
    check_rows(run, *models.short)
    check_contexts(run, prompts, verified=False)
    check_emitted(run)
    assert (run.emitted[:, POSITIONS - LENGTH :] == -1).all()  # nobody asked the target
    check_drawn(run)
    check_output(run, *models.short)


def test_models_of_longer_contexts(models, prompts, tmp_path):
    run = made(tmp_path / "run.h5", *models.long, prompts[:100])
    check_rows(run, *models.long)
    check_contexts(run, prompts)
    check_drawn(run)


# The same with a fault in it.


def altered(run, **parts):
    return SimpleNamespace(**{**vars(run), **parts})


def shifted(rows):
    return np.roll(rows, 1, axis=1)


def drawn_from(rows, rng):
    return np.array([rules.pick(each, rng) for each in rows])


FAULTS = {
    "draft rows shifted by one": lambda run, _: altered(run, draft=shifted(run.draft)),
    "target rows shifted by one": lambda run, _: altered(run, target=shifted(run.target)),
    "tokens of the target": lambda run, rng: altered(run, tokens=drawn_from(run.target[:, :-1], rng)),
    "tokens of another prompt": lambda run, _: altered(run, tokens=np.roll(run.tokens, 1, axis=0)),
    "output as drafted": lambda run, _: altered(run, contexts=[
        [contexts[0] + path[:i].tolist() for i in range(POSITIONS)]
        for contexts, path in zip(run.contexts, run.tokens)]),
    "models exchanged": lambda run, _: altered(run, draft=run.target[:, :-1], target=np.concatenate(
        [run.draft, run.target[:, -1:]], axis=1)),
}


@pytest.mark.parametrize("fault, checks", [
    ("draft rows shifted by one", "rows drawn"),
    ("target rows shifted by one", "rows acceptance"),
    ("tokens of the target", "drawn contexts acceptance"),
    ("tokens of another prompt", "drawn contexts acceptance"),
    ("output as drafted", "output contexts"),
    ("models exchanged", "rows drawn acceptance"),
])
def test_a_planted_fault_is_seen(short, models, prompts, expected, fault, checks):
    run = FAULTS[fault](short, np.random.default_rng(1))
    known = {
        "rows": lambda: check_rows(run, *models.short),
        "drawn": lambda: check_drawn(run),
        "contexts": lambda: check_contexts(run, prompts),
        "output": lambda: check_output(run, *models.short),
        "acceptance": lambda: check_acceptance(run, expected, "token"),
    }
    for check in checks.split():
        with pytest.raises(AssertionError):
            known[check]()
