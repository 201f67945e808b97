#!/usr/bin/env python3
"""separate_commands.py BUILD: prints the compile commands of a build in JSON, a command a source.

A unit that CMake made of several sources (UNITY_BUILD) becomes a command for each of them; its key "unit"
names the unit. Precompiled headers are left out: a compiler other than the build's cannot read them."""

import json
import pathlib
import re
import sys

_INCLUDED = re.compile(r'^#include "(.*)"$', re.MULTILINE)
# As CMake has g++ and clang read them.
_PRECOMPILED = re.compile(r" -Winvalid-pch| -include [^ ]*cmake_pch\.hxx"
                          r"|( -Xclang -include(-pch)? -Xclang [^ ]*cmake_pch\.hxx(\.pch)?)+")


def separate_commands(build):
    """The rows of compile_commands.json; those of units come last."""
    rows = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    alone, together = [], []
    for row in rows:
        unit = pathlib.Path(row["file"])
        if unit.parent.name != "Unity":
            alone.append(row)
            continue
        for source in _INCLUDED.findall(unit.read_text()):
            command = row["command"].removesuffix(row["file"]) + source
            together.append({**row, "command": command, "file": source, "unit": row["file"]})
    return alone + together


def main():
    rows = separate_commands(sys.argv[1])
    for row in rows:
        row["command"] = _PRECOMPILED.sub("", row["command"])
        # clang-tidy 14 refuses a file with a key that it does not know, and takes the build's own.
        row.pop("output", None)
        row.pop("unit", None)
    json.dump(rows, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
