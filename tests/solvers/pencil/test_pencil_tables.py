"""The search in Prolog's manner, and the tables of the paper."""

from itertools import islice

import numpy as np

from puzzles.pencil import Clue, Zebra, check
from puzzles.pencil.zebra import LIFE_1962
from solvers.pencil import TABLES
from solvers.pencil.zebra_search import orderings, trace
from tests.solvers.pencil import brute_force
from tests.solvers.pencil.test_pencil_solving import small


def test_every_order_finds_the_solution_and_some_are_faster() -> None:
    attempts = {}
    for name, clues in orderings(LIFE_1962, "Zebra").items():
        assert sorted(map(str, clues)) == sorted(map(str, LIFE_1962.clues))
        found = trace(LIFE_1962, clues)
        assert check(LIFE_1962, found.solution) is None
        attempts[name] = found.attempts
    assert attempts["connected"] < attempts["heuristics 1 and 2"] < attempts["original"]


def test_the_search_agrees_with_brute_force() -> None:
    rng = np.random.default_rng(1)
    for seed in range(10):
        puzzle = small("zebra", seed)
        clues = [puzzle.clues[k] for k in rng.permutation(len(puzzle.clues))]
        assert trace(puzzle, clues).solution in brute_force.solutions(puzzle)
    false = Zebra(LIFE_1962.attributes, (*LIFE_1962.clues, Clue("at", "Milk", 2)))
    assert trace(false, list(false.clues)).solution is None


def test_tables_have_a_number_for_everything_that_is_small() -> None:
    for name, table in TABLES.items():
        for row in islice(table(20.0), 1):
            ours = [value for heading, value in row.items() if heading not in ("attempts", "paper")]
            assert None not in ours, (name, row)
