"""Faults of implementations, in the shapes of rules.py.

FAULTS lists them as rows (name, rule, function, where, resembles): `where` is what the verdict may
find off, the first of them being what it must: "accepted" (the law of the accepted length),
"correction" (of the token after a refusal), "bonus" (of the token after the whole draft), each given
what comes before it. `resembles` is the known fault that the verdict must name, or "". Of several
drafts the tokens after an accepted length depend on which draft was taken, so that their law differs with it.
"""

from typing import Callable, NamedTuple

import numpy as np

import rules
from rules import at, emit, first_failure, longest, of_tokens, pick, residual, with_zero_row


class Fault(NamedTuple):
    name: str
    rule: str
    function: Callable
    where: tuple
    resembles: str = ""


FAULTS = []


def fault(rule, *where, resembles=""):
    def add(function):
        FAULTS.append(Fault(function.__name__.replace("_", "-"), rule, function, where, resembles))
        return function

    return add


def on_rows(change, right):
    """A right rule that is given changed rows: change(draft_probs, target_probs, draft_tokens)."""

    def function(draft_probs, target_probs, draft_tokens, rng):
        return right(*change(draft_probs, target_probs, draft_tokens), draft_tokens, rng)

    return function


def with_numbers(numbers, right):
    """A right rule with another source of random numbers."""

    def function(draft_probs, target_probs, draft_tokens, rng):
        return right(draft_probs, target_probs, draft_tokens, numbers(rng))

    return function


def add_row(name, rule, function, *where, resembles=""):
    FAULTS.append(Fault(name, rule, function, where, resembles))


# --- what is handed to a rule --------------------------------------------------------------------


def normalised(rows):
    return rows / rows.sum(axis=-1, keepdims=True)


def top_two(rows):
    least = np.sort(rows, axis=-1)[..., -2:-1]
    return normalised(np.where(rows >= least, rows, 0))


def sharpened(rows):
    return normalised(rows**2)


def few_bits(rows):
    return np.round(rows * 16) / 16


def safe(rows):
    """Where a filter leaves the drafted token no probability the test would divide by it."""
    return np.maximum(rows, 1e-12)


def swap_neighbours(rows):
    order = np.arange(len(rows)) ^ 1
    return rows[np.minimum(order, len(rows) - 1)]


def later(rows):
    return np.concatenate([rows[:, 1:], rows[:, -1:]], axis=1)


def earlier(rows):
    return np.concatenate([rows[:, :1], rows[:, :-1]], axis=1)


def frozen(rows):
    return np.repeat(rows[:, :1], rows.shape[1], axis=1)


ALL = ("accepted", "correction", "bonus")

for rule in ("token", "block"):
    RIGHT = rules.RIGHT[rule]
    add_row(f"{rule}-top-p-on-the-target-alone", rule,
            on_rows(lambda d, t, x: (d, top_two(t)), RIGHT), *ALL)
    add_row(f"{rule}-batch-rows-swapped", rule,
            on_rows(lambda d, t, x: (safe(d), swap_neighbours(t)), RIGHT), *ALL)
    add_row(f"{rule}-draft-index-one-late", rule,
            on_rows(lambda d, t, x: (safe(later(d)), t), RIGHT), "accepted", "correction")

add_row("temperature-on-the-target-alone", "token",
        on_rows(lambda d, t, x: (d, sharpened(t)), rules.token), *ALL)
add_row("temperature-on-the-draft-alone", "token",
        on_rows(lambda d, t, x: (sharpened(d), t), rules.token), "accepted", "correction")
add_row("rows-in-few-bits", "token",
        on_rows(lambda d, t, x: (safe(few_bits(d)), few_bits(t)), rules.token), *ALL)
add_row("target-index-one-early", "token",
        on_rows(lambda d, t, x: (d, earlier(t)), rules.token), *ALL)
add_row("target-of-the-first-context", "token",
        on_rows(lambda d, t, x: (d, frozen(t)), rules.token), *ALL, resembles="wrong-frozen-target")


# --- random numbers ------------------------------------------------------------------------------


class BelowOneHalf:
    """Uniform numbers that never exceed 1/2."""

    def __init__(self, rng):
        self.rng = rng

    def random(self, shape):
        return self.rng.random(shape) / 2


