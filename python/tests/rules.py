"""Right implementations of five rules in NumPy, vectorised over a batch of decisions.

Each has the shape that speclab.audit calls:

    function(draft_probs, target_probs, draft_tokens, rng) -> (accepted, tokens)

    draft_probs   [B, g, V]      float64, row i: the draft's law before drafted token i
    target_probs  [B, g + 1, V]  float64, the last row follows the whole draft
    draft_tokens  [B, g]         integers
    accepted      [B]            accepted tokens, 0..g
    tokens        [B, g + 1]     the accepted tokens, the correction or bonus, then -1

With K drafts the first three have shapes [B, K, g, V], [B, K, g + 1, V], [B, K, g].
"""

import numpy as np


def pick(weights, rng, uniform=None):
    """One token a row with probability proportional to its weight [B, V]; a row of zeros gives its
    first token."""
    cumulative = np.cumsum(weights, axis=1)
    if uniform is None:
        uniform = rng.random(len(weights))
    threshold = uniform * cumulative[:, -1]
    last = weights.shape[1] - 1 - np.argmax(weights[:, ::-1] > 0, axis=1)
    return np.minimum((cumulative <= threshold[:, None]).sum(axis=1), last)


def of_tokens(rows, tokens):
    """The entry of each drafted token: [B, g, V], [B, g] -> [B, g]."""
    return np.take_along_axis(rows[:, : tokens.shape[1]], tokens[:, :, None], axis=2)[:, :, 0]


def at(rows, index):
    """Row index[b] of each decision: [B, n, V], [B] -> [B, V]."""
    return rows[np.arange(len(rows)), index]


def with_zero_row(rows):
    """A row of zeros at the end, so that the bonus is a correction without a draft."""
    return np.concatenate([rows, np.zeros_like(rows[:, :1])], axis=1)


def first_failure(passes):
    """How many leading entries are true: [B, g] -> [B]."""
    return np.cumprod(passes, axis=1).sum(axis=1)


def emit(draft_tokens, accepted, last):
    """The accepted tokens, then the last one, then -1."""
    size, gamma = draft_tokens.shape
    tokens = np.full((size, gamma + 1), -1)
    kept = np.arange(gamma) < accepted[:, None]
    tokens[:, :gamma][kept] = draft_tokens[kept]
    tokens[np.arange(size), accepted] = last
    return accepted, tokens


def residual(target, draft, weight=1.0):
    """[weight * target - draft]+, not normalised; weight a number or [B]."""
    return np.maximum(np.reshape(weight, (-1, 1)) * target - draft, 0)


def token(draft_probs, target_probs, draft_tokens, rng):
    """sun2025 Algorithm 1."""
    draft, target = of_tokens(draft_probs, draft_tokens), of_tokens(target_probs, draft_tokens)
    accepted = first_failure(rng.random(draft.shape) * draft < target)
    law = residual(at(target_probs, accepted), at(with_zero_row(draft_probs), accepted))
    return emit(draft_tokens, accepted, pick(law, rng))


def block_weights(draft_probs, target_probs, draft_tokens):
    """w_0 = 1, w_i = min(1, w_{i-1} t / d): [B, g + 1]."""
    draft, target = of_tokens(draft_probs, draft_tokens), of_tokens(target_probs, draft_tokens)
    weights = np.ones((len(draft), draft.shape[1] + 1))
    for i in range(draft.shape[1]):
        weights[:, i + 1] = np.minimum(1, weights[:, i] * target[:, i] / draft[:, i])
    return weights


def block_coins(weights, draft_probs, target_probs):
    """h_i = S_i / (S_i + 1 - w_i) with S_i the sum of [w_i t - d]+, i = 1..g-1, and h_g = w_g:
    [B, g]. A coin of 0/0 is 0: a longer block is then accepted with probability 1."""
    inner = weights[:, 1:-1]
    excess = np.maximum(inner[:, :, None] * target_probs[:, 1:-1] - draft_probs[:, 1:], 0).sum(axis=2)
    coins = np.divide(excess, excess + (1 - inner), out=np.zeros_like(excess), where=excess > 0)
    return np.concatenate([coins, weights[:, -1:]], axis=1)


