"""The portfolio: which engine it gives how many nodes, and that both sides of the change find the same boards."""

from typing import TypeVar

import numpy as np
import pytest

from puzzles import Hint, Puzzle, generate
from solvers import Backtracker, EdgeFiltering, Enumerator, Portfolio
from solvers.exact.portfolio import LONG, SHORT, backtracker_nodes
from solvers.exact.symmetry import corner_hint

PLENTY = 10**12
Search = TypeVar("Search", bound=Enumerator | Portfolio)


def finished(search: Search) -> Search:
    for _ in search.reports():
        pass
    return search


def poor_frame(seed: int) -> Puzzle:
    """A puzzle whose frame has two colours of its own, and six colours inside."""
    return generate(5, 5, 2, 6, seed)[0]


def rich_frame(seed: int) -> Puzzle:
    return generate(5, 5, 5, 5, seed, style="benoist")[0]


@pytest.mark.parametrize(
    ("side", "colours", "style", "nodes"),
    [
        (8, (4, 8), "eternity", LONG),
        (8, (5, 8), "eternity", SHORT),
        (8, (8, 8), "benoist", SHORT),
        (10, (4, 10), "eternity", SHORT),  # about 10^19 nodes are expected
    ],
)
def test_a_frame_of_few_colours_gives_the_backtracker_its_time(
    side: int, colours: tuple[int, int], style: str, nodes: int
) -> None:
    puzzle = generate(side, side, *colours, 101, style=style)[0]
    assert backtracker_nodes(puzzle, ()) == nodes
    assert backtracker_nodes(puzzle, [corner_hint(puzzle)]) == nodes


@pytest.mark.filterwarnings("error")
def test_pins_that_cannot_be_and_boards_without_a_frame_are_no_case_for_an_estimate() -> None:
    puzzle = poor_frame(1)
    corner = corner_hint(puzzle)
    assert backtracker_nodes(puzzle, [corner]) == LONG
    for pins in ([Hint(corner.tile, 2, 2, 0)], [Hint(corner.tile, 0, 0, corner.rotation ^ 2)]):
        assert backtracker_nodes(puzzle, pins) == SHORT
        assert finished(Portfolio(puzzle, np.random.default_rng(1), PLENTY, pins=pins)).tally()[:3] == (0, 0, True)
    assert backtracker_nodes(Puzzle(2, 2, np.ones((4, 4), dtype=int), strict=False), ()) == SHORT
    assert backtracker_nodes(generate(1, 5, 4, 4, 1, style="benoist")[0], ()) == SHORT


def test_the_nodes_are_those_of_the_engines() -> None:
    for puzzle, short in ((poor_frame(1), 0), (rich_frame(1), 0), (rich_frame(1), 50)):
        row = finished(Backtracker(puzzle, np.random.default_rng(1), PLENTY))
        filtering = finished(EdgeFiltering(puzzle, np.random.default_rng(1), PLENTY))
        found = finished(Portfolio(puzzle, np.random.default_rng(1), PLENTY, short=short))
        assert found.tally().proved
        assert found.tally().solutions == row.tally().solutions > 0
        if short:
            assert row.tally().nodes > short
            assert found.tally().nodes > short
        else:
            assert found.tally().nodes == row.tally().nodes
        expected = filtering if short else row
        assert {c.tobytes() for c in found.solutions()} == {c.tobytes() for c in expected.solutions()}


def test_a_portfolio_put_down_on_either_side_of_the_change_finds_the_same() -> None:
    puzzle, short = rich_frame(2), 60
    whole = finished(Portfolio(puzzle, np.random.default_rng(1), PLENTY, short=short))
    assert whole.tally().nodes > short + 5
    for budget in (1, 30, short - 1, short + 1, short + 5):
        first = finished(Portfolio(puzzle, np.random.default_rng(1), budget, short=short))
        second = Portfolio(puzzle, np.random.default_rng(1), PLENTY, short=short)
        second.restore(first.state())
        assert finished(second).tally() == whole.tally()
        assert [c.tolist() for c in second.solutions()] == [c.tolist() for c in whole.solutions()]