class AllAlike:
    """The same seed in every row of a batch."""

    def __init__(self, rng):
        self.rng = rng

    def random(self, shape):
        shape = np.atleast_1d(shape)
        return np.broadcast_to(self.rng.random(tuple(shape[1:])), shape)


class OneReused:
    """One number a decision, for its coins and its correction alike."""

    def __init__(self, rng):
        self.rng = rng
        self.made = None

    def random(self, shape):
        shape = tuple(np.atleast_1d(shape))
        if self.made is None:
            self.made = self.rng.random(shape[0])
        return np.broadcast_to(self.made.reshape((-1,) + (1,) * (len(shape) - 1)), shape)


for numbers in (BelowOneHalf, AllAlike, OneReused):
    add_row(f"token-{numbers.__name__}", "token", with_numbers(numbers, rules.token), *ALL)
add_row("block-OneReused", "block", with_numbers(OneReused, rules.block), *ALL)
add_row("rrs-AllAlike", "rrs(K=2)", with_numbers(AllAlike, rules.rrs), *ALL)


# --- token verification --------------------------------------------------------------------------


def token_lengths(draft_probs, target_probs, draft_tokens, rng):
    draft, target = of_tokens(draft_probs, draft_tokens), of_tokens(target_probs, draft_tokens)
    return first_failure(rng.random(draft.shape) * draft < target)


def token_correction(draft_probs, target_probs, accepted):
    return residual(at(target_probs, accepted), at(with_zero_row(draft_probs), accepted))


@fault("token", "accepted")
def closed_coin(draft_probs, target_probs, draft_tokens, rng):
    """`<=` with uniforms of 8 bits: a token of target probability 0 is accepted at 0."""
    draft, target = of_tokens(draft_probs, draft_tokens), of_tokens(target_probs, draft_tokens)
    accepted = first_failure(rng.integers(256, size=draft.shape) / 256 * draft <= target)
    return emit(draft_tokens, accepted,
                pick(token_correction(draft_probs, target_probs, accepted), rng))


@fault("token", "accepted", resembles="wrong-always-accept")
def always_accept(draft_probs, target_probs, draft_tokens, rng):
    accepted = np.full(len(draft_tokens), draft_tokens.shape[1])
    return emit(draft_tokens, accepted, pick(at(target_probs, accepted), rng))


@fault("token", "accepted")
def draft_law_dropped(draft_probs, target_probs, draft_tokens, rng):
    """Accepts with t in the place of t / d."""
    target = of_tokens(target_probs, draft_tokens)
    accepted = first_failure(rng.random(target.shape) < target)
    return emit(draft_tokens, accepted,
                pick(token_correction(draft_probs, target_probs, accepted), rng))


@fault("token", "accepted", resembles="wrong-token-zero")
def token_zero_special(draft_probs, target_probs, draft_tokens, rng):
    """Token 0, taken for padding, always passes."""
    draft, target = of_tokens(draft_probs, draft_tokens), of_tokens(target_probs, draft_tokens)
    passes = (rng.random(draft.shape) * draft < target) | (draft_tokens == 0)
    accepted = first_failure(passes)
    law = token_correction(draft_probs, target_probs, accepted)
    return emit(draft_tokens, accepted, pick(law, rng))


@fault("token", "correction")
def correction_from_the_target(draft_probs, target_probs, draft_tokens, rng):
    accepted = token_lengths(draft_probs, target_probs, draft_tokens, rng)
    return emit(draft_tokens, accepted, pick(at(target_probs, accepted), rng))


@fault("token", "correction")
def residual_of_the_absolute_difference(draft_probs, target_probs, draft_tokens, rng):
    accepted = token_lengths(draft_probs, target_probs, draft_tokens, rng)
    law = np.abs(at(target_probs, accepted) - at(with_zero_row(draft_probs), accepted))
    return emit(draft_tokens, accepted, pick(law, rng))


@fault("token", "correction", resembles="wrong-one-hot-residual")
def one_hot_residual(draft_probs, target_probs, draft_tokens, rng):
    """The target without the refused token, as if the draft were one-hot."""
    accepted = token_lengths(draft_probs, target_probs, draft_tokens, rng)
    law = at(target_probs, accepted).copy()
    refused = np.flatnonzero(accepted < draft_tokens.shape[1])
    law[refused, draft_tokens[refused, accepted[refused]]] = 0
    return emit(draft_tokens, accepted, pick(law, rng))


