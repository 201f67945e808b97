"""Small neural language models, trained on a text in a second: rows of a network, not of a toy.

An n-gram model as Bengio et al. 2003 have it: the embeddings of the last `order` tokens, a hidden
layer, a softmax.
"""

import pathlib

import numpy as np

LETTERS = " abcdefghijklmnopqrstuvwxyz"
VOCABULARY = len(LETTERS)


def text_tokens():
    """The letters of the project's licence; whatever is none of them is a space."""
    text = (pathlib.Path(__file__).resolve().parents[2] / "LICENSE").read_text(encoding="utf-8")
    words = "".join(c if c in LETTERS else " " for c in text.lower()).split()
    return np.array([LETTERS.index(c) for c in " ".join(words)])


class Model:
    """ids -> logits [n, V], row i after the first i + 1 of them; before the first token stand spaces."""

    def __init__(self, order, width, steps, seed, size=8):
        self.order = order
        rng = np.random.default_rng(seed)
        self.weights = [rng.normal(scale=0.5, size=(VOCABULARY, size)),
                        rng.normal(scale=(order * size) ** -0.5, size=(order * size, width)),
                        rng.normal(scale=width**-0.5, size=(width, VOCABULARY)),
                        np.zeros(VOCABULARY)]
        self._train(text_tokens(), steps, rng)

    def _windows(self, ids):
        padded = np.concatenate([np.zeros(self.order - 1, dtype=int), np.asarray(ids, dtype=int)])
        return np.lib.stride_tricks.sliding_window_view(padded, self.order)

    def _forward(self, windows):
        table, inner, outer, bias = self.weights
        given = table[windows].reshape(len(windows), -1)
        hidden = np.tanh(given @ inner)
        return given, hidden, hidden @ outer + bias

    def __call__(self, ids):
        return self._forward(self._windows(ids))[2]

    def _train(self, text, steps, rng, batch=256, rate=0.01):
        """Adam on the cross-entropy of the next token."""
        windows, nexts = self._windows(text[:-1]), text[1:]
        means = [np.zeros_like(w) for w in self.weights]
        squares = [np.zeros_like(w) for w in self.weights]
        for step in range(1, steps + 1):
            chosen = rng.integers(len(windows), size=batch)
            for w, m, s, g in zip(self.weights, means, squares,
                                  self._gradients(windows[chosen], nexts[chosen])):
                m += 0.1 * (g - m)
                s += 0.001 * (g * g - s)
                w -= rate * (m / (1 - 0.9**step)) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)

    def _gradients(self, windows, nexts):
        given, hidden, logits = self._forward(windows)
        error = softmax(logits)
        error[np.arange(len(nexts)), nexts] -= 1
        error /= len(nexts)
        back = (error @ self.weights[2].T) * (1 - hidden**2)
        table = np.zeros_like(self.weights[0])
        np.add.at(table, windows, (back @ self.weights[1].T).reshape(*windows.shape, -1))
        return table, given.T @ back, hidden.T @ error, error.sum(axis=0)

    def loss(self):
        """Cross-entropy of the text, in nats a token."""
        text = text_tokens()
        laws = softmax(self(text[:-1]))
        return -np.log(laws[np.arange(len(text) - 1), text[1:]]).mean()


def softmax(logits):
    laws = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return laws / laws.sum(axis=-1, keepdims=True)
