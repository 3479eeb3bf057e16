"""The pages as HTML, rendered from templates; everything that comes from an experiment is escaped.

The list of experiments needs no pictures, so `plots` is imported only when a page does.
"""

from __future__ import annotations

import base64
import math
from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from evo.analysis.comparison import By
from evo.analysis.statistics import p_text
from evo.analysis.study import Study
from evo.errors import EvoError
from evo.experiments.rows import rows_of
from evo.experiments.words import count, duration, plural
from evo.live.drawing import BOARD, COMPARISON, picture_key, relevant, shown_study
from evo.live.exhibits import Exhibits
from evo.live.painter import Painter
from evo.live.pictures import CAPTIONS, COMPARISON_CAPTION, TITLES
from evo.live.selection import Selection
from evo.live.standing import CURVE_HEIGHT, CURVE_WIDTH
from evo.live.view import BYS, Query, View
from puzzles import Board, files
from puzzles.drawing import board_svg
from puzzles.errors import PuzzleError

MOST_BOARDS = 20
"""The largest number of boards that are shown from one file."""


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("evo.live", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"count": count, "duration": duration}
    environment.globals |= {"plural": plural}
    return environment


def _page(template: str, **content: Any) -> str:
    return _environment().get_template(template).render(**content)


def list_page(exhibits: Exhibits, state: str) -> str:
    """Return the list of all exhibits.

    Args:
        exhibits: The exhibits.
        state: The state of the whole list.
    """
    lines = [{"id": one.id, "record": one.record, "standing": one.standing} for one in exhibits.newest_first()]
    curve = f"{CURVE_WIDTH} {CURVE_HEIGHT}"
    return _page("list.html", title="Experiments", watched="*", state=state, lines=lines, curve=curve)


def message_page(title: str, text: str) -> str:
    """Return a page that says one thing."""
    return _page("message.html", title=title, text=text, watched="", state="")


def damaged_page(selection: Selection, error: str) -> str:
    """Return the page of a selection that cannot be read."""
    title = " and ".join(standing.name for standing in selection.standings)
    return _page(
        "message.html", title=title, text=error, watched=" ".join(selection.ids), state=" ".join(selection.versions)
    )


def experiment_page(selection: Selection, query: Query, painter: Painter) -> str:
    """Return the page of a selection.

    Args:
        selection: The exhibits.
        query: The view in the address of the request.
        painter: The painter, which knows which pictures are up to date.

    Raises:
        EvoError: The selection cannot be read.
    """
    from plots.report import table_columns

    study = selection.study()
    view = view_of(study, query)
    columns = table_columns(study.summary())
    return _page(
        "experiment.html",
        title=f"{study.name} on {study.puzzle.name}",
        watched=" ".join(selection.ids),
        state=" ".join(selection.versions),
        path=selection.path,
        standings=selection.standings,
        several=len(selection.exhibits) > 1,
        record=any(exhibit.record for exhibit in selection.exhibits),
        columns=columns,
        lines=list(zip(*(column["values"] for column in columns), strict=True)),
        notes=study.notes(),
        rows=[{"label": row.label, "shown": view.shows(at)} for at, row in enumerate(rows_of(study.runs))],
        view=view,
        bys=BYS,
        pictures=[
            {"kind": kind, "title": TITLES[kind], "caption": caption.format(over=view.over)}
            for kind, caption in CAPTIONS.items()
        ],
        sources={kind: _source(selection, kind, view, painter) for kind in (*CAPTIONS, COMPARISON, BOARD)},
        comparison=_comparison(study, view),
        comparison_caption=COMPARISON_CAPTION,
        board=_best(study),
        runs=_runs(study),
        settings={label: list(values.items()) for label, values in study.row_settings().items()},
        facts=[("Software", study.facts("versions")), ("Machine", study.facts("machine"))],
    )


def view_of(study: Study, query: Query) -> View:
    """Return the view that an address asks for, with the defaults that suit a study."""
    return View.of(query, study.over, _default_by(study))


