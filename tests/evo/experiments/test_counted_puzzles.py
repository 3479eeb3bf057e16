"""Puzzles with a proved number of solutions."""

import pytest

import evo
from evo.errors import ConfigError
from evo.experiments import counted_puzzles
from evo.experiments.counted_puzzles import generate_counted


@pytest.mark.parametrize(("shape", "solutions", "style"), [((4, 4), 1, "eternity"), ((4, 5), 2, "benoist")])
def test_the_puzzle_has_the_number_of_solutions(shape: tuple[int, int], solutions: int, style: str) -> None:
    puzzle, solution = generate_counted(*shape, 4, 4, 7, solutions=solutions, style=style)
    result = evo.enumerate(puzzle, engine="backtracker").result()
    assert (result.up_to_rotation, result.proved) == (solutions, True)
    assert solution.verify().solved
    assert generate_counted(*shape, 4, 4, 7, solutions=solutions, style=style)[0] == puzzle


def test_hints_count() -> None:
    puzzle, _ = generate_counted(4, 4, 2, 3, 1, style="benoist", hints=2)
    assert evo.enumerate(puzzle, hints="all").result().solutions == 1


def test_a_number_that_is_not_found_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_puzzles, "ATTEMPTS", 2)
    with pytest.raises(ConfigError, match="none of 2 puzzles was proved to have 1000003 solutions"):
        generate_counted(3, 3, 3, 3, 1, solutions=1_000_003)
    with pytest.raises(ConfigError, match="solutions: expected 1 or more; found 0"):
        generate_counted(3, 3, 3, 3, 1, solutions=0)


def test_puzzles_that_are_too_hard_to_count_are_told_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_puzzles, "_NODES", 100)
    monkeypatch.setattr(counted_puzzles, "_GIVEN_UP", 3)
    with pytest.raises(ConfigError, match="3 puzzles were given up, each after 100 nodes"):
        generate_counted(6, 6, 4, 6, 1)
