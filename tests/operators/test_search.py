"""Boards by search, and holes filled by assignment: against slow searches in plain Python, on boards of any shape."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import OperatorError, make_lattice, make_path, make_population
from operators.holes import is_framed
from operators.initialise import shuffled_tiles
from operators.lattice import Lattice
from operators.refill import fill_holes, make_refill_scratch
from operators.search import fill_by_search, make_search, search_board
from puzzles import EMPTY, Board, Hint, Puzzle, generate, load

SHAPES = [(1, 2), (2, 1), (2, 2), (1, 9), (3, 3), (5, 4), (4, 7), (9, 12)]


def fits(puzzle: Puzzle, lattice: Lattice, cells: np.ndarray, cell: int, code: int, framed: bool) -> bool:
    for side in range(4):
        near, colour = int(lattice.near[cell, side]), puzzle.sides[side, code]
        if near == puzzle.size:
            if framed and colour != 0:
                return False
            continue
        beside = cells[near] != EMPTY
        if (colour == 0 and (framed or beside)) or (beside and colour != puzzle.sides[(side + 2) % 4, cells[near]]):
            return False
    return True


def slow_search(
    rng: np.random.Generator, puzzle: Puzzle, lattice: Lattice, path: list[int], framed: bool, nodes: int
) -> tuple[np.ndarray, list[int]]:
    """Return the cells before holes are filled, and the tiles that are left, by recursion over lists."""
    tiles, route = shuffled_tiles(rng, lattice).tolist(), [cell for cell in path if not lattice.pinned[cell]]
    cells, deepest, laid = np.append(lattice.pins, 4 * puzzle.size).astype(np.uint16), [], []
    spent = 0

    def choices(cell: int) -> list[int]:
        turned = [tile // 4 * 4 + (tile + turn) % 4 for tile in tiles for turn in range(4)]
        used = {code // 4 for code in cells[: puzzle.size].tolist() if code != EMPTY}
        return [code for code in turned if code // 4 not in used and fits(puzzle, lattice, cells, cell, code, framed)]

    def descend() -> bool:
        nonlocal deepest, spent
        if len(laid) > len(deepest):
            deepest = laid.copy()
        if len(laid) == len(route):
            return True
        cell = route[len(laid)]
        for code in choices(cell):
            if spent == nodes:
                return True
            spent += 1
            cells[cell] = code
            laid.append(code)
            if descend():
                return True
            laid.pop()
            cells[cell] = EMPTY
        return spent == nodes

    descend()
    cells[route] = EMPTY
    cells[route[: len(deepest)]] = deepest
    for cell in route[len(deepest) :]:
        cells[cell] = next(iter(choices(cell)), EMPTY)
    used = {code // 4 for code in cells[: puzzle.size].tolist()}
    return cells, [tile for tile in tiles if tile // 4 not in used]


@given(
    st.sampled_from(SHAPES),
    st.integers(0, 2**32),
    st.sampled_from([0, 1, 7, 60]),
    st.sampled_from(["row", "zigzag", "spiral_in", "diagonal"]),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_boards_are_those_of_a_slow_search(
    shape: tuple[int, int], seed: int, nodes: int, path: str, framed: bool, pinned: bool
) -> None:
    puzzle, _ = generate(*shape, 3, 4, seed % 50, style="benoist", hints=min(2, shape[0] * shape[1] - 2))
    pins = list(puzzle.hints) if pinned else []
    lattice, way = make_lattice(puzzle, pins), make_path(path, *shape)
    framed = framed and puzzle.framed
    cells = make_population(lattice, 1).cells[0]
    search_board(np.random.default_rng(seed), lattice, make_search(lattice, way, framed, nodes), cells)
    expected, left = slow_search(np.random.default_rng(seed), puzzle, lattice, way.tolist(), framed, nodes)
    laid = expected != EMPTY
    assert (cells[laid] == expected[laid]).all()
    assert sorted(tile // 4 for tile in left) == sorted((cells[~laid] // 4).tolist())
    assert (np.sort(cells // 4) == np.arange(puzzle.size + 1)).all()
    assert all(cells[pin.row * puzzle.cols + pin.col] == pin.tile * 4 + pin.rotation for pin in pins)
    assert not framed or is_framed(lattice, cells)


@pytest.mark.parametrize("framed", [True, False])
@pytest.mark.parametrize("holes", [[8, 15, 22], [0, 14], [2, 20], [7, 9]])
def test_holes_that_do_not_touch_are_filled_optimally(holes: list[int], framed: bool) -> None:
    puzzle, _ = generate(5, 6, 3, 4, 2)
    lattice, rng = make_lattice(puzzle), np.random.default_rng(3)
    cells = make_population(lattice, 1).cells[0]
    search_board(rng, lattice, make_search(lattice, make_path("row", 5, 6), True, 0), cells)
    tiles, best = cells[holes].copy(), 0
    for order in itertools.permutations(tiles.tolist()):
        for turns in itertools.product(range(4), repeat=len(holes)):
            cells[holes] = [tile // 4 * 4 + turn for tile, turn in zip(order, turns, strict=True)]
            if not framed or is_framed(lattice, cells):
                best = max(best, Board(puzzle, cells[:-1].reshape(5, 6)).score)
    cells[holes] = EMPTY
    fill_holes(rng, lattice, framed, cells, tiles.copy(), len(holes), make_refill_scratch(lattice))
    assert sorted(cells[holes] // 4) == sorted(tiles // 4)
    assert not framed or is_framed(lattice, cells)
    assert Board(puzzle, cells[:-1].reshape(5, 6)).score == best


def test_holes_without_number_are_filled_in_parts_and_where_the_frame_cannot_be_kept() -> None:
    puzzle = load("eternity2")
    lattice, rng = make_lattice(puzzle), np.random.default_rng(1)
    scratch, whole = make_refill_scratch(lattice), np.arange(puzzle.size, dtype=np.uint16) * 4
    cells = np.append(np.full(puzzle.size, EMPTY), 4 * puzzle.size).astype(np.uint16)
    fill_holes(rng, lattice, True, cells, whole.copy(), puzzle.size, scratch)
    assert (np.sort(cells[:-1] // 4) == np.arange(puzzle.size)).all()
    assert is_framed(lattice, cells)
    inner = next(cell for cell in range(puzzle.size) if (lattice.near[cell] < puzzle.size).all())
    border = int(cells[0])
    cells[:-1] = EMPTY
    cells[inner] = border  # a corner inside: one hole in the corners is left without a corner tile
    rest = whole[whole // 4 != border // 4]
    fill_holes(rng, lattice, True, cells, rest, len(rest), scratch)
    assert (np.sort(cells[:-1] // 4) == np.arange(puzzle.size)).all()


def test_more_nodes_make_better_boards_of_eternity_ii() -> None:
    puzzle = load("eternity2")
    lattice, means = make_lattice(puzzle), []
    for nodes in (0, 1_000, 10_000):
        cells = make_population(lattice, 40).cells
        search = make_search(lattice, make_path("row", 16, 16), True, nodes)
        fill_by_search(np.random.default_rng(1), lattice, search, cells)
        means.append(np.mean([Board(puzzle, row[:-1].reshape(16, 16)).score for row in cells]))
    assert means[0] > 375
    assert means[1] > means[0] + 20
    assert 417 < means[2] < 424
    with pytest.raises(OperatorError, match="nodes of a search: expected 0 or more; found -1"):
        make_search(lattice, make_path("row", 16, 16), True, -1)


def test_pinned_hints_may_fill_the_board() -> None:
    puzzle, solution = generate(2, 2, 3, 4, 1, style="benoist")
    pins = [Hint(int(code) // 4, row, col, int(code) % 4) for (row, col), code in np.ndenumerate(solution.cells)]
    lattice = make_lattice(puzzle, pins)
    cells = make_population(lattice, 1).cells[0]
    search_board(np.random.default_rng(1), lattice, make_search(lattice, make_path("row", 2, 2), True, 9), cells)
    assert (cells[:-1] == solution.cells.ravel()).all()
