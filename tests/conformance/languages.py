#!/usr/bin/env python3
"""The checkers in C++, Go and Rust: right implementations pass, wrong ones and controls fail.

Usage: languages.py LANGUAGE PROGRAM ROOT, with LANGUAGE cpp, go or rust. Exit code 77, which ctest counts as
skipped, where its compiler is not installed.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LANGUAGE, PROGRAM, ROOT = sys.argv[1:]
CHECKER = {"cpp": "check.hpp", "go": "check.go", "rust": "check.rs"}[LANGUAGE]
MAIN = {"cpp": "main.cc", "go": "main.go", "rust": "main.rs"}[LANGUAGE]
root, work = pathlib.Path(ROOT), pathlib.Path(tempfile.mkdtemp())


def build():
    """The command that runs the implementations."""
    compiler = {"cpp": os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++"),
                "go": shutil.which("go"), "rust": shutil.which("rustc")}[LANGUAGE]
    if compiler is None:
        print("skipped: no compiler for " + LANGUAGE)
        sys.exit(77)
    home = work / "conformance" if LANGUAGE == "go" else work
    home.mkdir(exist_ok=True)
    shutil.copy(root / "conformance" / CHECKER, home)
    shutil.copy(root / "tests" / "conformance" / MAIN, work)
    (work / "go.mod").write_text("module example.com/tests\n\ngo 1.18\n")
    command = {"cpp": [compiler, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror",
                       MAIN, "-o", "tests"],
               "go": [compiler, "build", "-o", "tests", "."],
               "rust": [compiler, "--edition", "2021", "-O", MAIN, "-o", "tests"]}[LANGUAGE]
    place = {**os.environ, "HOME": str(work), "GOCACHE": str(work / "cache"), "GOFLAGS": "", "GOPROXY": "off",
             "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", os.path.expanduser("~/.rustup"))}
    subprocess.run(command, cwd=work, env=place, check=True)
    return str(work / "tests")


def main():
    run = build()
    subprocess.run([PROGRAM, "vectors", "--rule", "token", "--rule", "block", "--output", str(work)],
                   check=True, stdout=subprocess.DEVNULL)

    def expect(code, said, *arguments):
        """The exit code, and what every line about a case says."""
        done = subprocess.run([run, *arguments], cwd=work, capture_output=True, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if "case " in line]
        assert done.returncode == code and (code != 1 or lines), (arguments, done)
        assert all(said in line for line in lines), (arguments, done)
        assert code != 2 or done.stderr.count("\n") == 1, done

    def controls(code, file, wrong):
        expect(code, "was not rejected", "controls", file, *(["--controls"] if LANGUAGE == "cpp" else []), wrong)
    for right, file in (("token", "token.json"), ("block", "block.json"), ("uniforms", "token.json")):
        expect(0, "", right, file)
    for wrong, file, said in (
            ("token", "block.json", " pass"), ("block", "token.json", " pass"), ("one-coin", "token.json", " pass"),
            ("outside", "token.json", "where tokens from 0 to"), ("few", "token.json", "returned 3 lists where"),
            ("raises", "token.json", {"cpp": "out of ideas", "go": "main.go:", "rust": "panic: "}[LANGUAGE])):
        expect(1, "" if said == " pass" else said, wrong, file)
    # Decisions on given numbers: one that differs is a finding.
    vectors = json.loads((work / "token.json").read_text())
    vectors["cases"][0]["uniforms"][0]["tokens"] = [0]
    (work / "changed.json").write_text(json.dumps(vectors))
    expect(1, "where the rule has [0]", "uniforms", "changed.json")
    # Rows of a large vocabulary, which are written by token: a kernel that cuts them passes every other case.
    subprocess.run([PROGRAM, "vectors", "--rule", "token", "--battery", "full", "--output", str(work / "full")],
                   check=True, stdout=subprocess.DEVNULL)
    full = json.loads((work / "full" / "token.json").read_text())
    full["cases"] = [case for case in full["cases"] if case["vocabulary"] > 65536]
    (work / "large.json").write_text(json.dumps(full))
    assert len(full["cases"]) == 3
    expect(0, "", "token", "large.json")
    expect(0, "", "uniforms", "large.json")
    expect(1, " pass", "cut", "large.json")
    expect(0, "", "cut", "token.json")
    full["cases"][0]["draft_rows"][0][0]["131072"] = "0.5"
    (work / "beyond.json").write_text(json.dumps(full))
    expect(2, "", "token", "beyond.json")
    # Files that are none.
    expect(2, "", "token", "none.json")
    expect(2, "", "token", "token.controls.json")
    (work / "cut.json").write_text((work / "token.json").read_text()[:5000])
    expect(2, "", "token", "cut.json")
    # Every control is rejected; one that is the rule itself is not.
    for rule in ("token", "block"):
        controls(0, rule + ".json", rule + ".controls.json")
    wrong = json.loads((work / "token.controls.json").read_text())
    first = json.loads((work / "token.json").read_text())["cases"][0]
    wrong["controls"] = [{"fault": "none", "case": 1, "decisions": [each["tokens"] for each in first["uniforms"]]}]
    (work / "same.json").write_text(json.dumps(wrong))
    controls(1, "token.json", "same.json")
    print("passed")


if __name__ == "__main__":
    try:
        main()
    finally:
        shutil.rmtree(work)
