import sys
from itertools import pairwise

import numpy as np
import pytest

from puzzles import EMPTY, Board, Puzzle, generate, score_population
from solvers import ExhaustiveSearch, RandomSearch, SolverError
from tests import oracle


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (4, 3), (4, 5)])
def test_exhaustive_search_solves_small_puzzles(shape: tuple[int, int]) -> None:
    puzzle, _ = generate(*shape, 4, 5, 1)
    *_, last = ExhaustiveSearch(puzzle, np.random.default_rng(1), 10_000_000).reports()
    assert Board(puzzle, last.best_cells).verify().solved
    assert last.best_score == puzzle.max_score


def test_exhaustive_search_ends_when_all_is_tried() -> None:
    puzzle, _ = generate(3, 3, 3, 3, 1)
    tiles = np.array(puzzle.tiles)
    inner = int(np.flatnonzero((tiles != 0).all(axis=1))[0])
    tiles[inner] = [20, 21, 22, 23]  # fits nowhere: the puzzle has no solution
    hopeless = Puzzle(3, 3, tiles, strict=False)
    reports = list(ExhaustiveSearch(hopeless, np.random.default_rng(1), 10_000_000).reports())
    assert reports[-1].evaluations < 10_000_000
    assert reports[-1].best_score < hopeless.max_score


def test_blanks_stay_blank_unless_refilled(eternity2) -> None:
    pins = [hint for hint in eternity2.hints if hint.mandatory]
    for refill in (True, False):
        *_, last = ExhaustiveSearch(eternity2, np.random.default_rng(1), 2000, pins=pins, refill=refill).reports()
        board = Board(eternity2, last.best_cells)
        assert (last.best_cells == EMPTY).any() != refill
        assert board.score == last.best_score
        assert board.cells[8, 7] == 138 * 4 + 2
        if not refill:
            assert board.mismatches == ()  # only what fits is placed
            assert board.verify().frame


def test_search_is_the_same_however_it_is_cut_up(eternity2, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(ExhaustiveSearch(eternity2, np.random.default_rng(3), 3000).reports())[-1]
    monkeypatch.setattr(sys.modules["solvers.exact.exhaustive"], "CHUNK", 70)
    pieces = list(ExhaustiveSearch(eternity2, np.random.default_rng(3), 3000).reports())
    assert len(pieces) > 30
    assert pieces[-1].best_score == whole.best_score
    assert (pieces[-1].best_cells == whole.best_cells).all()


def test_random_search_reports_the_best_of_so_many(eternity2) -> None:
    reports = list(RandomSearch(eternity2, np.random.default_rng(1), 25_000).reports())
    done = [report.evaluations for report in reports]
    assert done[:12] == [*range(1, 13)]
    assert done[-1] == 25_000
    assert all(after - before <= max(1, before / 10) for before, after in pairwise(done))
    parts = np.diff(done, prepend=0)
    means = np.array([report.mean for report in reports])
    assert abs((means * parts).sum() / 25_000 - 19.886) < 0.1
    assert reports[-1].best_score >= 36
    recount = score_population(eternity2.sides, reports[-1].best_cells[np.newaxis])[0, 0]
    assert recount == reports[-1].best_score
    assert reports[-1].board == Board(eternity2, reports[-1].best_cells)


@pytest.mark.parametrize("refill", [False, True])
@pytest.mark.parametrize("shape", [(4, 5), (5, 4), (3, 6), (6, 4)])
def test_the_best_is_the_best_of_the_edges_that_count(shape: tuple[int, int], refill: bool) -> None:
    puzzle, _ = generate(*shape, 2, 3, 1, style="benoist")
    differ = 0
    for seed in range(12):
        found = {}
        for edges in ("all", "paper"):
            search = ExhaustiveSearch(puzzle, np.random.default_rng(seed), 40, refill=refill, edges=edges)
            reports = list(search.reports())
            first, last = reports[0], reports[-1]
            assert first.mean == first.worst == first.best_score == oracle.counted_score(first.board, edges)
            assert last.best_score == oracle.counted_score(last.board, edges)
            found[edges] = last.board
        # Both visit the same boards, so neither best board beats the other at what the other was chosen for.
        assert oracle.counted_score(found["paper"]) >= oracle.counted_score(found["all"])
        assert found["all"].score >= found["paper"].score
        differ += found["all"] != found["paper"]
    assert differ


def test_a_state_of_a_search_that_counts_other_edges_is_refused(eternity2: Puzzle) -> None:
    searches = {
        edges: ExhaustiveSearch(eternity2, np.random.default_rng(1), 500, edges=edges) for edges in ("all", "paper")
    }
    for one in searches.values():
        list(one.reports())
        one.restore(one.state())
    with pytest.raises(SolverError, match=r"invalid state: the best board scores [0-9]+, not [0-9]+"):
        searches["paper"].restore(searches["all"].state())


def search(name: str, puzzle: Puzzle, seed: int) -> ExhaustiveSearch | RandomSearch:
    rng = np.random.default_rng(seed)
    if name == "RAND":
        return RandomSearch(puzzle, rng, 45_000)
    return ExhaustiveSearch(puzzle, rng, 45_000, pins=[hint for hint in puzzle.hints if hint.mandatory])


@pytest.mark.parametrize("name", ["RAND", "ES"])
def test_a_search_goes_on_from_where_another_stood(name: str, eternity2: Puzzle) -> None:
    whole = list(search(name, eternity2, 5).reports())
    first, second = search(name, eternity2, 5), search(name, eternity2, 6)
    loop = first.reports()
    before = [next(loop) for _ in range(3)]
    second.restore(first.state())
    second.rng.bit_generator.state = first.rng.bit_generator.state
    together = before + list(second.reports())
    assert len(together) == len(whole) > 4
    for one, other in zip(together, whole, strict=True):
        assert one._replace(best_cells=None) == other._replace(best_cells=None)
        assert (one.best_cells == other.best_cells).all()


def test_a_state_that_cannot_be_is_refused(eternity2: Puzzle) -> None:
    es, rand = search("ES", eternity2, 1), search("RAND", eternity2, 1)
    next(es.reports())
    with pytest.raises(SolverError, match="arrays numbers, best_cells; expected tiles"):
        es.restore(rand.state())
    good = es.state()
    for name, change, message in (
        ("tiles", lambda array: array[:-1], "tiles is uint16 of shape .254,.; expected uint16 of shape .255,."),
        ("tiles", lambda array: array * 0, "not those of the puzzle"),
        ("position", lambda array: array + 5000, "out of range"),
        ("numbers", lambda array: array + 400, "out of range"),
        ("cells", lambda array: array * 0 + 5, "not valid on the board"),
    ):
        with pytest.raises(SolverError, match=message):
            es.restore(good | {name: change(good[name])})
    es.restore(good)
