"""The tables of the paper again, on generated puzzles of the same sizes, with the paper's numbers beside ours.

Times are seconds of CPU time, from building a model to its first solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import numpy as np

from puzzles.pencil import Battleship, Circuit, PencilPuzzle
from puzzles.pencil.zebra import LIFE_1962
from solvers.errors import SolverError
from solvers.pencil.generate_networks import tree
from solvers.pencil.generating import generate
from solvers.pencil.hashi_models import hashi_hdc
from solvers.pencil.search import relaxation
from solvers.pencil.solving import make_model, solve
from solvers.pencil.zebra_search import orderings, trace
from solvers.programs.engines import available, load

Row = dict[str, Any]
_GIVEN_SHARE = 0.15  # of the lines of a circuit board: few, as in the paper's figures, so that solutions abound


def table_3_1(seconds: float) -> Iterator[Row]:
    """Sudoku: clues and time of the integer program."""
    paper = [(36, 0.02916), (32, 0.03869), (32, 0.04757), (31, 0.04716), (29, 0.01603), (26, 0.03181)]
    paper += [(23, 0.01719), (23, 0.0319), (22, 0.0315), (22, 0.03841)]
    for number, (clues, theirs) in enumerate(paper):
        puzzle = _with_clues(clues, 1000 * number)
        yield {
            "clues": clues,
            "paper": theirs,
            "ip": _time(puzzle, seconds, "ip", "scipy"),
            "search": _time(puzzle, seconds),
        }


def table_4_3(seconds: float) -> Iterator[Row]:
    """Battleship: the two models; "easy" has six hints more than uniqueness asks for."""
    paper = {6: ((0.01, 0.01), (0.01, 0.12)), 8: ((0.02, 0.08), (0.02, 0.22))}
    paper |= {10: ((0.01, 0.02), (0.01, 0.05)), 15: ((0.03, 0.21), (0.03, 0.15))}
    for side, levels in paper.items():
        hard = generate("battleship", side, side=side)
        assert isinstance(hard, Battleship)
        for level, puzzle, theirs in zip(("easy", "hard"), (_easier(hard), hard), levels, strict=True):
            times = {f"{m} {e}": _time(puzzle, seconds, m, e) for m in ("gbm", "cbm") for e in ("scipy", "cp-sat")}
            yield {"size": f"{side}x{side}", "level": level, "paper gbm": theirs[0], "paper cbm": theirs[1], **times}


def table_a_1(seconds: float) -> Iterator[Row]:
    """Circuit boards: CM1 and CM2, printed and tightened (Tables A.1 and A.2), and relaxations (Table A.3)."""
    # The paper's boards with 8, 14, 22, 34, 48, 62, 78 and 98 points; it stopped CM2 after 1,800 s.
    paper = {3: (0.0, 0.0), 4: (0.016, 0.0), 5: (0.006, 0.132), 6: (0.031, 0.142), 7: (0.158, 61.646)}
    paper |= {8: (0.419, 1800.0), 9: (1.04, 1800.0), 10: (10.957, 1800.0)}
    for side, (theirs_1, theirs_2) in paper.items():
        board = _board(side)
        printed = make_model(board, "cm2", as_printed=True)
        yield {
            "V": len(board.points),
            "E": len(board.edges),
            "paper cm1": theirs_1,
            "cm1 sat": _time(board, seconds, "cm1", "sat"),
            "cm1 cp-sat": _time(board, seconds, "cm1", "cp-sat"),
            "cm1 scipy": _time(board, seconds, "cm1", "scipy"),
            "paper cm2": theirs_2,
            "cm2 printed": _time(board, seconds, "cm2", "scipy", True),
            "cm2 tight": _time(board, seconds, "cm2", "scipy"),
            "LR cm1": round(relaxation(make_model(board, "cm1")), 2),
            "LR cm2 printed": round(relaxation(printed), 2),
            "LR cm2 tight": round(relaxation(make_model(board, "cm2")), 2),
        }


def table_a_4(seconds: float) -> Iterator[Row]:
    """Hashi: flow, flow with human-deduced constraints, and lazy cuts."""
    paper = [
        (5, 7, 0.00261, 0.00206),
        (7, 13, 0.00842, 0.00237),
        (10, 22, 0.01315, 0.01003),
        (15, 33, 0.05117, 0.00592),
    ]
    paper += [(25, 63, 0.02206, 0.00852), (25, 83, 0.06532, 0.01806), (30, 127, 0.20876, 0.08316)]
    for side, islands, flow, deduced in paper:
        puzzle: Any = generate("hashi", side + islands, side=side, islands=islands)
        yield {
            "n": side,
            "k": islands,
            "B": len(puzzle.possible),
            "HDC": sum(row.equation in ("6.2", "6.3-6.11") for row in hashi_hdc(puzzle).rows),
            "paper flow": flow,
            "flow": _time(puzzle, seconds, "flow", "scipy"),
            "paper HDC": deduced,
            "with HDC": _time(puzzle, seconds, "hdc", "scipy"),
            "cuts scipy": _time(puzzle, seconds, "cuts", "scipy"),
            "cuts sat": _time(puzzle, seconds, "cuts", "sat"),
        }


def table_7_5(seconds: float) -> Iterator[Row]:
    """The Zebra puzzle of 1962: the integer program, and attempts of a Prolog-like search in several orders."""
    for engine in available():
        yield {
            "method": f"ip, {engine}",
            "attempts": None,
            "seconds": _time(LIFE_1962, seconds, "ip", engine),
            "paper": 0.05,
        }
    theirs = {"original": 21612, "heuristics 1 and 2": 5174, "heuristics 1, 2 and 3": 663}
    for name, clues in orderings(LIFE_1962, "Zebra").items():
        start = process_time()
        attempts = trace(LIFE_1962, clues).attempts
        yield {"method": name, "attempts": attempts, "seconds": process_time() - start, "paper": theirs.get(name)}


TABLES: dict[str, Callable[[float], Iterator[Row]]] = {
    "3.1": table_3_1,
    "4.3": table_4_3,
    "A.1": table_a_1,
    "A.4": table_a_4,
    "7.5": table_7_5,
}
"""The tables by their numbers in the paper; each yields its rows, given a limit of time for one solution."""


def _time(
    puzzle: PencilPuzzle, seconds: float, model: str | None = None, engine: str | None = None, as_printed: bool = False
) -> float | None:
    """Return the CPU time of one solution; None at the limit, or if the engine is not installed."""
    if engine is not None:
        if engine not in available():
            return None
        load(engine)
    start = process_time()
    answer = solve(puzzle, model=model, engine=engine, solutions=1, seconds=seconds, as_printed=as_printed)
    proved = answer.objective is None or answer.objective == answer.bound
    return process_time() - start if answer.status == "solved" and proved else None


def _with_clues(clues: int, seed: int) -> PencilPuzzle:
    while True:
        try:
            return generate("sudoku", seed, clues=clues)
        except SolverError:
            seed += 1


def _easier(puzzle: Battleship) -> Battleship:
    solution = solve(puzzle).solution
    hidden = [(i, j) for i, row in enumerate(puzzle.hints) for j, hint in enumerate(row) if hint < 0]
    chosen = {hidden[k] for k in np.random.default_rng(1).permutation(len(hidden))[:6]}
    hints = [
        [solution[i][j] if (i, j) in chosen else h for j, h in enumerate(row)] for i, row in enumerate(puzzle.hints)
    ]
    return Battleship(puzzle.row_counts, puzzle.column_counts, puzzle.fleet, tuple(map(tuple, hints)))


def _board(side: int) -> Circuit:
    """Return a board that is nearly full and has few given lines."""
    rng = np.random.default_rng(side)
    edges = max((tree(rng, side) for _ in range(200)), key=len)
    points = {cell for edge in edges for cell in edge}
    black = frozenset((i, j) for i in range(side) for j in range(side) if (i, j) not in points)
    order = rng.permutation(len(edges))[: int(_GIVEN_SHARE * len(edges))]
    return Circuit((side, side), black, frozenset(sorted(edges)[k] for k in order))
