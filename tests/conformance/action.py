#!/usr/bin/env python3
"""The step for GitHub Actions, run as a shell would run it, and the examples of the manual's page.

Usage: action.py PROGRAM ROOT. Exit code 77, which ctest counts as skipped, where there is no PyYAML.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: no python3-yaml")
    sys.exit(77)

PROGRAM, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
SAMPLER = """
import random
def one(drafts, draft, target):
    for i, x in enumerate(drafts):
        if random.random() >= target[i][x] / draft[i][x]:
            return drafts[:i] + random.choices(range(len(draft[i])), [max(t - d, 0) for t, d in zip(target[i], draft[i])])
    return drafts + random.choices(range(len(target[-1])), target[-1])
def verify(*rows):
    return [one(*rows[:-1]) for _ in range(rows[-1])]
def wrong(*rows):
    return [one(*rows[:-1])[:1] for _ in range(rows[-1])]
"""


def main():
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    step, = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite" and step["shell"] == "bash"
    # Every input reaches the script through the environment, never as text of the script.
    assert "${{" not in step["run"]
    used = {name: re.fullmatch(r"\$\{\{ inputs\.(\w+) \}\}", value) for name, value in step["env"].items()}
    assert {found[1] for found in used.values() if found} == set(action["inputs"])

    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "my_sampler.py").write_text(SAMPLER)
        subprocess.run([PROGRAM, "vectors", "--rule", "token", "--output", "made"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)

        def run(**inputs):
            given = {name: str(each.get("default", "")) for name, each in action["inputs"].items()} | inputs
            place = {name: given[found[1]] if found else str(ROOT / "conformance" / "check.py")
                     for name, found in used.items()}
            place["PATH"] = f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}"
            done = subprocess.run(["bash", "-c", step["run"]], cwd=folder, env={**os.environ, **place},
                                  capture_output=True, text=True, check=False)
            assert "Traceback" not in done.stderr, done
            return done.returncode, done.stdout + done.stderr
        code, text = run(function="my_sampler:verify", vectors="made/token.json")
        assert code == 0 and "pass" in text, text
        code, text = run(function="my_sampler:verify", rules="token")
        assert code == 0 and "pass" in text, text
        code, text = run(function="my_sampler:wrong", vectors="made/token.json")
        assert code == 1 and "FAIL case" in text, text
        code, text = run(function="my_sampler:verify")
        assert code == 2 and "give vectors" in text, text

    image = (ROOT / "Dockerfile").read_text().splitlines()
    assert len(image) == 3 and image[0].startswith("FROM debian:") and ".deb" in image[1], image
    page = (ROOT / "docs" / "tasks" / "put-it-into-your-ci.md").read_text()
    examples = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", page, re.S)]
    assert len(examples) == 3
    assert set(examples[1][0]["with"]) <= set(action["inputs"]), examples[1]
    print("passed")


if __name__ == "__main__":
    main()
