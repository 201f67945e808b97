"""Recording real models' probabilities for recorded(FILE).

    from speclab.record import record
    record("run.h5", draft, target, prompts, positions=64, draft_length=8)

then `speclab simulate --pair 'recorded(run.h5)' ...`. `record_texts` writes two numbers a token, for
`speclab score`. `draft` and `target` are functions of a list of
token numbers that give logits; docs/recording.md has them for transformers, vLLM and
llama-cpp-python. `write_recording` writes rows that you have already, `read` reads a file.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import operator
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ._decoding import Decode, Model, Plan, TemperedModel, array_of
from ._recordings import DRAFTS, DTYPES, ROWS, Recording, Writer, checked_rows, law_of
from ._texts import write_texts

__all__ = ["Recording", "read", "record", "record_texts", "write_recording"]

def record(path: str | Path, draft: Model, target: Model, prompts: Sequence[Sequence[int]], *,
           positions: int = 64, draft_length: int = 8, vocabulary: int | None = None,
           temperature: float = 1.0, rows: str = "probabilities", dtype: str = "float32",
           continue_with: str = "token", end_token: int | None = None, paths: int = 1,
           drafts: str = "sampled", seed: int = 1,
           resume: bool = True, draft_model: str = "", target_model: str = "", tokenizer: str = "",
           progress: bool | None = None) -> Path:
    """Decodes from every prompt and records both models' rows along the drafts.

    draft, target  ids -> logits: of the next token [V], or [n, V], row by row those after each of the
                   last n of the ids, the whole of them last (one call a segment in place of
                   draft_length + 1). Arrays, lists or tensors
    prompts        lists of token numbers, none empty
    positions      N: drafted tokens recorded a prompt
    draft_length   L: tokens drafted before the target looks; answers questions up to gamma = L
    vocabulary     V; by default what the draft gives
    temperature    logits are divided by it first; 0 is greedy, of equals the lowest
    rows, dtype    what is kept: "probabilities" or "logits", "float16", "float32" or "float64"
    continue_with  what the next segment follows: "token", the output of token verification, or
                   "target", L tokens of the target's own
    end_token      an output that holds it ends the path
    paths          K: drafted from every start, each on its own, for verifiers of up to K drafts; the
                   output goes on from the first
    drafts         "sampled" from the draft's rows, or "argmax": the likeliest token each time, of
                   equals the lowest, on one path
    seed           with the prompt's number it decides every draw
    resume         goes on with FILE.part where it is there and of the same arguments
    progress       a bar on standard error; by default where that is a terminal

    Drafts are drawn from the row as it is kept, rounded, so the file is exact for what it holds. A
    prompt is written when it is whole; FILE.part becomes FILE at the end. A run that was stopped goes
    on when it is called again, to the same numbers as without the stop.

    Source: token verification is Algorithm 1 of sun2025, in float64. Raises ValueError naming
    prompt and position, FileExistsError, OSError. Gives the path.
    """
    prompts = [[operator.index(token) for token in prompt] for prompt in prompts]
    _one_of("rows", rows, ROWS)
    _one_of("dtype", dtype, DTYPES)
    _one_of("continue_with", continue_with, ("token", "target"))
    if not 0 <= temperature < math.inf:
        raise ValueError(f"temperature is {temperature}; give a number of 0 or more")
    plan = Plan(_whole("positions", positions, 1), _whole("draft_length", draft_length, 1),
                continue_with, end_token, _whole("paths", paths, 1),
                _one_of("drafts", drafts, DRAFTS) == "argmax")
    if plan.argmax and paths > 1:
        raise ValueError("argmax drafts are decoded on one path; give paths=1, or write the rows of a "
                         "tree with write_recording")
    _check_prompts(prompts)
    if vocabulary is None:
        vocabulary = int(np.shape(array_of(draft(list(prompts[0]))))[-1])
    for number, prompt in enumerate(prompts):
        _check_tokens(f"prompt {number}", prompt, vocabulary)
    if end_token is not None and not 0 <= operator.index(end_token) < vocabulary:
        raise ValueError(f"end_token is {end_token}; give a token of 0 to {vocabulary - 1}")
    models = [TemperedModel(name, ask, vocabulary, temperature, rows, dtype)
              for name, ask in (("draft", draft), ("target", target))]
    attributes = {
        "vocabulary": vocabulary, "rows": rows, "temperature": float(temperature),
        **_names(draft_model, target_model, tokenizer),
        "draft_length": draft_length, "continue_with": continue_with, "seed": _whole("seed", seed, 0),
        **({} if end_token is None else {"end_token": end_token}),
        **({} if paths == 1 else {"paths": paths}),
        **({"drafts": drafts} if plan.argmax else {}),
        "prompts_sha256": hashlib.sha256(json.dumps(prompts).encode()).hexdigest(),
    }
    writer = Writer(path, attributes, len(prompts), positions, dtype=dtype,
                    target_positions=positions + 1, resume=resume, emitted=True)
    missing = [number for number in range(len(prompts)) if not writer.has(number)]
    bar = _Bar(len(prompts), len(prompts) - len(missing),
               sys.stderr.isatty() if progress is None else progress)
    try:
        for number in missing:
            draws = np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, number])))
            decode = Decode(number, prompts[number], draws, *models)
            recorded, emitted = decode.record(plan, lambda share: bar.show(number + share))
            for path, of_path in enumerate(recorded):
                writer.put(number, *of_path, path=None if paths == 1 else path,
                           emitted=emitted if path == 0 else None)
        bar.show(len(prompts))
        return writer.finish()
    finally:
        bar.end()
        writer.close()


def record_texts(path: str | Path, draft: Model, target: Model, prompts: Sequence[Sequence[int]], *,
                 tokens: int = 256, texts: Sequence[Sequence[int]] | None = None,
                 temperature: float = 1.0, end_token: int | None = None,
                 vocabulary: int | None = None, seed: int = 1, progress: bool | None = None) -> Path:
    """Writes texts of the target with the log-probability of each token under both models.

    draft, target  as record() takes them: ids -> logits, [V] or [n, V]
    tokens         drawn from the target behind each prompt, fewer where end_token comes
    texts          in place of them: texts that the target drew behind the prompts, at the temperature,
                   a list of token numbers each
    temperature    of both models; the texts must be drawn at it

    JSON lines for `speclab score` (docs/score.md). Raises ValueError naming the prompt,
    FileExistsError, OSError. Gives the path.
    """
    prompts = [[operator.index(token) for token in prompt] for prompt in prompts]
    _check_prompts(prompts)
    if not 0 <= temperature < math.inf:
        raise ValueError(f"temperature is {temperature}; give a number of 0 or more")
    if vocabulary is None:
        vocabulary = int(np.shape(array_of(draft(list(prompts[0]))))[-1])
    given = None
    if texts is not None:
        given = [[operator.index(token) for token in text] for text in texts]
        if len(given) != len(prompts):
            raise ValueError(f"there are {len(given)} texts and {len(prompts)} prompts; give as many")
    for what, lists in (("prompt", prompts), ("text", given or [])):
        for number, each in enumerate(lists):
            _check_tokens(f"{what} {number}", each, vocabulary)
            if what == "text" and len(each) < 2:
                raise ValueError(f"text {number} has {len(each)} tokens; a text has two or more")
    models = [TemperedModel(name, ask, vocabulary, temperature, "logits", "float64")
              for name, ask in (("draft", draft), ("target", target))]
    bar = _Bar(len(prompts), 0, sys.stderr.isatty() if progress is None else progress)
    try:
        return write_texts(path, *models, prompts, given, _whole("tokens", tokens, 2), end_token,
                           _whole("seed", seed, 0), bar.show)
    finally:
        bar.end()


def write_recording(path: str | Path, tokens: Any, draft: Any, target: Any, *, starts: Any = None,
                    emitted: Any = None, drafts: str = "sampled", rows: str = "probabilities",
                    dtype: str | None = None,
                    temperature: float | None = None, draft_model: str = "", target_model: str = "",
                    tokenizer: str = "") -> Path:
    """Writes existing rows.

    tokens   [P, N]: the drafted token at each position, drawn from the draft's row there; -1 after a
             path's end. Of K paths a prompt [P, K, N]: from each start on K paths are drawn, each on
             its own
    draft    [P, N, V] or anything that gives [n, V] by prompt, n >= the path's length; [P, K, N, V].
             Of argmax drafts it may be None
    target   [P, N, V] or [P, N + 1, V], likewise; the last row is the one after the whole path
    starts   [P, N], 1 where an iteration begins, of all paths; by default position 0 alone
    emitted  [P, N]: the token that the output has in the context of each position of the first path,
             the drafted one up to the first refusal after a start; -1 behind that and where it is not
             known. With it target rows that are shifted are found
    drafts   "sampled" from the draft's rows, or "argmax" where they are its likeliest tokens: of K
             paths those of a tree, in each context by rank
    dtype    what is kept; by default the draft's, without one the target's
    The rest as for record(). Each row is checked.

    Raises ValueError naming prompt and position, FileExistsError, OSError. Gives the path.
    """
    _one_of("rows", rows, ROWS)
    tokens = np.array(tokens)
    if tokens.ndim not in (2, 3) or tokens.dtype.kind not in "iu" or tokens.size == 0:
        raise ValueError("tokens are whole numbers [P, N], one path a prompt, or [P, K, N]")
    argmax = _one_of("drafts", drafts, DRAFTS) == "argmax"
    bare = argmax and draft is None
    models = [each if hasattr(each, "shape") else np.asarray(each) for each in (draft, target)]
    vocabulary = np.shape(models[bare])[-1] if np.ndim(models[bare]) else 0
    shapes = [(*tokens.shape, vocabulary) if bare else np.shape(models[0]), np.shape(models[1])]
    prompts, *several, positions = tokens.shape
    if (shapes[0] != (*tokens.shape, vocabulary) or shapes[1] not in
            (shapes[0], (prompts, *several, positions + 1, vocabulary))):
        raise ValueError(f"tokens are {tokens.shape}, draft {shapes[0]} and target {shapes[1]}; give "
                         "[P, N], [P, N, V] and [P, N + 1, V] or [P, N, V], of K paths [P, K, N] and "
                         "so on")
    starts = np.eye(1, positions, dtype=np.uint8).repeat(prompts, axis=0) if starts is None \
        else np.array(starts)
    if starts.shape != (prompts, positions) or not np.isin(starts, (0, 1)).all():
        raise ValueError("starts has the shape of tokens, 1 where an iteration begins, else 0; one row "
                         "for all paths of a prompt")
    if emitted is not None:
        emitted = np.array(emitted)
        if (emitted.shape != (prompts, positions) or emitted.dtype.kind not in "iu"
                or emitted.min() < -1 or emitted.max() >= vocabulary):
            raise ValueError(f"emitted has tokens of 0 to {vocabulary - 1}, or -1, for each prompt and "
                             f"position: {(prompts, positions)}")
    dtype = _one_of("dtype", dtype or models[bare].dtype.name, DTYPES)
    attributes = {"vocabulary": vocabulary, "rows": rows, **({"paths": several[0]} if several else {}),
                  **({} if temperature is None else {"temperature": float(temperature)}),
                  **({"drafts": drafts} if argmax else {}),
                  **_names(draft_model, target_model, tokenizer)}
    writer = Writer(path, attributes, prompts, positions, dtype=dtype, target_positions=shapes[1][-2],
                    resume=False, emitted=emitted is not None, draft=not bare)
    try:
        for number, of_path in itertools.product(range(prompts), range(several[0]) if several
                                                 else [None]):
            at = number if of_path is None else (number, of_path)
            where = f"prompt {number}" + ("" if of_path is None else f", path {of_path}")
            drafted = _checked_path(where, tokens[at], vocabulary)
            after = min(shapes[1][-2], len(drafted) + 1)
            kept = [None if name == "draft" and bare
                    else checked_rows(name, where, each[at][:count], rows, dtype)
                    for name, each, count in (("draft", models[0], len(drafted)),
                                              ("target", models[1], after))]
            if not bare:
                _check_drawn(where, drafted, law_of(kept[0], rows))
            first = emitted is not None and not of_path
            writer.put(number, drafted, starts[number, : len(drafted)], *kept, path=of_path,
                       emitted=emitted[number, : len(drafted)] if first else None)
        return writer.finish()
    except BaseException:
        writer.close()
        writer.part.unlink()
        raise


def read(path: str | Path) -> Recording:
    """Opens a recording. Raises OSError and ValueError."""
    return Recording(path)


def _names(draft_model: str, target_model: str, tokenizer: str) -> dict[str, str]:
    given = {"draft_model": draft_model, "target_model": target_model, "tokenizer": tokenizer}
    return {name: text for name, text in given.items() if text}


def _one_of(what: str, given: str, choices: Sequence[str]) -> str:
    if given not in choices:
        raise ValueError(f"{what} is {given!r}; give one of {', '.join(choices)}")
    return given


def _whole(what: str, given: Any, least: int) -> int:
    try:
        value = operator.index(given)
    except TypeError:
        value = least - 1
    if value < least:
        raise ValueError(f"{what} is {given!r}; give a whole number from {least}")
    return value


def _check_prompts(prompts: Sequence[Sequence[int]]) -> None:
    if not prompts:
        raise ValueError("there is no prompt; give one at least")
    for number, prompt in enumerate(prompts):
        if not prompt:
            raise ValueError(f"prompt {number} is empty; give it one token at least, such as that "
                             "which begins a text")


def _check_tokens(where: str, tokens: Sequence[int], vocabulary: int) -> None:
    for token in tokens:
        if not 0 <= token < vocabulary:
            raise ValueError(f"{where} has token {token}; the vocabulary is 0 to {vocabulary - 1}")


def _checked_path(where: str, tokens: np.ndarray, vocabulary: int) -> np.ndarray:
    """The tokens before the first -1, which ends the path."""
    ends = np.flatnonzero(tokens == -1)
    drafted = tokens[: ends[0]] if len(ends) else tokens
    if not len(drafted) or (tokens[len(drafted):] != -1).any():
        raise ValueError(f"{where} has a -1 before a token; -1 comes after a path's end, and a path has "
                         "one token at least")
    _check_tokens(where, drafted, vocabulary)
    return drafted.astype(np.int32)


def _check_drawn(where: str, drafted: np.ndarray, laws: np.ndarray) -> None:
    never = np.flatnonzero(laws[np.arange(len(drafted)), drafted] == 0)
    if len(never):
        raise ValueError(f"{where}, position {never[0]}: the draft gives the drafted token "
                         f"{drafted[never[0]]} probability 0; give the row that it was drawn from")


class _Bar:
    """The progress of a recording, on one line of standard error."""

    WIDTH = 24

    def __init__(self, prompts: int, there: int, shown: bool):
        """`there`: prompts of an earlier run, excluded from the time estimate."""
        self.prompts, self.there, self.shown = prompts, there, shown
        self.began, self.last = time.monotonic(), -math.inf

    def show(self, done: float) -> None:
        """`done` prompts; the one under way counts by its share."""
        if not self.shown or (done < self.prompts and time.monotonic() - self.last < 0.1):
            return
        self.last = time.monotonic()
        filled = int(self.WIDTH * done / self.prompts)
        line = (f"recording [{'#' * filled}{'.' * (self.WIDTH - filled)}] "
                f"{int(done)} of {self.prompts} prompts")
        spent = time.monotonic() - self.began
        if done > self.there and spent > 2:
            left = spent * (self.prompts - done) / (done - self.there)
            line += f", {math.ceil(left / 60)} min left" if left > 90 else f", {math.ceil(left)} s left"
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write("\r" + line[:width].ljust(min(width, 79)))
        sys.stderr.flush()

    def end(self) -> None:
        if self.shown:
            sys.stderr.write("\n")


if __name__ == "__main__":
    from ._demo import main

    sys.exit(main())
