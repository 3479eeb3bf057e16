"""All solutions of a puzzle: an iterator of boards for Python, and an experiment with a part of the tree per job."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo.errors import ConfigError, EvoError, StoreError
from evo.experiments.experiment import check_jobs
from evo.experiments.plan import Plan, Run
from evo.experiments.solving import HINTS
from evo.experiments.store import SOLUTIONS, Store
from evo.experiments.tasks import tile_puzzle
from evo.experiments.warmup import warm
from evo.experiments.words import plural
from evo.settings.base import check_fits, make_search
from evo.settings.enumeration import BACKTRACKER, EDGE_FILTERING, PORTFOLIO, EnumerationSettings
from evo.settings.registry import make_settings, name_of, own_algorithms, plain_values
from puzzles import Board, Puzzle, PuzzleError, load
from puzzles.checks import check_colour_totals, check_frame
from solvers import Enumeration, Tally
from solvers.exact.coloured_tiles import ColouredTiles
from solvers.exact.portfolio import SHORT, backtracker_nodes
from solvers.exact.symmetry import count_up_to_rotation

DEFINITION = """\
solutions       boards that differ in the colours of a cell; identical pieces are interchangeable
labelled        boards that differ in the number or the rotation of a piece
up to rotation  a board and its rotations count once"""
"""What the three counts mean."""


@dataclass(frozen=True)
class EnumerationResult:
    """What an enumeration has found.

    Attributes:
        solutions: The number of boards that differ in the colours of a cell; identical pieces are interchangeable.
        labelled: The number of boards that differ in the number or the rotation of a piece.
        up_to_rotation: The number of solutions if a board and its rotations count once; None if there are more
            solutions than are kept.
        proved: Whether there are no other solutions.
        nodes: The number of tiles placed by decisions.
        seconds: The computing time of all jobs.
        engine: The algorithm.
        boards: The solutions, recounted and distinct; at most 100,000 of each job are kept.
    """

    solutions: int
    labelled: int
    up_to_rotation: int | None
    proved: bool
    nodes: int
    seconds: float
    engine: str
    boards: tuple[Board, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as plain values, for JSON."""
        values = {name: value for name, value in vars(self).items() if name != "boards"}
        return values | {"seconds": round(self.seconds, 3)}

    def __str__(self) -> str:
        others = "there are no others" if self.solutions else "there is none"
        proof = f"proved: {others}" if self.proved else "not proved: the search did not finish"
        turned = f"{self.up_to_rotation:,}" if self.up_to_rotation is not None else "not counted"
        return (
            f"{plural(self.solutions, 'solution')} ({proof})\n"
            f"{self.labelled:,} labelled, {turned} up to rotation\n"
            f"{self.nodes:,} nodes, {self.seconds:.2f} s, {self.engine}"
        )


class Solutions:
    """An iterator of the solutions of a puzzle, as boards, while they are found; see `enumerate`."""

    def __init__(self, puzzle: Puzzle, settings: EnumerationSettings) -> None:
        self.puzzle, self.settings = puzzle, settings
        warm(puzzle, settings)
        self._search: Any = make_search(puzzle, settings)
        assert isinstance(self._search, Enumeration)
        self._boards = self._found()
        self._seconds = 0.0

    def __iter__(self) -> Iterator[Board]:
        return self

    def __next__(self) -> Board:
        return next(self._boards)

    @property
    def tally(self) -> Tally:
        """What was found so far, with an estimate of the share of the tree that is done."""
        tally: Tally = self._search.tally()
        return tally

    def result(self) -> EnumerationResult:
        """Finish the search, and return what it found."""
        for _ in self:
            pass
        tally, found = self.tally, self._search.solutions()
        return _result(self.puzzle, self.settings, found, tally.solutions, tally.proved, tally.nodes, self._seconds)

    def _found(self) -> Iterator[Board]:
        told, reports = 0, self._search.reports()
        while True:
            start = time.perf_counter()
            progress = next(reports, None)
            self._seconds += time.perf_counter() - start
            for cells in self._search.solutions()[told:]:
                told += 1
                yield Board(self.puzzle, cells.reshape(self.puzzle.shape), f"{self.puzzle.name} solution {told}")
            if progress is None:
                return


