"""One look for every picture: colours, styles, sizes, and files that are the same bytes each time.

Colours are Okabe and Ito's, which colour-blind readers can distinguish; no two series differ by colour alone. Sizes are
inches, fonts points. Nothing here changes matplotlib's settings for good: `style()` is a context.
"""

import contextlib
import os

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILLION, PURPLE, YELLOW = "#0072B2", "#D55E00", "#CC79A7", "#F0E442"
GREY, BROWN = "#595959", "#7A3E00"
# The same hues, dark enough for letters on white.
INK = {ORANGE: "#8F6300", SKY: "#1B77AE", PURPLE: "#A03F79", GREEN: "#00795A", VERMILLION: "#B54E00"}
SEQUENCE = [BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
DASHES = ["-", "--", ":"]
VERIFIERS = {
    "token": (BLUE, "o", "token"),
    "block": (VERMILLION, "s", "block"),
    "greedy-block": (GREEN, "^", "greedy block"),
    "rrs": (ORANGE, "v", "rrs"),
    "kseq": (SKY, "P", "kseq"),
    "spectr-gbv": (PURPLE, "D", "spectr-gbv, as printed"),
    "slot-block": (BLACK, "X", "slot-block"),
    "spectr-coupled": (BROWN, "h", "spectr-coupled"),
    "sprinter": (VERMILLION, "s", "sprinter"),
    "autoregressive": (GREY, ".", "autoregressive"),
}
COLUMN, PAGE = 3.5, 7.0  # widths: one column of a paper, and both
FORMATS = ("svg", "pdf", "png")

PAPER = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    "svg.fonttype": "path",
    "svg.hashsalt": "speclab",
    "pdf.fonttype": 42,  # journals want outlines of letters that can be searched
}
SCREEN = {**PAPER, "font.size": 10, "axes.labelsize": 10, "axes.titlesize": 10, "xtick.labelsize": 9,
          "ytick.labelsize": 9, "legend.fontsize": 9, "lines.linewidth": 1.6, "lines.markersize": 5}
SERIF = {**PAPER, "font.family": "serif", "font.serif": ["STIXGeneral", "DejaVu Serif"], "mathtext.fontset": "stix"}


@contextlib.contextmanager
def style(paper=False):
    """The look of pictures drawn within: for a screen, or for a paper."""
    with matplotlib.rc_context(SERIF if paper else SCREEN):
        yield


def panels(rows, columns, size, **grid):
    """A figure without a window, with an array of axes [rows][columns]."""
    figure = Figure(figsize=size)
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, columns, squeeze=False, **grid)


def format_of(path):
    """'svg' of 'x/rates.SVG'. Raises ValueError, listing FORMATS, for a name that ends in none of them."""
    end = os.path.splitext(str(path))[1][1:].lower()
    if end not in FORMATS:
        raise ValueError(f"{path}: a picture's name ends in .svg, .pdf or .png")
    return end


def save(figure, path, origin=None):
    """Writes an SVG, a PDF or a PNG of 300 dots an inch, the same bytes each time, as a whole or not at all.

    `origin` says in the file, unseen, what the picture was drawn from.
    """
    metadata = {"svg": {"Date": None, "Creator": "speclab"}, "png": {"Software": "speclab"},
                "pdf": {"CreationDate": None, "Creator": "speclab", "Producer": None}}[format_of(path)]
    metadata[{"svg": "Description", "png": "Description", "pdf": "Subject"}[format_of(path)]] = origin
    metadata = {key: value for key, value in metadata.items() if value is not None or key.endswith(("Date", "Producer"))}
    beside = f"{path}.{os.getpid()}"
    try:
        with matplotlib.rc_context({name: PAPER[name] for name in ("svg.fonttype", "svg.hashsalt", "pdf.fonttype")}):
            figure.savefig(beside, format=format_of(path), dpi=300, metadata=metadata)
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.remove(beside)
