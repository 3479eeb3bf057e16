"""The best board in a given time: which searches to run, with what effort, and what comes of them.

Boards are built by beam search, and rebuilt from parts of the best of them. On boards of at most 100 cells, an
enumeration of all solutions ends with the first one, or shows that there is none, before half of the time is spent; on
those that it cannot handle, backtracking without mismatches looks for a solution instead.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from evo.errors import ConfigError
from evo.experiments.driver import Unwatched, Watch
from evo.experiments.experiment import begin, check_jobs, work_off
from evo.experiments.plan import Plan, Run, run_seed
from evo.experiments.result import Result
from evo.experiments.store import Record, Store
from evo.experiments.trace import Point
from evo.settings.base import RunSettings, check_fits, make_search
from evo.settings.construction import BACKTRACK, BEAM
from evo.settings.enumeration import PORTFOLIO
from evo.settings.registry import make_settings, plain_values
from puzzles import Puzzle, load

HINTS = ("none", "mandatory", "all")
_BOARDS = 12
"""A beam is as wide as it can be if about this many boards are to be built in the given time."""
_TRIAL_WIDTH = 256
"""The width of the beam that measures how fast the machine is."""
_SLOWDOWN = 1.5
"""A wide beam does not fit into the processor's cache: each of its states takes this much longer."""
_NARROWEST, _WIDEST = 64, 1 << 20
_SMALL = 100
"""On boards of at most this many cells, a search without mismatches may find a solution."""
_RESTART = 300_000_000
"""After this many nodes, about ten seconds, backtracking tries another order of the tiles."""
_UNLIMITED = 10**15


def solve(
    puzzle: Puzzle | str,
    seconds: float = 60.0,
    *,
    jobs: int | None = None,
    hints: str = "none",
    seed: int = 1,
    out: str | Path | None = None,
) -> Result:
    """Return the best board that can be found in a given time.

    A keyboard interrupt ends the search early, and the best board so far is returned.

    Args:
        puzzle: The puzzle to solve, or its name or path.
        seconds: The time for the search, not counting compilation.
        jobs: Searches side by side, a worker process each; by default one search in this process. A script that sets it
            calls `solve` under `if __name__ == "__main__":`.
        hints: Which of the puzzle's hints to honour: "none", "mandatory" or "all".
        seed: The master seed; each job derives its own.
        out: A new directory for the experiment, which `resume_experiment` can continue; by default it is not kept.

    Raises:
        ConfigError: An argument is wrong, or does not fit the puzzle.
    """
    found = load(puzzle) if isinstance(puzzle, str) else puzzle
    if out is not None:
        return solve_into(plan_of(found, seconds, jobs, hints, seed), seconds, jobs, out)
    with tempfile.TemporaryDirectory(prefix="evo-solve-") as folder:
        return solve_into(plan_of(found, seconds, jobs, hints, seed), seconds, jobs, Path(folder) / "experiment")


def solve_into(plan: Plan, seconds: float, jobs: int | None, out: str | Path) -> Result:
    """Carry out a plan of `plan_of` in a new directory, and return its best board."""
    store = begin(plan, out)
    carry_out(store, Unwatched(), seconds, jobs)
    return best_result(store)


def carry_out(store: Store, watch: Watch, seconds: float, jobs: int | None) -> None:
    """Run an experiment of `plan_of` for a given time, or until the puzzle is solved."""
    work_off(store, watch, jobs=jobs, dask=None, seconds=seconds, enough=store.puzzle.max_score)


def is_impossible(store: Store) -> bool:
    """Return whether an experiment of `plan_of` has proved that no board matches on all edges, with the hints kept.

    Where tiles have grey sides, the rim is grey: there may be boards with coloured sides on the rim that match.
    """
    return any(record.proved and record.solutions == 0 for _, record in store.records())


