"""Files of recorded(FILE) in HDF5 (docs/recorded.md): their writer and reader."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import h5py

FORMAT, VERSION = "speclab-recorded", 1
ROWS = ("probabilities", "logits")
DRAFTS = ("sampled", "argmax")
DTYPES = ("float16", "float32", "float64")
MOST_MISSING = 1 / 128  # a row of probabilities whose sum is further from 1 is refused by the reader


def _h5py() -> Any:
    """The library, which scored texts do without."""
    try:
        import h5py
    except ImportError as error:
        raise ImportError("recordings need h5py: install python3-h5py (Debian) or h5py (pip)"
                          ) from error
    return h5py


def law_of(kept: Any, rows: str) -> np.ndarray:
    """The law, in float64, of rows as they are stored. [..., V]"""
    law = np.asarray(kept, dtype=np.float64)
    if rows == "logits":
        law = np.exp(law - law.max(axis=-1, keepdims=True))
    return law / law.sum(axis=-1, keepdims=True)


def kept_of(logits: np.ndarray, rows: str, dtype: str) -> np.ndarray:
    """Logits in float64 as they are kept: probabilities, or logits of which the largest is 0."""
    kept = logits - logits.max(axis=-1, keepdims=True)
    if rows == "probabilities":
        kept = np.exp(kept)
        kept /= kept.sum(axis=-1, keepdims=True)
    else:
        # A number stays a number: in half precision one of -65504 or more.
        kept[kept > -np.inf] = np.maximum(kept[kept > -np.inf], np.finfo(dtype).min)
    return kept.astype(dtype)


def checked_rows(name: str, where: str, kept: Any, rows: str, dtype: str, position: int = 0
                 ) -> np.ndarray:
    """Rows of a model as they are kept, the first of them that of a position. [n, V]

    where  "prompt 3", for messages"""
    kept = np.asarray(kept).astype(dtype, copy=False)
    if rows == "logits":
        most = kept.max(axis=1)
        wrong, fault = ~np.isfinite(most), "has NaN or inf, or -inf alone; give logits"
    else:
        sums = kept.sum(axis=1, dtype=np.float64)
        wrong = ~(np.abs(sums - 1) <= MOST_MISSING) | (kept.min(axis=1) < 0)
        fault = (f"is no law in {dtype}: entries of 0 or more that sum to 1; give the probabilities of "
                "a whole softmax, of a very large vocabulary in float32")
    if wrong.any():
        i = int(np.argmax(wrong))
        raise ValueError(f"{where}, position {position + i}: the {name}'s row {fault}")
    return kept


def checksum_of(numbers: np.ndarray) -> np.int64:
    """The checksum of numbers along the last axis, by their 64 bits: sum of (2 i + 1) bits_i modulo 2^64. It changes
    with any one of them."""
    bits = np.ascontiguousarray(numbers).view(np.uint64)
    with np.errstate(over="ignore"):
        weights = 2 * np.arange(bits.shape[-1], dtype=np.uint64) + np.uint64(1)
        return (bits * weights).sum(axis=-1, dtype=np.uint64).view(np.int64)


class Writer:
    """Writes FILE prompt by prompt as FILE.part, which finish() renames.

    FILE.part is a whole file of the format from the start, its tokens all -1. A prompt's first token
    is written when all else of it is on the disk, so that a prompt is there as a whole or not at all,
    whenever the process or the machine dies; a kill costs the prompts of the last second.

    Where the attributes have `paths`, K, tokens are [P, K, N] and rows [P, K, N, V]: a prompt is
    there when all of its paths are.
    """

    SECONDS = 1.0  # between two waits for the disk

    def __init__(self, path: str | Path, attributes: Mapping[str, Any], prompts: int, positions: int,
                 *, dtype: str, target_positions: int, resume: bool, emitted: bool, draft: bool = True):
        self.path = Path(path)
        # (prompt,) or (prompt, path) -> its first token, which is to be written yet
        self._firsts: dict[tuple[int, ...], int] = {}
        self._synced = time.monotonic()
        self.part = self.path.with_name(self.path.name + ".part")
        if self.path.exists():
            raise FileExistsError(f"{self.path} is there already; give another name, or remove it")
        attributes = {"format": FORMAT, "version": VERSION, **attributes}
        if resume and self.part.exists():
            self._file = self._open(attributes, (prompts, positions), dtype, emitted)
        else:
            new = self.part.with_name(self.part.name + ".new")
            _create(new, attributes, (prompts, positions), dtype, target_positions, emitted, draft)
            os.replace(new, self.part)
            self._file = _h5py().File(self.part, "r+")
        self._data = {name: self._file[name] for name in self._file}

    def _open(self, attributes: Mapping[str, Any], shape: tuple[int, int], dtype: str,
              emitted: bool) -> h5py.File:
        file = _h5py().File(self.part, "r+")
        if "draft_sums" not in file:
            file.close()
            raise ValueError(f"{self.part} is the beginning of a recording without checksums; give resume=False to "
                             "begin again")
        # HDF5 gives NumPy's numbers: what is shown of one is the number.
        written = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in file.attrs.items()}
        found = {**written, "prompts": file["tokens"].shape[0],
                 "positions": file["tokens"].shape[-1], "dtype": file["draft"].dtype.name,
                 "emitted": "emitted" in file}
        asked = {**attributes, "prompts": shape[0], "positions": shape[1], "dtype": dtype,
                 "emitted": emitted}
        for name in sorted(asked.keys() | found.keys()):
            if asked.get(name) != found.get(name):
                file.close()
                raise ValueError(
                    f"{self.part} is the beginning of another recording: its {name} is "
                    f"{found.get(name)!r}, here it is {asked.get(name)!r}; give the same arguments, "
                    "or resume=False to begin again")
        return file

    def has(self, prompt: int) -> bool:
        return bool((self._data["tokens"][prompt, ..., 0] >= 0).all())

    def put(self, prompt: int, tokens: np.ndarray, starts: np.ndarray, draft: np.ndarray | None,
            target: np.ndarray, path: int | None = None, emitted: np.ndarray | None = None) -> None:
        """One prompt, or one of its paths: its tokens [n], starts [n], draft [n, V] and target
        [n or n + 1, V]; of the first path what was emitted, [n]. No draft in a file without its
        rows."""
        at = (prompt,) if path is None else (prompt, path)
        for name, values in (("draft", draft), ("target", target)):
            if values is None:
                continue
            kept = np.asarray(values, dtype=self._data[name].dtype)
            self._data[name][(*at, slice(len(values)))] = kept
            self._data[name + "_sums"][(*at, slice(len(values)))] = checksum_of(kept.astype(np.float64))
        self._data["starts"][prompt, : len(starts)] = starts
        self._data["tokens"][(*at, slice(1, len(tokens)))] = tokens[1:]
        padding = np.full(self._data["tokens"].shape[-1] - len(tokens), -1)
        self._data["path_sums"][at] = checksum_of(np.concatenate([tokens, padding]).astype(np.int64))
        self._data["start_sums"][prompt] = checksum_of(self._data["starts"][prompt].astype(np.int64))
        if emitted is not None:
            self._data["emitted"][prompt, : len(emitted)] = emitted
            known = self._data["emitted"][prompt].astype(np.int64)
            self._data["emitted_sums"][prompt] = checksum_of(known)
        self._firsts[at] = tokens[0]
        if time.monotonic() - self._synced > self.SECONDS:
            self._commit()

    def finish(self) -> Path:
        self.close()
        os.replace(self.part, self.path)
        return self.path

    def close(self) -> None:
        """Leaves FILE.part with the prompts written so far, to be resumed."""
        if self._file:
            self._commit()
            self._sync()
            self._file.close()

    def _commit(self) -> None:
        self._sync()
        for at, token in self._firsts.items():
            self._data["tokens"][(*at, 0)] = token
        self._file.flush()
        self._firsts.clear()
        self._synced = time.monotonic()

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._file.id.get_vfd_handle())


def _create(path: Path, attributes: Mapping[str, Any], shape: tuple[int, int], dtype: str,
            target_positions: int, emitted: bool, draft: bool) -> None:
    """A file without a prompt. All places are given out, so that what describes them is never
    written again."""
    prompts, positions = shape
    of_prompt = (prompts,) if "paths" not in attributes else (prompts, attributes["paths"])
    with _h5py().File(path, "w") as file:
        file.attrs.update(attributes)
        file["tokens"] = np.full((*of_prompt, positions), -1, dtype=np.int32)
        file["starts"] = np.zeros((prompts, positions), dtype=np.uint8)
        file["path_sums"] = np.zeros(of_prompt, dtype=np.int64)
        file["start_sums"] = np.zeros(prompts, dtype=np.int64)
        if emitted:
            file["emitted"] = np.full((prompts, positions), -1, dtype=np.int32)
            file["emitted_sums"] = np.zeros(prompts, dtype=np.int64)
        models = [("draft", positions)] * draft + [("target", target_positions)]
        for name, count in models:
            file[name + "_sums"] = np.zeros((*of_prompt, count), dtype=np.int64)
        for name, count in models:
            made = _h5py().h5p.create(_h5py().h5p.DATASET_CREATE)
            made.set_alloc_time(_h5py().h5d.ALLOC_TIME_EARLY)
            made.set_fill_time(_h5py().h5d.FILL_TIME_NEVER)  # what is not written stays a hole
            file.create_dataset(name, (*of_prompt, count, attributes["vocabulary"]), dtype, dcpl=made)
        file.flush()
        os.fsync(file.id.get_vfd_handle())


class Recording:
    """A file of recorded(FILE), read piece by piece: it may be larger than memory.

    attributes  dict of the root's attributes
    paths       of a prompt, K: 1, or what the attribute says
    tokens      [P, N], or [P, K, N] where the attribute is there; -1 after a path's end
    starts      [P, N], 1 where an iteration begins
    emitted     [P, N], the output's token in the context of each position of the first path; -1 where
                it has left the path; None where it is not recorded
    """

    def __init__(self, path: str | Path):
        self._file = _h5py().File(path, "r")
        self.attributes = dict(self._file.attrs)
        if self.attributes.get("format") != FORMAT or self.attributes.get("version") != VERSION:
            self._file.close()
            raise ValueError(f"{path} is no recording of version {VERSION}; see docs/recorded.md")
        self.vocabulary = int(self.attributes["vocabulary"])
        self.paths = int(self.attributes.get("paths", 1))
        self.tokens = self._file["tokens"][:]
        if "starts" in self._file:
            self.starts = self._file["starts"][:]
        else:
            self.starts = np.zeros((len(self.tokens), self.tokens.shape[-1]), dtype=np.uint8)
            self.starts[:, 0] = 1
        self.emitted = self._file["emitted"][:] if "emitted" in self._file else None

    def draft(self, prompt: int, position: Any, path: int = 0) -> np.ndarray:
        """The draft's law [V] at a position, or its laws [n, V] at a slice of them: float64."""
        return law_of(self._file["draft"][self._at(prompt, path, position)], self.attributes["rows"])

    def target(self, prompt: int, position: Any, path: int = 0) -> np.ndarray:
        """As draft(); the target has a law after the whole path as well."""
        return law_of(self._file["target"][self._at(prompt, path, position)], self.attributes["rows"])

    def _at(self, prompt: int, path: int, position: Any) -> tuple[Any, ...]:
        return (prompt, position) if self.tokens.ndim == 2 else (prompt, path, position)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        paths = "" if self.paths == 1 else f"{self.paths} paths, "
        return (f"<speclab Recording: {len(self.tokens)} prompts, {paths}"
                f"{self.tokens.shape[-1]} positions, vocabulary {self.vocabulary}>")
