"""Well-formed crossover: against a slow one with the same draws, on boards of any shape."""

import numpy as np
import pytest
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
)
from operators.holes import is_framed
from operators.lattice import Lattice
from operators.refill import fill_holes, make_refill_scratch
from operators.variation import Variation
from operators.well_formed import cross_over
from operators.well_formed_parts import make_well_formed
from puzzles import EMPTY, Puzzle, generate


class Slow:
    """The crossover as one would explain it, with sets of cells."""

    def __init__(self, rng: np.random.Generator, puzzle: Puzzle, lattice: Lattice, variation: Variation) -> None:
        self.rng, self.puzzle, self.lattice, self.variation = rng, puzzle, lattice, variation

    def below(self, limit: int) -> int:
        return int(self.rng.random() * limit)

    def matches(self, here: int, there: int, side: int) -> bool:
        colour = self.puzzle.sides[side, here]
        return bool(colour != 0 and colour == self.puzzle.sides[(side + 2) % 4, there])

    def inner(self, cell: int) -> list[tuple[int, int]]:
        """The sides with a neighbour, and these neighbours."""
        return [(side, near) for side, near in enumerate(self.lattice.near[cell].tolist()) if near < self.puzzle.size]

    def component(self, mother: np.ndarray, father: np.ndarray, differing: list[int], size: int) -> list[int]:
        rim, part = [differing[self.below(len(differing))]], []
        while len(part) < size and rim:
            k = self.below(len(rim))
            rim[k], rim[-1] = rim[-1], rim[k]
            cell = rim.pop()
            beside = [(side, near) for side, near in self.inner(cell) if near in part]
            fits = all(self.matches(father[cell], father[near], side) for side, near in beside)
            if cell in part or mother[cell] == father[cell] or not fits:
                continue
            part.append(cell)
            rim += [near for _, near in self.inner(cell) if near not in part]
        return part

    def rectangle(self, height: int, width: int) -> list[int]:
        rows, cols = self.puzzle.shape
        top, left = self.below(rows - height + 1), self.below(cols - width + 1)
        return np.arange(self.puzzle.size).reshape(rows, cols)[top : top + height, left : left + width].ravel().tolist()

    def gain(self, mother: np.ndarray, father: np.ndarray, part: list[int]) -> int:
        """Edges around the part that match more often if it is put into the mother without anything else changing."""
        child = mother.copy()
        child[part] = father[part]
        edges = {
            (min(cell, near), max(cell, near), side if cell < near else (side + 2) % 4)
            for cell in part
            for side, near in self.inner(cell)
        }
        return sum(
            self.matches(child[one], child[two], side) - self.matches(mother[one], mother[two], side)
            for one, two, side in edges
        )

    def child(self, mother: np.ndarray, father: np.ndarray, components: float, tries: int) -> np.ndarray:
        differing = [cell for cell in range(self.puzzle.size) if mother[cell] != father[cell]]
        if not differing:
            return mother.copy()
        by_component, v, parts = self.rng.random() < components, self.variation, []
        for _ in range(tries):
            height = v.cross_low_rows + self.below(v.cross_high_rows - v.cross_low_rows + 1)
            width = v.cross_low_cols + self.below(v.cross_high_cols - v.cross_low_cols + 1)
            if by_component:
                parts.append(self.component(mother, father, differing, height * width))
            else:
                parts.append(self.rectangle(height, width))
        best = max(parts, key=lambda part: self.gain(mother, father, part))  # the first one of equals
        child, moved = mother.copy(), {int(father[cell]) // 4 for cell in best}
        child[[cell for cell in range(self.puzzle.size) if mother[cell] // 4 in moved]] = EMPTY
        child[best] = father[best]
        spare = np.array([mother[cell] for cell in best if mother[cell] // 4 not in moved], dtype=np.uint16)
        framed = is_framed(self.lattice, mother) and is_framed(self.lattice, father)
        scratch = make_refill_scratch(self.lattice)
        fill_holes(self.rng, self.lattice, framed, child, spare, len(spare), scratch)
        return child


@given(
    st.sampled_from([(1, 2), (2, 1), (2, 2), (1, 9), (3, 3), (5, 4), (4, 7), (6, 7)]),
    st.integers(0, 2**32),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from([1, 4]),
    st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_children_are_those_of_the_slow_crossover(
    shape: tuple[int, int], seed: int, components: float, tries: int, pinned: bool
) -> None:
    puzzle, solution = generate(*shape, 3, 4, 1, style="benoist", hints=min(2, shape[0] * shape[1] - 2))
    pins = list(puzzle.hints) if pinned else []
    rng, lattice, weights = np.random.default_rng(seed), make_lattice(puzzle, pins), fitness_weights(puzzle, "normal")
    boards = [*knowledge_boards(rng, puzzle, 3, pins=pins), *random_boards(rng, puzzle, 2, pins), solution.cells]
    parents, children = population_of(lattice, np.array(boards), weights), make_population(lattice, 1)
    how = make_well_formed(lattice, components, tries)
    variation = make_variation(lattice, (1, 4), well_formed=how)
    one, other = np.random.default_rng(seed), np.random.default_rng(seed)
    slow, scratch = Slow(one, puzzle, lattice, variation), make_scratch(lattice)
    for _ in range(6):
        mother, father = (int(parent) for parent in rng.integers(0, 6, 2))
        framed = all(is_framed(lattice, parents.cells[parent]) for parent in (mother, father))
        expected = slow.child(parents.cells[mother], parents.cells[father], components, tries)
        cross_over(other, lattice, variation, weights, parents, mother, parents, father, children, 0, scratch)
        cells = children.cells[0]
        assert (cells == expected).all()
        assert all(cells[pin.row * puzzle.cols + pin.col] == pin.tile * 4 + pin.rotation for pin in pins)
        assert not framed or is_framed(lattice, cells)
        afresh = population_of(lattice, cells[:-1].reshape(1, *shape), weights)
        assert all((mine == theirs).all() for mine, theirs in zip(children, afresh, strict=True))
        assert not how.inside.any()
    assert one.random() == other.random()


@pytest.mark.parametrize("components", [0.0, 1.0])
def test_a_solved_father_gives_more_than_region_crossover_gives(components: float) -> None:
    puzzle, solution = generate(10, 10, 4, 9, 1)
    lattice, weights = make_lattice(puzzle), fitness_weights(puzzle, "normal")
    boards = np.array([knowledge_boards(np.random.default_rng(1), puzzle, 1)[0], solution.cells])
    parents, children = population_of(lattice, boards, weights), make_population(lattice, 1)
    means = []
    for how in (None, make_well_formed(lattice, components, 4)):
        rng, variation, scores = np.random.default_rng(2), make_variation(lattice, (3, 6), well_formed=how), []
        for _ in range(100):
            cross_over(rng, lattice, variation, weights, parents, 0, parents, 1, children, 0, make_scratch(lattice))
            scores.append(int(children.objectives[0, 0]))
        means.append(np.mean(scores))
    assert means[1] > means[0] + 5
