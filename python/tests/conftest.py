"""What the tests share. They import the speclab on PYTHONPATH (BUILD/python)."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def binary():
    """The path of the program speclab."""
    path = os.environ.get("SPECLAB_PROGRAM")
    if not path:
        pytest.skip("SPECLAB_PROGRAM names no program")
    return path


@pytest.fixture
def program(binary):
    """Runs the program speclab and gives its standard output."""

    def run(*arguments):
        return subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout

    return run