def best_result(store: Store) -> Result:
    """Return the best board of an experiment, with the settings and the trace of the run that found it.

    Raises:
        ConfigError: No run has a board.
    """
    import pandas as pd

    run, record = max(store.records(), key=_merit)
    board = store.board(run)
    if board is None:
        raise ConfigError(f"{store.path}: no board is complete yet; allow more seconds, or continue with `evo resume`")
    trace = pd.DataFrame(store.points(run), columns=list(Point._fields))
    return Result(board, make_settings(run.settings), trace, record.evaluations, record.seconds)


def _merit(pair: tuple[Run, Record]) -> int:
    return pair[1].best_score


def plan_of(puzzle: Puzzle, seconds: float, jobs: int | None, hints: str, seed: int) -> Plan:
    """Return the experiment that gives the best board in a given time: one run of each search for each job.

    Raises:
        ConfigError: An argument is wrong, or does not fit the puzzle.
    """
    check_arguments(seconds, jobs, hints)
    common: dict[str, Any] = {"pins": hints, "evaluations": _UNLIMITED}
    searches: list[tuple[RunSettings, float | None]] = []
    if puzzle.size <= _SMALL:
        searches.append((_exact(puzzle, common), seconds / 2))
    check_fits(puzzle, BEAM(**common, width=_TRIAL_WIDTH))
    searches.append((BEAM(**common, width=_fitting_width(puzzle, seconds, common)), None))
    runs = []
    for settings, limit in searches:
        check_fits(puzzle, settings)
        plain, name = plain_values(settings), settings.algorithm
        for number in range(1, (jobs or 1) + 1):
            own = plain | {"seed": run_seed(seed, name, number)}
            runs.append(Run(f"{name}-{number:02d}", name, name, "", "", number, own, limit))
    return Plan(f"solve-{puzzle.name}"[:60], seed, puzzle, runs)


def check_arguments(seconds: float, jobs: int | None, hints: str) -> None:
    """Refuse arguments that are wrong for every puzzle."""
    check_jobs(jobs)
    if not 0 < seconds <= 10**9:
        raise ConfigError(f"seconds: expected a number above 0; found {seconds:g}")
    if hints not in HINTS:
        raise ConfigError(f"hints: expected {', '.join(HINTS[:-1])} or {HINTS[-1]}; found {hints!r}")


def _exact(puzzle: Puzzle, common: dict[str, Any]) -> RunSettings:
    """Return a search for one solution, which also ends if there is none."""
    square = puzzle.rows == puzzle.cols > 1 and puzzle.framed
    corner = common["pins"] == "none" and square and "corner" in puzzle.kinds  # no rotation is searched twice
    settings = PORTFOLIO(**common, limit=1, fix_corner=corner)
    try:
        check_fits(puzzle, settings)
    except ConfigError:  # too many tiles of a kind
        return _backtracking(puzzle, common)
    return settings


def _backtracking(puzzle: Puzzle, common: dict[str, Any]) -> BACKTRACK:
    """Return a search for a solution: no mismatches, no favoured colours, along the shorter side of the board."""
    path = "row" if puzzle.cols <= puzzle.rows else "column"  # a short frontier has few colourings
    exact: dict[str, Any] = {"mismatches": (), "favoured_border": 0, "favoured_inner": 0, "quota": ()}
    return BACKTRACK(**common, **exact, path=path, opening_nodes=_RESTART)


def _fitting_width(puzzle: Puzzle, seconds: float, common: dict[str, Any]) -> int:
    """Return the width of a beam that builds about `_BOARDS` boards on this machine in the given time."""
    reports = make_search(puzzle, BEAM(**common, width=_TRIAL_WIDTH)).reports()
    next(reports)  # compiles, or loads what is compiled
    start = time.perf_counter()
    next(reports, None)
    each = max(time.perf_counter() - start, 1e-4)
    return _power_of_two(_TRIAL_WIDTH * seconds / _BOARDS / each / _SLOWDOWN)


def _power_of_two(width: float) -> int:
    """Return the next smaller power of two, within limits, so that the same machine always gives the same width."""
    return int(min(_WIDEST, max(_NARROWEST, 1 << (int(width).bit_length() - 1 if width >= 1 else 0))))
