"""Which edges count: on every shape, and wherever a score is computed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import (
    EDGES,
    OperatorError,
    counted_score,
    edge_count,
    fitness_weights,
    make_lattice,
    make_population,
    make_scratch,
    make_variation,
    mutate,
    population_of,
    random_boards,
    region_crossover,
    score_text,
)
from operators.counting import counted_edges
from operators.population import Population, copy_individual
from puzzles import Board, Puzzle, generate
from tests import oracle
from tests.strategies import boards

SHAPES = [(1, 2), (2, 1), (2, 2), (1, 9), (9, 1), (2, 3), (3, 3), (5, 4), (3, 63), (2, 70), (7, 9)]


@given(boards(most=9))
@settings(max_examples=150)
def test_the_score_of_any_board_is_the_oracles(board: Board) -> None:
    assert counted_score(board, "paper") == oracle.counted_score(board)
    assert counted_score(board, "all") == board.score == oracle.counted_score(board, "all")


@given(st.integers(1, 30), st.integers(1, 30))
def test_the_paper_counts_the_edges_right_of_and_below_all_cells_but_the_last(rows: int, cols: int) -> None:
    assert edge_count((rows, cols), "paper") == 2 * (rows - 1) * (cols - 1)
    assert edge_count((rows, cols), "all") == 2 * rows * cols - rows - cols


def test_of_eternity_2_the_paper_counts_450_edges_of_480(eternity2: Puzzle, record: Board) -> None:
    assert [edge_count(eternity2.shape, edges) for edges in EDGES] == [480, 450]
    assert counted_score(record, "all") == record.score == 470
    assert counted_score(record, "paper") == oracle.counted_score(record)
    assert score_text(record, "all") == "470 of 480"
    said = f"{oracle.counted_score(record)} of 450 counted edges (470 of 480 in all)"
    assert score_text(record, "paper") == said


def test_a_solved_board_has_every_edge_that_counts() -> None:
    for shape in SHAPES:
        _, solved = generate(*shape, 3, 4, 1, style="benoist")
        for edges in EDGES:
            assert counted_score(solved, edges) == edge_count(shape, edges), shape


def test_only_the_last_row_and_the_last_column_make_a_difference() -> None:
    beside, below = counted_edges((4, 6), "paper")
    assert (beside.shape, below.shape) == ((4, 5), (3, 6))
    assert beside[:-1].all()
    assert not beside[-1].any()
    assert below[:, :-1].all()
    assert not below[:, -1].any()


def test_edges_that_nobody_knows_are_refused(eternity2: Puzzle, record: Board) -> None:
    for wrong in ("450", "", "ALL", "paper "):
        with pytest.raises(OperatorError, match=rf"^edges '{wrong}' is not one of all, paper$"):
            counted_score(record, wrong)
        with pytest.raises(OperatorError, match="is not one of all, paper"):
            make_lattice(eternity2, edges=wrong)


def _assert_recounted(puzzle: Puzzle, population: Population, weights: np.ndarray, edges: str) -> None:
    """What a population knows of its boards is what the oracle finds on them."""
    for cells, objectives, fitness in zip(population.cells, population.objectives, population.fitness, strict=True):
        board = Board(puzzle, cells[:-1].reshape(puzzle.shape))
        _, blocks, complete = oracle.objectives(board)  # whichever edges count
        expected = [oracle.counted_score(board, edges), blocks, complete]
        assert objectives.tolist() == expected
        assert fitness == weights[3] - np.dot(weights[:3], expected)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("edges", EDGES)
def test_boards_are_evaluated_as_the_oracle_does(shape: tuple[int, int], edges: str) -> None:
    puzzle, solved = generate(*shape, 2, 2, 3, style="benoist")
    lattice, rng = make_lattice(puzzle, edges=edges), np.random.default_rng(1)
    for fitness in ("normal", "combined"):
        weights = fitness_weights(puzzle, fitness)
        found = population_of(lattice, [*random_boards(rng, puzzle, 4), np.array(solved.cells)], weights)
        _assert_recounted(puzzle, found, weights, edges)
        assert found.fitness[4] == found.fitness.min()  # the solved board


@given(st.sampled_from(SHAPES), st.integers(0, 2**32), st.booleans(), st.sampled_from(["normal", "combined"]))
@settings(max_examples=40)
def test_scores_stay_exact_through_crossover_and_mutation(
    shape: tuple[int, int], seed: int, pinned: bool, fitness: str
) -> None:
    puzzle, _ = generate(*shape, 2, 3, seed % 9, style="benoist", hints=min(2, shape[0] * shape[1] - 2))
    pins = puzzle.hints if pinned else ()
    rng, lattice = np.random.default_rng(seed), make_lattice(puzzle, pins, "paper")
    variation, weights = make_variation(lattice), fitness_weights(puzzle, fitness)
    now = population_of(lattice, random_boards(rng, puzzle, 4, pins), weights)
    for _ in range(4):
        then, scratch = make_population(lattice, 4), make_scratch(lattice)
        for child in range(2):
            region_crossover(rng, lattice, variation, weights, now, child, now, child + 1, then, child, scratch)
        for child in range(2, 4):
            copy_individual(now, child, then, child)
            mutate(rng, lattice, variation, weights, then, child, int(rng.integers(0, 4)))
        now = then
    _assert_recounted(puzzle, now, weights, "paper")