def enumerate(
    puzzle: Puzzle | str,
    *,
    engine: str = "portfolio",
    limit: int = 0,
    hints: str = "none",
    fix_corner: bool = False,
    seed: int = 1,
) -> Solutions:
    """Return an iterator of all solutions of a puzzle; its method `result` finishes and returns the counts.

    Without hints and without a fixed corner, every rotation of a board is a solution of its own.

    Args:
        puzzle: The puzzle, or its name or path.
        engine: "portfolio", "edge-filtering", "backtracker" or "colour-pairs".
        limit: The number of solutions after which the search ends; 0 means all.
        hints: Which of the puzzle's hints to honour: "none", "mandatory" or "all".
        fix_corner: Whether the corner piece with the lowest number stays at the top left.
        seed: Determines the order in which tiles are tried, and so the order of the solutions.

    Raises:
        ConfigError: An argument is wrong, or does not fit the puzzle.
    """
    found = load(puzzle) if isinstance(puzzle, str) else puzzle
    settings = settings_of(engine, limit=limit, hints=hints, fix_corner=fix_corner, seed=seed)
    _check(found, settings)
    return Solutions(found, settings)


def engines() -> dict[str, type[EnumerationSettings]]:
    """Return the settings classes of the enumerators by the names that users type."""
    found = {name.lower().replace("_", "-"): kind for name, kind in own_algorithms().items()}
    return {name: kind for name, kind in found.items() if issubclass(kind, EnumerationSettings)}


def settings_of(engine: str, *, limit: int, hints: str, fix_corner: bool, seed: int) -> EnumerationSettings:
    """Return the settings of an enumeration by one job.

    Raises:
        ConfigError: An argument is wrong.
    """
    if engine not in engines():
        raise ConfigError(f"engine: expected {' or '.join(engines())}; found {engine!r:.60}")
    if hints not in HINTS:
        raise ConfigError(f"hints: expected {', '.join(HINTS[:-1])} or {HINTS[-1]}; found {hints!r:.60}")
    values: dict[str, Any] = {"limit": limit, "pins": hints, "fix_corner": fix_corner, "seed": seed}
    return engines()[engine](**values)


def divided(puzzle: Puzzle, settings: EnumerationSettings, jobs: int) -> EnumerationSettings:
    """Return the settings of the first of several jobs, which divide the tree among them.

    The trees of two engines cannot be divided alike: a portfolio is replaced by the engine that would finish.

    Raises:
        ConfigError: The settings do not fit the puzzle.
    """
    if jobs == 1:
        return settings
    values = plain_values(settings)
    if isinstance(settings, PORTFOLIO):
        check_fits(puzzle, settings)
        rows_pay = backtracker_nodes(puzzle, settings.pinned(puzzle)) > SHORT
        values["algorithm"] = name_of(BACKTRACKER if rows_pay else EDGE_FILTERING)
        del values["short"]
    parts = make_settings(values | {"parts": jobs})
    assert isinstance(parts, EnumerationSettings)
    return parts


def plan_enumeration(puzzle: Puzzle, settings: EnumerationSettings) -> Plan:
    """Return the experiment that enumerates the solutions of a puzzle: a run for each part of the tree.

    Raises:
        ConfigError: The settings do not fit the puzzle.
    """
    check_jobs(settings.parts)
    _check(puzzle, settings)
    name, runs = settings.algorithm, []
    for part in range(settings.parts):  # all with the same seed: they must walk the same tree
        own = plain_values(settings) | {"part": part}
        runs.append(Run(f"{name}-{part + 1:02d}", name, name, "", "", part + 1, own, None))
    return Plan(f"enumerate-{puzzle.name}"[:60], settings.seed, puzzle, runs)


