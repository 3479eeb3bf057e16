"""All solutions, in Python and through the store."""

import threading
from collections import Counter
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest

import evo
from evo.errors import ConfigError, StoreError
from evo.experiments import workers
from evo.experiments.driver import Unwatched, carry_out, make_task
from evo.experiments.enumerating import (
    EnumerationResult,
    divided,
    engines,
    is_enumeration,
    plan_enumeration,
    settings_of,
    stored_result,
)
from evo.experiments.experiment import begin, work_off
from evo.experiments.slices import Slice, Task, run_slice
from evo.experiments.store import SOLUTIONS, Store
from evo.experiments.workers import Here, WorkerDied
from evo.settings.enumeration import EnumerationSettings
from puzzles import Board, Puzzle, generate
from solvers import SolverError
from solvers.exact import backtracker, colour_pairs, edge_filtering
from solvers.exact.symmetry import corner_hint


def puzzle(seed: int = 1) -> Puzzle:
    return generate(5, 5, 3, 4, seed, style="benoist", hints=2)[0]


def settings(engine: str = "portfolio", **values: object) -> EnumerationSettings:
    given: dict[str, object] = {"limit": 0, "hints": "none", "fix_corner": False, "seed": 1}
    jobs = values.pop("jobs", 1)
    return divided(puzzle(), settings_of(engine, **(given | values)), jobs)


def test_boards_come_one_by_one_and_the_result_counts_them() -> None:
    found = list(evo.enumerate(puzzle()))
    assert all(isinstance(board, Board) and board.verify().solved for board in found)
    result = evo.enumerate(puzzle()).result()
    assert result.proved
    assert result.solutions == len(found) == len(result.boards) == 4 * result.up_to_rotation
    assert result.labelled % result.solutions == 0
    assert set(result.as_dict()) == {
        "solutions", "labelled", "up_to_rotation", "proved", "nodes", "seconds", "engine"
    }  # fmt: skip


@pytest.mark.parametrize("engine", engines())
def test_a_fixed_corner_finds_each_board_in_one_rotation(engine: str) -> None:
    for seed in range(4):
        every = evo.enumerate(puzzle(seed), engine=engine).result()
        fixed = evo.enumerate(puzzle(seed), engine=engine, fix_corner=True).result()
        corner = corner_hint(puzzle(seed))
        assert fixed.up_to_rotation == every.up_to_rotation
        assert all(board.cells[0, 0] == 4 * corner.tile + corner.rotation for board in fixed.boards)
        assert {board.sides.tobytes() for board in fixed.boards} <= {board.sides.tobytes() for board in every.boards}


def test_hints_restrict_the_solutions() -> None:
    every, hinted = evo.enumerate(puzzle()).result(), evo.enumerate(puzzle(), hints="all").result()
    honouring = [board for board in every.boards if board.verify().hints_honoured == 2]
    assert 1 <= len(honouring) <= hinted.solutions < every.solutions  # the others are labelled in another way


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"engine": "magic"},
            "engine: expected backtracker or colour-pairs or edge-filtering or portfolio; found 'magic'",
        ),
        ({"hints": "some"}, "hints: expected none, mandatory or all; found 'some'"),
        ({"hints": "all", "fix_corner": True}, "fix_corner: cannot be combined with pins"),
        ({"limit": -1}, "limit"),
    ],
)
def test_wrong_arguments_are_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        evo.enumerate(puzzle(), **values)


def test_pieces_that_cannot_fill_the_board_are_refused_before_any_search() -> None:
    tiles = puzzle().tiles.copy()
    inner = int(np.flatnonzero((tiles > 0).all(axis=1))[0])
    tiles[inner, 0] = 3 if tiles[inner, 0] != 3 else 2
    odd = Puzzle(5, 5, tiles, strict=False, name="odd")
    with pytest.raises(ConfigError, match=r"odd: there is no solution: colour \d is on \d+ inner sides \(pieces .*odd"):
        evo.enumerate(odd)
    with pytest.raises(ConfigError, match="odd: there is no solution: colour"):
        plan_enumeration(odd, settings())
    tiles[inner] = 0, 1, 1, 1
    with pytest.raises(ConfigError, match="needs 9 inner, 12 border, 4 corner pieces; this set has 8 inner, 13 border"):
        evo.enumerate(Puzzle(5, 5, tiles, strict=False, name="odd"))


def test_a_corner_is_only_fixed_where_it_represents_all_boards() -> None:
    with pytest.raises(ConfigError, match="square board with a frame"):
        evo.enumerate(generate(4, 5, 3, 3, 1)[0], fix_corner=True)
    with pytest.raises(SolverError, match="square"):
        corner_hint(Puzzle(2, 2, np.ones((4, 4), dtype=int), strict=False))


def stored(tmp_path: Path, jobs: int, chosen: EnumerationSettings, name: str = "all") -> Store:
    store = begin(plan_enumeration(puzzle(), chosen), tmp_path / name)
    assert is_enumeration(store)
    work_off(store, Unwatched(), jobs=None if jobs == 1 else jobs, dask=None)
    return store


def test_jobs_divide_the_tree_and_find_the_same_boards(tmp_path: Path) -> None:
    expected = evo.enumerate(puzzle()).result()
    for jobs in (1, 2):
        result = stored_result(stored(tmp_path, jobs, settings(jobs=jobs), f"jobs{jobs}"))
        assert result.proved
        assert {board.cells.tobytes() for board in result.boards} == {b.cells.tobytes() for b in expected.boards}
        assert (result.solutions, result.labelled) == (expected.solutions, expected.labelled)


