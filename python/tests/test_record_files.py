"""Recordings as files: going on after a stop, options, what is refused, who reads them."""

import itertools
import os
import pathlib
import re
import signal
import subprocess
import sys

import h5py
import numpy as np
import pytest

from speclab import _decoding, _demo, _recordings
from speclab.record import read, record, write_recording

from conftest import ROOT
from neural import softmax

V = 7
LOGITS = np.random.default_rng(3).normal(size=(2, V, V)) * 1.5
PROMPTS = [[i % V, (i * i) % V] for i in range(12)]
LENGTHS = {"positions": 10, "draft_length": 4}


class Table:
    """ids -> logits [n, V] by the token before; stops with an error at a call."""

    def __init__(self, which, stop_at=None):
        self.logits, self.stop_at, self.calls = LOGITS[which], stop_at, 0

    def __call__(self, ids):
        self.calls += 1
        if self.calls == self.stop_at:
            raise KeyboardInterrupt
        return self.logits[ids]


def made(path, **options):
    record(path, Table(0), Table(1), PROMPTS, **{**LENGTHS, **options})
    return path.read_bytes()


def expected_accepted(program, path, verifier, gamma):
    """What the program finds on a recording."""
    answer = program("simulate", "--pair", f"recorded({path})", "--verifier", verifier, "--gamma", str(gamma),
                     "--format", "csv")
    return float(re.search(r",iteration\.expected_accepted,,([^,]+),", answer).group(1))


# Going on.


def resumed(folder, stop_at):
    """Stopped at a call of the target, gone on with: the bytes, and the target's calls in both runs."""
    path, target, again = folder / "b.h5", Table(1, stop_at), Table(1)
    with pytest.raises(KeyboardInterrupt):
        record(path, Table(0), target, PROMPTS, **LENGTHS)
    assert not path.exists()
    record(path, Table(0), again, PROMPTS, **LENGTHS)
    return path.read_bytes(), target.calls, again.calls


SEGMENTS = 3  # of a prompt: 4 + 4 + 2 positions


@pytest.mark.parametrize("stop_at", [1, 2, 7, 18, 36])
def test_a_stopped_recording_goes_on_to_the_same_bytes(tmp_path, stop_at):
    bytes_, before, after = resumed(tmp_path, stop_at)
    assert bytes_ == made(tmp_path / "a.h5")
    whole = (before - 1) // SEGMENTS  # prompts are whole or absent, and none is recorded twice
    assert after == SEGMENTS * (len(PROMPTS) - whole)
    assert sorted(os.listdir(tmp_path)) == ["a.h5", "b.h5"]


