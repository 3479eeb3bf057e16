"""What every operator keeps: all tiles, pinned cells, exact scores."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import (
    OperatorError,
    exchanged,
    fitness_weights,
    knowledge_boards,
    make_lattice,
    make_population,
    make_scratch,
    make_variation,
    mutate,
    mutated,
    offspring,
    population_of,
    random_boards,
    region_crossover,
    turned,
)
from operators.population import copy_individual
from puzzles import Board, Hint, Puzzle, generate, score_population
from tests.oracle import shown


@st.composite
def puzzles_with_pins(draw: st.DrawFn) -> tuple[Puzzle, list[Hint]]:
    """Solvable puzzles of many shapes, down to 1x2, and hints to pin."""
    rows, cols = draw(
        st.sampled_from([(1, 2), (2, 1), (2, 2), (1, 9), (3, 3), (2, 70), (5, 4), (4, 63), (9, 12), (20, 20)])
    )
    puzzle, _ = generate(rows, cols, 3, 4, draw(st.integers(0, 99)), style="benoist", hints=min(3, rows * cols - 2))
    return puzzle, list(puzzle.hints) if draw(st.booleans()) else []


def _has_every_tile_once(boards: np.ndarray) -> bool:
    flat = boards.reshape(-1, boards.shape[-2] * boards.shape[-1]) // 4
    return bool((np.sort(flat, axis=1) == np.arange(flat.shape[1])).all())


def _has_pins(board: np.ndarray, pins: list[Hint]) -> bool:
    return all(board[pin.row, pin.col] == pin.tile * 4 + pin.rotation for pin in pins)


@given(puzzles_with_pins(), st.integers(0, 2**32))
@settings(max_examples=80)
def test_every_operator_keeps_all_tiles_and_all_pins(case: tuple[Puzzle, list[Hint]], seed: int) -> None:
    puzzle, pins = case
    rng = np.random.default_rng(seed)
    boards = random_boards(rng, puzzle, 4, pins)
    knowing = knowledge_boards(rng, puzzle, 2, pins=pins)
    child = offspring(rng, puzzle, boards[0], boards[1])
    others = [exchanged(rng, puzzle, child, pins=pins), turned(rng, puzzle, child, pins=pins)]
    others += [mutated(rng, puzzle, knowing[0], times, pins=pins) for times in (1, 3, 40)]
    everything = np.concatenate([boards, knowing, [child], others])
    assert _has_every_tile_once(everything)
    assert all(_has_pins(board, pins) for board in everything)


@given(puzzles_with_pins(), st.integers(0, 2**32), st.sampled_from(["normal", "combined"]), st.booleans())
@settings(max_examples=80)
def test_scores_and_places_stay_exact_through_a_life_of_changes(
    case: tuple[Puzzle, list[Hint]], seed: int, fitness: str, choice: bool
) -> None:
    puzzle, pins = case
    rng, lattice, weights = np.random.default_rng(seed), make_lattice(puzzle, pins), fitness_weights(puzzle, fitness)
    variation = make_variation(lattice, random_refill=choice, any_turn=not choice)
    now = population_of(lattice, random_boards(rng, puzzle, 6, pins), weights)
    for _ in range(4):
        then, scratch = make_population(lattice, 6), make_scratch(lattice)
        for child in range(3):
            mother, father = (int(parent) for parent in rng.integers(0, 6, 2))
            region_crossover(rng, lattice, variation, weights, now, mother, now, father, then, child, scratch)
        for child in range(3, 6):
            copy_individual(now, child, then, child)
            mutate(rng, lattice, variation, weights, then, child, int(rng.integers(0, 5)))
        now = then
    boards = now.cells[:, :-1].reshape(-1, *puzzle.shape)
    afresh = population_of(lattice, boards, weights)
    assert (now.objectives == score_population(puzzle.sides, np.ascontiguousarray(boards))).all()
    for mine, theirs in zip(now, afresh, strict=True):
        assert (mine == theirs).all()
    maxima = np.array([puzzle.max_score, puzzle.max_blocks, puzzle.size])
    missing = maxima - now.objectives
    if fitness == "normal":
        assert (now.fitness == missing[:, 0]).all()
    else:
        share = [np.mean([m / top for m, top in zip(row, maxima, strict=True) if top]) for row in missing]
        assert np.allclose(now.fitness / weights[3], share, rtol=0, atol=1e-12)


def test_crossover_takes_the_region_from_the_father_and_the_rest_from_the_mother() -> None:
    puzzle, _ = generate(12, 12, 4, 9, 1)
    rng = np.random.default_rng(1)
    sizes = set()
    for _ in range(300):
        mother, father = random_boards(rng, puzzle, 2)
        child = offspring(rng, puzzle, mother, father)
        same_as_father = child == father
        rows, cols = np.nonzero(same_as_father & (mother != father))
        top, bottom, left, right = rows.min(), rows.max(), cols.min(), cols.max()
        region = np.zeros_like(same_as_father)
        region[top : bottom + 1, left : right + 1] = True
        if not same_as_father[region].all():
            continue  # a refilled hole happens to hold what the father has there: the box is too large to tell
        sizes.add((bottom - top + 1, right - left + 1))
        # Outside, a cell keeps its tile unless the region needed that tile.
        moved = np.isin(mother // 4, father[region] // 4)
        assert (child == mother)[~region & ~moved].all()
        lost = Counter((mother[region] // 4).tolist()) - Counter((father[region] // 4).tolist())
        assert Counter((child[~region & moved] // 4).tolist()) == lost
    assert {height for height, _ in sizes} == {width for _, width in sizes} == set(range(2, 9))


def test_kept_orientation_keeps_it_and_random_orientation_does_not() -> None:
    puzzle, _ = generate(10, 10, 4, 9, 1)
    rng = np.random.default_rng(2)
    changed = {True: 0, False: 0}
    for random_refill in (True, False):
        for _ in range(50):
            mother, father = random_boards(rng, puzzle, 2)
            child = offspring(rng, puzzle, mother, father, random_refill=random_refill).ravel()
            known = set(mother.ravel().tolist()) | set(father.ravel().tolist())
            changed[random_refill] += sum(cell not in known for cell in child.tolist())
    assert changed[False] == 0
    assert changed[True] > 100


def test_exchange_swaps_two_rectangles_of_one_size() -> None:
    puzzle, _ = generate(11, 13, 4, 9, 1)
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(300):
        [board] = random_boards(rng, puzzle, 1)
        after = exchanged(rng, puzzle, board)
        moved = [tuple(int(place[0]) for place in np.nonzero(after == cell)) for cell in board.ravel()]
        steps = Counter()
        for start, end in zip(np.ndindex(board.shape), moved, strict=True):
            if start != end:
                steps[end[0] - start[0], end[1] - start[1]] += 1
        assert len(steps) == 2
        (one, count), (other, count_other) = steps.items()
        assert count == count_other
        assert one == (-other[0], -other[1])
        seen.add(count)
    assert 1 in seen
    assert max(seen) > 20


def test_rotation_turns_a_square_and_its_tiles_with_it() -> None:
    puzzle, _ = generate(11, 13, 4, 9, 1)
    rng = np.random.default_rng(4)
    sizes, turns = set(), set()
    for _ in range(400):
        [board] = random_boards(rng, puzzle, 1)
        after = turned(rng, puzzle, board)
        rows, cols = np.nonzero(after != board)
        top, left, size = rows.min(), cols.min(), rows.max() - rows.min() + 1
        assert cols.max() - left + 1 == size
        before_square, after_square = (Board(puzzle, cells) for cells in (board, after))
        matching = [
            turn
            for turn in (1, 2, 3)
            if all(
                _turned_sides(before_square, top, left, size, row, col, turn)
                == shown(after_square, top + row, left + col)
                for row in range(size)
                for col in range(size)
            )
        ]
        assert matching
        sizes.add(int(size))
        turns.update(matching)
        assert ((after // 4 == board // 4) | (after != board)).all()
    assert sizes == set(range(1, 11))
    assert turns == {1, 2, 3}


def _turned_sides(board: Board, top: int, left: int, size: int, row: int, col: int, turns: int) -> list[int]:
    """What should show at a place of a square after so many clockwise quarter turns: look where it came from."""
    for _ in range(turns):
        row, col = size - 1 - col, row
    sides = shown(board, top + row, left + col) or []
    return sides[-turns:] + sides[:-turns]


def test_bounds_are_clipped_to_the_board_and_nonsense_is_refused() -> None:
    small = make_lattice(generate(2, 2, 4, 1, 1)[0])
    variation = make_variation(small)
    assert (variation.cross_high_rows, variation.exchange_high_cols, variation.turn_high) == (2, 2, 2)
    board = make_lattice(generate(16, 16, 5, 17, 1)[0])
    for sizes, message in (((0, 3), "expected 1 <= least"), ((5, 4), "expected 1 <= least")):
        with pytest.raises(OperatorError, match=message):
            make_variation(board, sizes)
    with pytest.raises(OperatorError, match="no two regions of size 9 fit on a 16x16 board"):
        make_variation(board, mutation_sizes=(9, 10))
    with pytest.raises(OperatorError, match="one cell cannot be varied"):
        make_lattice(Puzzle(1, 1, [[0, 0, 0, 0]]))
    assert make_variation(make_lattice(generate(1, 2, 2, 1, 1, style="benoist")[0])).exchange_high_rows == 1


def test_individuals_are_whole_boards(eternity2: Puzzle, record: Board) -> None:
    lattice, weights = make_lattice(eternity2), fitness_weights(eternity2, "normal")
    twice = np.array(record.cells)
    twice[0, 0] = twice[5, 5]
    with pytest.raises(OperatorError, match="every tile exactly once"):
        population_of(lattice, [twice], weights)
    with pytest.raises(OperatorError, match="complete boards"):
        population_of(lattice, [Board.empty(eternity2).cells], weights)
    with pytest.raises(OperatorError, match="fitness 'x' is not one of"):
        fitness_weights(eternity2, "x")
    population = population_of(lattice, [record.cells], fitness_weights(eternity2, "combined"))
    assert population.objectives[0].tolist() == [470, 207, 239]
    assert population.fitness[0] == 3 * 57_600 - (470 * 120 + 207 * 256 + 239 * 225)
