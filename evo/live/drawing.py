"""What the painter draws: the pictures of a selection of experiments, as SVG, and the static report."""

from __future__ import annotations

import textwrap
from html import escape
from importlib import import_module

from evo.analysis.study import Study
from evo.errors import ConfigError, EvoError
from evo.experiments.rows import rows_of
from evo.live.pictures import PROGRESS_KINDS, TITLES, comparison_figure, study_figure, study_page, study_pictures
from evo.live.view import View

COMPARISON, BOARD = "comparison", "board"
KINDS = (*TITLES, COMPARISON, BOARD)
"""The pictures of a selection."""
MOST_COMPARED = 60
"""The largest comparison that is drawn; `evo compare` draws larger ones."""


def shown_study(study: Study, view: View) -> Study:
    """Return the study of the rows that a view shows."""
    if view.rows is None:
        return study
    return study.showing([row.label for at, row in enumerate(rows_of(study.runs)) if view.shows(at)])


def relevant(kind: str, view: View) -> View:
    """Return the part of a view on which a picture depends, with defaults for the rest."""
    if kind == BOARD:
        return View(numbers=view.numbers, mismatches=view.mismatches, hints=view.hints)
    if kind == COMPARISON:
        return View(by=view.by, rows=view.rows)
    if kind in PROGRESS_KINDS:
        return View(over=view.over, scale=view.scale, rows=view.rows)
    return View(rows=view.rows)


def picture_key(kind: str, view: View) -> str:
    """Return what tells the pictures of a selection apart."""
    return f"{kind}?{relevant(kind, view).query()}"


def draw_picture(study: Study, kind: str, view: View) -> bytes:
    """Return a picture as an SVG file; if the data for it are missing, one that says so.

    Args:
        study: The study of all rows.
        kind: One of `KINDS`.
        view: What the reader wants to see.
    """
    from plots.style import picture_bytes

    try:
        if kind == BOARD:
            best = study.best()
            shown = {"numbers": view.numbers, "mismatches": view.mismatches, "hints": view.hints}
            return best.board.to_svg(title=best.caption, **shown).encode()
        part = shown_study(study, view)
        if part.runs.empty:
            raise ConfigError("no row is switched on")
        if kind == COMPARISON:
            table, _ = part.compare(view.by)
            if len(table) > MOST_COMPARED:
                raise ConfigError(f"{len(table)} comparisons are too many for this page; `evo compare` draws them")
            return picture_bytes(comparison_figure(table), "svg")
        return picture_bytes(study_figure(part, kind, view.over, view.scale), "svg")
    except EvoError as error:
        return message_svg(f"There is no {kind} picture: {error}.")


def prepare() -> None:
    """Import what drawing needs, which takes as long as the rest of the start."""
    for module in ("plots.convergence", "plots.report"):
        import_module(module)


def draw_report(study: Study) -> bytes:
    """Return the static report of a study."""
    return study_page(study, *study_pictures(study)).encode()


def message_svg(text: str) -> bytes:
    """Return a picture that consists of a sentence."""
    lines = textwrap.wrap(text, 76)
    size = 18 * len(lines) + 16
    words = "".join(f'<text x="8" y="{18 * at + 22}">{escape(line)}</text>' for at, line in enumerate(lines))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="504" height="{size}" viewBox="0 0 504 {size}">'
    return f'{head}<g font-family="sans-serif" font-size="12" fill="#5b6575">{words}</g></svg>\n'.encode()
