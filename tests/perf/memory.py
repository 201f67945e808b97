"""Peak memory of `speclab simulate` in a few settings, MB by name as JSON on standard output.

memory.py PROGRAM TEXT
"""

import json
import os
import subprocess
import sys

CHAIN = ["markov(vocabulary=7,horizon=50,seed=10)", "token", "inf", "50"]
ZIPF = ["zipf(vocabulary=131072,draft=1.0,target=1.1)", "block", "8", "128"]


def peak(program, pair, verifier, gamma, horizon, trials):
    """The largest resident set of one run, MB."""
    command = [program, "simulate", "--pair", pair, "--verifier", verifier, "--gamma", gamma]
    command += ["--horizon", horizon, "--trials", str(trials)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"memory: failed: {' '.join(command)}")
    return usage.ru_maxrss / 1024


def main():
    program, text = sys.argv[1:]
    ngram = [f'ngram(text="{text}",draft=1,target=3)', "block", "8", "128"]
    settings = {
        "chain/20000": (CHAIN, 20000),
        "chain/2000000": (CHAIN, 2000000),
        "zipf/1000": (ZIPF, 1000),
        "zipf/50000": (ZIPF, 50000),
        "ngram/1000": (ngram, 1000),
    }
    peaks = {name: peak(program, *task, trials) for name, (task, trials) in settings.items()}
    print(json.dumps(peaks, indent=1))


if __name__ == "__main__":
    main()
