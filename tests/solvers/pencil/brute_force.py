"""All solutions of small pencil puzzles, found by trying; slow, obvious, and without any model."""

from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

from puzzles.pencil import Battleship, Bridge, Circuit, Hashi, Sudoku, Zebra, check
from puzzles.pencil.battleship import WATER, ship_cells


def solutions(puzzle: Any) -> set[Any]:
    ways = {"sudoku": _sudoku, "battleship": _battleship, "circuit": _circuit, "hashi": _hashi, "zebra": _zebra}
    found = {solution for solution in ways[puzzle.kind](puzzle) if check(puzzle, solution) is None}
    if puzzle.kind == "circuit" and puzzle.ends and found:
        from puzzles.pencil.circuit import path

        shortest = min(len(path(puzzle, solution)) for solution in found)
        return {solution for solution in found if len(path(puzzle, solution)) == shortest}
    return found


def _sudoku(puzzle: Sudoku) -> Iterator[Any]:
    side = puzzle.side
    grid = [list(row) for row in puzzle.clues]
    empty = [(i, j) for i in range(side) for j in range(side) if not grid[i][j]]

    def fits(i: int, j: int, number: int) -> bool:
        p, q = i // puzzle.box[0] * puzzle.box[0], j // puzzle.box[1] * puzzle.box[1]
        box = [grid[p + a][q + b] for a in range(puzzle.box[0]) for b in range(puzzle.box[1])]
        return number not in grid[i] and number not in [row[j] for row in grid] and number not in box

    def fill(k: int) -> Iterator[Any]:
        if k == len(empty):
            yield tuple(map(tuple, grid))
            return
        i, j = empty[k]
        for number in range(1, side + 1):
            if fits(i, j, number):
                grid[i][j] = number
                yield from fill(k + 1)
                grid[i][j] = 0

    return fill(0)


def _battleship(puzzle: Battleship) -> Iterator[Any]:
    rows, cols = puzzle.shape
    groups = []
    for length, count in puzzle.fleet:
        ships = [
            ship_cells((i, j), length, v) for i in range(rows) for j in range(cols) for v in ((False, True)[:length])
        ]
        inside = [ship for ship in ships if ship[-1][0][0] < rows and ship[-1][0][1] < cols]
        groups.append(list(combinations(inside, count)))
    for choice in product(*groups):
        kinds = [(cell, kind) for group in choice for ship in group for cell, kind in ship]
        if len(dict(kinds)) == len(kinds):
            yield tuple(tuple(dict(kinds).get((i, j), WATER) for j in range(cols)) for i in range(rows))


def _circuit(puzzle: Circuit) -> Iterator[Any]:
    free = [edge for edge in puzzle.edges if edge not in puzzle.given]
    missing = len(puzzle.points) - 1 - len(puzzle.given)
    if missing >= 0:
        for chosen in combinations(free, missing):
            yield puzzle.given | set(chosen)


def _hashi(puzzle: Hashi) -> Iterator[Any]:
    for counts in product(range(3), repeat=len(puzzle.possible)):
        yield tuple(Bridge(a, b, n) for (a, b), n in zip(puzzle.possible, counts, strict=True) if n)


def _zebra(puzzle: Zebra) -> Iterator[Any]:
    yield from product(*(permutations(attribute.properties) for attribute in puzzle.attributes))
