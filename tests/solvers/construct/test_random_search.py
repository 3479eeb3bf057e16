"""Random search, whichever edges count: the best, the mean and the worst of boards that an oracle scores."""

from itertools import product

import numpy as np
import pytest

from operators import random_boards
from puzzles import Board, Puzzle, generate
from solvers import RandomSearch, SolverError
from tests import oracle

SHAPES = [(4, 5), (3, 3), (2, 7), (6, 2)]


@pytest.mark.parametrize(("shape", "edges"), list(product(SHAPES, ("all", "paper"))))
def test_reports_are_those_of_the_boards_that_were_drawn(shape: tuple[int, int], edges: str) -> None:
    puzzle, _ = generate(*shape, 2, 2, 1, style="benoist", hints=2)
    for pins in ((), puzzle.hints):
        drawn = random_boards(np.random.default_rng(5), puzzle, 200, pins)
        boards = [Board(puzzle, cells) for cells in drawn]
        scores = [oracle.counted_score(board, edges) for board in boards]
        before = 0
        for report in RandomSearch(puzzle, np.random.default_rng(5), 200, pins=pins, edges=edges).reports():
            new, so_far = scores[before : report.evaluations], scores[: report.evaluations]
            assert report.best_score == max(so_far)
            assert report.board == boards[so_far.index(max(so_far))]  # the first that has it
            assert report.mean == pytest.approx(np.mean(new))
            assert report.worst == min(new)
            before = report.evaluations
        assert before == 200


def test_the_mean_of_random_boards_is_proportional_to_the_edges_that_count(eternity2: Puzzle) -> None:
    """Each edge matches with the same probability: 19.886 of 480, so 18.643 of 450; the paper prints 18.654."""
    for edges, expected in (("all", 19.886), ("paper", 18.643)):
        reports = list(RandomSearch(eternity2, np.random.default_rng(1), 100_000, edges=edges).reports())
        parts = np.diff([report.evaluations for report in reports], prepend=0)
        mean = sum(report.mean * part for report, part in zip(reports, parts, strict=True)) / 100_000
        assert abs(mean - expected) < 0.05  # its standard error is 0.013


def test_a_search_goes_on_only_where_the_same_edges_count(eternity2: Puzzle) -> None:
    states = {}
    for edges in ("all", "paper"):
        search = RandomSearch(eternity2, np.random.default_rng(2), 3000, edges=edges)
        whole = list(RandomSearch(eternity2, np.random.default_rng(2), 3000, edges=edges).reports())
        loop = search.reports()
        begun = [next(loop) for _ in range(20)]
        states[edges] = search.state()
        again = RandomSearch(eternity2, np.random.default_rng(3), 3000, edges=edges)
        again.restore(states[edges])
        again.rng.bit_generator.state = search.rng.bit_generator.state
        rest = list(again.reports())
        assert len(begun) + len(rest) == len(whole)
        assert rest[-1]._replace(best_cells=whole[-1].best_cells) == whole[-1]
        assert (rest[-1].best_cells == whole[-1].best_cells).all()
    other = RandomSearch(eternity2, np.random.default_rng(3), 3000, edges="paper")
    with pytest.raises(SolverError, match=r"invalid state: the best board scores [0-9]+, not [0-9]+"):
        other.restore(states["all"])
