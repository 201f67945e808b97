"""The pytest plugin: conformance vectors as tests."""

import os
import subprocess
import sys
import xml.etree.ElementTree

import pytest

RIGHT = '''
import random
rng = random.Random(7)

def one(drafts, draft, target):
    for i, x in enumerate(drafts):
        if rng.random() >= target[i][x] / draft[i][x]:
            left = [max(t - d, 0) for t, d in zip(target[i], draft[i])]
            return drafts[:i] + rng.choices(range(len(left)), left)
    return drafts + rng.choices(range(len(target[-1])), target[-1])

def verify(drafts, draft, target, count):
    return [one(drafts, draft, target) for _ in range(count)]
'''
WRONG = RIGHT.replace("left = [max(t - d, 0) for t, d in zip(target[i], draft[i])]", "left = target[i]")
TEST = '''
import sampler

def test_sampler(speclab_case):
    speclab_case.check(sampler.verify)
'''


def run(folder, sampler, *options):
    """pytest on a sampler of its own; (exit code, what it printed)."""
    (folder / "sampler.py").write_text(sampler)
    (folder / "test_sampler.py").write_text(TEST)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider",
                           "-p", "speclab.pytest_plugin", *options], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_right_sampler_passes_and_junit_has_a_case_each(tmp_path):
    code, text = run(tmp_path, RIGHT, "--speclab-rule", "token", "--junitxml", "results.xml")
    assert code == 0, text
    suite = xml.etree.ElementTree.parse(tmp_path / "results.xml").getroot().find("testsuite")
    assert int(suite.get("tests")) >= 30 and suite.get("failures") == "0"
    properties = [one.attrib for one in suite.find("testcase").iter("property")]
    assert {"name": "speclab_case", "value": "token/1"} in properties


def test_a_wrong_sampler_fails_in_a_line_a_case(tmp_path):
    code, text = run(tmp_path, WRONG, "--speclab-rule", "token")
    assert code == 1
    assert "Traceback" not in text and "_check.py" not in text
    failed = sorted({line.split("[")[1].split("-")[0] for line in text.splitlines() if line.startswith("FAILED")})
    assert len(failed) > 5
    # Known failures: all of them, one fewer, one more.
    known = tmp_path / "known.txt"
    options = ("--speclab-rule", "token", "--speclab-known", "known.txt")
    known.write_text("# corrects from the target\n" + "\n".join(failed) + "\n")
    code, text = run(tmp_path, WRONG, *options)
    assert code == 0 and f"{len(failed)} xfailed" in text, text
    known.write_text("\n".join(failed[1:]))
    code, text = run(tmp_path, WRONG, *options)
    assert code == 1 and "1 failed" in text, text
    code, text = run(tmp_path, RIGHT, *options)
    assert code == 1 and f"{len(failed) - 1} failed" in text and "remove its line" in text, text
    known.write_text("token/1000")
    code, text = run(tmp_path, WRONG, *options)
    assert code == 4 and "'token/1000' is no case" in text, text


def test_vendored_files_and_wrong_use(tmp_path):
    vectors = pytest.importorskip("speclab._core").vectors("block", "small")[0]
    (tmp_path / "block.json").write_text(vectors)
    code, text = run(tmp_path, RIGHT, "--speclab-vectors", "block.json")
    assert code == 1 and "block/" in text, text  # token verification is another rule
    code, text = run(tmp_path, RIGHT, "--speclab-vectors", "none.json")
    assert code == 4 and "none.json" in text and "Traceback" not in text, text
    code, text = run(tmp_path, RIGHT, "--speclab-rule", "nonesuch")
    assert code == 4 and "nonesuch" in text and "Traceback" not in text, text
    assert run(tmp_path, RIGHT)[1].count("SKIPPED") == 1
