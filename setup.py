"""Builds the package's C++ module with CMake; everything else is in pyproject.toml.

SPECLAB_BUILD names a build folder to use, made or brought up to date there; by default one under
build/. SPECLAB_JOBS sets the jobs.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
VERSION = re.search(r"project\(speclab VERSION ([0-9.]+)",
                    (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        build = Path(os.environ.get("SPECLAB_BUILD", ROOT / "build" / "pip")).resolve()
        jobs = os.environ.get("SPECLAB_JOBS", str(os.cpu_count() or 1))
        if not (build / "CMakeCache.txt").exists():
            generator = ["-G", "Ninja"] if shutil.which("ninja") else []
            subprocess.run(["cmake", "-S", ROOT, "-B", build, *generator, "-DBUILD_TESTING=OFF",
                            "-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"],
                           check=True)
        subprocess.run(["cmake", "--build", build, "--target", "speclab_core", "-j", jobs],
                       check=True)
        made = list((build / "python" / "speclab").glob("_core*.so"))
        if len(made) != 1:
            raise RuntimeError(f"{build} holds no module of the package; is pybind11 installed?")
        to = Path(self.get_ext_fullpath(extension.name))
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made[0], to)


setup(version=VERSION, ext_modules=[Extension("speclab._core", sources=[])],
      cmdclass={"build_ext": CMakeBuild})
