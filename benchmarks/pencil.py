"""Speed on the puzzles of the daily paper: `python -m benchmarks.pencil [FOLDER]`.

Times are CPU seconds on one core. FOLDER has the public instance sets, if they are at hand; otherwise only generated
puzzles are solved.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import numpy as np

from puzzles.pencil import Hashi, PencilPuzzle, Sudoku, load
from solvers.pencil import available, generate, solve, solve_lines

_SETS: dict[str, tuple[tuple[str, str | None], ...]] = {
    "battleship_janko_sample.jsonl": (("gbm", "scipy"), ("gbm", "cp-sat"), ("cbm", "cp-sat")),
    "battleship_csplib014.pl": (("gbm", "scipy"), ("gbm", "cp-sat")),
    "hashi_janko_sample.jsonl": (("cuts", "scipy"), ("cuts", "sat")),
    "hashi_coelho2019_sample.txt": (("cuts", "sat"),),
    "sudoku_janko_sample.jsonl": (("search", None), ("ip", "scipy")),
    "sudoku_17_clues_sample.txt": (("ip", "scipy"), ("ip", "sat")),
}


def sudoku_rate(puzzles: Sequence[PencilPuzzle]) -> float:
    """Return how many 9x9 Sudoku a second the compiled solver solves, with the proof of uniqueness."""
    lines = np.array([puzzle.clues for puzzle in puzzles if isinstance(puzzle, Sudoku)], dtype=np.uint8).reshape(-1, 81)
    lines = np.tile(lines, (max(1, 5000 // len(lines)), 1))
    solve_lines(lines[:1])
    times = []
    for _ in range(5):
        start = process_time()
        solve_lines(lines)
        times.append(process_time() - start)
    return len(lines) / min(times)


def measure(name: str, puzzles: Sequence[PencilPuzzle], model: str, engine: str | None) -> None:
    """Print the mean and the longest time of first solutions, and of first solutions with uniqueness."""
    if engine is not None and engine not in available():
        print(f"{name:32} {model:7} {engine:9} not installed")
        return
    columns = []
    for wanted in (1, 2):
        times = []
        for puzzle in [puzzles[0], *puzzles]:
            start = process_time()
            solve(puzzle, model=model, engine=engine, solutions=wanted)
            times.append(process_time() - start)
        columns.append(f"{np.mean(times[1:]):.4f} {max(times[1:]):.4f}")
    note = f"{len(puzzles)} puzzles"
    print(f"{name:32} {model:7} {engine or 'compiled':9} {'   '.join(columns)}   {note}", flush=True)


def without_connectivity(puzzles: Sequence[PencilPuzzle]) -> int:
    """Return of how many Hashi puzzles a model without connectivity gives a wrong answer, as some solvers do."""
    from puzzles.pencil import check
    from solvers.pencil import Search, make_model

    wrong = 0
    for puzzle in puzzles:
        model = make_model(puzzle, "cuts")
        model.separate = None
        values = Search(model, "scipy").feasible()
        wrong += values is not None and check(puzzle, model.decode(values)) is not None
    return wrong


def main() -> None:
    """Run the benchmark."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if folder is None:
        print(f"compiled Sudoku, generated: {sudoku_rate([generate('sudoku', s) for s in range(50)]):,.0f} a second")
    else:
        for file in ("sudoku_17_clues_sample.txt", "sudoku_hardest_sample.txt"):
            print(f"compiled Sudoku, {file}: {sudoku_rate([r.puzzle for r in load(folder / file)]):,.0f} a second")
    print(f"{'set':32} {'model':7} {'engine':9} first: mean max   unique: mean max")
    generated: dict[str, tuple[list[PencilPuzzle], tuple[tuple[str, str | None], ...]]] = {
        "battleship 10x10": ([generate("battleship", s) for s in range(5)], (("gbm", "scipy"), ("gbm", "cp-sat"))),
        "circuit 10x10": ([generate("circuit", s, side=10) for s in range(3)], (("cm1", "sat"), ("cm1", "cp-sat"))),
        "hashi 30x30, 127": (
            [generate("hashi", s, side=30, islands=127) for s in range(5)],
            (("cuts", "sat"), ("cuts", "scipy")),
        ),
        "zebra 5x5": ([generate("zebra", s) for s in range(3)], (("ip", "scipy"), ("ip", "sat"))),
    }
    for name, (puzzles, ways) in generated.items():
        for model, engine in ways:
            measure(name, puzzles, model, engine)
    for file, sets in _SETS.items():
        if folder is None:
            break
        puzzles = [reading.puzzle for reading in load(folder / file)]
        for model, engine in sets:
            measure(file, puzzles, model, engine)
        hashi = [puzzle for puzzle in puzzles if isinstance(puzzle, Hashi)]
        if hashi:
            print(f"  without connectivity {without_connectivity(hashi)} of {len(hashi)} answers would be wrong")


if __name__ == "__main__":
    main()