def longest(passes):
    """The largest i whose entry i - 1 is true, or 0: [B, g] -> [B]."""
    return (passes * np.arange(1, passes.shape[1] + 1)).max(axis=1)


def block(draft_probs, target_probs, draft_tokens, rng):
    """sun2025 Algorithm 2."""
    weights = block_weights(draft_probs, target_probs, draft_tokens)
    coins = block_coins(weights, draft_probs, target_probs)
    accepted = longest(rng.random(coins.shape) < coins)
    law = residual(at(target_probs, accepted), at(with_zero_row(draft_probs), accepted),
                   weights[np.arange(len(weights)), accepted])
    return emit(draft_tokens, accepted, pick(law, rng))


def sample_match(draft_probs, target_probs, draft_tokens, rng):
    """Draws from the target and goes on while the draw is the drafted token."""
    size, gamma = draft_tokens.shape
    drawn = np.stack([pick(target_probs[:, i], rng) for i in range(gamma + 1)], axis=1)
    accepted = first_failure(drawn[:, :gamma] == draft_tokens)
    return emit(draft_tokens, accepted, drawn[np.arange(size), accepted])


class Walk:
    """Down K drafts position by position: which drafts agree with what was accepted, which decisions
    go on, what was emitted."""

    def __init__(self, draft_tokens):
        self.drafts = draft_tokens
        size, count, gamma = draft_tokens.shape
        self.gamma = gamma
        self.agrees = np.ones((size, count), dtype=bool)
        self.going = np.ones(size, dtype=bool)
        self.accepted = np.zeros(size, dtype=int)
        self.tokens = np.full((size, gamma + 1), -1)

    def row(self, rows, position):
        """Row `position` of a draft that agrees: [B, K, n, V] -> [B, V]."""
        return rows[np.arange(len(rows)), np.argmax(self.agrees, axis=1), position]

    def emit(self, position, emitted, enters):
        """Emits a token; goes on where it `enters` a draft."""
        going = self.going
        self.tokens[going, position] = emitted[going]
        self.agrees &= self.drafts[:, :, position] == emitted[:, None]
        self.going = going & enters
        self.accepted += self.going

    def finish(self, target_probs, rng):
        bonus = pick(self.row(target_probs, self.gamma), rng)
        self.tokens[self.going, self.gamma] = bonus[self.going]
        return self.accepted, self.tokens


def target_only(draft_probs, target_probs, draft_tokens, rng):
    """Draws from the target and goes on while the draw is in the tree of drafts."""
    walk = Walk(draft_tokens)
    for i in range(walk.gamma):
        drawn = pick(walk.row(target_probs, i), rng)
        walk.emit(i, drawn, (walk.agrees & (draft_tokens[:, :, i] == drawn[:, None])).any(axis=1))
    return walk.finish(target_probs, rng)


def rest_of(left, draft, _refused):
    """The law after a refusal."""
    law = residual(left, draft)
    return law / np.maximum(law.sum(axis=1, keepdims=True), 1e-300)


def rrs(draft_probs, target_probs, draft_tokens, rng, rest=rest_of, draft_row=None):
    """Recursive rejection sampling, position by position.
    draft_row(walk, draft_probs, k, i) is the draft's law in the test of draft k, where it is another's."""
    walk = Walk(draft_tokens)
    everyone = np.arange(len(draft_tokens))
    for i in range(walk.gamma):
        left = walk.row(target_probs, i).copy()
        found = np.zeros(len(left), dtype=bool)
        emitted = np.zeros(len(left), dtype=int)
        for k in range(draft_tokens.shape[1]):
            x = draft_tokens[:, k, i]
            draft = draft_row(walk, draft_probs, k, i) if draft_row else walk.row(draft_probs, i)
            tried = walk.agrees[:, k] & ~found
            passes = rng.random(len(x)) * draft[everyone, x] < left[everyone, x]
            emitted = np.where(tried & passes, x, emitted)
            found |= tried & passes
            refused = tried & ~passes
            left[refused] = rest(left[refused], draft[refused], x[refused])
        walk.emit(i, np.where(found, emitted, pick(left, rng)), found)
    return walk.finish(target_probs, rng)


RIGHT = {
    "token": token,
    "block": block,
    "sample-match": sample_match,
    "target-only(K=2)": target_only,
    "rrs(K=2)": rrs,
}
