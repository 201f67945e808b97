"""Implementations for the audit's other modes: random numbers as arguments, and whole decodes."""

import numpy as np

import rules


class Given:
    """Random numbers that were given, in the order in which a rule of rules.py asks for them: first
    its coins [B, n], then its draws."""

    def __init__(self, coins, draws):
        self.left = [coins, draws]

    def random(self, shape):
        numbers = self.left.pop(0)
        return numbers if np.ndim(shape) or isinstance(shape, tuple) else numbers[:, 0]


def token(draft_probs, target_probs, draft_tokens, coins, draws):
    """Coins in the order of the positions, then one draw."""
    return rules.token(draft_probs, target_probs, draft_tokens, Given(padded(coins, draft_tokens),
                                                                      draws))


def block(draft_probs, target_probs, draft_tokens, coins, draws):
    """The coin of the whole draft first, then those of shorter blocks; a coin that is sure either way
    is not among the numbers where its decision is never made."""
    weights = rules.block_weights(draft_probs, target_probs, draft_tokens)
    chances = rules.block_coins(weights, draft_probs, target_probs)
    size, gamma = draft_tokens.shape
    accepted = np.zeros(size, dtype=int)
    open_ = np.ones(size, dtype=bool)
    used = np.zeros(size, dtype=int)
    coins = padded(coins, draft_tokens)
    for i in reversed(range(gamma)):
        # The rule tosses the coin of the whole draft always, another only where it can accept.
        tossed = open_ & ((i == gamma - 1) | (chances[:, i] > 0))
        passes = tossed & (coins[np.arange(size), np.minimum(used, gamma - 1)] < chances[:, i])
        accepted[passes] = i + 1
        open_ &= ~passes
        used += tossed
    law = rules.residual(rules.at(target_probs, accepted),
                         rules.at(rules.with_zero_row(draft_probs), accepted),
                         rules.at(weights, accepted))
    return rules.emit(draft_tokens, accepted, rules.pick(law, None, draws[:, 0]))


def padded(coins, draft_tokens):
    """[B, n] with n >= g."""
    missing = draft_tokens.shape[1] - coins.shape[1]
    return np.pad(coins, ((0, 0), (0, max(0, missing))), constant_values=0.5)


def closed_token(draft_probs, target_probs, draft_tokens, coins, draws):
    """`<=` against 0 target probability."""
    coins = padded(coins, draft_tokens)[:, : draft_tokens.shape[1]]
    draft = rules.of_tokens(draft_probs, draft_tokens)
    target = rules.of_tokens(target_probs, draft_tokens)
    accepted = rules.first_failure(coins * draft <= target)
    law = rules.residual(rules.at(target_probs, accepted),
                         rules.at(rules.with_zero_row(draft_probs), accepted))
    return rules.emit(draft_tokens, accepted, rules.pick(law, None, draws[:, 0]))


def in_floats(dtype, right):
    """A right rule on rows of fewer bits."""

    def function(draft_probs, target_probs, draft_tokens, coins, draws):
        return right(draft_probs.astype(dtype).astype(float),
                     target_probs.astype(dtype).astype(float), draft_tokens, coins, draws)

    return function


class Model:
    """The rows of a pair of kind iid or tree, its contexts numbered."""

    def __init__(self, pair):
        size = pair["vocabulary"]

        def row(law):
            return [fraction(entry) for entry in law]

        if pair["kind"] == "iid":
            self.draft, self.target = np.array([row(pair["draft"])]), np.array([row(pair["target"])])
            self.next = np.zeros((1, size), dtype=int)
            return
        prefixes = list(pair["draft"])
        number = {prefix: i for i, prefix in enumerate(prefixes)}
        self.draft = np.array([row(pair["draft"][prefix]) for prefix in prefixes])
        self.target = np.array([row(pair["target"][prefix]) for prefix in prefixes])
        # Beyond the listed contexts the laws are those of the longest listed one.
        self.next = np.array([[number.get(f"{prefix},{x}" if prefix else str(x), number[prefix])
                               for x in range(size)] for prefix in prefixes])


def fraction(entry):
    if not isinstance(entry, str):
        return float(entry)
    above, _, below = entry.partition("/")
    return int(above) / int(below or 1)


def decoder(rule):
    """Whole decodes by a rule of one draft of rules.py."""

    def function(pair, gamma, drafts, horizon, count, rng):
        model = Model(pair)
        tokens = np.zeros((count, horizon + gamma + 1), dtype=int)
        emitted, node = np.zeros(count, dtype=int), np.zeros(count, dtype=int)
        accepted = [[] for _ in range(count)]
        while (emitted < horizon).any():
            going = np.flatnonzero(emitted < horizon)
            nodes = [node[going]]
            drafted = []
            for _ in range(gamma):
                drafted.append(rules.pick(model.draft[nodes[-1]], rng))
                nodes.append(model.next[nodes[-1], drafted[-1]])
            taken, out = rule(np.stack([model.draft[each] for each in nodes[:-1]], axis=1),
                              np.stack([model.target[each] for each in nodes], axis=1),
                              np.stack(drafted, axis=1), rng)
            for i in range(gamma + 1):
                here = going[taken >= i]
                x = out[taken >= i, i]
                tokens[here, emitted[here]] = x
                node[here] = model.next[node[here], x]
                emitted[here] += 1
            for b, number in zip(going, taken):
                accepted[b].append(int(number))
        return tokens[:, :horizon], accepted

    return function