def _check(puzzle: Puzzle, settings: EnumerationSettings) -> None:
    """Refuse settings that do not fit a puzzle, and pieces that cannot fill its board, before any search.

    Pieces are checked when a puzzle is made, but not if it is made with `strict=False`.
    """
    check_fits(puzzle, settings)
    if puzzle.framed:
        try:
            check_frame(puzzle.tiles, puzzle.rows, puzzle.cols)
            check_colour_totals(puzzle.tiles)
        except PuzzleError as error:
            raise ConfigError(f"{puzzle.name}: there is no solution: {error}") from None


def is_enumeration(store: Store) -> bool:
    """Return whether an experiment is an enumeration: its runs are the parts of one tree."""
    names = {kind.model_fields["algorithm"].default for kind in engines().values()}
    same = [{key: value for key, value in run.settings.items() if key != "part"} for run in store.runs]
    parts = [run.settings.get("part") for run in store.runs]
    return (
        all(run.algorithm in names for run in store.runs)
        and all(one == same[0] for one in same)
        and parts == list(range(same[0].get("parts", 0)))
    )


def stored_result(store: Store) -> EnumerationResult:
    """Return what an enumeration has found so far, from its directory. Every solution is recounted.

    Raises:
        StoreError: A solution is not one, or is there twice.
    """
    settings = make_settings(store.runs[0].settings)
    assert isinstance(settings, EnumerationSettings)
    records = [record for _, record in store.records()]
    found = [cells for run in store.runs for cells in _stored_solutions(store, run)]
    solutions = sum(max(0, record.solutions) for record in records)
    if settings.limit:
        found, solutions = found[: settings.limit], min(solutions, settings.limit)
    proved = all(record.state == "done" and record.proved for record in records)
    nodes, seconds = sum(record.evaluations for record in records), sum(record.seconds for record in records)
    return _result(tile_puzzle(store.puzzle), settings, found, solutions, proved, nodes, seconds)


def _stored_solutions(store: Store, run: Run) -> list[NDArray[np.uint16]]:
    found = []
    for number, line in zip(range(1, 1 << 62), store.solution_lines(run), strict=False):
        try:
            values = json.loads(line)
            cells = 4 * (np.array(values["pieces"]) - 1) + np.array(values["rotations"])
            found.append(Board(tile_puzzle(store.puzzle), cells).cells.ravel())
        except (ValueError, KeyError, TypeError, EvoError) as error:
            raise StoreError(f"{store.file(run, SOLUTIONS)}: line {number}: is not a solution: {error}") from None
    return found


def _result(
    puzzle: Puzzle,
    settings: EnumerationSettings,
    found: list[NDArray[np.uint16]],
    solutions: int,
    proved: bool,
    nodes: int,
    seconds: float,
) -> EnumerationResult:
    """Return a result after recounting its boards."""
    pins = settings.pinned(puzzle)
    boards = tuple(
        Board(puzzle, cells.reshape(puzzle.shape), f"{puzzle.name} solution {number}")
        for number, cells in zip(range(1, len(found) + 1), found, strict=True)
    )
    for board in boards:
        if not board.verify().solved or any(board.cells[p.row, p.col] != 4 * p.tile + p.rotation for p in pins):
            raise StoreError(f"{board.name}: is not a solution")
    if len({board.sides.tobytes() for board in boards}) < len(boards):
        raise StoreError(f"{puzzle.name}: a solution was found twice")
    labelled = solutions * ColouredTiles(puzzle, pins).labelled_per_solution
    turned = count_up_to_rotation(puzzle, found) if len(found) == solutions else None
    return EnumerationResult(solutions, labelled, turned, proved, nodes, seconds, settings.algorithm, boards)
