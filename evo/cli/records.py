"""The command that records an experiment, and the page that is made of records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evo.cli.experiments import Directory
from evo.cli.inputs import ForceOption

PAGE = "README.md"


def record(
    directory: Directory,
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder to write to; it may already hold other records.")
    ],
    force: ForceOption = False,
) -> None:
    """Keep the data of tables and pictures as small text files.

    A record has a line per run, curves, boards, and facts about the machine.

    `evo report FOLDER` turns the record into a page: tables beside the paper's, conclusions, pictures, the best board.

    Example: evo record runs/results/table2-20261116-120000 docs/reproduction
    """
    from evo.analysis.record import recorded, write_record
    from evo.analysis.study import Study
    from evo.errors import StoreError
    from plots.convergence import convergence_curves

    study = Study(directory)
    made = recorded(study, convergence_curves(study.comparable_trace(study.over), study.over))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be created: {error.strerror}") from None
    for path in write_record(made, folder, force=force):
        print(path)


def refresh(folder: Path) -> list[Path]:
    """Update the page and the pictures of a folder of records, and return the paths of the files written.

    The page keeps its own text; only its generated blocks are replaced. A folder without a page gets one with all
    blocks.
    """
    from evo.analysis.record import read_record, recorded_in
    from evo.analysis.reproduction import blank_page, refreshed
    from evo.cli.boards import draw_to
    from evo.live.pictures import record_figures
    from plots.style import save_picture
    from puzzles.file_io import naming, read_bytes, write_bytes

    records = {name: read_record(folder, name) for name in recorded_in(folder)}
    page = folder / PAGE
    with naming(page):
        text = read_bytes(page).decode() if page.exists() else blank_page(records)
        write_bytes(page, refreshed(text, records).encode(), force=True)
    written = [page]
    for name, made in records.items():
        for kind, figure in record_figures(made):
            written.append(save_picture(figure, folder / f"{name}-{kind}.svg", force=True))
        board, path = made.boards[made.best], folder / f"{name}-best.svg"
        draw_to(board, path, board.title, numbers=False, hints=False, mismatches=True, force=True)
        written.append(path)
    return written
