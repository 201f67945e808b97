"""A Markdown row for each theorem of the tables in docs/proofs.md: proofs.py PROGRAM [SECONDS] (100 for each)."""

import json
import subprocess
import sys
import time

ONE_DRAFT = ["token", "block", "greedy-block", "sample-match"]
TWO_DRAFTS = ["rrs", "naive-tree", "target-only", "traversal", "slot-block"]


def theorems():
    """Rows (verifier, vocabulary, gamma, models, property)."""
    for verifier in ONE_DRAFT:
        for gamma in (1, 2, 3):
            yield verifier, 2, gamma, "iid", "lossless"
        for gamma in (1, 2):
            yield verifier, 2, gamma, "tree", "lossless"
        yield verifier, 3, 2, "iid", "lossless"
        yield verifier, 3, 1, "tree", "lossless"
    for verifier in ("token", "block"):
        for vocabulary in (2, 3, 4):
            yield verifier, vocabulary, "all", "any", "lossless"
    for verifier in TWO_DRAFTS:
        for gamma in (1, 2):
            yield f"{verifier}(K=2)", 2, gamma, "iid", "lossless"
        for models in ("iid", "tree"):
            yield f"{verifier}(K=2)", 3, 1, models, "lossless"
    for gamma in (1, 2):
        yield "spectr-coupled(K=2)", 2, gamma, "iid", "lossless"
    for verifier, other, gamma in (("block", "token", 3), ("greedy-block", "block", 2),
                                   ("traversal(K=2)", "block", 1), ("slot-block(K=2)", "block", 1)):
        yield verifier, 2, gamma, "iid", f"at-least:{other}"
    for verifier, claim, gamma in (("token", "sun2024.theorem2", 3), ("block", "sun2025.lemma3", 3),
                                   ("greedy-block", "sun2024.theorem1", 2),
                                   ("target-only(K=2)", "miao2023.target_only", 2),
                                   ("spectr-coupled(K=2)", "lin2026.equation5", 1),
                                   ("spectr-gbv(K=2)", "lin2026.theorem5.3", 1)):
        yield verifier, 2, gamma, "iid", f"predicts:{claim}"


def prove(program, seconds, verifier, vocabulary, gamma, models, statement):
    """The result of one run and the seconds it took."""
    began = time.monotonic()
    done = subprocess.run(
        [program, "prove", "--verifier", verifier, "--vocabulary", str(vocabulary), "--gamma",
         str(gamma), *(["--models", models] if models != "any" else []), "--property", statement,
         "--time", str(seconds), "--format", "json"],
        capture_output=True, text=True, check=False)
    if not done.stdout:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)["results"][0], time.monotonic() - began


def main():
    program = sys.argv[1]
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    print("| verifier | property | V | gamma | models | verdict | cells | undecided | branches left "
          "| seconds |\n|---|---|--:|--:|---|---|--:|--:|--:|--:|")
    for verifier, vocabulary, gamma, models, statement in theorems():
        found, took = prove(program, seconds, verifier, vocabulary, gamma, models, statement)
        print(f"| {verifier} | {statement} | {vocabulary} | {gamma} | {models} "
              f"| {found['verdict']} | {found['cells']} | {found['undecided']} "
              f"| {found['pending']} | {took:.1f} |", flush=True)


if __name__ == "__main__":
    main()