@pytest.mark.parametrize("has", [lambda self, prompt: False, lambda self, prompt: prompt <= 6])
def test_the_check_sees_a_repeated_and_a_skipped_prompt(tmp_path, monkeypatch, has):
    undisturbed = made(tmp_path / "a.h5")
    monkeypatch.setattr(_recordings.Writer, "has",
                        lambda self, prompt: self.going_on and has(self, prompt))
    monkeypatch.setattr(_recordings.Writer, "going_on", False, raising=False)
    create = _recordings.Writer._open
    monkeypatch.setattr(_recordings.Writer, "_open", lambda self, *given: setattr(
        self, "going_on", True) or create(self, *given))
    bytes_, before, after = resumed(tmp_path, 18)
    assert bytes_ != undisturbed or after != SEGMENTS * (len(PROMPTS) - (before - 1) // SEGMENTS)


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
import test_record_files as files
files._recordings.Writer.SECONDS = 0.0
class Killed(files.Table):
    def __call__(self, ids):
        if self.calls == 20:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(ids)
files.record(sys.argv[2], files.Table(0), Killed(1), files.PROMPTS, **files.LENGTHS)
"""


def test_a_killed_recording_goes_on_to_the_same_bytes(tmp_path):
    path = tmp_path / "b.h5"
    killed = subprocess.run([sys.executable, "-c", KILLED, pathlib.Path(__file__).parent, path])
    assert killed.returncode == -signal.SIGKILL
    with read(tmp_path / "b.h5.part") as file:
        assert ((file.tokens >= 0).all(axis=1) == (np.arange(len(PROMPTS)) < 6)).all()
        assert (file.tokens[6:] == -1).all()
    assert made(path) == made(tmp_path / "a.h5")


def test_a_prompt_is_marked_when_its_rows_are_on_the_disk(tmp_path, monkeypatch):
    writer = _recordings.Writer(tmp_path / "a.h5", {"vocabulary": 2, "rows": "logits"}, 1, 2,
                                dtype="float32", target_positions=3, resume=True, emitted=False)
    marked = []
    sync = writer._sync
    monkeypatch.setattr(writer, "_sync", lambda: marked.append(writer.has(0)) or sync())
    writer.put(0, np.array([1, 0]), np.array([1, 0]), np.zeros((2, 2)), np.zeros((3, 2)))
    writer.close()
    assert marked == [False, True]


def test_another_recording_is_not_gone_on_with(tmp_path):
    path = tmp_path / "b.h5"
    with pytest.raises(KeyboardInterrupt):
        record(path, Table(0), Table(1, 18), PROMPTS, **LENGTHS)
    for options, message in [({"seed": 2}, "its seed is 1, here it is 2"),
                             ({"positions": 8}, "positions is 10, here it is 8"),
                             ({"dtype": "float16"}, "dtype is 'float32'"),
                             ({"draft_model": "other"}, "draft_model is None")]:
        with pytest.raises(ValueError, match=message):
            made(path, **options)
    with pytest.raises(ValueError, match="prompts_sha256"):
        record(path, Table(0), Table(1), PROMPTS[::-1], **LENGTHS)
    assert made(path, seed=2, resume=False) == made(tmp_path / "a.h5", seed=2)
    with pytest.raises(FileExistsError, match="b.h5 is there already"):
        made(path)


# Options.


def test_what_a_file_holds(tmp_path):
    made(tmp_path / "a.h5", draft_model="small", tokenizer="letters")
    with h5py.File(tmp_path / "a.h5") as file:
        assert set(file) == {"tokens", "starts", "emitted", "draft", "target", "draft_sums",
                             "target_sums", "path_sums", "start_sums", "emitted_sums"}
        assert file.attrs["format"] == "speclab-recorded" and file.attrs["version"] == 1
        assert file.attrs["vocabulary"] == V and file.attrs["rows"] == "probabilities"
        assert file.attrs["temperature"] == 1.0 and file.attrs["draft_model"] == "small"
        assert "target_model" not in file.attrs
        assert file["tokens"].shape == file["starts"].shape == (12, 10)
        assert file["draft"].shape == (12, 10, V) and file["target"].shape == (12, 11, V)
        assert file["tokens"].dtype == np.int32 and file["starts"].dtype == np.uint8
        assert file["draft"].dtype == np.float32
        assert file["starts"][0].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 1, 0]


def test_one_row_a_call_gives_the_same_file(tmp_path):
    record(tmp_path / "b.h5", lambda ids: LOGITS[0][ids[-1]].tolist(), lambda ids: LOGITS[1][ids[-2:]],
           PROMPTS, **LENGTHS)
    assert (tmp_path / "b.h5").read_bytes() == made(tmp_path / "a.h5")


def test_an_engines_own_buffer_may_change(tmp_path):
    buffer = np.empty(V)

    def target(ids):
        buffer[:] = LOGITS[1][ids[-1]]
        return buffer

    record(tmp_path / "b.h5", Table(0), target, PROMPTS, **LENGTHS)
    assert (tmp_path / "b.h5").read_bytes() == made(tmp_path / "a.h5")


@pytest.mark.parametrize("temperature", [0.5, 2.0])
@pytest.mark.parametrize("rows", ["probabilities", "logits"])
@pytest.mark.parametrize("dtype, error", [("float16", 2e-3), ("float32", 2e-6), ("float64", 1e-14)])
def test_rows_are_kept_at_their_temperature(tmp_path, temperature, rows, dtype, error):
    made(tmp_path / "a.h5", temperature=temperature, rows=rows, dtype=dtype)
    with read(tmp_path / "a.h5") as file:
        for p, prompt in enumerate(PROMPTS):
            before = [prompt[-1], *file.tokens[p, :3]]
            np.testing.assert_allclose(file.draft(p, slice(4)), softmax(LOGITS[0][before] / temperature),
                                       rtol=4 * error)
            np.testing.assert_allclose(file.target(p, 0), softmax(LOGITS[1][before[0]] / temperature),
                                       rtol=4 * error)
        assert file.attributes["temperature"] == temperature


def test_greedy_rows_are_the_lowest_of_the_likeliest(tmp_path):
    record(tmp_path / "a.h5", lambda ids: [0, 3, 3], lambda ids: [1, 1, 0], [[0]], temperature=0,
           rows="logits", **LENGTHS)
    with read(tmp_path / "a.h5") as file:
        assert file.tokens[0].tolist() == [1] * 10
        assert file.draft(0, 0).tolist() == [0, 1, 0] and file.target(0, 10).tolist() == [1, 0, 0]


@pytest.mark.parametrize("rows", ["probabilities", "logits"])
def test_draws_are_from_the_rows_as_they_are_kept(tmp_path, monkeypatch, rows):
    drawn_from = []
    pick = _decoding.pick
    monkeypatch.setattr(_decoding, "pick", lambda weights, uniform: drawn_from.append(weights)
                        or pick(weights, uniform))
    made(tmp_path / "a.h5", dtype="float16", rows=rows, draft_length=10)
    with read(tmp_path / "a.h5") as file:
        kept = [file.draft(p, i) for p in range(len(PROMPTS)) for i in range(10)]
    drafted = [row for i, row in enumerate(drawn_from) if i % 11 < 10]  # an output ends each prompt
    np.testing.assert_array_equal(drafted, kept)


def test_an_end_token_in_the_output_ends_the_path(tmp_path):
    made(tmp_path / "a.h5", end_token=2, positions=30)
    with read(tmp_path / "a.h5") as file:
        lengths = (file.tokens >= 0).sum(axis=1)
        assert lengths.min() < 30 and not (lengths[lengths < 30] % 4).any()
        for p, length in enumerate(lengths):
            assert (file.tokens[p, length:] == -1).all() and not file.starts[p, length:].any()
            # The row after the whole path is there.
            last = file.tokens[p, length - 1]
            np.testing.assert_allclose(file.target(p, length), softmax(LOGITS[1][last]), rtol=1e-6)


def test_what_is_drafted_ends_nothing(tmp_path):
    def one(token):
        return lambda ids: np.where(np.arange(3) == token, 0, -np.inf)

    for end_token, length in [(1, 12), (2, 4)]:
        record(tmp_path / f"{end_token}.h5", one(1), one(2), [[0]], positions=12, draft_length=4,
               end_token=end_token)
        with read(tmp_path / f"{end_token}.h5") as file:
            assert file.tokens[0].tolist() == [1] * length + [-1] * (12 - length)


def test_a_draw_has_weight():
    assert _decoding.pick(np.array([0.0, 1.0, 0.0]), 0.0) == 1
    assert _decoding.pick(np.array([1.0, 0.0, 1.0]), 0.5) == 2
    assert _decoding.pick(np.array([0.1, 0.2, 0.0]), 1 - 2**-53) == 1
    with pytest.raises(ArithmeticError, match="0/0"):
        _decoding.pick(np.zeros(3), 0.5)


def test_progress_is_for_terminals(tmp_path, capsys):
    made(tmp_path / "a.h5")
    assert capsys.readouterr().err == ""
    made(tmp_path / "b.h5", progress=True)
    shown = capsys.readouterr().err
    assert shown.endswith("\n") and "12 of 12 prompts" in shown.splitlines()[-1].rsplit("\r", 1)[-1]
    assert max(map(len, re.split("[\r\n]", shown))) <= 80


def test_tensors_are_rows_too(tmp_path):
    torch = pytest.importorskip("torch")
    logits = torch.tensor(LOGITS, requires_grad=True)
    record(tmp_path / "b.h5", lambda ids: logits[0, ids], lambda ids: logits[1, ids], PROMPTS, **LENGTHS)
    assert (tmp_path / "b.h5").read_bytes() == made(tmp_path / "a.h5")
    brief = _decoding.array_of(logits.to(torch.bfloat16))
    assert brief.dtype == np.float32 and brief.tolist() == logits.to(torch.bfloat16).tolist()


# What is refused.


def gives(row, at=3):
    """A draft whose row after so many tokens of the path is another one."""
    return lambda ids: row if len(ids) == 2 + at else LOGITS[0][ids[-1]]


@pytest.mark.parametrize("draft, message", [
    (gives([0, 1, np.nan, 0, 0, 0, 0]), "prompt 0, position 3: the draft's logit of token 2 is nan"),
    (gives([0, 1, 0, 0, 0, np.inf, 0]), "prompt 0, position 3: the draft's logit of token 5 is inf"),
    (gives([-np.inf] * V), "prompt 0, position 3: the draft's logit of token 0 is -inf.*not for all"),
    (gives([0.0] * 8), "prompt 0: the draft gives 8 logits; the vocabulary is 7; cut both models"),
    (lambda ids: LOGITS[0][None][:, ids], r"prompt 0: .* the draft gives an array \(1, 2, 7\)"),
    (lambda ids: LOGITS[0], r"prompt 0: for 2 tokens the draft gives an array \(7, 7\)"),
    (gives(["a"] * V), "gives <U1; give logits"),
])
def test_a_wrong_model_is_named_with_its_place(tmp_path, draft, message):
    with pytest.raises(ValueError, match=message):
        record(tmp_path / "a.h5", draft, Table(1), PROMPTS, vocabulary=V, **LENGTHS)


def test_a_wrong_row_of_the_target_is_named_with_its_place(tmp_path):
    def target(ids):
        rows = LOGITS[1][ids].copy()
        if len(ids) > 10:
            rows[-2, 4] = np.nan
        return rows

    with pytest.raises(ValueError, match="prompt 0, position 9: the target's logit of token 4 is nan"):
        record(tmp_path / "a.h5", Table(0), target, [[1] * 3], positions=10, draft_length=10)


@pytest.mark.parametrize("prompts, options, message", [
    ([], {}, "there is no prompt"),
    ([[1], []], {}, "prompt 1 is empty"),
    ([[1], [7]], {}, "prompt 1 has token 7; the vocabulary is 0 to 6"),
    ([[1], [-1]], {}, "prompt 1 has token -1"),
    ([[1]], {"positions": 0}, "positions is 0"),
    ([[1]], {"draft_length": 1.5}, "draft_length is 1.5"),
    ([[1]], {"seed": -1}, "seed is -1"),
    ([[1]], {"temperature": float("nan")}, "temperature is nan"),
    ([[1]], {"dtype": "int8"}, "dtype is 'int8'; give one of float16"),
    ([[1]], {"rows": "logprobs"}, "rows is 'logprobs'"),
    ([[1]], {"continue_with": "block"}, "continue_with is 'block'"),
    ([[1]], {"end_token": 7}, "end_token is 7; give a token of 0 to 6"),
    ([[1]], {"end_token": -1}, "end_token is -1"),
])
def test_what_is_wrong_with_a_call_is_said(tmp_path, prompts, options, message):
    with pytest.raises(ValueError, match=message):
        record(tmp_path / "a.h5", Table(0), Table(1), prompts, **{**LENGTHS, **options})
    assert not os.listdir(tmp_path)


# Several paths.


def test_a_stopped_recording_of_several_paths_goes_on_to_the_same_bytes(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        record(tmp_path / "b.h5", Table(0), Table(1, 30), PROMPTS, **LENGTHS, paths=2)
    assert made(tmp_path / "b.h5", paths=2) == made(tmp_path / "a.h5", paths=2)


def test_several_paths_are_drafted_from_every_start(tmp_path, program):
    made(tmp_path / "a.h5", paths=3)
    accepted = []
    with read(tmp_path / "a.h5") as file:
        assert file.paths == 3 and file.tokens.shape == (len(PROMPTS), 3, LENGTHS["positions"])
        assert any(len({*file.tokens[p, :, 0]}) > 1 for p in range(len(PROMPTS)))
        for p, k, i in np.ndindex(file.tokens.shape):
            if not file.starts[p, i]:
                before = file.tokens[p, k, i - 1]
                np.testing.assert_allclose(file.draft(p, i, path=k), softmax(LOGITS[0][before]), rtol=1e-6)
                np.testing.assert_allclose(file.target(p, i, path=k), softmax(LOGITS[1][before]), rtol=1e-6)
                continue
            draft, target = file.draft(p, i, path=k), file.target(p, i, path=k)
            assert (draft == file.draft(p, i)).all() and (target == file.target(p, i)).all()
            if k == 0:
                first, second = file.tokens[p, :2, i]
                left = np.maximum(target - draft, 0)
                left /= left.sum()
                missed = ((1 - min(1, target[first] / draft[first]))
                          * (1 - min(1, left[second] / draft[second])))
                accepted.append(1 - missed)
    found = expected_accepted(program, tmp_path / "a.h5", "rrs(K=2)", 1)
    assert found == pytest.approx(np.mean(accepted), rel=1e-12)


def test_given_rows_of_several_paths_are_written_and_read(tmp_path):
    laws = softmax(LOGITS)
    tokens = np.array([[[1, 2, 3], [1, 4, -1]], [[4, 5, 6], [0, 0, 0]]])
    rows = {"tokens": tokens, "draft": laws[0][np.maximum(tokens, 0)],
            "target": laws[1][np.maximum(tokens, 0)], "starts": [[1, 0, 0], [1, 1, 0]]}
    write_recording(tmp_path / "a.h5", **rows)
    with read(tmp_path / "a.h5") as file:
        assert file.tokens.tolist() == tokens.tolist() and file.starts.tolist() == rows["starts"]
        np.testing.assert_allclose(file.draft(1, 2, path=1), rows["draft"][1, 1, 2], rtol=1e-15)
        assert repr(file) == "<speclab Recording: 2 prompts, 2 paths, 3 positions, vocabulary 7>"
    rows["draft"] = rows["draft"].copy()
    rows["draft"][0, 1, 1] = 1
    with pytest.raises(ValueError, match="prompt 0, path 1, position 1: the draft's row is no law"):
        write_recording(tmp_path / "b.h5", **rows)


# Rows that are there already.


def given():
    laws = softmax(LOGITS)
    return {"tokens": [[1, 2, 3], [4, -1, -1]], "draft": laws[0][[[0, 1, 2], [0, 4, 4]]],
            "target": laws[1][[[0, 1, 2, 3], [0, 4, 4, 4]]]}


def test_given_rows_are_written_and_read(tmp_path):
    rows = given()
    write_recording(tmp_path / "a.h5", **rows, temperature=0.7, target_model="large")
    with read(tmp_path / "a.h5") as file:
        assert file.tokens.tolist() == rows["tokens"] and file.starts[:, 0].tolist() == [1, 1]
        assert not file.starts[:, 1:].any()
        np.testing.assert_allclose(file.draft(0, slice(None)), rows["draft"][0], rtol=1e-15)
        np.testing.assert_allclose(file.target(1, slice(2)), rows["target"][1, :2], rtol=1e-15)
        assert file.attributes["temperature"] == 0.7 and file.attributes["target_model"] == "large"


def test_argmax_drafts_are_decoded_and_need_no_draft_rows(tmp_path, program):
    record(tmp_path / "a.h5", Table(0), Table(1), [[1], [2, 3]], positions=6, draft_length=3, drafts="argmax",
           dtype="float64", progress=False)
    with read(tmp_path / "a.h5") as file:
        assert file.attributes["drafts"] == "argmax"
        for p, i in itertools.product(range(2), range(6)):
            assert file.tokens[p, i] == file.draft(p, i).argmax()
        tokens, starts = file.tokens, file.starts
        targets = np.stack([file.target(p, slice(None)) for p in range(2)])
        matches = [file.target(p, i)[file.tokens[p, i]] for p in range(2) for i in (0, 3)]
    write_recording(tmp_path / "b.h5", tokens, None, targets, starts=starts, drafts="argmax")
    for name in "ab":
        found = expected_accepted(program, tmp_path / f"{name}.h5", "sample-match(draft=argmax)", 1)
        assert found == pytest.approx(np.mean(matches), rel=1e-12)
    with pytest.raises(ValueError, match="argmax drafts are decoded on one path"):
        record(tmp_path / "c.h5", Table(0), Table(1), [[1]], drafts="argmax", paths=2)
    with pytest.raises(ValueError, match="drafts is 'greedy'; give one of sampled, argmax"):
        write_recording(tmp_path / "c.h5", tokens, None, targets, drafts="greedy")
    with pytest.raises(ValueError, match=r"draft \(\)"):
        write_recording(tmp_path / "c.h5", tokens, None, targets)


@pytest.mark.parametrize("change, message", [
    ({"tokens": [[1, 2, 3], [-1, 4, -1]]}, "prompt 1 has a -1 before a token"),
    ({"tokens": [[1, 2, 3], [-1, -1, -1]]}, "prompt 1 has a -1 before a token"),
    ({"tokens": [[1, 7, 3], [4, -1, -1]]}, "prompt 0 has token 7"),
    ({"tokens": [[1.0, 2.0, 3.0]]}, "tokens are whole numbers"),
    ({"draft": np.ones((2, 3, V))}, "prompt 0, position 0: the draft's row is no law"),
    ({"draft": np.eye(V)[[[1, 2, 5], [4, 4, 4]]]}, "prompt 0, position 2: the draft gives .* token 3"),
    ({"target": np.ones((2, 5, V)) / V}, r"target \(2, 5, 7\)"),
    ({"starts": [[1, 0, 2], [1, 0, 0]]}, "starts has the shape of tokens, 1 where"),
    ({"rows": "logits", "draft": np.full((2, 3, V), np.nan)}, "prompt 0, .* NaN or inf"),
])
def test_what_is_wrong_with_given_rows_is_said(tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        write_recording(tmp_path / "a.h5", **{**given(), **change})
    assert not os.listdir(tmp_path)


# The demonstration.


def test_an_n_gram_by_hand():
    # Of 0 0 1: (1/2, 1/2) counts twice beside (2, 1), and that twice beside (1, 1) after a 0.
    laws = [np.exp(_demo.NGram([0, 0, 1], 2, order)([1, 0])) for order in (0, 1)]
    np.testing.assert_allclose(laws, [[3 / 5, 2 / 5], [2.2 / 4, 1.8 / 4]], rtol=1e-15)
    # What was never seen has the law of the shorter context.
    np.testing.assert_array_equal(_demo.NGram([0, 0, 1], 2, 2)([1, 0]), _demo.NGram([0, 0, 1], 2, 1)([0]))


def test_the_command_line_records_a_text(tmp_path, capsys):
    call = [str(tmp_path / "a.h5"), "--demo", str(ROOT / "LICENSE"), "--prompts", "3", "--positions",
            "6", "--draft-length", "3"]
    assert _demo.main(call) == 0
    assert capsys.readouterr().out.endswith("3 prompts, 6 positions, vocabulary 76\n")
    with read(tmp_path / "a.h5") as file:
        assert file.tokens.shape == (3, 6) and file.attributes["draft_model"] == "2-gram"
    assert _demo.main(call) == 3
    assert "is there already" in capsys.readouterr().err
    shown = subprocess.run([sys.executable, "-m", "speclab.record", "--help"], capture_output=True,
                           text=True, check=True).stdout
    assert "--demo TEXT" in shown


# Who reads them.


@pytest.mark.parametrize("rows", ["probabilities", "logits"])
def test_the_program_finds_the_same_acceptance(tmp_path, program, rows):
    if not re.search(r"^recorded\b", program("list", "pairs"), re.MULTILINE):
        pytest.skip("this speclab has no pair recorded(FILE)")
    made(tmp_path / "a.h5", rows=rows)
    found = expected_accepted(program, tmp_path / "a.h5", "token", 4)
    ratios = []
    with read(tmp_path / "a.h5") as file:
        for p, start in np.argwhere(file.starts == 1):
            drafted = file.tokens[p, start : start + 4]
            if start + 4 > LENGTHS["positions"]:
                continue
            at = np.arange(4)
            ratios.append(file.target(p, slice(start, start + 4))[at, drafted]
                          / file.draft(p, slice(start, start + 4))[at, drafted])
    assert len(ratios) == 2 * len(PROMPTS)
    accepted = np.cumprod(np.minimum(1, ratios), axis=1).sum(axis=1)
    assert found == pytest.approx(accepted.mean(), rel=1e-12)


def test_the_examples_of_the_manual_are_python():
    text = (ROOT / "docs" / "recording.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 5
    for block in blocks:
        compile(block, "docs/recording.md", "exec")
    for engine in ("transformers", "vllm", "llama_cpp"):
        assert sum(f"from {engine} import" in block for block in blocks) == 1
