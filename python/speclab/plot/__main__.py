"""`python -m speclab.plot`, and `python FOLDER/speclab/plot` where the rest of the package is not installed."""

import importlib.util
import os
import signal
import sys

INTERRUPTED = 130
LINE = "speclab: interrupted"


def handle(handler):
    """Handles SIGTERM so, and SIGINT where it is not ignored."""
    signal.signal(signal.SIGTERM, handler)
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, handler)


def leave(number, frame):
    """While libraries load: compiled modules make an ImportError of an exception that stops their imports."""
    os.write(2, f"{LINE}\n".encode())
    os._exit(INTERRUPTED)


def stop(number, frame):
    """While files are read and written: what is half written is removed on the way out."""
    raise KeyboardInterrupt


def loaded():
    """The command's function: what draws takes a second to load."""
    if __package__:
        from .command import main
    else:  # run as a folder: the package of its name, without speclab around it
        sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        from plot.command import main
    return main


handle(leave)
if importlib.util.find_spec("matplotlib") is None:
    print("speclab: plot needs matplotlib for Python (apt-get install python3-matplotlib)", file=sys.stderr)
    sys.exit(3)
main = loaded()
try:
    handle(stop)
    code = main()
except KeyboardInterrupt:
    print(LINE, file=sys.stderr)
    code = INTERRUPTED
sys.exit(code)
