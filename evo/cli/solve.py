"""The command that gives the best board it can find in a given time: solve."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evo.cli.inputs import ForceOption, load_puzzle
from evo.cli.serve import ServeOption, served

if TYPE_CHECKING:
    from evo.experiments.result import Result
    from puzzles import Board


def solve(
    puzzle: Annotated[
        str, typer.Argument(metavar="PUZZLE", help="The puzzle to solve: a name or a file.")
    ] = "eternity2",
    seconds: Annotated[float, typer.Option(metavar="S", help="Time for the search, in seconds.")] = 60.0,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="J", help="Number of searches side by side, one core each.")
    ] = 1,
    hints: Annotated[str, typer.Option(metavar="none|mandatory|all", help="Which hints to honour.")] = "none",
    seed: Annotated[int, typer.Option(metavar="N", help="Master seed; each job derives its own.")] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="File for the board; its suffix sets the format [DIR/board.json]."
        ),
    ] = None,
    serve: ServeOption = False,
    force: ForceOption = False,
) -> None:
    """Find the best board possible in a given time.

    Boards are built by beam search, and rebuilt from parts of the best of them; on boards of at most 100 cells, an
    enumeration first looks for a solution, or proves that there is none. Ctrl-C stops the search and keeps the best
    board so far; `evo resume DIR` continues it.

    Example: evo solve eternity2 --seconds 60 --jobs 2 -o best.json
    """
    from evo.experiments.solving import best_result, carry_out, check_arguments, is_impossible, plan_of
    from puzzles.file_io import check_free, naming

    check_arguments(seconds, jobs, hints)
    if output is not None:
        with naming(output):
            check_free(output, force=force)
    found = load_puzzle(puzzle)
    assert found is not None
    print("evo: preparing: loading compiled code and measuring the speed of this machine", file=sys.stderr, flush=True)

    from evo.cli.live_board import LiveBoard
    from evo.experiments.experiment import begin

    plan = plan_of(found, seconds, jobs, hints, seed)
    store = begin(plan, None)
    print(f"evo: {store.path}: beam width {plan.runs[-1].settings['width']:,}", file=sys.stderr)
    with served(store.path, serve), LiveBoard(store, seconds) as watch:
        carry_out(store, watch, seconds, jobs)
    if is_impossible(store):
        kept = "" if hints == "none" else " with these hints"
        board = "board with grey on its rim" if found.framed else "board"
        print(f"evo: proved: no {board} matches on all edges{kept}", file=sys.stderr)
    _hand_over(best_result(store), store.path, output, force=force)


def _hand_over(result: Result, folder: Path, output: Path | None, *, force: bool) -> None:
    """Write the best board and its picture, and print a recount and the link."""
    from evo.cli.boards import draw_to
    from evo.experiments.tasks import tile_board
    from puzzles import save

    best = tile_board(result.board)
    target = output if output is not None else folder / "board.json"
    save(best, target, force=force or output is None)
    picture = folder / "board.svg"
    draw_to(best, picture, best.title, numbers=False, hints=bool(best.puzzle.hints), mismatches=True, force=True)
    print(best.verify())
    print(f"board    {target}")
    print(f"picture  {picture}")
    print(f"link     {_link(best)}")


def _link(board: Board) -> str:
    from puzzles import PuzzleError

    try:
        return board.to_url()
    except PuzzleError as error:
        return f"none: {error}"
