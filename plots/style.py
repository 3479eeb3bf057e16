"""The style of printed pictures (sizes, colours, markers), the rows of a frame, and the writing of picture files.

A row of an experiment is identified by its setting, initialisation and fitness. Frames arrive sorted by row and with
the names of the rows; pictures keep that order. Every setting of the paper has a colour and a marker of its own in
every picture, with related hues within an algorithm; other settings take further looks in turn.
The ten colours of the paper's settings were found by simulated annealing, maximising the smallest distance in OKLab for
normal vision and for the simulations of protanopia and deuteranopia by Machado (2009); a test measures that distance.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec

import pandas as pd
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from plots.errors import PlotError
from puzzles.file_io import naming, write_bytes

ONE_COLUMN, TWO_COLUMNS = 3.5, 7.2
"""The widths of a figure in a journal, in inches."""
TEXT, HEADING = 7.0, 8.0
"""Font sizes, in points; no text is smaller than the first."""
DPI = 300
KINDS = ("png", "svg", "pdf")
INK, FAINT = "#222222", "#dddddd"
_OTHER_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans JP", "Noto Sans SC", "Noto Sans KR", "Source Han Sans"),
    *("Hiragino Sans", "PingFang SC", "Apple SD Gothic Neo", "Yu Gothic", "Microsoft YaHei", "Malgun Gothic"),
    *("WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback", "IPAGothic", "Noto Sans Devanagari"),
    *("Noto Sans Bengali", "Noto Sans Tamil", "Noto Sans Thai", "Nirmala UI", "Leelawadee UI", "Arial Unicode MS"),
)
_INSTALLED = {font.name for font in fontManager.ttflist}
FONTS = ["DejaVu Sans", *(name for name in _OTHER_FONTS if name in _INSTALLED)]
"""The first font comes with matplotlib and is the same everywhere; the others supply the characters it lacks."""
PRINT: Any = {  # matplotlib's own type for it lists every parameter
    "font.family": FONTS,
    "font.size": TEXT,
    "axes.titlesize": TEXT,
    "axes.titley": 1.0,  # otherwise matplotlib measures everything for each title
    "axes.labelsize": TEXT,
    "axes.linewidth": 0.6,
    "axes.edgecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.labelsize": TEXT,
    "ytick.labelsize": TEXT,
    "legend.fontsize": TEXT,
    "lines.linewidth": 1.1,
    "lines.markersize": 3.5,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "text.usetex": False,
    "text.parse_math": False,  # a name may contain dollar signs
    "pdf.fonttype": 42,  # journals reject Type 3 fonts
    "svg.fonttype": "path",  # looks the same if the font is not installed
    "svg.hashsalt": "evo",
}

_PAPER = {
    "RAND": ("#a8a8a8", "x"),
    "ES": ("#000000", "+"),
    "GA_1": ("#2a09af", "o"),
    "GA_2": ("#2e48ff", "s"),
    "GA_3": ("#6997ff", "^"),
    "AIEA_1": ("#981d05", "v"),
    "AIEA_2": ("#d74d00", "D"),
    "AIEA_3": ("#ff940a", "P"),
    "MOEA_1": ("#6d0056", "<"),
    "MOEA_2": ("#b84d8f", ">"),
}
_OTHER_COLOURS = ("#007f5f", "#0082c5", "#9a8b73", "#00c6f6", "#5b3a00", "#003b36")
_OTHER_MARKERS = ("h", "X", "*", "d", "p", "8", "H")  # seven markers with six colours: 42 looks before one repeats
DASHES: tuple[Any, ...] = (
    "-",
    (0, (4, 1.5)),
    (0, (1, 1.2)),
    (0, (5, 1.2, 1, 1.2)),
    (0, (5, 1.2, 1, 1.2, 1, 1.2)),
    (0, (8, 2)),
)
"""Line styles for variants of a setting in one panel."""

P = ParamSpec("P")


class Row(NamedTuple):
    """A row of an experiment: a setting with an initialisation and a fitness, which are "" if it has none."""

    setting: str
    init: str
    fitness: str

    @property
    def variant(self) -> tuple[str, str]:
        """The initialisation and the fitness."""
        return self.init, self.fitness


class Look(NamedTuple):
    """The colour and the marker of a setting."""

    colour: str
    marker: str

    def markers(self, *, filled: bool = True) -> dict[str, Any]:
        """Return the arguments with which matplotlib's `plot` draws filled or hollow markers without a line."""
        face = self.colour if filled else "none"
        return {"linestyle": "none", "marker": self.marker, "color": self.colour, "markerfacecolor": face}


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """Return the rows of an experiment that occur in a frame, in their order of appearance."""
    return list(by_row(frame))


def by_row(frame: pd.DataFrame) -> dict[Row, pd.DataFrame]:
    """Return the part of a frame that belongs to each row of the experiment, in the order of `rows_of`."""
    places = {Row(*key): where for key, where in frame.groupby(list(Row._fields), observed=True).indices.items()}
    found = sorted(places, key=lambda row: int(places[row][0]))
    return {row: frame.iloc[places[row]] for row in found}


def names_of(frame: pd.DataFrame, column: str) -> dict[Row, str]:
    """Return the name of each row in a frame.

    Args:
        frame: A frame of any kind.
        column: The column that holds the name, such as "label" or "short_label".
    """
    first = frame.drop_duplicates(list(Row._fields))
    return {Row(*key): str(name) for *key, name in first[[*Row._fields, column]].itertuples(index=False)}


def looks(settings: Iterable[str]) -> dict[str, Look]:
    """Return the look of each setting; those of the paper are fixed, and others are assigned in order."""
    chosen: dict[str, Look] = {}
    others = 0
    for setting in settings:
        if setting in _PAPER:
            chosen[setting] = Look(*_PAPER[setting])
        elif setting not in chosen:
            at = others % len(_OTHER_COLOURS), others % len(_OTHER_MARKERS)
            chosen[setting] = Look(_OTHER_COLOURS[at[0]], _OTHER_MARKERS[at[1]])
            others += 1
    return chosen


def printed(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Make a function draw in the printed style."""

    @wraps(draw)
    def in_style(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with rc_context(PRINT):
            return draw(*args, **kwargs)

    return in_style


def picture_bytes(figure: Figure, kind: str, *, dpi: int = DPI) -> bytes:
    """Return a figure as the bytes of a file; equal figures give equal bytes.

    Args:
        figure: The figure.
        kind: The file format, one of `KINDS`.
        dpi: The resolution of a PNG, in dots per inch.

    Raises:
        PlotError: There is no such format.
    """
    if kind not in KINDS:
        raise PlotError(f'expected a picture format among {", ".join(KINDS)}; found "{kind}"')
    dates = {"svg": dict.fromkeys(("Creator", "Date", "Format", "Type")), "pdf": {"CreationDate": None}}
    stream = io.BytesIO()
    with rc_context(PRINT), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # drawn as a box
        figure.savefig(stream, format=kind, dpi=dpi, metadata=dates.get(kind))
    return stream.getvalue()


def save_picture(figure: Figure, path: str | Path, *, force: bool = False) -> Path:
    """Save a figure as a PNG, SVG or PDF file, depending on the suffix; a partial file is never left behind.

    Args:
        figure: The figure.
        path: The file to write.
        force: Whether to replace an existing file.

    Returns:
        The path of the file.

    Raises:
        PlotError: The suffix is not that of a picture format.
        FileError: The file cannot be written, or already exists.
    """
    target = Path(path)
    with naming(target):
        return write_bytes(target, picture_bytes(figure, target.suffix.lower().lstrip(".")), force=force)
