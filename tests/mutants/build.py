"""Compiles the sources with faults and links the tests with them; all else is a finished build's."""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from separate_commands import separate_commands  # noqa: E402

_SWITCH = """#pragma once

#include <type_traits>

namespace speclab_mutant {
extern int active;
extern unsigned char* reached;
inline bool asked(int number) {
  if (active == number) return true;
  if (active < 0) reached[number] = 1;
  return false;
}
constexpr bool on(int number) {
  if (std::is_constant_evaluated()) return false;
  return asked(number);
}
}  // namespace speclab_mutant
"""
# Set before anything else of the program runs. What is reached is written through a mapped file, so
# that it stays when a test is ended.
_SWITCH_SOURCE = """#include "base/mutant.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>

namespace speclab_mutant {
int active = 0;
static unsigned char nowhere[%d];
unsigned char* reached = nowhere;
__attribute__((constructor(101))) static void start() {
  const char* number = std::getenv("SPECLAB_MUTANT");
  if (number == nullptr) return;
  active = std::atoi(number);
  const char* file = std::getenv("SPECLAB_REACHED");
  if (active >= 0 || file == nullptr) return;
  const int opened = ::open(file, O_RDWR);
  if (opened < 0 && errno == EACCES) return;  // a test of a user who may not write there
  void* mapped = ::mmap(nullptr, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  if (opened < 0 || mapped == MAP_FAILED) std::abort();
  reached = static_cast<unsigned char*>(mapped);
}
}  // namespace speclab_mutant
"""
# Rooms whose tests are compiled with the faults too: they call what is defined in headers, or the program.
TEST_ROOMS = ["model", "draft", "theory", "verifiers", "exact", "simulate", "claims", "apps"]
_DROPPED = re.compile(r"-(W(?!no-)\S*|O\S*|fstack-protector\S*|[UD]_FORTIFY_SOURCE\S*|MD|c)$")
_DROPPED_WITH_NEXT = {"-include", "-o", "-MT", "-MF", "-c"}
_ADDED = ["-O0", "-w", "-Wno-narrowing", "-D_GLIBCXX_ASSERTIONS"]


class Failed(Exception):
    """What a compiler or linker said."""


def call(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise Failed(done.stderr + done.stdout)


class Build:
    """root: the project; ready: its finished build; work: where everything of this script lies."""

    def __init__(self, root, ready, work):
        self.root, self.ready, self.work = root, ready, work
        self.made = work / "src"
        self.commands = {pathlib.Path(row["file"]).resolve(): row for row in separate_commands(ready)}
        for folder in ("obj", "bin", "pch"):
            (work / folder).mkdir(parents=True, exist_ok=True)

    def write(self, path, text):
        """Leaves a file that says it already as it is."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)

    def switch(self, count):
        self.write(self.made / "base/mutant.h", _SWITCH)
        self.write(self.work / "mutant.cc", _SWITCH_SOURCE % (count + 1))
        call(["c++", "-std=c++20", "-O1", "-fPIC", f"-I{self.made}", "-c", str(self.work / "mutant.cc"),
              "-o", str(self.work / "obj/mutant.o")], self.work)

    def sources(self, rooms):
        """The sources of the rooms, their tests and the sources that instantiate the listed verifiers."""
        found = [path for room in rooms for path in sorted((self.root / "src" / room).rglob("*.cc"))]
        listed = [path for path in sorted((self.ready / "listed").glob("*.cc")) if path.name != "rows.cc"]
        return [path for path in found + self.tests() + listed if path.resolve() in self.commands]

    def tests(self):
        return [path for room in TEST_ROOMS for path in sorted((self.root / "tests" / room).glob("*.test.cc"))]

    def room(self, source):
        """The room of a source or test, or "listed"."""
        top = next(folder for folder in (self.root / "src", self.root / "tests", self.ready)
                   if folder in source.parents)
        return source.relative_to(top).parts[0]

    def object(self, source):
        top = self.root if self.root in source.parents else self.ready
        name = "_".join(source.relative_to(top).parts).replace(".cc", ".o")
        return self.work / "obj" / name

    def _flags(self, row):
        words, kept, precompiled, skip = shlex.split(row["command"]), [], False, False
        for word in words:
            if skip:
                skip = False
            elif word in _DROPPED_WITH_NEXT:
                skip = True
                precompiled |= word == "-include"
            elif word == f"-I{self.root}/src":
                kept.append(f"-I{self.made}")
            elif word.startswith("-DSPECLAB_BINARY="):
                kept.append(f'-DSPECLAB_BINARY="{self.work / "bin/speclab"}"')
            elif not _DROPPED.match(word):
                kept.append(word)
        return kept + _ADDED, precompiled

    def precompile(self, name, text, like):
        """A header that is compiled once, with the flags of the source `like`."""
        header = self.work / "pch" / f"{name}.h"
        self.write(header, text)
        made = header.with_suffix(".h.gch")
        read = [header, *self.made.rglob("*.h")] if "answer/" in text else [header]
        newest = max(path.stat().st_mtime for path in read)
        if made.exists() and made.stat().st_mtime > newest:
            return
        flags, _ = self._flags(self.commands[like.resolve()])
        call(flags + ["-x", "c++-header", str(header), "-o", str(made)], self.ready)

    def compile(self, source):
        row = self.commands[source.resolve()]
        flags, precompiled = self._flags(row)
        if precompiled:
            name = "listed" if source.parent.name == "listed" else "common"
            flags += ["-include", str(self.work / "pch" / f"{name}.h")]
        if (self.root / "src") in source.parents:
            source_made = self.made / source.relative_to(self.root / "src")
        else:
            source_made = source
        target = self.object(source)
        if "hwy/highway.h" in source.read_text():
            flags += ["-O1"]  # vector instructions take no variable for a constant
        call(flags + ["-c", str(source_made), "-o", str(target)], row["directory"])

    def link(self, target, sources):
        """Links a program of the finished build with the objects of `sources`, as far as it has their rooms."""
        name = pathlib.Path(target).name
        lines = subprocess.run(["ninja", "-t", "commands", target], cwd=self.ready, check=True,
                               capture_output=True, text=True).stdout.splitlines()
        line = next(text for text in reversed(lines) if re.search(rf" -o {re.escape(target)} ", text))
        words = shlex.split(next(part for part in line.split(" && ") if " -o " in part))
        words = [word for word in words if not word.startswith("-Wl,--whole-archive")]
        linked = " ".join(words)
        objects = [str(self.work / "obj/mutant.o")]
        replaced = set()  # the objects of the finished build whose sources are compiled here
        for source in sources:
            if (self.root / "tests") in source.parents:
                unit = pathlib.Path(self.commands[source.resolve()].get("unit", source))
                own = [word for word in words if word.endswith(f"/test_{source.parent.name}.dir/Unity/{unit.name}.o")
                       or word.endswith(f"{source.parent.name}/{source.name}.o")]
                if own:
                    replaced.update(own)
                    objects.append(str(self.object(source)))
            elif f"libspeclab_{self.room(source)}.a" in linked:
                objects.append(str(self.object(source)))
        first = next(k for k, word in enumerate(words) if word.endswith(".o"))
        words[words.index("-o") + 1] = str(self.work / "bin" / name)
        words = words[:first] + objects + [word for word in words[first:] if word not in replaced]
        call(words, self.ready)
        for beside in self.ready.glob("*.experiments"):  # where a program finds its experiments
            shutil.copy(beside, self.work / "bin")
        return self.work / "bin" / name
