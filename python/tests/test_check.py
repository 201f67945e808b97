"""Rules of one's own judged as a whole, and the questions that the package asks as the program does."""

import json
import os
import random
import subprocess
import sys

import pytest

import speclab

TOY = "bernoulli(draft=2/3,target=1/3)"
RULE = '''
import numpy as np
import speclab


@speclab.verifier(name="NAME")
def mine(view, root, window, choices):
    node, tokens = root, []
    while len(tokens) < window.drafts:
        draft, target = view.draft(node), view.target(node)
        x = choices.draft(draft)
        if not choices.accept(min(1, target[x] / draft[x])):
            return len(tokens), tokens + [choices.correct(CORRECTION)]
        tokens.append(x)
        node = view.next(node, x)
    last = [choices.correct(view.target(node))] if window.bonus else []
    return len(tokens), tokens + last


def plain(view, root, window, choices):
    return 0, [choices.correct(view.target(root))]


def drafted(view, root, window, choices):
    return 0, [choices.correct(view.draft(root))]
'''


@pytest.fixture
def rule(tmp_path):
    """Writes a file with a rule of this name and correction."""

    def write(name, correction="np.maximum(target - draft, 0)"):
        path = tmp_path / (name + ".py")
        path.write_text(RULE.replace("NAME", name).replace("CORRECTION", correction))
        return str(path)

    return write


