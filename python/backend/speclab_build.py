"""The build backend of the package: setuptools, with the C++ module made by CMake.

SPECLAB_BUILD names a build folder to use, made or brought up to date there; by default one under
build/. SPECLAB_JOBS sets the jobs.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools.build_meta import *  # noqa: F401,F403  the hooks that pip calls
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(speclab VERSION ([0-9.]+)",
                    (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)


def make_module():
    """Builds the module; returns its path."""
    build = Path(os.environ.get("SPECLAB_BUILD", ROOT / "build" / "pip")).resolve()
    jobs = os.environ.get("SPECLAB_JOBS", str(os.cpu_count() or 1))
    if not (build / "CMakeCache.txt").exists():
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *generator, "-DBUILD_TESTING=OFF",
                        "-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"],
                       check=True)
    subprocess.run(["cmake", "--build", build, "--target", "speclab_core", "-j", jobs], check=True)
    made = list((build / "python" / "speclab").glob("_core*.so"))
    if len(made) != 1:
        raise RuntimeError(f"{build} holds no module of the package; is pybind11 installed?")
    return made[0]


class BuildWithModule(build_py):
    """The Python files with the checker of conformance vectors, and the module beside them."""

    def run(self):
        super().run()
        to = Path(self.build_lib) / "speclab"
        to.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / "conformance" / "check.py", to / "_check.py")
        shutil.copy2(make_module(), to)


class PlatformWheel(bdist_wheel):
    """A wheel for this Python and this machine."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False
