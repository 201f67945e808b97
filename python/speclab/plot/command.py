"""The command line of `speclab plot` and of `python -m speclab.plot`."""

import argparse
import os
import sys

from . import Choice, picture, words_of
from .choose import Wrong
from .harmless import harmless
from .look import FORMATS, format_of, save
from .table import ERRORS

USAGE, INPUT, LIMIT, SOFTWARE, INTERRUPTED = 2, 3, 4, 70, 130
MOST = 64 << 20  # bytes of a file: its rows take some ten times as much memory
BLOCK = 1 << 20


class Refused(Exception):
    """A line for standard error, and the exit code."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Refused(USAGE, f"{message} (speclab plot --help)")


def parser():
    made = Parser(prog="speclab plot", allow_abbrev=False, description="Draws results of speclab.")
    made.add_argument("file", metavar="FILE", help="a CSV or JSON file of speclab's, or - for standard input")
    made.add_argument("--x", default="", help="the column or variable across")
    made.add_argument("--y", default="", help="the quantity upward: its id or its last part, or a column of numbers")
    made.add_argument("--by", action="append", default=[], help="the column that parts series; may be repeated")
    made.add_argument("--facet", default="", help="the column that parts panels")
    made.add_argument("--where", action="append", default=[], metavar="NAME=VALUE", help="only these; may be repeated")
    made.add_argument("--log", default="", choices=("x", "y", "xy"), help="logarithmic axes")
    made.add_argument("--errors", default="bars", choices=ERRORS, help="how 95%% intervals are drawn")
    made.add_argument("--paper-style", action="store_true", help="one column of a paper, serif letters, no title")
    made.add_argument("--output", action="append", default=[], metavar="FILE", help="ends in " + ", ".join(FORMATS))
    return made


def blocks(file, name):
    """The content of a file, refused as soon as it is no text or too much."""
    total = 0
    while block := file.read(BLOCK):
        total += len(block)
        if b"\0" in block:
            raise Refused(INPUT, f"{name} is no text; give a CSV or JSON file that speclab wrote")
        if total > MOST:
            raise Refused(LIMIT, f"{name} has more than {MOST >> 20} MiB, the limit of plot; draw a part of its lines")
        yield block


def read(name):
    shown_name = "standard input" if name == "-" else name
    try:
        if name == "-":
            return b"".join(blocks(sys.stdin.buffer, shown_name)).decode("utf-8"), shown_name
        with open(name, "rb") as file:
            return b"".join(blocks(file, shown_name)).decode("utf-8"), os.path.basename(name)
    except UnicodeDecodeError:
        raise Refused(INPUT, f"{shown_name} is no text; give a CSV or JSON file that speclab wrote") from None


def where_of(words):
    for word in words:
        if "=" not in word:
            raise Refused(USAGE, f"--where takes NAME=VALUE, such as --where verifier=block, not '{word}'")
    return tuple(tuple(word.split("=", 1)) for word in words)


def run(words):
    given = parser().parse_args(words)
    for path in given.output:
        try:
            format_of(path)
        except ValueError as error:
            raise Refused(USAGE, f"--output {error}") from None
    text, name = read(given.file)
    stem = os.path.splitext(name)[0] if given.file != "-" else "plot"
    by = tuple(part for word in given.by for part in words_of(word))
    choice = Choice(given.x, given.y, by, given.facet, where_of(given.where), given.log, given.errors)
    try:
        figure, caption = picture(text, name, choice, given.paper_style)
    except Wrong as error:
        raise Refused(USAGE, str(error)) from None
    except (KeyError, IndexError):
        raise  # a fault of the drawing, not of the file
    except LookupError as error:
        raise Refused(INPUT, str(error)) from None
    if caption and not given.paper_style:
        figure.suptitle(fold(caption, 88), fontsize=8, color="#595959", x=0.01, ha="left")
    for path in given.output or [stem + ".svg"]:
        save(figure, path)
        print(shown(path))


def shown(name):
    """A path or a message for a terminal; what is not UTF-8 in a path stands in it as lone surrogates."""
    return harmless(name).encode("utf-8", "replace").decode("utf-8")


def fold(text, width):
    """Text in lines of about so many letters, cut at spaces or, in long specs, after commas."""
    lines = [""]
    for part in text.replace(" ", " \0").replace(",", ",\0").split("\0"):
        if len(lines[-1]) + len(part) > width and lines[-1]:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def main(words=None):
    """Runs the command. @returns the exit code, after one line on standard error where it is not 0"""
    try:
        run(sys.argv[1:] if words is None else words)
        return 0
    except Refused as error:
        code, line = error.code, str(error)
    except OSError as error:
        code, line = INPUT, f"{error.filename}: {error.strerror}"
    except KeyboardInterrupt:
        code, line = INTERRUPTED, "interrupted"
    except MemoryError:
        code, line = LIMIT, "out of memory; draw a part of the lines"
    except Exception as error:  # of the drawing, not of the file
        code, line = SOFTWARE, f"a fault of the program: {type(error).__name__}: {error}"
    print(f"speclab: {shown(' '.join(line.split()))}", file=sys.stderr)
    return code
