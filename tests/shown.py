"""Runs the commands that README.md and the pages under docs/ show, and follows their links.

    shown.py --build DIR [--root DIR] [PAGE ...]     PAGEs: README.md and docs/**/*.md
    shown.py --controls                              planted faults, each of which has to be found

A command stands in a fenced block of `sh`. The block is run as one script of bash, in a folder of the
page's own in which the project's top level is linked and `build/release` is DIR, the built speclab
first on PATH. It has to end with status 0. A line of its own before the block changes that:

    <!-- exit: 1 -->                it ends with this status
    <!-- file: NAME -->             a block of another kind: it is written to the page's folder as NAME
    <!-- needs: MODULE ... -->      it is run where a python3 has these modules
    <!-- not run: REASON -->        the block is not run; exempt blocks are counted and printed

A line of any other block that begins as a command does is refused. A command of speclab within a line of
text, `speclab NAME --OPTION`, is not run, but there have to be such a command and such options. Sections that tests/readme.sh makes
are left to it: their command is run there, and its output compared. A link to a file of the project has
to find it, and one to a heading of a page its heading.
"""

import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

SECONDS = 300  # of one block
MARK = re.compile(r"<!-- (exit|file|needs|not run): (.+) -->$")
BEGIN = re.compile(r"<!-- begin: ([A-Za-z0-9_-]+) ")
COMMAND = re.compile(
    r"\s*(\$ )?(sudo )?(\S*/)?(speclab|cmake|ctest|python3?|pip|pytest|apt-get|git|g\+\+|\w+\.sh)( |$)"
)
SPAN = re.compile(r"`speclab ([^`]+)`")
LINK = re.compile(r"(?<!`)\[[^\]]*\]\(([^)\s]+)\)")


class Block:
    def __init__(self, line, kind, text, marks):
        self.line, self.kind, self.text, self.marks = line, kind, text, marks


def blocks(text):
    """The blocks of code outside of made sections; indented ones have the kind None."""
    found, marks, section, fence = [], {}, None, None
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if section:
            if line == f"<!-- end: {section} -->":
                section = None
            continue
        if fence:
            if line.strip() == "```":
                text = textwrap.dedent("\n".join(fence[2])) + "\n"
                found.append(Block(fence[0], fence[1], text, marks))
                fence, marks = None, {}
            else:
                fence[2].append(line)
            continue
        if begun := BEGIN.match(line):
            section = begun[1]
        elif mark := MARK.match(line.strip()):
            marks[mark[1]] = mark[2]
        elif line.strip().startswith("```"):
            fence = (number, line.strip()[3:], [])
        elif line.startswith("    "):
            found.append(Block(number, None, line[4:] + "\n", {}))
        elif line.strip():
            marks = {}
    return found


def anchors(text):
    """The anchors of a page's headings, as sites make them."""
    made = set()
    for heading in re.findall(r"^#+ (.+)$", text, re.M):
        words = re.sub(r"[^\w\- ]", "", heading.lower())
        made.add(words.replace(" ", "-"))
    return made


def links(root, page, text):
    """Faults of a page's links to files of the project."""
    plain = re.sub(r"^```.*?^```|^<!--.*?-->", "", text, flags=re.S | re.M)
    for target in LINK.findall(plain):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name) if name else page
        if not file.exists():
            yield f"{page.relative_to(root)}: no file {target}"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
            yield f"{page.relative_to(root)}: no heading {target}"


def missing_modules(names):
    """The modules, where neither python3 nor Debian's own has all of them; else nothing."""
    if not names:
        return ""
    for python in ("python3", "/usr/bin/python3"):
        imports = "".join(f"import {name}\n" for name in names.split())
        try:
            if subprocess.run([python, "-c", imports], capture_output=True).returncode == 0:
                return ""
        except OSError:
            pass
    return names


def options(build):
    """{command: its options}, as the program lists them."""
    listed = subprocess.run([build / "speclab", "list", "commands", "--format", "csv"],
                            capture_output=True, text=True, check=True).stdout
    known = {}
    for row in csv.DictReader(listed.splitlines()):
        known.setdefault(row["command"], set()).add(row["option"])
    return known


