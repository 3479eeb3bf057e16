"""Records of experiments: made of a study, and turned into a page with pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evo.cli.experiments import Directory
from evo.cli.inputs import ForceOption

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from evo.analysis.record import Recorded
    from evo.cli.study import Study

PAGE = "README.md"


def record(
    directory: Directory,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to; may hold other records.")],
    force: ForceOption = False,
) -> None:
    """Keep what tables and pictures are made of: a row per run, curves, boards, machine; small, and plain text.

    `evo report FOLDER` turns it into a page: tables beside the paper's, conclusions, pictures, the best board.

    Example: evo record runs/results/table2-20261116-120000 docs/reproduction
    """
    from evo.analysis.record import write_record
    from evo.cli.study import Study
    from evo.errors import StoreError

    made = recorded(Study(directory))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be made: {error.strerror}") from None
    for path in write_record(made, folder, force=force):
        print(path)


def recorded(study: Study) -> Recorded:
    """What there is to keep of an experiment: the runs that are done.

    Raises:
        ConfigError: No run is done, or the puzzle is not one of the project's.
    """
    from evo.analysis.record import FORMAT, Facts, Recorded
    from evo.errors import ConfigError
    from evo.experiments.frames import RECORDED_AS
    from plots.convergence import convergence_curves
    from puzzles import PUZZLES

    store = study.store
    if store.puzzle.name not in PUZZLES:
        raise ConfigError(f"{store.path}: {store.puzzle.name} is not one of the project's puzzles; a record is of one")
    ended = {(run.label, run.run): (run, found) for run, found in store.records() if found.state == "done"}
    if not ended:
        raise ConfigError(f"{store.path}: no run is done yet")
    kept = study.runs[study.runs["state"] == "done"]
    pairs = [ended[key] for key in zip(kept["label"], kept["run"], strict=True)]
    table = kept[list(RECORDED_AS)].rename(columns=RECORDED_AS)
    last = max(found.heartbeat for _, found in pairs)
    versions, machine = study.facts("versions"), study.facts("machine")
    facts = Facts(FORMAT, store.name, store.puzzle.name, store.seed, store.created, last, versions, machine)
    boards = [store.board(run) for run, _ in pairs]
    links = [board.to_url(pieces=False) for board in boards if board is not None]
    trace = study.timed_trace if study.over == "seconds" else study.trace
    return Recorded(facts, table.reset_index(drop=True), convergence_curves(trace, study.over), links)


def is_record(folder: Path) -> bool:
    """Whether a folder holds records, and not an experiment."""
    from evo.analysis.record import recorded_in

    return not (folder / "experiment.json").exists() and bool(recorded_in(folder))


def refresh(folder: Path) -> list[Path]:
    """Make the page and the pictures of a folder of records anew; returns what was written.

    The page's own words stay; only its blocks are replaced. A folder without a page gets one with all blocks.
    """
    from evo.analysis.record import read_record, recorded_in
    from evo.analysis.reproduction import blank_page, refreshed
    from evo.cli.boards import draw_to
    from plots.style import save_picture
    from puzzles.drawing import board_title
    from puzzles.file_io import naming, read_bytes, write_bytes

    records = {name: read_record(folder, name) for name in recorded_in(folder)}
    page = folder / PAGE
    with naming(page):
        text = read_bytes(page).decode() if page.exists() else blank_page(records)
        write_bytes(page, refreshed(text, records).encode(), force=True)
    written = [page]
    for name, made in records.items():
        for kind, figure in _pictures(made):
            written.append(save_picture(figure, folder / f"{name}-{kind}.svg", force=True))
        board, path = max(made.boards, key=lambda one: one.score), folder / f"{name}-best.svg"
        draw_to(board, path, board_title(board), numbers=False, hints=False, mismatches=True, force=True)
        written.append(path)
    return written


def _pictures(made: Recorded) -> Iterator[tuple[str, Figure]]:
    """The pictures that can be made of a record, and their kinds."""
    from evo.analysis.comparison import fitness_verdicts
    from evo.analysis.summary import is_papers, paper_table
    from evo.experiments.rows import labelled, rows_of
    from plots.convergence import draw_convergence
    from plots.distributions import draw_distributions, score_points
    from plots.variants import draw_variants, variant_points

    paper = paper_table() if is_papers(made.puzzle) else None
    runs = labelled(made.runs)
    settings = [row.setting for row in rows_of(runs)]
    timed = made.over == "seconds"  # the paper does not tell how long its runs took
    yield "convergence", draw_convergence(made.curves, None if timed else paper, settings=settings)
    yield "distributions", draw_distributions(score_points(runs), paper, settings=settings)
    points = variant_points(runs)
    if len(points):
        yield "variants", draw_variants(points, fitness_verdicts(runs), settings=settings)
