"""Regions by brute force: every tile in every cell, and random boards of which a part is missing."""

import numpy as np

from puzzles import EMPTY, Puzzle, generate
from solvers.regions.ground import Ground


def random_puzzle(rng: np.random.Generator) -> Puzzle:
    """A small puzzle with a frame and hints, or any tiles at all."""
    rows, cols = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    if rng.random() < 0.5:
        colours, hints = rng.integers(1, 5, 2).tolist(), int(rng.integers(0, 3))
        return generate(rows, cols, *colours, int(rng.integers(1000)), style="benoist", hints=hints)[0]
    return Puzzle(rows, cols, rng.integers(0, 4, (rows * cols, 4)), (), "loose", strict=False)


def full_board(rng: np.random.Generator, puzzle: Puzzle, ground: Ground) -> np.ndarray:
    """A random board that the ground accepts: with a frame, cells of a kind hold tiles of that kind."""
    board = ground.pins.copy()
    for kind in range(5):
        same = [cell for cell in range(puzzle.size) if bin(ground.walls[cell]).count("1") == kind]
        holes = [cell for cell in same if board[cell] == EMPTY]
        pinned = {int(pin) >> 2 for pin in ground.pins if pin != EMPTY}
        mine = [tile for tile in range(puzzle.size) if tile not in pinned]
        if ground.framed:
            mine = [tile for tile in mine if bin(ground.grey[4 * tile]).count("1") == kind]
        for cell, tile in zip(holes, rng.permutation(mine).tolist(), strict=False):
            turns = [k for k in range(4) if not ground.framed or ground.grey[4 * tile + k] == ground.walls[cell]]
            board[cell] = 4 * tile + int(rng.choice(turns))
    return board


def cost(puzzle: Puzzle, ground: Ground, board: np.ndarray, cells: list[int]) -> int:
    """The unmatched edges of some cells with each other and with the tiles around them."""
    edges = set()
    for cell in cells:
        for side in range(4):
            near = int(ground.near[cell, side])
            if near < puzzle.size and board[near] != EMPTY:
                here, there = puzzle.sides[side, board[cell]], puzzle.sides[(side + 2) % 4, board[near]]
                if here == 0 or here != there:
                    edges.add((min(cell, near), max(cell, near)))
    return len(edges)


def least_mismatches(puzzle: Puzzle, ground: Ground, board: np.ndarray, cells: list[int], tiles: list[int]) -> int:
    """The least cost of all ways to fill empty cells with some of the tiles; 999 if there is none."""
    work, least = board.copy(), 999

    def fill(k: int, left: list[int], paid: int) -> None:
        nonlocal least
        if paid >= least:
            return
        if k == len(cells):
            least = paid
            return
        pin = int(ground.pins[cells[k]])
        for one in [pin] if pin != EMPTY else [4 * tile + turn for tile in left for turn in range(4)]:
            if ground.framed and ground.grey[one] != ground.walls[cells[k]]:
                continue
            work[cells[k]] = one
            fill(k + 1, [tile for tile in left if tile != one >> 2], paid + cost(puzzle, ground, work, [cells[k]]))
            work[cells[k]] = EMPTY

    pinned = set((ground.pins[ground.pins != EMPTY] >> 2).tolist())
    fill(0, [tile for tile in tiles if tile not in pinned], 0)
    return least


def unused(board: np.ndarray, puzzle: Puzzle) -> list[int]:
    """The tiles that are not on a board."""
    return sorted(set(range(puzzle.size)) - set((board[board != EMPTY] >> 2).tolist()))