def command(*words):
    """`python3 -m speclab check` with these words: its exit code, output and messages."""
    done = subprocess.run([sys.executable, "-m", "speclab", "check", *words], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_a_rule_of_the_list_is_judged_as_by_the_program(program):
    checked = speclab.check("block")
    assert checked
    assert checked.to_json() == program("check", "--verifier", "block", "--format", "json")
    assert str(checked) == program("check", "--verifier", "block")
    assert checked.result["share_of_optimum"]["exact"] == "11/12"
    # Not lossless, and the command of the counterexample is the program's own.
    wrong = speclab.check("wrong-greedy-draft")
    assert not wrong
    assert wrong.to_json() == program("check", "--verifier", "wrong-greedy-draft", "--format", "json")


def test_a_lossless_rule_of_a_file(rule):
    code, out, err = command("--python=" + rule("py-right") + ":mine", "--format=json")
    assert (code, err) == (0, "")
    result = json.loads(out)["results"][0]
    assert result["lossless"] and result["counterexample"] is None
    assert result["proof"] is None
    # Token verification on the toy pair at gamma 2: 10/9 of 4/3.
    assert result["share_of_optimum"]["exact"] == "5/6"


def test_a_biased_rule_of_a_file_has_a_command_that_runs(rule):
    path = rule("py-residual", "np.maximum(target - draft, 0) * target")
    code, out, err = command("--python=" + path + ":mine", "--format=json")
    assert code == 1
    assert err == "speclab: py-residual is not lossless, as it declares itself\n"
    result = json.loads(out)["results"][0]
    found = result["counterexample"]
    assert not result["lossless"] and result["share_of_optimum"] is None
    assert found["command"].startswith("speclab check --python ")
    words = found["command"].replace("'", "").split()[2:]
    assert command(*words)[0] == 1
    assert command("--python=" + path + ":drafted")[0] == 1
    assert command("--python=" + path + ":drafted", "--expect=nothing")[0] == 0


def test_a_plain_function_of_a_file_is_a_verifier(rule):
    code, out, _ = command("--python=" + rule("py-plain") + ":plain")
    assert code == 0
    assert out.startswith("plain: lossless on ")


@pytest.mark.parametrize("source, message", [
    ("raise RuntimeError('no')", "RuntimeError: no"), ("def f(:", "SyntaxError"),
    ("x = 1", "has no function 'mine'"), ("import nothing_of_this_name", "ModuleNotFoundError"),
    ("def mine(view, root, window, choices):\n    return 1 / 0", "mine.py:2: ZeroDivisionError")])
def test_a_wrong_file_is_refused_in_one_line(tmp_path, source, message):
    path = tmp_path / "mine.py"
    path.write_text(source)
    code, out, err = command(f"--python={path}:mine")
    assert code == 3 and out == ""
    assert message in err and err.count("\n") == 1


def started(binary, path, *words, python=sys.executable, folder=None):
    """The program's `check --python` with the rule of a file: what it has done."""
    return subprocess.run([binary, "check", "--python", path + ":mine", *words], capture_output=True,
                          text=True, check=False, cwd=folder,
                          env={**os.environ, "SPECLAB_PYTHON": str(python)})


def test_the_program_starts_the_package(binary, rule):
    done = started(binary, rule("py-started"), "--pair", TOY, "--gamma", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "py-started: lossless on " in done.stdout


def test_a_file_named_as_a_module_of_python_hides_nothing(binary, rule, tmp_path):
    (tmp_path / "token.py").write_text("raise RuntimeError('read in place of the module')\n")
    done = started(binary, rule("py-shadow"), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_python_without_numpy_is_refused_in_one_line(binary, rule, tmp_path):
    bare = tmp_path / "bare"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
    bare.chmod(0o755)
    done = started(binary, rule("py-bare"), python=bare)
    assert (done.returncode, done.stdout) == (3, "")
    assert "numpy" in done.stderr and done.stderr.count("\n") == 1


def test_randomness_of_ones_own_is_refused_with_its_line():
    def branching(view, root, window, choices):
        x = choices.draft(view.draft(root))
        if random.random() < 0.5:  # the line
            return 1, [x, choices.correct(view.target(root))]
        return 0, [choices.correct(view.target(root))]

    def weighing(view, root, window, choices):
        yes = choices.accept(random.random())  # the line
        return 0, [choices.correct(view.target(root))] if yes else [0]

    def emitting(view, root, window, choices):
        choices.draft(view.draft(root))
        return 0, [random.randrange(2)]  # the line

    for number, function in enumerate((branching, weighing, emitting)):
        made = speclab.verifier(function, name=f"py-random-{number}")
        for arithmetic in ("rational", "double"):
            with pytest.raises(speclab.ContractError) as refused:
                speclab.exact(TOY, made, 1, arithmetic=arithmetic)
            text = str(refused.value)
            assert f"py-random-{number}: it has randomness of its own, in test_check.py:" in text
            assert "# the line" in text


def test_a_rule_without_randomness_is_not_refused():
    memory = {}

    @speclab.verifier(name="py-cached")
    def cached(view, root, window, choices):
        law = memory.setdefault(tuple(view.target(root)), view.target(root))
        return 0, [choices.correct(law)]

    assert speclab.check(cached)


def test_a_missed_bonus_names_the_verifier():
    @speclab.verifier(name="py-bonus")
    def always(view, root, window, choices):
        tokens = [choices.draft(view.draft(root)) for _ in range(window.drafts)]
        return len(tokens), tokens + [choices.correct(view.target(root))]

    with pytest.raises(speclab.ContractError, match="py-bonus: .*where window.bonus is true"):
        speclab.exact(TOY, always, 2, horizon=2)


def test_a_broken_declaration_is_warned_of():
    @speclab.verifier(name="py-draft-alone")
    def draft_alone(view, root, window, choices):
        return 0, [choices.correct(view.draft(root))]

    with pytest.warns(UserWarning, match="py-draft-alone declares itself lossless and is not: TV 1/2"):
        speclab.exact(TOY, draft_alone, 1)
    with pytest.warns(UserWarning, match="py-draft-alone"):
        speclab.simulate(TOY, draft_alone, 1, trials=10)
    honest = speclab.verifier(draft_alone.function, name="py-draft-honest", lossless=False)
    assert not speclab.check(honest)


def test_a_name_that_comes_near_is_named():
    answers = speclab.exact(TOY, "block", 2, horizon=2)
    with pytest.raises(KeyError, match="did you mean output.tv_to_target"):
        answers.value("tv")
    with pytest.raises(KeyError, match="did you mean iteration.expected_accepted"):
        answers.value("expected_accepted")
    with pytest.raises(KeyError, match="its indices are '0', '1', '2'"):
        answers.value("iteration.accepted_law", 7)
    with pytest.raises(KeyError, match="there are iteration.expected_accepted"):
        answers.value("xyzzy")


def test_print_shows_the_programs_table(program):
    assert str(speclab.exact(TOY, "block", 2)) == program("exact", "--pair", TOY, "--verifier",
                                                          "block", "--gamma", "2")


def test_the_other_questions_are_the_programs(program, tmp_path):
    assert speclab.optimum(TOY, [1, 2], 2).results[1]["optimum"]["exact"] == "134/81"
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"target_logprobs": [-0.2, -1.6, -0.2], "draft_logprobs": [-0.4, -1.2, -0.1]}\n'
                     '{"target_logprobs": [-0.5, -0.2, -1.6], "draft_logprobs": [-0.9, -0.4, -1.2]}\n')
    assert speclab.score(texts, gamma=[1, 2, 3]).to_json() == program(
        "score", str(texts), "--gamma", "1:3", "--format", "json")
    assert speclab.score([texts], "token").results[0]["verifier"] == "token"
    with pytest.raises(ValueError, match="greedy-block"):
        speclab.score(texts, "greedy-block")
    assert (speclab.advise(TOY, "draft=0.1,target=1", gamma=[1, 2], trials=256).to_json()
            == speclab.advise(TOY, {"draft": 0.1, "target": 1}, gamma=[1, 2], trials=256).to_json())
    proof = speclab.prove("block")
    assert proof.to_json() == program("prove", "--verifier", "block", "--vocabulary", "2", "--gamma",
                                      "2", "--models", "iid", "--format", "json")
    assert str(proof).startswith("proved for all pairs: ")
    assert speclab.prove("block", gamma="all").to_json() == program(
        "prove", "--verifier", "block", "--vocabulary", "2", "--gamma", "all", "--format", "json")
    advice = speclab.advise(TOY, {"draft": 0.1, "target": "1+0.02n"}, gamma=[1, 2, 3], trials=2000)
    assert advice.to_json() == program(
        "advise", "--pair", TOY, "--latency", "draft=0.1,target=1+0.02n", "--gamma", "1:3",
        "--trials", "2000", "--format", "json")
    claims = speclab.verify("sun2025.theorem1", effort="quick")
    assert claims.to_json() == program("verify", "--claim", "sun2025.theorem1", "--quick",
                                       "--format", "json")
    assert speclab.verify("sun2025.theorem1", pair=TOY).data
    with pytest.raises(ValueError, match="no class of verifiers|give one of"):
        speclab.optimum(TOY, 1, verifiers="best")
    with pytest.raises(ValueError, match="computes with numbers"):
        speclab.prove(speclab.verifier(lambda v, r, w, c: (0, [c.correct(v.target(r))]),
                                       name="py-no-proof"))
