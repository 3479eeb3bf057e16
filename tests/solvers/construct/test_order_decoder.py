"""Decoders of orders against a slow search that anyone can follow."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from operators import PATHS, make_path
from puzzles import EMPTY, Board, Hint, Puzzle, generate
from puzzles.tiles import kind_counts, needed_kinds
from solvers.construct.beam import Beam, BeamOptions
from solvers.construct.order_decoder import OrderDecoder
from tests.oracle import shown
from tests.strategies import framed_puzzles, loose_puzzles

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class SlowDecoder:
    """The same search with loops over all tiles and rotations, and colours read from the tiles."""

    def __init__(self, puzzle: Puzzle, nodes: int, path: str, pins: tuple[Hint, ...], order: list[int]) -> None:
        self.puzzle, self.nodes = puzzle, nodes
        self.cells = np.full(puzzle.shape, EMPTY, dtype=np.uint16)
        for pin in pins:
            self.cells[pin.row, pin.col] = pin.tile * 4 + pin.rotation
        self.path = [divmod(int(cell), puzzle.cols) for cell in make_path(path, *puzzle.shape)]
        self.path = [cell for cell in self.path if self.cells[cell] == EMPTY]
        self.order = [tile for tile in order if tile not in {pin.tile for pin in pins}]
        self.framed = kind_counts(puzzle.tiles) == needed_kinds(*puzzle.shape) and all(
            self.respects_frame(pin.row, pin.col, pin.tile * 4 + pin.rotation) for pin in pins
        )

    def colours(self, cell: int) -> list[int]:
        return shown(Board(self.puzzle, np.full(self.puzzle.shape, cell)), 0, 0)

    def matches(self, row: int, col: int, cell: int) -> list[bool]:
        """Whether a tile matches, for each neighbour that is there."""
        here, found = self.colours(cell), []
        for side, (down, right) in enumerate(STEPS):
            r, c = row + down, col + right
            if 0 <= r < self.puzzle.rows and 0 <= c < self.puzzle.cols and self.cells[r, c] != EMPTY:
                there = self.colours(int(self.cells[r, c]))[(side + 2) % 4]
                found.append(here[side] == there != 0)
        return found

    def respects_frame(self, row: int, col: int, cell: int) -> bool:
        rim = [row == 0, col == self.puzzle.cols - 1, row == self.puzzle.rows - 1, col == 0]
        return [colour == 0 for colour in self.colours(cell)] == rim

    def candidates(self, row: int, col: int) -> list[int]:
        used = {int(cell) // 4 for cell in self.cells.ravel() if cell != EMPTY}
        turned = [4 * tile + turn for tile in self.order if tile not in used for turn in range(4)]
        return [
            cell
            for cell in turned
            if all(self.matches(row, col, cell)) and (not self.framed or self.respects_frame(row, col, cell))
        ]

    def descend(self, depth: int) -> bool:
        """Search from a depth on; return whether the search is over."""
        if depth > self.deepest:
            self.deepest, self.best = depth, self.cells.copy()
        if self.placed == self.nodes or depth == len(self.path):
            return True
        for cell in self.candidates(*self.path[depth]):
            self.cells[self.path[depth]] = cell
            self.placed += 1
            if self.descend(depth + 1):
                return True
            self.cells[self.path[depth]] = EMPTY
        return False

    def without_holes_filled(self) -> np.ndarray:
        self.placed, self.deepest, self.best = 0, 0, self.cells.copy()
        if self.nodes:
            self.descend(0)
        self.cells = self.best.copy()
        for row, col in self.path:
            if self.cells[row, col] == EMPTY:
                found = self.candidates(row, col)
                self.cells[row, col] = found[0] if found else EMPTY
        return self.cells

    def most_in_holes(self) -> int:
        """The most edges between tiles that are left and tiles that are there."""
        used = {int(cell) // 4 for cell in self.cells.ravel() if cell != EMPTY}
        tiles = [tile for tile in self.order if tile not in used]
        holes = np.argwhere(self.cells == EMPTY).tolist()
        value = np.zeros((len(holes), len(tiles)))
        for h, (row, col) in enumerate(holes):
            for t, tile in enumerate(tiles):
                turns = [4 * tile + turn for turn in range(4)]
                turns = [cell for cell in turns if not self.framed or self.respects_frame(row, col, cell)]
                value[h, t] = max((sum(self.matches(row, col, cell)) for cell in turns), default=-100)
        return int(value[linear_sum_assignment(value, maximize=True)].sum())


def assert_decoded_as_slowly(puzzle: Puzzle, nodes: int, path: str, pins: tuple[Hint, ...], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(puzzle.size).astype(np.uint16)
    decoder, cells = OrderDecoder(puzzle, nodes, path=path, pins=pins), np.zeros(puzzle.size + 1, dtype=np.uint16)
    OrderDecoder(puzzle, nodes, path=path, pins=pins)(order[::-1].copy(), cells)
    decoder(order[::-1].copy(), cells)  # nothing stays from one order to the next
    cells[-1] = 4 * puzzle.size
    decoder(order, cells)
    board = cells[:-1].reshape(puzzle.shape)
    slow = SlowDecoder(puzzle, nodes, path, pins, order.tolist())
    partial = slow.without_holes_filled()
    assert (board[partial != EMPTY] == partial[partial != EMPTY]).all()
    assert sorted(board.ravel() // 4) == list(range(puzzle.size))
    holes = np.argwhere(partial == EMPTY).tolist()
    assert sum(sum(slow.matches(row, col, int(board[row, col]))) for row, col in holes) == slow.most_in_holes()
    if slow.framed:
        assert all(slow.respects_frame(row, col, int(board[row, col])) for row, col in np.ndindex(puzzle.shape))


@settings(max_examples=30, deadline=None)
@given(framed_puzzles(5), st.sampled_from([0, 1, 7, 40]), st.sampled_from(sorted(PATHS)), st.booleans(), st.integers(0))
def test_boards_of_framed_puzzles_are_those_of_a_slow_search(
    made: tuple[Puzzle, Board], nodes: int, path: str, pinned: bool, seed: int
) -> None:
    if made[0].size > 1:
        assert_decoded_as_slowly(made[0], nodes, path, made[0].hints if pinned else (), seed)


@settings(max_examples=30, deadline=None)
@given(loose_puzzles(5), st.sampled_from([0, 1, 7, 40]), st.sampled_from(sorted(PATHS)), st.booleans(), st.integers(0))
def test_boards_of_any_tiles_are_those_of_a_slow_search(
    puzzle: Puzzle, nodes: int, path: str, pinned: bool, seed: int
) -> None:
    if puzzle.size > 1:
        assert_decoded_as_slowly(puzzle, nodes, path, puzzle.hints if pinned else (), seed)


def test_many_holes_are_filled_in_several_parts() -> None:
    puzzle, _ = generate(24, 26, 20, 20, 3)
    cells = np.zeros(puzzle.size + 1, dtype=np.uint16)
    OrderDecoder(puzzle, 0)(np.arange(puzzle.size, dtype=np.uint16), cells)
    assert sorted(cells[:-1] // 4) == list(range(puzzle.size))


def test_a_search_of_many_nodes_solves_a_small_board_whatever_the_order() -> None:
    puzzle, _ = generate(4, 4, 3, 4, 1)
    cells = np.zeros(puzzle.size + 1, dtype=np.uint16)
    for seed in range(5):
        OrderDecoder(puzzle, 10**6)(np.random.default_rng(seed).permutation(16).astype(np.uint16), cells)
        assert Board(puzzle, cells[:-1].reshape(4, 4)).score == puzzle.max_score


@pytest.mark.parametrize("width", [1, 8])
def test_a_beam_with_ranks_draws_nothing_and_depends_on_them(width: int) -> None:
    puzzle, _ = generate(6, 6, 3, 6, 1)
    beam, rng = Beam(puzzle, options=BeamOptions(width=width, concentration=0.0)), np.random.default_rng(1)
    ranks = np.random.default_rng(2).random((6, puzzle.size))
    boards = [beam.construct(rng, ranks=one).cells.tobytes() for one in ranks]
    assert rng.random() == np.random.default_rng(1).random()
    assert len(set(boards)) > 1
    assert beam.construct(rng, ranks=ranks[0]).cells.tobytes() == boards[0]