@fault("token", "correction")
def residual_of_the_next_row(draft_probs, target_probs, draft_tokens, rng):
    """The residual taken one position late."""
    accepted = token_lengths(draft_probs, target_probs, draft_tokens, rng)
    late = np.minimum(accepted + 1, draft_tokens.shape[1])
    law = token_correction(draft_probs, target_probs, late)
    return emit(draft_tokens, accepted, pick(law, rng))


@fault("token", "correction")
def greedy_correction(draft_probs, target_probs, draft_tokens, rng):
    accepted = token_lengths(draft_probs, target_probs, draft_tokens, rng)
    law = token_correction(draft_probs, target_probs, accepted)
    full = accepted == draft_tokens.shape[1]
    return emit(draft_tokens, accepted, np.where(full, pick(law, rng), law.argmax(axis=1)))


@fault("token", "bonus")
def bonus_from_the_draft(draft_probs, target_probs, draft_tokens, rng):
    """The last row of the draft in the place of the target's."""
    accepted = token_lengths(draft_probs, target_probs, draft_tokens, rng)
    law = token_correction(draft_probs, target_probs, accepted)
    full = accepted == draft_tokens.shape[1]
    law[full] = draft_probs[full, -1]
    return emit(draft_tokens, accepted, pick(law, rng))


@fault("token", "bonus")
def bonus_of_the_last_draft(draft_probs, target_probs, draft_tokens, rng):
    """The target's row before the last drafted token in the place of the one after it."""
    accepted = token_lengths(draft_probs, target_probs, draft_tokens, rng)
    law = token_correction(draft_probs, target_probs, accepted)
    full = accepted == draft_tokens.shape[1]
    law[full] = target_probs[full, -2]
    return emit(draft_tokens, accepted, pick(law, rng))


# --- block verification --------------------------------------------------------------------------


def block_with(draft_probs, target_probs, draft_tokens, rng, coins=rules.block_coins,
               lengths=longest, weight_of_residual=None):
    """Block verification with parts replaced."""
    weights = rules.block_weights(draft_probs, target_probs, draft_tokens)
    probability = coins(weights, draft_probs, target_probs)
    accepted = lengths(rng.random(probability.shape) < probability)
    weight = at(weights, accepted)
    if weight_of_residual is not None:
        weight = np.where(accepted < draft_tokens.shape[1],
                          weight_of_residual(weights, accepted), weight)
    law = residual(at(target_probs, accepted), at(with_zero_row(draft_probs), accepted), weight)
    law = np.where(law.sum(axis=1, keepdims=True) > 0, law, at(target_probs, accepted))
    return emit(draft_tokens, accepted, pick(law, rng))


@fault("block", "correction", resembles="wrong-block-residual(weight=none)")
def residual_without_w(*arguments):
    return block_with(*arguments, weight_of_residual=lambda w, accepted: np.ones(len(w)))


@fault("block", "correction", resembles="wrong-block-residual(weight=first)")
def only_the_first_factor_of_w(*arguments):
    return block_with(*arguments, weight_of_residual=lambda w, accepted: np.where(
        accepted > 0, w[:, 1], 1))


@fault("block", "correction")
def w_of_the_whole_draft(*arguments):
    return block_with(*arguments, weight_of_residual=lambda w, accepted: w[:, -1])


@fault("block", "accepted", resembles="wrong-first-failure")
def early_stop_at_the_first_failed_coin(*arguments):
    return block_with(*arguments, lengths=first_failure)


@fault("block", "accepted")
def coins_are_the_weights(*arguments):
    """h_i = w_i at every i."""
    return block_with(*arguments, coins=lambda w, d, t: w[:, 1:])


@fault("block", "accepted")
def coin_without_its_denominator(*arguments):
    """h_i = S_i: the renormalisation is forgotten."""

    def coins(w, d, t):
        excess = np.maximum(w[:, 1:-1, None] * t[:, 1:-1] - d[:, 1:], 0).sum(axis=2)
        return np.concatenate([excess, w[:, -1:]], axis=1)

    return block_with(*arguments, coins=coins)


