"""Random pencil puzzles with a known solution, built without any solver."""

from typing import Any

import numpy as np

from puzzles.errors import PuzzleError
from puzzles.pencil import Attribute, Battleship, Bridge, Circuit, Clue, Hashi, Island, Sudoku, Zebra
from puzzles.pencil.battleship import UNKNOWN, WATER, ship_cells
from puzzles.pencil.circuit import edge_of
from puzzles.pencil.zebra import RELATIONS, holds

Sample = tuple[Any, Any]


def sudoku(rng: np.random.Generator, box: tuple[int, int] | None = None, given: float = 0.4) -> Sample:
    """A grid shifted row by row, with its numbers, rows and columns shuffled."""
    high, wide = box or [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 4)][rng.integers(6)]
    side = high * wide
    rows = [p * high + i for p in rng.permutation(wide) for i in rng.permutation(high)]
    cols = [q * wide + j for q in rng.permutation(high) for j in rng.permutation(wide)]
    numbers = rng.permutation(side) + 1
    grid = tuple(tuple(int(numbers[(i * wide + i // high + j) % side]) for j in cols) for i in rows)
    clues = tuple(tuple(n if rng.random() < given else 0 for n in row) for row in grid)
    return Sudoku(clues, (high, wide)), grid


def battleship(rng: np.random.Generator, side: int | None = None, ships: int = 8, given: float = 0.1) -> Sample:
    rows, cols = (side, side) if side else (int(rng.integers(4, 9)), int(rng.integers(4, 9)))
    sea = np.zeros((rows, cols), dtype=int)
    lengths = []
    for _ in range(ships):
        length, vertical = int(rng.integers(1, 5)), bool(rng.integers(2))
        row, col = int(rng.integers(rows)), int(rng.integers(cols))
        cells = ship_cells((row, col), length, vertical)
        if cells[-1][0][0] >= rows or cells[-1][0][1] >= cols:
            continue
        if any(sea[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2].any() for (r, c), _ in cells):
            continue
        for (r, c), kind in cells:
            sea[r, c] = kind
        lengths.append(length)
    hints = np.where(rng.random(sea.shape) < given, sea, UNKNOWN)
    ships_by_length = tuple((length, lengths.count(length)) for length in sorted(set(lengths)))
    counts = (sea != WATER).sum(axis=1).tolist(), (sea != WATER).sum(axis=0).tolist()
    puzzle = Battleship(tuple(counts[0]), tuple(counts[1]), ships_by_length, tuple(map(tuple, hints.tolist())))
    return puzzle, tuple(map(tuple, sea.tolist()))


def circuit(rng: np.random.Generator, side: int | None = None, given: float = 0.3) -> Sample:
    """A tree in which leaves get two more leaves, again and again; cells that it does not reach are black."""
    rows, cols = (side, side) if side else (int(rng.integers(2, 7)), int(rng.integers(2, 7)))
    start = (int(rng.integers(rows)), int(rng.integers(cols)))

    def near(cell: tuple[int, int]) -> list[tuple[int, int]]:
        places = [(cell[0] + a, cell[1] + b) for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        return [(r, c) for r, c in places if 0 <= r < rows and 0 <= c < cols]

    second = near(start)[rng.integers(len(near(start)))]
    points, edges, leaves = {start, second}, {edge_of(start, second)}, [start, second]
    while leaves:
        leaf = leaves.pop(int(rng.integers(len(leaves))))
        free = [cell for cell in near(leaf) if cell not in points]
        if len(free) < 2:
            continue
        for k in rng.permutation(len(free))[:2]:
            points.add(free[k])
            edges.add(edge_of(leaf, free[k]))
            leaves.append(free[k])
    black = frozenset({(i, j) for i in range(rows) for j in range(cols)} - points)
    shown = frozenset(edge for edge in sorted(edges) if rng.random() < given)
    ends = None
    if rng.random() < 0.5:
        chosen = sorted(points)
        one, other = rng.choice(len(chosen), 2, replace=False)
        ends = (chosen[one], chosen[other])
    return Circuit((rows, cols), black, shown, ends), frozenset(edges)


def hashi(rng: np.random.Generator, side: int | None = None, islands: int = 12) -> Sample:
    """Islands at the ends of bridges that grow from the islands so far."""
    rows, cols = (side, side) if side else (int(rng.integers(3, 9)), int(rng.integers(3, 9)))
    grid = np.zeros((rows, cols), dtype=int)  # 1 + index of an island, -1 under a bridge
    places = [(int(rng.integers(rows)), int(rng.integers(cols)))]
    grid[places[0]] = 1
    bridges: dict[tuple[int, int], int] = {}
    for _ in range(40 * islands):
        if len(places) >= islands:
            break
        index = int(rng.integers(len(places)))
        step = ((0, 1), (1, 0), (0, -1), (-1, 0))[rng.integers(4)]
        length = int(rng.integers(1, 5))
        cells = [(places[index][0] + k * step[0], places[index][1] + k * step[1]) for k in range(1, length + 1)]
        if not all(0 <= r < rows and 0 <= c < cols and grid[r, c] == 0 for r, c in cells):
            continue
        for cell in cells[:-1]:
            grid[cell] = -1
        places.append(cells[-1])
        grid[cells[-1]] = len(places)
        bridges[index, len(places) - 1] = int(rng.integers(1, 3))
    if len(places) < 2:
        return hashi(rng, side, islands)
    order = sorted(range(len(places)), key=lambda k: places[k])
    new = {old: k for k, old in enumerate(order)}
    labels = [0] * len(places)
    for (a, b), n in bridges.items():
        labels[new[a]] += n
        labels[new[b]] += n
    found = sorted(Bridge(*sorted((new[a], new[b])), n) for (a, b), n in bridges.items())
    return Hashi((rows, cols), tuple(Island(*places[old], labels[k]) for k, old in enumerate(order))), tuple(found)


def zebra(rng: np.random.Generator, clues: int = 12) -> Sample:
    houses, count = int(rng.integers(2, 6)), int(rng.integers(1, 5))
    attributes = tuple(Attribute(f"A{k}", tuple(f"p{k} {h}" for h in range(houses))) for k in range(count))
    table = tuple(tuple(a.properties[k] for k in rng.permutation(houses)) for a in attributes)
    house = {word: number for row in table for number, word in enumerate(row, start=1)}
    words = sorted(house)
    true = []
    for _ in range(20 * clues):
        relation, one, other = (
            RELATIONS[rng.integers(5)],
            words[rng.integers(len(words))],
            words[rng.integers(len(words))],
        )
        clue = Clue(relation, one, house[one] if relation == "at" else other)
        if one != other and holds(clue, house) and len(true) < clues:
            true.append(clue)
    return Zebra(attributes, tuple(true)), table


SAMPLES = {"sudoku": sudoku, "battleship": battleship, "circuit": circuit, "hashi": hashi, "zebra": zebra}


def message_of(error: PuzzleError) -> str:
    text = str(error)
    assert text
    assert "\n" not in text
    return text