class Run:
    def __init__(self, root, build):
        self.root, self.build = root, build
        self.known = options(build)
        self.faults, self.exempt, self.ran = [], [], 0

    def folder(self, name):
        """What a reader has at hand: the top level, and a build."""
        folder = pathlib.Path(name)
        for entry in self.root.iterdir():
            if entry.name not in ("build", "results") and not entry.name.startswith("."):
                (folder / entry.name).symlink_to(entry)
        (folder / "build").mkdir()
        (folder / "build" / "release").symlink_to(self.build)
        return folder

    def script(self, place, block, folder):
        path = f"{self.build}:{os.environ['PATH']}"
        environment = dict(os.environ, PATH=path, SPECLAB_SETUP="off")
        try:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", block.text], cwd=folder, env=environment,
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.faults.append(f"{place}: not done within {SECONDS} seconds:\n{block.text}")
            return
        self.ran += len([line for line in block.text.split("\n") if COMMAND.match(line)])
        wanted = int(block.marks.get("exit", 0))
        if done.returncode != wanted:
            self.faults.append(f"{place}: status {done.returncode}, not {wanted}:\n{block.text}"
                               f"{done.stdout[-2000:]}{done.stderr[-2000:]}")

    def mentioned(self, page, text):
        """Faults of the commands that stand within lines of text."""
        for span in SPAN.findall(re.sub(r"^ *```.*?^ *```|<!--.*?-->", "", text, flags=re.S | re.M)):
            name = span.split()[0]
            if name.isupper() or name in ("--help", "--version"):
                continue
            unknown = set(re.findall(r" (--[a-z][a-z-]*)", span.split(" -- ")[0]))
            unknown -= self.known.get(name, set())
            if name not in self.known or unknown:
                yield f"{page.relative_to(self.root)}: no such command: speclab {span}"

    def page(self, page):
        text = page.read_text()
        self.faults.extend(links(self.root, page, text))
        self.faults.extend(self.mentioned(page, text))
        with tempfile.TemporaryDirectory() as name:
            folder = self.folder(name)
            for block in blocks(text):
                place = f"{page.relative_to(self.root)}:{block.line}"
                missing = missing_modules(block.marks.get("needs", ""))
                if missing:
                    self.exempt.append(f"{place}: no {missing}")
                elif "not run" in block.marks:
                    self.exempt.append(f"{place}: {block.marks['not run']}")
                elif "file" in block.marks:
                    (folder / block.marks["file"]).parent.mkdir(parents=True, exist_ok=True)
                    (folder / block.marks["file"]).write_text(block.text)
                elif block.kind == "sh":
                    self.script(place, block, folder)
                elif block.kind in (None, "", "text", "console", "bash"):
                    for line in block.text.split("\n"):
                        if COMMAND.match(line):
                            self.faults.append(f"{place}: a command outside of a block of sh: {line}")

    def report(self):
        for line in self.exempt:
            print(f"not run: {line}")
        for line in self.faults:
            print(line, file=sys.stderr)
        print(f"{self.ran} commands run, {len(self.exempt)} blocks exempt, {len(self.faults)} faults")
        return 1 if self.faults or not self.ran else 0


PROGRAM = """#!/bin/sh
if [ "$1" = list ]; then printf 'command,option\\nrun,\\nrun,--quick\\n'; exit; fi
echo "$1"
[ "$1" = ok ] || exit 3
"""
CONTROLS = [
    (0, "```sh\nspeclab ok\n```\n"),
    (0, "<!-- exit: 3 -->\n```sh\nspeclab no\n```\n```sh\nspeclab ok\n```\n"),
    (0, "<!-- file: a/b.txt -->\n```toml\nx\n```\n```sh\nspeclab ok && grep -x x a/b.txt\n```\n"),
    (0, "<!-- not run: too long -->\n```sh\nspeclab no\n```\n```sh\nspeclab ok\n```\n"),
    (0, "```sh\nspeclab ok > build/../mine && test -s mine && test -e page.md\n```\n"),
    (0, "# A heading, of `b`\n\n[x](page.md#a-heading-of-b)\n```sh\nspeclab ok\n```\n"),
    (0, "<!-- begin: a (made by: b) -->\n    speclab no\n<!-- end: a -->\n```sh\nspeclab ok\n```\n"),
    (0, "1. x\n\n   <!-- exit: 3 -->\n   ```sh\n   speclab no\n   ```\n"),
    (0, "`speclab run FILE --quick`, `speclab\nrun`, `speclab --help`\n```sh\nspeclab ok\n```\n"),
    (1, "`speclab runs FILE`\n```sh\nspeclab ok\n```\n"),
    (1, "`speclab run FILE --slow`\n```sh\nspeclab ok\n```\n"),
    (0, "<!-- needs: nowhere_to_be_found -->\n```sh\nspeclab no\n```\n```sh\nspeclab ok\n```\n"),
    (1, "<!-- needs: json os -->\n```sh\nspeclab no\n```\n```sh\nspeclab ok\n```\n"),
    (1, "no command at all\n"),
    (1, "1. x\n\n   ```sh\n   speclab no\n   ```\n"),
    (1, "1. x\n\n   ```text\n   speclab ok\n   ```\n\n```sh\nspeclab ok\n```\n"),
    (1, "```sh\nspeclab no\n```\n"),
    (1, "```sh\nspeclab no\nspeclab ok\n```\n"),
    (1, "```sh\nspeclab no | cat\n```\n"),
    (1, "<!-- exit: 1 -->\n```sh\nspeclab no\n```\n"),
    (1, "<!-- not run: x -->\n\nwords\n\n```sh\nspeclab no\n```\n"),
    (1, "```sh\nspeclab ok\n```\n\n    speclab ok\n"),
    (1, "```sh\nspeclab ok\n```\n```text\n$ speclab ok\n```\n"),
    (1, "```sh\nspeclab ok\n```\n[x](none.md)\n"),
    (1, "```sh\nspeclab ok\n```\n[x](page.md#none)\n"),
]


def controls():
    missed = 0
    for wanted, text in CONTROLS:
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name) / "root"
            build = pathlib.Path(name) / "build"
            root.mkdir()
            build.mkdir()
            (build / "speclab").write_text(PROGRAM)
            (build / "speclab").chmod(0o755)
            (root / "page.md").write_text(text)
            run = Run(root, build)
            run.page(root / "page.md")
            got = 1 if run.faults or not run.ran else 0
            if got != wanted:
                print(f"a page that has to give {wanted} gave {got}:\n{text}{run.faults}", file=sys.stderr)
                missed += 1
    print(f"{len(CONTROLS) - missed} of {len(CONTROLS)} controls as they should be")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--controls", action="store_true")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    given = parser.parse_args()
    if given.controls:
        return controls()
    root = given.root.resolve()
    build = (given.build or root / "build" / "release").resolve()
    if not (build / "speclab").exists():
        sys.exit(f"shown: no speclab in {build}; name its folder with --build")
    pages = [page.resolve() for page in given.pages]
    if not pages:
        pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    run = Run(root, build)
    for page in pages:
        run.page(page)
    return run.report()


if __name__ == "__main__":
    sys.exit(main())
