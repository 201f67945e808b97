"""docs/tutorial.ipynb runs, and says what is stored in it. SPECLAB_WRITE=1 stores what it says."""

import os

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

from conftest import ROOT

NOTEBOOK = ROOT / "docs" / "tutorial.ipynb"


def said(notebook):
    """What each code cell says, as text."""
    return [[output.get("text") or output["data"]["text/plain"] for output in cell.outputs]
            for cell in notebook.cells if cell.cell_type == "code"]


def test_the_tutorial_says_what_is_stored():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    stored = said(notebook)
    assert len(stored) > 3 and all(stored)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                            record_timing=False).execute()
    if os.environ.get("SPECLAB_WRITE"):
        notebook.metadata["language_info"] = {"name": "python"}
        nbformat.write(notebook, NOTEBOOK)
    else:
        assert said(notebook) == stored
