"""Functions of inference engines in the shape that speclab.audit calls.

    from speclab.adapters import ascend, eagle, transformers
    speclab.audit(transformers.speculative_sampling("~/src/transformers"), rule="token")

An adapter takes the path of a checkout on your disk, or of one file of it, and loads the one function
that it is for, with what that function uses of its file; the engine itself is not imported and need
not be installed. PyTorch must be, in a version that the function runs on.
"""

from ._load import load_function

__all__ = ["load_function"]