def board_page(text: str = "", boards: list[Board] | None = None, error: str = "") -> str:
    """Return the page that verifies boards.

    Args:
        text: The text that the reader pasted.
        boards: The boards that were read.
        error: Why they could not be read.
    """
    shown = [_card(board) for board in (boards or [])[:MOST_BOARDS]]
    left_out = max(0, len(boards or []) - MOST_BOARDS)
    return _page(
        "board.html", title="A board", watched="", state="", text=text, cards=shown, error=error, left_out=left_out
    )


def read_boards(data: bytes) -> list[Board]:
    """Return the boards in some bytes that a reader sent; nothing is read from disk.

    Raises:
        EvoError: They do not hold boards.
    """
    found = files.parse(data, "puzzle")
    if not isinstance(found, list):
        raise PuzzleError("this is a puzzle; expected a board")
    return found


def _card(board: Board) -> dict[str, Any]:
    """Return the verification card of a board: its picture, its link, and the lines of `evo verify`."""
    report = board.verify()
    title, *lines = str(report).splitlines()
    pairs = [line.strip().split("  ", 1) for line in lines]
    try:
        url = board.to_url()
    except PuzzleError:  # the viewer cannot show such a puzzle
        url = ""
    svg = base64.b64encode(board_svg(board, hints=bool(board.puzzle.hints)).encode()).decode()
    return {
        "title": title,
        "lines": [(name, value.strip()) for name, value in pairs],
        "valid": report.valid,
        "notes": report.notes,
        "url": url,
        "svg": svg,
    }


def _default_by(study: Study) -> By:
    rows = rows_of(study.runs)
    return (
        "setting"
        if len({row.setting for row in rows}) > 1
        else "init"
        if len({row.init for row in rows}) > 1
        else "fitness"
    )


def _source(selection: Selection, kind: str, view: View, painter: Painter) -> str:
    """Return the address of a picture, with the version that the page should show."""
    key = f"{selection.path} {picture_key(kind, view)}"
    version = painter.version(key, selection.version, final=selection.final)
    return f"{selection.path}/{kind}.svg?{relevant(kind, view).query(v=version)}"


def _comparison(study: Study, view: View) -> dict[str, Any]:
    part = shown_study(study, view)
    try:
        table, notes = part.compare(view.by)
    except EvoError as error:
        return {"error": f"There is nothing to show: {error}.", "lines": [], "notes": []}
    lines = [
        (
            *(line["group"], line["first"], line["second"]),
            f"{line['first_n']}, {line['second_n']}",
            f"{line['first_median']:g}, {line['second_median']:g}",
            *(f"{line['effect']:.2f}", line["magnitude"], p_text(line["p_holm"]), line["verdict"]),
        )
        for line in table.to_dict("records")
    ]
    return {"error": "", "lines": lines, "notes": [f"{note[0].upper()}{note[1:]}." for note in notes]}


def _best(study: Study) -> dict[str, str] | None:
    from plots.report import web_address

    try:
        best = study.best()
    except EvoError:  # no run has a board yet
        return None
    return {"caption": best.caption, "url": web_address(best.url)}


def _runs(study: Study) -> list[dict[str, Any]]:
    """Return what the table of runs says; running ones first."""
    beats = study.heartbeats()
    lines = []
    for run in study.runs.to_dict("records"):
        spent = run["evaluations"] / run["budget"] if run["budget"] else 1.0
        timed = 0.0 if math.isnan(run["seconds_limit"]) else run["seconds"] / run["seconds_limit"]
        beat = beats.get((run["label"], run["run"]), "")
        lines.append(
            {
                **{name: run[name] for name in ("label", "run", "state", "evaluations", "error", "seed")},
                "share": 1.0 if run["state"] == "done" else min(1.0, max(spent, timed)),
                "best": run["best_score"] if run["best_score"] >= 0 else "",
                "speed": count(run["evaluations"] / run["seconds"]) if run["seconds"] > 0 else "",
                "seconds": duration(run["seconds"]),
                "heartbeat": f"{duration(_seconds_since(beat))} ago" if beat else "",
            }
        )
    return sorted(lines, key=lambda line: line["state"] != "running")


def _seconds_since(moment: str) -> float:
    try:
        return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds())
    except (ValueError, TypeError):  # not a time that this project wrote
        return 0.0