@fault("block", "accepted")
def product_of_uniforms(draft_probs, target_probs, draft_tokens, rng):
    """Prefix i passes where the product of the first i uniforms is below the product of the
    ratios; the longest that passes is accepted."""
    draft, target = of_tokens(draft_probs, draft_tokens), of_tokens(target_probs, draft_tokens)
    uniforms = np.cumprod(rng.random(draft.shape), axis=1)
    accepted = longest(uniforms < np.cumprod(target / draft, axis=1))
    weights = rules.block_weights(draft_probs, target_probs, draft_tokens)
    law = residual(at(target_probs, accepted), at(with_zero_row(draft_probs), accepted),
                   at(weights, accepted))
    law = np.where(law.sum(axis=1, keepdims=True) > 0, law, at(target_probs, accepted))
    return emit(draft_tokens, accepted, pick(law, rng))


@fault("block", "accepted", "correction")
def ratio_without_its_bound(draft_probs, target_probs, draft_tokens, rng):
    """w is the product of the ratios, bounded by 1 only where a coin is tossed."""
    draft, target = of_tokens(draft_probs, draft_tokens), of_tokens(target_probs, draft_tokens)
    ratio = np.cumprod(np.concatenate([np.ones((len(draft), 1)), target / draft], axis=1), axis=1)
    excess = np.maximum(ratio[:, 1:-1, None] * target_probs[:, 1:-1] - draft_probs[:, 1:], 0)
    excess = excess.sum(axis=2)
    below = np.maximum(excess + 1 - ratio[:, 1:-1], 1e-300)
    coins = np.concatenate([excess / below, ratio[:, -1:]], axis=1)
    accepted = longest(rng.random(coins.shape) < coins)
    law = residual(at(target_probs, accepted), at(with_zero_row(draft_probs), accepted),
                   at(ratio, accepted))
    law = np.where(law.sum(axis=1, keepdims=True) > 0, law, at(target_probs, accepted))
    return emit(draft_tokens, accepted, pick(law, rng))


# --- several drafts ------------------------------------------------------------------------------


@fault("rrs(K=2)", *ALL)
def renormalisation_forgotten(*arguments):
    """The second draft is tested against [t - d]+ as it is."""
    return rules.rrs(*arguments, rest=lambda left, draft, x: residual(left, draft))


@fault("rrs(K=2)", *ALL)
def second_draft_against_the_target(*arguments):
    """Every draft is tested against t."""
    return rules.rrs(*arguments, rest=lambda left, draft, x: left)


@fault("rrs(K=2)", *ALL)
def refused_token_struck_out(*arguments):
    """t without the refused token, as for one-hot drafts."""

    def rest(left, draft, x):
        law = left.copy()
        law[np.arange(len(x)), x] = 0
        return law / np.maximum(law.sum(axis=1, keepdims=True), 1e-300)

    return rules.rrs(*arguments, rest=rest)


@fault("rrs(K=2)", *ALL)
def law_of_the_wrong_sibling(*arguments):
    """The first draft's law also where the first draft has fallen out."""
    return rules.rrs(*arguments, draft_row=lambda walk, rows, k, i: safe(rows[:, 0, i]))


@fault("rrs(K=2)", *ALL, resembles="wrong-one-draft-fewer(K=2)")
def one_draft_fewer(draft_probs, target_probs, draft_tokens, rng):
    """The second draft is never looked at."""
    return rules.rrs(draft_probs[:, :1], target_probs[:, :1], draft_tokens[:, :1], rng)


@fault("target-only(K=2)", *ALL)
def target_only_with_one_draft(draft_probs, target_probs, draft_tokens, rng):
    return rules.target_only(draft_probs[:, :1], target_probs[:, :1], draft_tokens[:, :1], rng)


@fault("target-only(K=2)", "bonus", "accepted", "correction")
def target_only_with_the_first_rows(draft_probs, target_probs, draft_tokens, rng):
    """The target's rows of the first draft also where another draft was entered."""
    first = np.repeat(target_probs[:, :1], target_probs.shape[1], axis=1)
    return rules.target_only(draft_probs, first, draft_tokens, rng)


@fault("sample-match", "correction")
def match_then_draw_again(draft_probs, target_probs, draft_tokens, rng):
    """Goes on with probability t(x), else draws afresh from the target, x not left out."""
    target = of_tokens(target_probs, draft_tokens)
    accepted = first_failure(rng.random(target.shape) < target)
    return emit(draft_tokens, accepted, pick(at(target_probs, accepted), rng))


@fault("sample-match", "accepted", "correction")
def match_tested_as_token(draft_probs, target_probs, draft_tokens, rng):
    """Token verification where the drafts are matched with draws."""
    return rules.token(draft_probs, target_probs, draft_tokens, rng)
