"""Rivals on the same puzzles, side by side in one run: `python -m benchmarks.pencil_rivals PYTHON`.

PYTHON is the interpreter of a throw-away environment with `grilops` (and so z3), a library for grid puzzles; nothing of
it is installed beside the project. Sudoku and Battleship are stated with its symbol grids and shapes, as in its
examples. Times are CPU seconds to a first solution, and to the proof that there is no other, models included.
"""

from __future__ import annotations

import json
import subprocess
import sys
from time import process_time

from puzzles.pencil import Battleship, PencilPuzzle, Sudoku, check
from solvers.pencil import generate, solve

_LIMIT = 60
"""The seconds of wall-clock time after which a rival is stopped."""
_WORKER = """
import json, sys, time
from z3 import And, Implies, Not, Or, PbEq
import grilops, grilops.shapes
from grilops.geometry import Point, Vector, get_rectangle_lattice

def sudoku(values):
    side, (high, wide) = len(values["clues"]), values["box"]
    numbers = grilops.make_number_range_symbol_set(1, side)
    grid = grilops.SymbolGrid(get_rectangle_lattice(side, side), numbers)
    from z3 import Distinct
    cells = [[grid.grid[Point(i, j)] for j in range(side)] for i in range(side)]
    for k in range(side):
        grid.solver.add(Distinct(cells[k]), Distinct([row[k] for row in cells]))
        top, left = k // high * high, k % high * wide
        grid.solver.add(Distinct([cells[i][j] for i in range(top, top + high) for j in range(left, left + wide)]))
    for i, row in enumerate(values["clues"]):
        for j, clue in enumerate(row):
            if clue:
                grid.solver.add(grid.cell_is(Point(i, j), numbers[clue]))
    return grid, lambda: [[grid.solved_grid()[Point(i, j)] for j in range(side)] for i in range(side)]

def battleship(values):
    rows, cols = len(values["row_counts"]), len(values["column_counts"])
    lattice = get_rectangle_lattice(rows, cols)
    symbols = grilops.SymbolSet([("W", " "), ("S", "#")])
    grid = grilops.SymbolGrid(lattice, symbols)
    lengths = [length for length, count in values["fleet"] for _ in range(count)]
    fleet = [grilops.shapes.Shape([Vector(0, k) for k in range(length)]) for length in lengths]
    ships = grilops.shapes.ShapeConstrainer(lattice, fleet, solver=grid.solver, allow_rotations=True)
    here = {p: grid.cell_is(p, symbols.S) for p in lattice.points}
    for p in lattice.points:
        grid.solver.add(here[p] == (ships.shape_type_grid[p] != -1))
        for q in (Point(p.y + 1, p.x), Point(p.y, p.x + 1)):
            if q in here:
                same = ships.shape_instance_grid[p] == ships.shape_instance_grid[q]
                grid.solver.add(Implies(And(here[p], here[q]), same))
        for q in (Point(p.y + 1, p.x + 1), Point(p.y + 1, p.x - 1)):
            if q in here:
                grid.solver.add(Not(And(here[p], here[q])))
    for i, count in enumerate(values["row_counts"]):
        grid.solver.add(PbEq([(here[Point(i, j)], 1) for j in range(cols)], count))
    for j, count in enumerate(values["column_counts"]):
        grid.solver.add(PbEq([(here[Point(i, j)], 1) for i in range(rows)], count))
    steps = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
    beside = {1: {"right"}, 2: {"left"}, 3: {"down"}, 4: {"up"}, 6: set()}
    for i, row in enumerate(values["hints"]):
        for j, hint in enumerate(row):
            if hint == -1:
                continue
            grid.solver.add(here[Point(i, j)] if hint else Not(here[Point(i, j)]))
            near = {name: here.get(Point(i + a, j + b), False) for name, (a, b) in steps.items()}
            if hint in beside:
                for name, occupied in near.items():
                    grid.solver.add(occupied if name in beside[hint] else Not(occupied))
            elif hint == 5:
                grid.solver.add(Or(And(near["left"], near["right"]), And(near["up"], near["down"])))
    return grid, lambda: [[int(grid.solved_grid()[Point(i, j)] == symbols.S) for j in range(cols)] for i in range(rows)]

for line in sys.stdin:
    values = json.loads(line)
    start = time.process_time()
    grid, found = (sudoku if values["kind"] == "sudoku" else battleship)(values)
    solved = grid.solve()
    first = time.process_time() - start
    solution = found() if solved else None
    unique = grid.is_unique() if solved else None
    seconds = time.process_time() - start
    print(json.dumps({"first": first, "seconds": seconds, "unique": unique, "solution": solution}), flush=True)
"""


def stated(puzzle: PencilPuzzle) -> str:
    """Return a puzzle as a line of JSON for the other interpreter."""
    names = ("clues", "box") if isinstance(puzzle, Sudoku) else ("row_counts", "column_counts", "fleet", "hints")
    return json.dumps({"kind": puzzle.kind, **{name: getattr(puzzle, name) for name in names}})


def agrees(puzzle: PencilPuzzle, answer: dict[str, object], ours: object) -> bool:
    """Return whether a rival's solution is right; of a sea, whether the same cells have ships."""
    theirs = answer["solution"]
    assert isinstance(theirs, list)
    assert isinstance(ours, tuple)
    if isinstance(puzzle, Battleship):
        return theirs == [[int(kind != 0) for kind in row] for row in ours]
    return check(puzzle, theirs) is None


def compare(name: str, puzzles: list[PencilPuzzle], python: str) -> None:
    """Print the mean and the longest times of both."""
    for wanted in (1, 2):  # also loads what is compiled
        solve(puzzles[0], solutions=wanted)
    rows = []
    for puzzle in puzzles:
        times = []
        for wanted in (1, 2):
            start = process_time()
            answer = solve(puzzle, solutions=wanted)
            times.append(process_time() - start)
        try:
            done = subprocess.run(
                [python, "-c", _WORKER],
                input=stated(puzzle),
                capture_output=True,
                text=True,
                timeout=_LIMIT,
                check=True,
            )
            theirs = json.loads(done.stdout)
        except subprocess.TimeoutExpired:
            print(f"{name}: grilops was stopped after {_LIMIT} s; ours took {times[1]:.4f} s", flush=True)
            continue
        right = agrees(puzzle, theirs, answer.solution) and theirs["unique"] == answer.unique
        rows.append((*times, theirs["first"], theirs["seconds"], right))
    if rows:
        means = [sum(row[k] for row in rows) / len(rows) for k in range(4)]
        print(
            f"{name:16} {len(rows)} puzzles; ours first {means[0]:.4f}, with uniqueness {means[1]:.4f}; grilops first "
            f"{means[2]:.3f}, with uniqueness {means[3]:.3f}; {sum(row[4] for row in rows)} answers agree",
            flush=True,
        )


def main() -> None:
    """Run the benchmark."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m benchmarks.pencil_rivals PYTHON")
    compare("Sudoku 9x9", [generate("sudoku", seed) for seed in range(1, 4)], sys.argv[1])
    compare("Battleship 6x6", [generate("battleship", seed, side=6) for seed in range(1, 4)], sys.argv[1])
    compare("Battleship 8x8", [generate("battleship", seed, side=8) for seed in range(1, 3)], sys.argv[1])


if __name__ == "__main__":
    main()
