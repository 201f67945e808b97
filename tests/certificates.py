"""Certificates of `speclab prove` and proofs/certificate.py: certificates.py PROGRAM [--table SECONDS]

Good certificates are confirmed, by z3 and by cvc5, alone and several in one call. Forged ones are
not, among them those that `prove --check` accepts as it asks no solver. --table prints what
docs/proofs.md sums up. Exit code 77 where no Python with z3 is here.
"""

import copy
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKER = Path(__file__).resolve().parent.parent / "proofs" / "certificate.py"
SMALL = [("token", 2, 1, "tree", "lossless"), ("block", 2, 2, "iid", "lossless"),
         ("rrs(K=2)", 2, 1, "iid", "lossless"), ("block", 2, 2, "iid", "at-least:token"),
         ("block", 2, "all", "any", "lossless")]
LARGE = [("token", 2, 3, "iid", "lossless"), ("token", 2, 2, "tree", "lossless"),
         ("token", 3, 2, "iid", "lossless"), ("token", 3, 1, "tree", "lossless"),
         ("block", 2, 3, "iid", "lossless"), ("block", 2, 2, "tree", "lossless"),
         ("block", 3, 2, "iid", "lossless"), ("block", 3, 1, "tree", "lossless"),
         ("token", 3, "all", "any", "lossless"), ("block", 3, "all", "any", "lossless"),
         ("sample-match", 3, 2, "iid", "lossless"), ("target-only(K=2)", 3, 1, "tree", "lossless"),
         ("rrs(K=2)", 2, 2, "iid", "lossless"), ("rrs(K=2)", 3, 1, "tree", "lossless"),
         ("block", 2, 3, "iid", "at-least:token"), ("greedy-block", 2, 2, "iid", "lossless"),
         ("greedy-block", 2, 1, "tree", "lossless"), ("traversal(K=2)", 3, 1, "tree", "lossless"),
         ("slot-block(K=2)", 2, 2, "iid", "lossless"), ("naive-tree(K=2)", 3, 1, "tree", "lossless"),
         ("greedy-block", 3, 1, "tree", "lossless"), ("greedy-block", 2, 3, "iid", "lossless"),
         ("spectr-coupled(K=2)", 2, 2, "iid", "lossless")]


def certificate(program, folder, theorem):
    verifier, vocabulary, gamma, models, statement = theorem
    path = Path(folder) / "certificate.json"
    subprocess.run([program, "prove", "--verifier", verifier, "--vocabulary", str(vocabulary), "--gamma",
                    str(gamma), *(["--models", models] if models != "any" else []), "--property", statement,
                    "--certificate", str(path),
                    "--output", "/dev/null"], check=True)
    return path


def check(python, path, *options):
    done = subprocess.run([python, str(CHECKER), *options, str(path)], capture_output=True, text=True,
                          check=False)
    if not done.stdout:
        raise SystemExit(done.stderr)
    return done.returncode, json.loads(done.stdout)


def check_together(python, program, folder):
    """Two certificates with as many parameters, of other names, are confirmed in one call, in both orders."""
    paths = []
    for theorem in (("token", 2, 1, "tree", "lossless"), ("token", 4, 1, "iid", "lossless")):
        path = certificate(program, folder, theorem)
        paths.append(str(path.rename(path.with_name(theorem[3] + ".json"))))
    one, other = (json.loads(Path(path).read_text(encoding="utf-8"))["parameters"] for path in paths)
    assert len(one) == len(other) and one != other, (one, other)
    for order in (paths, paths[::-1]):
        done = subprocess.run([python, str(CHECKER), *order], capture_output=True, text=True, check=False)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.returncode == 0 and [f["file"] for f in found] == order, (order, done)
        assert all(f["verdict"] == "confirmed" for f in found), found


def forgeries(good):
    """(what was done, whether `prove --check` sees it, the document)"""
    leaf = next(i for i, cell in enumerate(good["cells"]) if not cell["comparisons"])
    inner = next(i for i, cell in enumerate(good["cells"]) if cell["comparisons"])

    def changed(what, seen, change):
        forged = copy.deepcopy(good)
        change(forged)
        return what, seen, forged

    def call_empty(forged):
        cell = forged["cells"].pop(leaf)
        forged["empty"].append({"branch": cell["branch"]})

    yield changed("an empty branch is left out", True, lambda d: d["empty"].pop())
    yield changed("a cell is left out", True, lambda d: d["cells"].pop(leaf))
    yield changed("a comparison is left out", True, lambda d: d["cells"][inner]["comparisons"].pop())
    yield changed("a query is another's", True,
                  lambda d: d["empty"][0].update(query=d["empty"][1]["query"]))
    yield changed("a query asserts more", True, lambda d: d["empty"][0].update(
        query=d["empty"][0]["query"].replace("(check-sat)", "(assert (< 1 0))\n(check-sat)")))
    yield changed("a cell is called empty", False, call_empty)


