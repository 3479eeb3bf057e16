"""The command that sets exact, evolutionary and local searches side by side: evo pencil versus."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evo.cli.inputs import ForceOption

if TYPE_CHECKING:
    import pandas as pd


def versus(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help="A TOML file with rows and a table [puzzles] [versus].")
    ] = "versus",
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder of the experiments; those in it are continued.")
    ] = Path("runs/results/versus"),
    runs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Number of runs of each row.")] = None,
    evaluations: Annotated[int | None, typer.Option(metavar="N", min=1, help="Budget of each run.")] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", min=0.0, help="Time limit of each run.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, help="Number of processes.")] = 1,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Draw a picture: .svg, .png or .pdf.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per puzzle and row.")] = False,
    force: ForceOption = False,
) -> None:
    """Solve the same puzzles by exact, evolutionary and local searches, and print who solved what.

    There is an experiment for each puzzle, which `evo results`, `evo compare` and `evo plot` show too. Seconds are of
    the wall clock, medians of the runs that found a solution. Ctrl-C stops; the same command continues.

    Example: evo pencil versus --runs 3 --evaluations 1000000 -o versus.svg
    """
    from evo.analysis.versus import versus_runs, versus_table
    from evo.cli.progress import Lines
    from evo.experiments.driver import Unwatched
    from evo.experiments.experiment import work_off
    from evo.experiments.versus import versus_stores
    from puzzles.file_io import check_free, naming

    if output is not None:
        with naming(output):
            check_free(output, force=force)
    given: dict[str, Any] = {"runs": runs, "evaluations": evaluations, "seconds": seconds}
    stores = versus_stores(suite, out, {name: value for name, value in given.items() if value is not None})
    for store in stores:
        if not as_json:
            print(f"evo: {store.puzzle.name}: {store.path}", file=sys.stderr)
        with nullcontext(Unwatched()) if as_json else Lines(store.records()) as watch:
            interrupted = work_off(store, watch, jobs=jobs, dask=None)
        if interrupted:
            print("evo: interrupted; the same command continues", file=sys.stderr)
            raise typer.Exit(130)
    finished = versus_runs(stores)
    _print(versus_table(finished), as_json=as_json)
    if output is not None:
        from plots.style import save_picture
        from plots.versus import draw_versus

        save_picture(draw_versus(finished), output, force=force)
        print(output, file=sys.stderr)


def _print(table: pd.DataFrame, *, as_json: bool) -> None:
    import json

    from evo.cli.tables import text_table

    if as_json:
        for row in table.to_dict("records"):
            print(json.dumps(row))
        return
    heads = ["puzzle", "row", "solved", "of", "best", "worst", "most", "evaluations", "wall seconds", "proved"]
    rows = [[*row[:7], round(row[7]), f"{row[8]:.3f}", row[9]] for row in table.itertuples(index=False, name=None)]
    print(text_table(heads, rows))
