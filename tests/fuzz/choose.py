#!/usr/bin/env python3
"""Chooses the inputs to save from what libFuzzer's merge noted of each.

usage: choose.py CONTROL FILES BYTES

CONTROL is the file of -merge_control_file: names, then of each input a line "FT number features".
A feature is an edge and how often it was taken. Prints at most FILES names, of BYTES in all: each
time the input that reaches the most edges which no chosen one reaches.
"""

import os
import sys


def edges_of(control):
    with open(control, encoding="utf-8", errors="surrogateescape") as lines:
        count = int(next(lines))
        next(lines)
        names = [next(lines).rstrip("\n") for _ in range(count)]
        edges = {}
        for line in lines:
            words = line.split()
            if words and words[0] == "FT":
                edges[names[int(words[1])]] = {int(feature) // 8 for feature in words[2:]}
    return edges


def main():
    control, most_files, most_bytes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    left = edges_of(control)
    reached, size, chosen = set(), 0, 0
    while left and chosen < most_files:
        best = max(left, key=lambda name: (len(left[name] - reached), -os.path.getsize(name)))
        edges = left.pop(best) - reached
        if not edges:
            break
        if size + os.path.getsize(best) > most_bytes:
            continue
        reached |= edges
        size += os.path.getsize(best)
        chosen += 1
        print(best)


if __name__ == "__main__":
    main()