def table(program, python, seconds):
    print("| verifier | property | V | gamma | models | cells | empty branches | identities | solver | queries "
          "| verdict | seconds |\n|---|---|--:|--:|---|--:|--:|---|---|--:|---|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for theorem in SMALL + LARGE:
            path = certificate(program, folder, theorem)
            for solver in ("z3", "cvc5") if theorem in SMALL else ("z3",):
                _, found = check(python, path, "--solver", solver, "--seconds", str(seconds))
                verdict = found["verdict"]
                if found.get("unanswered"):
                    verdict = f"{found['unanswered']} unanswered"
                print(f"| {theorem[0]} | {theorem[4]} | {theorem[1]} | {theorem[2]} | {theorem[3]} "
                      f"| {found['cells']} | {found['empty']} | {'yes' if found['identities'] else ''} "
                      f"| {solver} | {found['queries']} | {verdict} | {found['seconds']:.1f} |", flush=True)


def main():
    program = sys.argv[1]
    pythons = [p for p in (sys.executable, "/usr/bin/python3") if subprocess.run(
        [p, "-c", "import z3"], capture_output=True, check=False).returncode == 0]
    if not pythons:
        print("skipped: no Python with z3 (Debian: python3-z3)")
        return 77
    python = pythons[0]
    if "--table" in sys.argv:
        table(program, python, float(sys.argv[3]))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        check_together(python, program, folder)
        for theorem in SMALL:
            path = certificate(program, folder, theorem)
            code, found = check(python, path)
            assert code == 0 and found["verdict"] == "confirmed" and found["identities"], found
            if shutil.which("cvc5") and theorem[0] == "rrs(K=2)":
                assert check(python, path, "--solver", "cvc5")[0] == 0
        good = json.loads(certificate(program, folder, SMALL[1]).read_text(encoding="utf-8"))
        forged_path = Path(folder) / "forged.json"
        for what, seen, forged in forgeries(good):
            forged_path.write_text(json.dumps(forged), encoding="utf-8")
            code, found = check(python, forged_path)
            assert code == 1 and found["verdict"] == "wrong", (what, found)
            own = subprocess.run([program, "prove", "--check", str(forged_path)], capture_output=True,
                                 check=False).returncode
            assert own == (1 if seen else 0), (what, own)
        # 2^61 is 1, and 2^61 - 1 is 0, modulo a prime that everybody knows.
        for verifier, false in (("lenient(l=1)", "lenient(l=1/2305843009213693952)"),
                                ("biased(eps=0,residual=standard)", "biased(eps=2305843009213693951,residual=standard)")):
            path = certificate(program, folder, (verifier, 2, 1, "iid", "lossless"))
            assert check(python, path)[1]["identities"]
            forged_path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"verifier": false}),
                                   encoding="utf-8")
            code, found = check(python, forged_path)
            assert code == 1 and found["verdict"] == "wrong", found
            own = subprocess.run([program, "prove", "--check", str(forged_path)], capture_output=True, check=False)
            assert own.returncode == 1, false
        every = json.loads(certificate(program, folder, SMALL[-1]).read_text(encoding="utf-8"))
        for change in ({"gamma": 2}, {"models": "tree"}, {"models": "trees"}, {"verifier": "sample-match(draft=sampled)"},
                       {"property": "equals:token"}, {"verifier": "rrs(K=2)"}):
            forged_path.write_text(json.dumps(every | change), encoding="utf-8")
            code, found = check(python, forged_path)
            assert code == 1 and found["verdict"] == "wrong", (change, found)
            own = subprocess.run([program, "prove", "--check", str(forged_path)], capture_output=True,
                                 check=False).returncode
            assert own in (1, 3), (change, own)
        false = dict(good, property="equals:token")
        forged_path.write_text(json.dumps(false), encoding="utf-8")
        code, found = check(python, forged_path)
        assert code == 1 and "fails" in found["fault"], found
    print("certificates: all good ones are confirmed and no forged one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
