"""`python -m speclab.plot`, and `python FOLDER/speclab/plot` where the rest of the package is not installed."""

import importlib.util
import os
import signal
import sys


def stop(number, frame):
    raise KeyboardInterrupt


def loaded():
    """The command's function: what draws takes a second to load."""
    if __package__:
        from .command import main
    else:  # run as a folder: the package of its name, without speclab around it
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        from plot.command import main
    return main


try:
    signal.signal(signal.SIGTERM, stop)
    if importlib.util.find_spec("matplotlib") is None:
        print("speclab: plot needs matplotlib for Python (apt-get install python3-matplotlib)", file=sys.stderr)
        sys.exit(3)
    code = loaded()()
except KeyboardInterrupt:
    print("speclab: interrupted", file=sys.stderr)
    code = 130
sys.exit(code)
