"""The report: a self-contained HTML page about an experiment that can be opened from disk.

Pictures are embedded as SVG. The SVG documents of a page share one namespace of ids and styles, in which the clip paths
of matplotlib's pictures would collide; each picture therefore gets a prefix of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from plots.errors import PlotError

_SVG = re.compile(r"<svg\b([^>]*)>(.*)</svg>", re.DOTALL)
_LEFT_OUT = [re.compile(rf"{start}.*?{end}", re.DOTALL) for start, end in (("<!--", "-->"), ("<title>", "</title>"))]
_SIZES = re.compile(r'\s(?:width|height|version|xmlns(?::\w+)?)="[^"]*"')
_ONE_PLACE = ("mean", "deviation", "difference", "seconds")  # the values of such columns are not exact
_LARGE = 10_000  # a column with numbers this large needs no decimal places


class Picture(NamedTuple):
    """A picture of the report."""

    name: str
    """A short name, such as "convergence"; pictures are also saved under it."""
    title: str
    caption: str
    svg: str
    """The text of an SVG file, such as `picture_bytes(figure, "svg").decode()`; it is trusted, not checked."""


class BoardPicture(NamedTuple):
    """The picture of a board in the report."""

    caption: str
    svg: str
    """The text of an SVG file, such as `board.to_svg()`; it is trusted, not checked."""
    url: str
    """The address of the board in a viewer on the web, or ""."""


def report_page(
    title: str,
    summary: pd.DataFrame,
    runs: pd.DataFrame,
    *,
    notes: Sequence[str] = (),
    pictures: Sequence[Picture] = (),
    conclusions: Sequence[tuple[str, str, str]] = (),
    boards: Sequence[BoardPicture] = (),
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    versions: Mapping[str, str] | None = None,
    machine: Mapping[str, str] | None = None,
) -> str:
    """Return an HTML page about an experiment, which refers to nothing outside except links to boards.

    Args:
        title: The title of the page.
        summary: The summary table; its columns are the headings.
        runs: One line per run, with the columns label, run and seed.
        notes: Notes on the summary, one paragraph each.
        pictures: The pictures, in order.
        conclusions: The paper's conclusions, in order: the text, the verdict, and the comparisons behind it.
        boards: The best boards.
        settings: The settings of each row, by the label of the row.
        versions: The versions of the software, by name.
        machine: The properties of the machine, by name.
    """
    columns = table_columns(summary)
    return _template().render(
        title=title,
        notes=notes,
        conclusions=conclusions,
        columns=columns,
        lines=list(zip(*(column["values"] for column in columns), strict=True)),
        pictures=[
            {"title": one.title, "caption": one.caption, "svg": inline_svg(one.svg, f"picture{at}-", one.title)}
            for at, one in enumerate(pictures, start=1)
        ],
        boards=[
            {
                "caption": one.caption,
                "url": web_address(one.url),
                "svg": inline_svg(one.svg, f"board{at}-", one.caption),
            }
            for at, one in enumerate(boards, start=1)
        ],
        settings={label: _named(values) for label, values in (settings or {}).items()},
        seeds=run_seeds(runs),
        versions=_named(versions or {}),
        machine=_named(machine or {}),
    )


def table_columns(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the columns of a table as a page shows them: each with its name, whether it holds numbers, and values."""
    return [_column(str(name), values) for name, values in table.items()]


def inline_svg(svg: str, prefix: str, label: str) -> Markup:
    """Return the text of an SVG file as an element of an HTML page that may contain others.

    Args:
        svg: The text of the file.
        prefix: The prefix of its ids, which must be unique in the page.
        label: A description for screen readers.

    Raises:
        PlotError: The text is not an SVG document.
    """
    match = _SVG.search(svg)
    if match is None:
        raise PlotError(f"{label}: is not an SVG picture")
    attributes = _SIZES.sub("", match[1])
    content = match[2].replace("xlink:href", "href").replace("*{", f"#{prefix}svg *{{")
    for part in _LEFT_OUT:
        content = part.sub("", content)
    for name in (' id="', 'href="#', "url(#"):
        content = content.replace(name, name + prefix)
    opening = Markup('<svg id="{}svg" role="img" aria-label="{}" style="--width: {}"{}>').format(
        prefix, label, _width(match[1]), Markup(attributes)
    )
    return opening + Markup(content) + Markup("</svg>")


def run_seeds(runs: pd.DataFrame) -> dict[str, list[tuple[int, int]]]:
    """Return the number and the seed of each run, by the label of its row."""
    seeds: dict[str, list[tuple[int, int]]] = {label: [] for label in runs["label"]}
    for label, run, seed in runs.sort_values("run", kind="stable")[["label", "run", "seed"]].itertuples(index=False):
        seeds[label].append((int(run), int(seed)))
    return seeds


@cache
def _template() -> Template:
    loader = PackageLoader("plots", "")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("report.html")


def _width(attributes: str) -> str:
    """Return the intended width of a picture, in CSS units."""
    match = re.search(r'\bwidth="([\d.]+(?:pt|px)?)"', attributes)
    if match is None:
        return "100%"
    return match[1] if match[1].endswith(("pt", "px")) else f"{match[1]}px"


def _column(name: str, values: pd.Series) -> dict[str, Any]:
    """Return a column of a table: its name, whether it holds numbers, and its values as text."""
    values = values.infer_objects()
    numbers = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    places = _places(name, values) if numbers else None
    return {"name": name.replace("_", " "), "number": numbers, "values": [_shown(value, places) for value in values]}


def _places(name: str, values: pd.Series) -> int:
    """Return the number of decimal places of a column of numbers."""
    if any(word in name.lower() for word in _ONE_PLACE):
        return 1
    largest = values.abs().max()
    if (values.dropna() % 1 == 0).all() or largest >= _LARGE:
        return 0
    return 1 if largest >= 1 else 4


def _shown(value: Any, places: int | None) -> str:
    if pd.isna(value):
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if places is None and not isinstance(value, int | float | np.number):
        return str(value)
    if places is None:  # a number among text
        places = 0 if value % 1 == 0 else 1
    return f"{value:z,.{places}f}"


def _named(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, value in values.items()]


def web_address(url: str) -> str:
    """Return an address if it is on the web, otherwise ""; a page must not run what a results file contains."""
    return url if url.startswith(("https://", "http://")) else ""
