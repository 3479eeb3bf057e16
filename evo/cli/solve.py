"""The command that gives the best board it can in a given time: solve."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evo.cli.inputs import ForceOption, load_puzzle

if TYPE_CHECKING:
    from evo.experiments.plan import Plan
    from evo.experiments.store import Store
    from puzzles import Board, Puzzle

_BOARDS = 12
"""A beam is so wide that about so many boards can be built in the time there is."""
_TRIED = 256
"""How wide the beam is that tells how fast the machine is."""
_SLOWER = 1.5
"""A wide beam takes so much longer for a state, since it does not fit into the processor's cache."""
_NARROWEST, _WIDEST = 64, 1 << 20
_SMALL = 100
"""On boards with so many cells a search without mismatches may find a solution: half of the time is its."""
_HINTS = ("none", "mandatory", "all")
_EXACT = {"algorithm": "BACKTRACK", "mismatches": (), "favoured_border": 0, "favoured_inner": 0, "quota": ()}
_RESTART = 300_000_000
"""After so many nodes, ten seconds or so, another order of tiles may be luckier."""


def solve(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="What to solve: a name or a file.")] = "eternity2",
    seconds: Annotated[float, typer.Option(metavar="S", help="How long.")] = 60.0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="J", help="Searches side by side, a core each.")] = 1,
    hints: Annotated[str, typer.Option(metavar="|".join(_HINTS), help="Which hints to honour.")] = "none",
    seed: Annotated[int, typer.Option(metavar="S", help="Of the search; each job has one from it.")] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where the board goes, as its suffix says [DIR/board.json]."
        ),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Build the best board that can be found in a given time, and verify it.

    Boards are built by beam search, and built again from parts of the best of them; where there are no more than 100
    tiles, backtracking first looks for a solution. Stop it with Ctrl-C: the best so far is yours, and `evo resume DIR`
    goes on.

    Example: evo solve eternity2 --seconds 60 --jobs 2 -o best.json
    """
    from evo.cli.live_board import LiveBoard
    from evo.errors import ConfigError
    from evo.experiments.experiment import begin, check_jobs, work_off
    from puzzles.file_io import check_free, naming

    check_jobs(jobs)
    if not 0 < seconds <= 10**9:
        raise ConfigError(f"seconds: expected a number above 0; found {seconds:g}")
    if hints not in _HINTS:
        raise ConfigError(f"hints: expected {', '.join(_HINTS[:-1])} or {_HINTS[-1]}; found {hints!r}")
    if output is not None:
        with naming(output):
            check_free(output, force=force)
    found = load_puzzle(puzzle)
    assert found is not None
    plan = solving_plan(found, seconds, jobs, hints, seed)
    store = begin(plan, None)
    print(f"evo: {store.path}: beams of width {plan.runs[-1].settings['width']:,}", file=sys.stderr)
    with LiveBoard(store, seconds) as watch:
        work_off(store, watch, jobs=jobs, dask=None, seconds=seconds, enough=found.max_score)
    _hand_over(store, output, force=force)


def solving_plan(puzzle: Puzzle, seconds: float, jobs: int, hints: str, seed: int) -> Plan:
    """An experiment with beams as wide as the time allows, one run for each job; before them backtracking if it may do.

    Raises:
        ConfigError: The settings do not fit the puzzle.
    """
    from evo.engine.runner import make_search
    from evo.experiments.plan import Plan, Run, run_seed
    from evo.settings.evolution import make_settings

    common = {"pins": hints, "evaluations": 10**15}
    kinds: list[tuple[dict[str, Any], float | None]] = []
    if puzzle.size <= _SMALL:
        path = "row" if puzzle.cols <= puzzle.rows else "column"  # a short frontier has few colourings
        kinds.append(({**_EXACT, **common, "path": path, "opening_nodes": _RESTART}, seconds / 2))
    kinds.append(({"algorithm": "BEAM", **common, "width": _fitting_width(puzzle, seconds, common)}, None))
    runs = []
    for values, limit in kinds:
        settings = make_settings(values)
        make_search(puzzle, settings)
        plain, name = settings.model_dump(mode="json"), settings.algorithm
        for number in range(1, jobs + 1):
            own = plain | {"seed": run_seed(seed, name, number)}
            runs.append(Run(f"{name}-{number:02d}", name, name, "", "", number, own, limit))
    return Plan(f"solve-{puzzle.name}"[:60], seed, puzzle, runs)


def _fitting_width(puzzle: Puzzle, seconds: float, common: dict[str, Any]) -> int:
    """How wide a beam may be on this machine, so that some boards can be built in the time there is."""
    from evo.engine.runner import make_search
    from evo.settings.evolution import make_settings

    reports = make_search(puzzle, make_settings({"algorithm": "BEAM", **common, "width": _TRIED})).reports()
    next(reports)  # compiles, or loads what is compiled
    begun = time.perf_counter()
    next(reports, None)
    each = max(time.perf_counter() - begun, 1e-4)
    return _rounded(_TRIED * seconds / _BOARDS / each / _SLOWER)


def _rounded(width: float) -> int:
    """A power of two, so that the same machine has the same one every time."""
    return int(min(_WIDEST, max(_NARROWEST, 1 << (int(width).bit_length() - 1 if width >= 1 else 0))))


def _hand_over(store: Store, output: Path | None, *, force: bool) -> None:
    """Write the best board, its picture and its link, and print what a recount says of it."""
    from evo.cli.boards import draw_to
    from evo.errors import ConfigError
    from puzzles import save
    from puzzles.drawing import board_title

    boards = [board for run in store.runs if (board := store.board(run)) is not None]
    if not boards:
        raise ConfigError(f"{store.path}: there was no time for a board")
    best = max(boards, key=lambda board: board.score)
    target = output if output is not None else store.path / "board.json"
    save(best, target, force=force or output is None)
    picture = store.path / "board.svg"
    draw_to(best, picture, board_title(best), numbers=False, hints=bool(best.puzzle.hints), mismatches=True, force=True)
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
