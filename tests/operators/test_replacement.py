"""Near copies: whom a child replaces, and which individuals are no near copies of each other, against slow searches."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import Population, fitness_weights, make_lattice, population_of, random_boards
from operators.bits import unequal_cells
from operators.replacement import NOBODY, Replacement, replaced_by, without_copies
from puzzles import generate
from puzzles.compiled import jit

PUZZLE = generate(6, 6, 3, 5, 1)[0]
LATTICE, WEIGHTS = make_lattice(PUZZLE), fitness_weights(PUZZLE, "normal")


@jit
def unequal(one: np.ndarray, other: np.ndarray, at: int) -> int:
    return int(unequal_cells(one, other, at))


def slow(population: Population, parent: int, child: Population, how: Replacement) -> int:
    own, score, fitness = int(child.fitness[0]), int(child.objectives[0, 0]), population.fitness.tolist()
    if how.parent_only:
        return parent if own <= fitness[parent] else NOBODY
    distances = (population.cells != child.cells[0]).sum(axis=1).tolist()
    alike = [k for k in range(len(fitness)) if abs(int(population.objectives[k, 0]) - score) <= how.like]
    near = [k for k in alike if distances[k] < how.apart]
    if near:
        nearest = min(near, key=lambda k: (distances[k], k))
        fitter = own < fitness[nearest] or (own == fitness[nearest] and distances[nearest] > 0)
        return nearest if fitter else NOBODY
    worst = fitness.index(max(fitness))
    return worst if own <= fitness[worst] else NOBODY


@given(
    st.integers(0, 2**32), st.sampled_from([0, 1, 4, 12, 40]), st.sampled_from([0, 2, 60]), st.sampled_from([0, 1, 9])
)
@settings(max_examples=200, deadline=None)
def test_a_child_replaces_whom_a_slow_search_finds(seed: int, apart: int, like: int, parent_only: int) -> None:
    rng = np.random.default_rng(seed)
    boards = np.repeat(random_boards(rng, PUZZLE, 3), 3, axis=0).reshape(9, -1)
    for board in [*boards]:
        places = rng.choice(36, int(rng.integers(0, 9)), replace=False)
        board[places] = board[np.roll(places, 1)]
    child = boards[int(rng.integers(9))].copy()
    places = rng.choice(36, int(rng.integers(0, 4)), replace=False)
    child[places] = child[np.roll(places, 1)]
    population = population_of(LATTICE, boards.reshape(-1, 6, 6), WEIGHTS)
    of_one = population_of(LATTICE, child.reshape(1, 6, 6), WEIGHTS)
    how, parent = Replacement(apart, like, parent_only == 9), int(rng.integers(9))
    assert replaced_by(population, parent, of_one, how) == slow(population, parent, of_one, how)


@given(st.integers(0, 2**32), st.integers(0, 9), st.sampled_from([1, 4, 12, 40]), st.sampled_from([0, 2, 60]))
@settings(max_examples=100, deadline=None)
def test_no_two_of_the_chosen_are_near_copies(seed: int, count: int, apart: int, like: int) -> None:
    rng = np.random.default_rng(seed)
    boards = np.repeat(random_boards(rng, PUZZLE, 3), 3, axis=0).reshape(9, -1)
    for board in [*boards]:
        places = rng.choice(36, int(rng.integers(0, 9)), replace=False)
        board[places] = board[np.roll(places, 1)]
    population, order = population_of(LATTICE, boards.reshape(-1, 6, 6), WEIGHTS), rng.permutation(9)
    scores, expected = population.objectives[:, 0].tolist(), []
    for k in order.tolist():
        near = [int((boards[k] != boards[j]).sum()) < apart and abs(scores[k] - scores[j]) <= like for j in expected]
        if len(expected) < count and not any(near):
            expected.append(k)
    found = without_copies(population.cells, population.objectives, order, count, apart, like)
    assert found.tolist() == expected


def test_sixteen_cells_are_compared_at_any_position() -> None:
    rng = np.random.default_rng(1)
    one = rng.integers(0, 65_536, 50).astype(np.uint16)
    other = np.where(rng.random(50) < 0.5, one, one ^ 256).astype(np.uint16)
    for at in range(35):
        expected = sum(1 << k for k in range(16) if one[at + k] != other[at + k])
        assert unequal(one, other, at) == expected
