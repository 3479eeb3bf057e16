"""The checkers against solutions that are right by construction, and against slow enumeration of tiny puzzles."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.errors import PuzzleError
from puzzles.pencil import Battleship, Bridge, Circuit, Clue, Hashi, Island, Sudoku, Zebra, check
from puzzles.pencil.battleship import UNKNOWN, WATER, ship_cells
from puzzles.pencil.zebra import LIFE_1962
from tests.puzzles.pencil.samples import SAMPLES, message_of

SEEDS = st.integers(0, 10**6)


@pytest.mark.parametrize("kind", SAMPLES)
@given(seed=SEEDS)
def test_what_is_right_by_construction_passes(kind: str, seed: int) -> None:
    puzzle, solution = SAMPLES[kind](np.random.default_rng(seed))
    assert check(puzzle, solution) is None


@given(seed=SEEDS)
def test_a_changed_number_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    puzzle, solution = SAMPLES["sudoku"](rng)
    i, j = rng.integers(puzzle.side, size=2)
    wrong = [list(row) for row in solution]
    wrong[i][j] = wrong[i][j] % puzzle.side + 1
    fault = check(puzzle, wrong)
    assert fault is not None
    assert fault.place.startswith(("row", "column", "the box"))


@given(seed=SEEDS)
def test_a_changed_cell_bridge_or_line_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    puzzle, solution = SAMPLES["battleship"](rng)
    i, j = rng.integers(puzzle.shape[0]), rng.integers(puzzle.shape[1])
    wrong = [list(row) for row in solution]
    wrong[i][j] = (wrong[i][j] + 1 + int(rng.integers(6))) % 7
    assert check(puzzle, wrong) is not None
    puzzle, bridges = SAMPLES["hashi"](rng)
    one = bridges[rng.integers(len(bridges))]
    assert check(puzzle, [bridge for bridge in bridges if bridge != one]) is not None
    assert check(puzzle, [b._replace(n=3 - b.n) if b == one else b for b in bridges]) is not None
    puzzle, lines = SAMPLES["circuit"](rng)
    gone = sorted(lines)[rng.integers(len(lines))]
    assert check(puzzle, lines - {gone}) is not None


@pytest.mark.parametrize("shape", [(1, 4), (2, 2), (4, 1)])
def test_every_tiny_sea_is_judged_as_if_ships_had_been_placed(shape: tuple[int, int]) -> None:
    rows, cols = shape
    unknown = tuple((UNKNOWN,) * cols for _ in range(rows))
    ships = [
        ship_cells((i, j), length, vertical)
        for i, j in product(range(rows), range(cols))
        for vertical in (False, True)
        for length in range(1 + vertical, (rows - i if vertical else cols - j) + 1)
    ]
    seas: dict[tuple[tuple[int, ...], ...], tuple[tuple[int, int], ...]] = {}
    for count in range(3):
        for fleet in combinations(ships, count):
            cells = [{cell for cell, _ in ship} for ship in fleet]
            apart = all(
                max(abs(r - s), abs(c - d)) > 1 for one, two in combinations(cells, 2) for r, c in one for s, d in two
            )
            if apart:
                kinds = {cell: kind for ship in fleet for cell, kind in ship}
                sea = tuple(tuple(kinds.get((i, j), WATER) for j in range(cols)) for i in range(rows))
                seas[sea] = tuple(sorted(Counter(len(ship) for ship in fleet).items()))
    fleets = set(seas.values())
    for flat in product(range(7), repeat=rows * cols):
        sea = tuple(flat[i * cols : (i + 1) * cols] for i in range(rows))
        for fleet in fleets:
            puzzle = Battleship((UNKNOWN,) * rows, (UNKNOWN,) * cols, fleet, unknown)
            assert (check(puzzle, sea) is None) == (seas.get(sea) == fleet)


@given(st.integers(0, 2**12 - 1), st.sampled_from([(0, 0), (1, 1), (2, 1)]))
def test_lines_on_a_small_board_are_judged_by_degrees_and_cycles(bits: int, black: tuple[int, int]) -> None:
    puzzle = Circuit((3, 3), frozenset({black}))
    lines = [edge for k, edge in enumerate(puzzle.edges) if bits >> k & 1]
    degrees = Counter(cell for edge in lines for cell in edge)
    group = {cell: cell for cell in puzzle.points}
    acyclic = True
    for a, b in lines:
        acyclic = acyclic and group[a] != group[b]
        group = {cell: group[a] if mark == group[b] else mark for cell, mark in group.items()}
    right = acyclic and len(lines) == 7 and all(degrees[cell] in (1, 3) for cell in puzzle.points)
    assert (check(puzzle, lines) is None) == right


def test_bridges_that_cross_jump_or_leave_islands_alone_are_found() -> None:
    cross = Hashi((3, 3), tuple(Island(*place, 1) for place in ((0, 1), (1, 0), (1, 2), (2, 1))))
    fault = check(cross, (Bridge(0, 3, 1), Bridge(1, 2, 1)))
    assert str(fault) == "row 2, column 2: two bridges cross or overlap"
    row = Hashi((1, 5), (Island(0, 0, 1), Island(0, 2, 2), Island(0, 4, 1)))
    assert str(check(row, (Bridge(0, 2, 1),))) == "row 1, column 3: a bridge runs over an island"
    pairs = Hashi((2, 2), (Island(0, 0, 1), Island(0, 1, 1), Island(1, 0, 1), Island(1, 1, 1)))
    assert str(check(pairs, (Bridge(0, 1, 1), Bridge(2, 3, 1)))).endswith("not connected with the first one")


def test_a_wrong_table_names_the_clue() -> None:
    rows = [list(attribute.properties) for attribute in LIFE_1962.attributes]
    assert str(check(LIFE_1962, rows)) == "clue 1: 'same: Englishman, Red' does not hold"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sudoku(((1,),)), "expected 9 rows of 9 cells"),
        (lambda: Sudoku(((5, 0, 0, 0),) * 4, (2, 2)), "number 5 is not within 0..4"),
        (lambda: Sudoku((), (6, 6)), "boxes of 6x6 are not possible"),
        (lambda: Circuit((3, 3)), "even number of points"),
        (lambda: Circuit((2, 2), given=frozenset({((0, 0), (1, 1))})), "does not join two neighbouring points"),
        (lambda: Hashi((1, 3), (Island(0, 0, 3), Island(0, 2, 3))), "the label 3 and only 1 neighbours"),
        (lambda: Battleship((1,), (1,), ((2, 1),), ((UNKNOWN,),)), "a ship of length 2 does not fit"),
        (lambda: Zebra(LIFE_1962.attributes, (Clue("same", "Red", "Cat"),)), "unknown property 'Cat'"),
        (lambda: Zebra(LIFE_1962.attributes, (Clue("at", "Red", 6),)), "there is no house 6"),
        (lambda: Zebra(LIFE_1962.attributes, (Clue("near", "Red", "Dog"),)), "unknown relation 'near'"),
    ],
)
def test_bad_puzzles_are_refused_in_one_line(make, message: str) -> None:
    with pytest.raises(PuzzleError) as error:
        make()
    assert message in message_of(error.value)
