"""Regions that are rebuilt: against a slow beam in plain Python with the same draws, and on boards of any shape."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import OperatorError, knowledge_boards, make_lattice, random_boards
from operators.holes import is_framed
from operators.lattice import Lattice
from operators.rebuild import Rebuild, make_rebuild, rebuild, refill
from operators.rebuild_region import OUTSIDE, choose_region
from puzzles import Board, Hint, Puzzle, generate

Draw = Any
"""A function that returns an integer below a limit, from the same numbers as the compiled code."""


def walled(board: np.ndarray, size: int) -> np.ndarray:
    return np.append(board.ravel(), 4 * size).astype(np.uint16)


def unmatched(puzzle: Puzzle, cells: np.ndarray, lattice: Lattice, cell: int, side: int) -> bool:
    """Whether an inner edge of a cell does not match; an empty neighbour's does."""
    near = int(lattice.near[cell, side])
    if near == puzzle.size or cells[near] == 65535:
        return False
    here, there = puzzle.sides[side, cells[cell]], puzzle.sides[(side + 2) % 4, cells[near]]
    return bool(here != there or here == 0)


def slow_region(rng: np.random.Generator, puzzle: Puzzle, lattice: Lattice, cells: np.ndarray, how: Rebuild) -> list:
    """Choose a region as the compiled code does, with lists and sets."""

    def below(limit: int) -> int:
        return int(rng.random() * limit)

    def misfit(cell: int) -> int:
        return sum(unmatched(puzzle, cells, lattice, cell, side) for side in range(4))

    rows, cols = puzzle.shape
    misfits = [cell for cell in range(puzzle.size) if misfit(cell) and not lattice.pinned[cell]]
    cell = misfits[below(len(misfits))] if misfits else below(puzzle.size)
    size = how.regions.least + below(how.regions.most - how.regions.least + 1)
    if rng.random() < how.regions.rectangles:
        width = min(2 + below(9), cols, size)
        height = min(size // width, rows)
        top = min(max(cell // cols - below(height), 0), rows - height)
        left = min(max(cell % cols - below(width), 0), cols - width)
        matrix = np.arange(puzzle.size).reshape(rows, cols)[top : top + height, left : left + width]
        order = matrix.ravel() if below(2) == 0 else matrix.T.ravel()
        return [one for one in order.tolist() if not lattice.pinned[one]]
    rim, blob = [cell], []
    while rim and len(blob) < size:
        k, other = below(len(rim)), below(len(rim))
        k = other if misfit(rim[other]) > misfit(rim[k]) else k
        rim[k], rim[-1] = rim[-1], rim[k]
        grown = rim.pop()
        if grown not in blob and not lattice.pinned[grown]:
            blob.append(grown)
            rim += [near for near in lattice.near[grown].tolist() if near < puzzle.size and near not in blob]
    for k in range(len(blob)):
        filled = [sum(near not in blob[k:] for near in lattice.near[one].tolist()) for one in blob[k:]]
        best, ties = 0, 0
        for at, count in enumerate(filled):
            if count > filled[best]:
                best, ties = at, 1
            elif count == filled[best]:
                ties += 1
                if at and below(ties) == 0:
                    best = at
        blob[k], blob[k + best] = blob[k + best], blob[k]
    return blob


def slow_refill(
    rng: np.random.Generator, puzzle: Puzzle, lattice: Lattice, cells: np.ndarray, region: list[int], width: int
) -> tuple[np.ndarray, int]:
    """Fill a region again by a beam whose states are whole boards with their mismatches."""
    framed, tiles = is_framed(lattice, cells), [int(cells[cell]) for cell in region]
    bare = cells.copy()
    bare[region] = 65535
    states: list[tuple[np.ndarray, frozenset, int]] = [(bare, frozenset(), 0)]
    for cell in region:
        children = []
        for board, used, misses in states:
            for turn in range(4):
                for number, tile in enumerate(tiles):
                    child = board.copy()
                    child[cell] = tile // 4 * 4 + (tile + turn) % 4
                    walls = lattice.near[cell] == puzzle.size
                    if number in used or (framed and ((puzzle.sides[:, child[cell]] == 0) != walls).any()):
                        continue
                    more = sum(unmatched(puzzle, child, lattice, cell, side) for side in range(4))
                    children.append((child, used | {number}, misses + more))
        states = []
        for misses in sorted({child[2] for child in children}):
            alike = [child for child in children if child[2] == misses]
            if len(alike) <= width - len(states):
                states += alike
                continue
            while len(states) < width:
                states.append(alike.pop(int(rng.random() * len(alike))))
            break
    best = [state for state in states if state[2] == states[0][2]]
    chosen = 0
    for ties in range(2, len(best) + 1):
        if int(rng.random() * ties) == 0:
            chosen = ties - 1
    return best[chosen][0], best[chosen][2]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Puzzle, list[Hint], np.ndarray]:
    rows, cols = draw(st.sampled_from([(1, 2), (2, 1), (2, 2), (1, 9), (3, 3), (5, 4), (4, 7), (6, 7)]))
    puzzle, solution = generate(
        rows, cols, 3, 4, draw(st.integers(0, 99)), style="benoist", hints=min(2, rows * cols - 2)
    )
    pins = list(puzzle.hints) if draw(st.booleans()) else []
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    boards = random_boards if draw(st.booleans()) else knowledge_boards
    board = solution.cells if draw(st.integers(0, 9)) == 0 else boards(rng, puzzle, 1, pins=pins)[0]
    return puzzle, pins, walled(board, puzzle.size)


@given(cases(), st.integers(0, 2**32), st.sampled_from([1, 3, 10]), st.sampled_from([0.0, 0.5, 1.0]))
@settings(max_examples=60, deadline=None)
def test_regions_are_rebuilt_as_by_a_slow_beam(
    case: tuple[Puzzle, list[Hint], np.ndarray], seed: int, width: int, rectangles: float
) -> None:
    puzzle, pins, cells = case
    lattice = make_lattice(puzzle, pins)
    how = make_rebuild(lattice, (2, min(9, puzzle.size)), width, rectangles)
    one, other = np.random.default_rng(seed), np.random.default_rng(seed)
    for _ in range(3):
        before, framed = cells.copy(), is_framed(lattice, cells)
        region = slow_region(one, puzzle, lattice, cells, how)
        expected = slow_refill(one, puzzle, lattice, cells, region, width)[0] if len(region) > 1 else cells.copy()
        rebuild(other, lattice, cells, how)
        assert (cells == expected).all()
        assert (np.sort(cells // 4) == np.arange(puzzle.size + 1)).all()
        assert all(cells[pin.row * puzzle.cols + pin.col] == before[pin.row * puzzle.cols + pin.col] for pin in pins)
        assert not framed or is_framed(lattice, cells)
        assert (how.regions.place == OUTSIDE).all()
    assert one.random() == other.random()


def test_the_mismatches_of_a_refilled_region_are_counted_exactly() -> None:
    puzzle, _ = generate(9, 12, 4, 9, 1)
    rng, lattice = np.random.default_rng(1), make_lattice(puzzle)
    cells = walled(knowledge_boards(rng, puzzle, 1)[0], puzzle.size)
    how = make_rebuild(lattice, (2, 64), 10, 0.5)
    for _ in range(200):
        count = choose_region(rng, lattice, cells, how.regions)
        region = how.regions.chosen[:count].tolist()
        found = refill(rng, lattice, cells, count, how)
        how.regions.place[:] = OUTSIDE
        edges = {
            frozenset((cell, near)): unmatched(puzzle, cells, lattice, cell, side)
            for cell in region
            for side, near in enumerate(lattice.near[cell].tolist())
        }
        assert found == sum(edges.values())


def test_rebuilding_improves_a_region_and_leaves_other_cells_alone() -> None:
    puzzle, _ = generate(10, 10, 4, 9, 1)
    rng, lattice = np.random.default_rng(1), make_lattice(puzzle)
    how, gains = make_rebuild(lattice, (12, 20), 30, 0.5), []
    for _ in range(100):
        cells = walled(random_boards(rng, puzzle, 1)[0], puzzle.size)
        before = cells.copy()
        rebuild(rng, lattice, cells, how)
        assert (cells != before).sum() <= 20
        gains.append(Board(puzzle, cells[:-1].reshape(10, 10)).score - Board(puzzle, before[:-1].reshape(10, 10)).score)
    assert np.mean(gains) > 10


@pytest.mark.parametrize(
    ("sizes", "width", "message"),
    [
        ((5, 3), 4, r"regions of 5 to 3 cells: expected 2 <= least <= greatest <= the 12 cells of a 3x4 board"),
        ((2, 13), 4, r"regions of 2 to 13 cells: expected .* the 12 cells of a 3x4 board"),
        ((1, 3), 4, "regions of 1 to 3 cells"),
        ((2, 3), 0, "width of a beam: expected 1 or more; found 0"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(sizes: tuple[int, int], width: int, message: str) -> None:
    with pytest.raises(OperatorError, match=message):
        make_rebuild(make_lattice(generate(3, 4, 3, 4, 1)[0]), sizes, width, 0.5)
