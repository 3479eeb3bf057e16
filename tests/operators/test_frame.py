"""Region exchange and rotation, anywhere or around a cell, with or without a frame to keep: against a slow oracle."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import (
    fitness_weights,
    knowledge_boards,
    make_lattice,
    make_population,
    make_scratch,
    make_variation,
    population_of,
    random_boards,
    region_crossover,
)
from operators.directed import directed_exchange, directed_rotation
from operators.holes import is_framed
from operators.lattice import Lattice
from operators.mutation import region_exchange, region_rotation
from operators.variation import Variation
from puzzles import Hint, Puzzle, generate

SHAPES = [(1, 2), (2, 1), (2, 2), (1, 9), (3, 3), (4, 4), (5, 4), (4, 7)]


@st.composite
def cases(draw: st.DrawFn) -> tuple[Puzzle, list[Hint], np.ndarray]:
    """A puzzle, pins, and a board with or without a valid frame."""
    rows, cols = draw(st.sampled_from(SHAPES))
    puzzle, solution = generate(
        rows, cols, 3, 4, draw(st.integers(0, 99)), style="benoist", hints=min(2, rows * cols - 2)
    )
    pins = list(puzzle.hints) if draw(st.booleans()) else []
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["random", "knowledge", "solution"]))
    boards = random_boards if kind == "random" else knowledge_boards
    board = solution.cells if kind == "solution" else boards(rng, puzzle, 1, pins=pins)[0]
    return puzzle, pins, np.append(board.ravel(), 4 * puzzle.size).astype(np.uint16)


def walls(puzzle: Puzzle, lattice: Lattice, cell: int) -> set[int]:
    return {side for side in range(4) if lattice.near[cell, side] == puzzle.size}


def frame_is_valid(puzzle: Puzzle, lattice: Lattice, cells: np.ndarray) -> bool:
    return all(
        {side for side in range(4) if puzzle.sides[side, cells[cell]] == 0} == walls(puzzle, lattice, cell)
        for cell in range(puzzle.size)
    )


def misfits(puzzle: Puzzle, lattice: Lattice, cells: np.ndarray) -> list[int]:
    """The cells that are not pinned and have an inner edge that does not match."""
    found = []
    for cell in range(puzzle.size):
        colours = [
            (puzzle.sides[side, cells[cell]], puzzle.sides[(side + 2) % 4, cells[near]])
            for side, near in enumerate(lattice.near[cell].tolist())
            if near < puzzle.size
        ]
        if not lattice.pinned[cell] and any(here != there or here == 0 for here, there in colours):
            found.append(cell)
    return found


def turned(held: int, turns: int) -> int:
    return int(held) // 4 * 4 + (int(held) + turns) % 4


class Slow:
    """The mutations as one would explain them; they draw the numbers that the compiled ones draw."""

    def __init__(self, rng: np.random.Generator, puzzle: Puzzle, lattice: Lattice, variation: Variation) -> None:
        self.rng, self.puzzle, self.lattice, self.variation = rng, puzzle, lattice, variation

    def below(self, limit: int) -> int:
        return int(self.rng.random() * limit)

    def misfit(self, cells: np.ndarray) -> int:
        found = misfits(self.puzzle, self.lattice, cells)
        return found[self.below(len(found))] if found else self.below(self.puzzle.size)

    def corner(self, height: int, width: int, cell: int | None) -> tuple[int, int]:
        corner = []
        for place, size, length in zip((0, 1), (height, width), self.puzzle.shape, strict=True):
            if cell is None:
                corner.append(self.below(length - size + 1))
            else:
                at = divmod(cell, self.puzzle.cols)[place]
                corner.append(min(max(at - self.below(size), 0), length - size))
        return corner[0], corner[1]

    def exchange(self, cells: np.ndarray, cell: int | None) -> np.ndarray:
        v, (rows, cols) = self.variation, self.puzzle.shape
        bounds = [(v.exchange_low_rows, v.exchange_high_rows), (v.exchange_low_cols, v.exchange_high_cols)]
        height, width = (low + self.below(high - low + 1) for low, high in bounds)
        while v.size_first and 2 * height > rows and 2 * width > cols:
            height, width = (low + self.below(high - low + 1) for low, high in bounds)
        while True:
            one, other = self.corner(height, width, cell), self.corner(height, width, None)
            if abs(one[0] - other[0]) >= height or abs(one[1] - other[1]) >= width:
                break
            if not v.size_first:
                height, width = (low + self.below(high - low + 1) for low, high in bounds)
        framed, after = v.keep_frame and frame_is_valid(self.puzzle, self.lattice, cells), cells.copy()
        for row in range(height):
            for col in range(width):
                here = (one[0] + row) * cols + one[1] + col
                there = (other[0] + row) * cols + other[1] + col
                if self.lattice.pinned[here] or self.lattice.pinned[there]:
                    continue
                ours, theirs = (walls(self.puzzle, self.lattice, each) for each in (here, there))
                turns = [k for k in range(4) if {(side + k) % 4 for side in ours} == theirs] if framed else [0]
                if turns:
                    after[there], after[here] = turned(cells[here], turns[0]), turned(cells[there], -turns[0])
        return after

    def rotation(self, cells: np.ndarray, cell: int | None) -> np.ndarray:
        v = self.variation
        size = v.turn_low + self.below(v.turn_high - v.turn_low + 1)
        top, left = self.corner(size, size, cell)
        turns = 1 + self.below(3) if v.any_turn else 1
        framed, after = v.keep_frame and frame_is_valid(self.puzzle, self.lattice, cells), cells.copy()

        def after_turns(row: int, col: int, count: int) -> tuple[int, int]:
            for _ in range(count):
                row, col = col, size - 1 - row
            return row, col

        def index(place: tuple[int, int]) -> int:
            return (top + place[0]) * self.puzzle.cols + left + place[1]

        for row in range(size):
            for col in range(size):
                cycle = [after_turns(row, col, count) for count in range(4)]
                moves = [(index(place), index(after_turns(*place, turns))) for place in cycle]
                blocked = any(self.lattice.pinned[here] for here, _ in moves)
                for here, there in moves if framed else []:
                    ours, theirs = (walls(self.puzzle, self.lattice, each) for each in (here, there))
                    blocked |= {(side + turns) % 4 for side in ours} != theirs
                if not blocked:
                    here, there = moves[0]
                    after[there] = turned(cells[here], turns)
        return after


@given(cases(), st.integers(0, 2**32), st.booleans(), st.booleans(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_mutations_are_those_of_the_slow_ones(
    case: tuple[Puzzle, list[Hint], np.ndarray], seed: int, keep_frame: bool, size_first: bool, directed: bool
) -> None:
    puzzle, pins, cells = case
    lattice = make_lattice(puzzle, pins)
    variation = make_variation(lattice, mutation_sizes=(1, 4), size_first=size_first, keep_frame=keep_frame)
    one, other = np.random.default_rng(seed), np.random.default_rng(seed)
    slow, memory = Slow(one, puzzle, lattice, variation), np.zeros(puzzle.size + 1, dtype=np.int32)
    for _ in range(3):
        framed = frame_is_valid(puzzle, lattice, cells)
        for kind in ("exchange", "rotation"):
            expected = getattr(slow, kind)(cells, slow.misfit(cells) if directed else None)
            if directed:
                mutation = directed_exchange if kind == "exchange" else directed_rotation
                mutation(other, lattice, variation, cells, memory)
            else:
                (region_exchange if kind == "exchange" else region_rotation)(other, lattice, variation, cells)
            assert (cells == expected).all()
        assert (np.sort(cells // 4) == np.arange(puzzle.size + 1)).all()
        assert all(cells[pin.row * puzzle.cols + pin.col] == pin.tile * 4 + pin.rotation for pin in pins)
        assert not (framed and keep_frame) or frame_is_valid(puzzle, lattice, cells)
    assert one.random() == other.random()


@given(st.sampled_from(SHAPES), st.integers(0, 2**32), st.booleans())
@settings(max_examples=60, deadline=None)
def test_crossover_keeps_the_frame_of_both_parents(shape: tuple[int, int], seed: int, random_refill: bool) -> None:
    puzzle, solution = generate(*shape, 3, 4, 1, style="benoist")
    rng, lattice, weights = np.random.default_rng(seed), make_lattice(puzzle), fitness_weights(puzzle, "normal")
    boards = np.concatenate([knowledge_boards(rng, puzzle, 7), [solution.cells]])
    parents, children = population_of(lattice, boards, weights), make_population(lattice, 1)
    variation = make_variation(lattice, random_refill=random_refill, keep_frame=True)
    for mother in range(8):
        father, scratch = int(rng.integers(8)), make_scratch(lattice)
        region_crossover(rng, lattice, variation, weights, parents, mother, parents, father, children, 0, scratch)
        cells = children.cells[0]
        framed = [is_framed(lattice, parents.cells[parent]) for parent in (mother, father)]
        assert not all(framed) or frame_is_valid(puzzle, lattice, cells)
        afresh = population_of(lattice, cells[:-1].reshape(1, *shape), weights)
        assert all((mine == theirs).all() for mine, theirs in zip(children, afresh, strict=True))
        if not random_refill:  # inner tiles keep their rotation, those of the rim face the wall
            known = {*parents.cells[mother].tolist(), *parents.cells[father].tolist()}
            inner = [cell for cell in range(puzzle.size) if not walls(puzzle, lattice, cell)]
            assert not all(framed) or all(int(cells[cell]) in known for cell in inner)
