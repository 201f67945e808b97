"""NumPy baselines: nanoseconds a token, as JSON on standard output.

    baseline.py [--quick]

plain        token verification of whole decodes, one trial at a time, the script one writes first
vectorised   the same, all trials side by side
listing/V    the Python listing of sun2025 appendix A (block verification), with its missing last
             step, per drafted token at gamma = 8; drafting is not timed
Each is the fastest of many short runs, in processor time.
"""

import argparse
import json
import time

import numpy as np

VOCABULARY, HORIZON, SEED = 7, 50, 10
GAMMA = 8


def chain():
    """markov(vocabulary=7,horizon=50,seed=10): rows [position, previous token, token]."""
    generator = np.random.RandomState(SEED)
    shape = (HORIZON, VOCABULARY, VOCABULARY)
    draft, target = generator.random_sample(shape), generator.random_sample(shape)
    return draft / draft.sum(2, keepdims=True), target / target.sum(2, keepdims=True)


def expected_rejections(draft, target):
    """yin2024 Theorem 1, uniform prompt: what the means below must come near."""
    state, total = np.full(VOCABULARY, 1 / VOCABULARY), 0.0
    for n in range(HORIZON):
        total += state @ np.maximum(target[n] - draft[n], 0).sum(1)
        state = state @ target[n]
    return total


def plain(draft, target, generator):
    """Rejections of one decode."""
    token, rejections = generator.choice(VOCABULARY), 0
    for n in range(HORIZON):
        d, t = draft[n, token], target[n, token]
        token = generator.choice(VOCABULARY, p=d)
        if generator.random_sample() >= t[token] / d[token]:
            rejections += 1
            residual = np.maximum(t - d, 0)
            token = generator.choice(VOCABULARY, p=residual / residual.sum())
    return rejections


def vectorised(draft, target, generator, trials):
    """Rejections of each of `trials` decodes."""
    draft_sums = draft.cumsum(2)
    residual = np.maximum(target - draft, 0)
    residual_sums = (residual / residual.sum(2, keepdims=True)).cumsum(2)
    last = VOCABULARY - 1
    token = generator.randint(VOCABULARY, size=trials)
    rejections = np.zeros(trials, dtype=int)
    for n in range(HORIZON):
        coins = generator.random_sample((3, trials))
        drawn = np.minimum((coins[0, :, None] >= draft_sums[n, token]).sum(1), last)
        rejected = coins[1] * draft[n, token, drawn] >= target[n, token, drawn]
        rows = residual_sums[n, token[rejected]]
        drawn[rejected] = np.minimum((coins[2, rejected, None] >= rows).sum(1), last)
        rejections += rejected
        token = drawn
    return rejections


def listing(ps, qs, xs):
    """sun2025 appendix A: ps [gamma + 1, V], qs [gamma, V], xs [gamma]; the tokens kept."""
    draft_length, vocabulary = qs.shape
    qs = np.vstack([qs, np.zeros(vocabulary)])
    sequence = []
    accept_probability = 1.0
    with np.errstate(divide="ignore"):
        ratios = ps / qs
    vocabulary_plus_one = np.arange(vocabulary + 1)
    weights = np.empty(vocabulary + 1)
    for index in range(draft_length + 1):  # as printed: without the last step
        weights[:vocabulary] = np.maximum(0, ps[index] * accept_probability - qs[index])
        weights[vocabulary] = 1 - accept_probability
        weights /= np.sum(weights)
        chosen = np.random.choice(vocabulary_plus_one, p=weights)
        if chosen < vocabulary:
            sequence = xs[:index] + [chosen]
        if index < draft_length:
            accept_probability = min(1, ratios[index, xs[index]] * accept_probability)
    return sequence


def zipf(vocabulary):
    """Laws proportional to rank^-1.0 (draft) and rank^-1.1 (target)."""
    ranks = np.arange(1, vocabulary + 1)
    draft, target = ranks**-1.0, ranks**-1.1
    return draft / draft.sum(), target / target.sum()


def best_time(run, seconds):
    """Seconds a unit in the fastest run; run() does some work, returns its number of units."""
    run()
    end, best = time.perf_counter() + seconds, float("inf")
    while time.perf_counter() < end:
        began = time.process_time()
        units = run()
        best = min(best, (time.process_time() - began) / units)
    return best


def check_mean(name, rejections, expected):
    """Within five standard errors of the closed form, or the baseline does something else."""
    error = np.std(rejections, ddof=1) / np.sqrt(len(rejections))
    if abs(np.mean(rejections) - expected) > 5 * error:
        raise SystemExit(f"baseline {name}: mean {np.mean(rejections)}, expected {expected}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer and shorter runs")
    arguments = parser.parse_args()
    seconds = 1 if arguments.quick else 5

    draft, target = chain()
    expected = expected_rejections(draft, target)
    generator = np.random.RandomState(1)
    times, seen = {}, []

    def run_plain():
        seen.append(plain(draft, target, generator))
        return HORIZON

    times["plain"] = best_time(run_plain, seconds)
    check_mean("plain", seen, expected)

    def run_vectorised():
        seen.extend(vectorised(draft, target, generator, 2000))
        return 2000 * HORIZON

    seen = []
    times["vectorised"] = best_time(run_vectorised, seconds)
    check_mean("vectorised", seen, expected)

    np.random.seed(1)
    for vocabulary in (7, 131072):
        d, t = zipf(vocabulary)
        ps, qs = np.tile(t, (GAMMA + 1, 1)), np.tile(d, (GAMMA, 1))
        drafts = np.random.choice(vocabulary, p=d, size=(64, GAMMA)).tolist()

        def run_listing():
            xs = drafts.pop(0)
            drafts.append(xs)
            listing(ps, qs, xs)
            return GAMMA

        times[f"listing/{vocabulary}"] = best_time(run_listing, seconds)
    print(json.dumps({name: 1e9 * t for name, t in times.items()}, indent=1))


if __name__ == "__main__":
    main()
