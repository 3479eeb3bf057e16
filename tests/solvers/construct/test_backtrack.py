import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import PATHS, make_path
from puzzles import EMPTY, GREY, Board, Hint, Puzzle, generate
from solvers import Backtrack, BacktrackOptions, Progress, SolverError

PLAIN = BacktrackOptions(mismatches=(), favoured_border=0, favoured_inner=0, quota=())
"""Nothing but tiles that fit."""
RECORD = BacktrackOptions()


MOST_NODES = 1500
"""Of the oracle, which is slow."""


def without_quota(*mismatches: float) -> BacktrackOptions:
    return BacktrackOptions(mismatches=mismatches, favoured_border=0, favoured_inner=0, quota=())


def search(
    puzzle: Puzzle,
    seed: int,
    nodes: int,
    options: BacktrackOptions = RECORD,
    path: str | Sequence[int] = "blocks",
    pins: Sequence[Hint] = (),
) -> Backtrack:
    return Backtrack(puzzle, np.random.default_rng(seed), nodes, options=options, path=path, pins=pins)


class Oracle:
    """The same search in plain Python, without order: it visits all boards that the rules allow."""

    def __init__(self, puzzle: Puzzle, how: BacktrackOptions, path: str | Sequence[int], pins: Sequence[Hint]) -> None:
        self.puzzle, self.how, self.sides = puzzle, how, puzzle.sides.T.tolist()
        self.barred = set(puzzle.border_colours) - {GREY}
        self.lying = {(hint.row, hint.col): hint.tile * 4 + hint.rotation for hint in pins}
        order = make_path(path, *puzzle.shape).tolist()
        self.path = [cell for cell in (divmod(cell, puzzle.cols) for cell in order) if cell not in self.lying]
        cells = np.full(puzzle.shape, EMPTY, dtype=np.uint16)
        for cell, code in self.lying.items():
            cells[cell] = code
        self.nodes, self.full, self.best, self.pinned = 0, 0, Board(puzzle, cells).score, len(self.lying)
        self.first_score = self.best

    def visit(self, favoured: Sequence[int]) -> None:
        """Visit all boards with some favoured colours, or too many."""
        self.favour = np.isin(self.puzzle.tiles, favoured).sum(axis=1).tolist()
        self._visit(0, self.first_score)

    def _visit(self, misses: int, score: int) -> None:
        put = len(self.lying) - self.pinned
        if put == len(self.path):
            self.full += 1
            return
        used = {code // 4 for code in self.lying.values()}
        for code in (code for code in range(4 * self.puzzle.size) if code // 4 not in used):
            missed, matched = self._edges(self.path[put], code)
            if missed > 1 or self.nodes >= MOST_NODES:
                continue
            self.lying[self.path[put]] = code
            if misses + missed <= allowed(self.how, self.puzzle, len(self.lying)) and self._meets_quota(put + 1):
                self.nodes += 1
                self.best = max(self.best, score + matched)
                self._visit(misses + missed, score + matched)
            del self.lying[self.path[put]]

    def _edges(self, cell: tuple[int, int], code: int) -> tuple[int, int]:
        """How many edges to tiles that lie do not match, and how many do; 5 do not where the tile must not lie."""
        missed = matched = 0
        for side, (down, right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            near = cell[0] + down, cell[1] + right
            inside = 0 <= near[0] < self.puzzle.rows and 0 <= near[1] < self.puzzle.cols
            here = self.sides[code][side]
            if self.puzzle.framed and (here == GREY) == inside:
                return 5, 0
            if near in self.lying:
                there = self.sides[self.lying[near]][(side + 2) % 4]
                fits = here == there != GREY
                matched += fits
                missed += 0 if fits else 5 if {here, there} & self.barred else 1
        return missed, matched

    def _meets_quota(self, put: int) -> bool:
        if not self.how.quota or put <= round(self.how.opening * self.puzzle.size):
            return True
        share = quota(self.how, self.puzzle, len(self.lying))
        return sum(self.favour[code // 4] for code in self.lying.values()) >= int(share * sum(self.favour) + 1e-9)


def allowed(how: BacktrackOptions, puzzle: Puzzle, tiles: int) -> int:
    return sum(round(part * puzzle.size) <= tiles for part in how.mismatches)


def quota(how: BacktrackOptions, puzzle: Puzzle, tiles: int) -> float:
    return float(np.interp(tiles / puzzle.size, *np.array(how.quota, dtype=float).T))


def laid_favoured(puzzle: Puzzle, cells: np.ndarray, favoured: Sequence[int]) -> int:
    return int(np.isin(puzzle.tiles[cells[cells != EMPTY] >> 2], favoured).sum())


class Task(NamedTuple):
    puzzle: Puzzle
    how: BacktrackOptions
    path: str | list[int]
    pins: list[Hint]

    @classmethod
    def make(cls, seed: int) -> "Task":
        """A small puzzle, with a frame or without, that is nearly solved; rules, a path and pins."""
        rng = np.random.default_rng(seed)
        rows, cols = rng.integers(2, 4), rng.integers(3, 5)
        above, beside = rng.integers(3, rng.integers(5, 12), (2, rows + 1, cols + 1))
        if rng.random() < 0.7:  # a frame, with colours 1 and 2 between its tiles
            above[1:-1, [0, cols - 1]] = rng.integers(1, 3, (rows - 1, 2))
            beside[[0, rows - 1], 1:-1] = rng.integers(1, 3, (2, cols - 1))
            above[[0, rows]] = beside[:, [0, cols]] = GREY
        sides = above[:-1, :-1], beside[:-1, 1:], above[1:, :-1], beside[:-1, :-1]
        tiles = np.stack(sides, axis=-1).reshape(-1, 4)
        wrong = (rng.random(tiles.shape) < rng.choice([0, 0.2])) & (tiles > 2)
        tiles = np.where(wrong, rng.integers(3, 6, tiles.shape), tiles)
        if rng.random() < 0.7:  # a tile that hardly fits anywhere: mostly no board gets full
            tiles[-1][tiles[-1] > 2] = 12
        order = rng.permutation(rows * cols).tolist()
        path = str(rng.choice([*PATHS])) if rng.random() < 0.7 else order
        pins = [Hint(cell, *divmod(cell, int(cols)), 0) for cell in order[: rng.integers(3)]]
        points = zip(sorted(rng.random(3).tolist()), rng.uniform(0, 0.7, 3).tolist(), strict=True)
        how = BacktrackOptions(
            tuple(rng.uniform(0.3, 1, rng.integers(5)).tolist()),
            *rng.integers(0, 3, 2).tolist(),
            int(rng.integers(1, 4)),
            tuple(points) if rng.random() < 0.5 else (),
            rng.choice([0, 0.1, 0.4]),
            int(rng.choice([3, 20, 10**9])),
        )
        return cls(Puzzle(int(rows), int(cols), tiles, strict=False), how, path, pins)

    def search(self, seed: int, nodes: int) -> Backtrack:
        return search(self.puzzle, seed, nodes, self.how, self.path, self.pins)


tasks = st.integers(0, 2**32).map(Task.make)


@given(tasks)
@settings(max_examples=60)
def test_it_visits_just_the_boards_that_the_rules_allow(task: Task) -> None:
    task = task._replace(how=task.how._replace(opening_nodes=10**9))
    found = task.search(1, 10**6)
    oracle = Oracle(*task)
    for favoured in found._sets.tolist():
        oracle.visit(favoured)
    if oracle.nodes >= MOST_NODES:
        return
    *_, last = found.reports()
    assert last.best_score == oracle.best == Board(task.puzzle, last.best_cells).score
    assert last.evaluations <= max(1, oracle.nodes)
    if not oracle.full:  # else worse boards were left out
        assert last.evaluations == max(1, oracle.nodes)


@given(tasks)
def test_every_reported_board_obeys_the_rules(task: Task) -> None:
    score = -1
    for report in task.search(1, 300).reports():
        if report.best_score > score:
            check(task.puzzle, task.how, task.pins, report)
        score = report.best_score


def check(puzzle: Puzzle, how: BacktrackOptions, pins: Sequence[Hint], report: Progress) -> None:
    board = Board(puzzle, report.best_cells)
    assert board.score == report.best_score
    tiles = report.best_cells[report.best_cells != EMPTY] >> 2
    assert len(np.unique(tiles)) == len(tiles)
    for hint in pins:
        assert report.best_cells[hint.row, hint.col] == hint.tile * 4 + hint.rotation
    if not pins:  # pinned tiles may lie as they like
        assert len(board.mismatches) <= allowed(how, puzzle, len(tiles))


def test_no_mismatch_is_on_a_border_colour_and_quotas_hold(eternity2: Puzzle) -> None:
    how = BacktrackOptions(opening_nodes=4_000_000)
    found = search(eternity2, 1, 20_000_000, how)
    seen = 0
    for report in found.reports():
        check(eternity2, how, (), report)
        lying = int((report.best_cells != EMPTY).sum())
        seen = max(seen, lying)
        sides = np.where(report.best_cells == EMPTY, GREY, eternity2.sides[:, report.best_cells % 1024])
        for one, other in ((sides[1, :, :-1], sides[3, :, 1:]), (sides[2, :-1], sides[0, 1:])):
            border = np.isin(one, eternity2.border_colours) | np.isin(other, eternity2.border_colours)
            laid = (one != GREY) & (other != GREY)
            assert (one == other)[border & laid].all()
        shares = [laid_favoured(eternity2, report.best_cells, colours) for colours in found._sets.tolist()]
        assert lying <= 16 or max(shares) >= int(quota(how, eternity2, lying) * 120)
    assert seen > 201


@pytest.mark.parametrize("seed", range(4))
def test_it_solves_small_puzzles(seed: int) -> None:
    puzzle, _ = generate(6, 6, 3, 6, seed)
    *_, last = search(puzzle, seed, 10**9, PLAIN).reports()
    assert Board(puzzle, last.best_cells).verify().solved
    assert last.best_score == puzzle.max_score


def test_a_full_board_is_followed_by_better_ones_only() -> None:
    puzzle, _ = generate(4, 5, 2, 5, 1)
    reports = list(search(puzzle, 2, 10**9, without_quota(0, 0, 0, 0, 0, 0)).reports())
    assert reports[-1].best_score == puzzle.max_score
    full = [report.best_score for report in reports if (report.best_cells != EMPTY).all()]
    assert full == sorted(full)


def test_hopeless_quotas_come_to_an_end() -> None:
    puzzle, _ = generate(5, 5, 3, 4, 1)
    how = BacktrackOptions(quota=((0, 1),), opening=0, favoured_sets=1000)
    reports = list(search(puzzle, 1, 10**9, how).reports())
    assert [report.evaluations for report in reports] == [1]
    assert (reports[0].best_cells == EMPTY).all()
    *_, last = search(puzzle, 1, 10**9).reports()
    assert last.evaluations < 10**9


def test_all_pinned_is_nothing_to_search() -> None:
    puzzle, solution = generate(3, 3, 2, 2, 1)
    pins = [Hint(int(code) >> 2, *divmod(cell, 3), int(code) & 3) for cell, code in enumerate(solution.cells.flat)]
    (report,) = search(puzzle, 1, 100, pins=pins).reports()
    assert (report.evaluations, report.best_score) == (1, puzzle.max_score)


def test_the_node_limit_leads_to_other_openings(eternity2: Puzzle) -> None:
    found = search(eternity2, 1, 20_000, BacktrackOptions(opening_nodes=1000))
    openings = set()
    for _ in found.reports():
        numbers, laid = found.state()["numbers"], found.state()["laid"]
        if numbers[0] > 10:
            openings.add(tuple(laid[:10].tolist()))
    assert len(openings) > 10


def equal(some: Iterator[Progress] | list[Progress], others: Iterator[Progress] | list[Progress]) -> bool:
    return all(
        one._replace(best_cells=None) == other._replace(best_cells=None) and (one.best_cells == other.best_cells).all()
        for one, other in zip(some, others, strict=True)
    )


def test_first_reports_are_of_the_first_nodes_and_the_last_of_the_budget(eternity2: Puzzle) -> None:
    done = [report.evaluations for report in search(eternity2, 1, 12_345).reports()]
    assert done[:12] == [*range(1, 13)]
    assert done[-1] == 12_345
    assert all(after - before <= max(1, before / 10) for before, after in pairwise(done))


def test_the_same_seed_gives_the_same_reports(eternity2: Puzzle) -> None:
    one, same, other = (list(search(eternity2, seed, 50_000).reports()) for seed in (4, 4, 5))
    assert equal(one, same)
    assert not equal(one, other)


@given(tasks, st.lists(st.integers(1, 30), min_size=1, max_size=4))
def test_put_down_and_taken_up_it_goes_on_the_same(task: Task, moments: list[int]) -> None:
    whole = list(task.search(1, 200).reports())
    now = task.search(1, 200)
    together: list[Progress] = []
    for moment in moments:
        together += [report for _, report in zip(range(moment), now.reports(), strict=False)]
        other = task.search(2, 200)
        other.restore(now.state())
        other.rng.bit_generator.state = now.rng.bit_generator.state
        now = other
    assert equal(together + list(now.reports()), whole)


def test_it_is_the_same_however_it_is_cut_up(eternity2: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    how = BacktrackOptions(opening_nodes=7000)
    *_, whole = search(eternity2, 3, 30_000, how).reports()
    monkeypatch.setattr(sys.modules["solvers.construct.backtrack"], "CHUNK", 70)
    *_, pieces = search(eternity2, 3, 30_000, how).reports()
    assert equal([whole], [pieces])


def test_full_boards_are_the_same_however_it_is_cut_up(monkeypatch: pytest.MonkeyPatch) -> None:
    tiles = np.random.default_rng(1).integers(1, 7, (9, 4))  # no frame, and so no border colour
    puzzle, how = Puzzle(3, 3, tiles, strict=False), without_quota(*[0] * 9)
    for seed in range(10):
        with monkeypatch.context() as patch:
            *_, whole = search(puzzle, seed, 3000, how).reports()
            patch.setattr(sys.modules["solvers.construct.backtrack"], "CHUNK", 1)
            *_, pieces = search(puzzle, seed, 3000, how).reports()
        assert (whole.best_cells != EMPTY).all()
        assert equal([whole], [pieces])


def test_a_state_that_cannot_be_is_refused(eternity2: Puzzle) -> None:
    found = search(eternity2, 1, 1000)
    *_, _last = found.reports()
    good = found.state()
    for name, change, message in (
        ("laid", lambda array: array[:-1], "laid is uint16 of shape .256,.; expected uint16 of shape .257,."),
        ("numbers", lambda array: array + 400, "depth or the opening"),
        ("laid", lambda array: array * 0 + 5, "not valid on the board"),
        ("stack", lambda array: array + 10**6, "candidate is out of range"),
        ("stack", lambda array: array - 1, "candidate is out of range"),
    ):
        with pytest.raises(SolverError, match=message):
            found.restore(good | {name: change(good[name])})
    found.restore(good)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("favoured_inner", -1, "favoured_inner: expected 0 or more; found -1"),
        ("favoured_inner", 8, "more than 100,000 sets of 1 border and 8 inner"),
        ("favoured_sets", 0, "favoured_sets: expected 1 or more; found 0"),
        ("opening_nodes", 0, "opening_nodes: expected 1 or more; found 0"),
        ("quota", ((0.5, 0), (0.2, 1)), "quota: expected the parts of the board in ascending order"),
    ],
)
def test_settings_without_sense_are_refused(eternity2: Puzzle, name: str, value: object, message: str) -> None:
    with pytest.raises(SolverError, match=message):
        search(eternity2, 1, 1, BacktrackOptions(**{name: value}))


def test_the_best_board_can_be_completed(eternity2: Puzzle) -> None:
    mandatory = [hint for hint in eternity2.hints if hint.mandatory]
    found = search(eternity2, 1, 100_000, pins=mandatory)
    *_, last = found.reports()
    cells = found.completed(np.random.default_rng(1), width=50)
    laid = last.best_cells != EMPTY
    assert (cells[laid] == last.best_cells[laid]).all()
    report = Board(eternity2, cells).verify()
    assert report.frame
    assert len(np.unique(cells >> 2)) == 256
    assert Board(eternity2, cells).score > last.best_score


def test_any_path_will_do(eternity2: Puzzle) -> None:
    mandatory = [hint for hint in eternity2.hints if hint.mandatory]
    for path in ("spiral_in", "diagonal", "rows_columns"):
        *_, last = search(eternity2, 1, 20_000, RECORD, path, mandatory).reports()
        assert last.best_cells[8, 7] == 138 * 4 + 2
        assert len(Board(eternity2, last.best_cells).mismatches) == 0