def test_a_portfolio_is_divided_as_the_engine_that_would_finish() -> None:
    poor_frame = generate(8, 8, 4, 8, 101)[0]
    one = settings()
    assert divided(puzzle(), one, 1) == one
    assert (divided(puzzle(), one, 3).algorithm, divided(poor_frame, one, 3).algorithm) == (
        "EDGE_FILTERING", "BACKTRACKER"
    )  # fmt: skip
    pairs = divided(poor_frame, settings("colour-pairs", limit=7), 3)
    assert (pairs.algorithm, pairs.limit, pairs.parts) == ("COLOUR_PAIRS", 7, 3)
    with pytest.raises(ConfigError, match="64 pieces of a kind"):
        divided(generate(11, 11, 4, 11, 1)[0], one, 3)


def test_an_interrupted_enumeration_goes_on_where_it_was(tmp_path: Path) -> None:
    whole = stored_result(stored(tmp_path, 1, settings("edge-filtering")))
    store = begin(plan_enumeration(puzzle(), settings("edge-filtering")), tmp_path / "cut")
    [run] = store.runs
    first = run_slice(make_task(store, run), None, 0.0)  # a slice of one report
    store.write_record(run, store.record(run))
    store.append(run, first.points)
    store.write_checkpoint(run, first.state)
    store.append_solutions(run, ["written after the checkpoint, and cut by a cra"])
    work_off(Store(store.path), Unwatched(), jobs=None, dask=None)
    result = stored_result(Store(store.path))
    assert [board.cells.tolist() for board in result.boards] == [board.cells.tolist() for board in whole.boards]
    assert (result.solutions, result.nodes, result.proved) == (whole.solutions, whole.nodes, True)


def test_a_stored_solution_that_is_none_is_refused(tmp_path: Path) -> None:
    store = stored(tmp_path, 1, settings())
    [run] = store.runs
    lines = store.solution_lines(run)
    store.write_solutions(run, [lines[0], lines[0]])
    with pytest.raises(StoreError, match="found twice"):
        stored_result(store)
    store.write_solutions(run, [lines[0], "{}"])
    with pytest.raises(StoreError, match=f"{SOLUTIONS}: line 2: is not a solution"):
        stored_result(store)


class Dying(Here):
    """A worker that dies in one slice of each run: after the work, so that what it found is lost with it."""

    def __init__(self, at: int) -> None:
        self.at, self.counts = at, Counter()

    def submit(self, slot: int, task: Task, state: bytes | None) -> Future[Slice]:
        self.counts[task.key] += 1
        if self.counts[task.key] != self.at:
            return super().submit(slot, task, state)
        super().submit(slot, task, state)
        future: Future[Slice] = Future()
        future.set_exception(WorkerDied())
        return future


@pytest.mark.parametrize("engine", ["backtracker", "edge-filtering", "colour-pairs"])
@pytest.mark.parametrize("at", [1, 2])
def test_workers_that_die_lose_no_solution_and_find_none_twice(
    engine: str, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "SLICE_SECONDS", 0.0)  # a slice is a chunk of nodes
    for module in (backtracker, edge_filtering, colour_pairs):
        monkeypatch.setattr(module, "CHUNK", 200)
    expected = evo.enumerate(puzzle(3), engine=engine).result()
    store = begin(plan_enumeration(puzzle(3), settings(engine, jobs=3)), tmp_path / "out")
    dying = Dying(at)
    with store.locked():
        carry_out(store, dying, Unwatched(), dict.fromkeys(run.id for run in store.runs), threading.Event())
    assert sum(count >= at for count in dying.counts.values()) >= 2  # most runs lost a worker
    result = stored_result(store)
    assert result.proved
    found = [board.cells.tobytes() for board in result.boards]
    assert sorted(found) == sorted(board.cells.tobytes() for board in expected.boards)
    assert result.solutions == expected.solutions == len(set(found)) > 0


@pytest.mark.parametrize("engine", ["portfolio", "backtracker", "edge-filtering"])
def test_engines_for_boards_up_to_10x10_name_the_one_for_larger_boards(engine: str) -> None:
    large = generate(11, 11, 4, 11, 1)[0]
    with pytest.raises(
        ConfigError, match=r"can handle 64 pieces of a kind, as on 10x10; this puzzle has 81: use colour"
    ):
        evo.enumerate(large, engine=engine)


@pytest.mark.parametrize("side", [11, 16])
def test_colour_pairs_count_larger_boards(side: int) -> None:
    given = side * side - 12
    large, solution = generate(side, side, 4, 6, 1, hints=given)
    result = evo.enumerate(large, engine="colour-pairs", hints="all").result()
    assert result.proved
    assert solution.sides.tobytes() in {board.sides.tobytes() for board in result.boards}


@pytest.mark.parametrize(
    ("solutions", "proved", "line"),
    [
        (0, True, "0 solutions (proved: there is none)"),
        (1, True, "1 solution (proved: there are no others)"),
        (2, False, "2 solutions (not proved: the search did not finish)"),
    ],
)
def test_the_first_line_says_what_is_proved(solutions: int, proved: bool, line: str) -> None:
    result = EnumerationResult(solutions, solutions, solutions, proved, 10, 0.1, "PORTFOLIO", ())
    assert str(result).splitlines()[0] == line
